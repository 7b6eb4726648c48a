//! A running Chromium: its targets, and what it tells by itself.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use self::attaching::auto_attach;
use assay_dom::{PageScripts, Sleep, page_scripts, random_key};
use assay_driver::{
    Browser, BrowserInfo, Capability, ContextId, ContextSettings, Deadline, DriverError, DriverEvent,
    EventSink, LaunchOptions, Reply, Surface, SurfaceId,
};
use assay_wire::{BrowserProcess, Connection, Downloads, EventHandler, WebSocket, wait_until};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::net::UnixStream;
use tokio::sync::OnceCell;

use crate::opening::Opening;
use crate::protocol::*;
use crate::refusal::refusal;
use crate::surface::{Beginning, ChromiumSurface};

mod attaching;
mod events;

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
    /// How the browser calls itself.
    user_agent: OnceLock<String>,
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
    /// What the tabs of a context are made to believe, and who answers for their servers. The context that the browser
    /// began with may have no name.
    settings: HashMap<String, ContextSettings>,
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
                state.settings.remove(&context.0);
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
            user_agent: OnceLock::new(),
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
        self.user_agent.get_or_init(|| version.user_agent);
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
        let check_open = || if self.connection().is_closed() { Err(DriverError::Lost) } else { Ok(()) };
        wait_until(&self.tabs_changed, || holds(&self.state()), check_open, deadline).await
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

    pub fn user_agent(&self) -> &str {
        self.user_agent.get().map_or("", String::as_str)
    }

    /// The settings of a context, to be looked at or changed.
    pub fn with_settings<T>(
        &self,
        context: Option<&str>,
        change: impl FnOnce(&mut ContextSettings) -> T,
    ) -> T {
        change(self.state().settings.entry(context.unwrap_or_default().to_string()).or_default())
    }

    pub fn surfaces_in(&self, context: Option<&str>) -> Vec<Arc<ChromiumSurface>> {
        let state = self.state();
        state.surfaces.values().filter(|surface| surface.context() == context).cloned().collect()
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
