//! The proposals in words for a terminal, and as JSON.

use std::path::Path;

use assay_protocol::Signature;
use assay_report::{
    ChangedElement, HealPage, HealProposal, HealShot, NoShot, moment_words, rfc3339, score_words,
};
use serde_json::{Value, json};

use super::{HealDecision, HealState};

/// `decision` is what this very call did with them. Files below `here` are named from there.
pub fn heal_words(
    page: &HealPage<'_>,
    written: Result<&Path, &str>,
    decision: HealDecision,
    here: &Path,
) -> String {
    if page.proposals.is_empty() {
        return "nothing to accept: no test that passed was healed".to_string();
    }
    let mut text: String =
        page.proposals.iter().enumerate().map(|(at, proposal)| of_proposal(at + 1, proposal, here)).collect();
    text += &match written {
        Ok(path) => format!("side by side, with screenshots: {}\n", shown(path, here)),
        Err(why) => format!("the page with screenshots is missing: {why}\n"),
    };
    let count = |state: HealState| page.proposals.iter().filter(|it| it.state == state.words()).count();
    text += &match (count(HealState::Open), decision) {
        (_, HealDecision::Accept) => {
            format!("{} accepted; commit the lock files\n", counted(count(HealState::Accepted)))
        }
        (_, HealDecision::Refuse) => {
            format!("{} refused; commit the lock files\n", counted(count(HealState::Refused)))
        }
        (0, HealDecision::Open) => "nothing is left to accept\n".to_string(),
        (1, HealDecision::Open) => {
            "1 change; `assay heal --apply` accepts it, `assay heal --refuse` refuses it\n".to_string()
        }
        (open, HealDecision::Open) => format!(
            "{}; `assay heal --apply` accepts them, `--refuse` refuses them, `--change N` only one\n",
            counted(open)
        ),
    };
    text
}

fn of_proposal(number: usize, proposal: &HealProposal<'_>, here: &Path) -> String {
    let mut text = format!("{number}. {}  {}\n", proposal.test.file, proposal.test.id);
    text += &format!("  {}: {}\n", proposal.place, proposal.sentence);
    if proposal.healing.found.is_empty() {
        text += "    the action changed; its effect is the same\n";
    }
    text.extend(proposal.elements.iter().map(|element| of_element(element, here)));
    text += &format!("    recorded  {}\n", proposal.healing.was.effect);
    text += &format!("    now       {}\n", proposal.healing.now.effect);
    if proposal.state != HealState::Open.words() {
        text += &format!("    {}\n", proposal.state);
    }
    text + "\n"
}

fn of_element(element: &ChangedElement<'_>, here: &Path) -> String {
    let mut text = format!("    was  {}\n", described(element.was));
    text += &format!("         {}\n", of_picture(&element.recorded, here));
    text += &format!("    now  {}\n", described(element.now));
    text += &format!("         {}\n", of_picture(&element.found, here));
    if let Some(found) = element.likeness {
        let sure = score_words(found.score, found.lead(), found.runner_up.as_deref());
        text += &format!("    {sure}: {}\n", found.because);
    }
    text
}

fn of_picture(picture: &Result<HealShot, NoShot>, here: &Path) -> String {
    match picture {
        Ok(shot) => format!("{} (run {}, {})", shown(&shot.path, here), shot.run, moment_words(shot.at)),
        Err(why) => why.to_string(),
    }
}

fn counted(number: usize) -> String {
    if number == 1 { "1 change".to_string() } else { format!("{number} changes") }
}

/// `button "Log in"  id submit, type submit, in form "Account"`.
fn described(signature: &Signature) -> String {
    let marks = signature.marks.iter().map(|(mark, value)| format!("{mark} {value}"));
    let within = signature.within.iter().take(1).map(|place| format!("in {place}"));
    let parts: Vec<String> = marks.chain(within).collect();
    format!("{} \"{}\"  {}", signature.role, signature.name, parts.join(", "))
}

fn shown(path: &Path, here: &Path) -> String {
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

pub fn heal_json(page: &HealPage<'_>, path: Option<&Path>) -> Vec<Value> {
    let proposal_json = |(number, proposal): (usize, &HealProposal<'_>)| {
        json!({
            "number": number + 1,
            "test": proposal.test.id,
            "file": proposal.test.file,
            "lock": proposal.lock,
            "step": format!("{}: {}", proposal.place, proposal.sentence),
            "state": proposal.state,
            "found": proposal.healing.found,
            "was": proposal.healing.was,
            "now": proposal.healing.now,
            "recorded_effect": proposal.healing.was.effect.to_string(),
            "effect": proposal.healing.now.effect.to_string(),
            "pictures": proposal.elements.iter().map(pictures_as_json).collect::<Vec<Value>>(),
            "page": path.map(|path| format!("{}#change-{}", path.display(), number + 1)),
        })
    };
    page.proposals.iter().enumerate().map(proposal_json).collect()
}

/// Of the first element that was found again both pictures, then of the second, and so on.
fn pictures_as_json(element: &ChangedElement<'_>) -> Value {
    let picture = |picture: &Result<HealShot, NoShot>| match picture {
        Ok(shot) => {
            json!({ "path": shot.path, "run": shot.run, "at": rfc3339(shot.at), "target": shot.mark })
        }
        Err(why) => json!({ "missing": why.to_string() }),
    };
    json!({ "was": picture(&element.recorded), "now": picture(&element.found) })
}
