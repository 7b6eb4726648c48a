//! Words of a text, for rules that look for some.

/// The words in lower case, without what stands around them.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The first of the phrases whose words stand in the text one after the other.
pub(crate) fn first_phrase<'p>(text: &str, phrases: &[&'p str]) -> Option<&'p str> {
    let words = words(text);
    phrases.iter().copied().find(|phrase| {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        words
            .windows(wanted.len())
            .any(|window| window.iter().zip(&wanted).all(|(word, wanted)| word == wanted))
    })
}

/// Text on one line, without what nobody sees.
pub(crate) fn one_line(text: &str) -> String {
    assay_prompt::harmless(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_by_whole_words() {
        assert_eq!(first_phrase("It sends an E-mail.", &["mail", "sms"]), Some("mail"));
        assert_eq!(first_phrase("The emailed form", &["email"]), None);
        assert_eq!(first_phrase("Log in, please", &["log in"]), Some("log in"));
    }
}
