//! Claims about a change: what it is now, what it was before, by how much.

use crate::{About, ChangeIs};

use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::TokenKind;
use super::amount::{Strictness, matcher, number_is};
use super::clause::Clause;
use super::content::target_of;
use super::{BareClaim, Unclear, subject};

/// "changes to X" is X now, "goes from 3 to 4" was 3 before, "increases by 2" is 2 more.
pub(crate) fn changes(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let object = clause.object.trimmed();
    if let Some(how) = change(clause.said, object)?
        && !subject::is_title_or_url(clause.subject)
    {
        let target = target_of(clause.subject, nouns)?;
        return Ok(vec![BareClaim::plainly(About::Changed { target, how })]);
    }
    let Some(at) = object.find_last(&["to"]) else {
        return Err("it does not say what it is afterwards".to_string());
    };
    let value = object.from(at + 1);
    if let Some(text) = subject::address(clause.subject, value) {
        return Ok(vec![BareClaim::plainly(About::Url { text })]);
    }
    let text =
        matcher(value, Strictness::Whole).ok_or_else(|| format!("`{}` is not a text", value.text()))?;
    Ok(vec![BareClaim::plainly(subject::has_text(clause.subject, text, nouns)?)])
}

/// How a value changes; none where only the new one is given.
pub(crate) fn change(said: Phrase<'_>, object: Phrase<'_>) -> Result<Option<ChangeIs>, Unclear> {
    const MORE: &[&str] =
        &["increase", "increases", "increased", "rises", "rise", "rose", "grows", "grow", "grew", "up"];
    const LESS: &[&str] = &[
        "decrease",
        "decreases",
        "decreased",
        "drops",
        "drop",
        "dropped",
        "falls",
        "fall",
        "fell",
        "reduced",
        "down",
    ];
    let (more, less) = (said.has_any(MORE), said.has_any(LESS));
    let object = object.without_front(&["up", "down"]);
    if object.is_empty() {
        return Ok(Some(match (more, less) {
            (true, _) => ChangeIs::More,
            (_, true) => ChangeIs::Less,
            _ => ChangeIs::Different,
        }));
    }
    if object.starts_any(&["by"]) {
        let number = number_is(object.from(1)).filter(|(_, length)| length + 1 == object.len());
        let amount = match object.tokens {
            [_, one] if one.kind == TokenKind::Amount => {
                super::super::token::number(one.text.trim_matches(|c: char| !c.is_ascii_digit()))
            }
            _ => None,
        };
        return match (number, amount) {
            (Some((crate::NumberIs::Exactly(number), _)), _) | (_, Some(number)) => {
                Ok(Some(ChangeIs::By(if less { -number } else { number })))
            }
            _ => Err(format!("`{}` is not a number", object.from(1).text())),
        };
    }
    if object.starts_any(&["from"]) {
        let Some(at) = object.find_last(&["to"]).filter(|at| *at > 1) else {
            return Err("it does not say what it is afterwards".to_string());
        };
        let (from, to) = (object.part(1, at), object.from(at + 1));
        let both = matcher(from, Strictness::Whole).zip(matcher(to, Strictness::Whole));
        let (from, to) = both.ok_or_else(|| format!("`{}` are not two values", object.text()))?;
        return Ok(Some(ChangeIs::FromTo(from, to)));
    }
    Ok(None)
}
