//! The events of a run. Reports use nothing else, so a recorded run can be reported again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    BlockedRequests, EffectKind, ElementMark, ErrorCode, FailedRequest, Healing, Judgement, LastingAct,
    LockedTest, ModelCall, PilotReport, PilotTurn, Proof, RequirementLink, TargetMark, Verdict,
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
        /// A test without an expectation is no pass.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        strict: bool,
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
    /// A command that changes the page is about to be carried out. The record comes first, so an interrupted run knows
    /// which commands may have happened.
    CommandStarted {
        test: String,
        step: usize,
        command: String,
        pilot: String,
        /// It commits something (submits, pays, deletes): it is never repeated silently.
        commits: bool,
        /// A form that can be repeated, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lasting: Option<Box<LastingAct>>,
    },
    /// A command was carried out.
    Command {
        test: String,
        step: usize,
        #[serde(flatten)]
        record: Box<CommandRecord>,
    },
    /// An attempt at an act failed, and this is the reaction.
    Retried {
        test: String,
        step: usize,
        retry: Retry,
        reason: String,
    },
    /// A model answered a question about a step or a claim.
    ModelCalled {
        test: String,
        step: usize,
        #[serde(flatten)]
        call: Box<ModelCall>,
    },
    /// A turn of a model is over: its answer came, and the resulting actions are done.
    TurnEnded {
        test: String,
        step: usize,
        #[serde(flatten)]
        turn: Box<PilotTurn>,
    },
    /// A pilot worked on a step that the interpreter is not sure of, and has left it.
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
    /// An element of the lock had changed; it was found again, and its effect was as recorded.
    Healed {
        test: String,
        step: usize,
        healing: Box<Healing>,
    },
    /// The lock entry of this attempt. It counts only if the attempt passes.
    Resolved {
        test: String,
        locked: Box<LockedTest>,
    },
    /// A recovery succeeded: 1 looked again, 2 something was in the way, 3 a closer look.
    Recovered {
        test: String,
        step: usize,
        tier: u8,
        reason: String,
    },
    /// A way of a navigation tree did not lead where the tree says. The next way was tried, so it is a finding about the
    /// application or the tree, and no failure of the test.
    WayBroken {
        test: String,
        step: usize,
        /// Empty where the screen was unknown.
        from: String,
        to: String,
        acts: String,
        reason: String,
    },
    /// Requests that the policy blocked. They alone do not fail a step.
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
        /// The command of the step after which it was taken, from 1; none for other moments.
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
        /// The part of it that was not spent waiting for the browser, in microseconds; none if it was not measured.
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
        /// A user stopped the run: the attempt says nothing about the test.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        interrupted: bool,
        /// The test has steps and claims nothing: it shows only that they could be carried out.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        claims_nothing: bool,
        /// The page at the moment when the test did not pass.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_page: Option<LastPage>,
        duration_ms: u64,
    },
    /// Faults were injected into a passed test, one at a time, to see whether it notices.
    Proved {
        test: String,
        proof: Box<Proof>,
    },
    /// An interrupted run continues. Later events come from another process.
    RunResumed {
        /// The remaining tests.
        tests: Vec<String>,
        /// What each of them depends on now, as in [`TestLine::basis`].
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        basis: BTreeMap<String, Basis>,
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
    /// How well the element fits its description, from 0 to 1; none if there was no choice among elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The distance to the runner-up, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The runner-up, in words: `button "Cancel"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<String>,
    pub ok: bool,
    /// Its changes, or the reason for its failure.
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
    /// The kind of its effect.
    #[serde(default, skip_serializing_if = "EffectKind::is_nothing")]
    pub effect: EffectKind,
    /// Where its target is on the picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetMark>,
    /// The picture of the page as it was before, where there is one; relative to the folder of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The screenshot after the command. It comes later, in a separate event: only reports have both together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    pub duration_ms: u64,
}

/// Reactions to a failed act, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Retry {
    /// Looked at the page again.
    MapRefreshed,
    /// Searched for the same element by its signature.
    SignatureTried,
    /// It failed a second time; asked the next pilot for another way.
    Replanned,
    /// No pilot had another way.
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
    /// The codes of the requirements that it covers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// The same with how much of each it shows, and with their names. Empty in runs of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<RequirementLink>,
    /// A hash of the whole definition of the test. Two runs with the same hash ran the same test, so a change to the
    /// test does not explain a different result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// What the test depends on beside its own sentences, for a run that continues it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub basis: Basis,
}

/// Hashes of what a test depends on, by names for people: `base_url`, `selectors`. They are keyed, so that nobody can
/// find out a secret by trying.
pub type Basis = BTreeMap<String, String>;

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
    /// The last console errors of its scripts, from any step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub console_errors: Vec<String>,
    /// Its last failed requests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_requests: Vec<FailedRequest>,
}
