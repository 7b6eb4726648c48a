//! Carrying a call out.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use assay_protocol::actions::{ActionEntry, split_line};
use assay_protocol::{Action, Agreed, EffectClass, ErrorCode, Failure, Outcome, Reply};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::answer::{Need, OpenQuestion, Picture, ToolAnswer};
use crate::arguments::{shaped, without_nulls};
use crate::bounded::bounded;
use crate::browser::{PATH, SCREENSHOT};
use crate::catalogue::find_tool;
use crate::program::{CommandRun, Program};
use crate::tool::{Does, Fit, Misfit, Tool};

/// Who calls, and what happens meanwhile.
pub struct CallSpec<'a> {
    /// The browser session of the caller.
    pub session: &'a str,
    /// What a user agreed to of acts that pay, delete, run code or reach beyond the project.
    pub agreed: &'a Agreed,
    /// Gets a line of talk whenever there is one.
    pub tell: &'a dyn Fn(&str),
    /// Whether nobody waits for the answer any more.
    pub is_stopped: &'a dyn Fn() -> bool,
}

/// Calls a tool. Wrong arguments and work that failed are answers as well.
pub fn call(
    tool: &Tool,
    arguments: Map<String, Value>,
    program: &dyn Program,
    spec: &CallSpec<'_>,
) -> ToolAnswer {
    let answer = carried_out(tool, arguments, program, spec);
    // Schemas name a type for what is there, and say of the rest that it may be missing.
    ToolAnswer { value: answer.value.map(without_nulls), ..answer }
}

fn carried_out(
    tool: &Tool,
    mut arguments: Map<String, Value>,
    program: &dyn Program,
    spec: &CallSpec<'_>,
) -> ToolAnswer {
    let misfit = |misfit: Misfit| ToolAnswer::error(format!("wrong arguments for `{}`: {misfit}", tool.name));
    if !matches!(tool.does, Does::Act(_) | Does::CommandLine) {
        arguments = match shaped(arguments, &tool.input) {
            Ok(arguments) => arguments,
            Err(err) => return misfit(err),
        };
    }
    if let Some(first) = tool.shows_first.filter(|_| *spec.agreed != Agreed::Everything) {
        return shown_first(tool, first, arguments, program, spec);
    }
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
            Ok(words) => sentence(words, program, spec),
            Err(err) => misfit(err),
        },
        Does::Command(words, fit) => match words(arguments) {
            Ok(words) => {
                let question = || format!("{}: `assay {}`", tool.title, words.join(" "));
                match tool.effects.destroys.then(question).and_then(|question| unless_agreed(question, spec))
                {
                    Some(asks) => asks,
                    None => command(tool, words, *fit, program, spec),
                }
            }
            Err(err) => misfit(err),
        },
        Does::CommandLine => match line_of(&arguments) {
            Ok(words) => command_line(&words, program, spec),
            Err(err) => misfit(err),
        },
        Does::Here(work) => work(arguments, program, spec).unwrap_or_else(misfit),
    }
}

/// The answer that asks for consent, unless a user agreed to just this question.
pub(crate) fn unless_agreed(question: String, spec: &CallSpec<'_>) -> Option<ToolAnswer> {
    match spec.agreed {
        Agreed::Everything => None,
        Agreed::To(agreed) if *agreed == question => None,
        Agreed::To(_) | Agreed::Nothing => Some(ToolAnswer::needs_consent(question)),
    }
}

/// A user agrees to what they have seen, and that is done. Where nothing is to be seen, there is nothing to agree to.
fn shown_first(
    tool: &Tool,
    first: &str,
    mut arguments: Map<String, Value>,
    program: &dyn Program,
    spec: &CallSpec<'_>,
) -> ToolAnswer {
    let agreed = CallSpec { agreed: &Agreed::Everything, ..*spec };
    let Some(shown) = find_tool(first) else { return ToolAnswer::needs_consent(tool.title.to_string()) };
    // Another run may end while the user reads.
    if !arguments.contains_key("run")
        && let Some(run) = newest_run(program, spec)
    {
        arguments.insert("run".to_string(), Value::String(run));
    }
    let seen = call(shown, arguments.clone(), program, &agreed);
    if seen.is_error {
        return seen;
    }
    let lists = seen.value.as_ref().and_then(Value::as_object).into_iter().flat_map(Map::values);
    let is_nothing = lists.into_iter().all(|list| list.as_array().is_some_and(Vec::is_empty));
    if !is_nothing {
        // The same in words, as on a terminal.
        let words = match &shown.does {
            Does::Command(words, _) => {
                words(arguments.clone()).ok().map(|words| told(program.run_command(spec, &words)))
            }
            _ => None,
        };
        let text = words.map_or(seen.text, |words| words.text);
        if let Some(asks) = unless_agreed(format!("{}?\n{text}", tool.title), spec) {
            return asks;
        }
    }
    call(tool, arguments, program, &agreed)
}

fn newest_run(program: &dyn Program, spec: &CallSpec<'_>) -> Option<String> {
    let runs = call(find_tool("list_runs")?, Map::new(), program, spec).value?;
    Some(runs.get("runs")?.get(0)?.get("run")?.get("task")?.to_string())
}

/// A line as people type it, for callers who may be guests.
fn command_line(words: &[String], program: &dyn Program, spec: &CallSpec<'_>) -> ToolAnswer {
    let reach = match program.reach_of(words) {
        Ok(reach) => reach,
        Err(failure) => return failed(&failure),
    };
    if let Some(reach) = reach
        && let Some(asks) = unless_agreed(format!("`assay {}` {reach}", words.join(" ")), spec)
    {
        return asks;
    }
    match program.action_of(words) {
        Some(action) => act(action, program, spec),
        None => told(program.run_command(spec, words)),
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

/// The action that a call is, if it is no more than that: it names no file, and nothing is shown or kept besides.
pub fn plain_action(tool: &Tool, arguments: &Map<String, Value>) -> Option<Action> {
    let Does::Act(entry) = &tool.does else { return None };
    if tool.shows_first.is_some() || entry.name() == SCREENSHOT {
        return None;
    }
    let mut action = entry.read_tool(arguments.clone()).ok()?;
    action.paths_mut().is_empty().then_some(action)
}

/// What a caller gets of the reply to a plain action.
pub fn answer_of(reply: Result<Reply, Failure>) -> ToolAnswer {
    match reply {
        Ok(reply) => shown(reply, None, "done"),
        Err(failure) => failed(&failure),
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
    // No text is the answer to a question too: an empty field, a console without messages.
    let asks = action.effect_class() == EffectClass::Reads && !matches!(action, Action::Wait { .. });
    let silence = if asks { "nothing" } else { "done" };
    match program.act(spec, action) {
        Ok(reply) => shown(reply, picture.as_deref(), silence),
        Err(failure) => failed(&failure),
    }
}

fn shown(reply: Reply, picture: Option<&str>, silence: &str) -> ToolAnswer {
    let notes: String = reply.notes.iter().map(|note| format!("\nnote: {note}")).collect();
    match reply.outcome {
        Outcome::Text { text, .. } => {
            let quotes_page = !text.is_empty();
            let text = if text.is_empty() { silence.to_string() } else { bounded(text) };
            let picture = picture.and_then(read_picture);
            ToolAnswer { picture, quotes_page, ..ToolAnswer::text(text + &notes) }
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

pub(crate) fn failed(failure: &Failure) -> ToolAnswer {
    let need = (failure.code == ErrorCode::ConsentNeeded).then(|| Need::Consent(failure.message.clone()));
    let quotes_page = failure.code.may_quote_a_page();
    ToolAnswer {
        exit_code: failure.code.exit_code(),
        need,
        quotes_page,
        ..ToolAnswer::error(failure.to_text())
    }
}

/// As the system takes it.
fn exit_of(run: &CommandRun) -> u8 {
    u8::try_from(run.exit_code).unwrap_or(u8::MAX)
}

/// What a command prints with `--json`.
#[derive(Deserialize)]
struct Printed {
    data: Option<Value>,
    error: Option<Failure>,
}

/// A command with its data: the talk is for readers, the data for programs.
fn command(
    tool: &Tool,
    words: Vec<String>,
    fit: Fit,
    program: &dyn Program,
    spec: &CallSpec<'_>,
) -> ToolAnswer {
    let reads_only = tool.effects.reads_only;
    let run = match program.run_command(spec, &with_json(words.clone())) {
        Ok(run) => run,
        Err(failure) => return failed(&failure),
    };
    let Ok(whole) = serde_json::from_str::<Value>(run.data.trim()) else {
        let text = [run.talk.trim(), run.data.trim()].join("\n").trim().to_string();
        return ToolAnswer { exit_code: exit_of(&run), ..ToolAnswer::error(text) };
    };
    // A report is its own data.
    let printed = match whole.get("ok") {
        Some(_) => serde_json::from_value(whole).unwrap_or(Printed { data: None, error: None }),
        None => Printed { data: Some(whole), error: None },
    };
    if let Some(failure) = printed.error {
        return asking(failed(&failure), failure.code, printed.data.as_ref());
    }
    let value = match printed.data.map(fit).transpose() {
        Ok(value) => value,
        Err(err) => return ToolAnswer::error(format!("the answer has another form than promised: {err}")),
    };
    // What a command says meanwhile is for readers. One that says nothing is asked for words, if it only reads: anything
    // else would be done twice.
    let text = match (run.talk.trim(), &value) {
        ("", _) if reads_only => told(program.run_command(spec, &words)).text,
        ("", Some(value)) => tool.says.and_then(|says| says(value)).unwrap_or_else(|| value.to_string()),
        (talk, _) => talk.to_string(),
    };
    // 1: a test failed; 3: inconclusive. Both are answers. A list may be empty.
    let is_empty_list = reads_only && value.as_ref().is_some_and(has_only_empty_lists);
    let is_error = !matches!(run.exit_code, 0 | 1 | 3) && !is_empty_list;
    let exit_code = if is_empty_list { 0 } else { exit_of(&run) };
    ToolAnswer { text, value, is_error, exit_code, quotes_page: true, ..ToolAnswer::default() }
}

fn has_only_empty_lists(value: &Value) -> bool {
    let fields = value.as_object().filter(|fields| !fields.is_empty());
    fields.is_some_and(|fields| fields.values().all(|field| field.as_array().is_some_and(Vec::is_empty)))
}

/// Questions that keep work from going on are part of the answer.
fn asking(answer: ToolAnswer, code: ErrorCode, data: Option<&Value>) -> ToolAnswer {
    let questions = data.and_then(|data| data.get("questions")).cloned();
    let questions = questions.and_then(|list| serde_json::from_value::<Vec<OpenQuestion>>(list).ok());
    match questions.filter(|_| code == ErrorCode::QuestionsOpen) {
        Some(questions) => {
            let lines: String =
                questions.iter().map(|one| format!("\n{}: {}", one.id, one.question)).collect();
            let text = format!("{}{lines}\ncall again with `answers`", answer.text);
            ToolAnswer { text, need: Some(Need::Answers(questions)), ..answer }
        }
        None => answer,
    }
}

/// One sentence in the caller's browser.
fn sentence(words: Vec<String>, program: &dyn Program, spec: &CallSpec<'_>) -> ToolAnswer {
    let run = match program.run_command(spec, &with_json(words)) {
        Ok(run) => run,
        Err(failure) => return failed(&failure),
    };
    let Ok(printed) = serde_json::from_str::<Printed>(run.data.trim()) else { return told(Ok(run)) };
    if let Some(failure) = printed.error {
        return failed(&failure);
    }
    let data = printed.data.unwrap_or_default();
    let text = data.get("text").and_then(Value::as_str).unwrap_or_default();
    let text = if text.is_empty() { "done" } else { text };
    // Of a sentence that was read wrongly, or not at all, the reason is what counts.
    ToolAnswer {
        is_error: run.exit_code != 0,
        exit_code: exit_of(&run),
        quotes_page: true,
        ..ToolAnswer::text(text)
    }
}

/// Standard output and standard error, as a terminal shows them.
fn told(run: Result<CommandRun, Failure>) -> ToolAnswer {
    match run {
        Ok(run) => {
            let both = [run.data.trim_end(), run.talk.trim_end()];
            let text = both.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
            let text = if text.is_empty() { "no output".to_string() } else { text };
            let is_error = run.exit_code != 0;
            ToolAnswer { is_error, exit_code: exit_of(&run), quotes_page: true, ..ToolAnswer::text(text) }
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
    // Lines are often copied from a terminal.
    Ok(match words.first().map(String::as_str) {
        Some("assay") => words[1..].to_vec(),
        _ => words,
    })
}

/// Flags stand before `--`.
fn with_json(mut words: Vec<String>) -> Vec<String> {
    let at = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words.insert(at, "--json".to_string());
    words
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use assay_protocol::{DeviceLock, HostInfo, UserInterface};
    use serde_json::json;

    use super::*;
    use crate::program::DeviceWish;

    /// Carries out nothing, answers with this, and remembers what it was asked for.
    struct Clerk {
        data: Value,
        asked: Mutex<Vec<String>>,
    }

    impl Program for Clerk {
        fn folder(&self) -> PathBuf {
            PathBuf::new()
        }

        fn temporary(&self) -> PathBuf {
            PathBuf::new()
        }

        fn act(&self, _: &CallSpec<'_>, _: Action) -> Result<Reply, Failure> {
            unreachable!()
        }

        fn action_of(&self, _: &[String]) -> Option<Action> {
            None
        }

        fn reach_of(&self, _: &[String]) -> Result<Option<&'static str>, Failure> {
            Ok(None)
        }

        fn run_command(&self, _: &CallSpec<'_>, words: &[String]) -> Result<CommandRun, Failure> {
            self.asked.lock().unwrap().push(words.join(" "));
            let data = json!({ "ok": true, "data": self.data }).to_string();
            Ok(CommandRun { data, talk: String::new(), exit_code: 0 })
        }

        fn host(&self) -> Result<HostInfo, Failure> {
            unreachable!()
        }

        fn take_control(&self, _: &CallSpec<'_>, _: DeviceWish) -> Result<DeviceLock, Failure> {
            unreachable!()
        }

        fn check_control(&self, _: &CallSpec<'_>, _: &str) -> Result<(), Failure> {
            Ok(())
        }

        fn release_control(&self, _: &CallSpec<'_>, _: &str) -> Result<DeviceLock, Failure> {
            unreachable!()
        }

        fn applications(&self) -> Result<Vec<UserInterface>, Failure> {
            Ok(Vec::new())
        }
    }

    fn asked(tool: &str, arguments: Value, data: Value) -> (Vec<String>, ToolAnswer) {
        let clerk = Clerk { data, asked: Mutex::default() };
        let spec =
            CallSpec { session: "a", agreed: &Agreed::Everything, tell: &|_| {}, is_stopped: &|| false };
        let arguments = arguments.as_object().cloned().unwrap();
        let answer = call(find_tool(tool).unwrap(), arguments, &clerk, &spec);
        (clerk.asked.into_inner().unwrap(), answer)
    }

    #[test]
    fn a_command_with_an_effect_is_carried_out_once() {
        let new = json!({ "code": "REQ-1", "name": "pay by card" });
        let changes =
            json!({ "created": ["REQ-1"], "updated": [], "unchanged": [], "files": ["requirements/a.yaml"] });
        let (asked, answer) = asked("create_requirement", new, changes);
        assert_eq!(asked.len(), 1, "{asked:?}: {answer:?}");
        assert!(!answer.is_error && answer.text.contains("REQ-1"), "{answer:?}");
    }
}
