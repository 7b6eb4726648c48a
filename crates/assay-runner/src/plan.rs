//! A test's steps, ready to run: nothing is left to look up but what the pages show.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use assay_actions::Policy;
use assay_language::quotations;
use assay_protocol::{Action, Judgement, LastingAct, LockedTest, Part, Secrets, TestLine};

use crate::pilots::PilotTerms;

/// `Debug` tells which test it is, and no more: its sentences and addresses hold secrets.
#[derive(Clone)]
pub struct Plan {
    pub line: TestLine,
    pub base_url: Option<String>,
    /// Where the test lies: files that it names are seen from there.
    pub folder: PathBuf,
    /// Width, height, device pixels per pixel.
    pub viewport: Option<(u32, u32, f64)>,
    /// Carried out before anything else: what pages believe, and routes.
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
    /// What the reader of the file wants said: a stale key, an ignored setting.
    pub notes: Vec<String>,
    /// Attempts of a run that was cut off.
    pub attempts_before: u32,
    pub resumed: Option<Resumed>,
    /// Who may be asked where the interpreter is not sure, and on which terms.
    pub pilots: PilotTerms,
    /// What passed runs resolved of it.
    pub lock: Option<LockedTest>,
}

impl fmt::Debug for Plan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Plan").field("line", &self.line).finish_non_exhaustive()
    }
}

impl Plan {
    /// What the test has in quotation marks, anywhere but in what it expects: that is for the page to show.
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
        // A fact is told with its secrets masked: what is left of them is no value.
        let is_whole = |text: &String| !text.contains(Secrets::MASK);
        facts.chain(sentences).flat_map(quotations).filter(is_whole).collect()
    }
}

/// How far a test had come when its run was cut off, where it is to go on from there.
#[derive(Debug, Clone, Default)]
pub struct Resumed {
    /// Steps up to this number passed: they are not judged again.
    pub finished_steps: usize,
    /// By step, what was judged in it.
    pub judgements: BTreeMap<usize, Vec<Judgement>>,
    /// By step, the acts that were carried out in it.
    pub acts: BTreeMap<usize, Vec<PastAct>>,
    /// An act that commits something and was begun: nobody knows whether it happened.
    pub in_doubt: Option<String>,
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

/// `Debug` shows the text for people: the sentence itself may hold secrets.
#[derive(Clone)]
pub struct PlanStep {
    pub part: Part,
    /// As the file says it, for people.
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
    /// Nobody said how: it is taken for true, and told so.
    Assumed,
    /// A number by which the surroundings know what to do.
    ByHost(usize),
    Steps(Vec<PlanStep>),
}
