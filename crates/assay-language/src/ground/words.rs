//! Text comparison: blanks and the kind of quotation mark never count, case only where a caller asks for it.

/// Words that say nothing about which thing is meant.
const FILLERS: &[&str] = &["the", "a", "an", "your", "my", "our", "of", "please", "this", "that"];

/// One spelling for what people see as the same text, whatever its case.
pub(crate) fn fold(text: &str) -> String {
    spaced(text).to_lowercase()
}

/// One spelling for what people see as the same text: blanks, quotation marks and dashes.
pub(crate) fn spaced(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut opened = false;
    for letter in text.chars() {
        // A link or a bold word inside quotation marks or brackets is put together with blanks that nobody sees.
        if opened && letter.is_whitespace() {
            continue;
        }
        opened = matches!(letter, '\u{201c}' | '\u{201e}' | '\u{2018}' | '(' | '[');
        let closes = matches!(letter, '\u{201d}' | '\u{2019}' | ']');
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
        let follows = closes || matches!(letter, '.' | ',' | '!' | '?' | ':' | ';' | ')' | '%');
        if follows && folded.ends_with(' ') {
            folded.pop();
        }
        folded.push(letter);
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
pub(crate) enum Containment {
    Absent,
    /// Only as a part of longer words or numbers: `12` in `112`, `Product` in `Products`.
    PartOfAWord,
    Whole,
}

pub(crate) fn containment(needle: &str, text: &str) -> Containment {
    let needle: Vec<char> = needle.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (Some(first), Some(last)) = (needle.first(), needle.last()) else { return Containment::Absent };
    let mut found = Containment::Absent;
    for start in 0..text.len() {
        if !text[start..].starts_with(&needle) {
            continue;
        }
        let before = &text[..start];
        let after = &text[start + needle.len()..];
        let opens = !goes_on_before(*first, before) && !groups_before(&needle, before);
        let closes = !goes_on_after(*last, after) && !groups_after(*last, before, &needle, after);
        if opens && closes {
            return Containment::Whole;
        }
        found = Containment::PartOfAWord;
    }
    found
}

/// Marks that hold a word, a number or an address together: `non-refundable`, `12-345`, `ada@x.org.uk`.
fn holds_together(mark: char) -> bool {
    matches!(mark, '-' | '.' | '@' | '_')
}

/// Marks that hold only figures together: `12,50`, `1'000`, `3/10`, `12:30`.
fn holds_figures(mark: char) -> bool {
    matches!(mark, ',' | '\'' | '/' | ':')
}

fn goes_on_after(edge: char, after: &[char]) -> bool {
    let (next, beyond) = (after.first().copied(), after.get(1).copied());
    let Some(next) = next.filter(|_| edge.is_alphanumeric()) else { return false };
    let figure = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    next.is_alphanumeric()
        || holds_together(next) && beyond.is_some_and(char::is_alphanumeric)
        || edge.is_ascii_digit() && holds_figures(next) && figure(beyond)
        || edge.is_ascii_digit() && matches!(next, '%' | '+' | '°')
}

fn goes_on_before(edge: char, before: &[char]) -> bool {
    let earlier = before.len().checked_sub(2).map(|place| before[place]);
    let Some(next) = before.last().copied() else { return false };
    let is_sum = edge.is_ascii_digit() || matches!(edge, '$' | '€' | '£' | '¥');
    // A sign belongs to the number behind it.
    if is_sum && next == '-' && earlier.is_none_or(|earlier| !earlier.is_alphanumeric() && earlier != '-') {
        return true;
    }
    if is_sum && matches!(next, '$' | '€' | '£' | '¥') && earlier == Some('-') {
        return true;
    }
    if !edge.is_alphanumeric() {
        return false;
    }
    next.is_alphanumeric()
        || holds_together(next) && earlier.is_some_and(char::is_alphanumeric)
        || edge.is_ascii_digit() && holds_figures(next) && earlier.is_some_and(|one| one.is_ascii_digit())
}

fn leading_digits(text: &[char]) -> usize {
    text.iter().take_while(|letter| letter.is_ascii_digit()).count()
}

fn trailing_digits(text: &[char]) -> usize {
    text.iter().rev().take_while(|letter| letter.is_ascii_digit()).count()
}

/// `500` in `1 500`: a blank may group the digits of one number.
fn groups_before(needle: &[char], before: &[char]) -> bool {
    let Some((' ', digits)) = before.split_last() else { return false };
    leading_digits(needle) == 3 && (1..=3).contains(&trailing_digits(digits))
}

/// `1` in `1 500`.
fn groups_after(last: char, before: &[char], needle: &[char], after: &[char]) -> bool {
    let Some((' ', digits)) = after.split_first() else { return false };
    let own = trailing_digits(needle);
    let whole = if own == needle.len() { own + trailing_digits(before) } else { own };
    last.is_ascii_digit() && (1..=3).contains(&whole) && leading_digits(digits) == 3
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
        assert_eq!(containment("12", "total 112"), Containment::PartOfAWord);
        assert_eq!(containment("12", "total 12.50"), Containment::PartOfAWord);
        assert_eq!(containment("12", "total 12."), Containment::Whole);
        assert_eq!(containment("product", "products"), Containment::PartOfAWord);
        assert_eq!(containment("x", "y"), Containment::Absent);
    }

    #[test]
    fn addresses_and_numbers_are_whole_or_not_found() {
        let part = |needle: &str, text: &str| {
            assert_eq!(containment(needle, text), Containment::PartOfAWord, "{text}")
        };
        let whole =
            |needle: &str, text: &str| assert_eq!(containment(needle, text), Containment::Whole, "{text}");
        part("ada@x.org", "ada@x.org.uk");
        part("ada@x.org", "eve.ada@x.org");
        part("order 12", "order 12-345");
        part("refundable", "non-refundable");
        part("15.00", "-15.00 eur");
        part("$15", "-$15");
        part("500", "total 1 500");
        part("1", "1 500 chf");
        part("000", "1'000");
        part("discount 5", "discount 5%");
        part("99", "99+");
        part("2:30", "12:30");
        whole("ada@x.org", "signed in as ada@x.org.");
        whole("anna", "anna's dashboard");
        whole("15.00", "$15.00");
        whole("total", "total - 15");
        whole("order 12", "order 12, paid");
        whole("12", "12 items");
        whole("order", "(order 12)");
    }

    #[test]
    fn text_is_compared_as_people_see_it() {
        assert_eq!(fold("  Welcome,\u{a0} Anna !"), "welcome, anna!");
        assert_eq!(fold("The group “ Glue ” was added"), "the group \"glue\" was added");
        assert_eq!(fold("( Glue ) was added"), "(glue) was added");
        assert_eq!(bare("Email *"), "email");
        assert_eq!(bare("×"), "×");
        assert_eq!(words_of("Your E-Mail address:"), ["your", "email", "address"]);
        assert_eq!(stem("boxes"), "box");
        assert_eq!(stem("address"), "address");
    }
}
