//! Rules for pages that have changed since the test was written.

use assay_protocol::{ElementLine, ErrorCode, Judgement, Verdict};

use super::Class::ChangedPage;
use super::case::{Case, short};
use super::rules::RuleFinding;
use super::trouble::TroubleKind;

/// As many candidates as a reason can hold.
const MAX_NAMED: usize = 3;

/// The recorded element or the hint of the step no longer matches anything.
pub fn hint_or_lock_is_stale(case: &Case) -> Option<RuleFinding> {
    // A page whose script failed has not changed: it is broken.
    let is_broken = case.troubles.iter().any(|trouble| trouble.kind == TroubleKind::Exception);
    (case.verdict() != Some(Verdict::Error) && !is_broken).then_some(())?;
    let step = case.step?;
    let stale = |note: &&String| {
        let note = note.to_lowercase();
        (note.contains("hint") || note.contains("lock"))
            && (note.contains("stale") || note.contains("no longer"))
    };
    if let Some(note) = step.notes.iter().find(stale) {
        return RuleFinding::probable(ChangedPage, format!("at {}: {}", step.place_words(), short(note)));
    }
    let replayed = step.commands.iter().find(|it| {
        let lost = matches!(it.code, Some(ErrorCode::NotFound | ErrorCode::StaleRef | ErrorCode::Ambiguous));
        !it.ok && it.pilot == "replay" && lost
    })?;
    RuleFinding::sure(
        ChangedPage,
        format!(
            "`{}` was recorded for {}, but now: {}",
            short(&replayed.command),
            step.place_words(),
            short(&replayed.outcome)
        ),
    )
}

/// The test opened an address at which there is nothing now.
pub fn address_moved(case: &Case) -> Option<RuleFinding> {
    let trouble = case.troubles.iter().find(|it| it.kind == TroubleKind::PageMissing)?;
    let later = super::environment::before(case, trouble.step.number);
    RuleFinding::probable(ChangedPage, format!("{}{later}", trouble.words()))?.caused_at(trouble.step)
}

/// The named element is missing, and something similar exists.
pub fn element_renamed(case: &Case) -> Option<RuleFinding> {
    let judgement = case.judgement()?;
    let missing = is_missing(judgement);
    match judgement.verdict {
        // An act found nothing that it could be sure of.
        Verdict::Inconclusive if judgement.claim.is_empty() && !judgement.elements.is_empty() => {
            let near = nearest(&judgement.elements);
            let evidence = format!("the element named in {} is not there; nearest: {near}", case.place());
            match missing {
                true => RuleFinding::sure(ChangedPage, evidence),
                false => RuleFinding::probable(ChangedPage, evidence),
            }
        }
        // A claim looked for an element, and found one that is called otherwise.
        Verdict::Failed
            if missing && judgement.found.is_none() && judgement.reason.contains("; nearest: ") =>
        {
            let evidence =
                format!("the element named in {} is not there, but a similar one is", case.place());
            RuleFinding::probable(ChangedPage, evidence)
        }
        _ => None,
    }
}

/// The target of an act is missing, and nothing similar exists.
pub fn element_gone(case: &Case) -> Option<RuleFinding> {
    // A claim that something is there and is not, is about the application.
    (case.false_claim().is_none() && case.verdict() != Some(Verdict::Error)).then_some(())?;
    let said = case.said();
    let lost = matches!(case.code(), Some(ErrorCode::NotFound | ErrorCode::StaleRef));
    let missing = says_missing(&said) && case.failed_command().is_none();
    (lost || missing).then_some(())?;
    RuleFinding::probable(
        ChangedPage,
        format!("the element named in {} is not there, nor is anything similar", case.place()),
    )
}

fn is_missing(judgement: &Judgement) -> bool {
    says_missing(&judgement.reason)
}

/// Also in the words of earlier versions, whose records are still read.
fn says_missing(reason: &str) -> bool {
    const OPENINGS: &[&str] = &[
        "nothing on the page matches",
        "nothing on the page is",
        "nothing on the page offers",
        "nothing is called",
        "there is no field on the page",
        "no field is",
        "no button on the page",
        "no list of",
        "there is no such tab",
        "no dialog is open",
    ];
    OPENINGS.iter().any(|opening| reason.starts_with(opening)) || reason.contains("\" is not offered by ")
}

/// The first few, as a reason names them.
pub fn nearest(elements: &[ElementLine]) -> String {
    let named: Vec<String> =
        elements.iter().take(MAX_NAMED).map(|it| format!("{} \"{}\"", it.role, short(&it.name))).collect();
    named.join(", ")
}
