//! Claims about records: what a row, a card or an entry has in its fields.

use crate::{About, ElementKind, Matcher, Nearness, Relation, StateWord, Target};

use super::super::lexicon::words::{DETERMINERS, FIELD_NAMES};
use super::super::noun::{Nouns, is_plain_page};
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::amount::{Strictness, matcher};
use super::clause::Clause;
use super::content::row;
use super::{BareClaim, Unclear};

/// `is the selected author`; `was made by "Ada"`, `is the line to "Oslo"`: a field of a record, by the word before it.
pub(crate) fn of_one(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    const DONE: &[&str] = &[
        "made",
        "written",
        "created",
        "posted",
        "edited",
        "added",
        "uploaded",
        "sent",
        "owned",
        "signed",
        "submitted",
        "authored",
        "reported",
        "opened",
    ];
    const JOINING: &[&str] = &["to", "from", "for", "of"];
    let object = clause.object.trimmed();
    let plain = object.without_front(DETERMINERS);
    if plain.starts_any(&["selected", "chosen"])
        && let [option] = clause.subject.trimmed().tokens
        && option.is_quoted()
        && plain.len() < object.len()
    {
        // "The selected value" does not say of which list.
        let is_list = |target: &Target| {
            target.kind != Some(ElementKind::Option)
                && !matches!(target.words.as_slice(), [only] if matches!(only.as_str(), "value" | "one" | "entry"))
        };
        let target = nouns.target(plain.from(1)).filter(is_list)?;
        let options = vec![option.text.clone()];
        return Some(Ok(vec![BareClaim::plainly(About::Chosen { target, options })]));
    }
    if let Some(said) = named_with(clause, object, nouns) {
        return Some(Ok(said));
    }
    if let Some(said) = made_by(clause, object, DONE, nouns) {
        return Some(Ok(vec![said]));
    }
    let (last, front) = object.tokens.split_last().filter(|(last, _)| last.is_quoted())?;
    let front = Phrase { tokens: front, ..object };
    let is_by = front.len() == 2 && front.starts_any(DONE) && front.word(1) == "by";
    // "The first row is the line to …": a noun of the author's own, and the name.
    let noun = front.without_front(DETERMINERS);
    let is_named = noun.len() < front.len() && noun.len() == 2 && JOINING.contains(&noun.word(1));
    let record = nouns.target(clause.subject).filter(|target| {
        let repeats = target.kind.is_some_and(ElementKind::is_entry);
        let is_told = target.ordinal.is_some() || target.quoted.is_some() || is_by_age(target);
        repeats && target.ordinal.is_some() || is_by && is_told
    })?;
    if !is_by && !is_named {
        return None;
    }
    let column = if is_by { "by".to_string() } else { noun.word(1).to_string() };
    let text = Matcher::Equals(last.text.clone());
    Some(Ok(vec![BareClaim::plainly(About::Cell { row: record, column, text })]))
}

/// `The entry "Call" was made by Ole Brandt`, `The comment "…" is by Pavel`: a person without quotation marks.
fn made_by(clause: &Clause<'_>, object: Phrase<'_>, done: &[&str], nouns: &Nouns<'_>) -> Option<BareClaim> {
    let by = object.find(&["by"]).filter(|at| *at <= 1)?;
    let is_done = by == 0 || object.starts_any(done) && !object.starts_any(&["owned"]);
    let name = object.from(by + 1);
    let is_name = (1..=2).contains(&name.len())
        && name.tokens.iter().all(|token| token.kind == TokenKind::Word && !token.is_any(DETERMINERS))
        && name.tokens.iter().all(Token::is_capital);
    let record = nouns.target(clause.subject).filter(|target| target.quoted.is_some())?;
    let of_a_sort = record.kind.is_none_or(|kind| kind.is_entry() || kind == ElementKind::Message);
    // The page may give the whole name.
    let text = Matcher::Words(name.words().into_iter().map(str::to_string).collect());
    (is_done && is_name && of_a_sort && !clause.negated).then(|| {
        BareClaim::plainly(About::Cell {
            row: Target { kind: None, ..record },
            column: "by".to_string(),
            text,
        })
    })
}

/// `The first row is "Ada" with the age 36`: which record it is, and what it has besides.
fn named_with(clause: &Clause<'_>, object: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<BareClaim>> {
    let (name, rest) = object.tokens.split_first().filter(|(name, _)| name.is_quoted())?;
    let rest = Phrase { tokens: rest, ..object };
    let target = nouns.target(clause.subject).filter(|target| target.ordinal.is_some())?;
    if !rest.starts_any(&["with"]) || clause.negated {
        return None;
    }
    let cells = cells_of(&target, &Target::default(), rest.from(1))?;
    let text = Matcher::Equals(name.text.clone());
    let named = BareClaim::plainly(About::Value { target, text });
    Some(std::iter::once(named).chain(cells).collect())
}

fn is_by_age(target: &Target) -> bool {
    const AGES: &[&str] = &["newest", "latest", "oldest", "earliest"];
    target.words.first().is_some_and(|first| AGES.contains(&first.as_str()))
}

/// `"North" is shown with a count of 21`: a value that stands beside the text.
pub(crate) fn with_figure(all: &[BareClaim], content: Phrase<'_>) -> Option<About> {
    let [BareClaim { about, negated: false }] = all else { return None };
    let inside = |place: &Option<Target>| Target {
        relations: place.iter().map(|to| Relation { how: Nearness::Inside, to: to.clone() }).collect(),
        ..Target::default()
    };
    let row = match about {
        About::Text { text: Matcher::Contains(name), place } => {
            Target { said: format!("\"{name}\""), quoted: Some(name.clone()), ..inside(place) }
        }
        About::Text { text: Matcher::Words(words), place } => {
            Target { said: words.join(" "), words: words.clone(), ..inside(place) }
        }
        About::State { target, state: StateWord::Visible }
            if target.kind.is_none_or(ElementKind::is_entry) =>
        {
            target.clone()
        }
        _ => return None,
    };
    let plain = content.without_front(DETERMINERS);
    let value = plain.last().filter(|last| last.is_value())?;
    let column = plain.until(plain.len() - 1).without_end(&["of", "=", "is"]);
    let is_name = |token: &Token| token.kind == TokenKind::Word && !token.is_any(DETERMINERS);
    if !(1..=2).contains(&column.len()) || !column.tokens.iter().all(is_name) {
        return None;
    }
    let known = column
        .last()
        .is_some_and(|last| last.is_any(FIELD_NAMES) || last.is_any(&["count", "total", "score", "balance"]));
    let text = matcher(Phrase { tokens: std::slice::from_ref(value), ..content }, Strictness::Whole)?;
    known.then(|| About::Cell { row, column: column.text().to_lowercase(), text })
}

/// `"orders": 17`: one text, as the page writes it.
pub(crate) fn pair(object: Phrase<'_>) -> Option<Matcher> {
    let [name, colon, value] = object.tokens else { return None };
    let is_pair = name.is_quoted() && colon.is_mark(':') && value.is_value() && colon.from == name.to;
    is_pair.then(|| Matcher::Contains(object.text().to_string()))
}

/// `a row with "Ada" and "Oslo"`: one entry with all of it. `a column "Total" with the value 2`: what it says.
pub(crate) fn entry_with(
    clause: &Clause<'_>,
    object: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let at = object.find(&["with", "containing"]).filter(|at| *at > 0)?;
    let (head, content) = (object.until(at), object.from(at + 1));
    let thing = nouns.target(head).filter(|thing| thing.relations.is_empty())?;
    let around = nouns.target(clause.subject)?;
    if let Some(cells) = cells_of(&around, &thing, content) {
        return Some(Ok(cells));
    }
    // "The result" of a query is what the page shows.
    let is_whole = is_plain_page(&around)
        || around.kind == Some(ElementKind::Item)
            && around.is_nameless()
            && around.relations.is_empty()
            && around.ordinal.is_none()
            && around.state.is_none();
    let place = (!is_whole).then_some(Relation { how: Nearness::Inside, to: around });
    if thing.kind == Some(ElementKind::Column) && (thing.quoted.is_some() || !thing.words.is_empty()) {
        let value = content.without_front(DETERMINERS);
        let value = if value.len() > 1 { value.without_front(&["value", "text"]) } else { value };
        let [only] = value.tokens else { return None };
        let text = matcher(value, Strictness::Whole).filter(|_| only.is_value())?;
        let target = Target { relations: place.into_iter().collect(), ..thing };
        return Some(Ok(vec![BareClaim::plainly(About::Value { target, text })]));
    }
    let repeats = thing.kind.is_some_and(ElementKind::is_entry);
    let parts = content.listed();
    let is_text = |part: &Phrase<'_>| part.len() == 1 && part.tokens[0].is_quoted();
    if !repeats || thing.quoted.is_some() || parts.len() < 2 || !parts.iter().all(is_text) {
        return None;
    }
    let mut target = thing;
    for part in parts {
        let said = part.text().to_string();
        let to = Target { said, quoted: Some(part.tokens[0].text.clone()), ..Target::default() };
        target.relations.push(Relation { how: Nearness::Containing, to });
    }
    target.relations.extend(place);
    Some(Ok(vec![BareClaim::plainly(About::State { target, state: StateWord::Visible })]))
}

/// `The first row shows the tree with id 42 and height 38.5`: what stands in its columns.
fn cells_of(around: &Target, thing: &Target, content: Phrase<'_>) -> Option<Vec<BareClaim>> {
    let repeats = around.kind.is_some_and(ElementKind::is_entry);
    let is_plain = thing.quoted.is_none() && thing.ordinal.is_none() && thing.state.is_none();
    if !repeats || !is_plain {
        return None;
    }
    let cell = |part: Phrase<'_>| {
        let plain = part.without_front(DETERMINERS);
        let (value, name) = plain.tokens.split_last().filter(|(last, _)| last.is_value())?;
        let name = Phrase { tokens: name, ..plain }.without_end(&["of", "is", "="]);
        let is_name = (1..=3).contains(&name.len())
            && name.tokens.iter().all(|token| token.kind == TokenKind::Word && !token.is_any(DETERMINERS));
        let text = matcher(Phrase { tokens: std::slice::from_ref(value), ..plain }, Strictness::Whole)?;
        let column = name.text().to_string();
        is_name.then(|| BareClaim::plainly(About::Cell { row: row(around), column, text }))
    };
    content.listed().into_iter().map(cell).collect()
}
