//! A running browser that speaks BiDi: its tabs, and what it tells by itself.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use assay_dom::{PageScripts, Sleep, page_scripts, random_key};
use assay_driver::{
    Browser, BrowserInfo, Capability, ContextId, ContextSettings, Deadline, DriverError, DriverEvent,
    EventSink, LaunchOptions, Reply, SurfaceId, Viewport, WebPage,
};
use assay_wire::{
    BrowserProcess, Connection, Downloads, EventHandler, WebSocket, open_own_websocket, wait_until,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::protocol::*;
use crate::refusal::refusal;
use crate::surface::BidiSurface;

mod events;

/// The world of our own in every document.
pub(crate) const SANDBOX: &str = "assay";

/// What the page script has to know of this engine: in a date field four digits of a year lead on to the next part,
/// and text is typed by keys where the editor's own command would tell a page less.
pub(crate) const HABITS: &str = "globalThis.yearLeadsOn = true; globalThis.typesByKeys = true;";

pub(crate) struct BidiBrowser {
    shared: Arc<Shared>,
    process: Option<BrowserProcess>,
    product: String,
    /// Whether the session was made by us, and is to be ended by us.
    own_session: bool,
}

/// Whose session it is that we talk in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Session {
    /// Ours, in a browser that we started.
    Ours,
    /// Ours, in somebody else's browser.
    Made,
    /// There before us.
    Theirs,
}

/// What the reader and the surfaces need to know.
pub(crate) struct Shared {
    connection: OnceLock<Arc<Connection>>,
    sink: Arc<dyn EventSink>,
    pub scripts: PageScripts,
    pub options: LaunchOptions,
    /// Whether sizes are ours to set: not in a window, and not in somebody else's browser.
    own_viewport: bool,
    downloads: Downloads,
    state: Mutex<State>,
    tabs_changed: tokio::sync::Notify,
}

#[derive(Default)]
struct State {
    surfaces: HashMap<String, Arc<BidiSurface>>,
    /// User contexts that were made for one tab.
    isolated: HashSet<String>,
    /// What the tabs of a user context are made to believe, and who answers for their servers.
    settings: HashMap<String, ContextSettings>,
    /// The page clock of a user context, by the name under which the browser keeps it for documents to come.
    clock_scripts: HashMap<String, String>,
    /// The name under which the browser holds requests back for routes.
    held_for_routes: Option<String>,
}

const PAINTED: Duration = Duration::from_secs(3);

/// Whole modules: no browser knows all events, and an unknown one would refuse the rest.
/// Every event costs the browser time, so what a later one tells as well is not asked for.
const EVENTS: &[&str] = &[
    "browsingContext",
    "network.beforeRequestSent",
    "network.responseCompleted",
    "network.fetchError",
    "log",
];

impl BidiBrowser {
    pub async fn launched(
        process: BrowserProcess,
        address: &str,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Result<Arc<BidiBrowser>, DriverError> {
        let own_viewport = options.headless;
        let shared = Shared::new(options, sink, own_viewport);
        let begun = async {
            let stream = open_own_websocket(address, deadline).await?;
            let product = shared.begin(stream, Session::Ours, deadline).await?;
            shared.wait_until(|state| !state.surfaces.is_empty(), deadline).await?;
            Ok(product)
        };
        match begun.await {
            Ok(product) => {
                Ok(Arc::new(BidiBrowser { shared, process: Some(process), product, own_session: true }))
            }
            Err(DriverError::Timeout) => Err(DriverError::LaunchFailed {
                driver: "firefox",
                reason: "it did not answer in time".to_string(),
                output: process.output(),
            }),
            Err(err) => {
                // What it wrote on its way out says more than a broken connection.
                tokio::time::sleep(Duration::from_millis(50)).await;
                let reason = format!("it did not begin a session: {err}");
                Err(DriverError::LaunchFailed { driver: "firefox", reason, output: process.output() })
            }
        }
    }

    pub async fn attached(
        stream: WebSocket,
        own_session: bool,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Result<Arc<BidiBrowser>, DriverError> {
        let shared = Shared::new(options, sink, false);
        let session = if own_session { Session::Made } else { Session::Theirs };
        let product = shared.begin(stream, session, deadline).await?;
        let browser = Arc::new(BidiBrowser { shared, process: None, product, own_session });
        if browser.shared.state().surfaces.is_empty() {
            browser.open(None, deadline).await?;
        }
        Ok(browser)
    }
}

impl Browser for BidiBrowser {
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

    fn open_context(&self, deadline: Deadline) -> Reply<'_, ContextId> {
        Box::pin(async move {
            let connection = self.shared.connection();
            let reply = connection.call(None, "browser.createUserContext", json!({}), deadline).await?;
            let own: UserContext = parse(&reply)?;
            self.shared.prepare_user_context(Some(&own.user_context), deadline).await?;
            self.shared.state().isolated.insert(own.user_context.clone());
            Ok(ContextId(own.user_context))
        })
    }

    fn close_context(&self, context: ContextId, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let ContextId(own) = context;
            if !self.shared.state().isolated.remove(&own) {
                return Ok(());
            }
            self.shared.forget_settings(&own);
            let params = json!({ "userContext": own });
            self.shared.connection().call(None, "browser.removeUserContext", params, deadline).await?;
            let is_empty = |state: &State| !state.surfaces.values().any(|tab| tab.user_context() == own);
            self.shared.wait_until(is_empty, deadline).await
        })
    }

    fn open(&self, context: Option<ContextId>, deadline: Deadline) -> Reply<'_, SurfaceId> {
        Box::pin(async move {
            let connection = self.shared.connection();
            let mut params = json!({ "type": "tab" });
            if let Some(context) = context {
                params["userContext"] = json!(context.0);
            }
            let before = self.shared.open_tabs();
            let reply = connection.send(None, "browsingContext.create", params);
            // The answer waits for the tab in front to be painted, which a stuck one never is. The new tab
            // is there all the same.
            match reply.until(deadline.at_most(PAINTED)).await {
                Ok(reply) => {
                    let created: ContextCreated = parse(&reply)?;
                    self.shared
                        .wait_until(|state| state.surfaces.contains_key(&created.context), deadline)
                        .await?;
                    Ok(SurfaceId(created.context))
                }
                Err(DriverError::Timeout) => {
                    let new = self.shared.open_tabs().into_iter().find(|tab| !before.contains(tab));
                    new.map(SurfaceId).ok_or(DriverError::Timeout)
                }
                Err(err) => Err(err),
            }
        })
    }

    fn close(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let connection = self.shared.connection();
            let Some(process) = &self.process else {
                if self.own_session {
                    // A browser that is gone has no session left to end.
                    let _ended = connection.call(None, "session.end", json!({}), deadline).await;
                }
                return Ok(());
            };
            // Closing in order takes seconds, and what it would save is thrown away.
            process.end(Duration::ZERO).await;
            Ok(())
        })
    }
}

impl Shared {
    fn new(options: LaunchOptions, sink: Arc<dyn EventSink>, own_viewport: bool) -> Arc<Shared> {
        Arc::new(Shared {
            connection: OnceLock::new(),
            sink,
            scripts: page_scripts(&random_key()),
            downloads: Downloads::new(&options.downloads),
            options,
            own_viewport,
            state: Mutex::new(State::default()),
            tabs_changed: tokio::sync::Notify::new(),
        })
    }

    async fn begin(
        self: &Arc<Self>,
        stream: WebSocket,
        session: Session,
        deadline: Deadline,
    ) -> Result<String, DriverError> {
        let handler = Arc::new(Handler(Arc::downgrade(self)));
        let connection = self.connection.get_or_init(|| Connection::over_websocket(stream, refusal, handler));
        let mut product = "a browser".to_string();
        if session != Session::Theirs {
            let capabilities = json!({ "capabilities": { "alwaysMatch": {
                "acceptInsecureCerts": true,
                "unhandledPromptBehavior": { "default": "ignore" },
            } } });
            let reply = connection.call(None, "session.new", capabilities, deadline).await?;
            let made: SessionNew = parse(&reply)?;
            product = product_name(&made.capabilities);
        }
        if session == Session::Ours {
            self.replace_first_tab(deadline).await?;
        }
        // Sent in one go; each must be answered before the first page is opened.
        let pulse = json!({ "functionDeclaration": format!("() => {{\n{}\n}}", self.scripts.main) });
        let isolated = self.scripts.isolated(Sleep::Brought);
        let page = json!({
            "functionDeclaration": format!("() => {{\n{HABITS}\n{isolated}\n}}"),
            "sandbox": SANDBOX,
        });
        let replies = [
            connection.send(None, "script.addPreloadScript", pulse),
            connection.send(None, "script.addPreloadScript", page),
            connection.send(None, "session.subscribe", json!({ "events": EVENTS })),
        ];
        for reply in replies {
            reply.until(deadline).await?;
        }
        self.prepare_user_context(None, deadline).await?;
        let tree = connection.call(None, "browsingContext.getTree", json!({}), deadline).await?;
        for context in parse::<Tree>(&tree)?.contexts {
            self.context_created(context);
        }
        Ok(product)
    }

    /// Downloads and the size of pages are set for all tabs of a user context at once.
    async fn prepare_user_context(&self, own: Option<&str>, deadline: Deadline) -> Result<(), DriverError> {
        let connection = self.connection();
        let mut folder = json!({
            "downloadBehavior": {
                "type": "allowed", "destinationFolder": self.landing().display().to_string(),
            },
        });
        if let Some(own) = own {
            folder["userContexts"] = json!([own]);
        }
        let downloads = connection.send(None, "browser.setDownloadBehavior", folder);
        if self.own_viewport {
            let size = self.options.viewport;
            let params = json!({
                "userContexts": [own.unwrap_or("default")],
                "viewport": { "width": size.width, "height": size.height },
                "devicePixelRatio": size.scale,
            });
            connection.call(None, "browsingContext.setViewport", params, deadline).await?;
        }
        match downloads.until(deadline).await {
            // Others than Firefox may not know it; what is missing shows when something is downloaded.
            Ok(_) | Err(DriverError::Refused { .. }) => Ok(()),
            Err(err) => Err(err),
        }
    }

    /// Where the browser itself writes: it has its own way of naming what is there already.
    fn landing(&self) -> PathBuf {
        if self.options.profile.as_os_str().is_empty() {
            return self.options.downloads.clone();
        }
        self.options.profile.join("downloads")
    }

    pub fn connection(&self) -> &Arc<Connection> {
        self.connection.get().expect("the connection is made before anything can use it")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The settings of a user context, to be looked at or changed.
    pub fn with_settings<T>(&self, own: &str, change: impl FnOnce(&mut ContextSettings) -> T) -> T {
        change(self.state().settings.entry(own.to_string()).or_default())
    }

    pub fn surfaces_in(&self, own: &str) -> Vec<Arc<BidiSurface>> {
        self.state().surfaces.values().filter(|tab| tab.user_context() == own).cloned().collect()
    }

    /// The size of pages, where it is ours to set.
    pub fn own_view(&self) -> Option<Viewport> {
        self.own_viewport.then_some(self.options.viewport)
    }

    pub fn take_clock_script(&self, own: &str) -> Option<String> {
        self.state().clock_scripts.remove(own)
    }

    pub fn put_clock_script(&self, own: &str, script: String) {
        self.state().clock_scripts.insert(own.to_string(), script);
    }

    /// Whether any context has routes.
    pub fn has_routes(&self) -> bool {
        self.state().settings.values().any(|settings| !settings.routes.is_empty())
    }

    pub fn held_for_routes(&self) -> Option<String> {
        self.state().held_for_routes.clone()
    }

    pub fn set_held_for_routes(&self, intercept: Option<String>) {
        self.state().held_for_routes = intercept;
    }

    /// What was set for a context goes with it.
    fn forget_settings(&self, own: &str) {
        let (script, is_routed) = {
            let mut state = self.state();
            let routed = state.settings.remove(own).is_some_and(|settings| !settings.routes.is_empty());
            (state.clock_scripts.remove(own), routed)
        };
        if let Some(script) = script {
            drop(self.connection().send(None, "script.removePreloadScript", json!({ "script": script })));
        }
        if is_routed
            && !self.has_routes()
            && let Some(intercept) = self.state().held_for_routes.take()
        {
            drop(self.connection().send(None, "network.removeIntercept", json!({ "intercept": intercept })));
        }
    }

    fn open_tabs(&self) -> Vec<String> {
        self.state().surfaces.keys().cloned().collect()
    }

    pub fn is_open(&self, context: &str) -> bool {
        self.state().surfaces.contains_key(context)
    }

    async fn wait_until(
        &self,
        mut holds: impl FnMut(&State) -> bool,
        deadline: Deadline,
    ) -> Result<(), DriverError> {
        let check_open = || if self.connection().is_closed() { Err(DriverError::Lost) } else { Ok(()) };
        wait_until(&self.tabs_changed, || holds(&self.state()), check_open, deadline).await
    }

    /// The tab that a window begins with leaves the focus to the address bar, and nothing that is done in
    /// the page takes it from there. One that is opened by command has it. Done before anything is told.
    async fn replace_first_tab(&self, deadline: Deadline) -> Result<(), DriverError> {
        let connection = self.connection();
        let tree = connection.call(None, "browsingContext.getTree", json!({}), deadline).await?;
        let first = parse::<Tree>(&tree)?.contexts;
        connection.call(None, "browsingContext.create", json!({ "type": "tab" }), deadline).await?;
        for tab in first {
            let params = json!({ "context": tab.context });
            connection.call(None, "browsingContext.close", params, deadline).await?;
        }
        Ok(())
    }

    /// The name of a frame is its element's, which only the document around it knows.
    fn learn_name(self: &Arc<Self>, surface: &Arc<BidiSurface>, context: &str, parent: &str) {
        let params = json!({
            "context": parent,
            "locator": { "type": "context", "value": { "context": context } },
        });
        let reply = self.connection().send(None, "browsingContext.locateNodes", params);
        let (surface, context) = (Arc::downgrade(surface), context.to_string());
        tokio::spawn(async move {
            let Ok(raw) = reply.await else { return };
            let (Some(surface), Ok(nodes)) = (surface.upgrade(), parse::<Nodes>(&raw)) else { return };
            let name = nodes.nodes.first().and_then(NodeInfo::name);
            surface.contexts().named(&context, name.unwrap_or_default());
        });
    }

    /// A tab or a frame. The same one may be told twice: by its event and by the tree.
    fn context_created(self: &Arc<Self>, info: ContextInfo) {
        match &info.parent {
            Some(parent) => {
                if let Some(surface) = self.of_context(parent) {
                    surface.contexts().put(&info.context, Some(parent), &info.url);
                    self.learn_name(&surface, &info.context, parent);
                }
            }
            None => {
                let mut state = self.state();
                if !state.surfaces.contains_key(&info.context) {
                    let surface =
                        BidiSurface::new(Arc::clone(self), info.context.clone(), info.user_context.clone());
                    surface.contexts().put(&info.context, None, &info.url);
                    state.surfaces.insert(info.context.clone(), Arc::clone(&surface));
                    drop(state);
                    self.sink.event(DriverEvent::SurfaceOpened {
                        surface: surface as Arc<dyn WebPage>,
                        context: Some(ContextId(info.user_context.clone())),
                        opener: info.original_opener.map(SurfaceId),
                        url: info.url,
                    });
                    self.tabs_changed.notify_waiters();
                }
            }
        }
        for child in info.children.unwrap_or_default() {
            let parent = Some(info.context.clone());
            self.context_created(ContextInfo { parent, ..child });
        }
    }

    fn context_destroyed(&self, info: &ContextInfo) {
        let Some(surface) = self.of_context(&info.context) else { return };
        if info.parent.is_some() {
            surface.contexts().remove(&info.context);
            return;
        }
        let mut state = self.state();
        state.surfaces.remove(&info.context);
        let own = surface.user_context();
        let is_empty = !state.surfaces.values().any(|other| other.user_context() == own);
        let has_ended = is_empty && state.isolated.remove(own);
        drop(state);
        if has_ended {
            self.forget_settings(own);
            // Nobody waits for it: what was isolated is thrown away with its last tab.
            drop(self.connection().send(None, "browser.removeUserContext", json!({ "userContext": own })));
        }
        self.sink.event(DriverEvent::SurfaceClosed { surface: SurfaceId(info.context.clone()) });
        self.tabs_changed.notify_waiters();
    }

    /// The tab that a context is, or is a frame of.
    pub fn of_context(&self, context: &str) -> Option<Arc<BidiSurface>> {
        let state = self.state();
        state
            .surfaces
            .get(context)
            .or_else(|| state.surfaces.values().find(|surface| surface.contexts().holds(context)))
            .cloned()
    }

    pub fn tell(&self, event: DriverEvent) {
        self.sink.event(event);
    }
}

/// Holds the browser weakly: the reader must not keep it alive.
struct Handler(Weak<Shared>);

impl EventHandler for Handler {
    fn event(&self, _session: Option<&str>, method: &str, params: &RawValue) {
        let Some(shared) = self.0.upgrade() else { return };
        // An event that does not have the promised shape is passed over, not guessed at.
        let _understood: Option<()> = shared.event(method, params);
    }

    fn closed(&self) {
        let Some(shared) = self.0.upgrade() else { return };
        shared.sink.event(DriverEvent::BrowserGone);
        shared.tabs_changed.notify_waiters();
    }
}

fn product_name(capabilities: &Capabilities) -> String {
    let mut name = capabilities.browser_name.clone();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!("{name}/{}", capabilities.browser_version)
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

/// A command's parameters for one context.
pub(crate) fn in_context(context: &str, mut params: Value) -> Value {
    params["context"] = json!(context);
    params
}
