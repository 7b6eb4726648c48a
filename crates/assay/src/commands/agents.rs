//! Commands about agents: conversations, and what they cost.

use assay_host::Cassette;
use assay_protocol::Failure;
use assay_protocol::actions::{Arguments, Flag, UsageError};

use super::{CommandEntry, command, optional_text};
use crate::agent::{AgentOperation, SessionOperation, TalkOptions};
use crate::command::Command;

pub(super) const AGENT: CommandEntry = command(
    "agent",
    "[ask REQUEST | sessions [show|resume|clear|stop|approve N] | stats]",
    "Talk to an agent with a model; list, show and resume its sessions; show what its questions cost",
    "assay agent ask \"Run the login test on chromium\"",
    |words| Ok(Command::Agent(agent_operation(words)?)),
)
.flags(&[
    Flag::value("model", "NAME", "the model, for example anthropic/claude-sonnet-5-5"),
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

fn agent_operation(words: &Arguments<'_>) -> Result<AgentOperation, Failure> {
    let options = TalkOptions {
        model: words.flag("model").map(str::to_string),
        agent: words.flag("agent").map(str::to_string),
        session: words.flag("in").map(session_number).transpose()?,
        agrees: words.has("yes"),
        cassette: words.flag("cassette").map(Cassette::read).transpose()?,
    };
    let wrong = || words.wrong_word("ask REQUEST, sessions, stats, or nothing");
    Ok(match (words.optional(0).unwrap_or_default(), optional_text(words, 1), words.optional(2)) {
        ("ask", Some(request), None) if !request.trim().is_empty() => {
            AgentOperation::Ask { request, options }
        }
        ("sessions" | "session", _, _) => {
            AgentOperation::Sessions { operation: session_operation(words)?, options }
        }
        ("", None, None) => AgentOperation::Converse { options },
        ("stats", None, None) => AgentOperation::Stats,
        _ => return Err(wrong().into()),
    })
}

/// The words after `assay agent sessions`.
pub(super) fn session_operation(words: &Arguments<'_>) -> Result<SessionOperation, Failure> {
    let wrong = || words.wrong_word("show N, resume N [REQUEST], clear N, stop N, approve N, or nothing");
    let Some(verb) = words.optional(1) else { return Ok(SessionOperation::List) };
    let Some(number) = words.optional(2) else { return Err(wrong().into()) };
    let session = session_number(number)?;
    let request = optional_text(words, 3);
    if request.is_some() && verb != "resume" || words.optional(4).is_some() {
        return Err(wrong().into());
    }
    Ok(match verb {
        "show" => SessionOperation::Show(session),
        "resume" => SessionOperation::Resume { session, request },
        "clear" => SessionOperation::Clear(session),
        "stop" => SessionOperation::Stop(session),
        "approve" => SessionOperation::Approve { session, is_approved: !words.has("no") },
        _ => return Err(wrong().into()),
    })
}

fn session_number(text: &str) -> Result<i64, Failure> {
    let wrong = |_| UsageError::wrong_value("the number of a session", format!("`{text}`")).into();
    text.parse().map_err(wrong)
}
