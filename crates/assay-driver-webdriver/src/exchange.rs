//! The commands of one session, one after the other.
//!
//! A session has one current window and one current frame, so nobody may speak between the choice of a
//! window and the command for it. Whoever wants something takes the session for that long. What was
//! begun is ended even when nobody waits for it any more: the server does the same.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use assay_dom::{PageScripts, Sleep};
use assay_driver::{
    Deadline, DriverError, DriverEvent, EventSink, Frame, FrameId, Reply, SurfaceId, WebPage,
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

use crate::look::{Look, Tab, main_frame};
use crate::protocol::{Code, Method, Trouble};
use crate::session::RemoteSession;
use crate::surface::WebDriverSurface;

/// One session with all that is known of its tabs.
pub(crate) struct Shared {
    pub session: RemoteSession,
    pub scripts: PageScripts,
    /// The word by which our things in a page are known, which no page can guess.
    key: String,
    sink: Arc<dyn EventSink>,
    place: Arc<tokio::sync::Mutex<SessionPosition>>,
    state: Mutex<State>,
}

struct State {
    tabs: Vec<Tab>,
    gone: bool,
    /// When something was last done, and when the page was last given input.
    used: Instant,
    given: Instant,
    /// A window that was opened so that the last tab could be closed.
    spare: Option<String>,
}

/// Where the session is: unknown after a mishap.
#[derive(Default)]
struct SessionPosition {
    window: Option<String>,
    frame: Option<FrameId>,
    script_limit: Duration,
}

/// Why there is no answer.
pub(crate) enum Halt {
    /// A dialog is open, and was announced: it must be answered first.
    Dialog,
    Error(DriverError),
}

impl From<DriverError> for Halt {
    fn from(err: DriverError) -> Halt {
        Halt::Error(err)
    }
}

/// What can be done with the session while it is held.
pub(crate) struct Exchange {
    shared: Arc<Shared>,
    place: OwnedMutexGuard<SessionPosition>,
    pub deadline: Deadline,
}

pub(crate) type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T, Halt>> + Send + 'a>>;

/// What a document answered (`document.js`).
#[derive(Deserialize)]
struct DocumentAnswer {
    look: Look,
    #[serde(default)]
    missing: bool,
    #[serde(default)]
    left: bool,
    text: Option<String>,
    error: Option<String>,
}

const DOCUMENT_SCRIPT: &str = include_str!("document.js");

impl Shared {
    pub fn new(
        session: RemoteSession,
        scripts: PageScripts,
        key: String,
        sink: Arc<dyn EventSink>,
    ) -> Arc<Shared> {
        let now = Instant::now();
        let state = State { tabs: Vec::new(), gone: false, used: now, given: now, spare: None };
        Arc::new(Shared { session, scripts, key, sink, place: Arc::default(), state: Mutex::new(state) })
    }

    /// Takes the session, does `work` and gives the session back.
    pub fn run<T: Send + 'static>(
        self: &Arc<Self>,
        deadline: Deadline,
        work: impl for<'a> FnOnce(&'a mut Exchange) -> Work<'a, T> + Send + 'static,
    ) -> Reply<'static, T> {
        let shared = Arc::clone(self);
        Box::pin(async move {
            let (tell, told) = tokio::sync::oneshot::channel();
            tokio::spawn(async move {
                let place = Arc::clone(&shared.place).lock_owned();
                let Ok(place) = tokio::time::timeout_at(deadline.instant(), place).await else { return };
                // What nobody waits for any more must not be begun.
                if tell.is_closed() {
                    return;
                }
                shared.state().used = Instant::now();
                let mut exchange = Exchange { shared, place, deadline };
                let done = work(&mut exchange).await;
                drop(exchange);
                // The caller may have given up meanwhile.
                let _heard = tell.send(done);
            });
            match tokio::time::timeout_at(deadline.instant(), told).await {
                Ok(Ok(Ok(done))) => Ok(done),
                Ok(Ok(Err(Halt::Error(err)))) => Err(err),
                // The seam has no word for it: the reply stays out, and the dialog was announced.
                Ok(Ok(Err(Halt::Dialog))) => {
                    tokio::time::sleep_until(deadline.instant()).await;
                    Err(DriverError::Timeout)
                }
                Ok(Err(_)) | Err(_) => Err(DriverError::Timeout),
            }
        })
    }

    /// Looks around if nobody is using the session.
    pub async fn look_if_idle(self: &Arc<Self>) {
        let Ok(place) = Arc::clone(&self.place).try_lock_owned() else { return };
        let Some(window) = self.window_to_look_at(place.window.as_deref()) else { return };
        let deadline = Deadline::after(Duration::from_secs(10));
        let mut exchange = Exchange { shared: Arc::clone(self), place, deadline };
        // What stands in the way is told by events, or by the next command.
        let _looked = exchange.look_around(&window).await;
    }

    /// A tab that is loading or new before the one that was used last.
    fn window_to_look_at(&self, current: Option<&str>) -> Option<String> {
        let state = self.state();
        let busy = state.tabs.iter().rev().find(|tab| is_settling(tab) && !tab.dialog);
        let current = state.tabs.iter().find(|tab| Some(tab.handle.as_str()) == current);
        busy.or(current).or(state.tabs.last()).map(|tab| tab.handle.clone())
    }

    /// How long until the next look: short while something is likely to happen.
    pub fn pause(&self) -> Option<Duration> {
        let state = self.state();
        if state.gone {
            return None;
        }
        let settling = state.given.elapsed() < Duration::from_secs(1) || state.tabs.iter().any(is_settling);
        Some(Duration::from_millis(match (settling, state.used.elapsed() < Duration::from_secs(10)) {
            (true, _) => 60,
            (false, true) => 300,
            (false, false) => 2000,
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn with_tab<T>(&self, handle: &str, look: impl FnOnce(&mut Tab) -> T) -> Option<T> {
        self.state().tabs.iter_mut().find(|tab| tab.handle == handle).map(look)
    }

    pub fn frames(&self, handle: &str) -> Vec<Frame> {
        self.with_tab(handle, |tab| tab.frames()).unwrap_or_default()
    }

    pub fn lose(&self) {
        let mut state = self.state();
        if !std::mem::replace(&mut state.gone, true) {
            state.tabs.clear();
            drop(state);
            self.sink.event(DriverEvent::BrowserGone);
        }
    }

    fn close_tab(&self, handle: &str) {
        let mut state = self.state();
        let before = state.tabs.len();
        state.tabs.retain(|tab| tab.handle != handle);
        if state.tabs.len() < before {
            drop(state);
            self.sink.event(DriverEvent::SurfaceClosed { surface: SurfaceId(handle.to_string()) });
        }
    }

    fn set_dialog(&self, handle: &str, message: Option<&str>) {
        let before = self.with_tab(handle, |tab| std::mem::replace(&mut tab.dialog, message.is_some()));
        let surface = SurfaceId(handle.to_string());
        match (before, message) {
            (Some(false), Some(message)) => self.sink.event(DriverEvent::DialogOpened {
                surface,
                // WebDriver tells neither the kind of a dialog nor what it proposes.
                kind: "dialog".to_string(),
                message: message.to_string(),
                default: None,
            }),
            (Some(true), None) => self.sink.event(DriverEvent::DialogClosed { surface }),
            _ => {}
        }
    }
}

/// A new tab shows an empty page first, whatever it is going to show.
fn is_settling(tab: &Tab) -> bool {
    const NEW: Duration = Duration::from_secs(2);
    !tab.loaded || (tab.opened.elapsed() < NEW && tab.url() == "about:blank")
}

impl Exchange {
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub async fn get(&mut self, path: &str) -> Result<Value, Halt> {
        self.command(Method::Get, path, None).await
    }

    pub async fn post(&mut self, path: &str, body: Value) -> Result<Value, Halt> {
        self.command(Method::Post, path, Some(body)).await
    }

    pub async fn command(&mut self, method: Method, path: &str, body: Option<Value>) -> Result<Value, Halt> {
        match self.try_command(method, path, body).await {
            Ok(value) => Ok(value),
            Err(trouble) => Err(self.halt(path, trouble).await),
        }
    }

    /// The same, for callers that can make something of a refusal.
    pub async fn try_command(
        &mut self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Value, Trouble> {
        self.shared.session.send(method, path, body.as_ref(), self.deadline).await
    }

    /// Notes what a refusal says about the session, and gives it the name it has at the seam.
    pub async fn halt(&mut self, path: &str, trouble: Trouble) -> Halt {
        let refused = |message: String| DriverError::Refused { method: format!("WebDriver {path}"), message };
        let (code, message, alert) = match trouble {
            Trouble::Refused { code, message, alert } => (code, message, alert),
            Trouble::NothingListens | Trouble::Unreachable(_) => {
                self.shared.lose();
                return DriverError::Lost.into();
            }
            Trouble::NoAnswer => {
                *self.place = SessionPosition::default();
                return DriverError::Timeout.into();
            }
            foreign @ Trouble::Foreign { .. } => return refused(foreign.to_string()).into(),
        };
        match code {
            Code::UnexpectedAlert => {
                if let Some(window) = self.place.window.clone() {
                    let text = match alert {
                        Some(text) => text,
                        None => self.dialog_text().await.unwrap_or_default(),
                    };
                    self.shared.set_dialog(&window, Some(&text));
                }
                Halt::Dialog
            }
            Code::NoSuchWindow => {
                let window = std::mem::take(&mut self.place.window);
                self.place.frame = None;
                if let Some(window) = window {
                    self.shared.close_tab(&window);
                }
                DriverError::Closed.into()
            }
            Code::NoSuchFrame | Code::NoSuchElement | Code::StaleElement | Code::Navigated => {
                let frame = self.place.frame.take();
                if let (Some(window), Some(frame)) = (&self.place.window, frame) {
                    self.shared.with_tab(window, |tab| tab.forget(&frame));
                }
                DriverError::DocumentGone.into()
            }
            Code::ScriptTimeout | Code::Timeout => DriverError::Timeout.into(),
            Code::InvalidSession => {
                self.shared.lose();
                DriverError::Lost.into()
            }
            Code::Crashed => {
                if let Some(window) = &self.place.window {
                    let surface = SurfaceId(window.clone());
                    self.shared.sink.event(DriverEvent::SurfaceCrashed { surface });
                }
                DriverError::Crashed.into()
            }
            Code::JavaScript => DriverError::Script { message }.into(),
            Code::NoSuchAlert | Code::UnknownCommand | Code::SessionNotCreated | Code::Other(_) => {
                refused(message).into()
            }
        }
    }

    async fn dialog_text(&mut self) -> Option<String> {
        let text = self.try_command(Method::Get, "/alert/text", None).await.ok()?;
        text.as_str().map(str::to_string)
    }

    /// Makes a window the current one, with its page as the current frame.
    pub async fn in_window(&mut self, window: &str) -> Result<(), Halt> {
        if self.place.window.as_deref() != Some(window) {
            self.place.frame = None;
            // Named before the answer: a refusal is about this one.
            self.place.window = Some(window.to_string());
            self.post("/window", json!({ "handle": window })).await?;
        }
        if self.place.frame != Some(main_frame()) {
            self.post("/frame", json!({ "id": null })).await?;
            self.place.frame = Some(main_frame());
        }
        Ok(())
    }

    pub async fn in_frame(&mut self, window: &str, frame: &FrameId) -> Result<(), Halt> {
        if self.place.window.as_deref() == Some(window) && self.place.frame.as_ref() == Some(frame) {
            return Ok(());
        }
        let way = self.shared.with_tab(window, |tab| tab.way_to(frame)).ok_or(DriverError::Closed)?;
        let way = way.ok_or(DriverError::DocumentGone)?;
        self.in_window(window).await?;
        for (step, element) in way {
            self.place.frame = Some(step);
            if let Err(err) = self.post("/frame", json!({ "id": element })).await {
                self.place.frame = None;
                return Err(err);
            }
        }
        Ok(())
    }

    pub async fn script(&mut self, script: &str, arguments: Value) -> Result<Value, Halt> {
        let trouble = match self.try_script(script, arguments).await? {
            Ok(value) => return Ok(value),
            Err(trouble) => trouble,
        };
        Err(self.halt("/execute/sync", trouble).await)
    }

    /// Runs the body of a function in the current frame. Promises are awaited.
    pub async fn try_script(
        &mut self,
        script: &str,
        arguments: Value,
    ) -> Result<Result<Value, Trouble>, Halt> {
        self.limit_scripts().await?;
        let body = json!({ "script": script, "args": arguments });
        Ok(self.try_command(Method::Post, "/execute/sync", Some(body)).await)
    }

    /// The server ends scripts by itself; set in wide steps, because it costs a command.
    async fn limit_scripts(&mut self) -> Result<(), Halt> {
        let needed = self.deadline.remaining();
        let limit = [5, 30, 120].map(Duration::from_secs).into_iter().find(|step| *step >= needed);
        let limit = limit.unwrap_or(Duration::from_secs(600));
        if self.place.script_limit != limit {
            self.post("/timeouts", json!({ "script": limit.as_millis() as u64 })).await?;
            self.place.script_limit = limit;
        }
        Ok(())
    }

    /// Calls a function of the page script, which is installed where it is missing.
    pub async fn call(
        &mut self,
        window: &str,
        frame: &FrameId,
        function: &str,
        arguments: &str,
    ) -> Result<String, Halt> {
        let mut installed = false;
        loop {
            self.in_frame(window, frame).await?;
            let answer = self.ask_document(window, frame, Some((function, arguments))).await?;
            if answer.left {
                return Err(DriverError::DocumentGone.into());
            }
            if let Some(message) = answer.error {
                return Err(DriverError::Script { message }.into());
            }
            if let Some(text) = answer.text {
                return Ok(text);
            }
            if installed && answer.missing {
                // Replaced again in the moment between.
                return Err(DriverError::DocumentGone.into());
            }
            let scripts = &self.shared.scripts;
            let both = format!("{}\n{}\nreturn true;", scripts.main, scripts.isolated(Sleep::Awake));
            self.script(&both, json!([])).await?;
            installed = true;
        }
    }

    async fn ask_document(
        &mut self,
        window: &str,
        frame: &FrameId,
        call: Option<(&str, &str)>,
    ) -> Result<DocumentAnswer, Halt> {
        let (function, given) = call.unzip();
        let value = self.script(DOCUMENT_SCRIPT, json!([self.shared.key, function, given])).await?;
        if value.is_null() {
            // Both ChromeDriver and WebKit's driver let go of a script when a dialog opens.
            return Err(match self.dialog_text().await {
                Some(text) => {
                    self.shared.set_dialog(window, Some(&text));
                    Halt::Dialog
                }
                None => DriverError::DocumentGone.into(),
            });
        }
        self.shared.set_dialog(window, None);
        let mut answer: DocumentAnswer = serde_json::from_value(value).map_err(|err| {
            DriverError::Script { message: format!("a document answered something else: {err}") }
        })?;
        let nothing = Look::empty();
        let look = std::mem::replace(&mut answer.look, nothing);
        self.shared.with_tab(window, |tab| tab.take_in(frame, look, &self.shared.sink));
        Ok(answer)
    }

    /// Takes note of the windows there are, of the document in one of them, and of its new frames.
    pub async fn look_around(&mut self, window: &str) -> Result<(), Halt> {
        let known = self.note_windows(Some(window)).await?;
        if !known {
            return Err(DriverError::Closed.into());
        }
        self.look(window).await?;
        // Frames that come and go while they are looked at must not keep us here.
        for _ in 0..50 {
            let Some(frame) = self.shared.with_tab(window, |tab| tab.unseen_frame()).flatten() else { break };
            let seen = async {
                self.in_frame(window, &frame).await?;
                self.ask_document(window, &frame, None).await.map(drop)
            };
            match seen.await {
                Err(Halt::Error(DriverError::DocumentGone)) => {
                    self.shared.with_tab(window, |tab| tab.forget(&frame));
                }
                other => other?,
            }
        }
        Ok(())
    }

    pub async fn look(&mut self, window: &str) -> Result<(), Halt> {
        self.in_window(window).await?;
        self.ask_document(window, &main_frame(), None).await.map(drop)
    }

    /// The page was given something to do: what follows from it is looked for.
    pub async fn after_input(&mut self, window: &str) -> Result<(), Halt> {
        self.shared.state().given = Instant::now();
        match self.look_around(window).await {
            // The input was taken; what it did is told by events.
            Err(Halt::Dialog | Halt::Error(DriverError::DocumentGone | DriverError::Closed)) => Ok(()),
            other => other,
        }
    }

    /// Announces windows that came and went. False when `window` is not among them.
    pub async fn note_windows(&mut self, window: Option<&str>) -> Result<bool, Halt> {
        let handles = self.get("/window/handles").await?;
        let handles: Vec<String> = serde_json::from_value(handles).unwrap_or_default();
        let (gone, new) = {
            let state = self.shared.state();
            let gone: Vec<String> = state
                .tabs
                .iter()
                .filter(|tab| !handles.contains(&tab.handle))
                .map(|tab| tab.handle.clone())
                .collect();
            let new: Vec<String> = handles
                .iter()
                .filter(|handle| {
                    state.spare.as_ref() != Some(handle)
                        && !state.tabs.iter().any(|tab| tab.handle == **handle)
                })
                .cloned()
                .collect();
            (gone, new)
        };
        for handle in gone {
            if self.place.window.as_ref() == Some(&handle) {
                *self.place =
                    SessionPosition { script_limit: self.place.script_limit, ..SessionPosition::default() };
            }
            self.shared.close_tab(&handle);
        }
        for handle in new {
            self.announce(&handle, window).await?;
        }
        Ok(window.is_none_or(|window| handles.iter().any(|handle| handle == window)))
    }

    /// Takes a new window into the list of tabs.
    pub async fn announce(&mut self, handle: &str, opener: Option<&str>) -> Result<(), Halt> {
        self.shared.state().tabs.push(Tab::new(handle.to_string()));
        let surface: Arc<dyn WebPage> =
            Arc::new(WebDriverSurface::new(Arc::clone(&self.shared), handle.to_string()));
        let opener = opener.map(|opener| SurfaceId(opener.to_string()));
        self.shared.sink.event(DriverEvent::SurfaceOpened {
            surface,
            context: None,
            opener,
            url: "about:blank".to_string(),
        });
        match self.look(handle).await {
            Err(Halt::Error(DriverError::DocumentGone | DriverError::Closed) | Halt::Dialog) => Ok(()),
            other => other,
        }
    }

    /// Opens a window and announces it.
    pub async fn open_window(&mut self) -> Result<String, Halt> {
        let spare = self.shared.state().spare.take();
        let handle = match spare {
            Some(handle) => handle,
            None => self.new_window().await?,
        };
        self.announce(&handle, None).await?;
        Ok(handle)
    }

    async fn new_window(&mut self) -> Result<String, Halt> {
        // A window that is gone cannot open another.
        if self.place.window.is_none() {
            let some = self.shared.state().tabs.last().map(|tab| tab.handle.clone());
            if let Some(window) = some {
                self.in_window(&window).await?;
            }
        }
        let opened = self.post("/window/new", json!({ "type": "tab" })).await?;
        opened["handle"].as_str().map(str::to_string).ok_or_else(|| {
            let message = "the answer names no window".to_string();
            DriverError::Refused { method: "WebDriver /window/new".to_string(), message }.into()
        })
    }

    /// Closes a window. A session ends with its last one, so another is opened first.
    pub async fn close_window(&mut self, window: &str) -> Result<(), Halt> {
        self.in_window(window).await?;
        if self.shared.state().tabs.len() == 1 {
            let spare = self.new_window().await?;
            self.shared.state().spare = Some(spare);
        }
        self.command(Method::Delete, "/window", None).await?;
        *self.place = SessionPosition { script_limit: self.place.script_limit, ..SessionPosition::default() };
        self.shared.close_tab(window);
        let next = {
            let state = self.shared.state();
            state.tabs.last().map(|tab| tab.handle.clone()).or_else(|| state.spare.clone())
        };
        match next {
            Some(next) => self.in_window(&next).await,
            None => Ok(()),
        }
    }

    /// Answers the dialog of a window: None dismisses, Some accepts with that text.
    pub async fn answer_dialog(&mut self, window: &str, accept: Option<&str>) -> Result<(), Halt> {
        if self.place.window.as_deref() != Some(window) {
            self.place.window = Some(window.to_string());
            self.place.frame = None;
            self.post("/window", json!({ "handle": window })).await?;
        }
        if let Some(text) = accept.filter(|text| !text.is_empty()) {
            // Only a prompt takes text; the others are accepted as they are.
            let _typed = self.try_command(Method::Post, "/alert/text", Some(json!({ "text": text }))).await;
        }
        let path = if accept.is_some() { "/alert/accept" } else { "/alert/dismiss" };
        self.post(path, json!({})).await?;
        self.shared.set_dialog(window, None);
        // Not looked at now: the next dialog of the same script must come after the end of this one is told.
        self.shared.state().given = Instant::now();
        Ok(())
    }
}
