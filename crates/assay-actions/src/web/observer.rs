//! The state of a browser's tabs, derived from its events in order.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use assay_driver::{
    ConsoleLevel, Deadline, DriverEvent, EventSink, FrameId, Meter, MeteredPage, RequestKind, SurfaceId,
    WebPage,
};
use assay_protocol::{Arrangement, BrowserDialog, ConsoleLine, FailedRequest, NetworkLine, RequestMade};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::web::downloads::Downloads;
use crate::web::open_requests::{OpenRequest, OpenRequests};

/// The maximum number of lines kept of each log.
const KEPT: usize = 500;
/// The maximum number of open tabs. A page that opens more gets them closed at once.
pub(crate) const MOST_TABS: usize = 64;

/// Receives a browser's events and lets callers wait for their consequences.
#[derive(Default)]
pub struct Observer {
    state: Mutex<BrowserState>,
    changed: Notify,
    meter: Arc<Meter>,
}

#[derive(Default)]
pub(crate) struct BrowserState {
    pub tabs: Vec<Tab>,
    next_tab: u32,
    /// The tabs that were closed, each with the tab that opened it.
    closed: Log<(SurfaceId, Option<SurfaceId>)>,
    pub downloads: Downloads,
    /// How many tabs were closed because too many were open.
    pub surplus_tabs: u64,
    pub gone: bool,
    /// How many requests an armed fault has struck, in all tabs.
    pub faults_struck: u32,
    /// The pages that tabs requested, including each redirect, but not those of frames.
    pub asked: Log<(SurfaceId, String)>,
    /// The hosts of connections that a gate refused.
    pub refused: Log<String>,
}

pub(crate) struct Tab {
    pub number: u32,
    pub id: SurfaceId,
    pub surface: Arc<dyn WebPage>,
    pub opener: Option<SurfaceId>,
    pub url: String,
    pub crashed: bool,
    pub dialog: Option<BrowserDialog>,
    /// How many dialogs there have been: the next one may open before the end of this one is seen.
    pub dialogs: u64,
    /// Documents that the main frame has had.
    pub documents: u64,
    /// The same for every frame, to tell refs of an earlier document.
    pub frame_documents: HashMap<FrameId, u64>,
    /// When the document came.
    pub document_since: Instant,
    pub dom_ready: bool,
    pub loaded: bool,
    /// How often the address changed within a document.
    pub moves: u64,
    pub document_status: Option<u16>,
    /// Where the network log stood when the document came.
    pub document_mark: u64,
    navigation: Navigation,
    pub requests: OpenRequests,
    pub console: Log<ConsoleLine>,
    pub network: Log<NetworkLine>,
}

#[derive(Clone, Copy)]
enum Navigation {
    None,
    /// The page has requested it; the browser has not started yet.
    Requested(Instant),
    Started,
}

/// The last lines of a log, each with a number that only grows.
pub(crate) struct Log<T> {
    lines: VecDeque<T>,
    total: u64,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Log { lines: VecDeque::new(), total: 0 }
    }
}

impl<T> Log<T> {
    fn push(&mut self, line: T) -> u64 {
        if self.lines.len() == KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
        self.total += 1;
        self.total - 1
    }

    fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        let first = self.total - self.lines.len() as u64;
        number.checked_sub(first).and_then(|at| self.lines.get_mut(at as usize))
    }

    pub fn since(&self, number: u64) -> impl Iterator<Item = &T> {
        let first = self.total - self.lines.len() as u64;
        self.lines.iter().skip(number.saturating_sub(first) as usize)
    }

    pub fn total(&self) -> u64 {
        self.total
    }

    pub fn clear(&mut self) {
        self.lines.clear();
    }
}

/// Where the logs stood when an act began.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    pub documents: u64,
    pub moves: u64,
    pub console: u64,
    pub network: u64,
    pub tabs: u32,
    pub downloads: u64,
    pub surplus_tabs: u64,
    pub dropped_requests: u64,
}

impl Tab {
    pub fn name(&self) -> String {
        format!("t{}", self.number)
    }

    /// Whether the main frame is on its way to another document.
    pub fn is_navigating(&self) -> bool {
        // A request that is never started was cancelled, or was for another program (`mailto:`).
        const REQUEST_COUNTS: Duration = Duration::from_millis(400);
        match self.navigation {
            Navigation::None => false,
            Navigation::Requested(at) => at.elapsed() < REQUEST_COUNTS,
            Navigation::Started => true,
        }
    }

    /// Requests of page code since `mark` that are still open.
    pub fn awaited_requests(&self, since: u64) -> Vec<String> {
        let mut waiting: Vec<(u64, String)> = self
            .requests
            .iter()
            .filter(|conversation| {
                conversation.line >= since
                    && matches!(
                        conversation.kind,
                        RequestKind::Fetch | RequestKind::Script | RequestKind::FrameDocument
                    )
            })
            .map(|conversation| (conversation.line, format!("{} {}", conversation.method, conversation.url)))
            .collect();
        waiting.sort();
        waiting.into_iter().map(|(_, text)| text).collect()
    }

    /// How many requests page code has made since `number`, answered or not.
    pub fn fetches_since(&self, number: u64) -> usize {
        self.network.since(number).filter(|line| line.kind == FETCH).count()
    }

    pub fn document_of(&self, frame: &FrameId) -> u64 {
        self.frame_documents.get(frame).copied().unwrap_or_default()
    }

    pub fn failed_requests_since(&self, number: u64) -> Vec<FailedRequest> {
        self.network
            .since(number)
            .filter(|line| line.failed)
            .map(|line| FailedRequest {
                method: line.method.clone(),
                url: line.url.clone(),
                why: line.outcome.clone(),
            })
            .collect()
    }

    /// Requests of documents and page code. Pages that are only read are known by their address. `arranged` returns
    /// what the caller arranged for a method and an address.
    pub fn requests_since(
        &self,
        number: u64,
        arranged: impl Fn(&str, &str) -> Option<Arrangement>,
    ) -> Vec<RequestMade> {
        let is_told = |line: &&NetworkLine| match line.kind.as_str() {
            FETCH | BEACON => line.method != "OPTIONS",
            DOCUMENT => line.method != "GET",
            _ => false,
        };
        self.network
            .since(number)
            .filter(is_told)
            .map(|line| RequestMade {
                method: line.method.clone(),
                url: line.url.clone(),
                fields: line.fields.clone(),
                is_beacon: line.kind == BEACON,
                arranged: arranged(&line.method, &line.url),
            })
            .collect()
    }

    pub fn console_errors_since(&self, number: u64) -> Vec<String> {
        self.console
            .since(number)
            .filter(|line| line.level == "error")
            .map(|line| line.text.clone())
            .collect()
    }
}

impl BrowserState {
    pub fn tab(&self, id: &SurfaceId) -> Option<&Tab> {
        self.tabs.iter().find(|tab| tab.id == *id)
    }

    /// The tab that a user sees after another one has closed: its opener, or the newest one.
    pub fn after(&self, closed: &SurfaceId) -> Option<&Tab> {
        let opener =
            self.closed.since(0).find(|(id, _)| id == closed).and_then(|(_, opener)| opener.as_ref());
        opener.and_then(|opener| self.tab(opener)).or_else(|| self.tabs.last())
    }

    fn tab_mut(&mut self, id: &SurfaceId) -> Option<&mut Tab> {
        self.tabs.iter_mut().find(|tab| tab.id == *id)
    }

    /// Whether no tab was ever opened.
    pub fn awaits_tab(&self) -> bool {
        self.next_tab == 0 && !self.gone
    }

    pub fn mark(&self, id: &SurfaceId) -> Mark {
        let tab = self.tab(id);
        Mark {
            documents: tab.map_or(0, |tab| tab.documents),
            moves: tab.map_or(0, |tab| tab.moves),
            console: tab.map_or(0, |tab| tab.console.total()),
            network: tab.map_or(0, |tab| tab.network.total()),
            tabs: self.next_tab,
            downloads: self.downloads.total(),
            surplus_tabs: self.surplus_tabs,
            dropped_requests: tab.map_or(0, |tab| tab.requests.dropped()),
        }
    }

    /// What was dropped since then because there was too much of it, in words.
    pub fn dropped_since(&self, mark: &Mark, tab: &SurfaceId) -> Vec<String> {
        let mut notes = Vec::new();
        match self.surplus_tabs - mark.surplus_tabs {
            0 => {}
            1 => notes.push(format!("1 new tab was closed: {MOST_TABS} tabs are open already")),
            more => notes.push(format!("{more} new tabs were closed: {MOST_TABS} tabs are open already")),
        }
        let requests = self.tab(tab).map_or(0, |tab| tab.requests.dropped());
        match requests.saturating_sub(mark.dropped_requests) {
            0 => {}
            dropped => notes.push(format!(
                "the page left so many requests open that {dropped} of them are no longer followed"
            )),
        }
        notes
    }
}

impl Observer {
    pub fn new() -> Arc<Observer> {
        Arc::new(Observer::default())
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, BrowserState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time spent so far waiting for the browser: for its answers and its events.
    pub fn waited(&self) -> Duration {
        self.meter.waited()
    }

    pub fn is_gone(&self) -> bool {
        self.state().gone
    }

    /// Returns when the browser has ended.
    pub async fn gone(&self) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Registered before the look, so that nothing falls between the two.
            changed.as_mut().enable();
            if self.is_gone() {
                return;
            }
            changed.await;
        }
    }

    /// A crashed page is about to be replaced; new events will say whether the next one lives.
    pub(crate) fn forget_crash(&self, id: &SurfaceId) {
        if let Some(tab) = self.state().tab_mut(id) {
            tab.crashed = false;
        }
    }

    /// The page itself has reported its address, perhaps before the browser does.
    pub(crate) fn note_address(&self, id: &SurfaceId, url: &str) {
        if let Some(tab) = self.state().tab_mut(id)
            && !tab.is_navigating()
        {
            tab.url = url.to_string();
        }
    }

    /// The page stays: it asked before leaving, and the answer was no.
    pub(crate) fn forget_navigation(&self, id: &SurfaceId) {
        if let Some(tab) = self.state().tab_mut(id) {
            tab.navigation = Navigation::None;
        }
    }

    pub fn tab_count(&self) -> usize {
        self.state().tabs.len()
    }

    /// Waits until `look` finds something, at most until the deadline.
    pub(crate) async fn until<T>(
        &self,
        deadline: Deadline,
        look: impl FnMut(&BrowserState) -> Option<T>,
    ) -> Option<T> {
        self.meter.during(self.awaited(deadline, look)).await
    }

    async fn awaited<T>(
        &self,
        deadline: Deadline,
        mut look: impl FnMut(&BrowserState) -> Option<T>,
    ) -> Option<T> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Registered before the look, so no change can fall between the two.
            changed.as_mut().enable();
            if let Some(found) = look(&self.state()) {
                return Some(found);
            }
            if tokio::time::timeout_at(deadline.instant(), changed).await.is_err() {
                return look(&self.state());
            }
        }
    }
}

impl EventSink for Observer {
    fn event(&self, event: DriverEvent) {
        let event = match event {
            DriverEvent::SurfaceOpened { surface, .. } if self.tab_count() >= MOST_TABS => {
                self.state().surplus_tabs += 1;
                return close_at_once(surface);
            }
            DriverEvent::SurfaceOpened { surface, context, opener, url } => {
                let surface = MeteredPage::new(surface, Arc::clone(&self.meter));
                DriverEvent::SurfaceOpened { surface, context, opener, url }
            }
            other => other,
        };
        apply(&mut self.state(), event);
        self.changed.notify_waiters();
    }
}

/// Drivers deliver events inside the runtime that also carries out the close.
fn close_at_once(surface: Arc<dyn WebPage>) {
    const PATIENCE: Duration = Duration::from_secs(10);
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(async move {
            let _closed_or_gone = surface.close(Deadline::after(PATIENCE)).await;
        });
    }
}

fn apply(state: &mut BrowserState, event: DriverEvent) {
    match event {
        DriverEvent::SurfaceOpened { surface, context: _, opener, url } => {
            state.next_tab += 1;
            state.tabs.push(Tab {
                number: state.next_tab,
                id: surface.id(),
                surface,
                opener,
                url: if url.is_empty() { "about:blank".to_string() } else { url },
                crashed: false,
                dialog: None,
                dialogs: 0,
                documents: 0,
                frame_documents: HashMap::new(),
                document_since: Instant::now(),
                dom_ready: true,
                loaded: true,
                moves: 0,
                document_status: None,
                document_mark: 0,
                navigation: Navigation::None,
                requests: OpenRequests::default(),
                console: Log::default(),
                network: Log::default(),
            });
        }
        DriverEvent::SurfaceClosed { surface } => {
            if let Some(at) = state.tabs.iter().position(|tab| tab.id == surface) {
                let tab = state.tabs.remove(at);
                state.closed.push((tab.id, tab.opener));
            }
        }
        DriverEvent::BrowserGone => {
            state.gone = true;
            state.tabs.clear();
        }
        DriverEvent::DownloadStarted { id, surface: _, name, url: _ } => {
            state.downloads.started(id, name);
        }
        DriverEvent::DownloadFinished { id, path } => state.downloads.finished(&id, path),
        DriverEvent::SurfaceCrashed { surface } => {
            if let Some(tab) = state.tab_mut(&surface) {
                tab.crashed = true;
                tab.requests.clear();
                tab.navigation = Navigation::None;
            }
        }
        DriverEvent::NavigationRequested { surface, is_main: true, .. } => {
            if let Some(tab) = state.tab_mut(&surface)
                && !matches!(tab.navigation, Navigation::Started)
            {
                tab.navigation = Navigation::Requested(Instant::now());
            }
        }
        DriverEvent::NavigationStarted { surface, is_main: true, .. } => {
            if let Some(tab) = state.tab_mut(&surface) {
                tab.navigation = Navigation::Started;
            }
        }
        DriverEvent::NavigationCommitted { surface, frame, is_main, url } => {
            if let Some(tab) = state.tab_mut(&surface) {
                *tab.frame_documents.entry(frame).or_default() += 1;
                if is_main {
                    tab.documents += 1;
                    tab.document_since = Instant::now();
                    tab.url = url;
                    tab.navigation = Navigation::None;
                    tab.dom_ready = false;
                    tab.loaded = false;
                    tab.crashed = false;
                    tab.document_mark = tab.network.total();
                    tab.requests.keep_document();
                }
            }
        }
        DriverEvent::NavigatedWithin { surface, is_main, url, .. } => {
            if let Some(tab) = state.tab_mut(&surface)
                && is_main
            {
                tab.url = url;
                tab.moves += 1;
                tab.navigation = Navigation::None;
            }
        }
        DriverEvent::LoadingStopped { surface, is_main, .. } => {
            if let Some(tab) = state.tab_mut(&surface)
                && is_main
            {
                tab.navigation = Navigation::None;
            }
        }
        DriverEvent::NavigationRequested { is_main: false, .. }
        | DriverEvent::NavigationStarted { is_main: false, .. } => {}
        DriverEvent::DomReady { surface } => {
            if let Some(tab) = state.tab_mut(&surface) {
                tab.dom_ready = true;
            }
        }
        DriverEvent::Loaded { surface } => {
            if let Some(tab) = state.tab_mut(&surface) {
                tab.dom_ready = true;
                tab.loaded = true;
            }
        }
        DriverEvent::RequestStarted { surface, id, method, url, kind, fields } => {
            if kind == RequestKind::Document {
                state.asked.push((surface.clone(), url.clone()));
            }
            if let Some(tab) = state.tab_mut(&surface) {
                let line = tab.network.push(NetworkLine {
                    method: method.clone(),
                    url: url.clone(),
                    kind: kind_name(kind).to_string(),
                    outcome: "pending".to_string(),
                    failed: false,
                    fields,
                });
                tab.requests.insert(id, OpenRequest { line, kind, method, url });
            }
        }
        DriverEvent::ResponseReceived { surface, id, status } => {
            if let Some(tab) = state.tab_mut(&surface)
                && let Some(conversation) = tab.requests.get(&id)
            {
                if conversation.kind == RequestKind::Document {
                    tab.document_status = Some(status);
                }
                if let Some(line) = tab.network.get_mut(conversation.line) {
                    line.outcome = status.to_string();
                    line.failed = status >= 400;
                }
            }
        }
        DriverEvent::RequestFinished { surface, id } => {
            if let Some(tab) = state.tab_mut(&surface) {
                tab.requests.remove(&id);
            }
        }
        DriverEvent::RequestFailed { surface, id, error, cancelled } => {
            if let Some(tab) = state.tab_mut(&surface)
                && let Some(conversation) = tab.requests.remove(&id)
                && let Some(line) = tab.network.get_mut(conversation.line)
                // Chromium cancels what a page does not read of an answer: the answer is known all the same.
                && !(cancelled && line.failed)
            {
                line.outcome = if cancelled { "cancelled".to_string() } else { error };
                line.failed = !cancelled;
            }
        }
        DriverEvent::FaultStruck { .. } => state.faults_struck += 1,
        DriverEvent::ConnectionRefused { host } => drop(state.refused.push(host)),
        DriverEvent::Console { surface, level, text, place } => {
            if let Some(tab) = state.tab_mut(&surface) {
                tab.console.push(ConsoleLine {
                    level: level_name(level).to_string(),
                    text: cut(text),
                    place,
                });
            }
        }
        DriverEvent::DialogOpened { surface, kind, message, default } => {
            if let Some(tab) = state.tab_mut(&surface) {
                tab.dialog = Some(BrowserDialog { kind, message, default });
                tab.dialogs += 1;
            }
        }
        DriverEvent::DialogClosed { surface } => {
            if let Some(tab) = state.tab_mut(&surface) {
                tab.dialog = None;
            }
        }
    }
}

/// A page may log without end; a single line must not fill the memory.
fn cut(text: String) -> String {
    const LONGEST: usize = 2000;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

const FETCH: &str = "fetch";
const BEACON: &str = "beacon";
const DOCUMENT: &str = "document";

fn kind_name(kind: RequestKind) -> &'static str {
    match kind {
        RequestKind::Document | RequestKind::FrameDocument => DOCUMENT,
        RequestKind::Resource | RequestKind::Script => "resource",
        RequestKind::Fetch => FETCH,
        RequestKind::Beacon => BEACON,
        RequestKind::Stream => "stream",
    }
}

fn level_name(level: ConsoleLevel) -> &'static str {
    match level {
        ConsoleLevel::Debug => "debug",
        ConsoleLevel::Info => "info",
        ConsoleLevel::Warning => "warning",
        ConsoleLevel::Error => "error",
    }
}
