//! A test's steps, ready to run: nothing is left to look up but what the pages show.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use assay_actions::Policy;
use assay_protocol::{Action, Part, TestLine};

#[derive(Debug, Clone)]
pub struct Plan {
    pub line: TestLine,
    pub base_url: Option<String>,
    /// Where the test lies: files that it names are seen from there.
    pub folder: PathBuf,
    /// Width, height, device pixels per pixel.
    pub viewport: Option<(u32, u32, f64)>,
    pub timeouts: Timeouts,
    pub retries: u32,
    /// The author says that claims may hold from the beginning.
    pub standing_allowed: bool,
    /// Values that must not be told.
    pub secrets: Vec<String>,
    pub policy: Policy,
    /// Keys of `selectors` with what they hold: an address, a path or a selector.
    pub selectors: BTreeMap<String, String>,
    pub preconditions: Vec<Precondition>,
    pub setup: Vec<PlanStep>,
    pub steps: Vec<PlanStep>,
    pub expected: Vec<PlanStep>,
    pub teardown: Vec<PlanStep>,
    /// What the reader of the file wants said: a stale key, an ignored setting.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    pub step: Duration,
    pub test: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts { step: Duration::from_secs(10), test: Duration::from_secs(300) }
    }
}

#[derive(Debug, Clone)]
pub struct PlanStep {
    pub part: Part,
    /// As the file says it, for people.
    pub text: String,
    pub what: What,
    pub timeout: Option<Duration>,
}

#[derive(Debug, Clone)]
pub enum What {
    Sentence(String),
    /// An exact command; a question (`is`, `wait`, `count`) is a claim.
    Exact(Action),
}

/// A fact that must hold before the test begins.
#[derive(Debug, Clone)]
pub struct Precondition {
    pub text: String,
    pub made: Making,
}

#[derive(Debug, Clone)]
pub enum Making {
    /// Nobody said how: it is taken for true, and told so.
    Assumed,
    /// A number by which the surroundings know what to do.
    BySurroundings(usize),
    Steps(Vec<PlanStep>),
}
