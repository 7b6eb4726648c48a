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
    ("fifteen", 15),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("hundred", 100),
    ("dozen", 12),
];

/// Units, in seconds.
const UNITS: &[(&str, u64)] =
    &[("second", 1), ("minute", 60), ("hour", 3600), ("day", 86_400), ("week", 604_800)];

/// A number that stands in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quantity {
    pub from: usize,
    pub to: usize,
    /// As it is said.
    value: String,
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
            || matches!((*name, word), ("minute", "min" | "mins") | ("hour", "h" | "hrs"))
    })
}

/// All numbers; "an hour" and "a week" are one of these.
pub(super) fn quantities(tokens: &[Token]) -> Vec<Quantity> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| !token.is_mark) {
        let unit = tokens.get(at + 1).filter(|next| !next.is_mark).and_then(|next| unit(&next.text));
        let value = match token.text.as_str() {
            "a" | "an" if unit.is_some() => Some("1".to_string()),
            // "the guest one" is no number.
            "one" if unit.is_none() => None,
            word => number(word),
        };
        if let Some(value) = value {
            found.push(Quantity { from: at, to: at + 1 + usize::from(unit.is_some()), value, unit });
        }
    }
    found
}

impl Quantity {
    /// The number in the unit that a text asks for: `2 hours` are 120 where it speaks of minutes.
    pub fn in_unit_of(&self, text: &str) -> Option<String> {
        let wanted = text.to_lowercase().split(|letter: char| !letter.is_alphanumeric()).find_map(unit);
        let seconds = |unit: &str| UNITS.iter().find(|(name, _)| *name == unit).map(|(_, seconds)| *seconds);
        match (self.unit, wanted) {
            (Some(said), Some(wanted)) if said != wanted => {
                let all = self.value.parse::<u64>().ok()?.checked_mul(seconds(said)?)?;
                let unit = seconds(wanted)?;
                (all % unit == 0).then(|| (all / unit).to_string())
            }
            (Some(_), None) => None,
            _ => Some(self.value.clone()),
        }
    }
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
    }
}
