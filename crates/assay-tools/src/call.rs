//! Carrying a call out.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use assay_protocol::actions::{ActionEntry, split_line};
use assay_protocol::{Action, Failure, Outcome, Reply};
use serde_json::{Map, Value};

use crate::answer::{Picture, ToolAnswer};
use crate::browser::{PATH, SCREENSHOT};
use crate::program::{CommandRun, Program};
use crate::tool::{Does, Misfit, Tool};

/// Who calls, and what happens meanwhile.
pub struct CallSpec<'a> {
    /// The browser session of the caller.
    pub session: &'a str,
    /// Gets a line of talk whenever there is one.
    pub tell: &'a dyn Fn(&str),
    /// Whether nobody waits for the answer any more.
    pub is_stopped: &'a dyn Fn() -> bool,
}

/// Calls a tool. Wrong arguments and work that failed are answers as well.
pub fn call(
    tool: &Tool,
    mut arguments: Map<String, Value>,
    program: &dyn Program,
    spec: &CallSpec<'_>,
) -> ToolAnswer {
    let misfit = |misfit: Misfit| ToolAnswer::error(format!("wrong arguments for `{}`: {misfit}", tool.name));
    match &tool.does {
        Does::Act(entry) => {
            let shot = shot_to_be_seen(entry, &mut arguments, program);
            let answer = match entry.read_tool(arguments) {
                Ok(action) => act(action, program, spec),
                Err(err) => misfit(Misfit::Value(err.to_string())),
            };
            match shot {
                Some(file) => only_seen(answer, &file),
                None => answer,
            }
        }
        Does::Sentence(words) => match words(arguments) {
            Ok(words) => {
                told(program.run_command(&in_session(words, spec.session), spec.tell, spec.is_stopped))
            }
            Err(err) => misfit(err),
        },
        Does::Command(words) => match words(arguments) {
            Ok(words) => command(words, program, spec),
            Err(err) => misfit(err),
        },
        Does::CommandLine => match line_of(&arguments) {
            Ok(words) => {
                told(program.run_command(&in_session(words, spec.session), spec.tell, spec.is_stopped))
            }
            Err(err) => misfit(err),
        },
        Does::Here(work) => work(arguments, program).unwrap_or_else(misfit),
    }
}

/// A screenshot without a file is taken to be looked at: the file that it goes through.
fn shot_to_be_seen(
    entry: &ActionEntry,
    arguments: &mut Map<String, Value>,
    program: &dyn Program,
) -> Option<PathBuf> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    if entry.name() != SCREENSHOT || arguments.contains_key(PATH) {
        return None;
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = program.temporary().join(format!("assay-screenshot-{}-{number}.png", std::process::id()));
    arguments.insert(PATH.to_string(), Value::String(file.display().to_string()));
    Some(file)
}

/// The picture without the name of its file, which is removed.
fn only_seen(answer: ToolAnswer, file: &Path) -> ToolAnswer {
    // It may not have been written.
    let _gone = std::fs::remove_file(file);
    match answer.picture {
        Some(_) => ToolAnswer { text: "the page as it looks now".to_string(), ..answer },
        None => answer,
    }
}

fn act(mut action: Action, program: &dyn Program, spec: &CallSpec<'_>) -> ToolAnswer {
    for path in action.paths_mut() {
        if !Path::new(path).is_absolute() {
            *path = program.folder().join(&*path).display().to_string();
        }
    }
    let picture = match &action {
        Action::Screenshot { path, .. } => Some(path.clone()),
        _ => None,
    };
    match program.act(spec.session, action) {
        Ok(reply) => shown(reply, picture.as_deref()),
        Err(failure) => failed(&failure),
    }
}

fn shown(reply: Reply, picture: Option<&str>) -> ToolAnswer {
    let notes: String = reply.notes.iter().map(|note| format!("\nnote: {note}")).collect();
    match reply.outcome {
        Outcome::Text { text, .. } => {
            let text = if text.is_empty() { "done".to_string() } else { text };
            ToolAnswer { picture: picture.and_then(read_picture), ..ToolAnswer::text(text + &notes) }
        }
        Outcome::Failed(failure) => failed(&failure),
        Outcome::Answer { answer, .. } => match serde_json::to_value(&*answer) {
            Ok(value) => ToolAnswer::value(value.to_string() + &notes, value),
            Err(err) => ToolAnswer::error(format!("the answer could not be written: {err}")),
        },
        Outcome::Status(status) => ToolAnswer::text(format!("{}{notes}", status.session)),
    }
}

fn read_picture(path: &str) -> Option<Picture> {
    let media_type = match Path::new(path).extension()?.to_str()? {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        _ => return None,
    };
    Some(Picture { bytes: std::fs::read(path).ok()?, media_type })
}

fn failed(failure: &Failure) -> ToolAnswer {
    ToolAnswer { exit_code: failure.code.exit_code(), ..ToolAnswer::error(failure.to_text()) }
}

/// As the system takes it.
fn exit_of(run: &CommandRun) -> u8 {
    u8::try_from(run.exit_code).unwrap_or(u8::MAX)
}

/// A command with its data: the talk is for readers, the data for programs.
fn command(words: Vec<String>, program: &dyn Program, spec: &CallSpec<'_>) -> ToolAnswer {
    let run = match program.run_command(&with_json(words), spec.tell, spec.is_stopped) {
        Ok(run) => run,
        Err(failure) => return failed(&failure),
    };
    let parsed: Option<Value> = serde_json::from_str(run.data.trim()).ok();
    let data = parsed.as_ref().map(|value| value.get("data").unwrap_or(value).clone());
    let error = parsed.as_ref().and_then(|value| value.get("error")).cloned();
    if let Some(failure) = error.and_then(|error| serde_json::from_value::<Failure>(error).ok()) {
        return failed(&failure);
    }
    let talk = run.talk.trim();
    let text = match &data {
        Some(value) if talk.is_empty() => value.to_string(),
        _ if talk.is_empty() => run.data.trim().to_string(),
        _ => talk.to_string(),
    };
    // 1: a test failed; 3: inconclusive. Both are answers.
    let is_error = !matches!(run.exit_code, 0 | 1 | 3);
    ToolAnswer { text, value: data.map(slim), picture: None, is_error, exit_code: exit_of(&run) }
}

/// Of a report, what a reader decides by: the rest is in the files of the run.
fn slim(report: Value) -> Value {
    let Some(tests) =
        report.get("tests").and_then(Value::as_array).filter(|_| report.get("totals").is_some())
    else {
        return report;
    };
    const KEPT: &[&str] =
        &["id", "name", "file", "status", "failed_at", "reason", "class", "duration_ms", "flaky"];
    let short = |test: &Value| -> Value {
        let fields = test.as_object().into_iter().flatten();
        fields
            .filter(|(key, _)| KEPT.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    };
    let mut kept = Map::new();
    for key in ["run", "totals", "duration_ms"] {
        kept.extend(report.get(key).map(|value| (key.to_string(), value.clone())));
    }
    kept.insert("tests".to_string(), tests.iter().map(short).collect());
    Value::Object(kept)
}

/// Standard output and standard error, as a terminal shows them.
fn told(run: Result<CommandRun, Failure>) -> ToolAnswer {
    match run {
        Ok(run) => {
            let both = [run.data.trim_end(), run.talk.trim_end()];
            let text = both.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
            let text = if text.is_empty() { "done".to_string() } else { text };
            ToolAnswer { is_error: run.exit_code != 0, exit_code: exit_of(&run), ..ToolAnswer::text(text) }
        }
        Err(failure) => failed(&failure),
    }
}

fn line_of(arguments: &Map<String, Value>) -> Result<Vec<String>, Misfit> {
    let line = match (arguments.get("arguments"), arguments.len()) {
        (Some(Value::String(line)), 1) => line,
        _ => return Err(Misfit::Value("expected {\"arguments\": \"…\"}".to_string())),
    };
    let words = split_line(line).map_err(|err| Misfit::Value(err.to_string()))?;
    match words.first().map(String::as_str) {
        Some("assay") => own_session_only(words[1..].to_vec()),
        _ => own_session_only(words),
    }
}

/// The session is the caller's: other ones, and the daemons behind them, are none of its business.
fn own_session_only(words: Vec<String>) -> Result<Vec<String>, Misfit> {
    let names_one = names_a_session(&words);
    let manages = matches!(words.first().map(String::as_str), Some("session" | "daemon" | "mcp" | "tool"));
    match names_one || manages {
        true => Err(Misfit::Value("the session is that of your connection; leave it out".to_string())),
        false => Ok(words),
    }
}

/// Flags stand before `--`.
fn with_flags(mut words: Vec<String>, flags: &[&str]) -> Vec<String> {
    let at = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words.splice(at..at, flags.iter().map(|flag| (*flag).to_string()));
    words
}

fn with_json(words: Vec<String>) -> Vec<String> {
    with_flags(words, &["--json"])
}

/// In the session of the caller, unless the line names one.
fn in_session(words: Vec<String>, session: &str) -> Vec<String> {
    if names_a_session(&words) { words } else { with_flags(words, &["--session", session]) }
}

fn names_a_session(words: &[String]) -> bool {
    words
        .iter()
        .take_while(|word| *word != "--")
        .any(|word| word.starts_with("-s") && !word.starts_with("--") || word.starts_with("--session"))
}
