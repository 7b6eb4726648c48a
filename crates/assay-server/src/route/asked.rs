//! A request that was admitted, as the work of its route sees it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_coordinator::RequestKey;
use axum::body::Bytes;
use axum::http::HeaderMap;
use serde::de::DeserializeOwned;

use crate::access::{Caller, Role, is_json, only};
use crate::problem::Problem;
use crate::service::Service;

/// A key with which a client may send its request again.
#[derive(Debug, Clone)]
pub struct OwnKey {
    pub scope: String,
    pub key: String,
    pub fingerprint: String,
}

impl OwnKey {
    pub fn as_key(&self) -> RequestKey<'_> {
        RequestKey { scope: &self.scope, key: &self.key, fingerprint: &self.fingerprint }
    }
}

pub struct Asked {
    pub service: Arc<Service>,
    pub caller: Caller,
    /// The parts of the path, decoded.
    pub path: BTreeMap<String, String>,
    pub query: String,
    pub headers: HeaderMap,
    pub body: Bytes,
    pub key: Option<OwnKey>,
    /// The client went away.
    pub is_gone: Arc<AtomicBool>,
}

impl Asked {
    /// A part of the path. The table of routes is tested for having it.
    pub fn part(&self, name: &str) -> &str {
        self.path.get(name).map_or("", String::as_str)
    }

    /// A part of the path that is a number.
    pub fn number(&self, name: &str) -> Result<u64, Problem> {
        let text = self.part(name);
        text.parse().map_err(|_| Problem::not_found(format!("`{text}` is no number")))
    }

    pub fn header(&self, name: &'static str) -> Result<Option<&str>, Problem> {
        only(&self.headers, axum::http::HeaderName::from_static(name))
            .map_err(|()| Problem::usage(format!("expected the header `{name}` once, as text")))
    }

    /// The body. One that may be empty is `{}` then.
    pub fn json<B: DeserializeOwned>(&self) -> Result<B, Problem> {
        if self.body.is_empty() {
            return serde_json::from_str("{}").map_err(|err| wrong_body(&err));
        }
        if !is_json(&self.headers) {
            return Err(Problem::new(
                axum::http::StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "usage",
                "expected the content type `application/json`",
            ));
        }
        // A list would be read as the fields of a type in their order.
        if self.body.trim_ascii_start().first() != Some(&b'{') {
            return Err(Problem::usage("the body cannot be read: expected a JSON object"));
        }
        serde_json::from_slice(&self.body).map_err(|err| wrong_body(&err))
    }

    pub fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Relaxed)
    }

    pub fn needs(&self, role: Role, what: &str) -> Result<(), Problem> {
        if self.caller.role >= role {
            return Ok(());
        }
        let (has, needs) = (self.caller.role.name(), role.name());
        Err(Problem::new(
            axum::http::StatusCode::FORBIDDEN,
            "forbidden",
            format!("{what} needs the role `{needs}`; {} has `{has}`", self.caller.name),
        ))
    }
}

fn wrong_body(err: &serde_json::Error) -> Problem {
    Problem::usage(format!("the body cannot be read: {err}"))
}
