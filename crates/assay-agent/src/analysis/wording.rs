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
            && one.iter().zip(other).all(|(one, other)| {
                let is_fair = one.len().min(other.len()) >= SHORTEST_MISSPELT || slipped(one, other);
                one == other || (is_long && is_fair && is_misspelt(one, other))
            })
    };
    let targets = targets(sentence);
    // In the very words of the sentence, it is there, and something else is missing.
    let is_it = |target: &Vec<String>| {
        *target != label && (all_alike(target, &label) || all_alike(&usual(target), &usual(&label)))
    };
    !label.is_empty() && !targets.contains(&label) && targets.iter().any(is_it)
}

/// A line of more words is no label.
const LONGEST_LABEL_LINE: usize = 8;

/// A label in the text of a page that is another wording of what the sentence quotes. Text is less than an element: only
/// a slip of the pen counts, or a usual other word. Where the test has passed before, the words may have been there then
/// too, so one word must be the same.
pub fn label_in_text(sentence: &str, text: &str, has_passed: bool) -> Option<String> {
    let target = words_of(sentence.split(['"', '“', '”', '`']).nth(1)?);
    if target.is_empty() || (has_passed && target.len() < 2) {
        return None;
    }
    let mut found: Option<String> = None;
    for line in text.split(['\n', '\t']).filter(|line| line.split_whitespace().count() <= LONGEST_LABEL_LINE)
    {
        let words: Vec<&str> = line.split_whitespace().collect();
        for part in words.windows(target.len()) {
            let label = part.join(" ");
            let plain = words_of(&label);
            if plain == target {
                return None;
            }
            let is_title = label.starts_with(char::is_uppercase);
            let shares_a_word = plain.iter().any(|word| target.contains(word));
            let is_synonym = is_title
                && usual(&plain) == usual(&target)
                && plain.len() == target.len()
                && (shares_a_word || !has_passed);
            let differing: Vec<(&String, &String)> =
                plain.iter().zip(&target).filter(|(one, other)| one != other).collect();
            let is_slip = plain.len() == target.len()
                && matches!(differing.as_slice(), [(one, other)] if slipped(one, other) && is_misspelt(one, other)
                    && (shares_a_word || one.chars().count().max(other.chars().count()) >= LONG_WORD));
            if is_synonym || is_slip {
                match &found {
                    Some(known) if words_of(known) != plain => return None,
                    _ => found = Some(label),
                }
            }
        }
    }
    found
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
    short.chars().count() + 1 >= SHORTEST_MISSPELT
        && long.chars().count() >= SHORTEST_MISSPELT
        && strsim::osa_distance(one, other) == 1
        && !is_longer_form
}

/// A letter is missing, doubled or swapped; none is another one.
fn slipped(one: &str, other: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    one.chars().count() != other.chars().count() || sorted(one) == sorted(other)
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
    fn text_of_a_page_counts_for_slips_and_usual_words() {
        let page = "Desk\nAdd expense\nTeam lunch\tOpen\tApprove Delete\nPatients visitors Reason\n\
                    We export what you delete to the experts of the department of numbers.";
        let found = |sentence: &str, has_passed| label_in_text(sentence, page, has_passed);
        assert_eq!(found("Click \"Aprove\" in the row of \"Team lunch\"", false).as_deref(), Some("Approve"));
        assert_eq!(found("Click \"Remove\" in the row of \"Team lunch\"", false).as_deref(), Some("Delete"));
        assert_eq!(found("Click \"Create expense\"", true).as_deref(), Some("Add expense"));
        assert_eq!(found("Click the \"Pateints\" link", false).as_deref(), Some("Patients"));
        assert_eq!(found("Click the \"vistors\" link", false).as_deref(), Some("visitors"));
        assert_eq!(found("Enter \"x\" in the Reson field", false), None, "it is not quoted");
        for (sentence, has_passed) in [
            ("Click \"Remove\"", true),
            ("Click \"Export\"", false),
            ("Click \"Approve\"", false),
            ("Click \"Patient\"", false),
            ("Click \"Opens\"", false),
        ] {
            assert_eq!(found(sentence, has_passed), None, "{sentence}");
        }
        assert!(names_otherwise("Click \"Add bok\"", "Add book"));
        assert!(!names_otherwise("Click \"Approve\" in the row of \"Team dinner\"", "Approve"));
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
