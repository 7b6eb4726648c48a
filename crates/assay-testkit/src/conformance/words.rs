//! A command line as it is typed, split into words.

/// Single and double quotes group; there is no escape, because a case can always use the other quote.
pub(crate) fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for letter in line.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter == ' ' => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    assert!(quote.is_none(), "a quote is not closed in `{line}`");
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_are_split_at_spaces_outside_quotes() {
        assert_eq!(split(r#"click 'button "Log in"'"#), ["click", r#"button "Log in""#]);
        assert_eq!(split(r#"fill #a "" it"'"s"#), ["fill", "#a", "", "it's"]);
        assert_eq!(split("  map  --json "), ["map", "--json"]);
    }
}
