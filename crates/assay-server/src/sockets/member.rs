//! A client in a namespace: who it is, again with everything it asks, and what it follows.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, Method, StatusCode};
use serde::{Deserialize, Serialize};
use socketioxide::extract::SocketRef;
use socketioxide::{SendError, SocketError};
use tokio_util::sync::CancellationToken;

use super::bound::Place;
use super::pace::Pace;
use crate::access::{Caller, Peer, by_token, identify};
use crate::problem::Problem;
use crate::service::Service;

/// How often it is looked whether a client that only listens may still do so.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// A client follows no more runs, or conversations, at once.
const MOST_ROOMS: usize = 64;

/// What a client says when it joins a namespace.
#[derive(Deserialize)]
pub struct Auth<J> {
    /// Instead of a header.
    #[serde(default)]
    pub token: Option<String>,
    /// What it followed before, with the number of the last event that it saw.
    #[serde(default = "Vec::new")]
    pub join: Vec<J>,
}

/// Why a client may not join: the `message` of the answer.
#[derive(Debug)]
pub struct NotLetIn(Problem);

impl fmt::Display for NotLetIn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.status {
            StatusCode::UNAUTHORIZED => out.write_str("unauthorized"),
            _ => out.write_str(&self.0.body.detail),
        }
    }
}

impl From<Problem> for NotLetIn {
    fn from(problem: Problem) -> NotLetIn {
        NotLetIn(problem)
    }
}

/// How a client showed who it is.
enum Credential {
    /// By the request that opened its session.
    Request(HeaderMap),
    Token(String),
}

pub struct Member {
    pub service: Arc<Service>,
    credential: Credential,
    peer: Peer,
    pace: Arc<Pace>,
    /// Cancelled when it left.
    pub gone: CancellationToken,
    /// What it follows, by name.
    rooms: Mutex<HashMap<String, CancellationToken>>,
}

impl Member {
    /// Lets a client into a namespace.
    pub async fn admit(
        service: &Arc<Service>,
        socket: &SocketRef,
        token: Option<String>,
    ) -> Result<Arc<Member>, NotLetIn> {
        let parts = socket.req_parts();
        let place = parts.extensions.get::<Arc<Place>>();
        let place = place.ok_or_else(|| Problem::internal("the session has no place"))?;
        let member = Arc::new(Member {
            service: Arc::clone(service),
            credential: match token {
                Some(token) => Credential::Token(token),
                None => Credential::Request(parts.headers.clone()),
            },
            peer: place.peer.clone(),
            pace: Arc::clone(&place.pace),
            gone: service.stop.child_token(),
            rooms: Mutex::default(),
        });
        member.caller().await?;
        place.is_known_now();
        Ok(member)
    }

    /// Who it is now, for one more request of it.
    pub async fn caller(self: &Arc<Self>) -> Result<Caller, Problem> {
        let caller = self.look_again().await?;
        self.service.rates.take(&caller.name).map_err(Problem::too_many)?;
        Ok(caller)
    }

    async fn look_again(self: &Arc<Self>) -> Result<Caller, Problem> {
        let member = Arc::clone(self);
        let found = tokio::task::spawn_blocking(move || {
            let door = member.service.door();
            match &member.credential {
                Credential::Token(token) => by_token(token, &member.peer, door),
                // Its origin was looked at when the session was opened.
                Credential::Request(headers) => identify(&Method::GET, headers, &member.peer, door),
            }
        });
        found.await.map_err(|err| Problem::internal(err.to_string()))?
    }

    /// Sends a client away whose token is gone, until it leaves.
    pub async fn watch_over(self: Arc<Self>, socket: SocketRef) {
        loop {
            tokio::select! {
                () = self.gone.cancelled() => return,
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            let is_refused =
                matches!(self.look_again().await, Err(problem) if problem.status == StatusCode::UNAUTHORIZED);
            if is_refused || !socket.connected() {
                self.gone.cancel();
                // It may have left by itself.
                let _left = socket.disconnect();
                return;
            }
        }
    }

    /// Enters a room. Whoever was there already begins anew.
    pub fn enter(&self, room: &str) -> Result<CancellationToken, Problem> {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        rooms.retain(|_, left| !left.is_cancelled());
        if rooms.len() >= MOST_ROOMS && !rooms.contains_key(room) {
            return Err(Problem::conflict(format!("a client follows {MOST_ROOMS} at once, and no more")));
        }
        let left = self.gone.child_token();
        if let Some(before) = rooms.insert(room.to_string(), left.clone()) {
            before.cancel();
        }
        Ok(left)
    }

    pub fn leave(&self, room: &str) {
        let left = self.rooms.lock().unwrap_or_else(PoisonError::into_inner).remove(room);
        if let Some(left) = left {
            left.cancel();
        }
    }

    pub fn is_in(&self, room: &str) -> bool {
        let rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        rooms.get(room).is_some_and(|left| !left.is_cancelled())
    }

    /// Waits until a packet may go out; false if the client left.
    pub async fn may_send(&self) -> bool {
        tokio::select! {
            biased;
            () = self.gone.cancelled() => false,
            () = self.pace.take() => true,
        }
    }

    /// Tells the client something, as soon as it takes it; false if it left.
    pub async fn tell(&self, socket: &SocketRef, event: &str, data: &impl Serialize) -> bool {
        while self.may_send().await {
            match socket.emit(event, data) {
                Ok(()) => return true,
                Err(SendError::Socket(SocketError::InternalChannelFull)) => {}
                Err(SendError::Socket(SocketError::Closed) | SendError::Serialize(_)) => return false,
            }
        }
        false
    }
}
