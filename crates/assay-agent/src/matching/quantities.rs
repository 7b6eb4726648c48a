//! Numbers in words and figures, and the units of time behind them: `six`, `2 hours`, `a week`.

use super::tokens::{Token, stem};

const NUMBERS: &[(&str, u64)] = &[
    ("zero", 0),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("hundred", 100),
    ("dozen", 12),
];

/// Units of time, in seconds; months and years have no fixed length.
const UNITS: &[(&str, Option<f64>)] = &[
    ("second", Some(1.0)),
    ("minute", Some(60.0)),
    ("hour", Some(3600.0)),
    ("day", Some(86_400.0)),
    ("week", Some(604_800.0)),
    ("fortnight", Some(1_209_600.0)),
    ("month", None),
    ("year", None),
];

/// A number that stands in a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantity {
    pub from: usize,
    pub to: usize,
    /// None where it is vague: "a few hours".
    value: Option<f64>,
    unit: Option<&'static str>,
}

pub(super) fn number(word: &str) -> Option<String> {
    if word.parse::<f64>().is_ok_and(f64::is_finite) && !word.contains("inf") {
        return Some(word.to_string());
    }
    NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, value)| value.to_string())
}

fn unit(word: &str) -> Option<&'static str> {
    let stem_of_word = stem(word);
    UNITS.iter().map(|(name, _)| *name).find(|name| {
        stem(name) == stem_of_word
            || matches!(
                (*name, word),
                ("second", "sec" | "secs") | ("minute", "min" | "mins") | ("hour", "h" | "hr" | "hrs")
            )
    })
}

/// `30min`, `2h`, `45m`.
fn number_with_unit(word: &str) -> Option<(f64, &'static str)> {
    let end = word.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (figures, rest) = word.split_at(end);
    let unit = match rest {
        "s" => "second",
        "m" => "minute",
        "d" => "day",
        "w" => "week",
        _ => unit(rest)?,
    };
    Some((figures.parse().ok()?, unit))
}

pub(super) fn is_length_of_time(word: &str) -> bool {
    number_with_unit(word).is_some()
}

/// The words of a request, marks and what lies behind the end as an empty one.
struct Words<'t>(&'t [Token]);

impl Words<'_> {
    fn at(&self, place: usize) -> &str {
        self.0.get(place).filter(|token| !token.is_mark).map_or("", |token| token.text.as_str())
    }

    fn unit_at(&self, place: usize) -> Option<&'static str> {
        // `metres=2 minutes=30`: what has a value of its own is no unit.
        let is_set = self.0.get(place + 1).is_some_and(|next| next.is_mark && next.is("="));
        unit(self.at(place)).filter(|_| !is_set)
    }

    /// `five`, `2.5`, `twenty-five`, `two hundred`.
    fn number_at(&self, place: usize) -> Option<(f64, usize)> {
        let plain = |word: &str| number(word).and_then(|value| value.parse::<f64>().ok());
        let word = self.at(place);
        let joined = || {
            let (tens, ones) = word.split_once('-')?;
            Some(plain(tens)? + plain(ones).filter(|_| tens.ends_with("ty"))?)
        };
        let mut value = plain(word).or_else(joined)?;
        let mut to = place + 1;
        if let Some(ones) = plain(self.at(to)).filter(|ones| word.ends_with("ty") && *ones < 10.0) {
            value += ones;
            to += 1;
        }
        while let Some(factor) = plain(self.at(to)).filter(|_| matches!(self.at(to), "hundred" | "dozen")) {
            value *= factor;
            to += 1;
        }
        Some((value, to))
    }

    /// What stands before a unit or a thing, and whether it needs a unit to be a quantity.
    fn amount_at(&self, place: usize) -> Option<(Option<f64>, usize, bool)> {
        let skip = |mut to: usize| {
            while matches!(self.at(to), "of" | "a" | "an") {
                to += 1;
            }
            to
        };
        match self.at(place) {
            // "the guest one" is no number, and "a second driver" no time.
            "a" | "an" if self.at(place + 1) == "second" => None,
            "a" | "an" => match self.at(place + 1) {
                "half" | "quarter" | "couple" | "pair" | "few" => self.amount_at(place + 1),
                "hundred" | "dozen" => self.number_at(place + 1).map(|(value, to)| (Some(value), to, false)),
                _ => Some((Some(1.0), place + 1, true)),
            },
            "half" => match self.at(skip(place + 1)) {
                "dozen" => Some((Some(6.0), skip(place + 1) + 1, false)),
                _ => Some((Some(0.5), skip(place + 1), true)),
            },
            "quarter" => Some((Some(0.25), skip(place + 1), true)),
            "couple" | "pair" => Some((Some(2.0), skip(place + 1), false)),
            "few" | "several" | "some" | "many" => Some((None, skip(place + 1), true)),
            word => {
                let (value, to) = self.number_at(place)?;
                match self.at(to) {
                    "quarter" | "quarters" => Some((Some(value / 4.0), skip(to + 1), true)),
                    "and" if self.is_half(to) => Some((Some(value + 0.5), to + 3, false)),
                    _ => Some((Some(value), to, word == "one" && to == place + 1)),
                }
            }
        }
    }

    /// "and a half"
    fn is_half(&self, place: usize) -> bool {
        self.at(place) == "and" && self.at(place + 1) == "a" && self.at(place + 2) == "half"
    }

    fn quantity_at(&self, from: usize) -> Option<Quantity> {
        if let Some((value, unit)) = number_with_unit(self.at(from)) {
            return Some(Quantity { from, to: from + 1, value: Some(value), unit: Some(unit) });
        }
        let (value, to, needs_unit) = self.amount_at(from)?;
        let Some(unit) = self.unit_at(to) else {
            return (!needs_unit).then_some(Quantity { from, to, value, unit: None });
        };
        match self.is_half(to + 1) {
            true => {
                Some(Quantity { from, to: to + 4, value: value.map(|value| value + 0.5), unit: Some(unit) })
            }
            false => Some(Quantity { from, to: to + 1, value, unit: Some(unit) }),
        }
    }
}

/// All numbers; "an hour" and "a week" are one of these, and "an hour and 30 minutes" is one number.
pub(super) fn quantities(tokens: &[Token]) -> Vec<Quantity> {
    let words = Words(tokens);
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(quantity) = words.quantity_at(at) else {
            at += 1;
            continue;
        };
        at = quantity.to;
        match found.last_mut().and_then(|last| last.with(&quantity, &words)) {
            Some(sum) => {
                found.pop();
                found.push(sum);
            }
            None => found.push(quantity),
        }
    }
    found
}

fn seconds(unit: &str) -> Option<f64> {
    UNITS.iter().find(|(name, _)| *name == unit).and_then(|(_, seconds)| *seconds)
}

impl Quantity {
    pub fn covers(&self, place: usize) -> bool {
        self.from <= place && place < self.to
    }

    /// Whether it is said as a length of time.
    pub fn has_unit(&self) -> bool {
        self.unit.is_some()
    }

    /// "an hour and 30 minutes"
    fn with(&self, next: &Quantity, words: &Words<'_>) -> Option<Quantity> {
        let is_near = self.to == next.from || self.to + 1 == next.from && words.at(self.to) == "and";
        let (long, short) = (seconds(self.unit?)?, seconds(next.unit?)?);
        let value = self.value? * long / short + next.value?;
        (is_near && short < long).then_some(Quantity {
            from: self.from,
            to: next.to,
            value: Some(value),
            unit: next.unit,
        })
    }

    /// The number in the unit that a text asks for: `2 hours` are 120 where it speaks of minutes.
    pub fn in_unit_of(&self, text: &str) -> Option<String> {
        let value = match (self.unit, unit_in(text)) {
            (Some(said), Some(wanted)) if said != wanted => {
                let all = self.value? * seconds(said)? / seconds(wanted)?;
                (all.fract() == 0.0).then_some(all)
            }
            (Some(_), None) => None,
            _ => self.value,
        };
        value.map(|value| value.to_string())
    }
}

/// The unit that a text speaks of.
pub(super) fn unit_in(text: &str) -> Option<&'static str> {
    text.to_lowercase().split(|letter: char| !letter.is_alphanumeric()).find_map(unit)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[track_caller]
    fn check(request: &str, text: &str, expected: &[Option<&str>]) {
        let found: Vec<Option<String>> =
            quantities(&tokens(request)).iter().map(|one| one.in_unit_of(text)).collect();
        let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
        assert_eq!(found, expected, "{request}");
    }

    #[test]
    fn numbers_come_in_the_unit_that_is_asked_for() {
        check("six standing places", "How many tickets", &[Some("6")]);
        check("older than 2 hours", "Minutes without a change", &[Some("120")]);
        check("a week ahead", "Days ahead", &[Some("7")]);
        check("the next 3 days", "Days ahead", &[Some("3")]);
        check("90 minutes ago", "Hours", &[None]);
        check("3 days", "How many tickets", &[None]);
        check("the guest one", "How many tickets", &[]);
        check("half an hour", "Minutes without a change", &[Some("30")]);
        check("1.5 hours", "Minutes", &[Some("90")]);
        check("an hour and a half", "Minutes", &[Some("90")]);
        check("one and a half hours", "Minutes", &[Some("90")]);
        check("an hour and 20 minutes", "Minutes", &[Some("80")]);
        check("45min", "Minutes", &[Some("45")]);
        check("three quarters of an hour", "Minutes", &[Some("45")]);
        check("twenty-five vip places", "How many tickets", &[Some("25")]);
        check("half a dozen tickets, a couple of vans", "How many", &[Some("6"), Some("2")]);
        check("older than a few hours", "Minutes", &[None]);
        check("older than 2 months", "Minutes", &[None]);
        check("a second driver", "Seconds", &[]);
        check("metres=2.5 minutes=30", "Height in metres", &[Some("2.5"), Some("30")]);
    }
}
