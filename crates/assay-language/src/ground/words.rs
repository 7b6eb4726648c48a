//! Text as it is compared: case, blanks and the kind of quotation mark never count.

/// Words that say nothing about which thing is meant.
const FILLERS: &[&str] = &["the", "a", "an", "your", "my", "our", "of", "please", "this", "that"];

/// One spelling for what people see as the same text.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        let letter = match letter {
            '\u{2018}' | '\u{2019}' | '\u{02bc}' => '\'',
            '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
            '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2013}' | '\u{2014}' | '\u{2212}' => '-',
            '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{feff}' | '\u{ad}' => continue,
            other if other.is_whitespace() => ' ',
            other => other,
        };
        if letter == ' ' {
            if !folded.is_empty() && !folded.ends_with(' ') {
                folded.push(' ');
            }
            continue;
        }
        // Text that is put together from several elements has blanks where none are seen.
        if matches!(letter, '.' | ',' | '!' | '?' | ':' | ';' | ')' | '%') && folded.ends_with(' ') {
            folded.pop();
        }
        folded.extend(letter.to_lowercase());
    }
    while folded.ends_with(' ') {
        folded.pop();
    }
    folded
}

/// Folded, without what labels carry besides their words: `Email *`, `Name:`, `Open…`, `+ Add`.
pub(crate) fn bare(text: &str) -> String {
    let folded = fold(text);
    let trimmed = folded.trim_matches(|letter: char| {
        !letter.is_alphanumeric() && !matches!(letter, '"' | '\'' | '(' | ')' | '$' | '€' | '£' | '%')
    });
    if trimmed.is_empty() { folded } else { trimmed.to_string() }
}

/// The words of prose, in lower case: `E-mail address:` → `email`, `address`.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    let folded = fold(text).replace("e-mail", "email").replace("e mail", "email");
    let mut words: Vec<String> = Vec::new();
    for part in folded.split(|letter: char| !letter.is_alphanumeric() && letter != '\'') {
        let word = part.trim_matches('\'');
        if !word.is_empty() {
            words.push(word.strip_suffix("'s").unwrap_or(word).to_string());
        }
    }
    words
}

/// The words of a name that programs use: `firstName`, `first-name`, `user_first_name2`.
pub(crate) fn identifier_words(text: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for letter in text.chars() {
        let starts_a_word = (letter.is_uppercase() && before.is_lowercase())
            || (letter.is_ascii_digit() && before.is_alphabetic())
            || (letter.is_alphabetic() && before.is_ascii_digit());
        if starts_a_word {
            spaced.push(' ');
        }
        spaced.push(if letter.is_alphanumeric() { letter } else { ' ' });
        before = letter;
    }
    let words: Vec<String> = spaced.split_whitespace().map(str::to_lowercase).collect();
    let mut joined: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        // `e-mail` is split like any other; it is one word all the same.
        if word == "mail" && joined.last().is_some_and(|last| last == "e") {
            joined.pop();
            joined.push("email".to_string());
        } else {
            joined.push(word);
        }
    }
    joined
}

pub(crate) fn without_fillers(words: &[String]) -> Vec<String> {
    let kept: Vec<String> = words.iter().filter(|word| !FILLERS.contains(&word.as_str())).cloned().collect();
    if kept.is_empty() { words.to_vec() } else { kept }
}

/// Singular and plural of a noun are one word here: `items` and `item`.
pub(crate) fn stem(word: &str) -> String {
    if let Some(short) = word.strip_suffix("ies").filter(|short| short.len() > 2) {
        return format!("{short}y");
    }
    for ending in ["ches", "shes", "xes", "sses"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_string();
        }
    }
    match word.strip_suffix('s') {
        Some(short) if short.len() > 2 && !short.ends_with('s') && !short.ends_with('u') => short.to_string(),
        _ => word.to_string(),
    }
}

pub(crate) fn same_word(one: &str, other: &str) -> bool {
    one == other || stem(one) == stem(other)
}

/// Whether all of `few` are among `many`, each as a whole word.
pub(crate) fn all_among(few: &[String], many: &[String]) -> bool {
    !few.is_empty() && few.iter().all(|word| many.iter().any(|other| same_word(word, other)))
}

/// Where `few` stand together and in order in `many`.
pub(crate) fn run_at(few: &[String], many: &[String]) -> Option<usize> {
    if few.is_empty() || few.len() > many.len() {
        return None;
    }
    (0..=many.len() - few.len())
        .find(|&start| few.iter().zip(&many[start..]).all(|(one, other)| same_word(one, other)))
}

/// How `needle` stands in `text`, both folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    Absent,
    /// Only as a part of longer words or numbers: `12` in `112`, `Product` in `Products`.
    PartOfAWord,
    Whole,
}

pub(crate) fn standing(needle: &str, text: &str) -> Standing {
    if needle.is_empty() {
        return Standing::Absent;
    }
    let mut found = Standing::Absent;
    for (start, part) in text.match_indices(needle) {
        let before = text[..start].chars().next_back();
        let mut after = text[start + part.len()..].chars();
        let (next, second) = (after.next(), after.next());
        let earlier = text[..start].chars().rev().nth(1);
        let first = needle.chars().next().unwrap_or(' ');
        let last = needle.chars().next_back().unwrap_or(' ');
        let opens = !joins(before, first) && !goes_on(first, before, earlier);
        let closes = !joins(next, last) && !goes_on(last, next, second);
        if opens && closes {
            return Standing::Whole;
        }
        found = Standing::PartOfAWord;
    }
    found
}

/// A number goes on beyond a point or a comma when a digit follows it.
fn goes_on(edge: char, mark: Option<char>, beyond: Option<char>) -> bool {
    edge.is_ascii_digit()
        && matches!(mark, Some('.' | ','))
        && beyond.is_some_and(|digit| digit.is_ascii_digit())
}

fn joins(neighbour: Option<char>, edge: char) -> bool {
    edge.is_alphanumeric() && neighbour.is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_programs_are_split_into_words() {
        assert_eq!(identifier_words("userFirstName"), ["user", "first", "name"]);
        assert_eq!(identifier_words("login-e-mail_2"), ["login", "email", "2"]);
        assert_eq!(identifier_words("icon icon-trash"), ["icon", "icon", "trash"]);
    }

    #[test]
    fn a_number_is_not_found_inside_another() {
        assert_eq!(standing("12", "total 112"), Standing::PartOfAWord);
        assert_eq!(standing("12", "total 12.50"), Standing::PartOfAWord);
        assert_eq!(standing("12", "total 12."), Standing::Whole);
        assert_eq!(standing("product", "products"), Standing::PartOfAWord);
        assert_eq!(standing("x", "y"), Standing::Absent);
    }

    #[test]
    fn text_is_compared_as_people_see_it() {
        assert_eq!(fold("  Welcome,\u{a0} Anna !"), "welcome, anna!");
        assert_eq!(bare("Email *"), "email");
        assert_eq!(bare("×"), "×");
        assert_eq!(words_of("Your E-Mail address:"), ["your", "email", "address"]);
        assert_eq!(stem("boxes"), "box");
        assert_eq!(stem("address"), "address");
    }
}
