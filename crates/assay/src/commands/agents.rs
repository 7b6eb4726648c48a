//! Commands about agents: requests, the library of skills, events and incidents.

use assay_protocol::EventPriority;
use assay_protocol::actions::{Arguments, Flag, UsageError};

use super::agent_talk::agent_talk;
use super::{CommandEntry, command, optional_text};
use crate::agent::{AgentWork, AnalysisForm, LibraryQuestion};
use crate::command::Command;
use crate::event::{EventOperation, PublishOrder};
use crate::incident::IncidentOperation;

pub(super) const AGENT: CommandEntry = command(
    "agent",
    "[ask REQUEST | list | show NAME | check [FILES] | skill list|show|new [NAME] | sessions [show|resume|clear|stop|approve N] | stats | analyze [RUN] | discard RUN/TEST | watch]",
    "Ask an agent in plain words; show its skills and sessions; analyse the results of a run; handle alerts as they come",
    "assay agent ask \"Run the login test on chromium\"",
    |words| {
        Ok(Command::Agent(match agent_talk(words)? {
            Some(talk) => AgentWork::Talk(talk),
            None => match library_question(words)? {
                Some(question) => AgentWork::Library(question),
                None => agent_work(words)?,
            },
        }))
    },
)
.flags(&[
    Flag::value("html", "FILE", "analyze: write one page that needs nothing beside it"),
    Flag::switch("markdown", "analyze: as Markdown, as on a terminal"),
    Flag::switch("once", "watch: handle what there is, and end"),
    Flag::switch("dry-run", "ask: say which skill and values are meant, and do nothing"),
    Flag::value("model", "NAME", "the model, for example anthropic/claude-sonnet-5-5; without one, rules"),
    Flag::value("agent", "NAME", "ask: the agent; the default one without it"),
    Flag::value("in", "N", "ask: go on with this session"),
    Flag::switch("yes", "agree to calls that need consent"),
    Flag::switch("no", "sessions approve: refuse instead"),
    Flag::value(
        "cassette",
        "HOW:FILE",
        "record:FILE saves the model's answers, replay:FILE reads them from the file",
    ),
])
.counts_itself();

/// What is asked of the agents and skills that there are. None: the words are about something else.
fn library_question(words: &Arguments<'_>) -> Result<Option<LibraryQuestion>, UsageError> {
    let needs = |at: usize, what: &str| -> Result<String, UsageError> {
        optional_text(words, at).ok_or_else(|| UsageError::wrong_value(what, "nothing"))
    };
    let (question, most) = match (words.optional(0), words.optional(1)) {
        (Some("list"), _) => (LibraryQuestion::List, 1),
        (Some("show"), _) => (LibraryQuestion::Show { name: needs(1, "the name of an agent")? }, 2),
        (Some("check"), _) => {
            let files = (1..).map_while(|at| optional_text(words, at)).collect();
            (LibraryQuestion::Check { files }, usize::MAX)
        }
        (Some("skill"), Some("list")) => (LibraryQuestion::SkillList, 2),
        (Some("skill"), Some("show")) => {
            (LibraryQuestion::SkillShow { name: needs(2, "the name of a skill")? }, 3)
        }
        (Some("skill"), Some("new")) => {
            (LibraryQuestion::SkillNew { name: needs(2, "a name for the skill")? }, 3)
        }
        (Some("skill"), _) => {
            return Err(UsageError::wrong_value("list, show NAME or new NAME", "something else"));
        }
        _ => return Ok(None),
    };
    match words.optional(most) {
        None => Ok(Some(question)),
        Some(more) => Err(UsageError::wrong_value("nothing more", format!("`{more}`"))),
    }
}

/// What agents do by themselves; the words after `assay agent`.
fn agent_work(words: &Arguments<'_>) -> Result<AgentWork, UsageError> {
    let wrong = || {
        words.wrong_word(
            "ask REQUEST, list, show NAME, check, skill, sessions, stats, analyze [RUN], discard RUN/TEST, watch, \
             or nothing for a conversation",
        )
    };
    if words.optional(2).is_some() {
        return Err(wrong());
    }
    let unfit = |flag: &str, verb: &str| {
        UsageError::wrong_value(format!("--{flag} with `assay agent {verb}` only"), format!("--{flag}"))
    };
    let work = match (words.optional(0).unwrap_or_default(), optional_text(words, 1)) {
        ("analyze" | "analyse", run) => {
            let form = match (words.flag("html"), words.has("markdown")) {
                (Some(file), false) => AnalysisForm::Html { file: file.to_string() },
                (None, _) => AnalysisForm::Markdown,
                (Some(_), true) => return Err(UsageError::wrong_value("--html or --markdown", "both")),
            };
            AgentWork::Analyze { run, form }
        }
        ("discard", Some(which)) => match which.split_once('/') {
            Some((run, test)) if !run.is_empty() && !test.is_empty() => {
                AgentWork::Discard { run: run.to_string(), test: test.to_string() }
            }
            _ => {
                return Err(UsageError::wrong_value(
                    "RUN/TEST, such as 12/login_valid",
                    format!("`{which}`"),
                ));
            }
        },
        ("watch", None) => {
            AgentWork::Watch { once: words.has("once"), model: words.flag("model").map(str::to_string) }
        }
        _ => return Err(wrong()),
    };
    let is_analysis = matches!(work, AgentWork::Analyze { .. });
    for flag in ["html", "markdown"] {
        if !is_analysis && words.has(flag) {
            return Err(unfit(flag, "analyze"));
        }
    }
    if !matches!(work, AgentWork::Watch { .. }) && words.has("once") {
        return Err(unfit("once", "watch"));
    }
    Ok(work)
}

pub(super) const EVENT: CommandEntry = command(
    "event",
    "publish TYPE | list",
    "Publish an event for the agents of this project, or list what was published and who handled it",
    "assay event publish alert.app_crash --device chromium",
    |words| Ok(Command::Event(event_operation(words)?)),
)
.flags(&[
    Flag::value("device", "NAME", "the device that the event is about; list: only those"),
    Flag::value("payload", "FILE", "publish: a JSON object with details; `-` reads standard input"),
    Flag::value(
        "priority",
        "NAME",
        "publish: critical, high, normal or low, instead of the usual one of the type",
    ),
    Flag::value("key", "TEXT", "publish: two events with the same key are one"),
    Flag::value("type", "TYPE", "list: only events of this type"),
    Flag::value("limit", "N", "list: only the newest N (default 50)"),
])
.counts_itself();

fn event_operation(words: &Arguments<'_>) -> Result<EventOperation, UsageError> {
    let device = words.flag("device").map(str::to_string);
    match (words.optional(0), words.optional(1), words.optional(2)) {
        (Some("publish"), Some(event_type), None) => {
            let priority = words.flag("priority").map(|name| {
                EventPriority::named(name).ok_or_else(|| {
                    UsageError::wrong_value(
                        "critical, high, normal or low after --priority",
                        format!("`{name}`"),
                    )
                })
            });
            Ok(EventOperation::Publish(PublishOrder {
                event_type: event_type.to_string(),
                device: device.unwrap_or_default(),
                priority: priority.transpose()?,
                key: words.flag("key").map(str::to_string),
                payload: words.flag("payload").map(str::to_string),
            }))
        }
        (Some("list"), None, None) => Ok(EventOperation::List {
            event_type: words.flag("type").map(str::to_string),
            device,
            limit: words.number("limit")?.unwrap_or(50) as usize,
        }),
        _ => Err(words.wrong_word("publish TYPE or list")),
    }
}

pub(super) const INCIDENT: CommandEntry = command(
    "incident",
    "list | show N | close N",
    "List the incidents of this project, show what was seen and done, close one",
    "assay incident show 3",
    |words| Ok(Command::Incident(incident_operation(words)?)),
)
.flags(&[
    Flag::switch("open", "list: only those that are open"),
    Flag::value("reason", "TEXT", "close: what was found or done"),
])
.counts_itself();

fn incident_operation(words: &Arguments<'_>) -> Result<IncidentOperation, UsageError> {
    let number = || -> Result<u64, UsageError> {
        let text = words.optional(1).unwrap_or_default();
        text.parse().map_err(|_| UsageError::wrong_value("the number of an incident", format!("`{text}`")))
    };
    match (words.optional(0), words.optional(1), words.optional(2)) {
        (Some("list"), None, None) => Ok(IncidentOperation::List { only_open: words.has("open") }),
        (Some("show"), _, None) => Ok(IncidentOperation::Show { number: number()? }),
        (Some("close"), _, None) => Ok(IncidentOperation::Close {
            number: number()?,
            reason: words.flag("reason").unwrap_or("closed by hand").to_string(),
        }),
        _ => Err(words.wrong_word("list, show N or close N")),
    }
}
