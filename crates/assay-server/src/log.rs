//! The log of the service: one line for each thing that happened, for people or for programs that collect logs.
//!
//! A line names what happened and whom it concerns, by ids. It quotes no body, no header, no query, and no address of a
//! webhook, so it holds no secret; and no character that steers a terminal or begins another line.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;

use crate::access::Rates;
use crate::clock::now_ms;

/// Takes a line without its end.
pub type LogSink = Arc<dyn Fn(&str) + Send + Sync>;

/// No value is longer.
const LONGEST: usize = 400;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// `2026-08-07T09:15:02.123Z info run.accepted run=run-1 order=3`
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

impl LogFormat {
    pub const ALL: [LogFormat; 2] = [LogFormat::Text, LogFormat::Json];

    pub fn name(self) -> &'static str {
        match self {
            LogFormat::Text => "text",
            LogFormat::Json => "json",
        }
    }

    pub fn named(name: &str) -> Option<LogFormat> {
        LogFormat::ALL.into_iter().find(|format| format.name() == name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Info,
    /// Something is not as it should be, and the service goes on.
    Warn,
    /// Something that was asked for was not done.
    Error,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
        }
    }
}

/// A name with its value; `null` is left out.
pub type Field<'a> = (&'a str, Value);

pub struct Log {
    format: LogFormat,
    sink: LogSink,
    /// Refusals of one address: whoever is refused all the time does not fill the disk.
    refusals: Rates,
}

impl Log {
    pub fn new(format: LogFormat, sink: LogSink) -> Log {
        Log { format, sink, refusals: Rates::new(1.0, 20.0) }
    }

    pub fn info(&self, event: &str, fields: &[Field<'_>]) {
        self.write(Level::Info, event, fields);
    }

    pub fn warn(&self, event: &str, fields: &[Field<'_>]) {
        self.write(Level::Warn, event, fields);
    }

    pub fn error(&self, event: &str, fields: &[Field<'_>]) {
        self.write(Level::Error, event, fields);
    }

    /// A request that was turned away. After twenty in a row from one address it has one line a second; metrics count all.
    pub fn refused(&self, peer: &str, fields: &[Field<'_>]) {
        if self.refusals.take(peer).is_ok() {
            self.warn("request.refused", fields);
        }
    }

    fn write(&self, level: Level, event: &str, fields: &[Field<'_>]) {
        (self.sink)(&line(self.format, now_ms(), level, event, fields));
    }
}

fn line(format: LogFormat, at: u64, level: Level, event: &str, fields: &[Field<'_>]) -> String {
    let at = i64::try_from(at).ok().and_then(|at| jiff::Timestamp::from_millisecond(at).ok());
    let at = at.map(|at| format!("{at:.3}")).unwrap_or_default();
    let fields = fields.iter().filter(|(_, value)| !value.is_null());
    let mut out = String::new();
    // Writing to a text does not fail.
    match format {
        LogFormat::Text => {
            let _written = write!(out, "{at} {:<5} {event}", level.name());
            for (name, value) in fields {
                let _written = write!(out, " {name}={}", bare(value));
            }
        }
        LogFormat::Json => {
            let _written =
                write!(out, r#"{{"time":"{at}","level":"{}","event":{}"#, level.name(), quoted(event));
            for (name, value) in fields {
                let _written = write!(out, ",{}:{}", quoted(name), shown(value));
            }
            out.push('}');
        }
    }
    out
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        other => plain(&other.to_string()),
    }
}

/// Without quotes where a reader needs none.
fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let is_word = |letter: char| letter.is_ascii_graphic() && !"\"\\='".contains(letter);
            match !text.is_empty() && text.len() <= LONGEST && text.chars().all(is_word) {
                true => text.clone(),
                false => quoted(text),
            }
        }
        other => shown(other),
    }
}

fn quoted(text: &str) -> String {
    let mut cut: String = text.chars().take(LONGEST).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    plain(&Value::String(cut).to_string())
}

/// JSON in which no character steers a terminal, ends a line or turns the direction of the text.
fn plain(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        let steers = letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        match steers {
            true => drop(write!(out, "\\u{:04x}", u32::from(letter))),
            false => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use serde_json::json;

    use super::*;

    const AT: u64 = 1_700_000_000_123;

    fn text(fields: &[Field<'_>]) -> String {
        line(LogFormat::Text, AT, Level::Warn, "run.ended", fields)
    }

    #[test]
    fn a_line_of_text_is_read_by_people() {
        let fields =
            [("run", json!("run-1")), ("order", json!(3)), ("by", json!("user ada")), ("why", Value::Null)];
        assert_eq!(
            text(&fields),
            "2023-11-14T22:13:20.123Z warn  run.ended run=run-1 order=3 by=\"user ada\""
        );
    }

    #[test]
    fn a_line_of_json_is_read_by_programs() {
        let fields = [("run", json!("a \"b\"")), ("order", json!(3)), ("ok", json!(true))];
        let line = line(LogFormat::Json, AT, Level::Info, "run.ended", &fields);
        let expected = json!({
            "time": "2023-11-14T22:13:20.123Z", "level": "info", "event": "run.ended",
            "run": "a \"b\"", "order": 3, "ok": true,
        });
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), expected);
        assert!(line.starts_with(r#"{"time":"2023"#));
    }

    #[test]
    fn no_value_begins_a_line_or_steers_a_terminal() {
        let hostile = "a\r\n2023 info\u{1b}[2J\u{9b}31m\u{202e}x\u{2028}\0";
        for format in LogFormat::ALL {
            let line =
                line(format, AT, Level::Info, "x", &[("path", json!(hostile)), ("list", json!([hostile]))]);
            assert!(!line.chars().any(char::is_control), "{line:?}");
            assert!(!line.contains(['\u{202e}', '\u{2028}']), "{line:?}");
        }
        let long = text(&[("path", json!("x".repeat(10_000)))]);
        assert!(long.chars().count() < 500);
    }

    #[test]
    fn whoever_is_refused_all_the_time_does_not_fill_the_log() {
        let lines = Arc::new(Mutex::new(0));
        let counted = Arc::clone(&lines);
        let log = Log::new(LogFormat::Text, Arc::new(move |_| *counted.lock().unwrap() += 1));
        for _ in 0..1000 {
            log.refused("10.0.0.1", &[]);
        }
        log.refused("10.0.0.2", &[]);
        let lines = *lines.lock().unwrap();
        assert!((21..40).contains(&lines), "{lines}");
    }
}
