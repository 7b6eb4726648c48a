//! `assay agent sessions`: conversations on record.

use std::process::ExitCode;

use assay_coordinator::{AgentEntry, AgentEntryKind, AgentSession, AgentSessionId, AgentStatus};
use assay_host::state_failure;
use assay_protocol::{Failure, Format, write_moment};
use assay_report::one_line;
use serde_json::json;

use super::ask::{self, ask};
use super::talk::{TalkOptions, go_on, has_model, is_with_model, talk_once};
use crate::command::Invocation;
use crate::environment::Environment;
use crate::{output, state};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionOperation {
    List,
    Show(i64),
    /// Goes on where a turn was cut off, or with another request.
    Resume {
        session: i64,
        request: Option<String>,
    },
    Clear(i64),
    Stop(i64),
    /// Decides about that for which the session waits, and goes on.
    Approve {
        session: i64,
        is_approved: bool,
    },
}

pub fn run(
    operation: &SessionOperation,
    options: &TalkOptions,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    let json = invocation.format == Format::Json;
    match operation {
        SessionOperation::List => list(json, environment),
        SessionOperation::Show(session) => show(AgentSessionId(*session), json, environment),
        SessionOperation::Resume { session, request: Some(request) } => {
            let options = TalkOptions { session: Some(*session), ..options.clone() };
            match has_model(&options, environment)? {
                true => talk_once(request, &options, invocation, environment),
                false => ask(request, &options.by_rules(), invocation, environment).map(ExitCode::from),
            }
        }
        SessionOperation::Resume { session, request: None } => {
            go_on_with(AgentSessionId(*session), None, options, invocation, environment)
        }
        SessionOperation::Clear(session) => {
            let coordinator = state::ask_here(environment)?;
            coordinator.clear_agent_session(AgentSessionId(*session)).map_err(state_failure)?;
            said(json, *session, "is cleared: the next request begins anew");
            Ok(ExitCode::SUCCESS)
        }
        SessionOperation::Stop(session) => {
            let coordinator = state::ask_here(environment)?;
            let status = coordinator.stop_agent_session(AgentSessionId(*session)).map_err(state_failure)?;
            said(
                json,
                *session,
                match status {
                    AgentStatus::Working => "ends its turn",
                    AgentStatus::Ended => "has ended",
                    _ => "is idle again",
                },
            );
            Ok(ExitCode::SUCCESS)
        }
        SessionOperation::Approve { session, is_approved } => {
            let session = AgentSessionId(*session);
            let coordinator = state::ask_here(environment)?;
            coordinator.decide_agent_session(session, *is_approved).map_err(state_failure)?;
            drop(coordinator);
            go_on_with(session, Some(*is_approved), options, invocation, environment)
        }
    }
}

/// With a model or by rules, as it was begun.
fn go_on_with(
    session: AgentSessionId,
    decision: Option<bool>,
    options: &TalkOptions,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    match is_with_model(session, options, environment)? {
        true => go_on(session, decision, options, invocation, environment),
        false => {
            ask::go_on(session, decision, &options.by_rules(), invocation, environment).map(ExitCode::from)
        }
    }
}

fn said(json: bool, session: i64, what: &str) {
    match json {
        true => output::print_json(&json!({ "ok": true, "data": { "session": session, "text": what } })),
        false => output::print_line(&format!("session {session} {what}")),
    }
}

fn list(json: bool, environment: &Environment) -> Result<ExitCode, Failure> {
    let sessions = match state::look_here(environment)? {
        Some(coordinator) => coordinator.agent_sessions().map_err(state_failure)?,
        None => Vec::new(),
    };
    if json {
        output::print_json(&json!({ "ok": true, "data": { "sessions": sessions } }));
        return Ok(ExitCode::SUCCESS);
    }
    if sessions.is_empty() {
        output::tell("there is no session yet");
    }
    for session in &sessions {
        output::print_line(&line_of(session));
    }
    Ok(ExitCode::SUCCESS)
}

fn line_of(session: &AgentSession) -> String {
    let skill = session.skill.as_deref().map(|skill| format!(" [{skill}]")).unwrap_or_default();
    format!(
        "{:>4}  {:<11}  {}{skill}  {}  {}",
        session.id.0,
        session.status.name(),
        session.agent,
        one_line(&session.title),
        cost_of(session)
    )
}

fn cost_of(session: &AgentSession) -> String {
    let used = &session.used;
    let read = used.input + used.cache_read + used.cache_written;
    let price = match used.calls_without_price {
        0 => format!("${:.4}", used.dollars),
        without => format!("${:.4} and {without} calls at an unknown price", used.dollars),
    };
    format!(
        "{} calls, {read} tokens in ({} from cache), {} out, {price}",
        used.calls, used.cache_read, used.output
    )
}

fn show(session: AgentSessionId, json: bool, environment: &Environment) -> Result<ExitCode, Failure> {
    let coordinator = state::ask_here(environment)?;
    let found = coordinator.agent_session(session).map_err(state_failure)?;
    let entries = coordinator.agent_entries(session).map_err(state_failure)?;
    if json {
        output::print_json(&json!({ "ok": true, "data": { "session": found, "entries": entries } }));
        return Ok(ExitCode::SUCCESS);
    }
    output::print_line(&line_of(&found));
    if let Some(question) = found.approval.as_ref().and_then(|approval| approval["question"].as_str()) {
        output::print_line(&format!("waits: {}", one_line(question)));
    }
    for line in entries.iter().filter_map(entry_line) {
        output::print_line(&line);
    }
    Ok(ExitCode::SUCCESS)
}

/// Requests of the user and what listeners heard; what the model is shown is for programs.
fn entry_line(entry: &AgentEntry) -> Option<String> {
    let at = write_moment(i64::try_from(entry.at).unwrap_or(i64::MAX));
    let text = |key: &str| entry.body[key].as_str().unwrap_or_default();
    let what = match entry.kind {
        AgentEntryKind::Message if text("step") == "request" => format!("user: {}", one_line(text("text"))),
        AgentEntryKind::Event if !text("content").is_empty() => {
            format!("{}: {} {}", text("type"), text("tool_name"), one_line(text("content")))
        }
        AgentEntryKind::Event if text("type") == "session_ended" => "session_ended".to_string(),
        AgentEntryKind::Cleared => "cleared".to_string(),
        AgentEntryKind::Message | AgentEntryKind::Event | AgentEntryKind::Begun | AgentEntryKind::Ended => {
            return None;
        }
    };
    Some(format!("{at}  {what}"))
}
