//! The values of a script's parameters in a request: `screen=basket`, `older than 5`, `4 tickets`, `vip`.

use serde_json::{Map, Value};

use super::dates::{asks_for_iso_date, date_in, is_iso_date};
use super::fillers::{is_noise, is_story};
use super::lexicon;
use super::quantities::{Quantity, is_length_of_time, number, quantities, unit_in};
use super::synonyms::{is_same_word, terms};
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
    /// Its name and description: they may say a unit.
    about: String,
    stems: Vec<String>,
    allowed: Vec<String>,
    is_number: bool,
    is_integer: bool,
    is_boolean: bool,
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
            about: format!("{} {}", text(one, "name"), text(one, "description")).replace('_', " "),
            stems: words_of(&text(one, "name")).iter().map(|word| stem(word)).collect(),
            allowed: one
                .get("allowed")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(|value| value.as_str().map(str::to_string))
                .collect(),
            is_number: matches!(text(one, "type").as_str(), "integer" | "number"),
            is_integer: text(one, "type") == "integer",
            is_boolean: text(one, "type") == "boolean",
            is_required: one.get("required").and_then(Value::as_bool).unwrap_or(false),
        })
        .collect();
    let mut found = Params::default();
    let numbers = quantities(tokens);
    for one in &declared {
        let taken = found.used.clone();
        let is_free = |at: usize| !taken.contains(&at);
        let is_open = |at: usize| is_free(at) && (!skip[at] || tokens[at].is_mark);
        let date = || match asks_for_iso_date(&one.about) {
            true => date_in(tokens, &is_open),
            false => None,
        };
        if one.is_boolean {
            if let Some((places, value)) = said_or_refused(one, tokens, &is_open) {
                found.used.extend(places);
                take(&mut found, one, value.to_string());
            }
            continue;
        }
        let value = after_name(one, tokens, &numbers, &is_open)
            .filter(|(_, value)| !asks_for_iso_date(&one.about) || is_iso_date(value))
            .or_else(date)
            .or_else(|| number_before(one, tokens, &numbers, skip, &is_free));
        let value = match value {
            Some(value) => Some(value),
            None => match allowed_words(one, &declared, tokens, skip, &is_free).as_slice() {
                [] => None,
                [(place, value)] => Some((vec![*place], value.clone())),
                several => {
                    let said: Vec<String> = several.iter().map(|(_, value)| value.clone()).collect();
                    found.misfit.get_or_insert((one.name.clone(), said.join(" and "), one.allowed.clone()));
                    None
                }
            },
        };
        if let Some((places, value)) = value {
            found.used.extend(places);
            take(&mut found, one, value);
        }
    }
    // One number, and one parameter that takes one.
    let open: Vec<&Declared> =
        declared.iter().filter(|one| one.is_number && !found.values.contains_key(&one.name)).collect();
    let free: Vec<&Quantity> = numbers
        .iter()
        .filter(|one| !skip[one.from] && (one.from..one.to).all(|at| !found.used.contains(&at)))
        .collect();
    if let ([one], [quantity]) = (open.as_slice(), free.as_slice())
        && (quantity.has_unit() || unit_in(&one.about).is_none() || counts_nothing(tokens, quantity.to))
        && let Some(value) = quantity.in_unit_of(&one.about)
    {
        found.used.extend(quantity.from..quantity.to);
        take(&mut found, one, value);
    }
    // One word that looks like a value, and one text that is open.
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
        .filter(|at| !skip[*at] && !found.used.contains(at))
        .filter(|at| {
            is_value(&tokens[*at])
                || texts.iter().any(|one| one.is_numbered() && is_number(&tokens[*at].text))
        })
        .collect();
    if let ([one], [at]) = (texts.as_slice(), files.as_slice()) {
        found.used.push(*at);
        let value = whole_quote(tokens, *at).unwrap_or_else(|| tokens[*at].raw.clone());
        take(&mut found, one, value.trim_start_matches('#').to_string());
    }
    // One name, and one text that asks for a name: "on the Aurora".
    if let ([one], []) = (texts.as_slice(), files.as_slice())
        && one.is_called()
        && let Some(places) = proper_name(tokens, skip, &found.used)
    {
        take(&mut found, one, said(&tokens[places.0..places.1]));
        found.used.extend(places.0..places.1);
    }
    // "older than yesterday": its name is said, and its value is none.
    for one in declared.iter().filter(|one| one.stems.len() > 1 && !found.values.contains_key(&one.name)) {
        let said = (0..tokens.len())
            .filter(|at| !skip[*at])
            .find_map(|at| tokens.get(at + name_at(one, tokens, at)?).filter(|next| !next.is_mark));
        if let Some(next) = said {
            found.misfit.get_or_insert((one.name.clone(), next.raw.clone(), one.allowed.clone()));
        }
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
    let is_part = one.is_integer && value.contains('.');
    let is_other_form = asks_for_iso_date(&one.about) && !is_iso_date(&value);
    if !fits || is_other_form || is_part || one.is_number && !is_number(&value) {
        found.misfit.get_or_insert((one.name.clone(), value, one.allowed.clone()));
        return;
    }
    let known = one.allowed.iter().find(|allowed| allowed.eq_ignore_ascii_case(&value)).cloned();
    found.values.insert(one.name.clone(), Value::String(known.unwrap_or(value)));
}

/// Whether a number counts no things: "5 customers" are not 5 minutes.
fn counts_nothing(tokens: &[Token], to: usize) -> bool {
    tokens.get(to).is_none_or(|next| next.is_mark || is_noise(&next.text))
}

impl Declared {
    /// Whether a number may be its text: an order number, an id.
    fn is_numbered(&self) -> bool {
        words_of(&self.about).iter().any(|word| matches!(word.as_str(), "number" | "id" | "code" | "no"))
    }

    /// Whether its text is the name of somebody or something.
    fn is_called(&self) -> bool {
        words_of(&self.about).iter().any(|word| word == "name")
    }
}

/// The only words in capitals that begin no sentence, and that nothing else is called.
fn proper_name(tokens: &[Token], skip: &[bool], used: &[usize]) -> Option<(usize, usize)> {
    let is_name = |at: usize| {
        let token = &tokens[at];
        let is_own = token.raw.starts_with(char::is_uppercase) && token.raw.chars().all(char::is_alphabetic);
        let begins = at == 0 || tokens[at - 1].is_mark && !tokens[at - 1].is(",");
        let is_known = lexicon::is_word(&token.text) || is_story(&token.stem());
        !token.is_mark
            && !skip[at]
            && !used.contains(&at)
            && is_own
            && !begins
            && !is_known
            && token.text != "i"
    };
    let from = (0..tokens.len()).find(|at| is_name(*at))?;
    let to = (from..tokens.len()).find(|at| !is_name(*at)).unwrap_or(tokens.len());
    (to..tokens.len()).all(|at| !is_name(at)).then_some((from, to))
}

/// `LM-804`, `#4711`, `tomas@mail.example`; no ordinal, and no `30min`.
fn is_code_like(text: &str) -> bool {
    let has_digit = text.contains(|one: char| one.is_ascii_digit());
    let has_other = text.starts_with('#') || text.contains(char::is_alphabetic);
    let figures = text.trim_start_matches(|one: char| one.is_ascii_digit());
    let is_ordinal = matches!(figures, "st" | "nd" | "rd" | "th");
    text.contains('@') || has_digit && has_other && text.len() > 2 && !is_ordinal && !is_length_of_time(text)
}

/// `season.csv`, `2027-03-31`, a code, or what stands in quotes.
fn is_value(token: &Token) -> bool {
    let text = &token.text;
    let is_file = text
        .rsplit_once('.')
        .is_some_and(|(_, ending)| ending.len() <= 5 && ending.starts_with(|one: char| one.is_alphabetic()));
    let is_date = text.contains(['-', '/', '.']) && text.starts_with(|one: char| one.is_ascii_digit());
    !text.contains(':') && (is_file || is_date || is_code_like(text) || token.quote.is_some())
}

fn is_number(text: &str) -> bool {
    number(text).is_some()
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
    numbers: &[Quantity],
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
        let quantity = numbers.iter().find(|quantity| one.is_number && quantity.from == place);
        let fits = match one.is_number {
            true => quantity.is_some() || is_number(&token.text),
            false => one.allowed.is_empty() || is_allowed,
        };
        let is_word = token.quote.is_some() || !is_noise(&token.text);
        if is_said || fits && (is_allowed || one.is_number || is_word) {
            // In a unit that the parameter does not have: not a value that can be used.
            let to = quantity.map_or(place + 1, |quantity| quantity.to);
            let unusable = || said(&tokens[place..to]);
            let raw = quantity.map(|quantity| quantity.in_unit_of(&one.about).unwrap_or_else(unusable));
            let value = whole_quote(tokens, place).or(raw).unwrap_or_else(|| token.raw.clone());
            return Some(((at..to).collect(), value));
        }
        // `venue garage`, where there is no garage.
        if place > at + length && !one.allowed.is_empty() && is_word {
            return Some(((at..=place).collect(), token.raw.clone()));
        }
    }
    None
}

/// `rehearsal`, `rehearsal=false`, `no rehearsal`, `not as a rehearsal`.
fn said_or_refused(
    one: &Declared,
    tokens: &[Token],
    is_free: &dyn Fn(usize) -> bool,
) -> Option<(Vec<usize>, &'static str)> {
    let value = |word: &str| match word {
        "true" | "yes" | "on" => Some("true"),
        "false" | "no" | "off" => Some("false"),
        _ => None,
    };
    (0..tokens.len()).filter(|at| is_free(*at)).find_map(|at| {
        let mut to = at + name_at(one, tokens, at)?;
        while tokens.get(to).is_some_and(|token| {
            token.is("=") || token.is(":") || matches!(token.text.as_str(), "is" | "to" | "be")
        }) {
            to += 1;
        }
        if let Some(value) = tokens.get(to).and_then(|token| value(&token.text)) {
            return Some(((at..=to).collect(), value));
        }
        let is_link = |place: &usize| {
            matches!(
                tokens[*place].text.as_str(),
                "a" | "an" | "the" | "any" | "as" | "in" | "for" | "with" | "just"
            )
        };
        let before = (0..at).rev().take(4).find(|place| !is_link(place));
        let refuses = before.filter(|place| {
            matches!(tokens[*place].text.as_str(), "no" | "not" | "without" | "never" | "skip")
        });
        Some(match refuses {
            Some(from) => ((from..to).collect(), "false"),
            None => ((at..to).collect(), "true"),
        })
    })
}

/// Words as they were written.
fn said(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.raw.as_str()).collect::<Vec<_>>().join(" ")
}

fn whole_quote(tokens: &[Token], at: usize) -> Option<String> {
    let quote = tokens[at].quote?;
    let length = tokens[at..].iter().take_while(|token| token.quote == Some(quote)).count();
    Some(said(&tokens[at..at + length]))
}

/// `4 tickets`, `six balcony tickets`, `4 vip places`.
fn number_before(
    one: &Declared,
    tokens: &[Token],
    numbers: &[Quantity],
    skip: &[bool],
    is_free: &dyn Fn(usize) -> bool,
) -> Option<(Vec<usize>, String)> {
    if !one.is_number {
        return None;
    }
    let keys: Vec<String> = terms(&one.stems).into_iter().map(|term| term.key).collect();
    (0..tokens.len()).find_map(|at| {
        let said = terms(&[tokens[at].stem()]);
        let is_named = name_at(one, tokens, at).is_some()
            || keys.len() == 1 && said.iter().any(|term| is_same_word(&term.key, &keys[0]));
        let is_near = |quantity: &&Quantity| quantity.to <= at && at - quantity.to <= 1;
        let mut before = numbers.iter().rev().filter(is_near);
        let quantity = before.find(|quantity| is_free(quantity.from) && !skip[quantity.from]);
        let quantity = quantity.filter(|_| is_named)?;
        let places = (quantity.from..quantity.to).chain(std::iter::once(at)).collect();
        Some((places, quantity.in_unit_of(&one.about)?))
    })
}

/// Words that only one parameter allows, in any of their forms: each value once.
fn allowed_words(
    one: &Declared,
    declared: &[Declared],
    tokens: &[Token],
    skip: &[bool],
    is_free: &dyn Fn(usize) -> bool,
) -> Vec<(usize, String)> {
    let key = |word: &str| -> Option<String> {
        let stems: Vec<String> = words_of(word).iter().map(|part| stem(part)).collect();
        match terms(&stems).as_slice() {
            [term] => Some(term.key.clone()),
            _ => None,
        }
    };
    let value = |one: &Declared, word: &str| -> Option<String> {
        let exact = one.allowed.iter().find(|allowed| allowed.eq_ignore_ascii_case(word));
        let by_meaning =
            || one.allowed.iter().find(|allowed| key(allowed).is_some() && key(allowed) == key(word));
        exact.or_else(by_meaning).cloned()
    };
    let mut found: Vec<(usize, String)> = Vec::new();
    for at in (0..tokens.len()).filter(|at| !skip[*at] && is_free(*at) && !tokens[*at].is_mark) {
        let word = &tokens[at].text;
        let is_only = declared.iter().filter(|other| value(other, word).is_some()).count() == 1;
        if let Some(value) = value(one, word).filter(|_| is_only)
            && !found.iter().any(|(_, known)| *known == value)
        {
            found.push((at, value));
        }
    }
    found
}
