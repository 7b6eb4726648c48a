//! The settings that a test, a project or both can make.

use std::time::Duration;

/// Which browser a test wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Browser {
    Chromium,
    Firefox,
    WebKit,
}

impl Browser {
    pub const ALL: [(&'static str, Browser); 3] =
        [("chromium", Browser::Chromium), ("firefox", Browser::Firefox), ("webkit", Browser::WebKit)];

    pub fn name(self) -> &'static str {
        match self {
            Browser::Chromium => "chromium",
            Browser::Firefox => "firefox",
            Browser::WebKit => "webkit",
        }
    }
}

/// Who decides what a step does. `Auto` is the ladder of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pilot {
    #[default]
    Auto,
    Replay,
    Builtin,
    Model,
    ComputerUse,
    Grid,
}

impl Pilot {
    pub const ALL: [(&'static str, Pilot); 6] = [
        ("auto", Pilot::Auto),
        ("replay", Pilot::Replay),
        ("builtin", Pilot::Builtin),
        ("model", Pilot::Model),
        ("computer-use", Pilot::ComputerUse),
        ("grid", Pilot::Grid),
    ];

    pub fn name(self) -> &'static str {
        match self {
            Pilot::Auto => "auto",
            Pilot::Replay => "replay",
            Pilot::Builtin => "builtin",
            Pilot::Model => "model",
            Pilot::ComputerUse => "computer-use",
            Pilot::Grid => "grid",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    pub width: u32,
    pub height: u32,
    /// Device pixels for one of the page.
    pub scale: f64,
}

/// How long things may take; what is not said is for the caller to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timeouts {
    pub step: Option<Duration>,
    pub test: Option<Duration>,
}

impl Timeouts {
    pub(crate) fn or(self, other: Timeouts) -> Timeouts {
        Timeouts { step: self.step.or(other.step), test: self.test.or(other.test) }
    }
}

/// What a test may use up where a model takes part.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Budget {
    pub turns: Option<u32>,
    /// Acts of a model that goes by pictures, for one step.
    pub actions: Option<u32>,
    pub seconds: Option<Duration>,
    pub tokens: Option<u64>,
    /// In the currency that the provider bills in.
    pub money: Option<f64>,
}

impl Budget {
    pub(crate) fn or(self, other: Budget) -> Budget {
        Budget {
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
pub struct Policy {
    /// None is every domain; an empty list is none at all.
    pub allowed_domains: Option<Vec<String>>,
    pub blocked_domains: Vec<String>,
    /// Keys that may be pressed although they lead out of the page or use the clipboard.
    pub allowed_keys: Vec<String>,
    pub blocked_keys: Vec<String>,
    /// None is what the test's own words do with it.
    pub clipboard: Option<Clipboard>,
    /// The codes of a provider's safety checks that do not stop a step.
    pub allowed_safety_checks: Vec<String>,
}

impl Policy {
    /// A test's own list of what is allowed replaces the project's; what the project blocks stays blocked.
    pub(crate) fn or(self, project: &Policy) -> Policy {
        let own_or =
            |own: Vec<String>, project: &[String]| if own.is_empty() { project.to_vec() } else { own };
        Policy {
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

/// What may be done with the clipboard by keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clipboard {
    ReadWrite,
    Read,
    Write,
    None,
}

impl Clipboard {
    pub const ALL: [(&'static str, Clipboard); 4] = [
        ("read-write", Clipboard::ReadWrite),
        ("read", Clipboard::Read),
        ("write", Clipboard::Write),
        ("none", Clipboard::None),
    ];
}

/// Whether a test whose claims were all true before its steps may pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    #[default]
    ProvesNothing,
    Allowed,
}
