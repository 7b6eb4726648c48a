//! Idempotency keys: a write that is sent again with the same `Idempotency-Key` is done once.

use assay_coordinator::{KeptAnswer, KeyState};
use assay_protocol::ErrorCode;
use axum::http::StatusCode;
use ring::digest::{SHA256, digest};

use super::asked::{Asked, OwnKey};
use super::shape::{Reply, ReplyBody, Route};
use crate::api::answer_of_order;
use crate::problem::Problem;

/// No key is longer.
const LONGEST: usize = 200;

/// What is to be done with a request.
pub enum Standing {
    /// It has no key, or nobody used its key.
    Anew,
    /// It was done before; this is what came of it.
    Before(Reply),
}

/// The key of a request, if it has one.
pub fn key_of(route: &Route, asked: &Asked) -> Result<Option<OwnKey>, Problem> {
    // Other systems send such a header for reasons of their own; each of their deliveries has a name.
    if route.proof.is_some() {
        return Ok(None);
    }
    let Some(key) = asked.header("idempotency-key")? else { return Ok(None) };
    if !route.takes_key {
        return Err(Problem::usage("this request takes no `Idempotency-Key`"));
    }
    if key.is_empty() || key.len() > LONGEST {
        return Err(Problem::usage(format!("expected an `Idempotency-Key` of 1 to {LONGEST} characters")));
    }
    let path: String = asked.path.values().map(|value| format!("\n{value}")).collect();
    let whole = [path.as_bytes(), b"\n", asked.query.as_bytes(), b"\n", &asked.body].concat();
    let fingerprint = digest(&SHA256, &whole).as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let scope = format!("{} {} {}", asked.caller.name, route.method.name(), route.path);
    Ok(Some(OwnKey { scope, key: key.to_string(), fingerprint }))
}

/// Takes the key for this request, or finds what became of the request that has it.
pub fn claim(asked: &Asked) -> Result<Standing, Problem> {
    let Some(key) = &asked.key else { return Ok(Standing::Anew) };
    match asked.service.coordinator.claim_key(&key.as_key())? {
        KeyState::New => Ok(Standing::Anew),
        KeyState::Answered(kept) => {
            let status = StatusCode::from_u16(kept.status).unwrap_or(StatusCode::OK);
            Ok(Standing::Before(Reply::text(status, &kept.media_type, kept.body)))
        }
        KeyState::Ordered(number) => answer_of_order(asked, number).map(Standing::Before),
        KeyState::UnderWay => Err(Problem::conflict("a request with this key is being carried out")),
        KeyState::Unknown => Err(Problem::new(
            StatusCode::CONFLICT,
            ErrorCode::OutcomeUnknown.name(),
            "the service died while it carried out a request with this key, so nobody knows what was done",
        )
        .hint("look at what is there, then ask again with another key")),
        KeyState::Taken => Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::Usage.name(),
            "another request has this key",
        )),
    }
}

/// Keeps what came of a request with a key.
pub fn settle(asked: &Asked, done: &Result<Reply, Problem>) -> Result<(), Problem> {
    let Some(key) = &asked.key else { return Ok(()) };
    let kept = match done {
        Ok(Reply { status, body: ReplyBody::Text(body), .. }) => KeptAnswer {
            status: status.as_u16(),
            media_type: "application/json".to_string(),
            body: body.clone(),
        },
        // Streams are not asked for with a key.
        Ok(_) => return Ok(()),
        Err(problem) if problem.did_nothing() => {
            return Ok(asked.service.coordinator.release_key(&key.as_key())?);
        }
        Err(problem) => KeptAnswer {
            status: problem.status.as_u16(),
            media_type: crate::problem::MEDIA_TYPE.to_string(),
            body: serde_json::to_string(&problem.body).unwrap_or_default(),
        },
    };
    Ok(asked.service.coordinator.answer_key(&key.as_key(), &kept)?)
}
