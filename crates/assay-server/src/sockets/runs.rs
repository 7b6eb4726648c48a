//! The namespace `/runs`: runs live, with the lines of their console and their pictures.

use std::sync::Arc;

use assay_protocol::RunEvent;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use socketioxide::SocketIo;
use socketioxide::extract::{SocketRef, TryData};
use socketioxide::handler::ConnectHandler as _;
use tokio_util::sync::CancellationToken;

use super::events::{self, Client, answer, read, unknown};
use super::member::{Auth, Member, NotLetIn};
use crate::access::Caller;
use crate::api::run_to_follow;
use crate::follow::{ConsoleLine, FeedEvent, Follower, Picture, lines_of, picture_of};
use crate::problem::Problem;
use crate::service::Service;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Joining {
    run: String,
    /// The number of the last event that the client saw; without it, it hears the run from its beginning.
    #[serde(default)]
    after: u64,
    /// What it wants to hear: everything without it.
    #[serde(default = "all_parts")]
    parts: Vec<RunPart>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RunPart {
    Events,
    Lines,
    Pictures,
}

fn all_parts() -> Vec<RunPart> {
    vec![RunPart::Events, RunPart::Lines, RunPart::Pictures]
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Leaving {
    run: String,
}

#[derive(Serialize)]
struct SaidLine<'a> {
    run: &'a str,
    number: u64,
    #[serde(flatten)]
    line: ConsoleLine,
}

#[derive(Serialize)]
struct SaidPicture<'a> {
    run: &'a str,
    number: u64,
    #[serde(flatten)]
    picture: &'a Picture,
    /// Where it can be asked for.
    address: String,
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
    io.ns("/runs", welcome.with(admit));
}

async fn welcome(socket: SocketRef, TryData(auth): TryData<Auth<Joining>>) {
    let Some(member) = socket.extensions.get::<Arc<Member>>() else { return };
    let client = Client { member, socket };
    client.member.tell(&client.socket, "connected", &json!({ "status": "ok" })).await;
    for joining in auth.map(|auth| auth.join).unwrap_or_default() {
        if let Err(problem) = join(&client, joining).await {
            client.member.tell(&client.socket, "error", &events::refused(&problem)).await;
        }
    }
}

async fn answered(client: Client, _: Caller, event: String, data: Value) -> Result<Value, Problem> {
    match event.as_str() {
        "join_run" => join(&client, read(&event, data)?).await,
        "leave_run" => {
            let Leaving { run } = read(&event, data)?;
            client.member.leave(&run);
            Ok(json!({ "accepted": true, "run": run }))
        }
        _ => Err(unknown(&event)),
    }
}

async fn join(client: &Client, joining: Joining) -> Result<Value, Problem> {
    let service = Arc::clone(&client.member.service);
    let which = joining.run.clone();
    let found = tokio::task::spawn_blocking(move || run_to_follow(&service, &which));
    let run = found.await.map_err(|err| Problem::internal(err.to_string()))??;
    let follower = client.member.service.feeds.follow(run.task, joining.after)?;
    let left = client.member.enter(&joining.run)?;
    let joined = json!({ "run": run.run, "after": joining.after });
    client.member.tell(&client.socket, "joined", &joined).await;
    let told = Told { client: client.clone(), run: run.run.clone(), parts: joining.parts };
    tokio::spawn(tell_all(told, follower, left));
    Ok(json!({ "accepted": true, "run": run.run }))
}

struct Told {
    client: Client,
    run: String,
    parts: Vec<RunPart>,
}

async fn tell_all(told: Told, mut follower: Follower, left: CancellationToken) {
    loop {
        let event = tokio::select! {
            biased;
            () = left.cancelled() => return,
            event = follower.next() => event,
        };
        let is_there = match &event {
            Some(event) => told.tell(event).await,
            None => {
                told.say("run_end", &json!({ "run": told.run })).await;
                false
            }
        };
        if !is_there {
            left.cancel();
            return;
        }
    }
}

impl Told {
    async fn say(&self, event: &str, data: &impl Serialize) -> bool {
        self.client.member.tell(&self.client.socket, event, data).await
    }

    fn wants(&self, part: RunPart) -> bool {
        self.parts.contains(&part)
    }

    /// Lines and pictures first: a client that saw the number of the event saw all of it.
    async fn tell(&self, event: &FeedEvent) -> bool {
        // It was written as this type.
        let fact = serde_json::from_str::<RunEvent>(&event.json).ok();
        if self.wants(RunPart::Lines) {
            for line in fact.iter().flat_map(lines_of) {
                let said = SaidLine { run: &self.run, number: event.number, line };
                if !self.say("console_line", &said).await {
                    return false;
                }
            }
        }
        if self.wants(RunPart::Pictures)
            && let Some(picture) = fact.as_ref().and_then(picture_of)
        {
            let address = format!("/server/runs/{}/artifacts/{}", self.run, picture.path);
            let said = SaidPicture { run: &self.run, number: event.number, picture: &picture, address };
            if !self.say("picture", &said).await {
                return false;
            }
        }
        if !self.wants(RunPart::Events) {
            return true;
        }
        let Ok(json) = serde_json::from_str::<Value>(&event.json) else { return true };
        self.say("run_event", &json!({ "run": self.run, "number": event.number, "event": json })).await
    }
}
