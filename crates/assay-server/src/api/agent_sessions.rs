//! Conversations with agents: opened, talked to, approved and ended. A turn is an order like a run: it is on record before
//! the service says that it was accepted.

use assay_agent::Library;
use assay_coordinator::{
    AgentEntry, AgentSession, AgentSessionId, AgentStatus, NewAgentSession, NewOrder, OrderPage, OrderStatus,
};
use assay_host::{ModelOptions, choose_model};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::live::{needs_control, owned_by_caller};
use super::orders::shown_order;
use crate::orders::{AcceptedWork, Wish, new_run_name};
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};

/// No more turns are looked through for those of one conversation.
const MOST_WAITING: usize = 10_000;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewSession {
    /// Id of an agent that people can talk to; the default agent without it.
    agent: Option<String>,
    /// What it is about.
    #[serde(default)]
    title: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AgentSession")]
struct SessionView {
    session_id: i64,
    agent: String,
    /// Without one, requests are understood by rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    title: String,
    /// idle, working, waiting, interrupted or ended.
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    skill: Option<String>,
    /// What a user has to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<Value>,
    created_at: u64,
    updated_at: u64,
    used: UsedView,
}

/// What questions to models used so far.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ModelUse")]
struct UsedView {
    calls: u64,
    input_tokens: u64,
    output_tokens: u64,
    cache_read_tokens: u64,
    cache_write_tokens: u64,
    dollars: f64,
    /// Calls whose price nobody knows.
    calls_without_price: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AgentEntry")]
struct EntryView {
    /// Grows from entry to entry.
    number: u64,
    at: u64,
    /// message, event, begun, ended or cleared.
    kind: String,
    /// Of the end of a call: the entry with its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    refers: Option<u64>,
    body: Value,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewMessage {
    message: String,
    /// Your live page of an open session that you control: the agent acts on it, instead of in a browser of its own.
    page: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Approval {
    approved: bool,
    /// As in the message that it is about.
    page: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GoingOn {
    /// As in the message that was cut off.
    page: Option<String>,
}

pub fn routes() -> Vec<Route> {
    const SESSIONS: &str = "/server/agent/sessions";
    const SESSION: &str = "/server/agent/sessions/{session}";
    vec![
        Route::get(SESSIONS, "list_agent_sessions", "List conversations, the newest first", list),
        Route::write_as(
            Method::Post,
            SESSIONS,
            "create_agent_session",
            "Open a conversation with an agent",
            StatusCode::CREATED,
            create,
        ),
        Route::get(SESSION, "get_agent_session", "Look at a conversation", get),
        Route::write(
            Method::Delete,
            SESSION,
            "end_agent_session",
            "End a conversation; one at work ends its turn first",
            end,
        ),
        Route::get(
            "/server/agent/sessions/{session}/entries",
            "list_agent_entries",
            "List what was said and done in a conversation, the oldest first",
            entries,
        ),
        Route::write_as(
            Method::Post,
            "/server/agent/sessions/{session}/messages",
            "send_agent_message",
            "Ask an agent; the request is on record when this answers",
            StatusCode::ACCEPTED,
            send,
        ),
        Route::write_as(
            Method::Post,
            "/server/agent/sessions/{session}/approve",
            "approve_agent_call",
            "Decide about that for which a conversation waits, and let it go on",
            StatusCode::ACCEPTED,
            approve,
        ),
        Route::write(
            Method::Post,
            "/server/agent/sessions/{session}/stop",
            "stop_agent_turn",
            "End the turn under way or the wait for a decision; the conversation can go on",
            stop,
        ),
        Route::write(
            Method::Post,
            "/server/agent/sessions/{session}/clear",
            "clear_agent_session",
            "Begin a conversation anew; what was said stays on record",
            clear,
        ),
        Route::write_as(
            Method::Post,
            "/server/agent/sessions/{session}/resume",
            "resume_agent_session",
            "Continue a conversation whose turn was cut off",
            StatusCode::ACCEPTED,
            resume,
        ),
    ]
}

fn view(session: AgentSession) -> SessionView {
    let used = session.used;
    SessionView {
        session_id: session.id.0,
        agent: session.agent,
        model: session.model,
        title: session.title,
        status: session.status.name().to_string(),
        skill: session.skill,
        approval: session.approval,
        created_at: session.created_at,
        updated_at: session.updated_at,
        used: UsedView {
            calls: used.calls,
            input_tokens: used.input,
            output_tokens: used.output,
            cache_read_tokens: used.cache_read,
            cache_write_tokens: used.cache_written,
            dollars: used.dollars,
            calls_without_price: used.calls_without_price,
        },
    }
}

fn id_of(asked: &Asked) -> Result<AgentSessionId, Problem> {
    let number = i64::try_from(asked.number("session")?);
    Ok(AgentSessionId(number.map_err(|_| Problem::not_found("there is no such session"))?))
}

fn list(asked: &Asked, page: PageQuery) -> Result<Page<SessionView>, Problem> {
    let sessions = asked.service.coordinator.agent_sessions()?;
    page.of_whole(sessions.into_iter().map(view).collect())
}

fn get(asked: &Asked, _: Nothing) -> Result<SessionView, Problem> {
    Ok(view(asked.service.coordinator.agent_session(id_of(asked)?)?))
}

/// The model that conversations use.
fn model_of(asked: &Asked) -> Result<Option<String>, Problem> {
    let seams = &asked.service.seams;
    let context = &seams.context;
    let loaded = assay_suite::load_in(&seams.folder, &[], &context.drivers.names(), &*context.variables);
    let chosen = choose_model(context, &ModelOptions::default(), loaded.project.model.as_deref())?;
    Ok(chosen.and_then(|chosen| chosen.name.ok()).map(|name| format!("{}/{}", name.service.name, name.model)))
}

fn create(asked: &Asked, new: NewSession) -> Result<SessionView, Problem> {
    let home = asked.service.seams.context.state.home.as_deref();
    let library = Library::of_project(&asked.service.root, home);
    let agent = match new.agent.as_deref() {
        Some(id) => library.agents.iter().find(|agent| agent.id == id && agent.is_selectable),
        None => library.agents.iter().find(|agent| agent.is_default && agent.is_selectable),
    };
    let agent = agent.filter(|agent| agent.config.is_enabled).ok_or_else(|| {
        let known: Vec<&str> = library
            .agents
            .iter()
            .filter(|agent| agent.is_selectable && agent.config.is_enabled)
            .map(|agent| agent.id.as_str())
            .collect();
        Problem::usage(format!("expected one of {} as `agent`", known.join(", ")))
    })?;
    let model = model_of(asked)?;
    let title: String = new.title.chars().filter(|letter| !letter.is_control()).take(200).collect();
    let new = NewAgentSession { agent: &agent.id, model: model.as_deref(), title: title.trim() };
    let session = asked.service.coordinator.open_agent_session(&new)?;
    Ok(view(asked.service.coordinator.agent_session(session)?))
}

fn end(asked: &Asked, _: Nothing) -> Result<SessionView, Problem> {
    let (coordinator, session) = (&asked.service.coordinator, id_of(asked)?);
    // One that waits is free first, and then it ends.
    if coordinator.stop_agent_session(session)? == AgentStatus::Idle {
        coordinator.stop_agent_session(session)?;
    }
    Ok(view(coordinator.agent_session(session)?))
}

fn stop(asked: &Asked, _: Nothing) -> Result<SessionView, Problem> {
    let (coordinator, session) = (&asked.service.coordinator, id_of(asked)?);
    // One that waits for its turn does not begin.
    let waiting = OrderPage { status: Some(OrderStatus::Accepted), before: None, limit: MOST_WAITING };
    for order in coordinator.orders(waiting)? {
        let wish = serde_json::from_value(order.body.clone());
        if matches!(wish, Ok(Wish::Turn { session: of, .. }) if of == session.0) {
            coordinator.withdraw_order(order.number)?;
        }
    }
    coordinator.stop_agent_turn(session)?;
    Ok(view(coordinator.agent_session(session)?))
}

fn clear(asked: &Asked, _: Nothing) -> Result<SessionView, Problem> {
    let (coordinator, session) = (&asked.service.coordinator, id_of(asked)?);
    coordinator.clear_agent_session(session)?;
    Ok(view(coordinator.agent_session(session)?))
}

fn entries(asked: &Asked, page: PageQuery) -> Result<Page<EntryView>, Problem> {
    let found = asked.service.coordinator.agent_entries(id_of(asked)?)?;
    page.of_whole(found.into_iter().map(entry).collect())
}

fn entry(entry: AgentEntry) -> EntryView {
    EntryView {
        number: entry.number,
        at: entry.at,
        kind: entry.kind.name().to_string(),
        refers: entry.refers,
        body: entry.body,
    }
}

/// Whether an agent may act on this live page for the caller.
fn check_page(asked: &Asked, page: Option<&str>) -> Result<(), Problem> {
    let Some(page) = page else { return Ok(()) };
    needs_control(&*owned_by_caller(asked, page)?)?;
    asked.service.live.session_at(page).map(drop)
}

/// Puts a turn on record.
fn accept(
    asked: &Asked,
    session: &AgentSession,
    message: Option<String>,
    page: Option<String>,
) -> Result<AcceptedWork, Problem> {
    check_page(asked, page.as_deref())?;
    // What was begun by rules goes on by rules.
    if session.model.is_some() && model_of(asked)?.is_none() {
        return Err(Problem::conflict("this conversation is one with a model, and no model is configured").hint(
            "start the service with DEFAULT_MODEL, or put `model:` into the settings of the user or the project",
        ));
    }
    let session = session.id;
    let wish = Wish::Turn { session: session.0, message, page };
    let body = serde_json::to_value(&wish).map_err(|err| Problem::internal(err.to_string()))?;
    let name = format!("turn-{}-{}", session.0, new_run_name());
    let new = NewOrder { kind: wish.kind(), name: &name, body: &body, by: &asked.caller.name };
    let key = asked.key.as_ref().map(|key| key.as_key());
    let order = asked.service.coordinator.accept_order(&new, key.as_ref())?;
    asked.service.accepted(&order);
    Ok(shown_order(&order))
}

fn send(asked: &Asked, new: NewMessage) -> Result<AcceptedWork, Problem> {
    let message = new.message.trim();
    if message.is_empty() || message.contains('\0') {
        return Err(Problem::usage("expected a request as `message`, found none"));
    }
    let found = asked.service.coordinator.agent_session(id_of(asked)?)?;
    match found.status {
        AgentStatus::Idle | AgentStatus::Interrupted => {
            accept(asked, &found, Some(message.to_string()), new.page)
        }
        AgentStatus::Working | AgentStatus::Waiting | AgentStatus::Ended => {
            let what = format!("session {} is {}, so it takes no request", found.id, found.status.name());
            Err(Problem::conflict(what))
        }
    }
}

fn approve(asked: &Asked, approval: Approval) -> Result<AcceptedWork, Problem> {
    if approval.approved {
        asked.needs(crate::access::Role::Admin, "Agreeing for a user")?;
    }
    check_page(asked, approval.page.as_deref())?;
    let session = id_of(asked)?;
    asked.service.coordinator.decide_agent_session(session, approval.approved)?;
    accept(asked, &asked.service.coordinator.agent_session(session)?, None, approval.page)
}

fn resume(asked: &Asked, going: GoingOn) -> Result<AcceptedWork, Problem> {
    let found = asked.service.coordinator.agent_session(id_of(asked)?)?;
    if found.status != AgentStatus::Interrupted {
        let what =
            format!("session {} is {}, so there is nothing to continue", found.id, found.status.name());
        return Err(Problem::conflict(what));
    }
    accept(asked, &found, None, going.page)
}
