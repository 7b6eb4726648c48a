//! What an event of a run says to somebody who looks on: lines of a console, and a picture.

use assay_protocol::{RunEvent, RunFact, Verdict};
use serde::Serialize;

/// A line of the console of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConsoleLine {
    /// Milliseconds since 1970.
    pub at: u64,
    /// plain, good, bad, or page: what a page complained about.
    pub kind: &'static str,
    pub text: String,
    /// The test that it is about; empty for the run.
    pub test: String,
}

/// A picture of a page, in the folder of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Picture {
    pub at: u64,
    pub test: String,
    pub step: usize,
    pub path: String,
}

/// The lines of an event, in their order.
pub fn lines_of(event: &RunEvent) -> Vec<ConsoleLine> {
    let line = |kind: &'static str, test: &str, text: String| ConsoleLine {
        at: event.at,
        kind,
        text,
        test: test.to_string(),
    };
    match &event.what {
        RunFact::FileRejected { file, message } => vec![line("bad", "", format!("{file}: {message}"))],
        RunFact::TestStarted { test, attempt: 1, .. } => vec![line("plain", test, "began".to_string())],
        RunFact::TestStarted { test, attempt, .. } => {
            vec![line("plain", test, format!("began attempt {attempt}"))]
        }
        RunFact::Command { test, record, .. } => {
            let outcome = if record.ok { "" } else { record.outcome.as_str() };
            let parts = [record.command.as_str(), record.because.as_str(), outcome];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            let kind = if record.ok { "plain" } else { "bad" };
            let errors = record.console_errors.iter().map(|said| format!("console: {said}"));
            let failed = record
                .failed_requests
                .iter()
                .map(|request| format!("{} {}: {}", request.method, request.url, request.why));
            let of_page = errors.chain(failed).map(|text| line("page", test, text));
            std::iter::once(line(kind, test, parts.join(" · "))).chain(of_page).collect()
        }
        RunFact::Retried { test, reason, .. } => {
            vec![line("plain", test, format!("tried again: {reason}"))]
        }
        RunFact::Note { test, text, .. } => vec![line("plain", test, text.clone())],
        RunFact::TestFinished { test, verdict, reason, .. } => {
            let kind = if *verdict == Verdict::Passed { "good" } else { "bad" };
            let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
            vec![line(kind, test, format!("{}{why}", verdict.name()))]
        }
        _ => Vec::new(),
    }
}

pub fn picture_of(event: &RunEvent) -> Option<Picture> {
    match &event.what {
        RunFact::Screenshot { test, step, path, .. } => {
            Some(Picture { at: event.at, test: test.clone(), step: *step, path: path.clone() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(event: serde_json::Value, expected: &[(&str, &str)]) {
        let event: RunEvent = serde_json::from_value(event).unwrap();
        let lines = lines_of(&event);
        let found: Vec<(&str, &str)> = lines.iter().map(|line| (line.kind, line.text.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_command_has_a_line_and_pages_have_theirs() {
        check(
            serde_json::json!({
                "at": 1, "event": "command", "test": "login", "step": 1, "command": "click e5", "pilot": "builtin",
                "because": "its name", "ok": false, "outcome": "it is covered", "duration_ms": 3,
                "console_errors": ["Boom"],
            }),
            &[("bad", "click e5 · its name · it is covered"), ("page", "console: Boom")],
        );
    }

    #[test]
    fn what_nobody_reads_has_no_line() {
        check(
            serde_json::json!({ "at": 1, "event": "run-finished", "interrupted": false, "duration_ms": 3 }),
            &[],
        );
    }
}
