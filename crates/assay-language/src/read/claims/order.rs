//! Claims about order: "sorted by price", "A comes before B".

use crate::{About, SortOrder};

use super::super::lexicon::words::DETERMINERS;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::{BareClaim, Unclear};

/// Words that say a direction; the first that fits.
const DIRECTIONS: &[(&[&str], SortOrder)] = &[
    (&["reverse", "alphabetical"], SortOrder::Descending),
    (&["reverse", "order"], SortOrder::Descending),
    (&["high", "to", "low"], SortOrder::Descending),
    (&["highest", "to", "lowest"], SortOrder::Descending),
    (&["largest", "to", "smallest"], SortOrder::Descending),
    (&["newest", "to", "oldest"], SortOrder::Descending),
    (&["z", "to", "a"], SortOrder::Descending),
    (&["low", "to", "high"], SortOrder::Ascending),
    (&["lowest", "to", "highest"], SortOrder::Ascending),
    (&["smallest", "to", "largest"], SortOrder::Ascending),
    (&["oldest", "to", "newest"], SortOrder::Ascending),
    (&["a", "to", "z"], SortOrder::Ascending),
    (&["newest", "first"], SortOrder::Descending),
    (&["latest", "first"], SortOrder::Descending),
    (&["highest", "first"], SortOrder::Descending),
    (&["most", "expensive", "first"], SortOrder::Descending),
    (&["oldest", "first"], SortOrder::Ascending),
    (&["lowest", "first"], SortOrder::Ascending),
    (&["cheapest", "first"], SortOrder::Ascending),
    (&["descending"], SortOrder::Descending),
    (&["a-z"], SortOrder::Ascending),
    (&["z-a"], SortOrder::Descending),
    (&["ascending"], SortOrder::Ascending),
    (&["alphabetically"], SortOrder::Ascending),
    (&["alphabetical"], SortOrder::Ascending),
    (&["numerically"], SortOrder::Ascending),
];

/// "sorted by price (in descending order)", "in alphabetical order". `object` begins with "sorted" or "in".
pub(crate) fn sorted(
    subject: Phrase<'_>,
    object: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let is_sorted = object.starts_any(&["sorted", "ordered", "arranged"]);
    let in_order = object.has("order") && object.has_any(&["in"]) && direction(object).is_some();
    if !is_sorted && !in_order {
        return None;
    }
    Some(read(subject, object, nouns))
}

fn read(subject: Phrase<'_>, object: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let order = direction(object);
    let by = object.find(&["by"]).map(|at| {
        let name = object.from(at + 1);
        let end = (0..name.len())
            .find(|end| {
                *end > 0
                    && (name.tokens[*end].is_any(&["in", "from", "descending", "ascending"])
                        || !name.word(*end).is_empty() && begins_direction(name.from(*end)))
            })
            .unwrap_or(name.len());
        let name = name.until(end).trimmed().without_front(DETERMINERS).without_end(&["column"]);
        match name.tokens {
            [one] => one.text.clone(),
            _ => name.text().to_string(),
        }
    });
    if order.is_none() && by.is_none() {
        return Err("it does not say in which order".to_string());
    }
    let of =
        nouns.target(subject).ok_or_else(|| format!("`{}` is not the name of one thing", subject.text()))?;
    let order = order.map_or(SortOrder::Ascending, |(_, order)| order);
    Ok(vec![BareClaim::plainly(About::Sorted { of: Some(of), by, order })])
}

fn begins_direction(phrase: Phrase<'_>) -> bool {
    DIRECTIONS.iter().any(|(words, _)| phrase.starts(words))
}

fn direction(object: Phrase<'_>) -> Option<(usize, SortOrder)> {
    (0..object.len()).find_map(|at| {
        DIRECTIONS.iter().find(|(words, _)| object.from(at).starts(words)).map(|(_, order)| (at, *order))
    })
}

/// "before B", "after B", behind "comes", "is", "appears" or "is listed".
pub(crate) fn before(
    subject: Phrase<'_>,
    object: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let is_before = object.starts_any(&["before"]);
    if !is_before && !object.starts_any(&["after"]) || object.len() < 2 {
        return None;
    }
    // "Displayed after docking" says when; only something with a name is in a place.
    let is_doing = object.get(1).is_some_and(|next| !next.is_capital() && next.low.ends_with("ing"));
    if is_doing && !object.has_quoted() {
        return Some(Err(format!("`{}` says when; claim it behind the step that it follows", object.text())));
    }
    let (Some(own), Some(other)) = (nouns.target(subject), nouns.target(object.from(1))) else {
        return Some(Err("it does not say what comes before what".to_string()));
    };
    let (first, second) = if is_before { (own, other) } else { (other, own) };
    Some(Ok(vec![BareClaim::plainly(About::Before { first, second })]))
}
