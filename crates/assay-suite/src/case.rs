//! A test that is ready to run, with reuse, rows, names and the project's settings resolved.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_protocol::{Action, Part, RequirementLink, Secrets};

use crate::options::{
    BrowserName, PilotChoice, PolicySettings, StandingClaims, TestBudget, TimeoutSettings, ViewportSetting,
};
use crate::slug;
use crate::source::Position;

/// One test, or one row of one. `Debug` shows only which test it is, because it contains secrets.
#[derive(Clone)]
pub struct TestCase {
    /// Unique among the tests that were loaded together: `login_valid_credentials`, with ` [2]` for the second row.
    pub id: String,
    /// As the file says it, with names replaced and secrets masked.
    pub name: String,
    /// What the file calls it, word by word; its id is made of it.
    pub title: Option<String>,
    /// As it is shown.
    pub file: PathBuf,
    /// Its real path.
    pub path: PathBuf,
    /// Where the test begins in its file.
    pub line: usize,
    /// From 1, for a test with rows of data.
    pub row: Option<usize>,
    pub tags: Vec<String>,
    /// The requirements that it covers, with their names where the project has them on file.
    pub requirements: Vec<RequirementLink>,
    pub base_url: Option<String>,
    /// Empty when neither test nor project says.
    pub browsers: Vec<BrowserName>,
    pub device: Option<String>,
    pub platform: Option<String>,
    pub viewport: Option<ViewportSetting>,
    /// Its emulated settings and routes.
    pub world: Vec<Action>,
    pub timeouts: TimeoutSettings,
    pub pilot: PilotChoice,
    pub retries: u32,
    pub budget: TestBudget,
    pub policy: PolicySettings,
    pub standing: StandingClaims,
    pub preconditions: Vec<WrittenPrecondition>,
    pub setup: Vec<TestStep>,
    pub steps: Vec<TestStep>,
    pub expected: Vec<TestStep>,
    pub teardown: Vec<TestStep>,
    /// Names for pages and elements: the test's over the project's.
    pub selectors: BTreeMap<String, String>,
    /// Every secret value that this test holds anywhere, for masking.
    pub secrets: Secrets,
}

/// The lock file beside a test file.
pub fn lock_beside(file: &Path) -> PathBuf {
    file.with_extension("lock.yaml")
}

impl TestCase {
    /// The lock file beside the test: `login.lock.yaml` for `login.yaml`.
    pub fn lock_path(&self) -> PathBuf {
        lock_beside(&self.path)
    }

    /// The id that it would have in another file, such as the one that its file is a draft of.
    pub fn id_in(&self, file: &Path) -> String {
        let id = |file: &Path| {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            slug::id(&stem, self.title.as_deref())
        };
        // What tells apart rows and tests of one name stays.
        let rest = self.id.strip_prefix(id(&self.path).as_str()).unwrap_or_default();
        id(file) + rest
    }

    /// The text with this test's secrets masked.
    pub fn mask(&self, text: &str) -> String {
        self.secrets.mask(text)
    }
}

impl fmt::Debug for TestCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestCase").field("id", &self.id).field("file", &self.file).finish_non_exhaustive()
    }
}

/// Something that is done or claimed.
#[derive(Clone, PartialEq)]
pub struct TestStep {
    pub part: Part,
    pub instruction: Instruction,
    /// The file that holds it, which for a step that is reused is not that of the test. As it is shown.
    pub file: PathBuf,
    pub position: Position,
    /// The secret values in its text.
    pub secrets: Secrets,
    pub timeout: Option<Duration>,
}

impl TestStep {
    /// The text for people, with secrets masked.
    pub fn shown(&self) -> String {
        match &self.instruction {
            Instruction::Sentence(text) | Instruction::Command(text) => self.secrets.mask(text),
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
pub enum Instruction {
    Sentence(String),
    /// An exact command, as it is typed after `assay`.
    Command(String),
}

impl fmt::Debug for TestStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step")
            .field("part", &self.part)
            .field("shown", &self.shown())
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

/// A fact that holds before the test.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenPrecondition {
    /// A sentence.
    pub step: TestStep,
    pub way: Way,
}

/// How a fact is made true.
#[derive(Debug, Clone, PartialEq)]
pub enum Way {
    /// Without instructions: assumed to hold, and reported as such.
    Assumed,
    Command(ShellCommand),
    Request(PreconditionRequest),
    Steps(Vec<TestStep>),
}

/// A command for a shell. Values are not written into its text but given by name in its environment: what a test
/// says can then never become code, and secrets do not show in the list of processes.
#[derive(Clone, PartialEq, Eq)]
pub struct ShellCommand {
    /// As written in the project file and listed by `Project::commands`.
    pub command: String,
    pub environment: Vec<(String, String)>,
    pub secrets: Secrets,
}

#[derive(Clone, PartialEq)]
pub struct PreconditionRequest {
    pub method: String,
    /// A relative one begins with `base_url`.
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<Body>,
    /// The statuses that are well; empty is any 2xx.
    pub expect: Vec<u16>,
    pub secrets: Secrets,
}

#[derive(Clone, PartialEq)]
pub enum Body {
    Text(String),
    Json(serde_json::Value),
}

impl fmt::Debug for ShellCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShellCommand").field("command", &self.command).finish_non_exhaustive()
    }
}

impl fmt::Debug for PreconditionRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("url", &self.secrets.mask(&self.url))
            .finish_non_exhaustive()
    }
}
