//! The settings of a test, a project, or both.

use std::time::Duration;

/// The browser that a test wants: one of those that were known when its file was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BrowserName(String);

impl BrowserName {
    pub(crate) fn known(name: &str) -> BrowserName {
        BrowserName(name.to_string())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialEq<&str> for BrowserName {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// Who decides what a step does. `Auto` is the ladder of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PilotChoice {
    #[default]
    Auto,
    Replay,
    Builtin,
    Model,
    ComputerUse,
    Grid,
}

impl PilotChoice {
    pub const ALL: [(&'static str, PilotChoice); 6] = [
        ("auto", PilotChoice::Auto),
        ("replay", PilotChoice::Replay),
        ("builtin", PilotChoice::Builtin),
        ("model", PilotChoice::Model),
        ("computer-use", PilotChoice::ComputerUse),
        ("grid", PilotChoice::Grid),
    ];

    pub fn name(self) -> &'static str {
        match self {
            PilotChoice::Auto => "auto",
            PilotChoice::Replay => "replay",
            PilotChoice::Builtin => "builtin",
            PilotChoice::Model => "model",
            PilotChoice::ComputerUse => "computer-use",
            PilotChoice::Grid => "grid",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewportSetting {
    pub width: u32,
    pub height: u32,
    /// Device pixels for one of the page.
    pub scale: f64,
}

/// Time limits; the caller chooses the absent ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeoutSettings {
    pub step: Option<Duration>,
    pub test: Option<Duration>,
}

impl TimeoutSettings {
    pub(crate) fn or(self, other: TimeoutSettings) -> TimeoutSettings {
        TimeoutSettings { step: self.step.or(other.step), test: self.test.or(other.test) }
    }
}

/// The budget of a test for models.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TestBudget {
    pub turns: Option<u32>,
    /// Acts of a model that goes by pictures, for one step.
    pub actions: Option<u32>,
    pub seconds: Option<Duration>,
    pub tokens: Option<u64>,
    /// In the currency that the provider bills in.
    pub money: Option<f64>,
}

impl TestBudget {
    pub(crate) fn or(self, other: TestBudget) -> TestBudget {
        TestBudget {
            turns: self.turns.or(other.turns),
            actions: self.actions.or(other.actions),
            seconds: self.seconds.or(other.seconds),
            tokens: self.tokens.or(other.tokens),
            money: self.money.or(other.money),
        }
    }
}

/// What a test may reach.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PolicySettings {
    /// None is every domain; an empty list is none at all.
    pub allowed_domains: Option<Vec<String>>,
    pub blocked_domains: Vec<String>,
    /// Keys that may be pressed although they lead out of the page or use the clipboard.
    pub allowed_keys: Vec<String>,
    pub blocked_keys: Vec<String>,
    /// None is what the test's own words do with it.
    pub clipboard: Option<ClipboardSetting>,
    /// The codes of a provider's safety checks that do not stop a step.
    pub allowed_safety_checks: Vec<String>,
}

impl PolicySettings {
    /// A test's own list of what is allowed replaces the project's; what the project blocks stays blocked.
    pub(crate) fn or(self, project: &PolicySettings) -> PolicySettings {
        let own_or =
            |own: Vec<String>, project: &[String]| if own.is_empty() { project.to_vec() } else { own };
        PolicySettings {
            allowed_domains: self.allowed_domains.or_else(|| project.allowed_domains.clone()),
            blocked_domains: both(&project.blocked_domains, self.blocked_domains),
            allowed_keys: own_or(self.allowed_keys, &project.allowed_keys),
            blocked_keys: both(&project.blocked_keys, self.blocked_keys),
            clipboard: self.clipboard.or(project.clipboard),
            allowed_safety_checks: own_or(self.allowed_safety_checks, &project.allowed_safety_checks),
        }
    }
}

fn both(project: &[String], own: Vec<String>) -> Vec<String> {
    let mut all = project.to_vec();
    all.extend(own.into_iter().filter(|name| !project.contains(name)));
    all
}

/// How keys may use the clipboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClipboardSetting {
    ReadWrite,
    Read,
    Write,
    None,
}

impl ClipboardSetting {
    pub const ALL: [(&'static str, ClipboardSetting); 4] = [
        ("read-write", ClipboardSetting::ReadWrite),
        ("read", ClipboardSetting::Read),
        ("write", ClipboardSetting::Write),
        ("none", ClipboardSetting::None),
    ];
}

/// Whether a test whose claims were all true before its steps may pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StandingClaims {
    #[default]
    ProvesNothing,
    Allowed,
}
