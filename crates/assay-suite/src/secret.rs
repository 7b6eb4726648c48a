//! A value that must not be seen.

use std::fmt;

/// What is shown instead of a secret.
pub const MASK: &str = "•••";

/// The value of a secret. It is compared and handed on, but never shown: `Debug` gives the mask, and there is no
/// `Display`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Secret(String);

impl Secret {
    pub(crate) fn new(value: String) -> Self {
        Secret(value)
    }

    /// The value itself, for whoever types it into a page or masks it in a text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// The text with every secret replaced by the mask, the longest first: one secret can be a part of another.
pub fn mask(text: &str, secrets: &[Secret]) -> String {
    let mut values: Vec<&str> =
        secrets.iter().map(Secret::reveal).filter(|value| !value.is_empty()).collect();
    values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    'text: while let Some(letter) = rest.chars().next() {
        for value in &values {
            if let Some(after) = rest.strip_prefix(value) {
                masked.push_str(MASK);
                rest = after;
                continue 'text;
            }
        }
        masked.push(letter);
        rest = &rest[letter.len_utf8()..];
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_shows_its_mask_only() {
        let secret = Secret::new("hunter2".to_string());
        assert_eq!(format!("{secret:?}"), "•••");
        assert_eq!(secret.reveal(), "hunter2");
    }

    #[test]
    fn the_longest_secret_is_masked_first() {
        let secrets = [Secret::new("ab".to_string()), Secret::new("abc".to_string())];
        assert_eq!(mask("x abc ab x", &secrets), "x ••• ••• x");
    }
}
