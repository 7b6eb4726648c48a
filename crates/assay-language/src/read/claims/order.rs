//! Claims about order: "sorted by price", "A comes before B".

use crate::{About, Order};

use super::super::lexicon::words::DETERMINERS;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::{Said, Unclear};

/// Words that say a direction; the first that fits.
const DIRECTIONS: &[(&[&str], Order)] = &[
    (&["reverse", "alphabetical"], Order::Descending),
    (&["reverse", "order"], Order::Descending),
    (&["high", "to", "low"], Order::Descending),
    (&["highest", "to", "lowest"], Order::Descending),
    (&["largest", "to", "smallest"], Order::Descending),
    (&["newest", "to", "oldest"], Order::Descending),
    (&["z", "to", "a"], Order::Descending),
    (&["low", "to", "high"], Order::Ascending),
    (&["lowest", "to", "highest"], Order::Ascending),
    (&["smallest", "to", "largest"], Order::Ascending),
    (&["oldest", "to", "newest"], Order::Ascending),
    (&["a", "to", "z"], Order::Ascending),
    (&["newest", "first"], Order::Descending),
    (&["latest", "first"], Order::Descending),
    (&["highest", "first"], Order::Descending),
    (&["most", "expensive", "first"], Order::Descending),
    (&["oldest", "first"], Order::Ascending),
    (&["lowest", "first"], Order::Ascending),
    (&["cheapest", "first"], Order::Ascending),
    (&["descending"], Order::Descending),
    (&["a-z"], Order::Ascending),
    (&["z-a"], Order::Descending),
    (&["ascending"], Order::Ascending),
    (&["alphabetically"], Order::Ascending),
    (&["alphabetical"], Order::Ascending),
    (&["numerically"], Order::Ascending),
];

/// "sorted by price (in descending order)", "in alphabetical order". `object` begins with "sorted" or "in".
pub(crate) fn sorted(
    subject: Phrase<'_>,
    object: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Option<Result<Vec<Said>, Unclear>> {
    let is_sorted = object.starts_any(&["sorted", "ordered", "arranged"]);
    let in_order = object.has("order") && object.has_any(&["in"]) && direction(object).is_some();
    if !is_sorted && !in_order {
        return None;
    }
    Some(read(subject, object, nouns))
}

fn read(subject: Phrase<'_>, object: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Vec<Said>, Unclear> {
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
    let order = order.map_or(Order::Ascending, |(_, order)| order);
    Ok(vec![Said::plainly(About::Sorted { of: Some(of), by, order })])
}

fn begins_direction(phrase: Phrase<'_>) -> bool {
    DIRECTIONS.iter().any(|(words, _)| phrase.starts(words))
}

fn direction(object: Phrase<'_>) -> Option<(usize, Order)> {
    (0..object.len()).find_map(|at| {
        DIRECTIONS.iter().find(|(words, _)| object.from(at).starts(words)).map(|(_, order)| (at, *order))
    })
}

/// "before B", "after B", behind "comes", "is", "appears" or "is listed".
pub(crate) fn before(
    subject: Phrase<'_>,
    object: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Option<Result<Vec<Said>, Unclear>> {
    let is_before = object.starts_any(&["before"]);
    if !is_before && !object.starts_any(&["after"]) || object.len() < 2 {
        return None;
    }
    let (Some(own), Some(other)) = (nouns.target(subject), nouns.target(object.from(1))) else {
        return Some(Err("it does not say what comes before what".to_string()));
    };
    let (first, second) = if is_before { (own, other) } else { (other, own) };
    Some(Ok(vec![Said::plainly(About::Before { first, second })]))
}
