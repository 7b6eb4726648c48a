//! The way to a provider and back, as bytes.
//!
//! Knows requests, statuses, headers and pieces of bodies. Does not know what they mean. What is
//! behind it may be the network or a recording.

mod http;
mod pace;

use std::future::Future;
use std::pin::Pin;

use crate::cassette::CassetteError;
use crate::key::Key;

pub use http::HttpTransport;
pub use pace::Advice;

/// A boxed future, so that traits can be used as objects.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A request. All of them are `POST` with a JSON body.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    /// `https://api.anthropic.com`, without a slash at the end.
    pub base: String,
    /// `/v1/messages`, with its query.
    pub path: String,
    pub headers: Vec<(&'static str, String)>,
    /// The header that carries the key. Apart from the others, so that it is never recorded with them.
    pub credentials: Option<(&'static str, Credentials)>,
    pub body: Vec<u8>,
}

#[derive(Debug, Clone)]
pub enum Credentials {
    Plain(Key),
    Bearer(Key),
}

impl Credentials {
    pub fn key(&self) -> &Key {
        match self {
            Credentials::Plain(key) | Credentials::Bearer(key) => key,
        }
    }
}

/// The head of an answer, and its body to read.
pub struct HttpAnswer {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Box<dyn Body>,
}

/// A body, piece by piece, with the borders that it had on the way.
pub trait Body: Send {
    /// The next piece; nothing at the end.
    fn next(&mut self) -> Reply<'_, Result<Option<Vec<u8>>, TransportError>>;
}

pub trait Transport: Send + Sync {
    /// Sends a request and gives back the head of the answer. Follows no redirect: a key goes where
    /// it was told to go. Has no time limit of its own.
    fn send(&self, request: HttpRequest) -> Reply<'_, Result<HttpAnswer, TransportError>>;
}

#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// There was no connection, so nothing was asked.
    #[error("{reason}")]
    Unreachable { reason: String },
    /// The connection ended before the answer did, or before it began: what was asked may have been
    /// answered all the same, to nobody.
    #[error("the connection closed too early")]
    Cut,
    #[error(transparent)]
    Cassette(#[from] CassetteError),
}

/// The first header of this name.
pub fn header<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}
