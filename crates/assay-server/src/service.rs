//! The service: the state of the project and everything that its routes share.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_coordinator::{Coordinator, Lease, Order, StateError, this_process};
use assay_host::{RecordLimits, state_failure};
use assay_protocol::{ErrorCode, Failure, LockName};
use serde_json::json;
use tokio::sync::{Notify, Semaphore, SemaphorePermit};
use tokio_util::sync::CancellationToken;

use crate::access::{Door, Guard, Rates, SignedInPages, TokenStore};
use crate::follow::{Conversations, Feeds};
use crate::hooks::HookSecrets;
use crate::live::LivePages;
use crate::log::Log;
use crate::numbers::Numbers;
use crate::options::ServeOptions;
use crate::orders::Desk;
use crate::problem::Problem;
use crate::schedules::ScheduleNews;
use crate::seams::Seams;
use crate::sessions::ToolSessions;
use crate::shown::ShownReports;
use crate::sockets::Bound;

/// The lock of the one service of a project.
const LOCK: &str = "assay-serve";

/// So many bodies of strangers are in memory at once.
const DELIVERIES: usize = 64;

pub struct Service {
    pub seams: Seams,
    pub options: ServeOptions,
    pub coordinator: Coordinator,
    /// The folder of the project.
    pub root: PathBuf,
    pub guard: Guard,
    /// None: the user has no folder for settings.
    pub tokens: Option<TokenStore>,
    pub pages: SignedInPages,
    pub rates: Rates,
    /// Of those who are not let in.
    pub failures: Rates,
    pub numbers: Numbers,
    pub log: Log,
    pub feeds: Feeds,
    pub conversations: Conversations,
    /// Sessions of Socket.IO.
    pub bound: Bound,
    pub desk: Desk,
    pub shown: ShownReports,
    pub sessions: ToolSessions,
    pub live: LivePages,
    pub schedules: ScheduleNews,
    /// Secrets of webhooks that others call, and of those that call others.
    pub incoming_secrets: HookSecrets,
    pub outgoing_secrets: HookSecrets,
    /// There may be another message to send.
    pub message_news: Notify,
    calls: Semaphore,
    deliveries: Semaphore,
    /// Cancelled when the service stops: streams end, nothing new is begun.
    pub stop: CancellationToken,
    is_ready: AtomicBool,
}

impl Service {
    /// Opens the state of the project. Begins nothing.
    pub fn open(seams: Seams, options: ServeOptions) -> Result<(Arc<Service>, Lease), Failure> {
        let root = seams.context.state.project_around(&seams.folder)?;
        let coordinator = seams.context.state.open_in(&root)?;
        let owner = this_process("assay serve").map_err(state_failure)?;
        let lease = coordinator.acquire(&LockName::Session(LOCK.to_string()), &owner);
        let lease = lease.map_err(|error| match error {
            StateError::Busy { holder, .. } => {
                let what = format!("{} is served already, by {holder}", root.display());
                Failure::new(ErrorCode::SessionBusy, what).hint("one project has one service")
            }
            error => state_failure(error),
        })?;
        let guard = Guard {
            names: options.names.clone(),
            address: Some(options.address.ip()).filter(|address| !address.is_unspecified()),
            origins: options.origins.clone(),
        };
        let limits = &options.limits;
        let secrets = coordinator.file().with_file_name("hook-secrets");
        let service = Service {
            rates: Rates::new(limits.requests_a_second, limits.requests_at_once),
            failures: Rates::new(1.0, 20.0),
            tokens: seams.context.configuration.as_deref().map(TokenStore::in_folder),
            pages: SignedInPages::of_project(&root),
            feeds: Feeds::new(coordinator.clone(), limits.followers),
            conversations: Conversations::new(coordinator.clone()),
            bound: Bound::new(limits.sockets),
            desk: Desk::new(options.runs),
            shown: ShownReports::default(),
            calls: Semaphore::new(limits.calls),
            deliveries: Semaphore::new(DELIVERIES),
            sessions: ToolSessions::new(Arc::clone(&seams.sessions)),
            live: LivePages::default(),
            schedules: ScheduleNews::default(),
            incoming_secrets: HookSecrets::in_folder(secrets.join("incoming")),
            outgoing_secrets: HookSecrets::in_folder(secrets.join("outgoing")),
            message_news: Notify::new(),
            numbers: Numbers::default(),
            log: Log::new(options.log, Arc::clone(&seams.log)),
            stop: CancellationToken::new(),
            is_ready: AtomicBool::new(false),
            seams,
            options,
            coordinator,
            root,
            guard,
        };
        if let Some((from, to)) = service.coordinator.lifted() {
            service.log.info("state.migrated", &[("from", json!(from)), ("to", json!(to))]);
        }
        Ok((Arc::new(service), lease))
    }

    pub fn door(&self) -> Door<'_> {
        Door {
            tokens: self.tokens.as_ref(),
            pages: &self.pages,
            user: &self.seams.context.owner,
            failures: &self.failures,
        }
    }

    /// An order is on record.
    pub fn accepted(&self, order: &Order) {
        let fields = [
            ("order", json!(order.number)),
            ("kind", json!(order.kind)),
            ("run", json!(order.name)),
            ("by", json!(order.by)),
        ];
        self.log.info("order.accepted", &fields);
        self.desk.wake();
    }

    /// A place for a call that may be a process of its own; let go when it is dropped.
    pub fn place_for_call(&self) -> Result<SemaphorePermit<'_>, Problem> {
        self.calls.try_acquire().map_err(|_| Problem::too_many(Duration::from_secs(1)))
    }

    /// A place for a body whose sender is not known yet; let go when it is dropped.
    pub async fn place_for_delivery(&self) -> Result<SemaphorePermit<'_>, Problem> {
        let place = tokio::time::timeout(self.options.limits.reading, self.deliveries.acquire()).await;
        place.ok().and_then(Result::ok).ok_or_else(|| Problem::too_many(Duration::from_secs(1)))
    }

    /// What records of the project may name.
    pub fn record_limits(&self) -> RecordLimits {
        RecordLimits::new(&self.root, &self.seams.folder, &self.seams.context.trusted)
    }

    pub fn set_ready(&self, is_ready: bool) {
        self.is_ready.store(is_ready, Ordering::Relaxed);
    }

    pub fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Relaxed) && !self.stop.is_cancelled()
    }
}
