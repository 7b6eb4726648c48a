//! One tab of WebKit.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use assay_driver::{
    ArmedFault, Button, Capability, Capture, Deadline, DragPath, DriverError, DriverEvent, KeyStroke,
    Modifiers, Navigation, Point, PointerStep, Reply, Surface, SurfaceId, Viewport,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::browser::Shared;
use crate::connection::{PendingReply, Recipient};
use crate::dialogs::DialogState;
use crate::frames::FrameTable;
use crate::hand_over::HandOver;
use crate::input::{Pointer, key_commands, moves_choice};
use crate::navigation::NavigationAttempt;

mod processes;
mod web_page;

pub(crate) struct WebKitSurface {
    browser: Arc<Shared>,
    target: u64,
    /// What the session calls this tab; found out after it opened.
    handle: Mutex<Option<String>>,
    /// The process that shows the page.
    process: Mutex<Option<String>>,
    /// That one, and those that are to show the next page.
    processes: Mutex<Vec<String>>,
    hand_over: Mutex<HandOver>,
    fault: Mutex<Option<ArmedFault>>,
    frames: Arc<Mutex<FrameTable>>,
    /// Something about the frames or the handle is new.
    changed: Notify,
    /// Held while the page script is being looked for, so that calls keep their order.
    pub(crate) looking: tokio::sync::Mutex<()>,
    attempt: Mutex<Option<NavigationAttempt>>,
    dialog: Mutex<DialogState>,
    pointer: Mutex<Pointer>,
    /// The document or the tab is another, or none.
    left: Notify,
    documents: AtomicU64,
    /// How many documents were begun to be loaded.
    begun: AtomicU64,
    viewport: Mutex<Option<Viewport>>,
    ready: AtomicBool,
    closed: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WebKitSurface {
    pub fn new(browser: Arc<Shared>, target: u64) -> Arc<WebKitSurface> {
        Arc::new(WebKitSurface {
            browser,
            target,
            handle: Mutex::new(None),
            process: Mutex::new(None),
            processes: Mutex::new(Vec::new()),
            hand_over: Mutex::new(HandOver::default()),
            fault: Mutex::new(None),
            frames: Arc::default(),
            changed: Notify::new(),
            looking: tokio::sync::Mutex::new(()),
            attempt: Mutex::new(None),
            dialog: Mutex::new(DialogState::None),
            pointer: Mutex::new(Pointer::default()),
            left: Notify::new(),
            documents: AtomicU64::new(0),
            begun: AtomicU64::new(0),
            viewport: Mutex::new(None),
            ready: AtomicBool::new(false),
            closed: AtomicBool::new(false),
        })
    }

    pub fn id_of(target: u64) -> SurfaceId {
        SurfaceId(format!("webkit-{target}"))
    }

    pub fn browser(&self) -> &Arc<Shared> {
        &self.browser
    }

    pub fn tell(&self, event: DriverEvent) {
        self.browser.tell(event);
    }

    pub fn fault(&self) -> MutexGuard<'_, Option<ArmedFault>> {
        lock(&self.fault)
    }

    pub fn processes(&self) -> Vec<String> {
        lock(&self.processes).clone()
    }

    // ---- what is known -----------------------------------------------------------------------------------

    pub fn frame_table(&self) -> MutexGuard<'_, FrameTable> {
        lock(&self.frames)
    }

    pub fn frames_changed(&self) {
        self.changed.notify_waiters();
    }

    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    pub fn dialog(&self) -> DialogState {
        *lock(&self.dialog)
    }

    /// Gives back what was known before.
    pub fn set_dialog(&self, dialog: DialogState) -> DialogState {
        std::mem::replace(&mut lock(&self.dialog), dialog)
    }

    pub fn with_attempt(&self, change: impl FnOnce(&mut NavigationAttempt)) {
        let mut attempt = lock(&self.attempt);
        if let Some(open) = attempt.as_mut() {
            change(open);
            if open.is_over() {
                *attempt = None;
            }
        }
    }

    pub fn url_asked_for(&self) -> String {
        lock(&self.attempt).as_ref().map(|attempt| attempt.url().to_string()).unwrap_or_default()
    }

    /// The size that was asked for.
    pub fn viewport(&self) -> Option<Viewport> {
        *lock(&self.viewport)
    }

    pub fn known_handle(&self) -> Option<String> {
        lock(&self.handle).clone()
    }

    pub fn set_handle(&self, handle: String) {
        *lock(&self.handle) = Some(handle);
        self.changed.notify_waiters();
    }

    pub async fn handle(&self, deadline: Deadline) -> Result<String, DriverError> {
        let mut handle = None;
        self.wait_until(
            |surface| {
                handle = surface.known_handle();
                handle.is_some()
            },
            deadline,
        )
        .await?;
        handle.ok_or(DriverError::Closed)
    }

    pub async fn wait_until(
        &self,
        mut holds: impl FnMut(&WebKitSurface) -> bool,
        deadline: Deadline,
    ) -> Result<(), DriverError> {
        assay_wire::wait_until(&self.changed, || holds(self), || self.check_open(), deadline).await
    }

    // ---- commands ----------------------------------------------------------------------------------------

    /// Puts a command to the page's process at once; `frame` names the document that is asked, if any.
    pub fn send(
        &self,
        frame: Option<&str>,
        method: &str,
        params: Value,
    ) -> Result<PendingReply, DriverError> {
        self.check_open()?;
        let process = lock(&self.process).clone().ok_or(DriverError::DocumentGone)?;
        let place = Recipient { target: self.target, page: Some(&process) };
        Ok(self.browser.connection().ask(place, frame, method, params))
    }

    /// The same, to one process of several.
    pub fn send_to(&self, process: &str, method: &str, params: Value) -> PendingReply {
        let place = Recipient { target: self.target, page: Some(process) };
        self.browser.connection().send(place, method, params)
    }

    fn check_open(&self) -> Result<(), DriverError> {
        if self.closed.load(Ordering::Acquire) { Err(DriverError::Closed) } else { Ok(()) }
    }

    pub async fn automation(
        &self,
        method: &str,
        params: Value,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, DriverError> {
        self.browser.automation(method, params, deadline).await
    }

    /// Puts a command to the session at once.
    fn ask_session(&self, method: &str, params: Value) -> Result<PendingReply, DriverError> {
        let place = self.browser.session()?;
        Ok(self.browser.connection().send(place, &format!("Automation.{method}"), params))
    }

    /// For commands about this tab that call it `handle`.
    async fn drive(&self, method: &str, mut params: Value, deadline: Deadline) -> Result<(), DriverError> {
        params["handle"] = json!(self.handle(deadline).await?);
        self.automation(method, params, deadline).await.map(drop)
    }

    async fn gesture(
        &self,
        steps: Vec<PointerStep>,
        modifiers: Modifiers,
        deadline: Deadline,
    ) -> Result<(), DriverError> {
        let handle = self.handle(deadline).await?;
        self.browser.used(self.id());
        let commands = lock(&self.pointer).gesture(&handle, &steps, modifiers);
        let place = self.browser.session()?;
        let connection = self.browser.connection();
        let mut scroll = None;
        for step in &steps {
            if let PointerStep::Wheel { at, by_x, by_y } = *step {
                scroll = Some(self.next_scroll(at, (by_x, by_y), deadline).await?);
            }
        }
        let releases = steps.iter().any(|step| matches!(step, PointerStep::Release { .. }));
        if !releases {
            for (method, params) in commands {
                connection.send(place, method, params).until(deadline).await?;
            }
            if let Some(scroll) = scroll {
                scroll.until(deadline).await?;
            }
            return Ok(());
        }
        // All at once: a move alone is answered only when the page has been painted.
        let mut replies: Vec<PendingReply> =
            commands.into_iter().map(|(method, params)| connection.send(place, method, params)).collect();
        let Some(last) = replies.pop() else { return Ok(()) };
        let released = self.until_released(last, deadline).await;
        if released.is_err() {
            lock(&self.pointer).forget_place();
        }
        released
    }

    /// Waits until the page has dealt with the last button, or is gone because of it.
    async fn until_released(&self, last: PendingReply, deadline: Deadline) -> Result<(), DriverError> {
        /// Where a list of the browser's own took the button, there is no answer.
        const PATIENCE: Duration = Duration::from_millis(300);
        let documents = self.documents.load(Ordering::Acquire);
        let gone = async {
            loop {
                let left = self.left.notified();
                tokio::pin!(left);
                left.as_mut().enable();
                self.check_open()?;
                if self.documents.load(Ordering::Acquire) != documents {
                    return Ok(());
                }
                left.await;
            }
        };
        tokio::select! {
            reply = last => reply.map(drop),
            gone = gone => gone,
            () = tokio::time::sleep_until(deadline.at_most(PATIENCE).instant()) => Ok(()),
        }
    }

    async fn press_keys(&self, strokes: Vec<KeyStroke>, deadline: Deadline) -> Result<(), DriverError> {
        let handle = self.handle(deadline).await?;
        self.browser.used(self.id());
        if let Some(distance) = moves_choice(&strokes)
            && self.move_choice(distance, deadline).await?
        {
            return Ok(());
        }
        let place = self.browser.session()?;
        for (method, params) in key_commands(&handle, &strokes) {
            self.browser.connection().send(place, method, params).until(deadline).await?;
        }
        Ok(())
    }

    async fn go(&self, url: String, deadline: Deadline) -> Result<Navigation, DriverError> {
        let handle = self.handle(deadline).await?;
        self.hand_over().replace();
        let (attempt, outcome) = NavigationAttempt::new(url.clone(), self.frame_table().url());
        *lock(&self.attempt) = Some(attempt);
        let params = json!({ "handle": handle, "url": url, "pageLoadStrategy": "None" });
        match self.automation("navigateBrowsingContext", params, deadline).await {
            Ok(_) => {}
            Err(DriverError::Refused { message, .. }) => return Ok(Navigation::Failed { reason: message }),
            Err(err) => return Err(err),
        }
        let outcome = tokio::time::timeout_at(deadline.instant(), outcome).await;
        let outcome = outcome.map_err(|_| DriverError::Timeout)?.map_err(|_| DriverError::Lost)?;
        if outcome == Navigation::Download {
            // The file is announced by the folder it is written to, a moment later.
            tokio::time::sleep(Duration::from_millis(150).min(deadline.remaining())).await;
        }
        Ok(outcome)
    }

    /// Goes through the history, one entry after another. False when there are not so many.
    async fn step(&self, delta: i32, deadline: Deadline) -> Result<bool, DriverError> {
        let method = if delta < 0 { "goBackInBrowsingContext" } else { "goForwardInBrowsingContext" };
        for _ in 0..delta.unsigned_abs() {
            if !self.step_once(method, deadline).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The browser never says whether there is such an entry. But it answers when the page has loaded, and without an
    /// entry nothing loads: an answer before anything began means that there is none.
    async fn step_once(&self, method: &str, deadline: Deadline) -> Result<bool, DriverError> {
        /// For a page that still loads: the answer then waits for that, which may never end.
        const PATIENCE: Duration = Duration::from_secs(5);
        // Late news of the address before would be taken for that of the step.
        self.learn_address(deadline).await;
        let (documents, url) = (self.documents.load(Ordering::Acquire), self.frame_table().url());
        let begun = self.begun.load(Ordering::Acquire);
        let moved = |surface: &WebKitSurface| {
            surface.documents.load(Ordering::Acquire) != documents || surface.frame_table().url() != url
        };
        let starts = |surface: &WebKitSurface| {
            moved(surface)
                || surface.begun.load(Ordering::Acquire) != begun
                || surface.hand_over().is_under_way()
        };
        let handle = self.handle(deadline).await?;
        let about = json!({ "browsingContextHandle": handle, "pageLoadStrategy": "Normal" });
        let loaded = self.ask_session("waitForNavigationToComplete", about)?;
        let next =
            self.ask_session("isShowingJavaScriptDialog", json!({ "browsingContextHandle": handle }))?;
        let stepped = self.ask_session(method, json!({ "handle": handle, "pageLoadStrategy": "Normal" }))?;
        next.until(deadline).await?;
        // Answers come in order: a page that had loaded has said so by now.
        let still_loads = tokio::select! {
            biased;
            _ = loaded => false,
            () = std::future::ready(()) => true,
        };
        let patience = if still_loads { deadline.at_most(PATIENCE) } else { deadline };
        tokio::select! {
            biased;
            started = self.wait_until(starts, patience) => match started {
                Err(DriverError::Timeout) if still_loads && !deadline.is_past() => return Ok(false),
                other => other?,
            },
            answer = stepped => {
                answer?;
                // Within one document only the address changes.
                self.learn_address(deadline).await;
                if !starts(self) {
                    return Ok(false);
                }
            }
        }
        self.wait_until(moved, deadline).await?;
        Ok(true)
    }

    async fn drag_along(&self, path: DragPath, deadline: Deadline) -> Result<(), DriverError> {
        const STEPS: u32 = 6;
        let along = |part: f64| Point {
            x: path.from.x + (path.to.x - path.from.x) * part,
            y: path.from.y + (path.to.y - path.from.y) * part,
        };
        let button = Button::Left;
        let mut steps = vec![
            PointerStep::Move { to: path.from },
            PointerStep::Press { at: path.from, button, clicks: 1 },
        ];
        steps.extend(
            (1..=STEPS).map(|step| PointerStep::Move { to: along(f64::from(step) / f64::from(STEPS)) }),
        );
        // One by one, so that the page sees every place on the way.
        for step in steps {
            self.gesture(vec![step], Modifiers::default(), deadline).await?;
        }
        let release = PointerStep::Release { at: path.to, button, clicks: 1 };
        self.gesture(vec![release], Modifiers::default(), deadline).await
    }
}

fn unsupported<'a, T>(capability: Capability) -> Reply<'a, T> {
    Box::pin(async move { Err(DriverError::Unsupported { driver: "webkit", capability }) })
}

impl Surface for WebKitSurface {
    fn id(&self) -> SurfaceId {
        WebKitSurface::id_of(self.target)
    }

    fn capabilities(&self) -> &'static [Capability] {
        crate::driver::CAPABILITIES
    }

    fn pointer(&self, steps: Vec<PointerStep>, modifiers: Modifiers, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.watched(self.gesture(steps, modifiers, deadline)))
    }

    fn keys(&self, strokes: Vec<KeyStroke>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.watched(self.press_keys(strokes, deadline)))
    }

    fn insert_text(&self, text: String, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.watched(self.put_in(text, deadline)))
    }

    fn drag(&self, path: DragPath, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.watched(self.drag_along(path, deadline)))
    }

    fn capture(&self, capture: Capture, deadline: Deadline) -> Reply<'_, Vec<u8>> {
        Box::pin(self.watched(self.take_picture(capture, deadline)))
    }

    fn close(&self, deadline: Deadline) -> Reply<'_, ()> {
        let soon = deadline.at_most(Duration::from_secs(5));
        Box::pin(async move {
            match self.drive("closeBrowsingContext", json!({}), soon).await {
                // It went while it was being asked to.
                Err(DriverError::Closed) => Ok(()),
                other => other,
            }
        })
    }
}
