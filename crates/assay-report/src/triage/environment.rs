//! Rules for tests that could not judge the application, because something around
//! it broke.

use assay_protocol::{ErrorCode, Part, Verdict};

use crate::test_summary::TestStatus;

use super::Class::{Environment, ProductDefect};
use super::case::{Case, short};
use super::rules::RuleFinding;
use super::trouble::TroubleKind;
use super::words;

/// It was not started, or its events stop before its end.
pub fn not_run(case: &Case) -> Option<RuleFinding> {
    match case.test.status() {
        TestStatus::Ended(_) => None,
        TestStatus::NotStarted => RuleFinding::probable(
            Environment,
            "the test did not start, so it says nothing about the application",
        ),
        TestStatus::Running => {
            let under_way = case.step.and_then(|step| step.under_way.as_deref());
            let at = match (case.step, under_way) {
                (Some(_), Some(command)) => {
                    format!(" at {}, while `{}` was running", case.place(), short(command))
                }
                (Some(_), None) => format!(" at {}", case.place()),
                (None, _) => String::new(),
            };
            RuleFinding::probable(Environment, format!("the record stops{at}; the test did not finish"))
        }
    }
}

/// The events contradict each other: that is a defect of assay.
pub fn reported_against_its_own_steps(case: &Case) -> Option<RuleFinding> {
    let said = case.attempt?.ending.as_ref()?.verdict;
    (said == Verdict::Passed && case.test.verdict() == Some(Verdict::Error)).then_some(())?;
    RuleFinding::sure(Environment, format!("assay reported a pass although {} did not pass", case.place()))
}

pub fn browser_or_assay_broke(case: &Case) -> Option<RuleFinding> {
    let attempt = case.attempt?;
    if case.test.verdict() == Some(Verdict::Error) && attempt.steps.is_empty() {
        return RuleFinding::sure(Environment, "an error occurred before the first step");
    }
    let what = match case.code()? {
        ErrorCode::BrowserMissing => "no browser was found",
        ErrorCode::BrowserFailed => "the browser did not start",
        ErrorCode::BrowserLost => "the browser was lost",
        ErrorCode::DaemonFailed => "the background process failed",
        ErrorCode::WrongVersion => "two different versions of assay were in use",
        ErrorCode::SessionBusy => "the session was in use",
        ErrorCode::ModelFailed => "a model could not be reached",
        ErrorCode::Io => "a file could not be read or written",
        ErrorCode::Internal => "assay itself failed",
        _ => return None,
    };
    RuleFinding::sure(Environment, format!("{what} at {}", case.place()))
}

/// A resumed run did not begin it again.
pub fn not_repeated(case: &Case) -> Option<RuleFinding> {
    let (last, earlier) = case.test.attempts.split_last()?;
    let is_empty = last.steps.is_empty() && !earlier.is_empty();
    (is_empty && case.test.verdict() == Some(Verdict::Inconclusive)).then_some(())?;
    RuleFinding::sure(Environment, "the run was interrupted, and the test was not carried out again")
}

/// The page, or the server, did not answer: nothing was judged.
pub fn page_not_responding(case: &Case) -> Option<RuleFinding> {
    (case.verdict() == Some(Verdict::Error)).then_some(())?;
    // A claim that could not be looked at has no command.
    let silent = match case.failed_command() {
        Some(_) => case.code() == Some(ErrorCode::NotResponding),
        None => case.said().ends_with("did not respond in time"),
    };
    silent.then_some(())?;
    RuleFinding::probable(
        Environment,
        format!("the page did not respond at {}, so nothing was judged", case.place()),
    )
}

/// The first address, or a later one, did not open.
pub fn page_not_reached(case: &Case) -> Option<RuleFinding> {
    let failed = match case.code() {
        Some(code) => matches!(code, ErrorCode::NavigationFailed | ErrorCode::Unreachable),
        // Events of earlier versions have no code; their reason has this form.
        None => case.failed_command().is_some_and(|it| it.outcome.contains(" did not load: ")),
    };
    failed.then_some(())?;
    let said = case.failed_command().map(|it| it.outcome.clone()).unwrap_or_default();
    let evidence = format!("{}, at {}", short(&said), case.place());
    if words::is_unreachable(&said) {
        return RuleFinding::sure(Environment, evidence);
    }
    if said.to_lowercase().contains("redirect") {
        return RuleFinding::probable(ProductDefect, evidence);
    }
    RuleFinding::probable(Environment, evidence)
}

/// What the test takes for granted was not so. A precondition that cannot be
/// read is left to the rules on sentences.
pub fn precondition_not_made_true(case: &Case) -> Option<RuleFinding> {
    let step = case.step.filter(|step| step.part == Part::Precondition)?;
    let evidence = format!("{} did not hold, so the test never started", step.place_words());
    match step.verdict()? {
        Verdict::Error => RuleFinding::sure(Environment, evidence),
        Verdict::Failed => RuleFinding::probable(Environment, evidence),
        Verdict::Inconclusive | Verdict::Passed => None,
    }
}

/// The server went away on the way, or something before it answered in its place.
pub fn server_not_there(case: &Case) -> Option<RuleFinding> {
    let trouble = case
        .troubles
        .iter()
        .find(|it| matches!(it.kind, TroubleKind::Unreachable | TroubleKind::ServerAway))?;
    // What broke in the application before that comes first.
    let broke = case.troubles.iter().find(|it| it.kind == TroubleKind::ServerBroke);
    if broke.is_some_and(|broke| broke.step.number < trouble.step.number) {
        return None;
    }
    let evidence = format!("{}{}", trouble.words(), before(case, trouble.step.number));
    RuleFinding::probable(Environment, evidence)?.caused_at(trouble.step)
}

/// Time ran out, or the connection was cut while something was done.
pub fn cut_off(case: &Case) -> Option<RuleFinding> {
    let what = match case.code()? {
        ErrorCode::Timeout => "time ran out",
        ErrorCode::OutcomeUnknown => "an action was cut off",
        ErrorCode::TabClosed => "the tab was closed",
        _ => return None,
    };
    RuleFinding::probable(Environment, format!("{what} at {}", case.place()))
}

/// `, then expectation 1 did not pass`, where the trouble was at an earlier step.
pub fn before(case: &Case, number: usize) -> String {
    match case.step {
        Some(step) if step.number > number => format!(", then {} did not pass", step.place_words()),
        _ => String::new(),
    }
}
