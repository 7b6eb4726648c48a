//! Rules for applications that do not do what the test says, and for tests with
//! mixed results.

use assay_protocol::{ErrorCode, Verdict};

use crate::test_summary::AttemptSummary;

use super::Class::{Environment, Flaky, ProductDefect, TestDefect};
use super::case::{Case, quoted, short};
use super::environment::before;
use super::page::nearest;
use super::rules::RuleFinding;
use super::trouble::TroubleKind;

pub fn passed_at_another_attempt(case: &Case) -> Option<RuleFinding> {
    let (last, earlier) = case.test.attempts.split_last()?;
    if case.test.is_flaky() {
        let what = earlier.iter().rev().find(|it| verdict(it).is_some_and(|it| it != Verdict::Passed));
        let evidence = match what {
            Some(before) => {
                format!("the test passed on attempt {}, after {}", last.number, ending_words(before))
            }
            None => format!("the test passed on attempt {}, after one that did not", last.number),
        };
        return RuleFinding::sure(Flaky, evidence);
    }
    let passed = earlier.iter().find(|it| verdict(it) == Some(Verdict::Passed))?;
    RuleFinding::sure(
        Flaky,
        format!("the test passed on attempt {}, but not on attempt {}", passed.number, last.number),
    )
}

/// No attempt passed, and they ended in different places: what is wrong comes
/// and goes. An attempt that broke says nothing of the application, so it does
/// not count here.
pub fn ended_otherwise_before(case: &Case) -> Option<RuleFinding> {
    let (last, earlier) = case.test.attempts.split_last()?;
    let end = |attempt: &AttemptSummary| {
        let verdict = verdict(attempt).filter(|it| *it != Verdict::Error)?;
        Some((verdict, attempt.decisive_step().map(|step| step.number)))
    };
    let now = end(last)?;
    let otherwise = earlier.iter().find(|it| end(it).is_some_and(|it| it != now))?;
    RuleFinding::probable(
        Flaky,
        format!("attempt {} ended at {}, but {}", last.number, case.place(), ending_words(otherwise)),
    )
}

/// The earliest server error of the application.
pub fn server_broke(case: &Case) -> Option<RuleFinding> {
    let trouble = case.troubles.iter().find(|it| it.kind == TroubleKind::ServerBroke)?;
    let evidence = format!("{}{}", trouble.words(), before(case, trouble.step.number));
    match case.verdict() {
        // Both the answer and the claim speak against the application.
        Some(Verdict::Failed) if case.false_claim().is_some() => RuleFinding::sure(ProductDefect, evidence),
        _ => RuleFinding::probable(ProductDefect, evidence),
    }?
    .caused_at(trouble.step)
}

/// A script of the page stopped in the middle; what it should have done is missing later.
pub fn page_threw(case: &Case) -> Option<RuleFinding> {
    let trouble = case.troubles.iter().find(|it| it.kind == TroubleKind::Exception)?;
    let evidence = format!("{}{}", trouble.words(), before(case, trouble.step.number));
    match case.plainly_false_claim() {
        Some(_) => RuleFinding::sure(ProductDefect, evidence),
        None => RuleFinding::probable(ProductDefect, evidence),
    }?
    .caused_at(trouble.step)
}

/// The page was there and did not let the act happen.
pub fn page_said_no(case: &Case) -> Option<RuleFinding> {
    let what = match case.code()? {
        ErrorCode::NotActionable => "the page blocked the action",
        ErrorCode::NotAccepted => "the page did not accept the value as entered",
        ErrorCode::NoDialog => "no dialog appeared",
        ErrorCode::PageCrashed => "the page crashed",
        _ => return None,
    };
    RuleFinding::probable(ProductDefect, format!("{what} at {}", case.place()))
}

/// The plain case: something was expected, and something else is there.
pub fn claim_is_false(case: &Case) -> Option<RuleFinding> {
    let judgement = case.false_claim()?;
    let place = case.place();
    let mut evidence = match &judgement.found {
        Some(found) if found.is_empty() => format!("{place} found nothing where it expected something"),
        Some(found) => format!("{place} found {}", quoted(found)),
        None if judgement.elements.is_empty() => format!("{place} found no match"),
        None => format!("{place} checked {}", nearest(&judgement.elements)),
    };
    evidence += &match case.troubles.first() {
        Some(trouble) => format!("; along the way, {}", trouble.words()),
        None => "; every earlier step was fine".to_owned(),
    };
    match case.plainly_false_claim() {
        Some(_) => RuleFinding::sure(ProductDefect, evidence),
        None => RuleFinding::probable(ProductDefect, evidence),
    }
}

/// Nothing above fits: the verdict alone says what it can be at most.
pub fn not_decided(case: &Case) -> Option<RuleFinding> {
    let class = match case.test.verdict()? {
        Verdict::Passed => return None,
        Verdict::Failed => ProductDefect,
        Verdict::Inconclusive => TestDefect,
        Verdict::Error => Environment,
    };
    let evidence = match case.said().is_empty() {
        true => format!("{} gives no reason", case.place()),
        false => format!("there is no evidence beyond the reason given by {}", case.place()),
    };
    RuleFinding::probable(class, evidence)
}

fn verdict(attempt: &AttemptSummary) -> Option<Verdict> {
    attempt.ending.as_ref().map(|ending| ending.verdict)
}

/// `attempt 1 failed at step 3: Expected …`.
fn ending_words(attempt: &AttemptSummary) -> String {
    let ended = match verdict(attempt) {
        Some(Verdict::Passed) => "passed",
        Some(Verdict::Failed) => "failed",
        Some(Verdict::Inconclusive) => "was inconclusive",
        Some(Verdict::Error) => "had an error",
        None => "did not finish",
    };
    let at = attempt.decisive_step().map(|step| format!(" at {}", step.place_words())).unwrap_or_default();
    let reason = attempt.ending.as_ref().map(|it| short(&it.reason)).unwrap_or_default();
    let reason = if reason.is_empty() { reason } else { format!(": {reason}") };
    format!("attempt {} {ended}{at}{reason}", attempt.number)
}
