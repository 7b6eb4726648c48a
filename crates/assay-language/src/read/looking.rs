//! Steps that only look or wait.

/// Words before the verb that say who does it, or when.
const BEFORE: &[&str] = &["i", "we", "user", "the", "then", "now", "next", "finally", "please", "and"];

/// Whether the whole step is to look at something or to wait for it: "Wait until the report is ready". A step with a
/// second clause may do more, and `Find "Bolts"` may mean a search.
pub fn only_looks(sentence: &str) -> bool {
    let mut is_quoted = false;
    let outside: String = sentence
        .chars()
        .map(|letter| match letter {
            '"' | '“' | '”' => {
                is_quoted = !is_quoted;
                '"'
            }
            _ if is_quoted => '"',
            other => other,
        })
        .collect();
    let outside = outside.to_lowercase();
    if outside.trim_end_matches(['.', ' ']).contains([',', ';', ':', '.']) {
        return false;
    }
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '"';
    let mut words = outside.split(|letter: char| !is_letter(letter)).filter(|word| !word.is_empty());
    let verb = words.find(|word| !BEFORE.contains(word)).unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let looks = match (verb, rest.first().copied().unwrap_or_default()) {
        ("wait" | "watch" | "observe" | "notice", _) | ("look", "at") => true,
        ("find" | "locate", next) => matches!(next, "the" | "a" | "an" | "that"),
        _ => false,
    };
    looks && !rest.iter().any(|word| matches!(*word, "and" | "then" | "or"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_and_waiting_change_nothing() {
        for sentence in [
            "Wait until the report is ready",
            "Find the row of \"Ada, Bo and Co.\"",
            "I look at the first result.",
        ] {
            assert!(only_looks(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_may_need_an_act_is_told_from_looking() {
        for sentence in [
            "Find the row and delete it",
            "Find \"Bolts\"",
            "Look up \"Ada\" in the directory",
            "See to it that the box is ticked",
            "Click \"Wait\"",
            "Wait for the list, then open it",
            "Wait for the spinner to go. Click the thing",
        ] {
            assert!(!only_looks(sentence), "{sentence}");
        }
    }
}
