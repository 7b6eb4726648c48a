//! Finds the screenshot of a run that shows the target of an act.
//!
//! Knows the events of each command: its target with its description at the time, and the screenshot on which it is
//! marked. It never accepts a screenshot of anything else.

use std::fmt;
use std::path::{Path, PathBuf};

use assay_protocol::{CommandRecord, Healing, MarkedPicture, Part, Signature, TargetMark, Verdict};

use crate::run_folder::inside;
use crate::test_summary::{AttemptSummary, StepRecord, TestSummary};

/// A picture with what an act was aimed at.
#[derive(Debug, Clone, PartialEq)]
pub struct HealShot {
    /// The name of the run that it is of.
    pub run: String,
    /// When that step began; milliseconds since 1970.
    pub at: u64,
    pub path: PathBuf,
    /// None where the element was not in view.
    pub mark: Option<TargetMark>,
}

/// Why there is no picture to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoShot {
    /// No recorded earlier run passed with the locked element: a fresh clone, or a CI machine.
    NoEarlierPass,
    /// It passed, and no picture was taken of this act.
    NotTaken { run: String },
    /// A picture was taken, and is no longer there.
    Gone { run: String, path: PathBuf },
}

impl fmt::Display for NoShot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoShot::NoEarlierPass => {
                write!(f, "no earlier screenshot: no recorded run passed with the locked steps")
            }
            NoShot::NotTaken { run } => write!(f, "no screenshot: run {run} took none of this action"),
            NoShot::Gone { run, path } => {
                write!(f, "no screenshot: the one from run {run} is gone ({})", path.display())
            }
        }
    }
}

/// The position of a locked sentence in a test, for finding it in another run of the same test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentencePlace {
    part: Part,
    /// As the lock has it, with references in place of values.
    sentence: String,
    /// How many of the same stand before it.
    before: usize,
}

impl SentencePlace {
    /// The place of a step that was healed.
    pub fn of(test: &TestSummary, step: &StepRecord, healing: &Healing) -> SentencePlace {
        let mut place =
            SentencePlace { part: healing.was.part, sentence: healing.was.step.clone(), before: 0 };
        let steps = test.last_attempt().map(|attempt| attempt.steps.as_slice()).unwrap_or_default();
        let earlier = steps.iter().take_while(|other| other.number != step.number);
        place.before = earlier.filter(|other| place.is_of(other)).count();
        place
    }

    fn is_of(&self, step: &StepRecord) -> bool {
        step.part == self.part && is_said(&self.sentence, &step.text)
    }

    fn find_in<'a>(&self, attempt: &'a AttemptSummary) -> Option<&'a StepRecord> {
        attempt.steps.iter().filter(|step| self.is_of(step)).nth(self.before)
    }
}

/// Whether a sentence is the locked one but for the values that the lock refers to.
fn is_said(locked: &str, said: &str) -> bool {
    let mut pieces = Vec::new();
    let mut rest = locked;
    while let Some((before, after)) = rest.split_once("\"⟦") {
        let Some((_, after)) = after.split_once("⟧\"") else { break };
        pieces.push(before);
        rest = after;
    }
    let Some(said) = said.strip_suffix(rest) else { return false };
    let Some((first, others)) = pieces.split_first() else { return said.is_empty() };
    let Some(mut said) = said.strip_prefix(first) else { return false };
    for piece in others {
        let Some((_, after)) = said.split_once(piece) else { return false };
        said = after;
    }
    true
}

/// The picture of this step that shows the element.
pub fn shot_of(
    step: &StepRecord,
    element: &Signature,
    run: &str,
    results: &Path,
) -> Result<HealShot, NoShot> {
    let aimed = step.commands.iter().zip(&step.aimed_at);
    let is_it = |(command, aimed_at): &(&CommandRecord, &Vec<Signature>)| {
        command.ok && aimed_at.iter().any(|other| other.is_marked_like(element))
    };
    let not_taken = || NoShot::NotTaken { run: run.to_owned() };
    let (command, _) = aimed.rev().find(is_it).ok_or_else(not_taken)?;
    let marked_on = command.target.map_or(MarkedPicture::Before, |mark| mark.on);
    let picture = match marked_on {
        MarkedPicture::Before => command.before.as_deref(),
        MarkedPicture::After => command.after.as_deref(),
    };
    let path = picture.and_then(|picture| inside(results, picture).ok()).ok_or_else(not_taken)?;
    if !path.is_file() {
        return Err(NoShot::Gone { run: run.to_owned(), path });
    }
    Ok(HealShot { run: run.to_owned(), at: step.started_at, path, mark: command.target })
}

/// The picture of an earlier run that shows the element as its lock describes it: only where the test passed there and
/// nothing of it was healed.
pub fn earlier_shot(
    test: &TestSummary,
    place: &SentencePlace,
    element: &Signature,
    run: &str,
    results: &Path,
) -> Result<HealShot, NoShot> {
    let passed = test.verdict() == Some(Verdict::Passed) && test.healings().next().is_none();
    let step = test.last_attempt().filter(|_| passed).and_then(|attempt| place.find_in(attempt));
    let was_aimed_at =
        |step: &&StepRecord| step.aimed_at.iter().flatten().any(|other| other.is_marked_like(element));
    let step = step.filter(was_aimed_at).ok_or(NoShot::NoEarlierPass)?;
    shot_of(step, element, run, results)
}

#[cfg(test)]
mod tests {
    use super::is_said;

    #[test]
    fn a_sentence_is_known_again_with_other_values() {
        let locked = "Enter \"⟦1⟧\" in the \"Name\" field";
        assert!(is_said(locked, "Enter \"Ada\" in the \"Name\" field"));
        assert!(is_said(locked, "Enter “Bob” in the \"Name\" field"));
        assert!(!is_said(locked, "Enter \"Ada\" in the \"Email\" field"));
        assert!(!is_said(locked, "Type \"Ada\" in the \"Name\" field"));
        assert!(is_said("Click \"Save\"", "Click \"Save\""));
        assert!(!is_said("Click \"Save\"", "Click \"Save\" twice"));
    }
}
