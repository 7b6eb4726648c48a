//! Standard output is data, standard error is talk. Neither carries a character that steers a terminal, wherever a text
//! comes from.

use std::io::Write;
use std::process::ExitCode;

use assay_protocol::{Failure, Format, Outcome, Reply, for_terminal, json_for_terminal};

/// Prints a reply and gives its exit code.
pub fn print_reply(reply: &Reply, format: Format) -> ExitCode {
    for note in &reply.notes {
        tell(&format!("note: {note}"));
    }
    match &reply.outcome {
        Outcome::Text { text, exit } => {
            print_line(text);
            ExitCode::from(*exit)
        }
        Outcome::Answer { answer, exit } => {
            print_json(&serde_json::json!({ "ok": true, "data": answer }));
            ExitCode::from(*exit)
        }
        Outcome::Status(status) => {
            match format {
                Format::Json => print_json(&serde_json::json!({ "ok": true, "data": status })),
                Format::Text => print_line(&status_line(status)),
            }
            ExitCode::SUCCESS
        }
        Outcome::Failed(failure) => print_failure(failure, format == Format::Json),
    }
}

pub fn status_line(status: &assay_protocol::DaemonStatus) -> String {
    let browser = match (&status.browser, status.browser_pid) {
        (Some(name), Some(pid)) => format!("{name} (pid {pid})"),
        (Some(name), None) => name.clone(),
        (None, _) => "no browser yet".to_string(),
    };
    let window = if status.headless { "headless" } else { "with a window" };
    let busy = match (&status.busy, status.queued) {
        (Some(verb), 0) => format!(", busy: {verb}"),
        (Some(verb), queued) => format!(", busy: {verb}, {queued} waiting"),
        (None, _) => String::new(),
    };
    format!(
        "{}: pid {}, {browser}, {window}, {} tab{}, up {}s{busy}",
        status.session,
        status.pid,
        status.tabs,
        if status.tabs == 1 { "" } else { "s" },
        status.uptime_s
    )
}

/// A failure goes to standard error as text, or to standard output as JSON.
pub fn print_failure(failure: &Failure, json: bool) -> ExitCode {
    if json {
        print_json(&serde_json::json!({ "ok": false, "error": failure }));
    } else {
        tell(&failure.to_text());
    }
    ExitCode::from(failure.code.exit_code())
}

/// Whether `--json` was asked for on a command line that could not be understood.
pub fn wants_json() -> bool {
    std::env::args().take_while(|word| word != "--").any(|word| word == "--json")
}

/// A line of talk.
pub fn tell(text: &str) {
    eprintln!("{}", for_terminal(text));
}

pub fn print_json(value: &serde_json::Value) {
    print_json_text(&value.to_string());
}

/// JSON that is text already, in one or more lines.
pub fn print_json_text(json: &str) {
    write_line(&json_for_terminal(json));
}

pub fn print_line(text: &str) {
    write_line(&for_terminal(text));
}

/// Nothing is printed for an empty answer: silence is the shortest "done".
fn write_line(text: &str) {
    if text.is_empty() {
        return;
    }
    let mut out = std::io::stdout().lock();
    // A reader that went away ends us by a signal; any other trouble has nobody to be told to.
    let _written =
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
}
