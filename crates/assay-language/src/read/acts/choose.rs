//! Choosing from lists, comboboxes and groups of radio buttons.

use crate::{Act, ClickKind, Kind, Target, Toggle};

use super::super::lexicon::verbs::Verb;
use super::super::lexicon::words::{DETERMINERS, FIELD_NAMES, UNGIVEN};
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::{Acts, Misread, needed};

const FROM: &[&str] =
    &["from", "in", "on", "of", "under", "for", "as", "within", "inside", "out", "at", "to"];

pub(super) fn choose(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    if rest.is_empty() {
        return Err(Misread::new(Verb::Choose, "it does not say what to choose"));
    }
    if let Some(all) = everything(rest, nouns) {
        return all;
    }
    if rest.tokens.iter().any(|token| token.is_mark('>')) {
        return super::click::path(rest, nouns, Verb::Choose);
    }
    if let Some(file) = file(rest, nouns) {
        return file;
    }
    if let Some(named) = named_field(rest, nouns) {
        return Ok(vec![named]);
    }
    // `with` is never before a list, and a relation of the option ("the one next to X") stays with it.
    let at = rest.find(FROM).filter(|at| *at > 0 && at + 1 < rest.len());
    let Some(at) = at else { return without_list(rest, nouns) };
    let what = rest.until(at);
    let list = rest.from(at + 1).without_front(&["of", "from"]);
    let is_list_first = rest.word(at) == "to";
    if is_list_first {
        return without_list(rest, nouns);
    }
    let list = nouns.target(list);
    let picked = nouns.targets(what).unwrap_or_default();
    let clicks = picked.first().is_some_and(is_clicked);
    match list {
        Some(list) if !clicks => from_list(what, list, nouns),
        _ => without_list(rest, nouns),
    }
}

/// "Select all the text in the field".
fn everything(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Acts> {
    if !rest.starts_any(&["all", "everything"]) {
        return None;
    }
    let rest = rest.from(1).without_front(&["the", "of"]).without_front(&["text", "content", "contents"]);
    if rest.is_empty() {
        return Some(Ok(vec![Act::Press { keys: vec!["Control+a".to_string()], target: None }]));
    }
    if !rest.starts_any(&["in", "inside", "of"]) {
        return Some(Err(Misread::new(Verb::Choose, format!("`{}` are not named one by one", rest.text()))));
    }
    let target = needed(rest.from(1), Verb::Choose, nouns);
    Some(target.map(|target| vec![Act::Press { keys: vec!["Control+a".to_string()], target: Some(target) }]))
}

fn file(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Acts> {
    let is_file =
        rest.without_front(DETERMINERS).starts_any(&["file"]) || rest.first()?.kind == TokenKind::File;
    is_file.then(|| super::fill::upload(rest, nouns))
}

/// `Select country "France"`, "Choose size: L".
fn named_field(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Act> {
    let plain = rest.without_front(DETERMINERS);
    if let Some(at) = plain.tokens.iter().position(|token| token.is_mark(':')) {
        let from = Some(nouns.target(plain.until(at))?);
        return Some(Act::Choose { options: options(plain.from(at + 1), false), from });
    }
    if let [value, field] = plain.tokens
        && value.is_quoted()
        && field.is_any(FIELD_NAMES)
    {
        let from = Some(nouns.target(plain.from(1))?);
        return Some(Act::Choose { options: vec![value.text.clone()], from });
    }
    if let [field, value] = plain.tokens
        && field.is_any(FIELD_NAMES)
        && (value.is_capital() || field.is_any(&["colour", "color", "size"]))
    {
        let from = Some(nouns.target(plain.until(1))?);
        return Some(Act::Choose { options: vec![value.text.clone()], from });
    }
    let (last, name) = plain.tokens.split_last()?;
    let is_field =
        |token: &Token| token.is_any(FIELD_NAMES) || token.is_any(&["shipping", "payment", "delivery"]);
    let is_name = !name.is_empty() && name.iter().all(is_field);
    if !last.is_value() || !is_name || plain.starts_any(&["date", "text", "value"]) {
        return None;
    }
    let from = nouns.target(Phrase { tokens: name, ..plain })?;
    Some(Act::Choose { options: vec![last.text.clone()], from: Some(from) })
}

fn is_clicked(target: &Target) -> bool {
    matches!(
        target.kind,
        Some(
            Kind::Button
                | Kind::Link
                | Kind::Tab
                | Kind::Row
                | Kind::Cell
                | Kind::Icon
                | Kind::Image
                | Kind::Item
                | Kind::ListItem
                | Kind::Checkbox
                | Kind::Radio
                | Kind::Switch
                | Kind::MenuItem
                | Kind::Node
                | Kind::Column
        )
    ) || target.kind == Some(Kind::Option) && target.ordinal.is_some()
        || target.kind.is_none()
            && target.ordinal.is_some()
            && target.words.is_empty()
            && target.quoted.is_none()
}

fn without_list(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let targets = nouns.targets(rest);
    let Some(targets) = targets.filter(|targets| !targets.is_empty()) else {
        return Err(Misread::new(Verb::Choose, format!("`{}` is not the name of one thing", rest.text())));
    };
    match targets[0].kind {
        Some(Kind::Checkbox | Kind::Switch | Kind::Radio) => Ok(vec![Act::Check { targets, to: Toggle::On }]),
        Some(Kind::Option) | None if targets.iter().all(|target| target.ordinal.is_none()) => {
            if rest.starts_any(&["a", "an", "any", "some"])
                || rest.without_front(DETERMINERS).starts_any(UNGIVEN)
            {
                return Err(Misread::new(Verb::Choose, format!("`{}` does not say which", rest.text())));
            }
            let options = match targets[0].relations.is_empty() {
                true => options(rest, false),
                false => return clicked(targets),
            };
            Ok(vec![Act::Choose { options, from: None }])
        }
        Some(Kind::Dropdown | Kind::DateField) => {
            Ok(targets.into_iter().map(|target| Act::Open { target }).collect())
        }
        _ => clicked(targets),
    }
}

fn clicked(targets: Vec<Target>) -> Acts {
    let how = ClickKind::Single;
    Ok(targets.into_iter().map(|target| Act::Click { target, how }).collect())
}

fn from_list(what: Phrase<'_>, list: Target, nouns: &Nouns<'_>) -> Acts {
    let plain = what.without_front(DETERMINERS);
    if what.starts_any(&["a", "an", "any", "some"]) || plain.starts_any(UNGIVEN) || plain.is(&["option"]) {
        return Err(Misread::new(Verb::Choose, format!("`{}` does not say which", what.text())));
    }
    if plain.is_empty() {
        return Err(Misread::new(Verb::Choose, "it does not say what to choose"));
    }
    if list.kind == Some(Kind::Tab) || list.kind == Some(Kind::TabPanel) {
        return without_list(what, nouns);
    }
    let is_single = matches!(list.kind, Some(Kind::Dropdown)) && !what.has_quoted();
    let options = options(what, is_single);
    let is_typed = matches!(list.kind, Some(Kind::DateField | Kind::Slider | Kind::Field));
    if let [one] = options.as_slice()
        && is_typed
    {
        return Ok(vec![Act::Enter { target: Some(list), text: one.clone() }]);
    }
    Ok(vec![Act::Choose { options, from: Some(list) }])
}

/// The names of what is chosen, as written. In a list that takes one choice, "Trinidad and Tobago" is one name.
fn options(what: Phrase<'_>, is_single: bool) -> Vec<String> {
    const ABOUT: &[&str] =
        &["option", "options", "value", "values", "item", "items", "date", "choice", "entry"];
    let what = what.trimmed().without_front(DETERMINERS);
    let has_comma = what.tokens.iter().any(|token| token.is_mark(','));
    let parts = if !has_comma && (is_single || !what.has_quoted()) { vec![what] } else { what.listed() };
    parts
        .into_iter()
        .map(|part| {
            let part = part.without_front(DETERMINERS);
            let front =
                if part.len() > 1 && !part.tokens[0].is_capital() { part.without_front(ABOUT) } else { part };
            let inner = if front.len() > 1 { front.without_end(&ABOUT[..4]) } else { front };
            match inner.tokens.iter().find(|token| token.is_quoted()) {
                Some(quoted) => quoted.text.clone(),
                None => inner.text().to_string(),
            }
        })
        .collect()
}
