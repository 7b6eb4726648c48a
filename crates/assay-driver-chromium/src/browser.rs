//! A running Chromium: its targets, and what it tells by itself.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use assay_dom::{PageScripts, Sleep, page_scripts, random_key};
use assay_driver::{
    Browser, BrowserInfo, Capability, ConsoleLevel, ContextId, Deadline, DriverError, DriverEvent, EventSink,
    FrameId, LaunchOptions, Reply, RequestKind, Surface, SurfaceId, WebPage,
};
use assay_wire::{BrowserProcess, Connection, Downloads, EventHandler, PendingReply, WebSocket};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::net::UnixStream;
use tokio::sync::OnceCell;

use crate::opening::Opening;
use crate::protocol::*;
use crate::refusal::refusal;
use crate::surface::{Beginning, ChromiumSurface};
use crate::worlds::TELL_WORLDS;

pub(crate) struct ChromiumBrowser {
    shared: Arc<Shared>,
    process: Option<BrowserProcess>,
    product: String,
    /// Once it was asked to end: whether it has heard.
    dismissed: OnceCell<bool>,
}

/// What the reader and the surfaces need to know.
pub(crate) struct Shared {
    connection: OnceLock<Arc<Connection>>,
    sink: Arc<dyn EventSink>,
    pub scripts: PageScripts,
    /// What installs them in every document of a target: long, and the same for all.
    installing: [serde_json::Value; 2],
    pub options: LaunchOptions,
    /// Whether sizes are ours to set: not in a window, and not in somebody else's browser.
    pub own_viewport: bool,
    /// It was started without a tab, and those who use it open theirs at addresses.
    begins_empty: bool,
    downloads: Downloads,
    state: Mutex<State>,
    tabs_changed: tokio::sync::Notify,
}

#[derive(Default)]
struct State {
    surfaces: HashMap<String, Arc<ChromiumSurface>>,
    /// Which tab a session belongs to; frames in other processes have sessions of their own.
    sessions: HashMap<String, (String, SessionKind)>,
    /// Contexts that we made and that have not ended.
    contexts: HashSet<String>,
    /// Those of them whose first tab is to be opened at an address, and is not there yet.
    addressed: HashSet<String>,
}

impl State {
    /// The first tab of a context that we made was opened by nobody but us, and shows nothing until we say so, or goes to
    /// an address of ours.
    fn beginning_of(&self, info: &TargetInfo) -> Beginning {
        let Some(context) = info.browser_context_id.as_ref().filter(|_| info.opener_id.is_none()) else {
            return Beginning::Unknown;
        };
        if self.addressed.contains(context) {
            return Beginning::Addressed;
        }
        let is_empty = matches!(info.url.as_str(), "" | "about:blank");
        if self.contexts.contains(context) && is_empty && !self.has_tabs_in(context) {
            Beginning::Empty
        } else {
            Beginning::Unknown
        }
    }

    fn has_tabs_in(&self, context: &str) -> bool {
        self.surfaces.values().any(|surface| surface.context() == Some(context))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SessionKind {
    Page,
    Frame,
}

impl ChromiumBrowser {
    pub async fn launched(
        process: BrowserProcess,
        stream: UnixStream,
        options: LaunchOptions,
        begins_empty: bool,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Result<Arc<ChromiumBrowser>, DriverError> {
        let own_viewport = options.headless;
        let shared = Shared::new(options, sink, own_viewport, begins_empty);
        let connection = Connection::over_pipe(stream, refusal, Arc::new(Handler(Arc::downgrade(&shared))));
        match shared.begin(connection, deadline).await {
            Ok(product) => {
                if !begins_empty {
                    shared.wait_for_first_tab(deadline).await?;
                }
                let dismissed = OnceCell::new();
                Ok(Arc::new(ChromiumBrowser { shared, process: Some(process), product, dismissed }))
            }
            Err(err) => {
                // What it wrote on its way out says more than a broken pipe.
                tokio::time::sleep(Duration::from_millis(50)).await;
                let reason = match err {
                    DriverError::Timeout => "it did not answer in time".to_string(),
                    _ => "it ended before it answered".to_string(),
                };
                Err(DriverError::LaunchFailed { driver: "chromium", reason, output: process.output() })
            }
        }
    }

    pub async fn attached(
        stream: WebSocket,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Result<Arc<ChromiumBrowser>, DriverError> {
        let shared = Shared::new(options, sink, false, false);
        let connection =
            Connection::over_websocket(stream, refusal, Arc::new(Handler(Arc::downgrade(&shared))));
        let product = shared.begin(connection, deadline).await?;
        let dismissed = OnceCell::new();
        let browser = Arc::new(ChromiumBrowser { shared, process: None, product, dismissed });
        // Tabs that were open are announced while auto-attach is being answered; with none, one is opened.
        if browser.shared.state().surfaces.is_empty() {
            browser.open(None, deadline).await?;
        }
        Ok(browser)
    }

    /// Asks once. The reply may be lost with the connection; what counts is that the process ends.
    async fn ask_to_end(&self, deadline: Deadline) -> bool {
        let ask = || async {
            self.shared.connection().call(None, "Browser.close", json!({}), deadline).await.is_ok()
        };
        *self.dismissed.get_or_init(ask).await
    }
}

impl Browser for ChromiumBrowser {
    fn info(&self) -> BrowserInfo {
        BrowserInfo {
            name: self.product.clone(),
            pid: self.process.as_ref().map(|process| process.pid),
            headless: self.shared.options.headless,
        }
    }

    fn capabilities(&self) -> &'static [Capability] {
        crate::driver::CAPABILITIES
    }

    fn open(&self, context: Option<ContextId>, deadline: Deadline) -> Reply<'_, SurfaceId> {
        Box::pin(async move {
            let mut params = json!({ "url": "about:blank" });
            if let Some(context) = context {
                params["browserContextId"] = json!(context.0);
            }
            let connection = self.shared.connection();
            let reply = connection.call(None, "Target.createTarget", params, deadline).await?;
            let target: TargetCreated = parse(&reply)?;
            self.shared.wait_for_tab(&target.target_id, deadline).await?;
            Ok(SurfaceId(target.target_id))
        })
    }

    fn opens_at(&self) -> bool {
        self.shared.begins_empty
    }

    fn open_at(&self, context: Option<ContextId>, url: String, deadline: Deadline) -> Reply<'_, SurfaceId> {
        Box::pin(async move {
            let mut params = json!({ "url": url });
            if let Some(ContextId(context)) = &context {
                params["browserContextId"] = json!(context);
                self.shared.state().addressed.insert(context.clone());
            }
            let opened = self.shared.connection().call(None, "Target.createTarget", params, deadline).await;
            let target = opened.and_then(|reply| parse::<TargetCreated>(&reply));
            // One that only comes late is still on its way to the address.
            if let (Err(DriverError::Refused { .. }), Some(ContextId(context))) = (&target, &context) {
                self.shared.state().addressed.remove(context);
            }
            let id = target?.target_id;
            let is_announced = |state: &State| state.surfaces.get(&id).is_some_and(|tab| tab.is_announced());
            self.shared.wait_until(is_announced, deadline).await?;
            Ok(SurfaceId(id))
        })
    }

    fn open_context(&self, deadline: Deadline) -> Reply<'_, ContextId> {
        Box::pin(async move {
            let params = json!({ "disposeOnDetach": true });
            let connection = self.shared.connection();
            let reply = connection.call(None, "Target.createBrowserContext", params, deadline).await?;
            let context: ContextCreated = parse(&reply)?;
            self.shared.set_download_folder(Some(&context.browser_context_id));
            self.shared.state().contexts.insert(context.browser_context_id.clone());
            Ok(ContextId(context.browser_context_id))
        })
    }

    fn close_context(&self, context: ContextId, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            {
                let mut state = self.shared.state();
                state.addressed.remove(&context.0);
                if !state.contexts.remove(&context.0) {
                    return Ok(());
                }
            }
            let params = json!({ "browserContextId": context.0 });
            self.shared.connection().call(None, "Target.disposeBrowserContext", params, deadline).await?;
            self.shared.wait_until(|state| !state.has_tabs_in(&context.0), deadline).await
        })
    }

    fn dismiss(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            if self.process.is_some() {
                self.ask_to_end(deadline).await;
            }
            Ok(())
        })
    }

    fn close(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let Some(process) = &self.process else { return Ok(()) };
            let has_heard = self.ask_to_end(deadline).await;
            let patience = if has_heard { Duration::from_secs(2) } else { Duration::from_millis(100) };
            process.end(patience.min(deadline.remaining().max(Duration::from_millis(100)))).await;
            Ok(())
        })
    }
}

impl Shared {
    fn new(
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        own_viewport: bool,
        begins_empty: bool,
    ) -> Arc<Shared> {
        let scripts = page_scripts(&random_key());
        let isolated =
            json!({ "source": scripts.isolated(Sleep::Function), "worldName": crate::frames::WORLD });
        let installing = [json!({ "source": scripts.main }), isolated];
        Arc::new(Shared {
            connection: OnceLock::new(),
            sink,
            installing,
            scripts,
            downloads: Downloads::new(&options.downloads),
            options,
            own_viewport,
            begins_empty,
            state: Mutex::new(State::default()),
            tabs_changed: tokio::sync::Notify::new(),
        })
    }

    async fn begin(
        self: &Arc<Self>,
        connection: Arc<Connection>,
        deadline: Deadline,
    ) -> Result<String, DriverError> {
        let connection = self.connection.get_or_init(|| connection);
        let version = connection.send(None, "Browser.getVersion", json!({}));
        self.set_download_folder(None);
        let attached = connection.send(None, "Target.setAutoAttach", auto_attach());
        let version: Version = parse(&version.until(deadline).await?)?;
        attached.until(deadline).await?;
        Ok(version.product)
    }

    fn set_download_folder(&self, context: Option<&str>) {
        let mut params = json!({
            "behavior": "allowAndName",
            "downloadPath": self.options.downloads.display().to_string(),
            "eventsEnabled": true,
        });
        if let Some(context) = context {
            params["browserContextId"] = json!(context);
        }
        drop(self.connection().send(None, "Browser.setDownloadBehavior", params));
    }

    pub fn connection(&self) -> &Arc<Connection> {
        self.connection.get().expect("the connection is made before anything can use it")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn wait_until(
        &self,
        mut holds: impl FnMut(&State) -> bool,
        deadline: Deadline,
    ) -> Result<(), DriverError> {
        loop {
            let changed = self.tabs_changed.notified();
            tokio::pin!(changed);
            // Registered before the look, so that no change falls between the two.
            changed.as_mut().enable();
            if holds(&self.state()) {
                return Ok(());
            }
            if self.connection().is_closed() {
                return Err(DriverError::Lost);
            }
            tokio::time::timeout_at(deadline.instant(), changed).await.map_err(|_| DriverError::Timeout)?;
        }
    }

    /// A new tab is on its way to `about:blank` by itself, and would drop what it is asked to load
    /// before it got there.
    async fn wait_for_first_tab(&self, deadline: Deadline) -> Result<(), DriverError> {
        self.wait_until(|state| state.surfaces.values().any(|surface| surface.is_ready()), deadline).await
    }

    async fn wait_for_tab(&self, id: &str, deadline: Deadline) -> Result<(), DriverError> {
        self.wait_until(|state| state.surfaces.get(id).is_some_and(|surface| surface.is_ready()), deadline)
            .await
    }

    /// A new target waits until it is told to run. Nothing may be awaited before that:
    /// some replies only come once it runs.
    fn attached(self: &Arc<Self>, event: AttachedToTarget, parent_session: Option<&str>) {
        let session = event.session_id;
        let info = event.target_info;
        let connection = self.connection();
        let own_page =
            info.kind == "page" && !info.url.starts_with("chrome://") && !info.url.starts_with("devtools://");
        let tab = if own_page {
            Some((info.target_id.clone(), SessionKind::Page))
        } else if info.kind == "iframe" {
            let state = self.state();
            parent_session
                .and_then(|parent| state.sessions.get(parent))
                .map(|(tab, _)| (tab.clone(), SessionKind::Frame))
        } else {
            None
        };
        let Some((tab, kind)) = tab else {
            if event.waiting_for_debugger {
                drop(connection.send(Some(&session), "Runtime.runIfWaitingForDebugger", json!({})));
            }
            let params = json!({ "sessionId": session });
            drop(connection.send(parent_session, "Target.detachFromTarget", params));
            return;
        };
        let mut state = self.state();
        state.sessions.insert(session.clone(), (tab.clone(), kind));
        // Asked after the session is known, so that a fault that is set meanwhile reaches it by one way or the other.
        let fault = state.surfaces.get(&tab).and_then(|surface| surface.fault_command());
        let beginning = match kind {
            SessionKind::Page => state.beginning_of(&info),
            SessionKind::Frame => Beginning::Unknown,
        };
        if beginning != Beginning::Empty {
            drop(self.install_scripts(&session));
        }
        let commands = self.first_commands(kind).into_iter().chain(fault);
        // Asked for its worlds, the empty document would make them and run our scripts, and then be replaced.
        let is_early = |method: &str| beginning == Beginning::Addressed && method == TELL_WORLDS;
        for (method, params) in commands.filter(|(method, _)| !is_early(method)) {
            drop(connection.send(Some(&session), method, params));
        }
        drop(connection.send(Some(&session), "Runtime.runIfWaitingForDebugger", json!({})));
        match kind {
            SessionKind::Frame => {
                if let Some(surface) = state.surfaces.get(&tab) {
                    surface.frames().put(&info.target_id, None, &session);
                }
                drop(state);
                self.learn_frames(tab, session, false);
            }
            SessionKind::Page => {
                let surface = ChromiumSurface::new(
                    Arc::clone(self),
                    tab.clone(),
                    session.clone(),
                    info.browser_context_id.clone(),
                    beginning,
                );
                surface.frames().put(&tab, None, &session);
                state.surfaces.insert(tab.clone(), Arc::clone(&surface));
                if let Some(context) = &info.browser_context_id {
                    state.addressed.remove(context);
                }
                drop(state);
                self.learn_frames(tab, session, beginning == Beginning::Empty);
                self.sink.event(DriverEvent::SurfaceOpened {
                    surface: Arc::clone(&surface) as Arc<dyn WebPage>,
                    context: info.browser_context_id.map(ContextId),
                    opener: info.opener_id.map(SurfaceId),
                    url: info.url,
                });
                surface.was_announced();
                self.tabs_changed.notify_waiters();
            }
        }
    }

    /// Every document that comes from now on gets the page script before its own scripts run.
    fn install_scripts(&self, session: &str) -> Vec<PendingReply> {
        let install =
            |script| self.connection().send(Some(session), "Page.addScriptToEvaluateOnNewDocument", script);
        self.installing.iter().map(install).collect()
    }

    fn first_commands(&self, kind: SessionKind) -> Vec<(&'static str, serde_json::Value)> {
        let mut commands = vec![
            ("Page.enable", json!({})),
            (TELL_WORLDS, json!({})),
            ("Network.enable", json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0 })),
            ("Target.setAutoAttach", auto_attach()),
        ];
        if kind == SessionKind::Page {
            commands.push(("Inspector.enable", json!({})));
            // A tab behind another would stop painting and animating.
            commands.push(("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })));
            if self.own_viewport {
                let viewport = self.options.viewport;
                commands.push((
                    "Emulation.setDeviceMetricsOverride",
                    json!({ "width": viewport.width, "height": viewport.height, "deviceScaleFactor": viewport.scale, "mobile": false }),
                ));
            }
        }
        commands
    }

    /// Frames that were there before we were are told by the tree, once. A tab that is still to get its scripts has
    /// them before it is ready: nobody asks it to open anything before that.
    fn learn_frames(self: &Arc<Self>, tab: String, session: String, owes_scripts: bool) {
        let reply = self.connection().send(Some(&session), "Page.getFrameTree", json!({}));
        let shared = Arc::downgrade(self);
        tokio::spawn(async move {
            let Ok(raw) = reply.await else { return };
            let (Some(shared), Ok(tree)) = (shared.upgrade(), parse::<FrameTreeReply>(&raw)) else { return };
            let surface = shared.state().surfaces.get(&tab).cloned();
            if let Some(surface) = surface {
                surface.frames().take_tree(&tree.frame_tree, &session);
                let installed = if owes_scripts { shared.install_scripts(&session) } else { Vec::new() };
                for taken in installed {
                    if taken.await.is_err() {
                        return;
                    }
                }
                surface.became_ready();
                shared.tabs_changed.notify_waiters();
            }
        });
    }

    fn detached(&self, session: &str) {
        let mut state = self.state();
        let Some((tab, kind)) = state.sessions.remove(session) else { return };
        if kind == SessionKind::Page {
            let closed = state.surfaces.remove(&tab);
            state.sessions.retain(|_, (owner, _)| *owner != tab);
            let emptied = closed
                .as_ref()
                .and_then(|surface| surface.context())
                .filter(|context| !state.has_tabs_in(context));
            // Where tests share the browser, a page that closes itself must not take the place away that its test has.
            if let Some(context) = emptied.filter(|_| !self.begins_empty)
                && state.contexts.remove(context)
            {
                // Nobody waits for it: what was isolated is thrown away with its last tab.
                let params = json!({ "browserContextId": context });
                drop(self.connection().send(None, "Target.disposeBrowserContext", params));
            }
            drop(state);
            self.sink.event(DriverEvent::SurfaceClosed { surface: SurfaceId(tab) });
            self.tabs_changed.notify_waiters();
        }
    }

    fn of_session(&self, session: Option<&str>) -> Option<(Arc<ChromiumSurface>, String)> {
        let session = session?;
        let state = self.state();
        let (tab, _) = state.sessions.get(session)?;
        state.surfaces.get(tab).map(|surface| (Arc::clone(surface), session.to_string()))
    }

    fn of_frame(&self, frame: &str) -> Option<SurfaceId> {
        let surfaces: Vec<Arc<ChromiumSurface>> = self.state().surfaces.values().cloned().collect();
        surfaces
            .into_iter()
            .find(|surface| surface.frames().place(frame).is_some())
            .map(|surface| surface.id())
    }

    /// All sessions that speak for a tab or a frame of it.
    pub fn sessions_of(&self, tab: &str) -> Vec<String> {
        let state = self.state();
        let own = state.sessions.iter().filter(|(_, (owner, _))| owner == tab);
        own.map(|(session, _)| session.clone()).collect()
    }

    pub fn tell(&self, event: DriverEvent) {
        self.sink.event(event);
    }

    fn download_began(&self, event: DownloadWillBegin) {
        let name = self.downloads.begin(&event.guid, &event.suggested_filename);
        let surface = self.of_frame(&event.frame_id);
        self.sink.event(DriverEvent::DownloadStarted { id: event.guid, surface, name, url: event.url });
        if let Some(surface) = self.state().surfaces.get(&event.frame_id) {
            surface.opening_was(Opening::became_file);
        }
    }

    fn download_moved_on(&self, event: DownloadProgress) {
        if event.state == "inProgress" {
            return;
        }
        let path = match event.state.as_str() {
            "completed" => self.downloads.finish(&event.guid, &self.options.downloads.join(&event.guid)),
            _ => self.downloads.forget(&event.guid).and(None),
        };
        self.sink.event(DriverEvent::DownloadFinished { id: event.guid, path });
    }

    fn page_event(
        &self,
        surface: &Arc<ChromiumSurface>,
        session: &str,
        method: &str,
        params: &RawValue,
    ) -> Option<()> {
        let id = surface.id();
        let is_main = |frame: &str| frame == id.0;
        let sink = &self.sink;
        match method {
            "Runtime.executionContextCreated" => {
                surface.frames().context_created(&read::<ExecutionContextCreated>(params)?.context, session);
                surface.contexts_changed();
            }
            "Runtime.executionContextDestroyed" => surface
                .frames()
                .context_destroyed(&read::<ExecutionContextDestroyed>(params)?.execution_context_unique_id),
            "Runtime.executionContextsCleared" => surface.frames().contexts_cleared(session),
            "Page.frameAttached" => {
                let event: FrameAttached = read(params)?;
                surface.frames().put(&event.frame_id, Some(&event.parent_frame_id), session);
            }
            "Page.frameDetached" => {
                let event: FrameDetached = read(params)?;
                // `swap`: the frame goes on in another process.
                if event.reason != "swap" {
                    surface.frames().remove(&event.frame_id);
                }
            }
            "Page.frameNavigated" => {
                let event: FrameNavigated = read(params)?;
                surface.frames().committed(&event.frame, session);
                let url = format!("{}{}", event.frame.url, event.frame.url_fragment.unwrap_or_default());
                let is_main = is_main(&event.frame.id);
                surface.document_changed();
                if is_main {
                    surface.left_blank();
                    surface.document_came();
                    surface.opening_was(|opening| opening.arrived(&url));
                }
                let frame = FrameId(event.frame.id);
                sink.event(DriverEvent::NavigationCommitted { surface: id, frame, is_main, url });
            }
            "Page.navigatedWithinDocument" => {
                let event: FrameMoved = read(params)?;
                surface.frames().moved(&event.frame_id, &event.url);
                let is_main = is_main(&event.frame_id);
                let frame = FrameId(event.frame_id);
                sink.event(DriverEvent::NavigatedWithin { surface: id, frame, is_main, url: event.url });
            }
            "Page.frameRequestedNavigation" => {
                let event: FrameMoved = read(params)?;
                if event.disposition.is_empty() || event.disposition == "currentTab" {
                    let is_main = is_main(&event.frame_id);
                    let frame = FrameId(event.frame_id);
                    sink.event(DriverEvent::NavigationRequested {
                        surface: id,
                        frame,
                        is_main,
                        url: event.url,
                    });
                }
            }
            "Page.frameStartedNavigating" => {
                let event: FrameMoved = read(params)?;
                let is_main = is_main(&event.frame_id);
                let frame = FrameId(event.frame_id);
                sink.event(DriverEvent::NavigationStarted { surface: id, frame, is_main, url: event.url });
            }
            "Page.frameStoppedLoading" => {
                let event: FrameMoved = read(params)?;
                let is_main = is_main(&event.frame_id);
                if is_main {
                    surface.opening_was(Opening::stopped);
                }
                let frame = FrameId(event.frame_id);
                sink.event(DriverEvent::LoadingStopped { surface: id, frame, is_main });
            }
            "Page.domContentEventFired" if surface.speaks_for_page(session) => {
                sink.event(DriverEvent::DomReady { surface: id });
            }
            "Page.loadEventFired" if surface.speaks_for_page(session) => {
                sink.event(DriverEvent::Loaded { surface: id })
            }
            "Page.javascriptDialogOpening" => {
                let event: DialogOpening = read(params)?;
                let default = event.default_prompt.filter(|_| event.kind == "prompt");
                sink.event(DriverEvent::DialogOpened {
                    surface: id,
                    kind: event.kind,
                    message: event.message,
                    default,
                });
            }
            "Page.javascriptDialogClosed" => sink.event(DriverEvent::DialogClosed { surface: id }),
            "Network.requestWillBeSent" => {
                let event: RequestWillBeSent = read(params)?;
                let fields = event.request.fields();
                let kind = match request_kind(&event.kind) {
                    RequestKind::Document if !event.frame_id.as_deref().is_some_and(is_main) => {
                        RequestKind::FrameDocument
                    }
                    other => other,
                };
                sink.event(DriverEvent::RequestStarted {
                    surface: id,
                    id: event.request_id,
                    method: event.request.method,
                    url: event.request.url,
                    kind,
                    fields,
                });
            }
            "Network.responseReceived" => {
                let event: ResponseReceived = read(params)?;
                let status = event.response.status;
                surface.opening_was(|opening| opening.answered(status));
                sink.event(DriverEvent::ResponseReceived { surface: id, id: event.request_id, status });
            }
            "Network.loadingFinished" => {
                let event: LoadingFinished = read(params)?;
                sink.event(DriverEvent::RequestFinished { surface: id, id: event.request_id });
            }
            "Network.loadingFailed" => {
                let event: LoadingFailed = read(params)?;
                surface.opening_was(|opening| opening.failed(&event.error_text));
                sink.event(DriverEvent::RequestFailed {
                    surface: id,
                    id: event.request_id,
                    error: event.error_text,
                    cancelled: event.canceled,
                });
            }
            "Fetch.requestPaused" => self.request_paused(surface, session, read(params)?),
            "Runtime.consoleAPICalled" => {
                let event: ConsoleApiCalled = read(params)?;
                let text: Vec<String> = event.args.iter().map(RemoteObject::shown).collect();
                sink.event(DriverEvent::Console {
                    surface: id,
                    level: console_level(&event.kind),
                    text: text.join(" "),
                    place: place_of(event.stack_trace.as_ref()),
                });
            }
            "Runtime.exceptionThrown" => {
                let event: ExceptionThrown = read(params)?;
                let details = &event.exception_details;
                let place = place_of(details.stack_trace.as_ref())
                    .or_else(|| details.url.as_ref().map(|url| format!("{url}:{}", details.line_number + 1)));
                sink.event(DriverEvent::Console {
                    surface: id,
                    level: ConsoleLevel::Error,
                    text: details.message(),
                    place,
                });
            }
            "Inspector.targetCrashed" => sink.event(DriverEvent::SurfaceCrashed { surface: id }),
            "Input.dragIntercepted" => surface.drag_began(read::<DragIntercepted>(params)?.data),
            _ => {}
        }
        Some(())
    }
}

/// Holds the browser weakly: the reader must not keep it alive.
struct Handler(Weak<Shared>);

impl EventHandler for Handler {
    fn event(&self, session: Option<&str>, method: &str, params: &RawValue) {
        let Some(shared) = self.0.upgrade() else { return };
        match method {
            "Target.attachedToTarget" => {
                if let Some(event) = read(params) {
                    shared.attached(event, session);
                }
            }
            "Target.detachedFromTarget" => {
                if let Some(event) = read::<DetachedFromTarget>(params) {
                    shared.detached(&event.session_id);
                }
            }
            "Browser.downloadWillBegin" => {
                if let Some(event) = read(params) {
                    shared.download_began(event);
                }
            }
            "Browser.downloadProgress" => {
                if let Some(event) = read(params) {
                    shared.download_moved_on(event);
                }
            }
            _ => {
                if let Some((surface, session)) = shared.of_session(session) {
                    // An event that does not have the promised shape is passed over, not guessed at.
                    let _understood: Option<()> = shared.page_event(&surface, &session, method, params);
                }
            }
        }
    }

    fn closed(&self) {
        let Some(shared) = self.0.upgrade() else { return };
        shared.sink.event(DriverEvent::BrowserGone);
        shared.tabs_changed.notify_waiters();
    }
}

fn read<'a, T: Deserialize<'a>>(params: &'a RawValue) -> Option<T> {
    serde_json::from_str(params.get()).ok()
}

pub(crate) fn parse<'a, T: Deserialize<'a>>(reply: &'a RawValue) -> Result<T, DriverError> {
    serde_json::from_str(reply.get()).map_err(|err| DriverError::Refused {
        method: "a reply of the browser".to_string(),
        message: err.to_string(),
    })
}

fn auto_attach() -> serde_json::Value {
    // Workers are let go of at once, but must be attached to for that: one that is left out here waits for ever
    // to be told to run.
    json!({
        "autoAttach": true,
        "waitForDebuggerOnStart": true,
        "flatten": true,
        "filter": [{ "type": "page" }, { "type": "iframe" }, { "type": "worker" }],
    })
}

fn request_kind(kind: &str) -> RequestKind {
    match kind {
        "Document" => RequestKind::Document,
        "XHR" | "Fetch" | "Preflight" => RequestKind::Fetch,
        "Ping" => RequestKind::Beacon,
        "EventSource" | "WebSocket" | "Media" => RequestKind::Stream,
        _ => RequestKind::Resource,
    }
}

fn console_level(kind: &str) -> ConsoleLevel {
    match kind {
        "error" | "assert" => ConsoleLevel::Error,
        "warning" => ConsoleLevel::Warning,
        "debug" => ConsoleLevel::Debug,
        _ => ConsoleLevel::Info,
    }
}

fn place_of(stack: Option<&StackTrace>) -> Option<String> {
    let top = stack?.call_frames.first()?;
    (!top.url.is_empty()).then(|| format!("{}:{}", top.url, top.line_number + 1))
}
