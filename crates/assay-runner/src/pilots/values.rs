//! The values that a test names: the only texts that a pilot may type.

use assay_language::quotations;
use assay_protocol::Secrets;

/// One value, as a pilot knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedValue {
    /// From 1.
    pub number: usize,
    /// Masked if it is or contains a secret.
    pub shown: String,
    pub is_secret: bool,
    pub from: ValueFrom,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueFrom {
    ThisStep,
    /// Another step of the test, or a precondition.
    Elsewhere,
}

impl NamedValue {
    /// The reference by which a pilot types it without knowing it.
    pub fn reference(&self) -> String {
        reference(self.number)
    }
}

fn reference(number: usize) -> String {
    format!("⟦value {number}⟧")
}

/// The values of a step with their real contents. Never sent to a pilot.
#[derive(Clone, Default)]
pub(crate) struct RevealedValues {
    sentence: String,
    values: Vec<(String, NamedValue)>,
}

impl RevealedValues {
    /// Those of the sentence first, then those of the rest of the test.
    pub fn of(sentence: &str, elsewhere: &[String], secrets: &Secrets) -> RevealedValues {
        let mut named = RevealedValues { sentence: sentence.to_string(), values: Vec::new() };
        let here = quotations(sentence).into_iter().map(|text| (text, ValueFrom::ThisStep));
        let there = elsewhere.iter().map(|text| (text.clone(), ValueFrom::Elsewhere));
        for (text, from) in here.chain(there) {
            if text.is_empty() || named.values.iter().any(|(known, _)| *known == text) {
                continue;
            }
            let shown = secrets.mask(&text);
            let is_secret = shown != text;
            let number = named.values.len() + 1;
            named.values.push((text, NamedValue { number, shown, is_secret, from }));
        }
        named
    }

    pub fn shown(&self) -> Vec<NamedValue> {
        self.values.iter().map(|(_, value)| value.clone()).collect()
    }

    /// The meaning of a pilot's text, if the test names it: the text itself and its value.
    pub fn meant(&self, text: &str) -> Option<(String, Option<&NamedValue>)> {
        let by_reference = |(_, value): &&(String, NamedValue)| text == value.reference();
        let by_letter = |(known, value): &&(String, NamedValue)| known == text && !value.is_secret;
        let found = self.values.iter().find(by_reference).or_else(|| self.values.iter().find(by_letter));
        if let Some((own, value)) = found {
            return Some((own.clone(), Some(value)));
        }
        is_words_of(text, &self.sentence).then(|| (text.trim().to_string(), None))
    }
}

/// Whole words in order: single letters of a sentence could form any text.
fn is_words_of(text: &str, sentence: &str) -> bool {
    let text = text.trim();
    if text.is_empty() {
        return false;
    }
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    sentence.match_indices(text).any(|(at, _)| {
        let before = sentence[..at].chars().next_back();
        let after = sentence[at + text.len()..].chars().next();
        let is_cut_before = is_letter(before) && is_letter(text.chars().next());
        let is_cut_after = is_letter(after) && is_letter(text.chars().next_back());
        !is_cut_before && !is_cut_after
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named() -> RevealedValues {
        let secrets = Secrets::from_iter(["s3cret"]);
        RevealedValues::of(
            "Sign up Ada Lovelace with \"ada@example.com\" and \"s3cret\"",
            &["12 High Street".to_string(), "s3cret".to_string()],
            &secrets,
        )
    }

    #[test]
    fn values_are_numbered_once_and_secrets_are_masked() {
        let shown: Vec<(usize, String, bool)> =
            named().shown().into_iter().map(|value| (value.number, value.shown, value.is_secret)).collect();
        let expected = [(1, "ada@example.com", false), (2, "•••", true), (3, "12 High Street", false)];
        assert_eq!(shown, expected.map(|(number, text, is_secret)| (number, text.to_string(), is_secret)));
    }

    #[test]
    fn only_what_the_test_names_is_meant() {
        let named = named();
        let meant = |text: &str| named.meant(text).map(|(text, _)| text);
        assert_eq!(meant("⟦value 2⟧").as_deref(), Some("s3cret"));
        assert_eq!(meant("ada@example.com").as_deref(), Some("ada@example.com"));
        assert_eq!(meant("Ada Lovelace").as_deref(), Some("Ada Lovelace"));
        assert_eq!(meant("Ada Lovelace\t\n").as_deref(), Some("Ada Lovelace"), "no key comes with it");
        assert_eq!(meant("ove"), None, "a part of a word is any text");
        assert_eq!(meant("bob@example.com"), None);
        assert_eq!(meant("⟦value 4⟧"), None);
        assert_eq!(meant(""), None);
    }
}
