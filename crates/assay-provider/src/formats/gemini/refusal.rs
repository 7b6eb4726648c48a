//! How Gemini says no.

use serde_json::Value;

use crate::formats::{Refusal, RefusalKind, text_of};
use crate::moment;

pub fn read(status: u16, body: &[u8]) -> Refusal {
    let body_value: Result<Value, _> = serde_json::from_slice(body);
    match body_value {
        Ok(body) if body["error"].is_object() => of_error(&body["error"], Some(status)),
        // A stream that fails before it begins answers with a list.
        Ok(body) if body[0]["error"].is_object() => of_error(&body[0]["error"], Some(status)),
        _ => Refusal::plain(status, body),
    }
}

pub fn of_error(error: &Value, status: Option<u16>) -> Refusal {
    let status = status.or_else(|| error["code"].as_u64().and_then(|code| u16::try_from(code).ok()));
    let reasons = || error["details"].as_array().into_iter().flatten();
    let kind = match error["status"].as_str() {
        // A wrong key is a bad request here; only the reason tells.
        Some("INVALID_ARGUMENT") if reasons().any(|it| it["reason"] == "API_KEY_INVALID") => {
            RefusalKind::NotAllowed
        }
        Some("RESOURCE_EXHAUSTED") => RefusalKind::RateLimited,
        Some("UNAVAILABLE") => RefusalKind::Overloaded,
        Some("INTERNAL" | "DEADLINE_EXCEEDED") => RefusalKind::ServerBroke,
        Some("NOT_FOUND") => RefusalKind::UnknownModel,
        Some("PERMISSION_DENIED" | "UNAUTHENTICATED") => RefusalKind::NotAllowed,
        _ => status.map_or(RefusalKind::ServerBroke, RefusalKind::of_status),
    };
    Refusal {
        kind,
        code: text_of(&error["status"]),
        message: text_of(&error["message"]).unwrap_or_else(|| error.to_string()),
        wait: reasons().find_map(|detail| moment::read_length(detail["retryDelay"].as_str()?)),
    }
}
