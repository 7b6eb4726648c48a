//! What is before the library: who is let in, what it answers to whom, and where it is told to stop.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use serde::Deserialize;
use socketioxide::SocketIo;
use socketioxide::service::SocketIoService;
use tower_service::Service as _;

use super::bound::{Bound, Place};
use super::flushes::Flushes;
use super::handshake::{self, Transport};
use super::refusal::{Refusal, reworded};
use super::{agent, runs};
use crate::access::{Peer, Seen, recognise};
use crate::problem::Problem;
use crate::route::whole_body;
use crate::service::Service;

const PATH: &str = "/socket.io";

/// No packet and no polled body is longer.
const LONGEST: usize = 1_000_000;

/// A session in which nobody joins a namespace ends after that.
const JOINING: Duration = Duration::from_secs(10);

/// How long sessions may take to be closed when the service stops.
const CLOSING: Duration = Duration::from_secs(2);

/// Whether a request is one of Socket.IO.
pub fn is_socket(path: &str) -> bool {
    path.strip_prefix(PATH).is_some_and(|rest| rest.is_empty() || rest == "/")
}

#[derive(Clone)]
pub struct Sockets {
    service: Arc<Service>,
    engine: SocketIoService<Router>,
    io: SocketIo,
}

impl Sockets {
    pub fn new(service: &Arc<Service>) -> Sockets {
        let limits = &service.options.limits;
        let longest = limits.body.min(LONGEST);
        let (engine, io) = SocketIo::builder()
            .req_path(PATH)
            .ping_interval(limits.ping_every)
            .ping_timeout(limits.pong_within)
            .connect_timeout(JOINING)
            .max_payload(longest as u64)
            .ws_max_message_size(longest)
            .ws_max_frame_size(longest)
            .build_with_inner_svc(Router::new());
        agent::offer(&io, service);
        runs::offer(&io, service);
        Sockets { service: Arc::clone(service), engine, io }
    }

    /// Ends all sessions.
    pub async fn close(&self) {
        // A client that takes nothing any more is not waited for.
        let _late = tokio::time::timeout(CLOSING, self.io.close()).await;
    }

    /// Answers a request to the path of Socket.IO.
    pub async fn answer(&self, peer: Peer, flushes: Flushes, request: Request) -> Response<Body> {
        let origin = request.headers().get(header::ORIGIN).cloned();
        let asked = request.headers().get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
        let is_preflight = *request.method() == Method::OPTIONS;
        let response = match self.let_in(peer, flushes, request).await {
            Ok(response) => response,
            Err(refusal) => {
                self.service.numbers.turned_away(refusal.status());
                // Nothing is said of who may ask to those who may not.
                let is_foreign = refusal.status() == StatusCode::FORBIDDEN;
                let response = refusal.into_response();
                return if is_foreign { response } else { shared(response, origin) };
            }
        };
        let mut response = shared(response, origin);
        if is_preflight {
            let headers = response.headers_mut();
            let methods = HeaderValue::from_static("OPTIONS, GET, POST");
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
            if let Some(asked) = asked {
                headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, asked);
            }
        }
        response
    }

    async fn let_in(
        &self,
        peer: Peer,
        flushes: Flushes,
        request: Request,
    ) -> Result<Response<Body>, Refusal> {
        let service = &self.service;
        let authority = request.uri().authority().map(|name| name.as_str());
        service.guard.admit(request.method(), request.headers(), authority)?;
        if *request.method() == Method::OPTIONS {
            return Ok(Response::new(Body::empty()));
        }
        let (parts, body) = request.into_parts();
        let wanted = handshake::read(&parts.method, parts.uri.query().unwrap_or_default(), &parts.headers)?;
        let seen = self.look_at(wanted.transport, &parts.method, &parts.headers, &peer).await?;
        let place = match wanted.session {
            Some(session) => service.bound.find(session, &seen, &peer).ok_or(Refusal::Session)?,
            None => service.bound.place(&seen, &peer)?,
        };
        let body = match parts.method {
            Method::POST => {
                let most = service.options.limits.body.min(LONGEST);
                let body = whole_body(service, body, most).await;
                Body::from(body.map_err(|problem| Refusal::Body(Box::new(problem)))?)
            }
            // The one before was taken.
            _ if wanted.transport == Transport::Polling => {
                place.pace.refill();
                Body::empty()
            }
            _ => {
                flushes.tell(&place.pace);
                body
            }
        };
        let is_new_poll = wanted.session.is_none() && wanted.transport == Transport::Polling;
        let mut request = Request::from_parts(parts, body);
        request.extensions_mut().insert(Arc::clone(&place));
        let response = match self.engine.clone().call(request).await {
            Ok(response) => response.map(Body::new),
            Err(never) => never_happens(never),
        };
        match is_new_poll && response.status() == StatusCode::OK {
            true => named(&service.bound, &place, response).await,
            false => Ok(reworded(response).await),
        }
    }

    /// Who asks. A stranger shows a token when joining a namespace.
    async fn look_at(
        &self,
        transport: Transport,
        method: &Method,
        headers: &HeaderMap,
        peer: &Peer,
    ) -> Result<Seen, Problem> {
        // A websocket can change things: a page says where it comes from.
        let method = if transport == Transport::Websocket { Method::POST } else { method.clone() };
        let (held, headers, of) = (Arc::clone(&self.service), headers.clone(), peer.clone());
        let found = tokio::task::spawn_blocking(move || recognise(&method, &headers, &of, held.door()));
        let seen = found.await.map_err(|err| Problem::internal(err.to_string()))??;
        let name = match &seen {
            Seen::Shown(caller) | Seen::OwnUser(caller) => caller.name.clone(),
            Seen::Stranger => format!("stranger {}", peer.address.ip()),
        };
        self.service.rates.take(&name).map_err(Problem::too_many)?;
        Ok(seen)
    }
}

fn never_happens(never: Infallible) -> Response<Body> {
    match never {}
}

/// The packet that opens a session.
#[derive(Deserialize)]
struct Opened {
    sid: String,
}

/// Remembers to whom the session belongs that an answer opens.
async fn named(
    bound: &Bound,
    place: &Arc<Place>,
    response: Response<Body>,
) -> Result<Response<Body>, Refusal> {
    let (parts, body) = response.into_parts();
    let wrong = |why: String| Refusal::from(Problem::internal(why));
    let bytes = to_bytes(body, LONGEST).await.map_err(|err| wrong(err.to_string()))?;
    let packet = bytes.strip_prefix(b"0").unwrap_or_default();
    let opened: Opened = serde_json::from_slice(packet).map_err(|err| wrong(err.to_string()))?;
    bound.name(&opened.sid, place);
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

/// Pages of other origins that may call the service may read its answers.
fn shared(mut response: Response<Body>, origin: Option<HeaderValue>) -> Response<Body> {
    if let Some(origin) = origin {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    response
}
