//! One line of a cassette.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The first line of a cassette, which tells its form.
#[derive(Debug, Serialize, Deserialize)]
pub struct Heading {
    pub assay_cassette: u64,
}

/// The form that this version writes and reads.
pub const FORM: u64 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    pub hash: String,
    pub path: String,
    /// For people and for naming differences. What is compared is the hash.
    pub request: Value,
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub pieces: Vec<Piece>,
    pub end: End,
}

/// A piece of a body. Text where it is text; a border may lie inside a character.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Piece {
    Text(String),
    Base64(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The body ended.
    Whole,
    /// The connection ended before the body.
    Cut,
    /// We stopped reading.
    Left,
}

impl Piece {
    pub fn of(bytes: &[u8]) -> Piece {
        match std::str::from_utf8(bytes) {
            Ok(text) => Piece::Text(text.to_string()),
            Err(_) => Piece::Base64(STANDARD.encode(bytes)),
        }
    }

    pub fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Piece::Text(text) => Some(text.clone().into_bytes()),
            Piece::Base64(text) => STANDARD.decode(text).ok(),
        }
    }
}

/// Headers that mean something to us. All others, cookies and names of accounts among them, stay out.
const KEPT: &[&str] =
    &["content-type", "request-id", "x-request-id", "retry-after", "retry-after-ms", "x-should-retry"];

pub fn kept_headers(headers: &[(String, String)]) -> Vec<(String, String)> {
    let is_kept = |name: &str| {
        KEPT.contains(&name) || name.starts_with("x-ratelimit-") || name.starts_with("anthropic-ratelimit-")
    };
    headers.iter().filter(|(name, _)| is_kept(name)).cloned().collect()
}
