//! How OpenAI, and those who speak like it, say no.

use serde_json::Value;

use crate::formats::{Refusal, RefusalKind, text_of};

pub fn read(status: u16, body: &[u8]) -> Refusal {
    match serde_json::from_slice::<Value>(body) {
        Ok(body) if body["error"].is_object() => of_error(&body["error"], Some(status)),
        // Older releases of vLLM have no `error` around it.
        Ok(body) if body["object"] == "error" => of_error(&body, Some(status)),
        // And some servers put a plain text there.
        Ok(body) if body["error"].is_string() => {
            Refusal { message: text_of(&body["error"]).unwrap_or_default(), ..Refusal::plain(status, b"") }
        }
        _ => Refusal::plain(status, body),
    }
}

/// A failure inside an answer whose status was a success.
pub fn of_failure(error: &Value) -> Refusal {
    of_error(error, None)
}

pub fn of_error(error: &Value, status: Option<u16>) -> Refusal {
    let code = error["code"].as_str();
    let kind = error["type"].as_str();
    let kind = match (code, kind) {
        (Some("insufficient_quota"), _) | (_, Some("insufficient_quota")) => RefusalKind::QuotaSpent,
        (Some("rate_limit_exceeded"), _) => RefusalKind::RateLimited,
        (Some("model_not_found"), _) => RefusalKind::UnknownModel,
        (Some("invalid_api_key"), _) => RefusalKind::NotAllowed,
        (Some("server_error" | "vector_store_timeout"), _) => RefusalKind::ServerBroke,
        (Some("server_is_overloaded" | "slow_down"), _) => RefusalKind::Overloaded,
        _ => match status {
            Some(status) => RefusalKind::of_status(status),
            // Inside an answer there is no status, unless the code is one, as with llama.cpp.
            None => match (error["code"].as_u64().and_then(|code| u16::try_from(code).ok()), kind) {
                (Some(code), _) => RefusalKind::of_status(code),
                (None, Some("server_error" | "api_error" | "unavailable_error")) => RefusalKind::ServerBroke,
                // What is not known to pass is taken to stay.
                (None, _) => RefusalKind::BadRequest,
            },
        },
    };
    Refusal {
        kind,
        code: code.or(error["type"].as_str()).map(str::to_string),
        message: text_of(&error["message"]).unwrap_or_else(|| error.to_string()),
        wait: None,
    }
}
