//! From words to a command. Table-driven by the catalogue, so that the parser, the help and the
//! completions cannot disagree; hand-written, because every command pays for it.

use std::collections::HashMap;
use std::path::Path;

use assay_protocol::{
    Action, BrowserSettings, CookieOperation, DialogAnswer, ElementState, ErrorCode, Failure, Format,
    MouseButton, ScrollTo, Selector, StorageOperation, TaskId, WaitFor, WaitState,
};

use crate::catalogue::{Flag, GLOBAL_FLAGS, Verb, find_verb, nearest_verbs};
use crate::command::{Command, DaemonOperation, Invocation, ReferencePage, SkillOperation};
use crate::engines::engine;
use crate::environment::Environment;
use crate::heal;
use crate::history::HistoryQuestion;
use crate::models;
use crate::plan;
use crate::report;
use crate::run::{Granularity, LockMode, RunOptions, TestChoice, WantedReports, parse_shard};
use crate::task;

/// Time a command may take when nothing else was said.
const ACT_MS: u64 = 15_000;
const GO_MS: u64 = 30_000;
const WAIT_MS: u64 = 30_000;

pub fn parse(arguments: &[String], environment: &Environment) -> Result<Invocation, Failure> {
    let words = split_flags(arguments)?;
    let json = words.flags.contains_key("json");
    let command = if words.version {
        Command::Version
    } else {
        match (words.verb, words.flags.contains_key("help")) {
            (None, _) if words.positionals.first().map(String::as_str) == Some("help") => {
                Command::Help { verb: words.positionals.get(1).cloned() }
            }
            (None, _) => Command::Help { verb: None },
            (Some(verb), true) => Command::Help { verb: Some(verb.name.to_string()) },
            (Some(verb), false) => build(verb, &words)?,
        }
    };
    let timeout = match (words.number("timeout")?, &environment.timeout_ms) {
        (Some(timeout), _) => Some(timeout),
        (None, Some(text)) => Some(number_from(text, "ASSAY_TIMEOUT")?),
        (None, None) => None,
    };
    let default_ms = match &command {
        Command::Act(Action::Wait { .. }) => WAIT_MS,
        Command::Act(
            Action::Go { .. } | Action::TabNew { .. } | Action::Back | Action::Forward | Action::Reload,
        ) => GO_MS,
        _ => ACT_MS,
    };
    // A run has a budget of another kind: what it may spend on models.
    let is_own = words.verb.is_some_and(|verb| verb.flags.iter().any(|flag| flag.name == "budget"));
    let said = if is_own { None } else { words.number("budget")? };
    let budget = match (said, &environment.budget) {
        (Some(budget), _) => Some(budget as usize),
        (None, Some(text)) => Some(number_from(text, "ASSAY_BUDGET")? as usize),
        (None, None) => None,
    };
    let headless = match (words.flags.contains_key("headed"), words.flags.contains_key("headless")) {
        (true, true) => return Err(usage("expected --headed or --headless, found both")),
        (true, false) => Some(false),
        (false, true) => Some(true),
        (false, false) => environment.headless,
    };
    let asked = words.flags.get("browser").cloned().or_else(|| environment.engine.clone());
    // A run takes a list of browsers, which it reads itself.
    let engine = match &command {
        Command::Run(_) => engine(None)?,
        _ => engine(asked.as_deref())?,
    };
    let mut allow = environment.allow.clone();
    if let Some(scheme) = words.flags.get("allow") {
        allow.extend(scheme.split(',').map(|scheme| scheme.trim().trim_end_matches(':').to_lowercase()));
    }
    Ok(Invocation {
        command,
        session: words
            .flags
            .get("session")
            .cloned()
            .or_else(|| environment.session.clone())
            .unwrap_or_else(|| "default".to_string()),
        named_session: words.flags.contains_key("session") || environment.session.is_some(),
        format: if json { Format::Json } else { Format::Text },
        timeout_ms: timeout.unwrap_or(default_ms),
        wait: words.flags.contains_key("timeout"),
        budget,
        browser: BrowserSettings {
            engine: asked,
            headless,
            path: words
                .flags
                .get("browser-path")
                .map(|path| absolute(path))
                .or_else(|| environment.program(engine).map(str::to_string)),
            connect: words.flags.get("connect").cloned().or_else(|| environment.connect.clone()),
            capabilities: environment.capabilities.clone(),
            debugging_port: None,
        },
        allow,
    })
}

struct Words {
    verb: Option<&'static Verb>,
    positionals: Vec<String>,
    flags: HashMap<&'static str, String>,
    version: bool,
}

impl Words {
    fn number(&self, name: &str) -> Result<Option<u64>, Failure> {
        self.flags.get(name).map(|text| number_from(text, &format!("--{name}"))).transpose()
    }
}

fn number_from(text: &str, what: &str) -> Result<u64, Failure> {
    text.parse::<u64>().map_err(|_| usage(format!("expected a whole number after {what}, found `{text}`")))
}

fn usage(message: impl Into<String>) -> Failure {
    Failure::new(ErrorCode::Usage, message)
}

fn split_flags(arguments: &[String]) -> Result<Words, Failure> {
    let mut words = Words { verb: None, positionals: Vec::new(), flags: HashMap::new(), version: false };
    let mut only_positionals = false;
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let is_flag =
            !only_positionals && word.len() > 1 && word.starts_with('-') && !is_negative_number(word);
        if !is_flag {
            if words.verb.is_none() && words.positionals.is_empty() {
                match find_verb(word) {
                    Some(verb) => words.verb = Some(verb),
                    None if word == "help" => words.positionals.push(word.clone()),
                    None => return Err(unknown_verb(word)),
                }
            } else {
                words.positionals.push(word.clone());
            }
            continue;
        }
        if word == "--" {
            only_positionals = true;
            continue;
        }
        if (word == "--version" || word == "-V") && words.verb.is_none() {
            words.version = true;
            continue;
        }
        let (name, attached) = match word.split_once('=') {
            Some((name, value)) if word.starts_with("--") => (name, Some(value.to_string())),
            _ => (word.as_str(), None),
        };
        let flag = find_flag(name, words.verb).ok_or_else(|| unknown_flag(name, words.verb))?;
        let value = match (flag.value, attached) {
            (None, None) => String::new(),
            (None, Some(_)) => return Err(usage(format!("{name} takes no value"))),
            (Some(_), Some(value)) => value,
            (Some(shown), None) => rest.next().cloned().ok_or_else(|| {
                usage(format!("expected {shown} after {name}, found nothing")).hint(help_hint(words.verb))
            })?,
        };
        match words.flags.get_mut(flag.name) {
            // One line each, as in a file.
            Some(said) if flag.repeats => {
                said.push('\n');
                said.push_str(&value);
            }
            _ => {
                words.flags.insert(flag.name, value);
            }
        }
    }
    Ok(words)
}

fn is_negative_number(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit() || first == '.'))
}

fn find_flag(name: &str, verb: Option<&'static Verb>) -> Option<&'static Flag> {
    let matches = |flag: &&Flag| match name.strip_prefix("--") {
        Some(long) => flag.name == long,
        None => flag.short.is_some_and(|short| name.len() == 2 && name.ends_with(short)),
    };
    let own: &'static [Flag] = verb.map_or(&[], |verb| verb.flags);
    own.iter().chain(GLOBAL_FLAGS).find(matches)
}

pub fn unknown_verb(word: &str) -> Failure {
    let failure = usage(format!("there is no verb `{word}`"));
    match nearest_verbs(word).as_slice() {
        [] => failure.hint("assay --help lists all verbs"),
        nearest => failure.hint(format!("did you mean {}?", nearest.join(", "))),
    }
}

fn unknown_flag(name: &str, verb: Option<&'static Verb>) -> Failure {
    let what = verb.map_or_else(|| "assay".to_string(), |verb| format!("`{}`", verb.name));
    let failure = usage(format!("{what} has no flag `{name}`"));
    let bare = name.trim_start_matches('-');
    let own: &'static [Flag] = verb.map_or(&[], |verb| verb.flags);
    let nearest = own
        .iter()
        .chain(GLOBAL_FLAGS)
        .map(|flag| (strsim::jaro_winkler(bare, flag.name), flag.name))
        .filter(|(score, _)| *score > 0.75)
        .max_by(|one, other| one.0.total_cmp(&other.0));
    match nearest {
        Some((_, nearest)) => {
            failure.hint(format!("did you mean --{nearest}? Text that begins with - goes after --"))
        }
        None => failure.hint(format!("{}; text that begins with - goes after --", help_hint(verb))),
    }
}

fn help_hint(verb: Option<&'static Verb>) -> String {
    verb.map_or_else(|| "assay --help".to_string(), |verb| format!("assay {} --help", verb.name))
}

/// The positionals of a verb, counted against what it takes.
struct Arguments<'a> {
    verb: &'static Verb,
    words: &'a Words,
}

impl Arguments<'_> {
    fn count(&self, least: usize, most: usize) -> Result<(), Failure> {
        let found = self.words.positionals.len();
        if found < least || found > most {
            let what = if self.verb.arguments.is_empty() { "nothing more" } else { self.verb.arguments };
            let shown = if found == 0 {
                "nothing".to_string()
            } else {
                format!("`{}`", self.words.positionals.join("` `"))
            };
            return Err(
                usage(format!("`{}` expects {what}, found {shown}", self.verb.name)).hint(self.verb.example)
            );
        }
        Ok(())
    }

    fn at(&self, index: usize) -> &str {
        self.words.positionals.get(index).map_or("", String::as_str)
    }

    fn optional(&self, index: usize) -> Option<&str> {
        self.words.positionals.get(index).map(String::as_str)
    }

    fn target(&self, index: usize) -> Result<Selector, Failure> {
        selector(self.at(index))
    }

    fn optional_target(&self, index: usize) -> Result<Option<Selector>, Failure> {
        self.optional(index).map(selector).transpose()
    }

    fn flag(&self, name: &str) -> Option<&str> {
        self.words.flags.get(name).map(String::as_str)
    }

    fn has(&self, name: &str) -> bool {
        self.words.flags.contains_key(name)
    }
}

fn selector(text: &str) -> Result<Selector, Failure> {
    Selector::parse(text).map_err(|err| {
        Failure::new(ErrorCode::BadSelector, err.to_string())
            .hint("e12, CSS, xpath=…, button \"Name\", label=…, text=…, testid=…, or plain words")
    })
}

/// The daemon has another working folder than the caller.
fn absolute(path: &str) -> String {
    std::path::absolute(Path::new(path)).map_or_else(|_| path.to_string(), |path| path.display().to_string())
}

fn build(verb: &'static Verb, words: &Words) -> Result<Command, Failure> {
    let arguments = Arguments { verb, words };
    let a = &arguments;
    let most = if verb.arguments.contains("...") { usize::MAX } else { count_arguments(verb.arguments) };
    let least = least_arguments(verb.arguments);
    if !matches!(
        verb.name,
        "dialog" | "cookies" | "storage" | "daemon" | "model" | "session" | "skill" | "type" | "viewport"
    ) {
        a.count(least, most)?;
    }
    let action = match verb.name {
        "go" => Action::Go { url: a.at(0).to_string() },
        "back" => Action::Back,
        "forward" => Action::Forward,
        "reload" => Action::Reload,
        "scene" => Action::Scene,
        "map" => Action::Map { target: a.optional_target(0)?, all: a.has("all") },
        "diff" => Action::Diff,
        "find" => Action::Find { target: a.target(0)? },
        "find-all" => {
            Action::FindAll { target: a.target(0)?, limit: words.number("limit")?.unwrap_or(50) as usize }
        }
        "count" => Action::Count { target: a.target(0)? },
        "text" => Action::Text { target: a.optional_target(0)? },
        "html" => Action::Html { target: a.optional_target(0)? },
        "value" => Action::Value { target: a.target(0)? },
        "attr" => Action::Attr { target: a.target(0)?, name: a.at(1).to_string() },
        "is" => Action::Is { state: element_state(a.at(0))?, target: a.target(1)? },
        "url" => Action::Url,
        "title" => Action::Title,
        "eval" => Action::Eval { expression: expression(a.at(0))? },
        "console" => Action::Console { clear: a.has("clear") },
        "network" => Action::Network { failed: a.has("failed"), clear: a.has("clear") },
        "click" => Action::Click {
            target: a.target(0)?,
            button: mouse_button(a.flag("button"))?,
            modifiers: a
                .flag("hold")
                .map(|keys| keys.split('+').map(str::to_string).collect())
                .unwrap_or_default(),
        },
        "dblclick" => Action::Dblclick { target: a.target(0)? },
        "fill" => Action::Fill { target: a.target(0)?, text: a.at(1).to_string() },
        "type" => match words.positionals.len() {
            1 => Action::Type { target: None, text: a.at(0).to_string() },
            _ => {
                a.count(2, 2)?;
                Action::Type { target: Some(a.target(0)?), text: a.at(1).to_string() }
            }
        },
        "clear" => Action::Clear { target: a.target(0)? },
        "press" => {
            Action::Press { keys: words.positionals.clone(), target: a.flag("on").map(selector).transpose()? }
        }
        "select" => Action::Select { target: a.target(0)?, options: words.positionals[1..].to_vec() },
        "check" => Action::Check { target: a.target(0)? },
        "uncheck" => Action::Uncheck { target: a.target(0)? },
        "hover" => Action::Hover { target: a.target(0)? },
        "focus" => Action::Focus { target: a.target(0)? },
        "scroll" => Action::Scroll { to: scroll_to(a)? },
        "drag" => Action::Drag { from: a.target(0)?, to: a.target(1)? },
        "raw" => crate::raw::raw(
            &words.positionals,
            crate::raw::How {
                button: mouse_button(a.flag("button"))?,
                times: words.number("times")?,
                modifiers: a
                    .flag("hold")
                    .map(|keys| keys.split('+').map(str::to_string).collect())
                    .unwrap_or_default(),
                within: a.flag("within").map(selector).transpose()?,
            },
        )?,
        "at" => crate::raw::at(a.at(0), a.at(1))?,
        "upload" => Action::Upload {
            target: a.target(0)?,
            files: words.positionals[1..].iter().map(|file| absolute(file)).collect(),
        },
        "dialog" => Action::Dialog { answer: dialog_answer(a)? },
        "wait" => Action::Wait { until: wait_for(a)? },
        "screenshot" => Action::Screenshot {
            path: absolute(a.flag("output").unwrap_or("screenshot.png")),
            full_page: a.has("full-page"),
            annotate: a.has("annotate"),
            target: a.optional_target(0)?,
        },
        "pdf" => Action::Pdf { path: absolute(a.flag("output").unwrap_or("page.pdf")) },
        "highlight" => Action::Highlight { target: a.target(0)? },
        "tabs" => Action::Tabs,
        "tab-new" => Action::TabNew { url: a.optional(0).map(str::to_string), isolated: a.has("isolated") },
        "tab-switch" => Action::TabSwitch { tab: a.at(0).to_string() },
        "tab-close" => Action::TabClose { tab: a.optional(0).map(str::to_string) },
        "frames" => Action::Frames,
        "viewport" => viewport(a)?,
        "cookies" => Action::Cookies { operation: cookie_operation(a)? },
        "storage" => Action::Storage { operation: storage_operation(a)? },
        _ => return build_other(verb, a),
    };
    Ok(Command::Act(action))
}

fn run_options(a: &Arguments<'_>, proves: bool) -> Result<RunOptions, Failure> {
    let flag = |name: &str| a.words.flags.get(name).cloned();
    let list = |name: &str| -> Vec<String> {
        let said = flag(name).unwrap_or_default();
        said.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_string).collect()
    };
    let number = |name: &str| a.words.number(name);
    let own_browser = match flag("isolation").as_deref() {
        None | Some("context") => false,
        Some("browser") => true,
        Some(other) => {
            return Err(usage(format!("expected --isolation context or browser, found `{other}`")));
        }
    };
    let mut browsers = list("browser");
    if browsers == ["all"] {
        browsers = crate::engines::ENGINES.iter().map(|engine| engine.name.to_string()).collect();
    }
    for browser in &browsers {
        engine(Some(browser))?;
    }
    // What is no path names a test of the suite around us.
    let (paths, ids): (Vec<String>, Vec<String>) =
        a.words.positionals.iter().cloned().partition(|word| !proves || std::path::Path::new(word).exists());
    if proves && paths.is_empty() && ids.is_empty() && !a.has("all") {
        return Err(usage("expected a test, a file or a folder to prove, found nothing")
            .hint("assay prove --all proves the whole suite"));
    }
    Ok(RunOptions {
        paths: if paths.is_empty() { vec![".".to_string()] } else { paths },
        choice: TestChoice {
            ids,
            grep: flag("grep"),
            tags: list("tag"),
            shard: flag("shard").as_deref().map(parse_shard).transpose()?,
            last_failed: a.has("last-failed"),
            repeat: number("repeat")?.unwrap_or(1).clamp(1, 10_000) as u32,
        },
        list: a.has("list"),
        dry_run: a.has("dry-run"),
        workers: number("workers")?.map(|workers| workers.clamp(1, 256) as usize),
        own_browser,
        fail_fast: a.has("fail-fast"),
        locks: lock_mode(a)?,
        proves,
        slow_ms: number("slow-mo")?.unwrap_or(0),
        retries: number("retries")?.map(|retries| retries.min(100) as u32),
        browsers,
        base_url: flag("base-url"),
        reports: WantedReports {
            json: flag("json-report"),
            junit: flag("junit"),
            ctrf: flag("ctrf"),
            html: flag("html"),
            trace: a.has("trace"),
        },
        results: flag("results").unwrap_or_else(|| "assay-results".to_string()),
        pictures: !a.has("no-screenshots"),
        trust: a.has("trust"),
        models: models::ModelOptions {
            model: flag("model"),
            pilot: flag("pilot").as_deref().map(models::pilot_named).transpose()?,
            limits: flag("budget").as_deref().map(models::limits_said).transpose()?,
            cassette: models::Cassette::chosen(flag("cassette").as_deref())?,
            verbose: a.has("verbose"),
        },
    })
}

fn lock_mode(a: &Arguments<'_>) -> Result<LockMode, Failure> {
    match (a.has("lock"), a.has("frozen"), a.has("no-lock")) {
        (true, true, _) => Err(usage("--lock writes lock files and --frozen forbids it; say one of them")),
        (true, _, true) => Err(usage("--lock writes lock files and --no-lock does without; say one of them")),
        (true, false, false) => Ok(LockMode::Write),
        (false, _, true) => Ok(LockMode::Ignore),
        (false, _, false) => Ok(LockMode::Read),
    }
}

fn task_operation(a: &Arguments<'_>) -> Result<task::TaskOperation, Failure> {
    use task::TaskOperation;
    let number = |at: usize| -> Result<Option<TaskId>, Failure> {
        let Some(text) = a.optional(at) else { return Ok(None) };
        let number =
            text.parse().map_err(|_| usage(format!("expected the number of a task, found `{text}`")))?;
        Ok(Some(TaskId(number)))
    };
    let word = |at: usize, what: &str| -> Result<String, Failure> {
        a.optional(at).map(str::to_string).ok_or_else(|| usage(format!("expected {what}, found nothing")))
    };
    Ok(match a.at(0) {
        "start" => TaskOperation::Start { goal: word(1, "a goal")? },
        "status" => TaskOperation::Status { task: number(1)? },
        "pause" => TaskOperation::Pause { task: number(1)? },
        "resume" => TaskOperation::Resume { task: number(1)? },
        "stop" => TaskOperation::Stop { task: number(1)? },
        "export" => TaskOperation::Export { task: number(1)? },
        "list" => TaskOperation::List,
        "send" => TaskOperation::Send { message: word(1, "a message as JSON")? },
        "follow" => TaskOperation::Follow,
        _ => {
            return Err(wrong_word(a, "start, status, pause, resume, stop, export, list, send or follow"));
        }
    })
}

fn plan_options(a: &Arguments<'_>) -> Result<plan::PlanOptions, Failure> {
    let flag = |name: &str| a.words.flags.get(name).cloned();
    Ok(plan::PlanOptions {
        goal: a.optional(0).map(str::to_string),
        url: flag("url"),
        requirements: flag("requirements"),
        explore: a.has("explore"),
        out: flag("out").unwrap_or_else(|| "tests".to_string()),
        answers: flag("answer").unwrap_or_default(),
        answers_file: flag("answers"),
        goes_on: a.has("yes"),
        forces: a.has("force"),
        tries: a.has("try"),
        models: models::ModelOptions {
            model: flag("model"),
            limits: flag("budget").as_deref().map(models::limits_said).transpose()?,
            cassette: models::Cassette::chosen(flag("cassette").as_deref())?,
            verbose: a.has("verbose"),
            ..models::ModelOptions::default()
        },
    })
}

fn days(a: &Arguments<'_>, name: &str) -> Result<Option<u32>, Failure> {
    Ok(a.words.number(name)?.map(|days| u32::try_from(days).unwrap_or(u32::MAX)))
}

fn build_other(verb: &'static Verb, a: &Arguments<'_>) -> Result<Command, Failure> {
    Ok(match verb.name {
        "run" => Command::Run(Box::new(run_options(a, false)?)),
        "prove" => Command::Run(Box::new(run_options(a, true)?)),
        "resume" => Command::Resume {
            which: a.optional(0).map(str::to_string),
            granularity: if a.has("steps") { Granularity::Steps } else { Granularity::Tests },
        },
        "heal" => Command::Heal(heal::HealRequest {
            tests: a.words.positionals.clone(),
            run: a.words.flags.get("run").cloned(),
            apply: a.has("apply"),
        }),
        "report" => Command::Report(match (a.at(0), a.optional(1).map(str::to_string)) {
            ("list", None) => report::ReportOperation::List,
            ("show", run) => report::ReportOperation::Show { run },
            ("open", run) => report::ReportOperation::Open { run },
            _ => return Err(wrong_word(a, "list, show or open")),
        }),
        "task" => Command::Task(task_operation(a)?),
        "plan" => Command::Plan(Box::new(plan_options(a)?)),
        "history" => Command::Past(HistoryQuestion::History {
            test: a.at(0).to_string(),
            limit: a.words.number("limit")?.unwrap_or(20) as usize,
        }),
        "flaky" => Command::Past(HistoryQuestion::Flaky { days: days(a, "days")? }),
        "stats" => Command::Past(HistoryQuestion::Stats { days: days(a, "days")? }),
        "gc" => Command::Past(HistoryQuestion::Gc {
            keep_runs: a.words.number("keep-runs")?.map(|runs| runs as usize),
            keep_days: days(a, "keep-days")?,
        }),
        "init" => Command::Init { folder: a.optional(0).map(str::to_string) },
        "schema" => Command::Schema { project: a.has("project") },
        "trust" => Command::Trust { folder: a.optional(0).map(str::to_string) },
        "model" => Command::Model(match (a.at(0), a.optional(1), a.optional(2)) {
            ("test", name, None) => models::ModelOperation::Test {
                model: name.map(str::to_string),
                cassette: models::Cassette::chosen(a.flag("cassette"))?,
            },
            ("list", None, None) => models::ModelOperation::List,
            _ => return Err(wrong_word(a, "test or list")),
        }),
        "do" => Command::Do { sentence: a.at(0).to_string() },
        "batch" => Command::Batch { bail: a.has("bail") },
        "daemon" => Command::Daemon(match (a.at(0), a.optional(1)) {
            ("start", None) => DaemonOperation::Start,
            ("status", None) => DaemonOperation::Status,
            ("stop", None) => DaemonOperation::Stop,
            _ => return Err(wrong_word(a, "start, status or stop")),
        }),
        "close" => Command::Daemon(DaemonOperation::Stop),
        "session" => match (a.at(0), a.optional(1), a.optional(2)) {
            ("list", None, None) => Command::SessionList,
            ("stop", name, None) => {
                Command::SessionStop { name: name.map(str::to_string), all: a.has("all") }
            }
            _ => return Err(wrong_word(a, "list, or stop [NAME]")),
        },
        "doctor" => Command::Doctor,
        "setup" => Command::Setup { all: a.has("all"), dry_run: a.has("dry-run") },
        "skill" => Command::Skill(match (a.at(0), a.optional(1)) {
            ("list", None) => SkillOperation::List,
            ("show", Some(name)) => SkillOperation::Show { name: name.to_string() },
            ("install", None) => SkillOperation::Install {
                agents: a
                    .flag("agent")
                    .map(|names| names.split(',').map(str::to_string).collect())
                    .unwrap_or_default(),
                user: a.has("user"),
            },
            _ => return Err(wrong_word(a, "list, show NAME or install")),
        }),
        "completions" => Command::Completions { shell: a.at(0).to_string() },
        "reference" => match a.optional(0) {
            None => Command::Reference(ReferencePage::Verbs),
            Some("engines") => Command::Reference(ReferencePage::Engines),
            Some("sentences") => Command::Reference(ReferencePage::Sentences),
            Some(_) => return Err(wrong_word(a, "engines, sentences, or nothing more")),
        },
        name => {
            return Err(Failure::new(
                ErrorCode::Internal,
                format!("`{name}` is in the catalogue but not built"),
            ));
        }
    })
}

fn wrong_word(a: &Arguments<'_>, expected: &str) -> Failure {
    let found = if a.words.positionals.is_empty() {
        "nothing".to_string()
    } else {
        format!("`{}`", a.words.positionals.join(" "))
    };
    usage(format!("`{}` expects {expected}, found {found}", a.verb.name)).hint(a.verb.example)
}

fn count_arguments(shown: &str) -> usize {
    shown.split_whitespace().count()
}

fn least_arguments(shown: &str) -> usize {
    shown.split_whitespace().filter(|word| !word.starts_with('[')).count()
}

/// One word of a list, or an error that names them all and the nearest.
fn one_of<T: Copy>(found: &str, what: &str, choices: &[(&str, T)]) -> Result<T, Failure> {
    if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == found) {
        return Ok(*choice);
    }
    let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
    Err(usage(format!("expected {what} ({}), found `{found}`", names.join(", "))))
}

fn element_state(found: &str) -> Result<ElementState, Failure> {
    one_of(
        found,
        "a state",
        &[
            ("visible", ElementState::Visible),
            ("hidden", ElementState::Hidden),
            ("enabled", ElementState::Enabled),
            ("disabled", ElementState::Disabled),
            ("checked", ElementState::Checked),
            ("unchecked", ElementState::Unchecked),
            ("editable", ElementState::Editable),
        ],
    )
}

fn mouse_button(found: Option<&str>) -> Result<MouseButton, Failure> {
    let choices =
        [("left", MouseButton::Left), ("middle", MouseButton::Middle), ("right", MouseButton::Right)];
    found.map_or(Ok(MouseButton::Left), |found| one_of(found, "a button", &choices))
}

fn wait_state(found: &str) -> Result<WaitState, Failure> {
    one_of(
        found,
        "a state",
        &[
            ("visible", WaitState::Visible),
            ("hidden", WaitState::Hidden),
            ("attached", WaitState::Attached),
            ("detached", WaitState::Detached),
            ("enabled", WaitState::Enabled),
        ],
    )
}

fn wait_for(a: &Arguments<'_>) -> Result<WaitFor, Failure> {
    let gone = a.has("gone");
    match (a.optional(0), a.flag("text"), a.flag("url")) {
        (Some(target), None, None) => {
            let state = match (a.flag("state"), gone) {
                (Some(_), true) => return Err(usage("expected --state or --gone, found both")),
                (Some(state), false) => wait_state(state)?,
                (None, true) => WaitState::Hidden,
                (None, false) => WaitState::Visible,
            };
            Ok(WaitFor::Element { target: selector(target)?, state })
        }
        (None, Some(text), None) => Ok(WaitFor::Text { text: text.to_string(), gone }),
        (None, None, Some(url)) => Ok(WaitFor::Url { url: url.to_string() }),
        (None, None, None) => {
            Err(usage("`wait` expects TARGET, --text TEXT or --url PART, found nothing").hint(a.verb.example))
        }
        _ => Err(usage("`wait` expects one of TARGET, --text and --url, found several").hint(a.verb.example)),
    }
}

fn scroll_to(a: &Arguments<'_>) -> Result<ScrollTo, Failure> {
    const STEP: f64 = 500.0;
    let pixels = match a.optional(1) {
        Some(text) => {
            text.parse::<f64>().map_err(|_| usage(format!("expected a number of pixels, found `{text}`")))?
        }
        None => STEP,
    };
    let over = a.flag("over").map(selector).transpose()?;
    let by = |x: f64, y: f64| ScrollTo::By { x, y, over: over.clone() };
    Ok(match a.at(0) {
        "down" => by(0.0, pixels),
        "up" => by(0.0, -pixels),
        "right" => by(pixels, 0.0),
        "left" => by(-pixels, 0.0),
        "top" => ScrollTo::Top,
        "bottom" => ScrollTo::Bottom,
        _ => ScrollTo::Element { target: a.target(0)? },
    })
}

fn dialog_answer(a: &Arguments<'_>) -> Result<Option<DialogAnswer>, Failure> {
    Ok(match (a.optional(0), a.optional(1), a.optional(2)) {
        (None, _, _) => None,
        (Some("accept"), text, None) => Some(DialogAnswer::Accept { text: text.map(str::to_string) }),
        (Some("dismiss"), None, None) => Some(DialogAnswer::Dismiss),
        _ => return Err(wrong_word(a, "accept [TEXT], dismiss, or nothing")),
    })
}

fn cookie_operation(a: &Arguments<'_>) -> Result<CookieOperation, Failure> {
    Ok(match (a.optional(0), a.optional(1), a.optional(2), a.optional(3)) {
        (None | Some("list"), None, None, None) => CookieOperation::List,
        (Some("clear"), None, None, None) => CookieOperation::Clear,
        (Some("set"), Some(name), Some(value), None) => {
            CookieOperation::Set { name: name.to_string(), value: value.to_string() }
        }
        _ => return Err(wrong_word(a, "set NAME VALUE, clear, or nothing")),
    })
}

fn storage_operation(a: &Arguments<'_>) -> Result<StorageOperation, Failure> {
    Ok(match (a.at(0), a.optional(1), a.optional(2)) {
        ("save", Some(path), None) => StorageOperation::Save { path: absolute(path) },
        ("load", Some(path), None) => StorageOperation::Load { path: absolute(path) },
        _ => return Err(wrong_word(a, "save FILE or load FILE")),
    })
}

fn viewport(a: &Arguments<'_>) -> Result<Action, Failure> {
    let size = |text: &str| {
        text.parse::<u32>().map_err(|_| {
            usage(format!("`viewport` expects WIDTH HEIGHT, found `{text}`")).hint(a.verb.example)
        })
    };
    let (width, height) = match (a.optional(0), a.optional(1), a.optional(2)) {
        (Some(width), Some(height), None) => (size(width)?, size(height)?),
        // 1280x720 is how sizes are often written.
        (Some(both), None, None) => match both.split_once('x') {
            Some((width, height)) => (size(width)?, size(height)?),
            None => return Err(wrong_word(a, "WIDTH HEIGHT")),
        },
        _ => return Err(wrong_word(a, "WIDTH HEIGHT")),
    };
    let scale = match a.flag("scale") {
        Some(text) => text
            .parse::<f64>()
            .map_err(|_| usage(format!("expected a number after --scale, found `{text}`")))?,
        None => 1.0,
    };
    Ok(Action::Viewport { width, height, scale })
}

fn expression(text: &str) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text.to_string());
    }
    std::io::read_to_string(std::io::stdin())
        .map_err(|err| Failure::new(ErrorCode::Io, format!("could not read standard input: {err}")))
}

/// Every verb of the catalogue is understood; a forgotten one would only be noticed by its user.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::VERBS;

    fn parse_line(line: &str) -> Result<Invocation, Failure> {
        let words = crate::words::split(line).unwrap();
        parse(&words, &Environment::default())
    }

    #[track_caller]
    fn check_failure(line: &str, expected: &str) {
        let failure = parse_line(line).unwrap_err();
        assert_eq!(failure.to_text(), expected);
    }

    #[test]
    fn the_example_of_every_verb_is_understood() {
        for verb in VERBS {
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
    fn mistakes_are_told_with_what_was_expected() {
        check_failure("clik e1", "error: there is no verb `clik`\nhint: did you mean click?");
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
            "error: `wait` expects TARGET, --text TEXT or --url PART, found nothing\nhint: assay wait \".spinner\" --state hidden --timeout 60000",
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
