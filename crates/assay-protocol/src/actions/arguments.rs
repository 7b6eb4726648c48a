//! The words of a command, sorted into its name, its arguments and its flags.

use std::collections::HashMap;

use super::syntax::{CommandSyntax, Flag};
use super::usage_error::UsageError;
use crate::Selector;

/// Finds the command that the first word names. None for a word that stays an argument although no command precedes it.
pub type FindCommand<'f> = dyn Fn(&str) -> Result<Option<&'static CommandSyntax>, UsageError> + 'f;

/// A command line taken apart.
#[derive(Debug, Default)]
pub struct ParsedWords {
    pub syntax: Option<&'static CommandSyntax>,
    pub positionals: Vec<String>,
    flags: HashMap<&'static str, String>,
    /// Whether the version was asked for, before any command.
    pub asks_version: bool,
}

impl ParsedWords {
    pub fn parse(words: &[String], find: &FindCommand<'_>) -> Result<ParsedWords, UsageError> {
        let mut parsed = ParsedWords::default();
        let mut only_positionals = false;
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if only_positionals || !looks_like_flag(word) {
                if parsed.syntax.is_none() && parsed.positionals.is_empty() {
                    parsed.syntax = find(word)?;
                    if parsed.syntax.is_some() {
                        continue;
                    }
                }
                parsed.positionals.push(word.clone());
                continue;
            }
            if word == "--" {
                only_positionals = true;
                continue;
            }
            if (word == "--version" || word == "-V") && parsed.syntax.is_none() {
                parsed.asks_version = true;
                continue;
            }
            parsed.take_flag(word, &mut rest)?;
        }
        Ok(parsed)
    }

    fn take_flag<'w>(
        &mut self,
        word: &str,
        rest: &mut impl Iterator<Item = &'w String>,
    ) -> Result<(), UsageError> {
        let (name, attached) = match word.split_once('=') {
            Some((name, value)) if word.starts_with("--") => (name, Some(value.to_string())),
            _ => (word, None),
        };
        let flag = find_flag(name, self.syntax).ok_or_else(|| unknown_flag(name, self.syntax))?;
        let value = match (flag.value, attached) {
            (None, None) => String::new(),
            (None, Some(_)) => return Err(UsageError::NeedlessValue { flag: name.to_string() }),
            (Some(_), Some(value)) => value,
            (Some(value), None) => rest.next().cloned().ok_or_else(|| UsageError::MissingValue {
                verb: self.syntax.map(|syntax| syntax.name),
                flag: name.to_string(),
                value,
            })?,
        };
        match self.flags.get_mut(flag.name) {
            // One line each, as in a file.
            Some(values) if flag.repeats => {
                values.push('\n');
                values.push_str(&value);
            }
            _ => {
                self.flags.insert(flag.name, value);
            }
        }
        Ok(())
    }

    pub fn flag(&self, name: &str) -> Option<&str> {
        self.flags.get(name).map(String::as_str)
    }

    pub fn has(&self, name: &str) -> bool {
        self.flags.contains_key(name)
    }

    pub fn number(&self, name: &str) -> Result<Option<u64>, UsageError> {
        self.flag(name).map(|text| whole_number(text, &format!("--{name}"))).transpose()
    }
}

/// A whole number that stands after `place`.
pub fn whole_number(text: &str, place: &str) -> Result<u64, UsageError> {
    text.parse::<u64>()
        .map_err(|_| UsageError::wrong_value(format!("a whole number after {place}"), format!("`{text}`")))
}

/// Whether a word is read as a flag where it stands bare. Negative numbers are not.
pub(super) fn looks_like_flag(word: &str) -> bool {
    let is_negative_number = word
        .strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit() || first == '.'));
    word.len() > 1 && word.starts_with('-') && !is_negative_number
}

fn find_flag(name: &str, syntax: Option<&'static CommandSyntax>) -> Option<&'static Flag> {
    CommandSyntax::all_flags(syntax).find(|flag| match name.strip_prefix("--") {
        Some(long) => flag.name == long,
        None => flag.short.is_some_and(|short| name.len() == 2 && name.ends_with(short)),
    })
}

fn unknown_flag(name: &str, syntax: Option<&'static CommandSyntax>) -> UsageError {
    let bare = name.trim_start_matches('-');
    let nearest = CommandSyntax::all_flags(syntax)
        .map(|flag| (strsim::jaro_winkler(bare, flag.name), flag.name))
        .filter(|(score, _)| *score > 0.75)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name);
    UsageError::UnknownFlag { verb: syntax.map(|syntax| syntax.name), found: name.to_string(), nearest }
}

/// The words of one command, as its builder reads them.
#[derive(Debug)]
pub struct Arguments<'w> {
    syntax: &'static CommandSyntax,
    words: &'w ParsedWords,
}

impl<'w> Arguments<'w> {
    /// The words of a command, counted where its syntax asks for it.
    pub fn of(syntax: &'static CommandSyntax, words: &'w ParsedWords) -> Result<Arguments<'w>, UsageError> {
        let arguments = Arguments { syntax, words };
        if syntax.is_counted {
            arguments.count(syntax.least_arguments(), syntax.most_arguments())?;
        }
        Ok(arguments)
    }

    pub(super) fn count(&self, least: usize, most: usize) -> Result<(), UsageError> {
        let found = self.words.positionals.len();
        if (least..=most).contains(&found) {
            return Ok(());
        }
        let expected = if self.syntax.arguments.is_empty() { "nothing more" } else { self.syntax.arguments };
        Err(self.wrong(expected, "` `"))
    }

    /// The error for words that make none of the forms `expected`.
    pub fn wrong_word(&self, expected: &str) -> UsageError {
        self.wrong(expected, " ")
    }

    fn wrong(&self, expected: &str, between: &str) -> UsageError {
        let found = if self.words.positionals.is_empty() {
            "nothing".to_string()
        } else {
            format!("`{}`", self.words.positionals.join(between))
        };
        self.expects(expected, found)
    }

    pub(super) fn expects(&self, expected: &str, found: String) -> UsageError {
        UsageError::WrongArguments {
            verb: self.syntax.name,
            expected: expected.to_string(),
            found,
            example: self.syntax.example,
        }
    }

    /// The words that are no flags, without the verb.
    pub fn all(&self) -> &'w [String] {
        &self.words.positionals
    }

    pub fn at(&self, index: usize) -> &'w str {
        self.optional(index).unwrap_or("")
    }

    pub fn optional(&self, index: usize) -> Option<&'w str> {
        self.words.positionals.get(index).map(String::as_str)
    }

    /// All arguments from this one on.
    pub(super) fn from(&self, index: usize) -> Vec<String> {
        self.words.positionals.iter().skip(index).cloned().collect()
    }

    pub(super) fn text(&self, index: usize) -> String {
        self.at(index).to_string()
    }

    pub(super) fn optional_text(&self, index: usize) -> Option<String> {
        self.optional(index).map(str::to_string)
    }

    pub(super) fn target(&self, index: usize) -> Result<Selector, UsageError> {
        Ok(Selector::parse(self.at(index))?)
    }

    pub(super) fn optional_target(&self, index: usize) -> Result<Option<Selector>, UsageError> {
        Ok(self.optional(index).map(Selector::parse).transpose()?)
    }

    pub(super) fn target_flag(&self, name: &str) -> Result<Option<Selector>, UsageError> {
        Ok(self.flag(name).map(Selector::parse).transpose()?)
    }

    pub fn flag(&self, name: &str) -> Option<&'w str> {
        self.words.flag(name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.words.has(name)
    }

    pub fn number(&self, name: &str) -> Result<Option<u64>, UsageError> {
        self.words.number(name)
    }
}

/// One word of a list, or an error that names them all.
pub(super) fn one_of<T: Copy>(found: &str, what: &str, choices: &[(&str, T)]) -> Result<T, UsageError> {
    let choice = choices.iter().find(|(name, _)| *name == found).map(|(_, choice)| *choice);
    choice.ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        UsageError::wrong_value(format!("{what} ({})", names.join(", ")), format!("`{found}`"))
    })
}

/// The word for a choice: the inverse of `one_of`.
pub(super) fn name_of<T: PartialEq>(choice: &T, choices: &'static [(&'static str, T)]) -> &'static str {
    choices.iter().find(|(_, known)| known == choice).map_or("", |(name, _)| name)
}

/// A length or a coordinate.
pub(super) fn pixels(text: &str) -> Result<f64, UsageError> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| UsageError::wrong_value("a number of pixels", format!("`{text}`")))
}
