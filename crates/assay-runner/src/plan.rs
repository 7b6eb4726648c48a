//! A test's steps, ready to run: only the pages themselves are still unknown.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use assay_actions::Policy;
use assay_language::quotations;
use assay_protocol::{Action, Judgement, LastingAct, LockedTest, Part, Secrets, TestLine};

use crate::pilots::PilotTerms;

/// `Debug` shows only which test it is, because its sentences and addresses contain secrets.
#[derive(Clone)]
pub struct Plan {
    pub line: TestLine,
    pub base_url: Option<String>,
    /// The folder of the test: the files that it names are relative to it.
    pub folder: PathBuf,
    /// Width, height, device pixels per pixel.
    pub viewport: Option<(u32, u32, f64)>,
    /// Carried out first: emulated settings, and routes.
    pub world: Vec<Action>,
    pub timeouts: Timeouts,
    pub retries: u32,
    /// The author says that claims may hold from the beginning.
    pub standing_allowed: bool,
    pub secrets: Secrets,
    pub policy: Policy,
    /// Keys of `selectors` with what they hold: an address, a path or a selector.
    pub selectors: BTreeMap<String, String>,
    pub preconditions: Vec<Precondition>,
    pub setup: Vec<PlanStep>,
    pub steps: Vec<PlanStep>,
    pub expected: Vec<PlanStep>,
    pub teardown: Vec<PlanStep>,
    /// Notes of the file reader: a stale key, an ignored setting.
    pub notes: Vec<String>,
    /// Attempts of an interrupted run.
    pub attempts_before: u32,
    pub resumed: Option<Resumed>,
    /// Why the test is not carried out: it ends inconclusive at once, for this reason.
    pub withheld: Option<String>,
    /// The pilots for steps that the interpreter is not sure of, and their limits.
    pub pilots: PilotTerms,
    /// Its lock, from passed runs.
    pub lock: Option<LockedTest>,
}

impl fmt::Debug for Plan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Plan").field("line", &self.line).finish_non_exhaustive()
    }
}

impl Plan {
    /// Whether a sentence speaks of an error page: "a 404 page is shown", `the page shows "Access denied"`.
    pub(crate) fn expects_an_error(&self) -> bool {
        const ERRORS: &[&str] = &[
            "404",
            "403",
            "401",
            "410",
            "429",
            "500",
            "502",
            "503",
            "not found",
            "error",
            "forbidden",
            "denied",
            "unauthorized",
            "unauthorised",
            "unavailable",
            "does not exist",
            "doesn't exist",
            "no longer exists",
            "maintenance",
            "went wrong",
            "bad request",
            "too many requests",
            "gone",
            "broken",
            "oops",
            "sorry",
        ];
        let sentences = self.steps.iter().chain(&self.expected).filter_map(|step| match &step.what {
            StepBody::Sentence(sentence) => Some(sentence.to_lowercase()),
            StepBody::Exact(_) => None,
        });
        // "No error message is displayed" is no such sentence.
        let denies = |sentence: &str| {
            sentence.contains("no error") || sentence.contains("not ") && !sentence.contains("not found")
        };
        sentences
            .into_iter()
            .any(|sentence| ERRORS.iter().any(|error| sentence.contains(error)) && !denies(&sentence))
    }

    /// Its preconditions, steps and expectations in the order in which they are numbered.
    pub(crate) fn sentences(&self) -> Vec<(Part, String)> {
        let facts =
            self.preconditions.iter().map(|precondition| (Part::Precondition, precondition.text.clone()));
        let steps = self.setup.iter().chain(&self.steps).chain(&self.expected).chain(&self.teardown);
        let said = steps.map(|step| match &step.what {
            StepBody::Sentence(sentence) => (step.part, sentence.clone()),
            StepBody::Exact(_) => (step.part, step.text.clone()),
        });
        facts.chain(said).collect()
    }

    /// The quoted values of the test, except those in expectations, which the page has to show.
    pub(crate) fn values(&self) -> Vec<String> {
        let made = self.preconditions.iter().flat_map(|precondition| match &precondition.made {
            PreconditionMeans::Steps(steps) => steps.as_slice(),
            PreconditionMeans::Assumed | PreconditionMeans::ByHost(_) => &[],
        });
        let steps = made.chain(&self.setup).chain(&self.steps).chain(&self.teardown);
        let sentences = steps.filter_map(|step| match &step.what {
            StepBody::Sentence(sentence) => Some(sentence.as_str()),
            StepBody::Exact(_) => None,
        });
        let facts = self.preconditions.iter().map(|precondition| precondition.text.as_str());
        // A fact is reported with its secrets masked: a mask is not a value.
        let is_whole = |text: &String| !text.contains(Secrets::MASK);
        facts.chain(sentences).flat_map(quotations).filter(is_whole).collect()
    }
}

/// The progress of a test when its run was interrupted, if it continues from there.
#[derive(Debug, Clone, Default)]
pub struct Resumed {
    /// Steps up to this number passed and are not judged again.
    pub finished_steps: usize,
    /// The judgements of each step.
    pub judgements: BTreeMap<usize, Vec<Judgement>>,
    /// The acts of each step.
    pub acts: BTreeMap<usize, Vec<PastAct>>,
}

#[derive(Debug, Clone)]
pub struct PastAct {
    pub command: String,
    pub commits: bool,
    pub lasting: Option<LastingAct>,
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

/// `Debug` shows the text for people, because the sentence itself may contain secrets.
#[derive(Clone)]
pub struct PlanStep {
    pub part: Part,
    /// As written in the file, for people.
    pub text: String,
    pub what: StepBody,
    pub timeout: Option<Duration>,
}

impl fmt::Debug for PlanStep {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("PlanStep")
            .field("part", &self.part)
            .field("text", &self.text)
            .finish_non_exhaustive()
    }
}

#[derive(Clone)]
pub enum StepBody {
    Sentence(String),
    /// An exact command; a question (`is`, `wait`, `count`) is a claim.
    Exact(Action),
}

/// A fact that must hold before the test begins.
#[derive(Debug, Clone)]
pub struct Precondition {
    pub text: String,
    pub made: PreconditionMeans,
}

#[derive(Debug, Clone)]
pub enum PreconditionMeans {
    /// Without instructions: assumed to hold, and reported as such.
    Assumed,
    /// The number by which `Preconditions` knows what to do.
    ByHost(usize),
    Steps(Vec<PlanStep>),
}
