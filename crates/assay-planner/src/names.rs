//! Names of files and of things on a page.

/// Words enough to tell files apart, and short enough for any file system.
const LONGEST_STEM: usize = 60;

/// A file's name without its ending: letters, digits and dashes of the words, whatever else is in them. It can lead
/// nowhere: there is no dot and no slash in it.
pub fn file_stem(words: &str) -> String {
    let mut stem = String::new();
    for letter in words.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            stem.push(letter);
        } else if !stem.is_empty() && !stem.ends_with('-') {
            stem.push('-');
        }
        if stem.chars().count() >= LONGEST_STEM {
            break;
        }
    }
    let stem = stem.trim_matches('-');
    if stem.is_empty() { "test".to_string() } else { stem.to_string() }
}

/// Whether a name of a page can stand in quotation marks in a sentence and mean itself.
pub fn is_plain_name(name: &str) -> bool {
    let is_odd = |letter: char| {
        letter.is_control()
            || matches!(letter, '"' | '“' | '”' | '„' | '«' | '»' | '`' | '\\' | '$' | '⟦' | '⟧')
    };
    let length = name.chars().count();
    (1..=80).contains(&length) && name.trim() == name && !name.chars().any(is_odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_leads_nowhere() {
        assert_eq!(file_stem("Log in, with a valid account"), "log-in-with-a-valid-account");
        assert_eq!(file_stem("../../etc/passwd"), "etc-passwd");
        assert_eq!(file_stem("/root/.ssh/id\0rsa"), "root-ssh-id-rsa");
        assert_eq!(file_stem("..."), "test");
        assert_eq!(file_stem("Größe"), "größe");
        assert!(file_stem(&"a ".repeat(300)).chars().count() <= LONGEST_STEM);
    }

    #[test]
    fn a_name_that_would_read_otherwise_is_not_used() {
        assert!(is_plain_name("Log in") && is_plain_name("Größe (cm)"));
        for odd in ["", "say \"hi\"", "costs ${PRICE}", "two\nlines", " padded", &"x".repeat(81)] {
            assert!(!is_plain_name(odd), "{odd}");
        }
    }
}
