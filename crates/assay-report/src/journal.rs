//! A run on disk: one event per line, so its reports can be written again.

use std::io::{self, BufRead, Write};

use assay_protocol::RunEvent;
use serde::{Deserialize, Serialize};

use crate::Reporter;
use crate::summary::Summary;

/// Raised when a line would be misread by an older reader.
const VERSION: u32 = 1;

/// The first line of a journal.
#[derive(Serialize, Deserialize)]
struct Opening {
    assay_journal: u32,
}

/// Writes every event it receives.
pub struct Journal<W: Write> {
    output: W,
    trouble: Option<io::Error>,
}

impl<W: Write> Journal<W> {
    pub fn begin(mut output: W) -> io::Result<Self> {
        let mut line = serde_json::to_vec(&Opening { assay_journal: VERSION })?;
        line.push(b'\n');
        output.write_all(&line)?;
        output.flush()?;
        Ok(Journal { output, trouble: None })
    }

    /// The first thing that could not be written. Nothing is written after it:
    /// a journal with a hole would tell another story.
    pub fn trouble(&self) -> Option<&io::Error> {
        self.trouble.as_ref()
    }
}

impl<W: Write> Reporter for Journal<W> {
    fn event(&mut self, event: &RunEvent) {
        if self.trouble.is_none() {
            self.trouble = write_event(&mut self.output, event).err();
        }
    }
}

/// Appends one event as one line, in one write, so that a crash can tear the
/// last line only.
pub fn write_event(output: &mut impl Write, event: &RunEvent) -> io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

/// The content of a journal.
#[derive(Debug, Default)]
pub struct Recording {
    pub events: Vec<RunEvent>,
    /// The last line, when it was not written to its end.
    pub cut: Option<Cut>,
}

/// An incomplete last line. Its event is lost, and a report of the recording
/// must say so.
#[derive(Debug, PartialEq, Eq)]
pub struct Cut {
    pub line: usize,
    pub bytes: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("line {line} is not a run event: {source}")]
    NotAnEvent { line: usize, source: serde_json::Error },
    #[error("the journal has version {found}, but this assay reads version {VERSION}")]
    TooNew { found: u32 },
    #[error("the journal cannot be read: {source}")]
    Unreadable { source: io::Error },
}

pub fn read_events(input: impl BufRead) -> Result<Recording, JournalError> {
    let mut events = Vec::new();
    let cut = each_event(input, |event| events.push(event))?;
    Ok(Recording { events, cut })
}

/// The state of a run, from its journal; the events themselves are not kept.
pub fn read_summary(input: impl BufRead) -> Result<Summary, JournalError> {
    let mut summary = Summary::default();
    each_event(input, |event| summary.event(&event))?;
    Ok(summary)
}

fn each_event(mut input: impl BufRead, mut tell: impl FnMut(RunEvent)) -> Result<Option<Cut>, JournalError> {
    let mut doubtful: Option<(Cut, serde_json::Error)> = None;
    let mut bytes = Vec::new();
    let mut line = 0;
    loop {
        bytes.clear();
        let read =
            input.read_until(b'\n', &mut bytes).map_err(|source| JournalError::Unreadable { source })?;
        if read == 0 {
            return Ok(doubtful.map(|(cut, _)| cut));
        }
        line += 1;
        let content = bytes.trim_ascii();
        if content.is_empty() {
            continue;
        }
        // Only the last line may be torn: with one more after it, it is no accident of the end.
        if let Some((cut, source)) = doubtful {
            return Err(JournalError::NotAnEvent { line: cut.line, source });
        }
        if line == 1
            && let Ok(opening) = serde_json::from_slice::<Opening>(content)
        {
            match opening.assay_journal {
                VERSION => continue,
                found => return Err(JournalError::TooNew { found }),
            }
        }
        match serde_json::from_slice(content) {
            Ok(event) => tell(event),
            Err(source) => doubtful = Some((Cut { line, bytes: content.len() }, source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn journal_of(events: &[RunEvent]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut journal = Journal::begin(&mut bytes).unwrap();
        events.iter().for_each(|event| journal.event(event));
        assert!(journal.trouble().is_none());
        bytes
    }

    #[test]
    fn what_was_written_is_read_again() {
        let events = sample::failed_login();
        let recording = read_events(journal_of(&events).as_slice()).unwrap();
        assert_eq!(recording.events, events);
        assert_eq!(recording.cut, None);
        assert_eq!(read_summary(journal_of(&events).as_slice()).unwrap(), Summary::of(&events));
    }

    #[test]
    fn a_torn_last_line_is_told_and_the_rest_is_kept() {
        let events = sample::failed_login();
        let mut bytes = journal_of(&events);
        bytes.truncate(bytes.len() - 5);
        let recording = read_events(bytes.as_slice()).unwrap();
        assert_eq!(recording.events, events[..events.len() - 1]);
        assert_eq!(recording.cut.unwrap().line, events.len() + 1);
    }

    #[test]
    fn a_torn_line_in_the_middle_is_refused() {
        let mut bytes = journal_of(&sample::failed_login());
        bytes.splice(30..40, []);
        let told = read_events(bytes.as_slice()).unwrap_err().to_string();
        assert!(told.starts_with("line 2 is not a run event: "), "{told}");
    }

    #[test]
    fn a_newer_journal_is_refused_with_a_sentence() {
        let told = read_events("{\"assay_journal\":7}\n".as_bytes()).unwrap_err().to_string();
        assert_eq!(told, "the journal has version 7, but this assay reads version 1");
    }
}
