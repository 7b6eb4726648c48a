//! A turn of a conversation is a command of its own: what it does is on record, step by step, also if it dies.

use assay_agent::{AgentEvent, EventKind};
use assay_coordinator::{AfterTurn, AgentEntryKind, AgentSessionId, AgentStatus, StateError, this_process};
use assay_protocol::{Agreed, ErrorCode, Failure};
use assay_tools::CallSpec;

use serde_json::json;

use crate::clock::now_ms;
use crate::problem::Problem;
use crate::service::Service;

/// A turn to be taken.
pub struct Turn<'a> {
    pub session: AgentSessionId,
    /// The live page that it acts on, instead of a browser of its own.
    pub page: Option<&'a str>,
    /// The command line of it, after `assay`.
    pub words: &'a [String],
}

pub fn take_turn(service: &Service, turn: &Turn<'_>, note: &dyn Fn(&str)) -> Result<(), Failure> {
    let session = turn.session;
    let before = service.coordinator.newest_agent_entry(session);
    let done = carry_out(service, turn, note);
    if let Ok(before) = before
        && let Err(error) = end_for_listeners(service, session, before, done.as_ref().err())
    {
        let fields = [("conversation", json!(session.to_string())), ("why", json!(error.to_string()))];
        service.log.error("conversation.end_not_recorded", &fields);
    }
    done
}

fn carry_out(service: &Service, turn: &Turn<'_>, note: &dyn Fn(&str)) -> Result<(), Failure> {
    let name = format!("conversation {}", turn.session);
    let refused = |problem: Problem| Failure::new(ErrorCode::SessionBusy, problem.body.detail.clone());
    let browser = match turn.page {
        Some(page) => service.live.session_at(page).map_err(refused)?,
        None => service.sessions.session_of("service", &name).map_err(refused)?,
    };
    let is_stopped = || service.stop.is_cancelled();
    let spec = CallSpec { session: &browser, agreed: &Agreed::Nothing, tell: note, is_stopped: &is_stopped };
    let run = service.seams.program.run_command(&spec, turn.words);
    // Its own browsers ended with the command.
    if turn.page.is_none() {
        let _ended = service.sessions.end("service", &name);
    }
    let run = run?;
    match run.exit_code {
        // 1 and 3: a test failed, or something is open. Both are answers.
        0 | 1 | 3 => Ok(()),
        code => {
            let why = run.talk.lines().last().unwrap_or("the turn ended without an answer").to_string();
            Err(Failure::new(ErrorCode::ModelFailed, why).detail(format!("exit code {code}")))
        }
    }
}

/// Whoever listens waits for the end of a turn. A command that died, or never came to its turn, has told of none.
fn end_for_listeners(
    service: &Service,
    session: AgentSessionId,
    before: u64,
    failure: Option<&Failure>,
) -> Result<(), StateError> {
    let coordinator = &service.coordinator;
    let entries = coordinator.agent_entries_after(session, before, usize::MAX >> 1)?;
    let is_end = |entry: &assay_coordinator::AgentEntry| {
        entry.kind == AgentEntryKind::Event && entry.body["type"] == "session_ended"
    };
    if entries.iter().any(is_end) {
        return Ok(());
    }
    let found = coordinator.agent_session(session)?;
    // A turn that was cut off can be continued: it stays so.
    let is_cut_off = found.status == AgentStatus::Interrupted;
    if !is_cut_off && found.status != AgentStatus::Idle {
        return Ok(());
    }
    let (turn, _) = coordinator.begin_agent_turn(session, &this_process("assay serve")?, None)?;
    let tell = |kind: EventKind, words: &str, error: Option<String>| {
        let event = AgentEvent { error, ..AgentEvent::new(kind, &found.agent, words, now_ms()) };
        turn.tell(&serde_json::to_value(event).unwrap_or_default())
    };
    let why = match failure {
        Some(failure) => failure.message.clone(),
        None => "the turn ended without an answer".to_string(),
    };
    tell(EventKind::Error, &why, Some(why.clone()))?;
    tell(EventKind::SessionEnded, "", None)?;
    match is_cut_off {
        true => Ok(()),
        false => turn.finish(&AfterTurn::Idle),
    }
}
