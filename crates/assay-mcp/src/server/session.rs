//! One client, for as long as it is there.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;
use tokio_util::sync::CancellationToken;

use super::handler::principal;
use super::random::{self, RandomError};
use crate::seam::{Caller, CallerId, Era, LogLevel, Service};
use crate::wire;

/// How a client got in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// A pair of streams: one client, in whichever era.
    Streams,
    Http,
}

/// The id that all stateless requests of a principal over HTTP share begins so.
const SHARED: &str = "http";

pub struct Session {
    service: Arc<dyn Service>,
    id: CallerId,
    door: Door,
    /// Whether the service has heard of this client.
    is_known: AtomicBool,
    /// Whether the client gets notifications of changes.
    is_told: AtomicBool,
    /// Cancelled when the client sends no more: nothing can be asked or told then.
    pub ended: CancellationToken,
    log_level: Mutex<Option<LogLevel>>,
    watched: Arc<Mutex<HashSet<String>>>,
}

impl Session {
    pub fn new(service: Arc<dyn Service>, door: Door) -> Result<Session, RandomError> {
        Ok(Session {
            service,
            id: CallerId::new(random::id()?),
            door,
            is_known: AtomicBool::new(false),
            is_told: AtomicBool::new(false),
            ended: CancellationToken::new(),
            log_level: Mutex::default(),
            watched: Arc::default(),
        })
    }

    pub fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        let era = era(context);
        let lasts = self.door == Door::Streams || era == Era::Legacy;
        let principal = principal(context);
        let id = if lasts { self.id.clone() } else { CallerId::new(format!("{SHARED} {principal}")) };
        if lasts {
            self.is_known.store(true, Ordering::Relaxed);
        }
        wire::caller(
            (id, principal),
            era,
            lasts,
            context.client_info(),
            context.client_capabilities().as_ref(),
        )
    }

    /// The level of messages that the client asked for, once for all its requests.
    pub fn log_level(&self) -> Option<LogLevel> {
        *lock(&self.log_level)
    }

    pub fn set_log_level(&self, level: LogLevel) {
        *lock(&self.log_level) = Some(level);
    }

    /// True the first time, if the client gets no notifications of changes yet.
    pub fn begin_telling(&self) -> bool {
        !self.is_told.swap(true, Ordering::Relaxed)
    }

    /// The addresses of resources that the client follows.
    pub fn watched(&self) -> Watched {
        Watched(self.watched.clone())
    }

    /// Tells the service that the client is gone.
    pub async fn leave(&self) {
        self.ended.cancel();
        if self.is_known.swap(false, Ordering::Relaxed) {
            self.service.caller_gone(&self.id).await;
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.ended.cancel();
        if *self.is_known.get_mut()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let (service, id) = (self.service.clone(), self.id.clone());
            runtime.spawn(async move { service.caller_gone(&id).await });
        }
    }
}

pub struct Watched(Arc<Mutex<HashSet<String>>>);

impl Watched {
    pub fn add(&self, uri: String) {
        lock(&self.0).insert(uri);
    }

    pub fn remove(&self, uri: &str) {
        lock(&self.0).remove(uri);
    }

    pub fn has(&self, uri: &str) -> bool {
        lock(&self.0).contains(uri)
    }
}

/// Values here are replaced whole, so they are sound even after a panic.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn era(context: &RequestContext<RoleServer>) -> Era {
    match context.protocol_version() {
        Some(version) if version >= ProtocolVersion::V_2026_07_28 => Era::Modern,
        _ => Era::Legacy,
    }
}
