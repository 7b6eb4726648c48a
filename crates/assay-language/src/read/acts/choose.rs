//! Choosing from lists, comboboxes and groups of radio buttons.

use crate::{Act, ClickKind, ElementKind, SortOrder, Target, Toggle};

use super::super::lexicon::words::{DETERMINERS, FIELD_NAMES, UNGIVEN};
use super::super::noun::{Nouns, with_text};
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::verbs::Verb;
use super::{Acts, Misread, needed};

const FROM: &[&str] =
    &["from", "in", "on", "of", "under", "for", "as", "within", "inside", "out", "at", "to"];

pub(super) fn choose(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    if rest.is_empty() {
        return Err(Misread::new(Verb::Choose, "it does not say what to choose"));
    }
    // "None" and "Nothing" in capitals are options.
    if rest.is(&["nothing"]) && !rest.tokens[0].is_capital() {
        return Ok(Vec::new());
    }
    if let Some(slid) = with_slider(rest, nouns) {
        return Ok(vec![slid]);
    }
    if let Some((what, text)) = with_text(rest)
        && let Some(target) = super::suggestion(what, nouns)
            .or_else(|| nouns.target(what).filter(|target| target.kind.is_some()))
    {
        let said = rest.text().to_string();
        return clicked(vec![Target { said, text: Some(text), ..target }]);
    }
    if let Some(target) = super::suggestion(rest, nouns) {
        return clicked(vec![target]);
    }
    if let Some(options) = bare_names(rest, nouns) {
        return Ok(vec![Act::Choose { options, from: None }]);
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
    // "Choose the column "Status"": one that a list offers; the head of a table is never chosen from a list.
    let is_column = picked.first().is_some_and(|one| one.kind == Some(ElementKind::Column));
    let clicks = picked.first().is_some_and(is_clicked) && !is_column;
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
    let all = rest;
    let rest = rest.from(1).without_front(&["the", "of"]).without_front(&["text", "content", "contents"]);
    if rest.is_empty() {
        return Some(Ok(vec![Act::Press { keys: vec!["Control+a".to_string()], target: None }]));
    }
    // "all messages": lists have a box for that. What is of a kind ("all checkboxes") would be one box after another.
    if let [thing] = rest.tokens
        && thing.low.ends_with('s')
        && all.word(0) == "all"
        && nouns.target(rest).is_some_and(|target| {
            matches!(target.kind, None | Some(ElementKind::Message | ElementKind::Item))
        })
    {
        return Some(Ok(vec![super::box_for_all("select", all)]));
    }
    if !rest.starts_any(&["in", "inside", "of"]) {
        return Some(Err(Misread::new(
            Verb::Choose,
            format!("`{}` does not name the options one by one", rest.text()),
        )));
    }
    let target = needed(rest.from(1), Verb::Choose, nouns);
    Some(target.map(|target| vec![Act::Press { keys: vec!["Control+a".to_string()], target: Some(target) }]))
}

/// "Sort by price": the list of orders offers it.
pub(super) fn sort(rest: Phrase<'_>) -> Acts {
    // "Sort the table by Age".
    const WHOLE: &[&str] =
        &["table", "list", "rows", "results", "entries", "it", "files", "items", "records"];
    let rest = match rest.find(&["by"]) {
        Some(at)
            if rest.until(at).without_front(DETERMINERS).tokens.iter().all(|token| token.is_any(WHOLE)) =>
        {
            rest.from(at + 1)
        }
        _ => rest,
    };
    let (rest, order) = ordered(rest);
    let plain = rest.without_front(DETERMINERS).without_end(&["column"]);
    let plain = if plain.has_quoted() { plain.without_end(&["value", "values"]) } else { plain };
    let plain = if plain.len() > 1 { plain.without_front(&["column"]) } else { plain };
    let is_name = !plain.is_empty()
        && plain.len() <= 4
        && plain.tokens.iter().all(is_plain_word)
        && !plain.has_any(&["by"]);
    if !is_name && !matches!(plain.tokens, [only] if only.is_quoted()) {
        return Err(Misread::new(Verb::Sort, format!("`{}` is not something to sort by", rest.text())));
    }
    let option = plain.tokens.first().filter(|only| only.is_quoted());
    let option = option.map_or_else(|| plain.text().to_string(), |only| only.text.clone());
    if let Some(order) = order {
        return Ok(vec![Act::Sort { by: option, order, tries: 0 }]);
    }
    let said = "the list to sort by".to_string();
    let from = Target { said, words: vec!["sort".to_string()], ..Target::default() };
    Ok(vec![Act::Choose { options: vec![option], from: Some(from) }])
}

/// "by price in descending order", "by price, ascending": what stands before the order, and the order.
fn ordered(rest: Phrase<'_>) -> (Phrase<'_>, Option<SortOrder>) {
    let end = rest.without_end(&["order"]);
    let order = match end.last().map_or("", |last| last.low.as_str()) {
        "ascending" | "ascendingly" | "increasing" => SortOrder::Ascending,
        "descending" | "descendingly" | "decreasing" => SortOrder::Descending,
        _ => return (rest, None),
    };
    let before = end.until(end.len() - 1).without_end(&["in"]).trimmed();
    (before, Some(order))
}

/// `Filter by staff status "No"`: from what is called so, whichever way it offers its choices.
pub(super) fn filter(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let misread = || {
        Misread::new(Verb::Filter, format!("`{}` does not say what to filter by which value", rest.text()))
    };
    let plain = rest.trimmed();
    let (value, name) = plain.tokens.split_last().filter(|(last, _)| last.is_value()).ok_or_else(misread)?;
    let name = Phrase { tokens: name, ..plain }.without_end(&["=", ":", "is", "with", "as"]);
    let name = name.without_front(DETERMINERS);
    let named = nouns.target(name).filter(|target| target.relations.is_empty()).ok_or_else(misread)?;
    // The word for a kind of thing is what it is filtered by as well: "groups".
    let words = match named.quoted {
        Some(_) => Vec::new(),
        None => name.words().into_iter().map(str::to_string).collect(),
    };
    let from = Target { said: name.text().to_string(), quoted: named.quoted, words, ..Target::default() };
    Ok(vec![Act::Choose { options: vec![value.text.clone()], from: Some(from) }])
}

/// `Show 50 entries per page`: the list that says how many are shown.
pub(crate) fn show_entries(rest: Phrase<'_>) -> Option<Act> {
    const ENTRIES: &[&str] = &["entries", "rows", "items", "results", "records", "products", "users"];
    let plain = rest.trimmed().without_end(&["per", "page", "at", "a", "time", "once"]);
    let [show, number, things] = plain.tokens else { return None };
    let is_number = matches!(number.kind, TokenKind::Number(_)) || number.is_value();
    let chooses = show.is_any(&["choose", "select", "set"]) && plain.len() < rest.trimmed().len();
    if !(show.is_any(&["show", "display"]) || chooses) || !is_number || !things.is_any(ENTRIES) {
        return None;
    }
    let from = Target {
        said: format!("the list of how many {} are shown", things.low),
        words: vec![things.low.clone()],
        kind: Some(ElementKind::Dropdown),
        ..Target::default()
    };
    Some(Act::Choose { options: vec![number.text.clone()], from: Some(from) })
}

fn is_plain_word(token: &Token) -> bool {
    token.kind == TokenKind::Word && !token.is_any(FROM)
}

/// "8 with the slider", "8 with the spinner".
fn with_slider(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Act> {
    let at = rest.find(&["with", "using", "on"]).filter(|at| *at > 0)?;
    let is_spinner = |target: &Target| {
        target.kind.is_none()
            && matches!(target.words.as_slice(), [word] if word == "spinner" || word == "stepper")
    };
    let target = nouns
        .target(rest.from(at + 1))
        .filter(|target| target.kind == Some(ElementKind::Slider) || is_spinner(target))?;
    let value = rest.until(at).without_front(DETERMINERS).without_front(&["value", "number"]);
    let [value] = value.tokens else { return None };
    value.is_value().then(|| Act::Enter { target: Some(target), text: value.text.clone() })
}

/// "Red, Green, Blue": names without quotation marks, one word or a few in capitals each.
fn bare_names(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<String>> {
    let is_comma = |token: &Token| token.is_mark(',');
    if rest.has_quoted() || !rest.tokens.iter().any(is_comma) {
        return None;
    }
    let parts = rest.listed();
    let is_name = |part: &Phrase<'_>| {
        let is_part = |token: &Token| {
            let is_number = matches!(token.kind, TokenKind::Number(_));
            token.kind == TokenKind::Word && !token.is_any(DETERMINERS) && !token.is_any(FROM) || is_number
        };
        let is_one = part.len() == 1 || part.len() <= 3 && part.tokens.iter().all(Token::is_capital);
        let has_noun = nouns.target(*part).is_none_or(|target| target.kind.is_some());
        is_one && part.tokens.iter().all(is_part) && !has_noun && !part.starts_any(UNGIVEN)
    };
    (parts.len() > 1 && parts.iter().all(is_name))
        .then(|| parts.iter().map(|part| part.text().to_string()).collect())
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
            ElementKind::Button
                | ElementKind::Link
                | ElementKind::Tab
                | ElementKind::Row
                | ElementKind::Cell
                | ElementKind::Icon
                | ElementKind::Image
                | ElementKind::Item
                | ElementKind::ListItem
                | ElementKind::Checkbox
                | ElementKind::Radio
                | ElementKind::Switch
                | ElementKind::MenuItem
                | ElementKind::Node
                | ElementKind::Column
        )
    ) || target.kind == Some(ElementKind::Option) && target.ordinal.is_some()
        || target.kind.is_none() && target.ordinal.is_some() && target.is_nameless()
}

fn without_list(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let targets = nouns.targets(rest);
    let Some(targets) = targets.filter(|targets| !targets.is_empty()) else {
        return Err(Misread::new(Verb::Choose, format!("`{}` is not the name of one thing", rest.text())));
    };
    match targets[0].kind {
        Some(ElementKind::Checkbox | ElementKind::Switch | ElementKind::Radio) => {
            Ok(vec![Act::Check { targets, to: Toggle::On }])
        }
        Some(ElementKind::Column) if targets[0].quoted.is_some() && targets[0].relations.is_empty() => {
            Ok(vec![Act::Choose { options: options(rest, false), from: None }])
        }
        Some(ElementKind::Option) | None if targets.iter().all(|target| target.ordinal.is_none()) => {
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
        Some(ElementKind::Dropdown | ElementKind::DateField) => {
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
    if list.kind == Some(ElementKind::Tab) || list.kind == Some(ElementKind::TabPanel) {
        return without_list(what, nouns);
    }
    let is_single = matches!(list.kind, Some(ElementKind::Dropdown)) && !what.has_quoted();
    let options = options(what, is_single);
    let is_typed = matches!(list.kind, Some(ElementKind::DateField | ElementKind::Slider));
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
