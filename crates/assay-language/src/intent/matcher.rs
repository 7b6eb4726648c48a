//! Conditions for a text or a number.

/// How a text must be. Runs of blanks do not count. Upper and lower case count in what the author quoted.
#[derive(Debug, Clone, PartialEq)]
pub enum Matcher {
    Contains(String),
    Equals(String),
    /// Not quoted: the whole text, in upper or lower case.
    Said(String),
    StartsWith(String),
    EndsWith(String),
    /// A regular expression.
    Pattern(String),
    /// The text is, or has in it, one number, which is so.
    Number(NumberIs),
    /// The text is, or has in it, one number with this currency or unit.
    Amount(NumberIs, String),
    /// An address with these parts. Parts that it does not give may be anything.
    Address(String),
    Empty,
    /// Not quoted: all these words, in this order.
    Words(Vec<String>),
    /// A statement in the author's words: `the book "Kim" was added`. Upper and lower case count in its quotations.
    Sentence(String),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NumberIs {
    Exactly(f64),
    AtLeast(f64),
    AtMost(f64),
    MoreThan(f64),
    LessThan(f64),
    Between(f64, f64),
    /// "several", "some".
    AtLeastOne,
}

impl Matcher {
    /// In words: `contains "Ada"`.
    pub fn meaning(&self) -> String {
        match self {
            Matcher::Contains(text) => format!("contains \"{text}\""),
            Matcher::Equals(text) => format!("is \"{text}\""),
            Matcher::Said(text) => format!("is {text}"),
            Matcher::StartsWith(text) => format!("starts with \"{text}\""),
            Matcher::EndsWith(text) => format!("ends with \"{text}\""),
            Matcher::Pattern(pattern) => format!("matches /{pattern}/"),
            Matcher::Number(number) => format!("is the number {}", number.meaning()),
            Matcher::Amount(number, unit) => format!("is the amount {} ({unit})", number.meaning()),
            Matcher::Address(address) => format!("is {address}"),
            Matcher::Empty => "is empty".to_string(),
            Matcher::Words(words) => format!("has the words {}", words.join(" ")),
            Matcher::Sentence(text) => format!("says: {text}"),
        }
    }
}

impl NumberIs {
    /// In words: `at least 3`.
    pub fn meaning(&self) -> String {
        match self {
            NumberIs::Exactly(number) => format!("{number}"),
            NumberIs::AtLeast(number) => format!("at least {number}"),
            NumberIs::AtMost(number) => format!("at most {number}"),
            NumberIs::MoreThan(number) => format!("more than {number}"),
            NumberIs::LessThan(number) => format!("less than {number}"),
            NumberIs::Between(low, high) => format!("{low} to {high}"),
            NumberIs::AtLeastOne => "at least one".to_string(),
        }
    }
}
