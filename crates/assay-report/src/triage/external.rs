//! Rules for tests that were blocked from outside.

use assay_protocol::ErrorCode;

use crate::test_summary::StepRecord;

use super::Class::ExternalBlock;
use super::case::{Case, short};
use super::rules::RuleFinding;
use super::trouble::{Trouble, TroubleKind};
use super::words;

/// The page asks whether a human is there, and the test does not speak of it.
pub fn human_check(case: &Case) -> Option<RuleFinding> {
    let seen = texts_seen(case);
    let said = |find: fn(&str) -> Option<&'static str>| {
        seen.iter()
            .find_map(|(place, text)| Some((place, find(text)?)))
            .filter(|it| !case.test_speaks_of(it.1))
    };
    if let Some((place, words)) = said(words::wall) {
        return RuleFinding::sure(ExternalBlock, format!("at {place} the page said \"{words}\""));
    }
    // Such words stand on ordinary pages too: what a claim plainly found is better
    // evidence, unless it is just these words.
    let (place, words) = said(words::perhaps_wall).filter(|_| !case.is_about(words::REFUSAL))?;
    let found = case.plainly_false_claim().and_then(|claim| claim.found.as_deref());
    if case.plainly_false_claim().is_some() && found.is_none_or(|found| words::perhaps_wall(found).is_none())
    {
        return None;
    }
    RuleFinding::probable(ExternalBlock, format!("at {place} the page said \"{words}\""))
}

pub fn blocked_by_policy(case: &Case) -> Option<RuleFinding> {
    let command = case.failed_command().filter(|it| it.code == Some(ErrorCode::BlockedByPolicy))?;
    RuleFinding::sure(
        ExternalBlock,
        format!("the policy refused `{}` at {}", short(&command.command), case.place()),
    )
}

/// The site refused access or limited its rate.
pub fn kept_out(case: &Case) -> Option<RuleFinding> {
    let trouble = case
        .troubles
        .iter()
        .find(|it| matches!(it.kind, TroubleKind::KeptOut | TroubleKind::PageForbidden))?;
    match trouble.kind {
        TroubleKind::KeptOut if case.plainly_false_claim().is_none() => {
            RuleFinding::sure(ExternalBlock, trouble.words())
        }
        // A page may also be forbidden to this user by the application itself, and
        // what a claim plainly found may have another cause.
        _ => RuleFinding::probable(ExternalBlock, trouble.words()),
    }?
    .caused_at(trouble.step)
}

/// A request was forbidden, and the step does not show what came of it. Where a
/// claim found something definite, that is the better evidence.
pub fn request_forbidden(case: &Case) -> Option<RuleFinding> {
    if case.plainly_false_claim().is_some() {
        return None;
    }
    let trouble = case.troubles.iter().find(|it| it.kind == TroubleKind::RequestForbidden)?;
    // A page that went on working without an answer does not need it.
    if went_on_after(case, trouble) {
        return None;
    }
    let evidence = format!("{}, then {} could not continue", trouble.words(), case.place());
    RuleFinding::probable(ExternalBlock, evidence)?.caused_at(trouble.step)
}

/// Whether an action succeeded between a trouble and the step that ended the test.
fn went_on_after(case: &Case, trouble: &Trouble) -> bool {
    let steps = case.attempt.map(|attempt| attempt.steps.as_slice()).unwrap_or_default();
    let place = |step: &StepRecord| steps.iter().position(|it| std::ptr::eq(it, step));
    let (Some(from), Some(to)) = (place(trouble.step), case.step.and_then(place)) else { return false };
    let between = steps.get(from + 1..to).unwrap_or_default();
    between.iter().any(|step| step.commands.last().is_some_and(|command| command.ok))
}

/// The texts of pages with their source: the titles of opened pages, and the text of the last one.
fn texts_seen<'a>(case: &Case<'a>) -> Vec<(String, &'a str)> {
    let mut seen = Vec::new();
    for step in case.attempt.iter().flat_map(|attempt| &attempt.steps) {
        let openings = step.commands.iter().filter(|it| it.ok).filter_map(|it| it.outcome.lines().next());
        seen.extend(openings.filter(|line| line.contains(" · ")).map(|line| (step.place_words(), line)));
    }
    seen.push((case.place(), case.page_text()));
    seen
}
