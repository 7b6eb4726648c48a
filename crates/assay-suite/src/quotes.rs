//! Values in sentences: a quotation mark inside a value does not end the value.

/// Which quotation mark is open at this point of a text.
#[derive(Debug, Default)]
pub(crate) struct Quotes {
    open: Option<char>,
}

const MARKS: &[char] = &['"', '“', '”', '„', '«', '»', '`'];

impl Quotes {
    /// Skips a part of the text as its author wrote it.
    pub fn pass(&mut self, part: &str) {
        let mut letters = part.chars().peekable();
        let mut before: Option<char> = None;
        while let Some(letter) = letters.next() {
            let after = letters.peek().copied();
            match self.open {
                Some(_) if letter == '\\' => drop(letters.next()),
                Some(open) if closes(open, letter) && !is_apostrophe(letter, before, after) => {
                    self.open = None
                }
                Some(_) => {}
                None if matches!(letter, '"' | '“' | '„' | '«' | '`') => self.open = Some(letter),
                // An apostrophe inside a word opens nothing: the user's name.
                None if matches!(letter, '\'' | '‘') && !before.is_some_and(char::is_alphanumeric) => {
                    self.open = Some(letter);
                }
                None => {}
            }
            before = Some(letter);
        }
    }

    /// The value, quoted so that it reads as one value, whatever it contains.
    pub fn hold(&self, value: &str) -> String {
        match self.open {
            Some(open) => escaped(value, |letter| closes(open, letter)),
            None if value.contains(MARKS) => format!("\"{}\"", escaped(value, |letter| letter == '"')),
            None => value.to_string(),
        }
    }
}

fn escaped(value: &str, ends: impl Fn(char) -> bool) -> String {
    let mut text = String::with_capacity(value.len());
    for letter in value.chars() {
        if letter == '\\' || ends(letter) {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

fn closes(open: char, letter: char) -> bool {
    match open {
        '“' | '”' | '„' => matches!(letter, '”' | '“' | '"'),
        '«' => letter == '»',
        '‘' | '’' => matches!(letter, '’' | '\''),
        same => letter == same,
    }
}

fn is_apostrophe(letter: char, before: Option<char>, after: Option<char>) -> bool {
    matches!(letter, '\'' | '’')
        && before.is_some_and(char::is_alphanumeric)
        && after.is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, value: &str, expected: &str) {
        let mut quotes = Quotes::default();
        quotes.pass(before);
        assert_eq!(quotes.hold(value), expected);
    }

    #[test]
    fn a_mark_inside_a_value_does_not_end_it() {
        check("Enter \"", "ab\" in the name field", "ab\\\" in the name field");
        check("Enter \"a\" in the field ", "plain", "plain");
        check("Enter ", "a \"b\"", "\"a \\\"b\\\"\"");
        check("Enter '", "it's", "it\\'s");
        check("The user's name is \"", "x\\", "x\\\\");
        check("Enter “", "x”y", "x\\”y");
    }
}
