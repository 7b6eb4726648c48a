//! What is asked for: documents of clients, and the same on record.

use std::sync::atomic::{AtomicU32, Ordering};

use assay_host::{Granularity, Repeats};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::planning::PlanOrder;
use crate::clock::now_ms;
use crate::problem::Problem;
use crate::seams::Resume;

/// Where the results of runs go, as seen from the folder of the service: each run has a folder of its own.
pub const RESULTS: &str = "assay-results/runs";

/// Names as runs have them, and unlike theirs: with a number of this process.
pub fn new_run_name() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(1);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("run-{}-{}-s{number}", now_ms() / 1000, std::process::id())
}

/// How each test has its browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    Context,
    /// A browser process of its own.
    Browser,
}

/// What becomes of lock files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Locking {
    Read,
    /// Passing tests write theirs.
    Write,
    Ignore,
}

/// A run to be started: what `assay run` takes, without anything that reaches beyond the project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RunOrder {
    /// Files and folders of the project, as seen from the folder of the service; none: all tests.
    pub paths: Vec<String>,
    /// Only these tests, by their ids; all without it.
    pub tests: Vec<String>,
    /// Only tests whose id, name or file contains this.
    pub grep: Option<String>,
    /// Only tests with one of these tags; `!tag` excludes a tag.
    pub tags: Vec<String>,
    /// `N/M`: the Nth of M parts of the suite.
    pub shard: Option<String>,
    /// Only tests that did not pass in the last run.
    pub last_failed: bool,
    /// Each test so many times.
    pub repeat: Option<u32>,
    /// Tests at the same time.
    pub workers: Option<u32>,
    pub isolation: Option<Isolation>,
    pub fail_fast: bool,
    /// A test without an expectation is no pass.
    pub strict: bool,
    pub retries: Option<u32>,
    pub lock: Option<Locking>,
    /// chromium, firefox or webkit; none: what the tests say.
    pub browsers: Vec<String>,
    /// Address of the application, instead of the one in the files.
    pub base_url: Option<String>,
    /// Model to ask when the interpreter is unsure.
    pub model: Option<String>,
    /// auto, replay, builtin, model, computer-use or grid.
    pub pilot: Option<String>,
    /// Spending limits for models, such as `0.50,20000tokens`.
    pub budget: Option<String>,
    /// No screenshots of changes.
    pub no_screenshots: bool,
    /// Also a trace for Playwright's viewer.
    pub trace: bool,
    /// Milliseconds to pause after each command, to watch.
    pub slow_mo: Option<u32>,
}

/// How an interrupted run goes on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ResumeOrder {
    /// Each test goes on at the step it had reached, instead of from its beginning.
    pub steps: bool,
    /// Also repeats what already submitted, paid or deleted something.
    pub again: bool,
}

impl ResumeOrder {
    pub fn as_resume(&self) -> Resume {
        Resume {
            granularity: if self.steps { Granularity::Steps } else { Granularity::Tests },
            repeats: if self.again { Repeats::Allowed } else { Repeats::Refused },
        }
    }
}

/// What is to be done, on record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Wish {
    Run {
        words: Vec<String>,
    },
    Resume {
        run: String,
        words: Vec<String>,
        order: ResumeOrder,
    },
    /// A turn of a conversation; without a message it goes on.
    Turn {
        session: i64,
        message: Option<String>,
        /// The live page that it acts on, instead of a browser of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        page: Option<String>,
    },
    /// Tests to be written.
    Plan {
        words: Vec<String>,
        order: Box<PlanOrder>,
    },
}

/// The kinds of orders that are runs, of those that are turns, and of those that are plans.
pub const RUNS: &[&str] = &["run", "resume"];
pub const TURNS: &[&str] = &["turn"];
pub const PLANS: &[&str] = &["plan"];

impl Wish {
    pub fn kind(&self) -> &'static str {
        match self {
            Wish::Run { .. } => "run",
            Wish::Resume { .. } => "resume",
            Wish::Turn { .. } => "turn",
            Wish::Plan { .. } => "plan",
        }
    }

    /// The run that it begins or continues. `order` is the name of its order.
    pub fn run<'a>(&'a self, order: &'a str) -> &'a str {
        match self {
            Wish::Run { .. } | Wish::Turn { .. } | Wish::Plan { .. } => order,
            Wish::Resume { run, .. } => run,
        }
    }

    /// The words of the same on a command line, after `assay`.
    pub fn words(&self) -> Vec<String> {
        match self {
            Wish::Run { words } | Wish::Resume { words, .. } | Wish::Plan { words, .. } => words.clone(),
            Wish::Turn { session, message, .. } => turn_words(*session, message.as_deref()),
        }
    }
}

fn turn_words(session: i64, message: Option<&str>) -> Vec<String> {
    let session = session.to_string();
    let words: Vec<&str> = match message {
        // What a client says is never taken for a flag.
        Some(message) => vec!["agent", "--in", &session, "--json", "--", "ask", message],
        None => vec!["agent", "--json", "sessions", "resume", &session],
    };
    words.into_iter().map(str::to_string).collect()
}

/// An order as a client sees it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AcceptedWork {
    pub order: u64,
    /// run, resume, turn or plan.
    pub kind: String,
    /// The run that it begins or continues; of a turn and of a plan, its own name.
    pub run: String,
    /// accepted, begun, ended, failed, withdrawn or interrupted.
    pub status: String,
    /// The command line of the same.
    pub command: String,
    /// Who wanted it.
    pub by: String,
    /// Milliseconds since 1970.
    pub accepted_at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<u64>,
    /// Why it failed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub trouble: String,
    /// What was said besides the events of the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl RunOrder {
    /// The words of the command line after `assay`. What a client says is never taken for a flag.
    pub fn words(&self, results: &str) -> Result<Vec<String>, Problem> {
        let mut words = vec!["run".to_string(), format!("--results={results}")];
        let mut value = |flag: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("--{flag}={value}")));
        };
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        let list = |name: &str, list: &[String]| -> Result<Option<String>, Problem> {
            match list.iter().find(|entry| entry.contains(',') || entry.trim().is_empty()) {
                Some(entry) => Err(Problem::usage(format!("`{entry}` is none of the `{name}` there can be"))),
                None => Ok(Some(list.join(",")).filter(|joined| !joined.is_empty())),
            }
        };
        value("only", list("tests", &self.tests)?);
        value("grep", self.grep.clone());
        value("tag", list("tags", &self.tags)?);
        value("shard", self.shard.clone());
        value("repeat", number(self.repeat));
        value("workers", number(self.workers));
        value("retries", number(self.retries));
        value("browser", list("browsers", &self.browsers)?);
        value("base-url", self.base_url.clone());
        value("model", self.model.clone());
        value("pilot", self.pilot.clone());
        value("budget", self.budget.clone());
        value("slow-mo", number(self.slow_mo));
        value(
            "isolation",
            self.isolation.map(|isolation| match isolation {
                Isolation::Context => "context".to_string(),
                Isolation::Browser => "browser".to_string(),
            }),
        );
        let switches = [
            ("last-failed", self.last_failed),
            ("fail-fast", self.fail_fast),
            ("strict", self.strict),
            ("no-screenshots", self.no_screenshots),
            ("trace", self.trace),
            ("lock", self.lock == Some(Locking::Write)),
            ("no-lock", self.lock == Some(Locking::Ignore)),
        ];
        words.extend(switches.iter().filter(|(_, is_on)| *is_on).map(|(flag, _)| format!("--{flag}")));
        if !self.paths.is_empty() {
            words.push("--".to_string());
            words.extend(self.paths.iter().cloned());
        }
        checked(words)
    }
}

/// Words that a command line can hold.
pub(super) fn checked(words: Vec<String>) -> Result<Vec<String>, Problem> {
    match words.iter().any(|word| word.contains('\0')) {
        true => Err(Problem::usage("a value holds a character that no command line can hold")),
        false => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(document: &str, expected: &str) {
        let order: RunOrder = serde_json::from_str(document).unwrap();
        assert_eq!(order.words("r").unwrap().join(" "), expected);
    }

    #[test]
    fn a_document_says_what_a_command_line_says() {
        check("{}", "run --results=r");
        check(r#"{"paths": ["tests/a.yaml"], "workers": 2}"#, "run --results=r --workers=2 -- tests/a.yaml");
        check(
            r#"{"tests": ["login", "cart [2]"], "tags": ["smoke", "!slow"], "browsers": ["chromium", "firefox"], "lock": "write", "fail_fast": true}"#,
            "run --results=r --only=login,cart [2] --tag=smoke,!slow --browser=chromium,firefox --fail-fast --lock",
        );
    }

    #[test]
    fn what_a_client_says_is_never_a_flag() {
        check(r#"{"paths": ["--trust"], "grep": "--trust"}"#, "run --results=r --grep=--trust -- --trust");
        let order: RunOrder = serde_json::from_str(r#"{"tags": ["a,b"]}"#).unwrap();
        assert!(order.words("r").is_err());
        for unknown in [r#"{"trust": true}"#, r#"{"results": "/etc"}"#, r#"{"cassette": "record:/etc/x"}"#] {
            assert!(serde_json::from_str::<RunOrder>(unknown).is_err(), "{unknown}");
        }
    }
}
