//! Merges an entry into a text, and takes it out, whatever the format is.
//!
//! A text is changed in small steps and read again after each, so the result is always one that its format can read
//! and that says what was wanted. Does not know files.

use crate::catalogue::Format;
use crate::edit::{Edit, apply};
use crate::entry::Wanted;
use crate::error::Mistake;
use crate::{json, toml, yaml};

/// What is still to be done.
pub(crate) enum Step {
    Settled,
    Edit(Vec<Edit>),
    /// The entry cannot be mended; it has to be taken out and put in anew.
    Replace,
}

/// What becomes of a table that has no entry any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Emptied {
    Stays,
    /// It goes, if it looks as if it had been made for the entry.
    Goes,
}

/// What a file holds without the entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rest {
    Text(String),
    /// It was made for the entry.
    NoFile,
}

/// More steps than an entry has fields, twice over.
const MAX_STEPS: usize = 24;

/// The text with the entry in it.
pub(crate) fn add(format: Format, text: &str, wanted: &Wanted) -> Result<String, Mistake> {
    let mut current = text.to_string();
    for _ in 0..MAX_STEPS {
        let step = match format {
            Format::Json => json::step(&current, wanted)?,
            Format::Toml => toml::step(&current, wanted)?,
            Format::Yaml => yaml::step(&current, wanted)?,
        };
        current = match step {
            Step::Settled => return Ok(current),
            Step::Edit(edits) => apply(&current, edits),
            Step::Replace => match take_out(format, &current, wanted.table, &wanted.name, Emptied::Stays)? {
                Some(Rest::Text(rest)) => rest,
                Some(Rest::NoFile) => fresh(format, wanted),
                None => break,
            },
        };
    }
    Err(Mistake::unusual(0, "the way in which this file writes its servers"))
}

/// The text without the entry; nothing if it is not there.
pub(crate) fn take_out(
    format: Format,
    text: &str,
    table: &str,
    name: &str,
    emptied: Emptied,
) -> Result<Option<Rest>, Mistake> {
    match format {
        Format::Json => json::take_out(text, table, name, emptied),
        Format::Toml => toml::take_out(text, table, name),
        Format::Yaml => yaml::take_out(text, table, name, emptied),
    }
}

/// The text of a new file with nothing but the entry.
pub(crate) fn fresh(format: Format, wanted: &Wanted) -> String {
    match format {
        Format::Json => json::fresh(wanted),
        Format::Toml => toml::fresh(wanted),
        Format::Yaml => yaml::fresh(wanted),
    }
}
