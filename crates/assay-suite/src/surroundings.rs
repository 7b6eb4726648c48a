//! The environment of a suite, and which of its variables the suite takes.

use std::cell::RefCell;
use std::collections::BTreeSet;

/// The value of a variable of the environment.
pub(crate) type EnvironmentLookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The environment as a suite reaches it: by declared names only. Remembers each variable whose value was taken.
pub(crate) struct Surroundings<'a> {
    lookup: EnvironmentLookup<'a>,
    taken: RefCell<BTreeSet<String>>,
}

impl<'a> Surroundings<'a> {
    pub fn new(lookup: EnvironmentLookup<'a>) -> Surroundings<'a> {
        Surroundings { lookup, taken: RefCell::default() }
    }

    /// The value, for a declared name.
    pub fn take(&self, variable: &str) -> Option<String> {
        self.taken.borrow_mut().insert(variable.to_string());
        (self.lookup)(variable)
    }

    /// Whether it is set. Its value goes nowhere.
    pub fn has(&self, variable: &str) -> bool {
        (self.lookup)(variable).is_some()
    }

    /// Whether this is its value.
    pub fn is(&self, variable: &str, value: &str) -> bool {
        (self.lookup)(variable).as_deref() == Some(value)
    }

    /// The names of all variables that were asked for, in order.
    pub fn taken(&self) -> Vec<String> {
        self.taken.borrow().iter().cloned().collect()
    }
}

/// Values that say nothing, and would hide half of a report with them.
const PLAIN_WORDS: &[&str] = &[
    "true",
    "false",
    "none",
    "null",
    "test",
    "tests",
    "demo",
    "local",
    "localhost",
    "127.0.0.1",
    "debug",
    "info",
    "default",
    "production",
    "stage",
    "staging",
    "development",
];

/// The shortest value that is hidden without being declared a secret: shorter ones occur in every text.
const SHORTEST_HIDDEN: usize = 4;

/// A number up to this length is a port, a count or a year.
const LONGEST_PLAIN_NUMBER: usize = 5;

/// Whether a value from the environment is masked although it was not declared a secret: every value of some length,
/// unless it is a common word, a short number or an address that consists of a host only.
pub(crate) fn is_worth_hiding(value: &str) -> bool {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    !(value.chars().count() < SHORTEST_HIDDEN
        || (is_number && value.len() <= LONGEST_PLAIN_NUMBER)
        || PLAIN_WORDS.contains(&value.to_ascii_lowercase().as_str())
        || is_origin(value))
}

/// `https://shop.example:8443`, without a user, a path or a query.
fn is_origin(value: &str) -> bool {
    let rest = value.strip_prefix("http://").or_else(|| value.strip_prefix("https://"));
    rest.map(|rest| rest.strip_suffix('/').unwrap_or(rest)).is_some_and(|host| {
        !host.is_empty()
            && host
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | ':' | '[' | ']'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_some_length_are_hidden() {
        for value in [
            "postgres://app:hunter2@db/app",
            "https://hooks.example/T0/B0/secret",
            "https://user:word@shop.example",
            "https://key@sentry.example/1",
            "https://shop.example?token=1",
            "AKIA4711",
            "hunter2",
            "beta",
            "123456",
            "http://",
        ] {
            assert!(is_worth_hiding(value), "{value}");
        }
        for value in [
            "",
            "1",
            "yes",
            "true",
            "FALSE",
            "8080",
            "65535",
            "staging",
            "http://127.0.0.1:8080",
            "https://a.b/",
        ] {
            assert!(!is_worth_hiding(value), "{value}");
        }
    }
}
