//! The events of a run. Reports are made from them and from nothing else, so a recorded run can be told again.

use serde::{Deserialize, Serialize};

use crate::{
    BlockedRequests, EffectKind, ElementMark, ErrorCode, FailedRequest, Healing, Judgement, LastingAct,
    LockedTest, ModelCall, PilotReport, PilotTurn, Proof, TargetMark, Verdict,
};

/// One event with its time, in milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunEvent {
    pub at: u64,
    #[serde(flatten)]
    pub what: RunFact,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum RunFact {
    RunStarted {
        run: String,
        suite: String,
        tests: Vec<TestLine>,
        workers: usize,
    },
    /// A file that could not be read. Its tests do not run; all others do.
    FileRejected {
        file: String,
        message: String,
    },
    TestStarted {
        test: String,
        /// From 1; more than 1 is a retry.
        attempt: u32,
        worker: usize,
    },
    StepStarted {
        test: String,
        step: usize,
        part: Part,
        text: String,
    },
    /// A command that changes the page is about to be carried out: on record before it happens, so that a run that is
    /// cut off knows what may have been done.
    CommandStarted {
        test: String,
        step: usize,
        command: String,
        pilot: String,
        /// It commits something (submits, pays, deletes): it is never repeated silently.
        commits: bool,
        /// By which it can be carried out again, where it can.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lasting: Option<Box<LastingAct>>,
    },
    /// One command that was carried out.
    Command {
        test: String,
        step: usize,
        #[serde(flatten)]
        record: Box<CommandRecord>,
    },
    /// A try of an act failed, and this is done about it.
    Retried {
        test: String,
        step: usize,
        retry: Retry,
        reason: String,
    },
    /// A model was asked, for a step or for a claim.
    ModelCalled {
        test: String,
        step: usize,
        #[serde(flatten)]
        call: Box<ModelCall>,
    },
    /// A question to a model was answered, and what was to be done about the answer is done.
    TurnEnded {
        test: String,
        step: usize,
        #[serde(flatten)]
        turn: Box<PilotTurn>,
    },
    /// Somebody was asked to carry out a step that the interpreter is not sure of, and has left it.
    #[serde(rename = "guest-left")]
    PilotLeft {
        test: String,
        step: usize,
        #[serde(flatten)]
        report: Box<PilotReport>,
    },
    /// The lock of the test had nothing for this step, or what it had did not fit.
    LockMissed {
        test: String,
        step: usize,
        reason: String,
    },
    /// What the lock describes had changed; it was found again and did what is recorded.
    Healed {
        test: String,
        step: usize,
        healing: Box<Healing>,
    },
    /// What this attempt resolved. It counts only when the attempt passed.
    Resolved {
        test: String,
        locked: Box<LockedTest>,
    },
    /// A way out of trouble was taken: 1 looked again, 2 something was in the way, 3 a closer look.
    Recovered {
        test: String,
        step: usize,
        tier: u8,
        reason: String,
    },
    /// Requests that the policy kept from leaving the browser. By themselves they fail no step.
    Blocked {
        test: String,
        step: usize,
        blocked: Vec<BlockedRequests>,
    },
    Screenshot {
        test: String,
        step: usize,
        /// Relative to the folder of the run.
        path: String,
        /// Which command of the step it was taken after, from 1; none where it is of another moment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<usize>,
    },
    Note {
        test: String,
        step: Option<usize>,
        text: String,
    },
    StepFinished {
        test: String,
        step: usize,
        verdict: Verdict,
        reason: String,
        judgements: Vec<Judgement>,
        /// Where the elements of the judgements are on the last picture.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        marks: Vec<ElementMark>,
        duration_ms: u64,
        /// How much of it was spent on something else than waiting for the browser, in microseconds; none where it
        /// was not measured.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        own_us: Option<u64>,
    },
    TestFinished {
        test: String,
        attempt: u32,
        verdict: Verdict,
        /// Empty for a pass.
        reason: String,
        /// It failed before and passed now.
        flaky: bool,
        /// Another attempt follows: this one does not count.
        will_retry: bool,
        /// What the page was when it did not pass.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_page: Option<LastPage>,
        duration_ms: u64,
    },
    /// Things were broken on purpose, one at a time, to see whether a test that passed notices.
    Proved {
        test: String,
        proof: Box<Proof>,
    },
    /// A run that was cut off goes on. What follows is of another process.
    RunResumed {
        /// The tests that are still to be run.
        tests: Vec<String>,
    },
    RunFinished {
        interrupted: bool,
        duration_ms: u64,
    },
}

/// One command, as it could be typed, and how it ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CommandRecord {
    pub command: String,
    /// Who chose it: `exact`, `builtin`, `replay`, …
    pub pilot: String,
    /// Why this element: the evidence in one line.
    pub because: String,
    /// How well the element fits what was said of it, from 0 to 1; none where no element was weighed against others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// How far the runner-up was behind, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The runner-up, in words: `button "Cancel"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<String>,
    pub ok: bool,
    /// What it changed, or why it failed.
    pub outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub commits: bool,
    /// The address afterwards, where the command changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_requests: Vec<FailedRequest>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub console_errors: Vec<String>,
    /// What kind of thing came of it.
    #[serde(default, skip_serializing_if = "EffectKind::is_nothing")]
    pub effect: EffectKind,
    /// Where its target is on the picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetMark>,
    /// The picture of the page as it was before, where there is one; relative to the folder of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The picture of the page as it was afterwards. It comes later than the rest, by an event of its own: only reports
    /// have both together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    pub duration_ms: u64,
}

/// What is done about an act that failed, in the order in which it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Retry {
    /// The page was looked at again.
    MapRefreshed,
    /// The same element was looked for by its signature.
    SignatureTried,
    /// It failed a second time; the next pilot was asked for another way.
    Replanned,
    /// Nobody had another way.
    GivenUp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestLine {
    /// Unique in the run: `login_valid_credentials`, with ` [2]` for a row of data and ` (firefox)` where there are
    /// several browsers.
    pub id: String,
    /// As the file says it.
    pub name: String,
    pub file: String,
    pub browser: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// A hash of all that the test was made of. Two runs with the same one ran the same test, so that a different
    /// ending is not the work of whoever writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// Which part of a test a step is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    Precondition,
    Setup,
    Step,
    Expected,
    Teardown,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastPage {
    pub url: String,
    pub text: String,
    /// Relative to the folder of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<String>,
    /// What its scripts complained of, the last of it, whatever step it came at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub console_errors: Vec<String>,
    /// What it asked for and did not get, the last of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_requests: Vec<FailedRequest>,
}
