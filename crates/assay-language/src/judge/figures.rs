//! Numbers as people write them, with their units. An ambiguous number is not read at all.

/// A number in a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    /// None when it can be read in more than one way: `1.000`, `(15)`, `1e6`.
    pub(crate) value: Option<f64>,
    /// What stands before it in the text, without its sign and the sign of a currency.
    pub(crate) before: String,
    /// What stands behind it, without a word that multiplies it.
    pub(crate) behind: String,
    /// The sign of a currency or `%`, wherever it stands.
    pub(crate) sign: Option<char>,
}

/// Words behind a number that make it another one: `5 lb` is not 5.
const UNITS: &[&str] = &[
    "lb", "lbs", "kg", "g", "mg", "t", "oz", "km", "m", "cm", "mm", "mi", "ft", "in", "yd", "l", "ml", "gal",
    "h", "hr", "hrs", "hour", "hours", "min", "mins", "minute", "minutes", "s", "sec", "secs", "second",
    "seconds", "ms", "day", "days", "week", "weeks", "month", "months", "year", "years", "yr", "yrs", "px",
    "kb", "mb", "gb", "tb", "kib", "mib", "gib", "w", "kw", "kwh", "v", "hz", "mhz", "ghz", "c", "f",
    "percent", "usd", "eur", "gbp", "chf", "jpy", "cad", "aud", "inr", "pln", "sek", "nok", "dkk", "czk",
    "dollar", "dollars", "euro", "euros", "pound", "pounds", "cents", "pts", "points", "km/h", "mph",
];

/// Ways to write one currency or unit.
const ALIKE: &[&[&str]] = &[
    &["$", "usd", "dollar", "dollars"],
    &["€", "eur", "euro", "euros"],
    &["£", "gbp", "pound", "pounds"],
    &["¥", "jpy", "yen"],
    &["₹", "inr", "rupees"],
    &["%", "percent"],
    &["kg", "kilogram", "kilograms"],
    &["h", "hr", "hrs", "hour", "hours"],
    &["min", "mins", "minute", "minutes"],
    &["s", "sec", "secs", "second", "seconds"],
];

impl Figure {
    /// The currency sign, `%`, or the unit behind it, in lower case.
    fn unit(&self) -> Option<String> {
        if let Some(sign) = self.sign {
            return Some(sign.to_string());
        }
        let rest = self.behind.trim_start_matches(['\u{a0}', '\u{202f}', ' ']);
        if rest.starts_with('°') {
            return Some("°".to_string());
        }
        let word: String =
            rest.chars().take_while(|letter| letter.is_alphabetic() || *letter == '/').collect();
        let word = word.to_lowercase();
        let before = self.before.trim_end().rsplit(|letter: char| !letter.is_alphabetic()).next();
        let before = before.unwrap_or_default().to_lowercase();
        let is_code = |word: &str| word.len() == 3 && ALIKE.iter().any(|ways| ways.contains(&word));
        if UNITS.contains(&word.as_str()) { Some(word) } else { is_code(&before).then_some(before) }
    }

    /// Whether it is more than a bare number. The sign of a currency is often left out.
    pub(crate) fn has_unit(&self) -> bool {
        self.unit().is_some_and(|unit| !unit.starts_with(is_currency))
    }

    /// Whether it is an amount in this currency or unit; none where it has no unit.
    pub(crate) fn is_in(&self, unit: &str) -> Option<bool> {
        let (own, wanted) = (self.unit()?, unit.to_lowercase());
        let alike = |ways: &&[&str]| ways.contains(&own.as_str()) && ways.contains(&wanted.as_str());
        Some(own == wanted || ALIKE.iter().any(alike))
    }
}

/// All numbers in a text: `$1,234.50` is one, `1.234,50 €` is the same one.
pub(crate) fn figures(text: &str) -> Vec<Figure> {
    let letters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        if !letters[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < letters.len()
            && (letters[at].is_ascii_digit()
                || (matches!(letters[at], '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}')
                    && letters.get(at + 1).is_some_and(char::is_ascii_digit)))
        {
            at += 1;
        }
        let written: String = letters[start..at].iter().collect();
        found.push(figure(&letters, start, at, &written));
    }
    found
}

/// The numbers that can be read in one way only.
pub(crate) fn numbers(text: &str) -> Vec<f64> {
    figures(text).into_iter().filter_map(|figure| figure.value).collect()
}

fn is_currency(letter: char) -> bool {
    matches!(letter, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₩' | '₺')
}

fn figure(letters: &[char], start: usize, end: usize, written: &str) -> Figure {
    // Backwards over blanks and the sign of a currency to a minus or a bracket.
    let mut front = start;
    let mut sign = None;
    while front > 0 && (is_currency(letters[front - 1]) || (letters[front - 1] == ' ' && sign.is_some())) {
        sign = Some(letters[front - 1]).filter(|letter| is_currency(*letter)).or(sign);
        front -= 1;
    }
    let mark = front.checked_sub(1).map(|place| letters[place]);
    let earlier = front.checked_sub(2).map(|place| letters[place]);
    let is_minus = matches!(mark, Some('-' | '\u{2212}')) && !earlier.is_some_and(char::is_alphanumeric);
    if is_minus || mark == Some('(') {
        front -= 1;
    }
    let rest: String = letters[end..].iter().collect();
    let (factor, behind) = multiplied(&rest);
    let behind_sign =
        behind.trim_start().chars().next().filter(|letter| is_currency(*letter) || *letter == '%');
    let in_brackets =
        mark == Some('(') && behind.trim_start_matches(is_currency).trim_start().starts_with(')');
    let before: String = letters[..front].iter().collect();
    let value = read_number(written).zip(factor).and_then(|(number, factor)| {
        let number = number * factor;
        if is_minus {
            return Some(-number);
        }
        if !in_brackets {
            return Some(number);
        }
        // `(15.00)` is how accountants write a debt, `Inbox (3)` is a count, and `(15)` may be either.
        let is_sum = sign.is_some() || written.contains(['.', ',']) || behind_sign.is_some();
        let is_count = before.trim_end().ends_with(char::is_alphanumeric);
        match (is_sum, is_count) {
            (true, _) => Some(-number),
            (false, true) => Some(number),
            (false, false) => None,
        }
    });
    Figure { value, before, behind, sign: sign.or(behind_sign) }
}

/// What a word behind a number multiplies it by, and what is left; no factor when the word can mean two things.
fn multiplied(rest: &str) -> (Option<f64>, String) {
    let close = rest.trim_start_matches(['\u{a0}', ' ']);
    let is_close = close.len() == rest.len();
    let length = close.find(|letter: char| !letter.is_alphabetic()).unwrap_or(close.len());
    let (word, behind) = close.split_at(length);
    let followed_by_digit = behind.starts_with(|letter: char| letter.is_ascii_digit());
    let factor = match word.to_lowercase().as_str() {
        "thousand" | "tsd" => Some(1e3),
        "k" if is_close && !followed_by_digit => Some(1e3),
        "million" | "millions" | "mio" | "mn" => Some(1e6),
        "m" if is_close && word == "M" && !followed_by_digit => Some(1e6),
        "billion" | "billions" | "bn" => Some(1e9),
        "trillion" | "trillions" | "tn" => Some(1e12),
        "hundred" => Some(1e2),
        "dozen" => Some(12.0),
        "lakh" => Some(1e5),
        "crore" => Some(1e7),
        // `5 K` may be kelvin, `3m` metres or millions, `2b` bytes or billions, `1e6` is a way of programs.
        "k" => return (None, rest.to_string()),
        "m" | "b" | "e" if is_close => return (None, rest.to_string()),
        _ => return (Some(1.0), rest.to_string()),
    };
    (factor, behind.to_string())
}

fn read_number(written: &str) -> Option<f64> {
    let compact: String =
        written.chars().filter(|letter| !matches!(letter, '\'' | '’' | '\u{a0}' | '\u{202f}')).collect();
    let last = compact.rfind(['.', ',']);
    let marks: Vec<char> = compact.chars().filter(|letter| matches!(letter, '.' | ',')).collect();
    // `1.000` is one to some and a thousand to others.
    if let ([mark], Some(last)) = (marks.as_slice(), last)
        && *mark == '.'
        && compact.len() - last == 4
        && (1..=3).contains(&last)
        && !compact.starts_with('0')
    {
        return None;
    }
    let decimal = last.filter(|last| {
        let mark = compact.as_bytes()[*last] as char;
        let digits = compact.len() - last - 1;
        let mixed = marks.iter().any(|other| *other != mark);
        // Three digits after a single comma group thousands.
        mixed || (marks.len() == 1 && (digits != 3 || mark == '.'))
    });
    let plain: String = match decimal {
        Some(place) => {
            let whole: String = compact[..place].chars().filter(char::is_ascii_digit).collect();
            format!("{whole}.{}", &compact[place + 1..])
        }
        None => compact.chars().filter(char::is_ascii_digit).collect(),
    };
    plain.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(numbers("Total: $1,234.50"), [1234.5]);
        assert_eq!(numbers("1.234,50 €"), [1234.5]);
        assert_eq!(numbers("12,000 items"), [12000.0]);
        assert_eq!(numbers("3.5 of 5"), [3.5, 5.0]);
        assert_eq!(numbers("-7 °C"), [-7.0]);
        assert!(numbers("none").is_empty());
        assert_eq!(numbers("5K"), [5000.0]);
        assert_eq!(numbers("$1.5k"), [1500.0]);
        assert_eq!(numbers("3 million"), [3e6]);
        assert_eq!(numbers("-$15.00"), [-15.0]);
        assert_eq!(numbers("Balance: ($15.00)"), [-15.0]);
        assert_eq!(numbers("Inbox (3)"), [3.0]);
        assert_eq!(numbers("0.125"), [0.125]);
        assert_eq!(numbers("1’000 CHF"), [1000.0]);
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_not_read() {
        for text in ["1.000 €", "Balance: (15)", "1e6", "3m", "5 K"] {
            assert_eq!(figures(text).first().map(|figure| figure.value), Some(None), "{text}");
        }
    }
}
