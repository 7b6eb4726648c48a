//! What went wrong with a request, as `application/problem+json` (RFC 9457) with the error codes of assay.

use std::time::Duration;

use assay_coordinator::StateError;
use assay_host::state_failure;
use assay_protocol::{ErrorCode, Failure};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

pub const MEDIA_TYPE: &str = "application/problem+json";

/// The body of every answer that is no success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub struct ProblemBody {
    /// The status of the answer in words.
    pub title: String,
    pub status: u16,
    /// What went wrong, in one sentence.
    pub detail: String,
    /// The error code of assay, such as `not_found` or `usage`.
    pub code: String,
    /// Facts beside the sentence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// With `consent_needed`: what a user has to agree to, word by word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// With `conflict`: the version that is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub status: StatusCode,
    pub body: Box<ProblemBody>,
    /// When to try again.
    pub retry_after: Option<Duration>,
}

impl Problem {
    pub fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Problem {
        let body = ProblemBody {
            title: status.canonical_reason().unwrap_or("Error").to_string(),
            status: status.as_u16(),
            detail: detail.into(),
            code: code.to_string(),
            details: Vec::new(),
            hint: None,
            question: None,
            version: None,
        };
        Problem { status, body: Box::new(body), retry_after: None }
    }

    /// The request cannot be read.
    pub fn usage(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, ErrorCode::Usage.name(), detail)
    }

    pub fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, ErrorCode::NotFound.name(), detail)
    }

    /// Something else is there than the caller thinks.
    pub fn conflict(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, "conflict", detail)
    }

    pub fn forbidden(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, ErrorCode::BlockedByPolicy.name(), detail)
    }

    pub fn unauthorized(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
            .hint("assay serve token makes one: `Authorization: Bearer TOKEN`")
    }

    pub fn internal(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::Internal.name(), detail)
    }

    pub fn stopping() -> Problem {
        let problem =
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopped", "the service is being stopped");
        Problem { retry_after: Some(Duration::from_secs(5)), ..problem }
    }

    pub fn too_many(wait: Duration) -> Problem {
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", "too many requests");
        Problem { retry_after: Some(wait), ..problem }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.body.hint = Some(hint.into());
        self
    }

    /// Whether nothing was done, so that the request may be sent again with the same key.
    pub fn did_nothing(&self) -> bool {
        self.status.is_client_error()
    }
}

fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::BlockedByPolicy | ErrorCode::ConsentNeeded => StatusCode::FORBIDDEN,
        ErrorCode::SessionBusy
        | ErrorCode::DeviceBusy
        | ErrorCode::ResultsBusy
        | ErrorCode::FileExists
        | ErrorCode::OutcomeUnknown
        | ErrorCode::QuestionsOpen
        | ErrorCode::Stopped => StatusCode::CONFLICT,
        ErrorCode::Timeout | ErrorCode::NotResponding => StatusCode::GATEWAY_TIMEOUT,
        ErrorCode::Unsupported => StatusCode::NOT_IMPLEMENTED,
        ErrorCode::BrowserMissing
        | ErrorCode::BrowserFailed
        | ErrorCode::BrowserLost
        | ErrorCode::DaemonFailed
        | ErrorCode::ModelFailed
        | ErrorCode::Unreachable => StatusCode::BAD_GATEWAY,
        ErrorCode::Io | ErrorCode::Internal | ErrorCode::WrongVersion => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::Usage
        | ErrorCode::BadSelector
        | ErrorCode::Ambiguous
        | ErrorCode::StaleRef
        | ErrorCode::UnknownRef
        | ErrorCode::NotActionable
        | ErrorCode::DialogOpen
        | ErrorCode::NoDialog
        | ErrorCode::TabClosed
        | ErrorCode::PageCrashed
        | ErrorCode::NavigationFailed
        | ErrorCode::EvalFailed
        | ErrorCode::NotAccepted => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        let mut problem = Problem::new(status_of(failure.code), failure.code.name(), failure.message);
        problem.body.details = failure.details;
        problem.body.hint = failure.hint;
        problem
    }
}

impl From<StateError> for Problem {
    fn from(error: StateError) -> Problem {
        match error {
            StateError::NotFound { .. } => Problem::not_found(error.to_string()),
            StateError::WrongStatus { .. } | StateError::WrongAgentStatus { .. } => {
                Problem::conflict(error.to_string())
            }
            error => Problem::from(state_failure(error)),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self.body).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(wait) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
        }
        response
    }
}
