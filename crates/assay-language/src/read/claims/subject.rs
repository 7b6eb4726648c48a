//! What a value is claimed of: the title, the address, a message, a cell, a field.

use crate::{About, ElementKind, Matcher, Nearness, NumberIs, Relation, Target};

use super::super::lexicon::nouns::noun;
use super::super::lexicon::words::DETERMINERS;
use super::super::noun::{Nouns, is_plain_page};
use super::super::phrase::Phrase;
use super::super::token::TokenKind;
use super::Unclear;
use super::amount::number_is;

/// The claim that the subject has this text.
pub(crate) fn has_text(subject: Phrase<'_>, text: Matcher, nouns: &Nouns<'_>) -> Result<About, Unclear> {
    let subject = subject.trimmed();
    let plain = subject.without_front(DETERMINERS);
    // `The "disabled" attribute of …`.
    if plain.tokens.windows(2).any(|pair| pair[0].is_quoted() && pair[1].is("attribute")) {
        return Err("assay does not check attributes; say what the page shows".to_string());
    }
    if is_title(plain) {
        return Ok(About::Title { text });
    }
    // "The address ends with "/cart"": with a part of an address, it is the page's.
    let leads = |text: &str| {
        let mut letters = text.chars();
        letters.next().is_some_and(|first| "/?#".contains(first))
            && letters.next().is_some_and(char::is_alphabetic)
    };
    let is_part =
        |text: &str| !text.contains(' ') && (leads(text) || text.contains("://") || text.ends_with(".html"));
    let is_address = matches!(&text, Matcher::EndsWith(part) | Matcher::Contains(part) if is_part(part));
    if is_url(plain) || plain.is(&["address"]) && is_address {
        return Ok(About::Url { text });
    }
    if let Some(counted) = count_of(plain, &text, nouns) {
        return counted;
    }
    if plain.starts_any(&["selected", "chosen"])
        && let Matcher::Equals(option) | Matcher::Said(option) = &text
    {
        return chosen(plain, option.clone(), nouns);
    }
    if let Some(cell) = cell_of_table(plain, &text, nouns) {
        return Ok(cell);
    }
    if let Some(cell) = cell_by_row_and_column(plain, &text, nouns) {
        return Ok(cell);
    }
    if is_several(subject, nouns) || counted_front(subject).is_some() {
        return several_have(subject, text, nouns);
    }
    let inner = value_of(plain);
    let is_value_of = inner.is_some();
    let phrase = inner.unwrap_or(subject);
    let Some(target) = nouns.target(phrase) else {
        return Err(format!("`{}` is not the name of one thing", phrase.text()));
    };
    of_target(target, text, is_value_of)
}

/// The claim that a target has this text.
pub(crate) fn of_target(target: Target, text: Matcher, is_value_of: bool) -> Result<About, Unclear> {
    if is_plain_page(&target) {
        return match text {
            Matcher::Empty => Err("a page always has text".to_string()),
            Matcher::Equals(text) => Ok(About::Text { text: Matcher::Contains(text), place: None }),
            Matcher::Said(text) => {
                Ok(About::Text { text: Matcher::Words(crate::ground::words::words_of(&text)), place: None })
            }
            text => Ok(About::Text { text, place: None }),
        };
    }
    if !is_value_of && let Some(cell) = cell(&target, &text) {
        return Ok(cell);
    }
    let has_tone = matches!(
        target.kind,
        Some(ElementKind::ErrorMessage | ElementKind::SuccessMessage | ElementKind::WarningMessage)
    );
    let is_message = has_tone || target.kind == Some(ElementKind::Message) && target.words.is_empty();
    if is_message && let Some(About::Message { tone, text: None, topic }) = super::existence::message(&target)
    {
        return Ok(About::Message { tone, text: Some(text), topic });
    }
    Ok(About::Value { target, text })
}

pub(crate) fn is_title_or_url(phrase: Phrase<'_>) -> bool {
    let plain = phrase.trimmed().without_front(DETERMINERS);
    is_title(plain) || is_url(plain)
}

fn is_title(plain: Phrase<'_>) -> bool {
    let of_page = ["page", "browser", "window", "document", "tab"];
    plain.is(&["title"])
        || plain.len() == 2 && plain.starts_any(&of_page) && plain.word(1) == "title"
        || plain.starts(&["title", "of"])
            && plain.from(2).without_front(DETERMINERS).starts_any(&of_page)
            && plain.len() <= 4
}

fn is_url(plain: Phrase<'_>) -> bool {
    let named = ["url", "address", "path"];
    let rest = plain.without_front(&[
        "current",
        "page",
        "browser",
        "browser's",
        "page's",
        "new",
        "resulting",
        "web",
    ]);
    rest.len() == 1 && rest.starts_any(&["url"])
        || rest.len() == 1 && rest.starts_any(&named) && rest.len() < plain.len()
        || plain.starts_any(&["url", "address"])
            && plain.word(1) == "of"
            && plain.has_any(&["page", "tab", "browser"])
        || plain.starts(&["address", "bar"])
}

/// "the number of rows", "the item count".
fn count_of(plain: Phrase<'_>, text: &Matcher, nouns: &Nouns<'_>) -> Option<Result<About, Unclear>> {
    let plain = if plain.starts(&["total", "number"]) { plain.from(1) } else { plain };
    let countable = [
        ElementKind::Item,
        ElementKind::Row,
        ElementKind::ListItem,
        ElementKind::Option,
        ElementKind::Message,
        ElementKind::Column,
    ];
    let is_countable = || noun(&[plain.word(0)]).is_some_and(|noun| countable.contains(&noun.kind));
    let things = if plain.starts(&["number", "of"]) || plain.starts(&["count", "of"]) {
        plain.from(2).without_end(&["displayed", "shown", "visible", "listed"])
    } else if plain.len() == 2 && plain.word(1) == "count" && is_countable() {
        plain.until(1)
    } else {
        return None;
    };
    let Matcher::Number(count) = text else {
        return Some(Err("a count is a number".to_string()));
    };
    let target = nouns.target(things);
    Some(
        target
            .map(|target| About::Count { target, count: *count })
            .ok_or_else(|| "it does not say what is counted".to_string()),
    )
}

/// "the selected option of the Country list is "France"".
fn chosen(plain: Phrase<'_>, option: String, nouns: &Nouns<'_>) -> Result<About, Unclear> {
    let of = plain.find(&["in", "of", "from"]).map(|at| plain.from(at + 1));
    let list = match of {
        Some(list) => nouns.target(list),
        None => nouns.target(plain.from(1)).filter(|target| target.kind != Some(ElementKind::Option)),
    };
    let Some(target) = list else { return Err("it does not say in which list".to_string()) };
    Ok(About::Chosen { target, options: vec![option] })
}

/// "the value of the email field" is what the field holds.
fn value_of(plain: Phrase<'_>) -> Option<Phrase<'_>> {
    let contents = ["value", "text", "content", "contents", "values"];
    if plain.starts_any(&contents) && matches!(plain.word(1), "of" | "in" | "inside") && plain.len() > 2 {
        return Some(plain.from(2));
    }
    // "the dropdown value", "the button text".
    let before = plain.until(plain.len().saturating_sub(1));
    let is_noun = before.last().is_some_and(|last| noun(&[last.low.as_str()]).is_some());
    let ends = plain.last().is_some_and(|last| last.is_any(&["value", "text", "content"]));
    (ends && is_noun).then_some(before)
}

/// "the Price of "Lamp"", "the status in the row of Ada", "the Status column of order 7".
fn cell(target: &Target, text: &Matcher) -> Option<About> {
    let [relation] = target.relations.as_slice() else { return None };
    let around = relation.to.kind;
    let row = match relation.how {
        Nearness::SameRow => true,
        Nearness::Inside | Nearness::For => around.is_none_or(ElementKind::is_entry),
        _ => false,
    };
    let is_column =
        matches!(target.kind, None | Some(ElementKind::Column | ElementKind::Cell | ElementKind::Figure));
    let column = target.quoted.clone().unwrap_or_else(|| target.words.join(" "));
    let is_named = !column.is_empty() && target.ordinal.is_none() && target.state.is_none();
    (row && is_column && is_named).then(|| About::Cell {
        row: relation.to.clone(),
        column,
        text: text.clone(),
    })
}

/// "the cell in row 2 and column "Name"", `in the row "Ada" the column "Name"`.
fn cell_by_row_and_column(plain: Phrase<'_>, text: &Matcher, nouns: &Nouns<'_>) -> Option<About> {
    let in_row = plain.starts(&["in", "the", "row"]) || plain.starts(&["in", "row"]);
    if !(plain.starts_any(&["cell"]) || in_row) || !plain.has("row") || !plain.has("column") {
        return None;
    }
    let parts: Vec<Phrase<'_>> = plain
        .tokens
        .split(|token| token.is_mark(',') || token.is_any(&["and", "of", "in", "at", "cell", "the"]))
        .filter(|part| !part.is_empty())
        .map(|part| Phrase { tokens: part, ..plain })
        .collect();
    let of_kind = |kind: ElementKind| {
        parts.iter().filter_map(|part| nouns.target(*part)).find(|target| target.kind == Some(kind))
    };
    let (row, column) = (of_kind(ElementKind::Row)?, of_kind(ElementKind::Column)?);
    let column = column.quoted.clone().unwrap_or_else(|| column.words.join(" "));
    (parts.len() == 2 && !column.is_empty()).then(|| About::Cell { row, column, text: text.clone() })
}

/// `"Ada" row "Role" column of "Staff" table`: a cell by three names.
fn cell_of_table(plain: Phrase<'_>, text: &Matcher, nouns: &Nouns<'_>) -> Option<About> {
    let [row, row_noun, column, column_noun, ..] = plain.tokens else { return None };
    let is_named = row.is_quoted() && row_noun.is("row") && column.is_quoted() && column_noun.is("column");
    let table = plain.from(4);
    let around = match table.first() {
        None => None,
        Some(of) if of.is_any(&["of", "in"]) => {
            Some(nouns.target(table.from(1)).filter(|target| target.kind == Some(ElementKind::Table))?)
        }
        Some(_) => return None,
    };
    let relations = around.map(|to| Relation { how: Nearness::Inside, to }).into_iter().collect();
    let row = Target {
        said: plain.until(2).text().to_string(),
        quoted: Some(row.text.clone()),
        relations,
        ..Target::default()
    };
    is_named.then(|| About::Cell { row, column: column.text.clone(), text: text.clone() })
}

/// A noun in the plural: what is claimed would have to be claimed of each.
pub(crate) fn is_several(subject: Phrase<'_>, nouns: &Nouns<'_>) -> bool {
    let end = subject.find(&["in", "on", "of", "for", "with", "under", "next"]).unwrap_or(subject.len());
    let last = subject.until(end).last();
    let is_plural = last.is_some_and(|last| noun(&[last.low.as_str()]).is_some_and(|noun| noun.plural));
    let is_quoted = subject.until(end).has_quoted();
    is_plural && !is_quoted && nouns.target(subject).is_some_and(|target| target.ordinal.is_none())
}

/// "3 rows", "only one row": how many of what repeats.
fn counted_front(subject: Phrase<'_>) -> Option<(NumberIs, Phrase<'_>)> {
    let plain = subject.trimmed().without_front(&["the", "only"]);
    let (count, length) = number_is(plain)?;
    let things = plain.from(length);
    let kind = noun(&[things.last()?.low.as_str()])?.kind;
    let repeats = matches!(
        kind,
        ElementKind::Row
            | ElementKind::Item
            | ElementKind::ListItem
            | ElementKind::Message
            | ElementKind::Option
    );
    (repeats && !things.has_quoted()).then_some((count, things))
}

/// "3 rows contain "Lamp"": how many do. Anything else is claimed of each.
fn several_have(subject: Phrase<'_>, text: Matcher, nouns: &Nouns<'_>) -> Result<About, Unclear> {
    let each = || format!("`{}` are several things; write one expectation per item", subject.text());
    let Some((count, things)) = counted_front(subject) else { return Err(each()) };
    let Matcher::Contains(text) = text else { return Err(each()) };
    let mut target = nouns.target(things).ok_or_else(each)?;
    let to = Target { said: format!("\"{text}\""), quoted: Some(text), ..Target::default() };
    target.relations.push(Relation { how: Nearness::Containing, to });
    Ok(About::Count { target, count })
}

/// The address that a value means, where the subject is the address.
pub(crate) fn address(subject: Phrase<'_>, value: Phrase<'_>) -> Option<Matcher> {
    if !is_url(subject.trimmed().without_front(DETERMINERS)) {
        return None;
    }
    match value.trimmed().tokens {
        [one] if matches!(one.kind, TokenKind::Quoted | TokenKind::Url | TokenKind::Path) => {
            super::place::address_matcher(&one.text, one.kind)
        }
        _ => None,
    }
}

/// Whether plain words behind "is" are the value of such a subject: "the status is active".
pub(crate) fn has_plain_values(target: &Target) -> bool {
    const VALUED: &[&str] = &[
        "status", "name", "state", "role", "type", "title", "price", "total", "amount", "category",
        "priority", "country", "language", "currency", "colour", "color", "size", "label", "text", "value",
        "city", "plan", "stage", "email", "username", "number", "date", "quantity", "count", "result",
    ];
    matches!(
        target.kind,
        Some(
            ElementKind::Cell
                | ElementKind::Column
                | ElementKind::Field
                | ElementKind::Dropdown
                | ElementKind::Figure
                | ElementKind::Heading
        )
    ) || target.words.last().is_some_and(|word| VALUED.contains(&word.as_str()))
}
