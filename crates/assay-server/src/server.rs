//! The server: listens, lets callers in, answers, and stops in order.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assay_coordinator::{Lease, StateError};
use assay_protocol::{ErrorCode, Failure};
use assay_wire::Ends;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower_service::Service as _;

use crate::access::{Caller, Peer, identify};
use crate::mcp::{McpDoor, is_mcp};
use crate::options::ServeOptions;
use crate::problem::Problem;
use crate::seams::Seams;
use crate::service::Service;
use crate::shown::PREFIX as SHOWN;
use crate::sockets::{Flushes, Sockets, Watched, is_socket};
use crate::{api, console, hooks, orders, schedules};

/// How often the service shows that it lives.
const BEAT: Duration = Duration::from_secs(15);

/// How long answers under way may take when the service stops.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// A server that listens, and answers once it is served.
pub struct Server {
    service: Arc<Service>,
    /// The service of the project is this one.
    lease: Lease,
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    pub async fn bind(seams: Seams, options: ServeOptions) -> Result<Server, Failure> {
        let address = options.address;
        let wrong = |err: std::io::Error| {
            let failure = Failure::new(ErrorCode::Io, format!("could not listen on {address}: {err}"));
            failure.hint("another port: --port NUMBER, or --port 0 for a free one")
        };
        let opened = tokio::task::spawn_blocking(move || Service::open(seams, options)).await;
        let (service, lease) = opened.map_err(|err| Failure::new(ErrorCode::Internal, err.to_string()))??;
        let listener = TcpListener::bind(address).await.map_err(wrong)?;
        let address = listener.local_addr().map_err(wrong)?;
        Ok(Server { service, lease, listener, address })
    }

    /// With the port that was free.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is cancelled. Runs under way are paused then, and on record as such.
    pub async fn serve(self, stop: CancellationToken) -> Result<(), Failure> {
        let Server { service, lease, listener, address } = self;
        let lease = Arc::new(Mutex::new(lease));
        let settled = Arc::clone(&service);
        let settled = tokio::task::spawn_blocking(move || orders::settle(&settled)).await;
        settled.map_err(|err| Failure::new(ErrorCode::Internal, err.to_string()))??;
        let worker = tokio::spawn(orders::work(Arc::clone(&service)));
        let ticker = tokio::spawn(schedules::keep_time(Arc::clone(&service)));
        let sender = tokio::spawn(hooks::send_messages(Arc::clone(&service)));
        let beats = tokio::spawn(beat(Arc::clone(&service), Arc::clone(&lease)));
        service.set_ready(true);
        service.log.info(
            "service.started",
            &[
                ("address", json!(address.to_string())),
                ("version", json!(service.seams.version)),
                ("runs", json!(service.options.runs)),
            ],
        );
        let doors = Doors {
            router: api::router(&service),
            sockets: Sockets::new(&service),
            mcp: McpDoor::open(&service).map_err(|err| Failure::new(ErrorCode::Internal, err.to_string()))?,
            service: Arc::clone(&service),
        };
        let slots = Arc::new(Semaphore::new(service.options.limits.connections));
        let mut connections = JoinSet::new();
        let accept = |connections: &mut JoinSet<()>, stream: TcpStream, peer: SocketAddr| {
            // More wait in the system, where they cost nothing here.
            let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else { return };
            let doors = doors.clone();
            connections.spawn(async move {
                connection(doors, stream, peer).await;
                drop(slot);
            });
        };
        let lost = loop {
            tokio::select! {
                () = stop.cancelled() => break None,
                () = service.stop.cancelled() => break Some(lost_lease()),
                _ = connections.join_next(), if !connections.is_empty() => {}
                accepted = listener.accept() => match accepted {
                    Ok((stream, peer)) => accept(&mut connections, stream, peer),
                    // Of one connection, or too many open files: others may do better.
                    Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                },
            }
        };
        let why = if lost.is_some() { "taken over" } else { "asked to" };
        service.log.info("service.stopping", &[("why", json!(why))]);
        service.set_ready(false);
        service.stop.cancel();
        doors.sockets.close().await;
        // The worker pauses what is under way, and waits for it. Whoever watches the service sees meanwhile that it lives
        // and takes no more work.
        let over = async { tokio::join!(worker, ticker, sender) };
        tokio::pin!(over);
        loop {
            tokio::select! {
                _ended = &mut over => break,
                _ = connections.join_next(), if !connections.is_empty() => {}
                accepted = listener.accept() => match accepted {
                    Ok((stream, peer)) => accept(&mut connections, stream, peer),
                    Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                },
            }
        }
        drop(listener);
        let last = async { while connections.join_next().await.is_some() {} };
        let _cut_off = tokio::time::timeout(LAST_ANSWERS, last).await;
        connections.abort_all();
        beats.abort();
        let log = Arc::clone(&service);
        let _ended = tokio::task::spawn_blocking(move || {
            service.live.end_all();
            service.sessions.end_all();
            // The next service need not wait until this process is gone.
            drop(lease);
        })
        .await;
        log.log.info("service.stopped", &[]);
        lost.map_or(Ok(()), Err)
    }
}

/// What answers requests.
#[derive(Clone)]
struct Doors {
    service: Arc<Service>,
    router: Router,
    sockets: Sockets,
    mcp: McpDoor,
}

fn lost_lease() -> Failure {
    Failure::new(ErrorCode::SessionBusy, "another service has taken the project over")
}

/// Shows that the service lives, for services on other machines.
async fn beat(service: Arc<Service>, lease: Arc<Mutex<Lease>>) {
    loop {
        tokio::time::sleep(BEAT).await;
        let lease = Arc::clone(&lease);
        let beat = move || lease.lock().unwrap_or_else(PoisonError::into_inner).heartbeat();
        let held = tokio::task::spawn_blocking(beat).await;
        if let Ok(Err(StateError::LeaseLost { .. })) = held {
            service.stop.cancel();
            return;
        }
    }
}

async fn connection(doors: Doors, stream: TcpStream, address: SocketAddr) {
    // Small answers go out at once. Without it they are only slower.
    let _slower = stream.set_nodelay(true);
    let peer = Peer::new(address, Ends::of(&stream).ok());
    let stop = doors.service.stop.clone();
    let reading = doors.service.options.limits.reading;
    let flushes = Flushes::default();
    let stream = Watched { stream, flushes: flushes.clone() };
    let answering = service_fn(move |request: hyper::Request<Incoming>| {
        let (doors, peer, flushes) = (doors.clone(), peer.clone(), flushes.clone());
        async move { Ok::<_, Infallible>(admit(doors, peer, flushes, request.map(Body::new)).await) }
    });
    let is_late = stop.is_cancelled();
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(reading)
        .keep_alive(!is_late)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(stream), answering)
        .with_upgrades();
    tokio::pin!(connection);
    // Clients go away as they like; there is nobody to tell.
    tokio::select! {
        _over = &mut connection => {}
        () = stop.cancelled(), if !is_late => {
            connection.as_mut().graceful_shutdown();
            let _over = connection.await;
        }
    }
}

/// Lets a request in, or turns it away before anything is read of its body.
async fn admit(doors: Doors, peer: Peer, flushes: Flushes, request: Request) -> Response<Body> {
    let service = &doors.service;
    let (method, from) = (request.method().clone(), peer.address.ip().to_string());
    let path = shown_path(request.uri().path()).to_string();
    // Another server in front may find its end elsewhere, so nothing more is read of this connection.
    let has_clear_end = has_clear_end(request.headers());
    let admitted = match has_clear_end {
        true if is_socket(request.uri().path()) && !service.stop.is_cancelled() => {
            Ok(doors.sockets.answer(peer, flushes, request).await)
        }
        true => let_in(&doors, peer, request).await,
        false => Err(Problem::usage("expected `Transfer-Encoding: chunked`, once, or a `Content-Length`")),
    };
    let mut response = guarded(match admitted {
        Ok(response) => response,
        Err(problem) => {
            let fields = [
                ("status", json!(problem.status.as_u16())),
                ("code", json!(problem.body.code)),
                ("method", json!(method.as_str())),
                ("path", json!(path)),
                ("peer", json!(from)),
            ];
            service.log.refused(&from, &fields);
            service.numbers.turned_away(problem.status);
            problem.into_response()
        }
    });
    if !has_clear_end {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Whether every server finds the end of the body in the same place.
fn has_clear_end(headers: &HeaderMap) -> bool {
    let mut encodings = headers.get_all(header::TRANSFER_ENCODING).iter();
    match (encodings.next(), encodings.next()) {
        (None, _) => true,
        (Some(only), None) => only.as_bytes().eq_ignore_ascii_case(b"chunked"),
        (Some(_), Some(_)) => false,
    }
}

/// What of a path may stand in the log: the rest of the address of a report is a key.
fn shown_path(path: &str) -> &str {
    if path.starts_with(SHOWN) { SHOWN } else { path }
}

/// While the service stops, it only says how it is.
fn is_about_the_service(path: &str) -> bool {
    ["/health", "/ready", "/metrics"].contains(&path)
}

async fn let_in(doors: &Doors, peer: Peer, request: Request) -> Result<Response<Body>, Problem> {
    let (service, router) = (&doors.service, doors.router.clone());
    if service.stop.is_cancelled() && !is_about_the_service(request.uri().path()) {
        return Err(Problem::stopping());
    }
    let authority = request.uri().authority().map(|name| name.as_str());
    if let Some(answered) = shown(service, &peer, &request) {
        return answered;
    }
    // Its signature says who sends it, once its body is there.
    if hooks::is_delivery(request.method(), request.uri().path()) {
        service.guard.admit_delivery(request.headers(), authority)?;
        let deliverer = Caller::deliverer(&peer);
        service.rates.take(&deliverer.name).map_err(Problem::too_many)?;
        return Ok(asked_by(deliverer, router, request).await);
    }
    service.guard.admit(request.method(), request.headers(), authority)?;
    if console::is_form(&request) {
        return console::answer_form(service, &peer, request).await;
    }
    let (method, headers) = (request.method().clone(), request.headers().clone());
    let caller = match caller(service, peer, method, headers).await {
        Err(problem) if problem.status == StatusCode::UNAUTHORIZED => {
            if !console::wants_page(request.method(), request.headers()) {
                return Err(problem);
            }
            service.numbers.turned_away(problem.status);
            let to = request.uri().path_and_query().map_or("/", |asked| asked.as_str());
            return Ok(console::refusal_page(to, None));
        }
        identified => identified?,
    };
    if is_mcp(request.uri().path()) {
        return doors.mcp.answer(&caller, request).await;
    }
    Ok(asked_by(caller, router, request).await)
}

async fn asked_by(caller: Caller, mut router: Router, mut request: Request) -> Response<Body> {
    request.extensions_mut().insert(caller);
    match router.call(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// A part of a report, which has an origin of its own: its address is all that lets it in.
fn shown(service: &Service, peer: &Peer, request: &Request) -> Option<Result<Response<Body>, Problem>> {
    let path = request.uri().path();
    let answered = service.shown.answer(request.method(), path, peer, service.door())?;
    let authority = request.uri().authority().map(|name| name.as_str());
    Some(service.guard.own_host(request.headers(), authority).and(answered))
}

async fn caller(
    service: &Arc<Service>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Caller, Problem> {
    let held = Arc::clone(service);
    let found = tokio::task::spawn_blocking(move || identify(&method, &headers, &peer, held.door()));
    let caller = found.await.map_err(|err| Problem::internal(err.to_string()))??;
    service.rates.take(&caller.name).map_err(Problem::too_many)?;
    Ok(caller)
}

/// The headers that every answer has. One that says more about itself keeps what it says.
fn guarded(mut response: Response<Body>) -> Response<Body> {
    const HEADERS: [(header::HeaderName, &str); 6] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        ),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
