//! The secret values of a test, and every operation on them except typing.
//!
//! Knows how pages, addresses, JSON and headers write a value. Does not know where a value comes from or where masked
//! text goes. No `Serialize`, no `Display`, and a `Debug` that only counts: a value leaves this type only as a mask, as
//! a reference or, in [`Secrets::forms`], to check that nothing contains it.

use std::fmt;
use std::sync::OnceLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A set of values that must not be seen. Sorted, each once, none of them empty.
#[derive(Clone, Default)]
pub struct Secrets {
    values: Vec<String>,
    /// Worked out when a text is first masked.
    forms: OnceLock<Vec<String>>,
}

/// The shortest value to search for in encoded forms: shorter ones occur in many words by chance.
const SHORTEST_ENCODED: usize = 6;

impl Secrets {
    /// The text that replaces a secret.
    pub const MASK: &'static str = "•••";

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn add(&mut self, value: impl Into<String>) {
        let value = value.into();
        if value.is_empty() {
            return;
        }
        if let Err(at) = self.values.binary_search(&value) {
            self.values.insert(at, value);
            self.forms = OnceLock::new();
        }
    }

    pub fn merge(&mut self, other: &Secrets) {
        for value in &other.values {
            self.add(value.as_str());
        }
    }

    /// Whether exactly this text is one of them.
    pub fn contains(&self, text: &str) -> bool {
        self.values.iter().any(|value| value == text)
    }

    /// Those that have at least so many characters.
    pub fn with_at_least(&self, characters: usize) -> Secrets {
        self.values.iter().filter(|value| value.chars().count() >= characters).cloned().collect()
    }

    /// Each value as it is, and in the forms it may take: in an address, in JSON, in HTML, in base64 at any offset. The
    /// longest comes first, because one secret may be part of another.
    pub fn forms(&self) -> &[String] {
        self.forms.get_or_init(|| {
            let mut forms: Vec<String> = self.values.iter().flat_map(|value| forms_of(value)).collect();
            forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
            forms
        })
    }

    /// Whether the text contains one of them, in any form.
    pub fn are_in(&self, text: &str) -> bool {
        self.forms().iter().any(|form| text.contains(form.as_str()))
    }

    /// The text with a mask in place of every secret, in any form.
    pub fn mask(&self, text: &str) -> String {
        let mut masked = text.to_string();
        for form in self.forms() {
            if masked.contains(form.as_str()) {
                masked = masked.replace(form.as_str(), Secrets::MASK);
            }
        }
        masked
    }

    /// The same value with references in place of secrets; [`Secrets::revealed`] puts them back. None if a secret
    /// equals a word of the format itself, because the two cannot be distinguished.
    pub fn referenced<T: Serialize + DeserializeOwned>(&self, thing: &T) -> Option<T> {
        // One secret may be part of another: replace the longer one first.
        let mut numbered: Vec<(usize, &String)> = self.values.iter().enumerate().collect();
        numbered.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        let change = |text: &str| {
            numbered
                .iter()
                .fold(text.to_string(), |text, (number, value)| text.replace(*value, &reference(*number)))
        };
        with_texts_changed(thing, &change).ok()
    }

    /// The same thing with secrets in place of their references.
    pub fn revealed<T: Serialize + DeserializeOwned>(&self, thing: &T) -> Result<T, serde_json::Error> {
        let change = |text: &str| {
            let numbered = self.values.iter().enumerate();
            numbered.fold(text.to_string(), |text, (number, value)| text.replace(&reference(number), value))
        };
        with_texts_changed(thing, &change)
    }
}

impl<S: Into<String>> FromIterator<S> for Secrets {
    fn from_iter<I: IntoIterator<Item = S>>(values: I) -> Secrets {
        let mut secrets = Secrets::default();
        for value in values {
            secrets.add(value);
        }
        secrets
    }
}

impl PartialEq for Secrets {
    fn eq(&self, other: &Secrets) -> bool {
        self.values == other.values
    }
}

impl Eq for Secrets {}

impl fmt::Debug for Secrets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Secrets({})", self.values.len())
    }
}

fn reference(number: usize) -> String {
    format!("⟦secret {number}⟧")
}

fn with_texts_changed<T: Serialize + DeserializeOwned>(
    thing: &T,
    change: &dyn Fn(&str) -> String,
) -> Result<T, serde_json::Error> {
    let mut value = serde_json::to_value(thing)?;
    change_texts(&mut value, change);
    serde_json::from_value(value)
}

/// Keys stay: they are the names of fields, not texts.
pub(crate) fn change_texts(value: &mut Value, change: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| change_texts(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|field| change_texts(field, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn forms_of(secret: &str) -> Vec<String> {
    let json = in_json(secret);
    // Another text than the value only where it holds characters that JSON escapes.
    let mut forms = vec![secret.to_string(), json.clone()];
    if secret.len() >= SHORTEST_ENCODED {
        let percent = percent_encoded(secret);
        let html = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        forms.push(percent.replace("%20", "+"));
        forms.push(percent.to_lowercase());
        forms.push(percent);
        // A text inside JSON inside JSON: the arguments of a call.
        forms.push(in_json(&json));
        forms.push(html.replace('"', "&quot;"));
        forms.push(html);
        forms.extend((0..3).flat_map(|before| base64_middles(secret.as_bytes(), before)));
    }
    forms.sort();
    forms.dedup();
    forms
}

/// Without the quotation marks around it.
fn in_json(text: &str) -> String {
    let json = Value::from(text).to_string();
    json[1..json.len() - 1].to_string()
}

fn percent_encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// The letters of base64 that depend on these bytes alone, when `before` others (modulo three) stand before them.
fn base64_middles(bytes: &[u8], before: usize) -> Vec<String> {
    let bit = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1);
    let first = (6 - before * 8 % 6) % 6;
    let groups = (bytes.len() * 8).saturating_sub(first) / 6;
    let letters = |alphabet: &[u8; 64]| -> String {
        let group = |nth: usize| (0..6).fold(0, |sum, at| sum * 2 + usize::from(bit(first + nth * 6 + at)));
        (0..groups).map(|nth| char::from(alphabet[group(nth)])).collect()
    };
    let plain = letters(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    let for_addresses = letters(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
    vec![plain, for_addresses]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_a_count_only() {
        let secrets: Secrets = ["hunter2", "hush"].into_iter().collect();
        assert_eq!(format!("{secrets:?}"), "Secrets(2)");
    }

    #[test]
    fn a_secret_that_is_part_of_another_leaves_nothing_of_it() {
        let secrets: Secrets = ["pass", "pass-word"].into_iter().collect();
        assert_eq!(secrets.mask("pass-word, pass"), "•••, •••");
        let hidden = secrets.referenced(&"pass-word".to_string());
        assert_eq!(hidden.as_deref(), Some("⟦secret 1⟧"));
    }

    #[test]
    fn the_longest_secret_is_masked_first() {
        let secrets: Secrets = ["ab", "abc"].into_iter().collect();
        assert_eq!(secrets.mask("x abc ab x"), "x ••• ••• x");
    }

    #[test]
    fn a_secret_is_masked_however_it_is_written() {
        let secrets: Secrets = ["p&ss w\"rd/ü"].into_iter().collect();
        let written = "p%26ss%20w%22rd%2F%C3%BC p%26ss+w%22rd%2F%C3%BC p%26ss%20w%22rd%2f%c3%bc p&ss w\\\"rd/ü \
                       p&amp;ss w&quot;rd/ü";
        assert!(secrets.are_in(written));
        assert_eq!(secrets.mask(written), "••• ••• ••• ••• •••");
        // printf 'ab:p&ss w"rd/ü' | base64, with no, one and two bytes before
        for encoded in ["cCZzcyB3InJkL8O8", "OnAmc3MgdyJyZC/DvA==", "YjpwJnNzIHcicmQvw7w="] {
            let masked = secrets.mask(encoded);
            assert!(masked.contains(Secrets::MASK) && masked.chars().count() <= 9, "{encoded}: {masked}");
        }
        let short: Secrets = ["12345"].into_iter().collect();
        assert_eq!(short.mask("a plain text, 12345"), "a plain text, •••");
        let quoted: Secrets = ["a\"b\\"].into_iter().collect();
        assert!(quoted.are_in(r#"{"text":"a\"b\\"}"#), "short, but JSON writes it otherwise");
    }

    #[test]
    fn merged_secrets_are_masked_though_some_were_masked_before() {
        let mut secrets: Secrets = ["hush"].into_iter().collect();
        assert_eq!(secrets.mask("hush s3cret"), "••• s3cret");
        secrets.merge(&["s3cret", "hush", ""].into_iter().collect());
        assert_eq!(secrets.mask("hush s3cret"), "••• •••");
        assert_eq!(format!("{secrets:?}"), "Secrets(2)");
        assert!(secrets.contains("hush") && !secrets.contains("hus") && !secrets.contains(""));
        assert_eq!(secrets.with_at_least(6), ["s3cret"].into_iter().collect());
    }

    #[test]
    fn references_are_put_back() {
        let secrets: Secrets = ["hush", "", "s3cret"].into_iter().collect();
        let open = serde_json::json!({ "text": "hush and s3cret", "list": ["hush"], "number": 1 });
        let hidden: Value = secrets.referenced(&open).expect("any text will do");
        assert_eq!(hidden["text"], "⟦secret 0⟧ and ⟦secret 1⟧");
        assert_eq!(secrets.revealed(&hidden).expect("any text will do"), open);
    }
}
