//! Who calls, and what they may do.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use assay_wire::Ends;
use axum::http::{HeaderMap, HeaderName, Method, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::guard::only;
use super::rates::Rates;
use super::signed_in::SignedInPages;
use super::tokens::{TokenInfo, TokenStore};
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
    /// A page that signed in with a token, and can sign out.
    pub is_signed_in: bool,
}

impl Caller {
    fn with_token(token: TokenInfo, peer: SocketAddr, is_signed_in: bool) -> Caller {
        Caller { name: format!("token {}", token.name), role: token.role, peer, is_signed_in }
    }
}

impl Caller {
    /// Somebody whose request has a signature instead of a token. May do nothing else than deliver.
    pub fn deliverer(peer: &Peer) -> Caller {
        Caller {
            name: format!("deliveries {}", peer.address.ip()),
            role: Role::Read,
            peer: peer.address,
            is_signed_in: false,
        }
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

/// What decides who is let in.
#[derive(Clone, Copy)]
pub struct Door<'a> {
    pub tokens: Option<&'a TokenStore>,
    pub pages: &'a SignedInPages,
    /// The user whose programs need no token.
    pub user: &'a str,
    /// Of those who are not let in.
    pub failures: &'a Rates,
}

impl Door<'_> {
    /// Whoever guesses waits.
    pub fn refuse(&self, peer: &Peer) -> Problem {
        match self.failures.take(&peer.address.ip().to_string()) {
            Ok(()) => Problem::unauthorized("expected the bearer token of this service"),
            Err(wait) => Problem::too_many(wait),
        }
    }

    /// The token of this secret. Reads files: not for a thread that must not wait.
    pub fn token(&self, secret: &str, peer: &Peer) -> Result<TokenInfo, Problem> {
        if !self.failures.has(&peer.address.ip().to_string()) {
            return Err(Problem::too_many(std::time::Duration::from_secs(1)));
        }
        let found = match self.tokens {
            Some(tokens) => tokens.find(secret).map_err(|err| Problem::internal(err.to_string()))?,
            None => None,
        };
        found.ok_or_else(|| self.refuse(peer))
    }
}

/// The caller of a request. Reads files: not for a thread that must not wait.
pub fn identify(
    method: &Method,
    headers: &HeaderMap,
    peer: &Peer,
    door: Door<'_>,
) -> Result<Caller, Problem> {
    match recognise(method, headers, peer, door)? {
        Seen::Shown(caller) | Seen::OwnUser(caller) => Ok(caller),
        Seen::Stranger => Err(door.refuse(peer)),
    }
}

/// What a request shows of who sent it.
pub enum Seen {
    /// A token, or the cookie that stands for one.
    Shown(Caller),
    /// Nothing, and it comes from a program of this user on this machine.
    OwnUser(Caller),
    /// Nothing.
    Stranger,
}

/// Who sent a request, as far as it shows that. Reads files, as [`identify`].
pub fn recognise(method: &Method, headers: &HeaderMap, peer: &Peer, door: Door<'_>) -> Result<Seen, Problem> {
    if let Some(sent) = only(headers, header::AUTHORIZATION).map_err(|()| door.refuse(peer))? {
        let secret = bearer(sent).ok_or_else(|| door.refuse(peer))?;
        return by_token(secret, peer, door).map(Seen::Shown);
    }
    if let Some(tokens) = door.tokens {
        let found = door.pages.find(headers, peer.address.ip(), tokens);
        if let Some(token) = found.map_err(|err| Problem::internal(err.to_string()))? {
            // The browser sends the cookie by itself. Only a page says where it comes from, and the guard has read that.
            let changes = !matches!(*method, Method::GET | Method::HEAD);
            if changes && !headers.contains_key(header::ORIGIN) {
                return Err(Problem::forbidden("a page that signed in sends its `Origin` with a change"));
            }
            return Ok(Seen::Shown(Caller::with_token(token, peer.address, true)));
        }
    }
    let is_forwarded = SPEAKS_FOR_OTHERS.iter().any(|name| headers.contains_key(name));
    if is_forwarded || !peer.is_own_user() {
        return Ok(Seen::Stranger);
    }
    Ok(Seen::OwnUser(Caller {
        name: format!("user {}", door.user),
        role: Role::Admin,
        peer: peer.address,
        is_signed_in: false,
    }))
}

/// The caller with this token. Reads files, as [`identify`].
pub fn by_token(secret: &str, peer: &Peer, door: Door<'_>) -> Result<Caller, Problem> {
    Ok(Caller::with_token(door.token(secret, peer)?, peer.address, false))
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}
