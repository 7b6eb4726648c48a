//! Whether two labels are two wordings of the same thing.
//!
//! Strict on purpose: a button that is gone is a defect, and one of a similar name beside it is no excuse. Two labels
//! are the same only if they differ in case, punctuation, blanks, one letter of a long word, or by usual words for one
//! thing.

/// Usual words for one thing. Whole labels are compared, so a word of many meanings does no harm within one of another
/// meaning.
const SYNONYMS: &[&[&str]] = &[
    &["log in", "login", "log on", "logon", "sign in", "signin", "sign on"],
    &["log out", "logout", "log off", "sign out", "signout"],
    &["sign up", "signup", "register", "create account", "create an account"],
    &["cart", "basket", "shopping cart", "shopping basket", "bag", "trolley"],
    &["checkout", "check out"],
    &["delete", "remove"],
    &["add", "create", "new"],
    &["search", "find"],
    &["send", "submit"],
    &["email", "e mail", "email address", "e mail address"],
    &["phone", "telephone", "phone number", "telephone number"],
    &["username", "user name", "user"],
    &["ok", "okay"],
    &["continue", "next"],
    &["settings", "preferences", "options"],
    &["buy", "purchase", "order"],
    &["photo", "picture", "image"],
    &["edit", "change", "modify"],
];

/// Shorter words become other words too easily.
const SHORTEST_MISSPELT: usize = 4;
/// The same for labels of one word, without others that agree.
const LONG_WORD: usize = 6;

/// Words around a label in a sentence.
const AROUND: &[&str] = &[
    "click", "press", "tap", "choose", "select", "open", "follow", "use", "hit", "push", "go", "to", "on",
    "the", "a", "an", "button", "link", "field", "tab", "menu", "item", "entry", "box", "input", "icon",
    "enter", "type", "write", "put", "fill", "in", "into", "with", "out", "and", "check", "tick", "checkbox",
    "option", "list", "page",
];

/// Whether the sentence names this label in another wording: `Click "Log in"` and the button `Sign in`.
pub fn names_otherwise(sentence: &str, label: &str) -> bool {
    let label = words_of(label);
    let all_alike = |one: &[String], other: &[String]| {
        let is_long = one.len() > 1 || one.iter().all(|word| word.chars().count() >= LONG_WORD);
        one.len() == other.len()
            && one.iter().zip(other).all(|(one, other)| one == other || (is_long && is_misspelt(one, other)))
    };
    let is_it =
        |target: Vec<String>| all_alike(&target, &label) || all_alike(&usual(&target), &usual(&label));
    !label.is_empty() && targets(sentence).into_iter().any(is_it)
}

/// What the sentence may call an element: each quoted text, and what is left of the sentence.
fn targets(sentence: &str) -> Vec<Vec<String>> {
    let mut targets: Vec<Vec<String>> = Vec::new();
    let mut rest = String::new();
    for (place, part) in sentence.split(['"', '“', '”', '`']).enumerate() {
        match place % 2 {
            0 => rest.push_str(part),
            _ => targets.push(words_of(part)),
        }
    }
    let words = words_of(&rest);
    let is_around = |word: &String| AROUND.contains(&word.as_str());
    let from = words.iter().position(|word| !is_around(word)).unwrap_or(words.len());
    let until = words.iter().rposition(|word| !is_around(word)).map_or(from, |last| last + 1);
    targets.push(words[from..until].to_vec());
    // `Log in` ends with a word that may also stand around a label.
    if until < words.len() {
        targets.push(words[from..=until].to_vec());
    }
    targets
}

/// Lower case, without punctuation.
fn words_of(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The words with each synonym replaced by the first of its group, the longest match first.
fn usual(words: &[String]) -> Vec<String> {
    let mut plain = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let found = (1..=4.min(words.len() - at)).rev().find_map(|length| {
            let part = words[at..at + length].join(" ");
            SYNONYMS.iter().find(|group| group.contains(&part.as_str())).map(|group| (group[0], length))
        });
        let (word, length) = found.unwrap_or((words[at].as_str(), 1));
        plain.push(word.to_owned());
        at += length;
    }
    plain
}

/// One letter is wrong, missing, doubled or swapped. A longer form of the word is another word: `Delete` and `Deleted`.
fn is_misspelt(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let is_longer_form =
        long.strip_prefix(short).is_some_and(|rest| short.chars().last() != rest.chars().next());
    short.chars().count() >= SHORTEST_MISSPELT && strsim::osa_distance(one, other) == 1 && !is_longer_form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_for_the_same_thing_are_recognised() {
        for (sentence, label) in [
            ("Click the Log in button", "Sign in"),
            ("Click \"Add to cart\"", "Add to basket"),
            ("Press Checkout", "Check out"),
            ("Click the \"Sign-up\" link", "Create account"),
            ("Enter \"a@b.c\" in the E-mail field", "Email address"),
            ("Click Preferencs", "Preferences"),
            ("Click \"Add to cartt\"", "Add to cart"),
            ("Click the DELETE button", "Remove"),
        ] {
            assert!(names_otherwise(sentence, label), "{sentence} / {label}");
        }
    }

    #[test]
    fn another_thing_of_a_similar_name_is_another_thing() {
        for (sentence, label) in [
            ("Click Save", "Save draft"),
            ("Click \"Place order\"", "Cancel order"),
            ("Click \"Delete account\"", "Delete"),
            ("Click Save", "Cave"),
            ("Open the Orders tab", "Offers"),
            ("Click Log in", "Log out"),
            ("Click Delete", "Deleted"),
            ("Open Order", "Orders"),
            ("Click Buy", ""),
            ("Click the button", "Button"),
        ] {
            assert!(!names_otherwise(sentence, label), "{sentence} / {label}");
        }
    }
}
