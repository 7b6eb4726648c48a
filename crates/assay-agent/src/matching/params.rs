//! The values of a script's parameters in a request: `screen=basket`, `older than 5`, `4 tickets`, `vip`.

use serde_json::{Map, Value};

use super::lexicon::is_noise;
use super::tokens::{Token, stem, words_of};

/// What was found, and what is wrong with it.
#[derive(Debug, Default)]
pub(super) struct Params {
    pub values: Map<String, Value>,
    /// A value that a parameter cannot have, with those that it can.
    pub misfit: Option<(String, String, Vec<String>)>,
    /// The first parameter without a value that needs one.
    pub missing: Option<(String, Vec<String>)>,
    /// The places of words that were values or names of parameters.
    pub used: Vec<usize>,
}

struct Declared {
    name: String,
    stems: Vec<String>,
    allowed: Vec<String>,
    is_number: bool,
    is_required: bool,
}

/// `skip` are the words that say which script, and which device.
pub(super) fn params(script: &Value, tokens: &[Token], skip: &[bool]) -> Params {
    let text =
        |value: &Value, field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default().to_string();
    let declared: Vec<Declared> = script
        .get("parameters")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|one| Declared {
            name: text(one, "name"),
            stems: words_of(&text(one, "name")).iter().map(|word| stem(word)).collect(),
            allowed: one
                .get("allowed")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(|value| value.as_str().map(str::to_string))
                .collect(),
            is_number: matches!(text(one, "type").as_str(), "integer" | "number"),
            is_required: one.get("required").and_then(Value::as_bool).unwrap_or(false),
        })
        .collect();
    let mut found = Params::default();
    for one in &declared {
        let taken = found.used.clone();
        let is_free = |at: usize| !taken.contains(&at);
        let value = after_name(one, tokens, &is_free)
            .or_else(|| number_before(one, tokens, skip, &is_free))
            .or_else(|| allowed_word(one, &declared, tokens, skip, &is_free));
        if let Some((places, value)) = value {
            found.used.extend(places);
            take(&mut found, one, value);
        }
    }
    // One number, and one parameter that takes one.
    let open: Vec<&Declared> =
        declared.iter().filter(|one| one.is_number && !found.values.contains_key(&one.name)).collect();
    let numbers: Vec<usize> = (0..tokens.len())
        .filter(|at| !skip[*at] && !found.used.contains(at) && is_number(&tokens[*at].text))
        .collect();
    if let ([one], [at]) = (open.as_slice(), numbers.as_slice()) {
        found.used.push(*at);
        take(&mut found, one, tokens[*at].raw.clone());
    }
    // One file, and one text that is open.
    let texts: Vec<&Declared> = declared
        .iter()
        .filter(|one| {
            one.is_required
                && !one.is_number
                && one.allowed.is_empty()
                && !found.values.contains_key(&one.name)
        })
        .collect();
    let files: Vec<usize> = (0..tokens.len())
        .filter(|at| !skip[*at] && !found.used.contains(at) && is_file(&tokens[*at].text))
        .collect();
    if let ([one], [at]) = (texts.as_slice(), files.as_slice()) {
        found.used.push(*at);
        take(&mut found, one, tokens[*at].raw.clone());
    }
    if found.misfit.is_none() {
        let missing = declared.iter().find(|one| one.is_required && !found.values.contains_key(&one.name));
        found.missing = missing.map(|one| (one.name.clone(), one.allowed.clone()));
    }
    found
}

fn take(found: &mut Params, one: &Declared, value: String) {
    let fits =
        one.allowed.is_empty() || one.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(&value));
    if !fits || one.is_number && !is_number(&value) {
        found.misfit.get_or_insert((one.name.clone(), value, one.allowed.clone()));
        return;
    }
    let known = one.allowed.iter().find(|allowed| allowed.eq_ignore_ascii_case(&value)).cloned();
    found.values.insert(one.name.clone(), Value::String(known.unwrap_or(value)));
}

/// `season.csv`.
fn is_file(text: &str) -> bool {
    let ending = text.rsplit_once('.').map(|(_, ending)| ending);
    !text.contains(':')
        && ending
            .is_some_and(|ending| ending.len() <= 5 && ending.starts_with(|one: char| one.is_alphabetic()))
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Where the name of a parameter stands: `older_than`, or `older than`.
fn name_at(one: &Declared, tokens: &[Token], at: usize) -> Option<usize> {
    if tokens[at].is_mark {
        return None;
    }
    if tokens[at].text.replace('-', "_") == one.name.to_lowercase() {
        return Some(1);
    }
    let length = one.stems.len();
    let span = tokens.get(at..at + length)?;
    span.iter().zip(&one.stems).all(|(token, stem)| !token.is_mark && token.stem() == *stem).then_some(length)
}

/// `NAME=VALUE`, `NAME: VALUE`, `NAME is VALUE`, `NAME VALUE`.
fn after_name(
    one: &Declared,
    tokens: &[Token],
    is_free: &dyn Fn(usize) -> bool,
) -> Option<(Vec<usize>, String)> {
    for at in 0..tokens.len() {
        let Some(length) = name_at(one, tokens, at).filter(|_| is_free(at)) else { continue };
        let mut place = at + length;
        let mut is_said = false;
        while let Some(token) = tokens.get(place) {
            let joins = token.is("=")
                || token.is(":")
                || matches!(token.text.as_str(), "is" | "to" | "of" | "as" | "be");
            if !joins {
                break;
            }
            is_said |= token.is("=") || token.is(":");
            place += 1;
        }
        let Some(token) = tokens.get(place).filter(|token| !token.is_mark && is_free(place)) else {
            continue;
        };
        let is_allowed = one.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(&token.raw));
        let fits = if one.is_number { is_number(&token.text) } else { one.allowed.is_empty() || is_allowed };
        let is_word = token.quote.is_some() || !is_noise(&token.text);
        if is_said || fits && (is_allowed || one.is_number || is_word) {
            let value = whole_quote(tokens, place).unwrap_or_else(|| token.raw.clone());
            return Some(((at..=place).collect(), value));
        }
        // `venue garage`, where there is no garage.
        if place > at + length && !one.allowed.is_empty() && is_word {
            return Some(((at..=place).collect(), token.raw.clone()));
        }
    }
    None
}

fn whole_quote(tokens: &[Token], at: usize) -> Option<String> {
    let quote = tokens[at].quote?;
    let words: Vec<&str> = tokens[at..]
        .iter()
        .take_while(|token| token.quote == Some(quote))
        .map(|token| token.raw.as_str())
        .collect();
    Some(words.join(" "))
}

/// `4 tickets`, `6 balcony tickets`.
fn number_before(
    one: &Declared,
    tokens: &[Token],
    skip: &[bool],
    is_free: &dyn Fn(usize) -> bool,
) -> Option<(Vec<usize>, String)> {
    if !one.is_number {
        return None;
    }
    (0..tokens.len()).find_map(|at| {
        name_at(one, tokens, at)?;
        let from = at.saturating_sub(2);
        let number = (from..at)
            .rev()
            .find(|place| is_free(*place) && !skip[*place] && is_number(&tokens[*place].text))?;
        Some((vec![number, at], tokens[number].raw.clone()))
    })
}

/// A word that only one parameter allows.
fn allowed_word(
    one: &Declared,
    declared: &[Declared],
    tokens: &[Token],
    skip: &[bool],
    is_free: &dyn Fn(usize) -> bool,
) -> Option<(Vec<usize>, String)> {
    let allows =
        |one: &Declared, word: &str| one.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(word));
    let at = (0..tokens.len()).find(|at| {
        let word = &tokens[*at].text;
        let is_only = declared.iter().filter(|other| allows(other, word)).count() == 1;
        !skip[*at] && is_free(*at) && allows(one, word) && is_only
    })?;
    Some((vec![at], tokens[at].raw.clone()))
}
