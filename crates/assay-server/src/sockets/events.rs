//! Events of a client: one after the other, each with an answer.

use std::pin::Pin;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use socketioxide::ParserError;
use socketioxide::extract::{AckSender, Event, SocketRef, TryData};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::member::Member;
use crate::access::Caller;
use crate::problem::Problem;
use crate::route::{self, Question};

/// Events of a client that wait.
const WAITING: usize = 64;

/// A client of a namespace.
#[derive(Clone)]
pub struct Client {
    pub member: Arc<Member>,
    pub socket: SocketRef,
}

/// What a namespace does with an event; the answer goes into the acknowledgement.
pub type Answering =
    fn(Client, Caller, String, Value) -> Pin<Box<dyn Future<Output = Result<Value, Problem>> + Send>>;

struct Sent {
    event: String,
    data: Result<Value, ParserError>,
    ack: AckSender,
}

/// Answers all events of a client, until it leaves. To be called before it hears that it joined.
pub fn answer(client: Client, answering: Answering) {
    let (sender, queue) = mpsc::channel(WAITING);
    let member = Arc::clone(&client.member);
    client.socket.on_disconnect(move || {
        member.gone.cancel();
        std::future::ready(())
    });
    client.socket.on_fallback(move |Event(event): Event, TryData(data): TryData<Value>, ack: AckSender| {
        // Here and not in what is returned: events are taken in their order.
        if let Err(TrySendError::Full(sent)) = sender.try_send(Sent { event, data, ack }) {
            let problem = Problem::too_many(std::time::Duration::from_secs(1));
            // Whoever floods may miss an answer.
            let _lost = sent.ack.send(&refused(&problem));
        }
        std::future::ready(())
    });
    tokio::spawn(Arc::clone(&client.member).watch_over(client.socket.clone()));
    tokio::spawn(work(client, queue, answering));
}

async fn work(client: Client, mut queue: mpsc::Receiver<Sent>, answering: Answering) {
    loop {
        let sent = tokio::select! {
            biased;
            () = client.member.gone.cancelled() => return,
            sent = queue.recv() => sent,
        };
        let Some(Sent { event, data, ack }) = sent else { return };
        let done = carry_out(&client, answering, event.clone(), data).await;
        let answer = match done {
            Ok(answer) => answer,
            Err(problem) => {
                let mut said = refused(&problem);
                said["event"] = json!(event);
                client.member.tell(&client.socket, "error", &said).await;
                refused(&problem)
            }
        };
        if !client.member.may_send().await {
            return;
        }
        // A client that is gone by now needs no answer.
        let _unheard = ack.send(&answer);
    }
}

async fn carry_out(
    client: &Client,
    answering: Answering,
    event: String,
    data: Result<Value, ParserError>,
) -> Result<Value, Problem> {
    let caller = client.member.caller().await?;
    let wrong = |err| Problem::usage(format!("the data of `{event}` cannot be read: {err}"));
    let data = data.map_err(wrong)?;
    answering(client.clone(), caller, event, data).await
}

pub fn refused(problem: &Problem) -> Value {
    let mut said = json!({ "accepted": false, "error": problem.body.detail, "code": problem.body.code });
    if let Some(hint) = &problem.body.hint {
        said["hint"] = json!(hint);
    }
    said
}

pub fn read<B: DeserializeOwned>(event: &str, data: Value) -> Result<B, Problem> {
    let wrong = |err| Problem::usage(format!("the data of `{event}` cannot be read: {err}"));
    serde_json::from_value(data).map_err(wrong)
}

pub fn unknown(event: &str) -> Problem {
    Problem::not_found(format!("there is no event `{event}` in this namespace"))
}

/// Asks a route for a client.
pub async fn ask_route(client: &Client, caller: Caller, question: Question<'_>) -> Result<Value, Problem> {
    route::ask(&client.member.service, caller, question).await
}
