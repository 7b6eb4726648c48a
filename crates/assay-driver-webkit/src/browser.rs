//! A running WebKit: its tabs, and what it tells by itself.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use assay_driver::{
    Browser, BrowserInfo, Capability, ContextId, ContextSettings, Deadline, DriverError, DriverEvent,
    EventSink, LaunchOptions, Reply, Surface, SurfaceId, WebPage,
};
use assay_protocol::Emulation;
use assay_wire::{BrowserProcess, Ends, VirtualDisplay, wait_until};
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use crate::bootstrap::{Bootstrap, NewWindows};
use crate::connection::{Connection, Handler, Recipient};
use crate::gvariant::Listed;
use crate::launch::{self, Folders, Surroundings};
use crate::protocol::*;
use crate::surface::WebKitSurface;
use crate::{downloads, driver};

pub(crate) struct WebKitBrowser {
    shared: Arc<Shared>,
    product: String,
    process: BrowserProcess,
    /// Kept for as long as the browser: they end when they are dropped.
    display: Option<VirtualDisplay>,
    _folders: Folders,
}

/// What the reader and the surfaces need to know.
pub(crate) struct Shared {
    connection: OnceLock<Arc<Connection>>,
    sink: Arc<dyn EventSink>,
    pub bootstrap: Bootstrap,
    pub options: LaunchOptions,
    state: Mutex<State>,
    /// What all pages are made to believe, and who answers for their servers.
    settings: Mutex<ContextSettings>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    product: Option<String>,
    /// The target that takes the commands of a driver.
    automation: Option<u64>,
    surfaces: HashMap<u64, Arc<WebKitSurface>>,
    /// The tab that something was done in last: whatever opens then was opened by it.
    used_last: Option<SurfaceId>,
    /// While a window of ours is being made its page cannot be spoken to: what is sent too early is lost,
    /// and so is all that follows.
    creating: bool,
    not_opened: Vec<Arc<WebKitSurface>>,
    gone: bool,
}

impl WebKitBrowser {
    pub async fn launch(
        program: &Path,
        options: LaunchOptions,
        surroundings: &Surroundings,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Result<Arc<WebKitBrowser>, DriverError> {
        let folders = Folders::make(&options)?;
        let started = launch::start(program, &folders, &options, surroundings, deadline).await?;
        let shared = Arc::new(Shared {
            connection: OnceLock::new(),
            sink,
            bootstrap: Bootstrap::new(),
            options,
            state: Mutex::new(State::default()),
            settings: Mutex::default(),
            changed: Notify::new(),
        });
        shared.watch_downloads(&folders)?;
        let handler = Arc::new(Events(Arc::downgrade(&shared)));
        let failed = |err| DriverError::io("could not talk to the browser", err);
        let ends = Ends::of(&started.stream).map_err(failed)?;
        let connection = Connection::over(started.stream, handler).map_err(failed)?;
        let connection = shared.connection.get_or_init(|| connection);
        // At once: the browser does not answer a request that comes a moment after it has accepted the connection.
        connection.start_session(SESSION);
        // Another program can take the port between the moment it was found free and the start of the browser.
        if let Err(trouble) = ends.check_server(deadline).await {
            return Err(launch::failed(&trouble.to_string(), &started.process));
        }
        match shared.begin(deadline).await {
            Ok(product) => Ok(Arc::new(WebKitBrowser {
                shared,
                product,
                process: started.process,
                display: started.display,
                _folders: folders,
            })),
            Err(err @ DriverError::Unsupported { .. }) => Err(err),
            Err(err) => {
                // What it wrote on its way out says more than a broken connection.
                tokio::time::sleep(Duration::from_millis(50)).await;
                let reason = match err {
                    DriverError::Timeout => "it did not answer in time".to_string(),
                    DriverError::Lost => "it ended before it answered".to_string(),
                    other => other.to_string(),
                };
                Err(launch::failed(&reason, &started.process))
            }
        }
    }
}

/// Any name will do: a browser has one session.
const SESSION: &str = "a55a0000-0000-4000-8000-000000000001";

impl Browser for WebKitBrowser {
    fn info(&self) -> BrowserInfo {
        BrowserInfo {
            name: self.product.clone(),
            pid: Some(self.process.group()),
            headless: self.shared.options.headless,
        }
    }

    fn capabilities(&self) -> &'static [Capability] {
        driver::CAPABILITIES
    }

    fn open(&self, _context: Option<ContextId>, deadline: Deadline) -> Reply<'_, SurfaceId> {
        Box::pin(async move {
            let handle = self.shared.create_window(deadline).await?;
            let surface = self.shared.surface_of(&handle, deadline).await?;
            surface.set_viewport(self.shared.options.viewport, deadline).await?;
            Ok(surface.id())
        })
    }

    fn close(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            // Asked to end, the display takes its files in the temporary folder away.
            terminate_group(self.process.group());
            self.process.end(Duration::from_millis(300).min(deadline.remaining())).await;
            if let Some(display) = &self.display {
                display.end().await;
            }
            Ok(())
        })
    }
}

fn terminate_group(group: u32) {
    // SAFETY: a plain system call. The group is ours: it was made at the start and is named by its leader.
    unsafe {
        libc::killpg(group as libc::pid_t, libc::SIGTERM);
    }
}

impl Shared {
    /// Waits for the session and its first tab, and makes that as large as it is wanted.
    async fn begin(self: &Arc<Self>, deadline: Deadline) -> Result<String, DriverError> {
        self.wait_until(|state| state.automation.is_some(), deadline).await?;
        // The first window is there already; this tells its handle.
        let handle = self.create_window(deadline).await?;
        let surface = self.surface_of(&handle, deadline).await?;
        surface.set_viewport(self.options.viewport, deadline).await?;
        Ok(self.state().product.clone().unwrap_or_else(|| "WebKit".to_string()))
    }

    fn watch_downloads(self: &Arc<Self>, folders: &Folders) -> Result<(), DriverError> {
        let weak = Arc::downgrade(self);
        let keep_sizes = move || {
            if let Some(shared) = weak.upgrade() {
                tokio::spawn(shared.keep_sizes());
            }
        };
        let (from, to) = (folders.downloads.clone(), self.options.downloads.clone());
        downloads::watch(from, to, Arc::clone(&self.sink), keep_sizes)
    }

    /// A bar about a download takes room from the page: the window gets so much larger.
    async fn keep_sizes(self: Arc<Self>) {
        const LOOKS: [u64; 3] = [10, 100, 300];
        for wait in LOOKS {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            let surfaces: Vec<Arc<WebKitSurface>> = self.state().surfaces.values().cloned().collect();
            for surface in surfaces {
                if let Some(viewport) = surface.viewport() {
                    // A page that is busy or gone has its old size until the next look.
                    let _as_good_as_possible =
                        surface.resize(viewport, Deadline::after(Duration::from_secs(1))).await;
                }
            }
        }
    }

    pub fn connection(&self) -> &Arc<Connection> {
        self.connection.get().expect("the connection is made before anything can use it")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The settings of all pages, to be looked at or changed.
    pub fn with_settings<T>(&self, change: impl FnOnce(&mut ContextSettings) -> T) -> T {
        change(&mut self.settings.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Windows wait where their first document is to find something.
    pub fn new_windows(&self) -> NewWindows {
        let plain = self.with_settings(|settings| {
            settings.emulation == Emulation::default() && settings.routes.is_empty()
        });
        if plain { NewWindows::Load } else { NewWindows::Wait }
    }

    pub fn surfaces(&self) -> Vec<Arc<WebKitSurface>> {
        self.state().surfaces.values().cloned().collect()
    }

    pub fn tell(&self, event: DriverEvent) {
        self.sink.event(event);
    }

    pub fn used(&self, surface: SurfaceId) {
        self.state().used_last = Some(surface);
    }

    async fn wait_until(
        &self,
        mut holds: impl FnMut(&State) -> bool,
        deadline: Deadline,
    ) -> Result<(), DriverError> {
        let check_open = || if self.connection().is_closed() { Err(DriverError::Lost) } else { Ok(()) };
        wait_until(&self.changed, || holds(&self.state()), check_open, deadline).await
    }

    pub fn something_changed(&self) {
        self.changed.notify_waiters();
    }

    pub async fn automation(
        &self,
        method: &str,
        params: serde_json::Value,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, DriverError> {
        let target = self.state().automation.ok_or(DriverError::Lost)?;
        let method = format!("Automation.{method}");
        self.connection().send(Recipient { target, page: None }, &method, params).until(deadline).await
    }

    /// The session's target, for commands that are sent without waiting.
    pub fn session(&self) -> Result<Recipient<'static>, DriverError> {
        let target = self.state().automation.ok_or(DriverError::Lost)?;
        Ok(Recipient { target, page: None })
    }

    /// Always a window of its own: tabs behind another are not painted.
    async fn create_window(&self, deadline: Deadline) -> Result<String, DriverError> {
        self.state().creating = true;
        let params = json!({ "presentationHint": "Window" });
        let reply = self.automation("createBrowsingContext", params, deadline).await;
        let made = {
            let mut state = self.state();
            state.creating = false;
            std::mem::take(&mut state.not_opened)
        };
        for surface in made {
            surface.open();
        }
        Ok(parse::<HandleReply>(&reply?)?.handle)
    }

    /// The tab that has this handle, once its first document is there.
    async fn surface_of(
        self: &Arc<Self>,
        handle: &str,
        deadline: Deadline,
    ) -> Result<Arc<WebKitSurface>, DriverError> {
        let mut found = None;
        let has_it = |surface: &&Arc<WebKitSurface>| {
            surface.is_ready() && surface.known_handle().as_deref() == Some(handle)
        };
        self.wait_until(
            |state| {
                found = state.surfaces.values().find(has_it).cloned();
                found.is_some()
            },
            deadline,
        )
        .await?;
        found.ok_or(DriverError::Closed)
    }

    fn listed(self: &Arc<Self>, targets: &[Listed]) {
        let automation = targets.iter().find(|target| target.kind == "Automation").map(|target| target.id);
        let mut state = self.state();
        let lost = state.automation.is_some() && automation.is_none();
        if let (Some(id), None) = (automation, state.automation) {
            state.automation = Some(id);
            self.connection().open_target(id);
        }
        let closed: Vec<u64> = state
            .surfaces
            .keys()
            .filter(|id| targets.iter().all(|target| target.id != **id))
            .copied()
            .collect();
        let pages = targets.iter().filter(|target| target.kind == "WebPage");
        let opened: Vec<&Listed> = pages.filter(|page| !state.surfaces.contains_key(&page.id)).collect();
        // A window that we are making ourselves was opened by no page.
        let opener = if state.creating { None } else { state.used_last.clone() };
        let mut events = Vec::new();
        for page in opened {
            let surface = WebKitSurface::new(Arc::clone(self), page.id);
            state.surfaces.insert(page.id, Arc::clone(&surface));
            if state.creating || state.automation.is_none() {
                state.not_opened.push(Arc::clone(&surface));
            } else {
                surface.open();
            }
            events.push(DriverEvent::SurfaceOpened {
                surface,
                context: None,
                opener: opener.clone(),
                url: page.url.clone(),
            });
        }
        for id in closed {
            if let Some(surface) = state.surfaces.remove(&id) {
                surface.went();
            }
            events.push(DriverEvent::SurfaceClosed { surface: WebKitSurface::id_of(id) });
        }
        drop(state);
        let new_tabs = events.iter().any(|event| matches!(event, DriverEvent::SurfaceOpened { .. }));
        for event in events {
            self.tell(event);
        }
        if lost {
            self.lose();
        } else if new_tabs {
            self.find_handles();
        }
        self.something_changed();
    }

    /// Without its session nothing can be asked of the browser any more. That is what WebKit makes of a page
    /// that crashes: it ends the session with it.
    fn lose(&self) {
        self.connection().abandon();
        self.gone();
    }

    fn gone(&self) {
        let before = std::mem::replace(&mut self.state().gone, true);
        if !before {
            self.tell(DriverEvent::BrowserGone);
        }
        self.something_changed();
    }

    /// Tabs are inspected under one name and driven under another; nothing tells which belong together. Where
    /// there is one of each there is no question; otherwise the pages are asked.
    fn find_handles(self: &Arc<Self>) {
        let shared = Arc::downgrade(self);
        tokio::spawn(async move {
            const PATIENCE: Duration = Duration::from_secs(10);
            let deadline = Deadline::after(PATIENCE);
            while !deadline.is_past() {
                let Some(shared) = shared.upgrade() else { return };
                if matches!(shared.match_handles(deadline).await, Ok(true) | Err(DriverError::Lost)) {
                    return;
                }
                drop(shared);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
    }

    /// Whether every tab has its handle now.
    async fn match_handles(&self, deadline: Deadline) -> Result<bool, DriverError> {
        if self.state().automation.is_none() {
            return Ok(false);
        }
        let contexts: Contexts = parse(&self.automation("getBrowsingContexts", json!({}), deadline).await?)?;
        let (nameless, taken): (Vec<Arc<WebKitSurface>>, Vec<String>) = {
            let state = self.state();
            let all = || state.surfaces.values();
            (
                all().filter(|surface| surface.known_handle().is_none()).cloned().collect(),
                all().filter_map(|surface| surface.known_handle()).collect(),
            )
        };
        let free: Vec<String> = contexts
            .contexts
            .into_iter()
            .map(|context| context.handle)
            .filter(|handle| !taken.contains(handle))
            .collect();
        match (nameless.as_slice(), free.as_slice()) {
            ([], _) => return Ok(true),
            ([surface], [handle]) => surface.set_handle(handle.clone()),
            (several, handles) => {
                for surface in several {
                    for handle in handles {
                        if surface.answers_to(handle, deadline).await.unwrap_or(false) {
                            surface.set_handle(handle.clone());
                            break;
                        }
                    }
                }
            }
        }
        self.something_changed();
        let state = self.state();
        Ok(state.surfaces.values().all(|surface| surface.known_handle().is_some()))
    }

    fn surface(&self, target: u64) -> Option<Arc<WebKitSurface>> {
        self.state().surfaces.get(&target).cloned()
    }

    fn target_event(&self, target: u64, method: &str, params: &RawValue) -> Option<()> {
        if self.state().automation == Some(target) {
            if method == "Automation.browsingContextCleared" {
                let event: HandleEvent = read(params)?;
                let surfaces: Vec<Arc<WebKitSurface>> = self.state().surfaces.values().cloned().collect();
                let of_handle = |surface: &Arc<WebKitSurface>| {
                    surface.known_handle().as_deref() == Some(&event.browsing_context_handle)
                };
                surfaces.into_iter().find(of_handle)?.may_have_moved();
            }
            return Some(());
        }
        let surface = self.surface(target)?;
        match method {
            "Target.targetCreated" => surface.process_came(read::<TargetCreated>(params)?.target_info),
            "Target.didCommitProvisionalTarget" => {
                surface.process_changed(read::<ProvisionalCommitted>(params)?.new_target_id);
            }
            "Target.targetDestroyed" => surface.process_went(&read::<TargetDestroyed>(params)?.target_id),
            _ => {}
        }
        Some(())
    }
}

/// Holds the browser weakly: the reader must not keep it alive.
struct Events(Weak<Shared>);

impl Handler for Events {
    fn session_started(&self, browser: String, version: String) {
        let Some(shared) = self.0.upgrade() else { return };
        // It gives the name of its window, not of what it is.
        let name = if browser == "MiniBrowser" { "WebKitGTK" } else { &browser };
        shared.state().product = Some(format!("{name}/{version}"));
    }

    fn listed(&self, targets: Vec<Listed>) {
        let Some(shared) = self.0.upgrade() else { return };
        shared.listed(&targets);
    }

    fn event(&self, place: Recipient<'_>, method: &str, params: &RawValue) {
        let Some(shared) = self.0.upgrade() else { return };
        let _understood: Option<()> = match place.page {
            None => shared.target_event(place.target, method, params),
            // Asked by a page that may not be shown yet, and never will be unless it is answered.
            Some(page) if method == "Network.requestIntercepted" => {
                shared.surface(place.target).and_then(|surface| surface.request_held(page, params))
            }
            Some(page) => shared.surface(place.target).and_then(|surface| {
                if surface.is_shown_by(page) {
                    return surface.page_event(page, &shared.bootstrap, method, params);
                }
                surface.hand_over().told(page, method, params);
                Some(())
            }),
        };
    }

    fn closed(&self) {
        if let Some(shared) = self.0.upgrade() {
            shared.gone();
        }
    }
}
