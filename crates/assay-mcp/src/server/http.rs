//! The door for clients over HTTP: one endpoint, for both eras.
//!
//! Checks who speaks and whether it is a message at all. Sessions, streams and the headers of the protocol are the
//! SDK's.

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rmcp::model::ServerJsonRpcMessage;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::guard::{Guard, Token, Turned, is_json};
use super::handler::{Handler, Principal, Shared};
use super::random::RandomError;
use super::session::{Door, Session};
use super::tasks::Tasks;
use super::waiting::Waiting;
use crate::seam::Service;
use crate::wire::read_client_message;

/// No request has a longer body.
const LONGEST: usize = 4 * 1024 * 1024;

#[derive(Debug, Clone)]
pub struct HttpOptions {
    pub address: SocketAddr,
    pub path: String,
    /// Required for addresses that others can reach.
    pub token: Option<Token>,
    /// Names besides those of this machine, by which clients call the server.
    pub hosts: Vec<String>,
    /// Origins of pages that may call the server.
    pub origins: Vec<String>,
    /// A client with a handshake that is silent for so long is gone.
    pub idle: Duration,
}

impl Default for HttpOptions {
    /// For clients on this machine, on a free port.
    fn default() -> HttpOptions {
        HttpOptions {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            path: "/mcp".to_string(),
            token: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            idle: Duration::from_secs(4 * 60 * 60),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error("others can reach {address}, so clients need a token")]
    TokenNeeded { address: SocketAddr },
    #[error("cannot listen on {address}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("the path `{0}` does not begin with `/`, or has a placeholder")]
    Path(String),
    #[error("lost the listening socket")]
    Lost(#[source] io::Error),
    #[error(transparent)]
    Random(#[from] RandomError),
}

/// A server that listens, and answers once it is served.
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    stop: CancellationToken,
}

impl HttpServer {
    pub async fn bind(service: Arc<dyn Service>, options: HttpOptions) -> Result<HttpServer, HttpError> {
        let address = options.address;
        if options.token.is_none() && !address.ip().is_loopback() {
            return Err(HttpError::TokenNeeded { address });
        }
        if !options.path.starts_with('/') || options.path.contains(['{', '}', '*', ':']) {
            return Err(HttpError::Path(options.path));
        }
        let stop = CancellationToken::new();
        let path = options.path.clone();
        let endpoint = Arc::new(Endpoint {
            principal: if options.token.is_some() { "bearer" } else { "local" },
            guard: Guard { hosts: options.hosts, origins: options.origins, token: options.token },
            endpoint: HttpEndpoint::new(service, options.idle, stop.clone())?,
        });
        let router = Router::new().route(&path, axum::routing::any(answer)).with_state(endpoint);
        let listen = |source| HttpError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        Ok(HttpServer { listener, address, router, stop })
    }

    /// With the port that was free.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is cancelled; all streams end with it. The service does not hear of the clients that are there
    /// then: it ends as well.
    pub async fn serve(self, stop: CancellationToken) -> Result<(), HttpError> {
        let sessions = self.stop.drop_guard();
        let stopped = async move {
            stop.cancelled().await;
            drop(sessions);
        };
        axum::serve(self.listener, self.router).with_graceful_shutdown(stopped).await.map_err(HttpError::Lost)
    }
}

/// A server behind a door of somebody else, who says for each request who sent it.
pub struct HttpEndpoint {
    wire: StreamableHttpService<Handler, LocalSessionManager>,
    /// Who began a session, and when it was last used.
    sessions: Mutex<HashMap<String, (String, Instant)>>,
    idle: Duration,
}

impl HttpEndpoint {
    /// A client with a handshake that is silent for `idle` is gone. All streams end with `stop`.
    pub fn new(
        service: Arc<dyn Service>,
        idle: Duration,
        stop: CancellationToken,
    ) -> Result<HttpEndpoint, HttpError> {
        let shared = Shared { service, waiting: Waiting::new()?, tasks: Tasks::default() };
        let make = move || {
            let session = Session::new(shared.service.clone(), Door::Http).map_err(io::Error::other)?;
            Ok(Handler::new(shared.clone(), Arc::new(session)))
        };
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(idle);
        // Host and Origin are the guard's, for requests of every kind and before their bodies are read.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(LONGEST)
            .with_cancellation_token(stop);
        Ok(HttpEndpoint {
            wire: StreamableHttpService::new(make, Arc::new(sessions), config),
            sessions: Mutex::default(),
            idle,
        })
    }

    /// Answers a request that was let in. `principal` sent it: a session of one answers no other.
    pub async fn answer(&self, principal: &str, request: Request) -> Response {
        let (mut parts, body) = request.into_parts();
        let session = parts.headers.get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_string);
        if session.as_deref().is_some_and(|id| !self.is_of(id, principal)) {
            return (StatusCode::NOT_FOUND, "there is no such session\n").into_response();
        }
        parts.extensions.insert(Principal(principal.to_string()));
        let body = if parts.method == Method::POST {
            if let Err(turned) = is_json(&parts.headers) {
                return turn_away(turned);
            }
            match whole(body).await {
                Ok(bytes) => Body::from(bytes),
                Err(refused) => return refused,
            }
        } else {
            Body::empty()
        };
        let ends_session = parts.method == Method::DELETE;
        let response = self.wire.handle(Request::from_parts(parts, body)).await.map(Body::new);
        if session.is_none()
            && let Some(begun) = response.headers().get(SESSION).and_then(|id| id.to_str().ok())
        {
            self.belongs_to(begun, principal);
        }
        // The SDK says "accepted", which some clients report as a failure: the session is gone by now.
        if ends_session && response.status() == StatusCode::ACCEPTED {
            return StatusCode::NO_CONTENT.into_response();
        }
        response
    }

    fn belongs_to(&self, session: &str, principal: &str) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        // The SDK ends what is silent for that long; a moment more does no harm.
        sessions.retain(|_, (_, used)| used.elapsed() < self.idle * 2);
        sessions.insert(session.to_string(), (principal.to_string(), Instant::now()));
    }

    fn is_of(&self, session: &str, principal: &str) -> bool {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((known, used)) = sessions.get_mut(session) else { return false };
        *used = Instant::now();
        known == principal
    }
}

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// A server with a door of its own.
struct Endpoint {
    guard: Guard,
    principal: &'static str,
    endpoint: HttpEndpoint,
}

async fn answer(State(served): State<Arc<Endpoint>>, request: Request) -> Response {
    let authority = request.uri().authority().map(|name| name.as_str());
    match served.guard.admit(request.headers(), authority) {
        Ok(()) => served.endpoint.answer(served.principal, request).await,
        Err(turned) => turn_away(turned),
    }
}

/// The body, if it is a message.
async fn whole(body: Body) -> Result<Bytes, Response> {
    let Ok(bytes) = to_bytes(body, LONGEST).await else {
        let reason = format!("a request has at most {} MiB\n", LONGEST / 1024 / 1024);
        return Err((StatusCode::PAYLOAD_TOO_LARGE, reason).into_response());
    };
    match read_client_message(&bytes) {
        Ok(_) => Ok(bytes),
        Err(refusal) => Err(bad_request(&refusal.message())),
    }
}

fn bad_request(message: &ServerJsonRpcMessage) -> Response {
    let body = serde_json::to_vec(message).unwrap_or_default();
    (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

fn turn_away(turned: Turned) -> Response {
    let mut response = (turned.status(), turned.reason()).into_response();
    if turned == Turned::Token {
        let challenge = header::HeaderValue::from_static("Bearer");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}
