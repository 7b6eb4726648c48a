//! The closer look at a sampled pass: did the acts do anything, was a claim new, and what went wrong beside it?

use assay_coordinator::PastResult;
use assay_protocol::{Part, Verdict};
use assay_report::AttemptSummary;

use super::class::{Finding, ResultClass};
use super::history::slowness;
use super::judge::{Case, is_act};
use ResultClass::{Bug, ScriptIssue, ValidPass};

/// What a closer look found.
#[derive(Debug, Default)]
pub struct Exam {
    /// In place of the finding of the record alone.
    pub finding: Option<Finding>,
    pub suspicions: Vec<String>,
    pub notes: Vec<String>,
}

pub(super) fn examine(case: &Case<'_>, past: &[PastResult]) -> Exam {
    if case.test.line.is_program() {
        return Exam { suspicions: slowness(case.test, past).into_iter().collect(), ..Exam::default() };
    }
    let mut suspicions: Vec<String> = case
        .alone
        .application_errors()
        .into_iter()
        .map(|error| format!("it passed, although {error}"))
        .collect();
    suspicions.extend(slowness(case.test, past));
    let mut notes = Vec::new();
    if case.test.pictures().is_empty() {
        notes.push("no picture of it was kept".to_owned());
    }
    let Some(attempt) = case.attempt() else { return Exam { finding: None, suspicions, notes } };
    let acts = acts_of(attempt);
    let idle: Vec<&str> = acts.iter().filter(|act| act.is_idle).map(|act| act.sentence).collect();
    let all_stood = claims_only_stood(attempt);
    if !idle.is_empty() && idle.len() == acts.len() {
        let evidence = format!("none of its acts changed anything: {}", idle.join("; "));
        // The claims may still say something new, such as a value that was entered.
        return match all_stood {
            true => {
                let missing = "a claim that only the acts make true";
                let finding =
                    Finding::open(&[ValidPass, ScriptIssue, Bug], "nothing-happened", evidence, missing);
                Exam { finding: Some(finding), suspicions, notes }
            }
            false => {
                suspicions.push(evidence);
                Exam { finding: None, suspicions, notes }
            }
        };
    }
    if all_stood && !acts.is_empty() {
        let evidence = "all of its claims were true before its acts".to_owned();
        let missing = "a claim that only the acts make true";
        let finding = Finding::open(&[ValidPass, ScriptIssue, Bug], "claims-stood", evidence, missing);
        return Exam { finding: Some(finding), suspicions, notes };
    }
    Exam { finding: None, suspicions, notes }
}

struct Act<'a> {
    sentence: &'a str,
    is_idle: bool,
}

/// The clicks and keys of the test itself; what is entered changes a field only.
fn acts_of(attempt: &AttemptSummary) -> Vec<Act<'_>> {
    let own = attempt.steps.iter().filter(|step| is_act(step) && step.part == Part::Step);
    let clicks = own.filter(|step| {
        step.commands.iter().any(|command| {
            command.ok && ["click ", "press ", "tap "].iter().any(|verb| command.command.starts_with(verb))
        })
    });
    clicks
        .map(|step| Act {
            sentence: &step.text,
            is_idle: step.commands.iter().all(|command| command.effect.is_nothing() && command.url.is_none()),
        })
        .collect()
}

/// Whether each claim that was judged was true from the beginning, and none of them may be.
fn claims_only_stood(attempt: &AttemptSummary) -> bool {
    let held: Vec<_> = attempt
        .judgements()
        .filter(|judgement| judgement.verdict == Verdict::Passed && !judgement.claim.is_empty())
        .collect();
    let has_exact = attempt.steps.iter().any(|step| {
        step.part == Part::Expected && step.ending.as_ref().is_some_and(|ending| ending.judgements.is_empty())
    });
    !held.is_empty() && !has_exact && held.iter().all(|judgement| judgement.standing && !judgement.may_stand)
}
