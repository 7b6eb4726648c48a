//! From a request to its answer: role, body, audit log, key, work.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use assay_coordinator::NewAuditEntry;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{RawPathParams, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{RequestExt, http};
use serde_json::json;

use serde_json::Value;

use super::asked::Asked;
use super::keyed::{self, Standing};
use super::shape::{Reply, ReplyBody, Route};
use crate::access::Caller;
use crate::api::route_named;
use crate::problem::Problem;
use crate::service::Service;

/// Bytes of a body before it is known who sent it.
const MOST_UNPROVED: usize = 1024 * 1024;

/// Tells the work that nobody waits for its answer any more: dropped with the request.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Answers a request to a route.
pub async fn serve(service: Arc<Service>, route: Arc<Route>, request: Request) -> Response {
    let begun = Instant::now();
    let name = route.name;
    let numbers = Arc::clone(&service);
    let peer = request.extensions().get::<Caller>().map(|caller| caller.peer.ip().to_string());
    let response = match answer(service, route, request).await {
        Ok(reply) => response_of(reply),
        Err(problem) => {
            tell(&numbers, name, peer.as_deref().unwrap_or_default(), &problem);
            problem.into_response()
        }
    };
    numbers.numbers.answered(name, response.status(), begun.elapsed());
    response
}

/// Refusals, and what the service could not do. Mistakes in requests are the business of those who make them.
fn tell(service: &Service, route: &str, peer: &str, problem: &Problem) {
    let status = problem.status;
    let code = json!(problem.body.code);
    let mut fields = vec![
        ("route", json!(route)),
        ("status", json!(status.as_u16())),
        ("code", code),
        ("peer", json!(peer)),
    ];
    if status.is_server_error() {
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            fields.push(("why", json!(problem.body.detail)));
        }
        service.log.error("request.failed", &fields);
    } else if matches!(
        status,
        StatusCode::UNAUTHORIZED
            | StatusCode::FORBIDDEN
            | StatusCode::TOO_MANY_REQUESTS
            | StatusCode::PAYLOAD_TOO_LARGE
    ) {
        service.log.refused(peer, &fields);
    }
}

async fn answer(service: Arc<Service>, route: Arc<Route>, mut request: Request) -> Result<Reply, Problem> {
    let caller = request.extensions_mut().remove::<Caller>();
    let caller = caller.ok_or_else(|| Problem::internal("the caller of the request is not known"))?;
    let parts: RawPathParams = request
        .extract_parts()
        .await
        .map_err(|_| Problem::usage("the path is not encoded as it should be"))?;
    let path: BTreeMap<String, String> =
        parts.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let (head, body) = request.into_parts();
    let keeper = Arc::clone(&service);
    let (_place, most) = match route.proof {
        Some(_) => (Some(keeper.place_for_delivery().await?), service.options.limits.body.min(MOST_UNPROVED)),
        None => (None, service.options.limits.body),
    };
    let body = if route.method.changes() { whole_body(&service, body, most).await? } else { Bytes::new() };
    let is_gone = Arc::new(AtomicBool::new(false));
    let waiting = Waiting(Arc::clone(&is_gone));
    let asked = Asked {
        service,
        caller,
        path,
        query: head.uri.query().unwrap_or_default().to_string(),
        headers: head.headers,
        body,
        key: None,
        is_gone,
    };
    let uri = head.uri;
    let work = tokio::task::spawn_blocking(move || carry_out(&route, asked, &uri));
    let done = work.await.unwrap_or_else(|err| Err(Problem::internal(format!("the work broke off: {err}"))));
    drop(waiting);
    done
}

/// A question to a route that does not come over HTTP: with the same role, audit log, key and work.
pub struct Question<'a> {
    /// That of the route.
    pub name: &'a str,
    /// The parts of its path.
    pub parts: &'a [(&'a str, &'a str)],
    pub body: &'a Value,
    pub key: Option<&'a str>,
}

/// Asks a route from within, for a caller.
pub async fn ask(service: &Arc<Service>, caller: Caller, question: Question<'_>) -> Result<Value, Problem> {
    let begun = Instant::now();
    let done = ask_route(service, caller, &question).await;
    let status = done.as_ref().map_or_else(|problem| problem.status, |_| StatusCode::OK);
    if let Some(route) = route_named(question.name) {
        service.numbers.answered(route.name, status, begun.elapsed());
    }
    done
}

async fn ask_route(
    service: &Arc<Service>,
    caller: Caller,
    question: &Question<'_>,
) -> Result<Value, Problem> {
    let route = route_named(question.name)
        .ok_or_else(|| Problem::internal(format!("there is no route `{}`", question.name)))?;
    let mut path = route.path.to_string();
    for (name, value) in question.parts {
        path = path.replace(&format!("{{{name}}}"), value);
    }
    let uri: http::Uri = path.parse().map_err(|_| Problem::usage("a name cannot be part of a path"))?;
    let mut headers = http::HeaderMap::new();
    headers.insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
    if let Some(key) = question.key {
        let key = key.parse().map_err(|_| Problem::usage("a key is a line of text"))?;
        headers.insert(http::HeaderName::from_static("idempotency-key"), key);
    }
    let parts = question.parts.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    let asked = Asked {
        service: Arc::clone(service),
        caller,
        path: parts.collect(),
        query: String::new(),
        headers,
        body: match route.method.changes() {
            true => Bytes::from(question.body.to_string()),
            false => Bytes::new(),
        },
        key: None,
        is_gone: Arc::new(AtomicBool::new(false)),
    };
    let work = tokio::task::spawn_blocking(move || carry_out(&route, asked, &uri));
    let done = work.await.unwrap_or_else(|err| Err(Problem::internal(format!("the work broke off: {err}"))));
    match done?.body {
        ReplyBody::Text(text) => serde_json::from_str(&text)
            .map_err(|err| Problem::internal(format!("the answer is no JSON: {err}"))),
        ReplyBody::Stream(_) => Err(Problem::internal("a stream answers nobody here")),
    }
}

/// The whole body of a request, if it comes in time and is not too long.
pub async fn whole_body(service: &Service, body: Body, most: usize) -> Result<Bytes, Problem> {
    match tokio::time::timeout(service.options.limits.reading, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "usage",
            format!("a request has at most {most} bytes"),
        )),
        Err(_) => {
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "timeout", "the body of the request did not come"))
        }
    }
}

fn carry_out(route: &Route, mut asked: Asked, uri: &http::Uri) -> Result<Reply, Problem> {
    if !route.method.changes() || route.asks_only {
        asked.needs(route.role, route.title)?;
        return (route.work)(&asked);
    }
    // Nobody fills the audit log with what proves nothing.
    if let Some(proof) = route.proof {
        asked.caller.name = proof(&asked)?;
    }
    let entry = NewAuditEntry {
        who: &asked.caller.name,
        peer: &asked.caller.peer.to_string(),
        method: route.method.name(),
        path: uri.path(),
    };
    // What cannot be entered is not done.
    let coordinator = asked.service.coordinator.clone();
    let entry = coordinator.enter_audit(&entry)?;
    let done = once(route, &mut asked);
    let status = match &done {
        Ok(reply) => reply.status,
        Err(problem) => problem.status,
    };
    if let Err(error) = coordinator.finish_audit(entry, status.as_u16()) {
        let fields = [("entry", json!(entry)), ("why", json!(error.to_string()))];
        asked.service.log.error("audit.outcome_not_recorded", &fields);
    }
    done
}

fn once(route: &Route, asked: &mut Asked) -> Result<Reply, Problem> {
    asked.needs(route.role, route.title)?;
    asked.key = keyed::key_of(route, asked)?;
    match keyed::claim(asked)? {
        Standing::Before(reply) => Ok(reply),
        Standing::Anew => {
            let done = (route.work)(asked);
            keyed::settle(asked, &done)?;
            done
        }
    }
}

fn response_of(reply: Reply) -> Response {
    let body = match reply.body {
        ReplyBody::Text(text) => Body::from(text),
        ReplyBody::Stream(body) => body,
    };
    let mut response = Response::new(body);
    *response.status_mut() = reply.status;
    *response.headers_mut() = reply.headers;
    response
}
