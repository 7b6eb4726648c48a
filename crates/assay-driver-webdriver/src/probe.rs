//! Finding out what an address speaks: the DevTools protocol, BiDi or classic WebDriver.
//!
//! Asks only what changes nothing: `/json/version`, `/status` and `/session` by GET, or one question
//! over a websocket that every server answers, be it with an error.

use std::time::Duration;

use assay_driver::{Deadline, DriverError};
use assay_wire::{Connection, EventHandler, open_websocket};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::protocol::{Address, Client, Trouble};

/// What an address speaks, with the address by which a driver of it is to be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spoken {
    Cdp(String),
    BiDi(String),
    WebDriver(String),
}

/// A server on the way may be slow; one that says nothing for so long is none of ours.
const PATIENCE: Duration = Duration::from_secs(3);

/// What was asked and what came, where nothing fitted.
#[derive(Debug, thiserror::Error)]
enum NotFound {
    #[error(transparent)]
    BadAddress(#[from] crate::protocol::BadAddress),
    #[error("{0}")]
    Unreachable(String),
    #[error("it speaks none of CDP, BiDi and WebDriver: {}", .0.join(", "))]
    Other(Vec<String>),
}

/// Takes `ws://…`, `http://…`, `host:port` or a bare port.
pub async fn probe(address: &str, deadline: Deadline) -> Result<Spoken, DriverError> {
    let deadline = deadline.at_most(PATIENCE * 3);
    let found = if address.starts_with("ws://") || address.starts_with("wss://") {
        probe_websocket(address, deadline).await
    } else {
        probe_http(address, deadline).await
    };
    found.map_err(|err| DriverError::ConnectFailed { address: shown(address), reason: err.to_string() })
}

/// The address without the key of its user.
pub(crate) fn shown(address: &str) -> String {
    match (address.split_once("://"), address.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        (None, Some((_, rest))) => rest.to_string(),
        (_, None) => address.to_string(),
    }
}

async fn probe_http(text: &str, deadline: Deadline) -> Result<Spoken, NotFound> {
    let address = Address::parse(text)?;
    let client = Client::new(address.clone()).map_err(|err| NotFound::Unreachable(err.to_string()))?;
    let mut tried = Vec::new();
    for (path, look) in QUESTIONS {
        let limit = deadline.remaining().min(PATIENCE);
        match client.look_at(path, limit).await {
            Ok((status, body)) => match look(&address, text, status, &body) {
                Some(spoken) => return Ok(spoken),
                None => tried.push(format!("{path} answers {}", in_words(status, &body))),
            },
            Err(err @ (Trouble::NothingListens | Trouble::Unreachable(_))) if tried.is_empty() => {
                return Err(NotFound::Unreachable(err.to_string()));
            }
            Err(err) => tried.push(format!("{path}: {err}")),
        }
    }
    Err(NotFound::Other(tried))
}

type Look = fn(&Address, &str, u16, &str) -> Option<Spoken>;

const QUESTIONS: &[(&str, Look)] = &[
    ("/json/version", |_, text, _, body| {
        let version: Value = serde_json::from_str(body).ok()?;
        version["webSocketDebuggerUrl"].as_str()?;
        Some(Spoken::Cdp(text.to_string()))
    }),
    ("/status", |_, text, _, body| {
        let status: Value = serde_json::from_str(body).ok()?;
        status["value"]["ready"].as_bool()?;
        Some(Spoken::WebDriver(text.to_string()))
    }),
    // Firefox takes websockets here, and says so to whoever does not ask for one.
    ("/session", |address, _, status, body| {
        let upgrade = status == 426 || (status == 400 && body.contains("Upgrade"));
        upgrade.then(|| Spoken::BiDi(address.websocket("/session")))
    }),
];

fn in_words(status: u16, body: &str) -> String {
    let kind = match serde_json::from_str::<Value>(body) {
        Ok(_) => "other JSON",
        Err(_) if body.trim_start().starts_with('<') => "a web page",
        Err(_) if body.is_empty() => "nothing",
        Err(_) => "text",
    };
    format!("{status} with {kind}")
}

async fn probe_websocket(address: &str, deadline: Deadline) -> Result<Spoken, NotFound> {
    let (_, rest) = address.split_once("://").unwrap_or_default();
    let path = rest.split_once('/').map_or("", |(_, path)| path.split(['?', '#']).next().unwrap_or_default());
    let path = path.trim_end_matches('/');
    if path.contains("devtools/") || path.ends_with("se/cdp") {
        return Ok(Spoken::Cdp(address.to_string()));
    }
    if path == "session" || path.starts_with("session/") || path.ends_with("se/bidi") {
        return Ok(Spoken::BiDi(address.to_string()));
    }
    match ask(address, deadline).await {
        Ok(spoken) => Ok(spoken),
        // The browser itself answers at a path of its own.
        Err(first) if path.is_empty() => {
            let other = format!("{}/session", address.trim_end_matches('/'));
            ask(&other, deadline).await.map_err(|_| first)
        }
        Err(err) => Err(err),
    }
}

/// BiDi answers the question; the DevTools protocol says that it does not know it.
async fn ask(address: &str, deadline: Deadline) -> Result<Spoken, NotFound> {
    struct Deaf;
    impl EventHandler for Deaf {
        fn event(&self, _session: Option<&str>, _method: &str, _params: &RawValue) {}
        fn closed(&self) {}
    }
    let deadline = deadline.at_most(PATIENCE);
    let stream = open_websocket(address, deadline).await.map_err(|err| match err {
        DriverError::ConnectFailed { reason, .. } => NotFound::Unreachable(reason),
        other => NotFound::Unreachable(other.to_string()),
    })?;
    // Only BiDi puts a code beside the words of an error: it is kept in the place of the method.
    let refusal =
        |_: String, code: &str, message: String| DriverError::Refused { method: code.to_string(), message };
    let connection = Connection::over_websocket(stream, refusal, std::sync::Arc::new(Deaf));
    match connection.call(None, "session.status", json!({}), deadline).await {
        Err(DriverError::Refused { method: code, .. }) if code.is_empty() => {
            Ok(Spoken::Cdp(address.to_string()))
        }
        Ok(_) | Err(DriverError::Refused { .. }) => Ok(Spoken::BiDi(address.to_string())),
        Err(_) => Err(NotFound::Other(vec!["a websocket is there, but it does not answer".to_string()])),
    }
}

#[cfg(test)]
#[path = "probe_tests.rs"]
mod addresses;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_user_is_not_shown() {
        assert_eq!(shown("https://me:key@hub.example/wd"), "https://hub.example/wd");
        assert_eq!(shown("me:key@hub.example"), "hub.example");
        assert_eq!(shown("9222"), "9222");
    }

    #[tokio::test]
    async fn a_websocket_is_known_by_its_path() {
        let soon = Deadline::after(Duration::from_secs(1));
        let check = async |address: &str| probe(address, soon).await.unwrap();
        let devtools = "ws://127.0.0.1:9/devtools/browser/1";
        assert_eq!(check(devtools).await, Spoken::Cdp(devtools.to_string()));
        let grid = "wss://hub/session/1/se/cdp";
        assert_eq!(check(grid).await, Spoken::Cdp(grid.to_string()));
        let firefox = "ws://127.0.0.1:9/session";
        assert_eq!(check(firefox).await, Spoken::BiDi(firefox.to_string()));
    }
}
