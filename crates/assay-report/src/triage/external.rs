//! Rules for tests that were kept out.

use assay_protocol::ErrorCode;

use super::Class::ExternalBlock;
use super::case::{Case, short};
use super::rules::Finding;
use super::trouble::Kind;
use super::words;

/// The page asks whether a human is there, and the test does not speak of it.
pub fn human_check(case: &Case) -> Option<Finding> {
    let seen = texts_seen(case);
    let said = |find: fn(&str) -> Option<&'static str>| {
        seen.iter()
            .find_map(|(place, text)| Some((place, find(text)?)))
            .filter(|it| !case.test_speaks_of(it.1))
    };
    if let Some((place, words)) = said(words::wall) {
        return Finding::sure(ExternalBlock, format!("at {place} the page said \"{words}\""));
    }
    // Such words stand on ordinary pages too: what a claim plainly found is better
    // evidence, unless it is just these words.
    let (place, words) = said(words::perhaps_wall).filter(|_| !case.is_about(words::REFUSAL))?;
    let found = case.plainly_false_claim().and_then(|claim| claim.found.as_deref());
    if case.plainly_false_claim().is_some() && found.is_none_or(|found| words::perhaps_wall(found).is_none())
    {
        return None;
    }
    Finding::probable(ExternalBlock, format!("at {place} the page said \"{words}\""))
}

pub fn blocked_by_policy(case: &Case) -> Option<Finding> {
    let command = case.failed_command().filter(|it| it.code == Some(ErrorCode::BlockedByPolicy))?;
    Finding::sure(
        ExternalBlock,
        format!("the policy refused `{}` at {}", short(&command.command), case.place()),
    )
}

/// The site answered that it lets nobody in, or not so often.
pub fn kept_out(case: &Case) -> Option<Finding> {
    let trouble = case.troubles.iter().find(|it| matches!(it.kind, Kind::KeptOut | Kind::PageForbidden))?;
    match trouble.kind {
        Kind::KeptOut if case.plainly_false_claim().is_none() => {
            Finding::sure(ExternalBlock, trouble.words())
        }
        // A page may also be forbidden to this user by the application itself, and
        // what a claim plainly found may have another cause.
        _ => Finding::probable(ExternalBlock, trouble.words()),
    }?
    .caused_at(trouble.step)
}

/// A request was forbidden, and the step does not show what came of it. Where a
/// claim found something definite, that is the better evidence.
pub fn request_forbidden(case: &Case) -> Option<Finding> {
    if case.plainly_false_claim().is_some() {
        return None;
    }
    let trouble = case.troubles.iter().find(|it| it.kind == Kind::RequestForbidden)?;
    let evidence = format!("{}, before {} could not go on", trouble.words(), case.place());
    Finding::probable(ExternalBlock, evidence)?.caused_at(trouble.step)
}

/// What pages said, with where: the titles of those that were opened, and the text of the last one.
fn texts_seen<'a>(case: &Case<'a>) -> Vec<(String, &'a str)> {
    let mut seen = Vec::new();
    for step in case.attempt.iter().flat_map(|attempt| &attempt.steps) {
        let openings = step.commands.iter().filter(|it| it.ok).filter_map(|it| it.outcome.lines().next());
        seen.extend(openings.filter(|line| line.contains(" · ")).map(|line| (step.place_words(), line)));
    }
    seen.push((case.place(), case.page_text()));
    seen
}
