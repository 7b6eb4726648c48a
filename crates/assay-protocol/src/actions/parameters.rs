//! The parameters of an action, walked once for every purpose: its words, its selectors, its files, the texts it enters.

use super::arguments::looks_like_flag;
use crate::Selector;

/// Receives the parameters of an action in the order in which they are typed: arguments first, then flags.
pub(super) trait ParameterVisitor<'a> {
    /// An element.
    fn target(&mut self, _: &'a mut Selector) {}
    /// An element that a flag names.
    fn target_flag(&mut self, _name: &'static str, _: &'a mut Selector) {}
    /// Text that the action puts into the page.
    fn entered(&mut self, _: &'a mut String) {}
    /// A file that the action puts into the page.
    fn entered_file(&mut self, _: &'a mut String) {}
    /// A file of the caller.
    fn path(&mut self, _: &'a mut String) {}
    /// A file of the caller that a flag names.
    fn path_flag(&mut self, _name: &'static str, _: &'a mut String) {}
    /// A name, a number, an address: quoted only where it must be.
    fn word(&mut self, _: &str) {}
    /// Free text.
    fn quoted(&mut self, _: &str) {}
    fn flag(&mut self, _name: &'static str, _value: &str) {}
    fn quoted_flag(&mut self, _name: &'static str, _value: &str) {}
    fn switch(&mut self, _name: &'static str) {}
}

/// An action as it could be typed.
#[derive(Debug)]
pub(super) struct CommandLine {
    verb: &'static str,
    positionals: Vec<Word>,
    /// Names with their values; None for a switch.
    flags: Vec<(&'static str, Option<Word>)>,
}

#[derive(Debug)]
struct Word {
    text: String,
    is_quoted: bool,
}

impl CommandLine {
    pub fn new(verb: &'static str) -> CommandLine {
        CommandLine { verb, positionals: Vec::new(), flags: Vec::new() }
    }

    /// The words that `Action::from_words` reads back.
    pub fn into_words(self) -> Vec<String> {
        let mut words = vec![self.verb.to_string()];
        let mut flags = Vec::new();
        for (name, value) in self.flags {
            flags.push(format!("--{name}"));
            flags.extend(value.map(|value| value.text));
        }
        if self.positionals.iter().any(|word| looks_like_flag(&word.text)) {
            words.append(&mut flags);
            words.push("--".to_string());
        }
        words.extend(self.positionals.into_iter().map(|word| word.text));
        words.extend(flags);
        words
    }
}

impl std::fmt::Display for CommandLine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.verb)?;
        for word in &self.positionals {
            write!(formatter, " {word}")?;
        }
        for (name, value) in &self.flags {
            write!(formatter, " --{name}")?;
            if let Some(value) = value {
                write!(formatter, " {value}")?;
            }
        }
        Ok(())
    }
}

impl Word {
    fn bare(text: &str) -> Word {
        let needs_quotes = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | '\\');
        Word { text: text.to_string(), is_quoted: text.is_empty() || text.contains(needs_quotes) }
    }

    fn quoted(text: &str) -> Word {
        Word { text: text.to_string(), is_quoted: true }
    }
}

impl std::fmt::Display for Word {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_quoted { write!(formatter, "{:?}", self.text) } else { formatter.write_str(&self.text) }
    }
}

impl ParameterVisitor<'_> for CommandLine {
    fn target(&mut self, selector: &mut Selector) {
        self.positionals.push(Word::quoted(&selector.source));
    }

    fn target_flag(&mut self, name: &'static str, selector: &mut Selector) {
        self.flags.push((name, Some(Word::quoted(&selector.source))));
    }

    fn entered(&mut self, text: &mut String) {
        self.positionals.push(Word::quoted(text));
    }

    fn entered_file(&mut self, path: &mut String) {
        self.positionals.push(Word::bare(path));
    }

    fn path(&mut self, path: &mut String) {
        self.positionals.push(Word::bare(path));
    }

    fn path_flag(&mut self, name: &'static str, path: &mut String) {
        self.flags.push((name, Some(Word::bare(path))));
    }

    fn word(&mut self, word: &str) {
        self.positionals.push(Word::bare(word));
    }

    fn quoted(&mut self, text: &str) {
        self.positionals.push(Word::quoted(text));
    }

    fn flag(&mut self, name: &'static str, value: &str) {
        self.flags.push((name, Some(Word::bare(value))));
    }

    fn quoted_flag(&mut self, name: &'static str, value: &str) {
        self.flags.push((name, Some(Word::quoted(value))));
    }

    fn switch(&mut self, name: &'static str) {
        self.flags.push((name, None));
    }
}

/// The selectors of an action.
#[derive(Default)]
pub(super) struct Selectors<'a>(pub Vec<&'a mut Selector>);

impl<'a> ParameterVisitor<'a> for Selectors<'a> {
    fn target(&mut self, selector: &'a mut Selector) {
        self.0.push(selector);
    }

    fn target_flag(&mut self, _: &'static str, selector: &'a mut Selector) {
        self.0.push(selector);
    }
}

/// What an action puts into the page.
#[derive(Default)]
pub(super) struct EnteredValues<'a>(pub Vec<&'a mut String>);

impl<'a> ParameterVisitor<'a> for EnteredValues<'a> {
    fn entered(&mut self, text: &'a mut String) {
        self.0.push(text);
    }

    fn entered_file(&mut self, path: &'a mut String) {
        self.0.push(path);
    }
}

/// The files of the caller that an action reads or writes.
#[derive(Default)]
pub(super) struct Paths<'a>(pub Vec<&'a mut String>);

impl<'a> ParameterVisitor<'a> for Paths<'a> {
    fn entered_file(&mut self, path: &'a mut String) {
        self.0.push(path);
    }

    fn path(&mut self, path: &'a mut String) {
        self.0.push(path);
    }

    fn path_flag(&mut self, _: &'static str, path: &'a mut String) {
        self.0.push(path);
    }
}
