//! Boxes that are ticked and switches that are turned.

use crate::{Act, ElementKind, Target, Toggle};

use super::super::lexicon::words::DETERMINERS;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::verbs::Verb;
use super::{Acts, Misread, is_everything, needed};

pub(super) fn check(rest: Phrase<'_>, to: Toggle, nouns: &Nouns<'_>) -> Acts {
    let rest = rest.without_front(&["off", "on"]);
    let rest = if rest.starts(&["to"]) { rest.from(1) } else { rest };
    // `Toggle the switch "on"`.
    let last = rest.last().filter(|last| to == Toggle::Other && last.is_quoted() && rest.len() > 1);
    let (rest, to) = match last.map(|last| last.text.to_lowercase()).as_deref() {
        Some("on") => (rest.until(rest.len() - 1), Toggle::On),
        Some("off") => (rest.until(rest.len() - 1), Toggle::Off),
        _ => (rest, to),
    };
    let targets = targets(rest, nouns)?;
    // "Activate the plugin": what the application does, where no box or switch is named.
    let sentence = rest.sentence.to_lowercase();
    let is_done_by_it = sentence.contains("activate") && targets.iter().all(|target| target.kind.is_none());
    if is_done_by_it {
        return Err(Misread::new(Verb::Check, format!("`{}` is not the name of a checkbox", rest.text())));
    }
    Ok(vec![Act::Check { targets, to }])
}

fn targets(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Vec<Target>, Misread> {
    let not_named = || Misread::new(Verb::Check, format!("`{}` is not the name of a checkbox", rest.text()));
    let mut targets = nouns.targets(rest).ok_or_else(not_named)?;
    targets.iter_mut().for_each(whole_name);
    // "Check the order details": they are looked at, and no box is called so.
    const LOOKED_AT: &[&str] =
        &["details", "information", "contents", "summary", "progress", "overview", "availability"];
    let is_looked_at = |target: &Target| {
        let is_many = target.kind == Some(ElementKind::Item)
            && target.words.is_empty()
            && target.ordinal.is_none()
            && target.said.to_lowercase().starts_with("items");
        let is_told = |word: &String| LOOKED_AT.contains(&word.as_str());
        target.quoted.is_none()
            && (is_many || target.kind.is_none() && target.words.last().is_some_and(is_told))
    };
    if targets.iter().any(|target| is_everything(target) || is_looked_at(target)) {
        Err(not_named())
    } else {
        Ok(targets)
    }
}

/// "notifications" are what a switch is for, not messages: a noun for what has no state is part of the name.
fn whole_name(target: &mut Target) {
    // "the first message" is one of many, not a word about what happened.
    if target.kind == Some(ElementKind::Message) && target.ordinal.is_some() && target.words.is_empty() {
        target.kind = Some(ElementKind::Item);
        let noun = target.said.split_whitespace().next_back().map(str::to_lowercase);
        target.words = noun.into_iter().collect();
    }
    // A box that is ticked is no field to write in. "The advanced editor" is what a switch is for.
    let is_box = target.said.to_lowercase().split_whitespace().any(|word| matches!(word, "box" | "field"));
    if target.kind == Some(ElementKind::Field) && (is_box || target.quoted.is_some()) {
        target.kind = Some(ElementKind::Checkbox);
    }
    let is_editor = target.kind == Some(ElementKind::Field);
    let has_state = matches!(
        target.kind,
        None | Some(
            ElementKind::Checkbox
                | ElementKind::Switch
                | ElementKind::Radio
                | ElementKind::Option
                | ElementKind::Field
                | ElementKind::Button
                | ElementKind::Item
                | ElementKind::ListItem
                | ElementKind::Row
                | ElementKind::MenuItem
                | ElementKind::Node
                | ElementKind::Any
        )
    );
    let is_plain = target.quoted.is_none() && target.relations.is_empty() && target.ordinal.is_none();
    if (!has_state || is_editor) && is_plain {
        let words = target.said.split_whitespace().map(str::to_lowercase);
        target.words = words.filter(|word| !DETERMINERS.contains(&word.as_str())).collect();
        target.kind = None;
    }
}

/// "turn on X", "turn X off".
pub(super) fn turn(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let which = |word: &str| match word {
        "on" => Some(Toggle::On),
        "off" => Some(Toggle::Off),
        _ => None,
    };
    if let Some(to) = which(rest.word(0)) {
        return Ok(vec![Act::Check { targets: targets(rest.from(1), nouns)?, to }]);
    }
    let end = rest.len().saturating_sub(1);
    match which(rest.word(end)) {
        Some(to) => Ok(vec![Act::Check { targets: targets(rest.until(end), nouns)?, to }]),
        None => Err(Misread::new(Verb::Turn, "it says neither on nor off")),
    }
}

/// "Mark the checkbox", `Mark "Buy milk" as done`.
pub(super) fn mark(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let Some(at) = rest.find_last(&["as"]) else { return check(rest, Toggle::On, nouns) };
    if rest.until(at).is(&["all"]) {
        return Ok(vec![super::box_for_all("mark", rest)]);
    }
    let to = match rest.from(at + 1).without_front(DETERMINERS).words().as_slice() {
        ["done"] | ["complete"] | ["completed"] | ["checked"] | ["finished"] => Toggle::On,
        ["undone"] | ["incomplete"] | ["unchecked"] | ["active"] | ["uncompleted"] => Toggle::Off,
        _ => {
            return Err(Misread::new(
                Verb::Mark,
                "it can be marked only as done, undone, checked or unchecked",
            ));
        }
    };
    Ok(vec![Act::Check { targets: vec![needed(rest.until(at), Verb::Mark, nouns)?], to }])
}
