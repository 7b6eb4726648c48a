//! Who calls, and what they may do.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use assay_wire::Ends;
use axum::http::{HeaderMap, HeaderName, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::guard::only;
use super::rates::Rates;
use super::tokens::TokenStore;
use crate::problem::Problem;

/// What a caller may do; each role may do what those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Looks at everything, changes nothing.
    Read,
    /// Starts runs and changes tests.
    Run,
    /// Decides for the user: consent, keys, the audit log.
    Admin,
}

impl Role {
    pub const ALL: [Role; 3] = [Role::Read, Role::Run, Role::Admin];

    pub fn name(self) -> &'static str {
        match self {
            Role::Read => "read",
            Role::Run => "run",
            Role::Admin => "admin",
        }
    }

    pub fn named(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// `token ci`, or `user ada`: the user of this machine.
    pub name: String,
    pub role: Role,
    pub peer: SocketAddr,
}

impl Caller {
    /// Somebody whose request has a signature instead of a token. May do nothing else than deliver.
    pub fn deliverer(peer: &Peer) -> Caller {
        Caller { name: format!("deliveries {}", peer.address.ip()), role: Role::Read, peer: peer.address }
    }
}

/// The other end of a connection.
#[derive(Debug, Clone)]
pub struct Peer {
    pub address: SocketAddr,
    /// Both ends, where they are on this machine.
    ends: Option<Ends>,
    is_own_user: Arc<OnceLock<bool>>,
}

impl Peer {
    pub fn new(address: SocketAddr, ends: Option<Ends>) -> Peer {
        Peer { address, ends, is_own_user: Arc::default() }
    }

    /// Whether the program at the other end is one of this user on this machine. Looks once.
    fn is_own_user(&self) -> bool {
        let is_local = self.address.ip().to_canonical().is_loopback();
        is_local
            && *self.is_own_user.get_or_init(|| self.ends.is_some_and(|ends| ends.check_client().is_ok()))
    }
}

/// A server in front of this one speaks for others, whoever they are.
const SPEAKS_FOR_OTHERS: [HeaderName; 4] = [
    header::FORWARDED,
    header::VIA,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-real-ip"),
];

/// The caller of a request. Reads files: not for a thread that must not wait.
pub fn identify(
    headers: &HeaderMap,
    peer: &Peer,
    tokens: Option<&TokenStore>,
    user: &str,
    failures: &Rates,
) -> Result<Caller, Problem> {
    let refused = || Problem::unauthorized("expected the bearer token of this service");
    let stranger = peer.address.ip().to_string();
    let refuse = || {
        // Whoever guesses waits.
        match failures.take(&stranger) {
            Ok(()) => refused(),
            Err(wait) => Problem::too_many(wait),
        }
    };
    match only(headers, header::AUTHORIZATION).map_err(|()| refuse())? {
        Some(sent) => {
            if !failures.has(&stranger) {
                return Err(Problem::too_many(std::time::Duration::from_secs(1)));
            }
            let secret = bearer(sent).ok_or_else(refuse)?;
            let found = match tokens {
                Some(tokens) => tokens.find(secret).map_err(|err| Problem::internal(err.to_string()))?,
                None => None,
            };
            let token = found.ok_or_else(refuse)?;
            Ok(Caller { name: format!("token {}", token.name), role: token.role, peer: peer.address })
        }
        None => {
            let is_forwarded = SPEAKS_FOR_OTHERS.iter().any(|name| headers.contains_key(name));
            if is_forwarded || !peer.is_own_user() {
                return Err(refuse());
            }
            Ok(Caller { name: format!("user {user}"), role: Role::Admin, peer: peer.address })
        }
    }
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}
