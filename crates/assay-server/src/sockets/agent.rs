//! The namespace `/agent`: conversations with agents.

use std::sync::Arc;

use assay_coordinator::{AgentEntry, AgentEntryKind, AgentSessionId};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use socketioxide::SocketIo;
use socketioxide::extract::{SocketRef, TryData};
use socketioxide::handler::ConnectHandler as _;
use tokio_util::sync::CancellationToken;

use super::events::{self, Client, answer, ask_route, read, unknown};
use super::member::{Auth, Member, NotLetIn};
use crate::access::Caller;
use crate::follow::ConversationFollower;
use crate::problem::Problem;
use crate::route::Question;
use crate::service::Service;

/// The number of a conversation, also as a text.
#[derive(Debug, Clone, Copy)]
struct SessionNumber(i64);

impl<'de> Deserialize<'de> for SessionNumber {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<SessionNumber, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Said {
            Number(i64),
            Text(String),
        }
        let wrong = || serde::de::Error::custom("expected the number of a conversation as `session_id`");
        match Said::deserialize(from).map_err(|_| wrong())? {
            Said::Number(number) => Ok(SessionNumber(number)),
            Said::Text(text) => text.parse().map(SessionNumber).map_err(|_| wrong()),
        }
    }
}

#[derive(Debug, Deserialize)]
struct Joining {
    session_id: SessionNumber,
    /// The number of the last event that the client saw; without it, it hears what comes from now on.
    #[serde(default)]
    after: Option<u64>,
}

/// The page that a client shows, and whether it may show another, is for agents that move about in it: none here does.
#[derive(Debug, Deserialize)]
struct Message {
    session_id: SessionNumber,
    message: String,
    #[serde(default)]
    agent_id: Option<String>,
    #[serde(default)]
    idempotency_key: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Approval {
    session_id: SessionNumber,
    approved: bool,
    #[serde(default)]
    modifications: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct OfSession {
    session_id: SessionNumber,
}

pub fn offer(io: &SocketIo, service: &Arc<Service>) {
    let service = Arc::clone(service);
    let admit = move |socket: SocketRef, TryData(auth): TryData<Auth<Joining>>| {
        let service = Arc::clone(&service);
        async move {
            let auth = auth.map_err(|err| Problem::usage(format!("the `auth` cannot be read: {err}")))?;
            let member = Member::admit(&service, &socket, auth.token).await?;
            let client = Client { member, socket };
            client.socket.extensions.insert(client.member.clone());
            answer(client, |client, caller, event, data| Box::pin(answered(client, caller, event, data)));
            Ok::<(), NotLetIn>(())
        }
    };
    io.ns("/agent", welcome.with(admit));
}

async fn welcome(socket: SocketRef, TryData(auth): TryData<Auth<Joining>>) {
    let Some(member) = socket.extensions.get::<Arc<Member>>() else { return };
    let client = Client { member, socket };
    client.member.tell(&client.socket, "connected", &json!({ "status": "ok" })).await;
    for joining in auth.map(|auth| auth.join).unwrap_or_default() {
        let joined = async {
            let caller = client.member.caller().await?;
            join(&client, caller, joining).await
        };
        if let Err(problem) = joined.await {
            client.member.tell(&client.socket, "error", &events::refused(&problem)).await;
        }
    }
}

async fn answered(client: Client, caller: Caller, event: String, data: Value) -> Result<Value, Problem> {
    match event.as_str() {
        "join_session" => join(&client, caller, read(&event, data)?).await,
        "leave_session" => {
            let OfSession { session_id } = read(&event, data)?;
            client.member.leave(&room(session_id));
            Ok(accepted(session_id))
        }
        "send_message" => send(&client, caller, read(&event, data)?).await,
        "approve" => approve(&client, caller, read(&event, data)?).await,
        "stop_generation" => of_session(&client, caller, "stop_agent_turn", read(&event, data)?).await,
        "clear_session" => of_session(&client, caller, "clear_agent_session", read(&event, data)?).await,
        _ => Err(unknown(&event)),
    }
}

fn room(session: SessionNumber) -> String {
    session.0.to_string()
}

fn accepted(session: SessionNumber) -> Value {
    json!({ "accepted": true, "session_id": session.0 })
}

async fn look(client: &Client, caller: Caller, session: SessionNumber) -> Result<Value, Problem> {
    let number = session.0.to_string();
    let parts = [("session", number.as_str())];
    let question = Question { name: "get_agent_session", parts: &parts, body: &Value::Null, key: None };
    ask_route(client, caller, question).await
}

async fn newest(client: &Client, session: SessionNumber) -> Result<u64, Problem> {
    let coordinator = client.member.service.coordinator.clone();
    let found =
        tokio::task::spawn_blocking(move || coordinator.newest_agent_entry(AgentSessionId(session.0)));
    Ok(found.await.map_err(|err| Problem::internal(err.to_string()))??)
}

async fn join(client: &Client, caller: Caller, joining: Joining) -> Result<Value, Problem> {
    let session = joining.session_id;
    look(client, caller, session).await?;
    let after = match joining.after {
        Some(after) => after,
        None => newest(client, session).await?,
    };
    let left = client.member.enter(&room(session))?;
    let joined = json!({ "session_id": session.0, "after": after });
    client.member.tell(&client.socket, "joined", &joined).await;
    follow(client, session, after, left);
    Ok(accepted(session))
}

/// Tells a client of a conversation from now on.
fn follow(client: &Client, session: SessionNumber, after: u64, left: CancellationToken) {
    let follower = client.member.service.conversations.follow(AgentSessionId(session.0), after);
    tokio::spawn(tell_all(client.clone(), session, follower, left));
}

async fn tell_all(
    client: Client,
    session: SessionNumber,
    mut follower: ConversationFollower,
    left: CancellationToken,
) {
    loop {
        let entry = tokio::select! {
            biased;
            () = left.cancelled() => return,
            entry = follower.next() => entry,
        };
        let is_there = match entry {
            Ok(entry) => match event_of(session, entry) {
                Some(event) => client.member.tell(&client.socket, "agent_event", &event).await,
                None => true,
            },
            Err(problem) => {
                client.member.tell(&client.socket, "error", &events::refused(&problem)).await;
                false
            }
        };
        if !is_there {
            left.cancel();
            return;
        }
    }
}

/// What listeners are told; the other entries are those of the agent.
fn event_of(session: SessionNumber, entry: AgentEntry) -> Option<Value> {
    let mut event = match entry.kind {
        AgentEntryKind::Event => entry.body,
        AgentEntryKind::Message | AgentEntryKind::Begun | AgentEntryKind::Ended | AgentEntryKind::Cleared => {
            return None;
        }
    };
    let fields = event.as_object_mut()?;
    fields.insert("session_id".to_string(), json!(session.0));
    fields.insert("number".to_string(), json!(entry.number));
    Some(event)
}

async fn send(client: &Client, caller: Caller, message: Message) -> Result<Value, Problem> {
    let session = message.session_id;
    let found = look(client, caller.clone(), session).await?;
    if let Some(agent) = message.agent_id
        && found["agent"] != agent.as_str()
    {
        let with = found["agent"].as_str().unwrap_or_default();
        return Err(Problem::usage(format!(
            "session {} is one with `{with}`, not with `{agent}`",
            session.0
        ))
        .hint("open a session for each agent: POST /server/agent/sessions"));
    }
    // Whoever sends something hears what comes of it.
    let before = newest(client, session).await?;
    let number = session.0.to_string();
    let question = Question {
        name: "send_agent_message",
        parts: &[("session", &number)],
        body: &json!({ "message": message.message }),
        key: message.idempotency_key.as_deref(),
    };
    let order = ask_route(client, caller, question).await?;
    if !client.member.is_in(&room(session)) {
        let left = client.member.enter(&room(session))?;
        follow(client, session, before, left);
    }
    let mut said = accepted(session);
    said["order"] = order["order"].clone();
    Ok(said)
}

async fn approve(client: &Client, caller: Caller, approval: Approval) -> Result<Value, Problem> {
    let is_empty = |said: &Value| said.is_null() || said.as_object().is_some_and(serde_json::Map::is_empty);
    if approval.modifications.is_some_and(|said| !is_empty(&said)) {
        return Err(Problem::usage(
            "a call is allowed as it is, or refused: `modifications` is not supported",
        ));
    }
    let number = approval.session_id.0.to_string();
    let question = Question {
        name: "approve_agent_call",
        parts: &[("session", &number)],
        body: &json!({ "approved": approval.approved }),
        key: None,
    };
    ask_route(client, caller, question).await?;
    Ok(accepted(approval.session_id))
}

async fn of_session(
    client: &Client,
    caller: Caller,
    route: &'static str,
    of: OfSession,
) -> Result<Value, Problem> {
    let number = of.session_id.0.to_string();
    let question = Question { name: route, parts: &[("session", &number)], body: &json!({}), key: None };
    let session = ask_route(client, caller, question).await?;
    let mut said = accepted(of.session_id);
    said["status"] = session["status"].clone();
    Ok(said)
}
