//! One test of a run, as far as it is known: its attempts, their steps, and its result.

use assay_protocol::{
    BlockedRequests, CommandRecord, ElementMark, Healing, Judgement, LastPage, ModelCall, Part, PilotReport,
    PilotTurn, Proof, Retry, Signature, TestLine, Verdict,
};

use crate::spending::Spending;

#[derive(Debug, Clone, PartialEq)]
pub struct TestSummary {
    pub line: TestLine,
    /// In order; all but the last were retried.
    pub attempts: Vec<AttemptSummary>,
    /// Whether it would notice a defect, if that was tried.
    pub proof: Option<Proof>,
}

/// Where a test stands. Only `Ended` is a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestStatus {
    NotStarted,
    Running,
    Ended(Verdict),
}

#[derive(Debug, Clone, PartialEq)]
pub struct AttemptSummary {
    /// From 1.
    pub number: u32,
    pub worker: usize,
    /// Milliseconds since 1970.
    pub started_at: u64,
    pub steps: Vec<StepRecord>,
    /// Notes that belong to no step.
    pub notes: Vec<String>,
    /// None while it runs, and for good when the run was cut off.
    pub ending: Option<AttemptEnding>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AttemptEnding {
    pub verdict: Verdict,
    pub reason: String,
    pub flaky: bool,
    pub will_retry: bool,
    /// A user stopped the run: the attempt does not count.
    pub interrupted: bool,
    pub claims_nothing: bool,
    pub last_page: Option<LastPage>,
    pub duration_ms: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StepRecord {
    /// As the events number it.
    pub number: usize,
    /// Its place within its part, from 1: what people count in the file.
    pub place: usize,
    pub part: Part,
    pub text: String,
    /// Milliseconds since 1970.
    pub started_at: u64,
    pub commands: Vec<CommandRecord>,
    /// The target of each command with its description at the time, in the order of the commands.
    pub aimed_at: Vec<Vec<Signature>>,
    /// A command that was begun and of which no end is known: it may have been carried out.
    pub under_way: Option<String>,
    pub retries: Vec<(Retry, String)>,
    pub recoveries: Vec<RecoverySummary>,
    /// Questions to models.
    pub calls: Vec<ModelCall>,
    /// Their outcomes: a turn belongs to the call with its number. The last may be missing if the run was interrupted.
    pub turns: Vec<PilotTurn>,
    /// The pilots that worked on it.
    pub pilots: Vec<PilotReport>,
    pub screenshots: Vec<String>,
    pub notes: Vec<String>,
    /// The requests that the policy blocked.
    pub blocked: Vec<BlockedRequests>,
    /// Elements of its lock that had changed and were found again.
    pub healings: Vec<Healing>,
    pub ending: Option<StepEnding>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StepEnding {
    pub verdict: Verdict,
    pub reason: String,
    pub judgements: Vec<Judgement>,
    /// Where the elements of the judgements are on the last picture.
    pub marks: Vec<ElementMark>,
    pub duration_ms: u64,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct RecoverySummary {
    pub tier: u8,
    pub reason: String,
}

impl TestSummary {
    /// The cost of models in all its attempts.
    pub fn spending(&self) -> Spending {
        Spending::of(self.attempts.iter().flat_map(|attempt| &attempt.steps).flat_map(|step| &step.calls))
    }

    pub fn status(&self) -> TestStatus {
        let Some(attempt) = self.attempts.last() else { return TestStatus::NotStarted };
        match &attempt.ending {
            Some(ending) if !ending.will_retry => match attempt.contradiction() {
                Some(_) => TestStatus::Ended(Verdict::Error),
                None => TestStatus::Ended(ending.verdict),
            },
            _ => TestStatus::Running,
        }
    }

    pub fn verdict(&self) -> Option<Verdict> {
        match self.status() {
            TestStatus::Ended(verdict) => Some(verdict),
            TestStatus::NotStarted | TestStatus::Running => None,
        }
    }

    /// The attempt that counts, once there is one.
    pub fn last_attempt(&self) -> Option<&AttemptSummary> {
        self.attempts.last()
    }

    /// Why it did not pass, in one line; empty for a pass.
    pub fn reason(&self) -> String {
        let Some(attempt) = self.attempts.last() else { return "the test did not start".to_owned() };
        match &attempt.ending {
            Some(ending) if !ending.will_retry => match attempt.contradiction() {
                Some(step) => format!("reported as passed, although {} did not pass", step.place_words()),
                None => ending.reason.clone(),
            },
            Some(_) => "the next attempt did not start".to_owned(),
            None => "the test did not finish".to_owned(),
        }
    }

    /// It passed in the end, after an attempt that did not.
    pub fn is_flaky(&self) -> bool {
        let said = self.attempts.last().and_then(|it| it.ending.as_ref()).is_some_and(|it| it.flaky);
        let not_passed = |attempt: &AttemptSummary| {
            attempt.ending.as_ref().is_some_and(|ending| ending.verdict != Verdict::Passed)
        };
        self.verdict() == Some(Verdict::Passed) && (said || self.retried().any(not_passed))
    }

    /// The attempts before the one that counts, without those that a user stopped.
    pub fn retried(&self) -> impl Iterator<Item = &AttemptSummary> {
        let earlier = self.attempts.split_last().map(|(_, earlier)| earlier).unwrap_or_default();
        earlier.iter().filter(|attempt| !attempt.ending.as_ref().is_some_and(|ending| ending.interrupted))
    }

    /// It passed and claims nothing, so it shows only that its steps could be carried out.
    pub fn has_no_expectation(&self) -> bool {
        let ending = self.attempts.last().and_then(|attempt| attempt.ending.as_ref());
        self.verdict() == Some(Verdict::Passed) && ending.is_some_and(|ending| ending.claims_nothing)
    }

    /// The heals that can be accepted: what was done in a test that did not pass is no better than its lock.
    pub fn accepted_healings(&self) -> impl Iterator<Item = (&StepRecord, &Healing)> {
        let has_passed = self.verdict() == Some(Verdict::Passed);
        self.healings().filter(move |_| has_passed)
    }

    /// The heals of the attempt that counts, with their steps.
    pub fn healings(&self) -> impl Iterator<Item = (&StepRecord, &Healing)> {
        let steps = self.attempts.last().into_iter().flat_map(|attempt| &attempt.steps);
        steps.flat_map(|step| step.healings.iter().map(move |healing| (step, healing)))
    }

    /// The pictures of the attempt that counts, in the order in which they were
    /// taken, each once; relative to the folder of the run.
    pub fn pictures(&self) -> Vec<&str> {
        let Some(attempt) = self.attempts.last() else { return Vec::new() };
        let taken = attempt.steps.iter().flat_map(|step| &step.screenshots).map(String::as_str);
        let at_the_end = attempt.ending.as_ref().and_then(|it| it.last_page.as_ref()?.screenshot.as_deref());
        let mut pictures: Vec<&str> = Vec::new();
        for picture in taken.chain(at_the_end) {
            if !pictures.contains(&picture) {
                pictures.push(picture);
            }
        }
        pictures
    }

    /// Of the attempt that counts.
    pub fn duration_ms(&self) -> u64 {
        self.attempts.last().and_then(|it| it.ending.as_ref()).map_or(0, |it| it.duration_ms)
    }
}

impl AttemptSummary {
    /// The step at which it went wrong: the first that has the verdict of the
    /// attempt, or the one that was open when the events stopped.
    pub fn decisive_step(&self) -> Option<&StepRecord> {
        let verdict = match (&self.ending, self.contradiction()) {
            (_, Some(step)) => return Some(step),
            (Some(ending), None) => ending.verdict,
            (None, None) => return self.steps.iter().rev().find(|step| step.ending.is_none()),
        };
        if verdict == Verdict::Passed {
            return None;
        }
        let of = |wanted: Option<Verdict>| {
            self.steps.iter().find(|step| step.ending.as_ref().map(|ending| ending.verdict) == wanted)
        };
        of(Some(verdict)).or_else(|| of(None))
    }

    /// The one that was taken last so far.
    pub(crate) fn last_picture(&self) -> Option<&str> {
        self.steps.iter().rev().find_map(|step| step.screenshots.last()).map(String::as_str)
    }

    /// The requests that the policy blocked, each host once.
    pub fn blocked(&self) -> Vec<BlockedRequests> {
        merged(self.steps.iter().flat_map(|step| &step.blocked))
    }

    /// The claims that were true before the act that should cause them.
    pub fn standing(&self) -> impl Iterator<Item = &Judgement> {
        self.judgements().filter(|judgement| judgement.standing)
    }

    pub fn judgements(&self) -> impl Iterator<Item = &Judgement> {
        self.steps.iter().filter_map(|step| step.ending.as_ref()).flat_map(|ending| &ending.judgements)
    }

    /// A step that failed, or never ended, in an attempt that was reported as
    /// passed. That would be a defect of the sender of the events, and must not
    /// become a false pass.
    pub(crate) fn contradiction(&self) -> Option<&StepRecord> {
        if self.ending.as_ref().is_none_or(|ending| ending.verdict != Verdict::Passed) {
            return None;
        }
        self.steps.iter().filter(|step| matches!(step.part, Part::Step | Part::Expected)).find(|step| {
            match step.verdict() {
                Some(Verdict::Failed | Verdict::Error) => true,
                Some(Verdict::Passed | Verdict::Inconclusive) => false,
                // A step without a text was never announced: a picture taken
                // after the last step, for one, and no step at all.
                None => !step.text.is_empty(),
            }
        })
    }
}

/// Each host once.
pub(crate) fn merged<'a>(blocked: impl Iterator<Item = &'a BlockedRequests>) -> Vec<BlockedRequests> {
    let mut all: Vec<BlockedRequests> = Vec::new();
    for blocked in blocked {
        match all.iter_mut().find(|known| known.host == blocked.host) {
            Some(known) => known.requests += blocked.requests,
            None => all.push(blocked.clone()),
        }
    }
    all
}

impl StepRecord {
    pub fn verdict(&self) -> Option<Verdict> {
        self.ending.as_ref().map(|ending| ending.verdict)
    }

    /// `step 4`, `expectation 2`: as people count in the file.
    pub fn place_words(&self) -> String {
        let noun = match self.part {
            Part::Precondition => "precondition",
            Part::Setup => "setup step",
            Part::Step => "step",
            Part::Expected => "expectation",
            Part::Teardown => "teardown step",
        };
        format!("{noun} {}", self.place)
    }
}
