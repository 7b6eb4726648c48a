//! A line split into words as a shell splits it.

use super::UsageError;

/// Quotes group, a backslash takes the next character as it is. An unclosed quote is an error.
pub fn split_line(line: &str) -> Result<Vec<String>, UsageError> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut begun = false;
    let mut quote: Option<char> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some('"'), '\\') => match letters.next() {
                Some(next @ ('"' | '\\')) => word.push(next),
                Some(next) => word.extend(['\\', next]),
                None => word.push('\\'),
            },
            (Some(_), letter) => word.push(letter),
            (None, '"' | '\'') => {
                quote = Some(letter);
                begun = true;
            }
            (None, '\\') => {
                word.extend(letters.next());
                begun = true;
            }
            (None, letter) if letter.is_whitespace() => {
                if begun {
                    words.push(std::mem::take(&mut word));
                    begun = false;
                }
            }
            (None, letter) => {
                word.push(letter);
                begun = true;
            }
        }
    }
    if let Some(open) = quote {
        return Err(UsageError::UnclosedQuote { quote: open, line: line.to_string() });
    }
    if begun {
        words.push(word);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split_line;

    #[test]
    fn words_are_split_as_a_shell_splits_them() {
        assert_eq!(
            split_line(r#"fill "Email" a\ b 'c "d"' "" "#).unwrap(),
            ["fill", "Email", "a b", "c \"d\"", ""]
        );
        assert_eq!(split_line(r#"click 'button "Log in"'"#).unwrap(), ["click", "button \"Log in\""]);
        assert_eq!(split_line("  ").unwrap(), Vec::<String>::new());
        assert_eq!(split_line("click \"a").unwrap_err().to_string(), "expected a closing \" in `click \"a`");
    }
}
