//! How providers say no, sorted by what can be done about it.

use std::fmt;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub kind: RefusalKind,
    /// The provider's own word for it, to look it up.
    pub code: Option<String>,
    pub message: String,
    /// How long the body says to wait. Headers are read elsewhere.
    pub wait: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// The request is wrong, and will be wrong again.
    BadRequest,
    /// The key is wrong or may not do this.
    NotAllowed,
    UnknownModel,
    /// Too much in too short a time.
    RateLimited,
    /// The account has no money or no quota left. Waiting does not help.
    QuotaSpent,
    /// The provider has more to do than it can; a model may still be loading.
    Overloaded,
    /// Something broke on the other side.
    ServerBroke,
}

impl RefusalKind {
    /// What a status means where the body says nothing more exact.
    pub(super) fn of_status(status: u16) -> RefusalKind {
        match status {
            401 | 403 => RefusalKind::NotAllowed,
            402 => RefusalKind::QuotaSpent,
            404 => RefusalKind::UnknownModel,
            429 => RefusalKind::RateLimited,
            503 | 529 => RefusalKind::Overloaded,
            408 | 409 | 500..=599 => RefusalKind::ServerBroke,
            _ => RefusalKind::BadRequest,
        }
    }

    /// Whether the same call could succeed a moment later.
    pub fn is_transient(self) -> bool {
        match self {
            RefusalKind::RateLimited | RefusalKind::Overloaded | RefusalKind::ServerBroke => true,
            RefusalKind::BadRequest
            | RefusalKind::NotAllowed
            | RefusalKind::UnknownModel
            | RefusalKind::QuotaSpent => false,
        }
    }
}

impl Refusal {
    /// A refusal whose body is not what the contract says: a proxy, most likely.
    pub(super) fn plain(status: u16, body: &[u8]) -> Refusal {
        let text = String::from_utf8_lossy(body);
        let text = super::beginning(text.trim());
        let message = if text.is_empty() { format!("status {status} without a message") } else { text };
        Refusal { kind: RefusalKind::of_status(status), code: None, message, wait: None }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.code {
            Some(code) => write!(out, "{} ({code})", self.message),
            None => out.write_str(&self.message),
        }
    }
}
