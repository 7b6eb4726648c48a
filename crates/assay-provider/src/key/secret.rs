//! A key that shows itself to nobody.

use std::fmt;

use super::KeyError;

/// A key. Neither `Debug` nor `Display` tells it; only the header of a request gets it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

/// What stands where a key stood.
const MASK: &str = "[key]";

impl Key {
    /// Takes a key as it was found in a file or a variable, with blanks around it. `source_name` is for messages.
    pub fn new(text: &str, source_name: &str) -> Result<Key, KeyError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(KeyError::Empty { source_name: source_name.to_string() });
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::NotPrintable { source_name: source_name.to_string() });
        }
        Ok(Key(text.to_string()))
    }

    /// For the header of a request and nothing else.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// The text without the key in it, in whole or in large part: providers quote keys that they refuse.
    pub fn scrub(&self, text: &str) -> String {
        let mut scrubbed = text.replace(&self.0, MASK);
        // Half a key narrows it down enough to be worth hiding. Shorter pieces are words like any other.
        for part in [self.0.get(..self.0.len() / 2), self.0.get(self.0.len() / 2..)].into_iter().flatten() {
            if part.len() >= 8 {
                scrubbed = scrubbed.replace(part, MASK);
            }
        }
        scrubbed
    }

    /// Whether the bytes hold the key.
    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        bytes.windows(self.0.len()).any(|window| window == self.0.as_bytes())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Key([key])")
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(MASK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "sk-test-0123456789abcdef0123456789abcdef";

    #[test]
    fn a_key_shows_itself_to_nobody() {
        let key = Key::new(&format!("  {SECRET}\n"), "a test").unwrap();
        let seen = format!("{key} {key:?} {:?}", Some(&key));
        assert!(!seen.contains("0123"), "{seen}");
        assert_eq!(key.expose(), SECRET);
    }

    #[test]
    fn a_key_is_taken_out_of_texts() {
        let key = Key::new(SECRET, "a test").unwrap();
        let text = format!("Incorrect API key provided: {SECRET} or {}…", &SECRET[..20]);
        assert_eq!(key.scrub(&text), "Incorrect API key provided: [key] or [key]…");
        assert!(key.is_in(text.as_bytes()));
    }

    #[test]
    fn what_cannot_be_a_key_is_refused_without_being_told() {
        let wrong = Key::new("two words", "`X`").unwrap_err();
        assert_eq!(wrong.to_string(), "`X` contains characters that no key has");
        assert_eq!(Key::new(" \n", "`X`").unwrap_err().to_string(), "`X` is empty");
    }
}
