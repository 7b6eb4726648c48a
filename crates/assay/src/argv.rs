//! From words to a command. Table-driven by the catalogue, so that the parser, the help and the
//! completions cannot disagree; hand-written, because every command pays for it.

use std::path::Path;

use assay_protocol::actions::{ParsedWords, UsageError, whole_number};
use assay_protocol::{Action, BrowserSettings, ErrorCode, Failure, Format};

use crate::catalogue::{Verb, find_verb, unknown_verb};
use crate::command::{Command, Invocation};
use crate::engines::engine;
use crate::environment::Environment;

/// Time a command that is no action may take when nothing else was said.
const COMMAND_MS: u64 = 15_000;

pub fn parse(arguments: &[String], environment: &Environment) -> Result<Invocation, Failure> {
    let words = ParsedWords::parse(arguments, &|word| match find_verb(word) {
        Some(verb) => Ok(Some(verb.syntax())),
        None if word == "help" || word == "version" => Ok(None),
        None => Err(unknown_verb(word)),
    })?;
    let command = command(&words)?;
    let timeout = match (words.number("timeout")?, &environment.timeout_ms) {
        (Some(timeout), _) => Some(timeout),
        (None, Some(text)) => Some(whole_number(text, "ASSAY_TIMEOUT")?),
        (None, None) => None,
    };
    let default_ms = match &command {
        Command::Act(action) => action.entry().time_ms,
        _ => COMMAND_MS,
    };
    // A run has a budget of another kind: what it may spend on models.
    let is_own = words.syntax.is_some_and(|syntax| syntax.flags.iter().any(|flag| flag.name == "budget"));
    let given = if is_own { None } else { words.number("budget")? };
    let budget = match (given, &environment.budget) {
        (Some(budget), _) => Some(budget as usize),
        (None, Some(text)) => Some(whole_number(text, "ASSAY_BUDGET")? as usize),
        (None, None) => None,
    };
    let headless = match (words.has("headed"), words.has("headless")) {
        (true, true) => return Err(UsageError::wrong_value("--headed or --headless", "both").into()),
        (true, false) => Some(false),
        (false, true) => Some(true),
        (false, false) => environment.headless,
    };
    let flag = |name: &str| words.flag(name).map(str::to_string);
    let asked = flag("browser").or_else(|| environment.engine.clone());
    // A run takes a list of browsers, which it reads itself.
    let engine = match &command {
        Command::Run(_) => engine(None)?,
        _ => engine(asked.as_deref())?,
    };
    let mut allow = environment.allow.clone();
    if let Some(scheme) = words.flag("allow") {
        allow.extend(scheme.split(',').map(|scheme| scheme.trim().trim_end_matches(':').to_lowercase()));
    }
    Ok(Invocation {
        command,
        session: flag("session")
            .or_else(|| environment.session.clone())
            .unwrap_or_else(|| "default".to_string()),
        named_session: words.has("session") || environment.session.is_some(),
        format: if words.has("json") { Format::Json } else { Format::Text },
        timeout_ms: timeout.unwrap_or(default_ms),
        wait: words.has("timeout"),
        budget,
        browser: BrowserSettings {
            engine: asked,
            headless,
            path: words
                .flag("browser-path")
                .map(absolute)
                .or_else(|| environment.program(engine).map(str::to_string)),
            connect: flag("connect").or_else(|| environment.connect.clone()),
            capabilities: environment.capabilities.clone(),
            debugging_port: None,
        },
        allow,
    })
}

fn command(words: &ParsedWords) -> Result<Command, Failure> {
    let first = words.positionals.first().map(String::as_str);
    if words.asks_version || (words.syntax.is_none() && first == Some("version")) {
        return Ok(Command::Version);
    }
    let Some(verb) = words.syntax.and_then(|syntax| find_verb(syntax.name)) else {
        // The only other word that stands here without a verb is `help`.
        return Ok(Command::Help { verb: words.positionals.get(1).cloned() });
    };
    if words.has("help") {
        return Ok(Command::Help { verb: Some(verb.syntax().name.to_string()) });
    }
    match verb {
        Verb::Action(entry) => Ok(Command::Act(with_surroundings(entry.read(words)?)?)),
        Verb::Command(entry) => entry.read(words),
    }
}

/// The action with what only its caller has: the folder that paths count from, and standard input.
pub fn with_surroundings(mut action: Action) -> Result<Action, Failure> {
    // The daemon has another working folder than the caller.
    for path in action.paths_mut() {
        *path = absolute(path);
    }
    if let Action::Eval { expression } = &mut action
        && expression == "-"
    {
        *expression = standard_input()?;
    }
    Ok(action)
}

/// What `-` stands for.
pub fn standard_input() -> Result<String, Failure> {
    std::io::read_to_string(std::io::stdin())
        .map_err(|err| Failure::new(ErrorCode::Io, format!("could not read standard input: {err}")))
}

fn absolute(path: &str) -> String {
    std::path::absolute(Path::new(path)).map_or_else(|_| path.to_string(), |path| path.display().to_string())
}

/// Every verb of the catalogue is understood; a forgotten one would only be noticed by its user.
#[cfg(test)]
mod tests {
    use assay_protocol::actions::split_line;
    use assay_protocol::{WaitFor, WaitState};

    use super::*;
    use crate::catalogue::syntaxes;

    fn parse_line(line: &str) -> Result<Invocation, Failure> {
        let words = split_line(line).unwrap();
        parse(&words, &Environment::default())
    }

    #[track_caller]
    fn check_failure(line: &str, expected: &str) {
        let failure = parse_line(line).unwrap_err();
        assert_eq!(failure.to_text(), expected);
    }

    #[test]
    fn the_example_of_every_verb_is_understood() {
        for verb in syntaxes() {
            let Some(line) = verb.example.strip_prefix("assay ") else { continue };
            let parsed = parse_line(line);
            assert!(parsed.is_ok(), "{}: {:?}", verb.example, parsed.unwrap_err());
        }
    }

    #[test]
    fn names_of_older_command_lines_keep_working() {
        assert_eq!(
            parse_line("navigate http://a/").unwrap().command,
            Command::Act(Action::Go { url: "http://a/".to_string() })
        );
        let waiting = parse_line("wait .spinner --state hidden --timeout 60000").unwrap();
        assert_eq!(waiting.timeout_ms, 60_000);
        assert!(matches!(
            waiting.command,
            Command::Act(Action::Wait { until: WaitFor::Element { state: WaitState::Hidden, .. } })
        ));
        assert!(matches!(
            parse_line("screenshot -o debug.png").unwrap().command,
            Command::Act(Action::Screenshot { .. })
        ));
        assert!(matches!(
            parse_line("find-all button").unwrap().command,
            Command::Act(Action::FindAll { .. })
        ));
        assert!(matches!(parse_line("keys Enter").unwrap().command, Command::Act(Action::Press { .. })));
    }

    #[test]
    fn the_version_is_a_flag_and_a_word() {
        for line in ["--version", "-V", "version"] {
            assert!(matches!(parse_line(line).unwrap().command, Command::Version), "{line}");
        }
    }

    #[test]
    fn mistakes_are_told_with_what_was_expected() {
        check_failure("clik e1", "error: there is no verb `clik`\nhint: did you mean click?");
        check_failure("install", "error: there is no verb `install`\nhint: did you mean setup?");
        check_failure("ui", "error: there is no verb `ui`\nhint: assay --help lists all verbs");
        check_failure("click", "error: `click` expects TARGET, found nothing\nhint: assay click \"Log in\"");
        check_failure(
            "click e1 --timout 5",
            "error: `click` has no flag `--timout`\nhint: did you mean --timeout? Text that begins with - goes after --",
        );
        check_failure(
            "click e1 --timeout",
            "error: expected MS after --timeout, found nothing\nhint: assay click --help",
        );
        check_failure(
            "click e1 --timeout soon",
            "error: expected a whole number after --timeout, found `soon`",
        );
        check_failure(
            "is shiny e1",
            "error: expected a state (visible, hidden, enabled, disabled, checked, unchecked, editable), found `shiny`",
        );
        check_failure(
            "fill e1",
            "error: `fill` expects TARGET TEXT, found `e1`\nhint: assay fill \"Email\" test@example.com",
        );
        check_failure(
            "wait",
            "error: `wait` expects TARGET, --text TEXT, --url PART or --load, found nothing\nhint: assay wait \".spinner\" --state hidden --timeout 60000",
        );
        check_failure(
            "daemon restart",
            "error: `daemon` expects start, status or stop, found `restart`\nhint: assay daemon status",
        );
    }

    #[test]
    fn text_that_begins_with_a_dash_can_be_filled_in() {
        let command = parse_line("fill e1 -- --not-a-flag").unwrap().command;
        assert!(matches!(command, Command::Act(Action::Fill { text, .. }) if text == "--not-a-flag"));
        let command = parse_line("fill e1 -5").unwrap().command;
        assert!(matches!(command, Command::Act(Action::Fill { text, .. }) if text == "-5"));
    }

    #[test]
    fn a_timeout_asks_to_wait() {
        assert!(!parse_line("click e1").unwrap().wait);
        assert!(parse_line("click e1 --timeout 100").unwrap().wait);
    }
}
