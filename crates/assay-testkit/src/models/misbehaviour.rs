//! Everything that goes wrong with servers of models, on demand.

use serde_json::{Value, json};

use super::stand_in::Api;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misbehaviour {
    /// Status 429, with these headers: `retry-after`, `retry-after-ms`, a limit that is used up.
    RateLimited { headers: Vec<(&'static str, String)> },
    /// Status 429 of an account that has nothing left.
    QuotaSpent,
    /// The provider's own way to say that it has too much to do: 529 or 503.
    Overloaded,
    /// Status 500.
    ServerError,
    /// A refusal that no contract has, as from a proxy.
    PlainError { status: u16, text: &'static str },
    /// Status 400 for a reason of the provider's own.
    BadRequest { message: String },
    /// Status 401, which quotes the key as some providers do.
    WrongKey,
    /// Status 404 for the model.
    UnknownModel,
    /// A sound answer, cut off after so many bytes.
    Cut { after: usize },
    /// A sound answer that stops after so many bytes, on a connection that stays open.
    Hang { after: usize },
    /// The connection stays open, and not even a head comes.
    NoAnswer,
    /// The connection is closed without a word, after the whole request was taken.
    HangUp,
    /// Status 200, and no JSON.
    InvalidJson,
    /// A stream in which one event is no JSON.
    InvalidEvent,
    /// A stream that breaks off with an error of the provider.
    ErrorInStream,
    /// An answer with an item, and a stream with an event, that nobody has heard of.
    UnknownItems,
}

/// The status and body of a refusal, in the words of the provider.
pub fn refusal(api: Api, misbehaviour: &Misbehaviour, key: &str) -> Option<(u16, Value)> {
    let (status, kind, message) = match misbehaviour {
        Misbehaviour::RateLimited { .. } => (429, Kind::RateLimited, "Too many requests.".to_string()),
        Misbehaviour::QuotaSpent => (429, Kind::QuotaSpent, "You exceeded your current quota.".to_string()),
        Misbehaviour::Overloaded => {
            let status = if api == Api::Anthropic { 529 } else { 503 };
            (status, Kind::Overloaded, "Overloaded".to_string())
        }
        Misbehaviour::ServerError => (500, Kind::Broken, "Internal server error".to_string()),
        Misbehaviour::BadRequest { message } => (400, Kind::BadRequest, message.clone()),
        Misbehaviour::WrongKey => (401, Kind::WrongKey, format!("Incorrect API key provided: {key}.")),
        Misbehaviour::UnknownModel => (404, Kind::UnknownModel, "The model does not exist.".to_string()),
        _ => return None,
    };
    Some((status, error_body(api, kind, status, &message)))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    BadRequest,
    WrongKey,
    UnknownModel,
    RateLimited,
    QuotaSpent,
    Overloaded,
    Broken,
}

pub fn error_body(api: Api, kind: Kind, status: u16, message: &str) -> Value {
    match api {
        Api::Anthropic => {
            let name = match kind {
                Kind::BadRequest => "invalid_request_error",
                Kind::WrongKey => "authentication_error",
                Kind::UnknownModel => "not_found_error",
                Kind::RateLimited | Kind::QuotaSpent => "rate_limit_error",
                Kind::Overloaded => "overloaded_error",
                Kind::Broken => "api_error",
            };
            let mut error = json!({"type": name, "message": message});
            if kind == Kind::QuotaSpent {
                error["details"] = json!({"error_code": "enforced_spend_limit_reached"});
            }
            json!({"type": "error", "error": error, "request_id": "req_stand_in"})
        }
        Api::Responses | Api::Chat => {
            let (name, code) = match kind {
                Kind::BadRequest => ("invalid_request_error", None),
                Kind::WrongKey => ("invalid_request_error", Some("invalid_api_key")),
                Kind::UnknownModel => ("invalid_request_error", Some("model_not_found")),
                Kind::RateLimited => ("requests", Some("rate_limit_exceeded")),
                Kind::QuotaSpent => ("insufficient_quota", Some("insufficient_quota")),
                Kind::Overloaded | Kind::Broken => ("server_error", None),
            };
            json!({"error": {"message": message, "type": name, "param": null, "code": code}})
        }
        Api::Gemini => {
            let name = match kind {
                Kind::BadRequest => "INVALID_ARGUMENT",
                Kind::WrongKey => "UNAUTHENTICATED",
                Kind::UnknownModel => "NOT_FOUND",
                Kind::RateLimited | Kind::QuotaSpent => "RESOURCE_EXHAUSTED",
                Kind::Overloaded => "UNAVAILABLE",
                Kind::Broken => "INTERNAL",
            };
            json!({"error": {"code": status, "message": message, "status": name}})
        }
    }
}
