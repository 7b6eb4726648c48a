//! How Anthropic says no.

use serde_json::Value;

use crate::formats::{Refusal, RefusalKind, text_of};

pub fn read(status: u16, body: &[u8]) -> Refusal {
    match serde_json::from_slice::<Value>(body) {
        Ok(body) if body["error"].is_object() => of_error(&body["error"], Some(status)),
        _ => Refusal::plain(status, body),
    }
}

/// The `error` of an answer or of a stream, where there is no status.
pub fn of_error(error: &Value, status: Option<u16>) -> Refusal {
    let kind = error["type"].as_str().unwrap_or_default();
    let code = error["details"]["error_code"].as_str();
    let kind = match (kind, code) {
        (_, Some("enforced_spend_limit_reached")) | ("billing_error", _) => RefusalKind::QuotaSpent,
        ("rate_limit_error", _) => RefusalKind::RateLimited,
        ("overloaded_error", _) => RefusalKind::Overloaded,
        ("api_error" | "timeout_error" | "conflict_error", _) => RefusalKind::ServerBroke,
        ("authentication_error" | "permission_error", _) => RefusalKind::NotAllowed,
        ("not_found_error", _) => RefusalKind::UnknownModel,
        ("invalid_request_error" | "request_too_large", _) => RefusalKind::BadRequest,
        _ => status.map_or(RefusalKind::ServerBroke, RefusalKind::of_status),
    };
    Refusal {
        kind,
        code: code.map(str::to_string).or_else(|| text_of(&error["type"])),
        message: text_of(&error["message"]).unwrap_or_else(|| error.to_string()),
        wait: None,
    }
}
