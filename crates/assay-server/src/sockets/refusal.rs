//! Refusals as the JavaScript server of Socket.IO words them: clients of every language understand these.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde_json::{Value, json};

use crate::problem::Problem;

/// No answer of the library that refuses is longer.
const LONGEST: usize = 64 * 1024;

/// Why a request opens or continues no session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    Transport,
    Session,
    HandshakeMethod,
    BadRequest,
    Protocol,
    /// It was not let in.
    NotLetIn(Box<Problem>),
    /// Its body is too long or came too late.
    Body(Box<Problem>),
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        Refusal::NotLetIn(Box::new(problem))
    }
}

impl Refusal {
    fn code(&self) -> u8 {
        match self {
            Refusal::Transport => 0,
            Refusal::Session => 1,
            Refusal::HandshakeMethod => 2,
            Refusal::BadRequest | Refusal::Body(_) => 3,
            Refusal::NotLetIn(_) => 4,
            Refusal::Protocol => 5,
        }
    }

    fn message(&self) -> &str {
        match self {
            Refusal::Transport => "Transport unknown",
            Refusal::Session => "Session ID unknown",
            Refusal::HandshakeMethod => "Bad handshake method",
            Refusal::BadRequest => "Bad request",
            Refusal::Protocol => "Unsupported protocol version",
            Refusal::NotLetIn(problem) if problem.status == StatusCode::FORBIDDEN => "Forbidden",
            Refusal::NotLetIn(problem) | Refusal::Body(problem) => &problem.body.detail,
        }
    }

    pub fn status(&self) -> StatusCode {
        match self {
            Refusal::NotLetIn(problem) | Refusal::Body(problem) => problem.status,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    pub fn into_response(self) -> Response<Body> {
        let body = json!({ "code": self.code(), "message": self.message() });
        let mut response = said(self.status(), &body);
        if let Refusal::NotLetIn(problem) = &self {
            let headers = response.headers_mut();
            if problem.status == StatusCode::UNAUTHORIZED {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            if let Some(wait) = problem.retry_after {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
            }
        }
        response
    }
}

fn said(status: StatusCode, body: &Value) -> Response<Body> {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// An answer of the library. Its refusals have codes as texts, or no body at all.
pub async fn reworded(response: Response<Body>) -> Response<Body> {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let bytes = to_bytes(response.into_body(), LONGEST).await.unwrap_or_default();
    let found = serde_json::from_slice::<Value>(&bytes).unwrap_or_default();
    let code = match &found["code"] {
        Value::String(code) => code.parse::<u8>().ok(),
        Value::Number(code) => code.as_u64().and_then(|code| u8::try_from(code).ok()),
        _ => None,
    };
    let message = found["message"].as_str().unwrap_or("Bad request");
    said(status, &json!({ "code": code.unwrap_or(3), "message": message }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(refusal: Refusal, status: u16, code: u8, message: &str) {
        assert_eq!((refusal.status().as_u16(), refusal.code(), refusal.message()), (status, code, message));
    }

    #[test]
    fn refusals_have_the_codes_that_clients_know() {
        check(Refusal::Transport, 400, 0, "Transport unknown");
        check(Refusal::Session, 400, 1, "Session ID unknown");
        check(Refusal::HandshakeMethod, 400, 2, "Bad handshake method");
        check(Refusal::BadRequest, 400, 3, "Bad request");
        check(Problem::forbidden("a foreign page").into(), 403, 4, "Forbidden");
        check(Refusal::Protocol, 400, 5, "Unsupported protocol version");
    }

    #[tokio::test]
    async fn a_code_is_a_number() {
        let of_library = Response::builder()
            .status(400)
            .body(Body::from(r#"{"code":"1","message":"Session ID unknown"}"#));
        let bytes = to_bytes(reworded(of_library.unwrap()).await.into_body(), LONGEST).await.unwrap();
        assert_eq!(bytes, r#"{"code":1,"message":"Session ID unknown"}"#);
    }
}
