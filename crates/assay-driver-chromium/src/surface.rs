//! One tab of Chromium.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use assay_dom::Sleep;
use assay_driver::{
    ArmedFault, Button, Capability, Capture, Deadline, DragPath, DriverError, FrameId, ImageFormat,
    KeyStroke, Modifiers, Navigation, Point, PointerStep, Rect, Reply, Surface, SurfaceId, Viewport,
};
use assay_protocol::CookieInfo;
use assay_protocol::Device;
use assay_wire::PendingReply;
use base64::Engine;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::browser::{Shared, parse};
use crate::emulation::{metrics, view_of};
use crate::frames::{FrameTable, WORLD};
use crate::input::{key_events, mouse_event};
use crate::opening::{Opening, Outcome};
use crate::protocol::*;
use crate::worlds::{TELL_WORLDS, Worlds};

mod web_page;

/// Frames that a page paints are awaited so long after a picture.
const FRAMES_CAP: Duration = Duration::from_millis(700);
/// A tab without a document gets an empty one in this time.
const EMPTYING: Duration = Duration::from_millis(500);

pub(crate) struct ChromiumSurface {
    browser: Arc<Shared>,
    /// The target's id, which is also the id of its main frame.
    target: String,
    session: String,
    context: Option<String>,
    frames: Mutex<FrameTable>,
    contexts: tokio::sync::Notify,
    drag: Mutex<Option<Value>>,
    /// The view that was asked for, where a pixel of it is not one of the screen.
    scaled: Mutex<Option<Viewport>>,
    /// Where the pointer is, as far as we have moved it over this document.
    pointer_at: Mutex<Option<Point>>,
    ready: AtomicBool,
    announced: AtomicBool,
    /// It still shows the empty document that it was opened with, which has no page script.
    blank: AtomicBool,
    worlds: Mutex<Worlds>,
    fault: Mutex<Option<ArmedFault>>,
    /// The names under which the browser keeps the page clock of each session for documents to come.
    clock_scripts: Mutex<HashMap<String, String>>,
    /// Whether the page takes the browser for a phone.
    is_phone: AtomicBool,
    opening: Mutex<Opening>,
    opening_changed: tokio::sync::Notify,
}

/// What a new tab begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beginning {
    /// An empty document, until we say so.
    Empty,
    /// An empty document that nobody sees, and which is replaced by the one at an address of ours.
    Addressed,
    /// Whatever a page, or a person, opened it with.
    Unknown,
}

impl ChromiumSurface {
    pub fn new(
        browser: Arc<Shared>,
        target: String,
        session: String,
        context: Option<String>,
        beginning: Beginning,
    ) -> Arc<ChromiumSurface> {
        let scaled = Some(browser.options.viewport).filter(|view| browser.own_viewport && view.scale != 1.0);
        Arc::new(ChromiumSurface {
            browser,
            target,
            session,
            context,
            frames: Mutex::new(FrameTable::default()),
            contexts: tokio::sync::Notify::new(),
            drag: Mutex::new(None),
            scaled: Mutex::new(scaled),
            pointer_at: Mutex::new(None),
            ready: AtomicBool::new(false),
            announced: AtomicBool::new(false),
            blank: AtomicBool::new(beginning == Beginning::Empty),
            worlds: Mutex::new(match beginning {
                Beginning::Addressed => Worlds::Untold,
                Beginning::Empty | Beginning::Unknown => Worlds::Told,
            }),
            fault: Mutex::new(None),
            clock_scripts: Mutex::default(),
            is_phone: AtomicBool::new(false),
            opening: Mutex::default(),
            opening_changed: tokio::sync::Notify::new(),
        })
    }

    pub fn frames(&self) -> MutexGuard<'_, FrameTable> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The context that it was opened in, where the browser tells.
    pub fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }

    pub fn browser(&self) -> &Shared {
        &self.browser
    }

    pub fn fault(&self) -> MutexGuard<'_, Option<ArmedFault>> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn clock_scripts(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.clock_scripts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes which device it is to look like, for those who set the view.
    pub fn take_device(&self, device: Option<&Device>) {
        self.is_phone.store(device.is_some_and(|device| device.touch), Ordering::Release);
        let own = Some(self.browser.options.viewport).filter(|_| self.browser.own_viewport);
        let view = device.map(view_of).or(own);
        *self.scaled.lock().unwrap_or_else(PoisonError::into_inner) = view.filter(|view| view.scale != 1.0);
    }

    /// Under a new document the pointer has not been moved yet.
    pub fn document_changed(&self) {
        *self.pointer_at.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Its first document is there.
    pub fn became_ready(&self) {
        self.ready.store(true, Ordering::Release);
    }

    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    /// Everybody has been told of it.
    pub fn was_announced(&self) {
        self.announced.store(true, Ordering::Release);
    }

    pub fn is_announced(&self) -> bool {
        self.announced.load(Ordering::Acquire)
    }

    pub fn is_blank(&self) -> bool {
        self.blank.load(Ordering::Acquire)
    }

    pub fn left_blank(&self) {
        self.blank.store(false, Ordering::Release);
    }

    /// A document is there. The first one of use is asked for its worlds, and tells of those of all that come.
    pub fn document_came(self: &Arc<Self>) {
        if !self.worlds().document_came() {
            return;
        }
        let ask = |surface: &ChromiumSurface| {
            surface.browser.connection().send(Some(&surface.session), TELL_WORLDS, json!({}))
        };
        let mut reply = ask(self);
        let surface = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                // Without a browser nothing is waited for any more.
                let is_heard = matches!(reply.await, Ok(_) | Err(DriverError::Lost));
                let Some(surface) = surface.upgrade() else { return };
                let asks_again = surface.worlds().answered(is_heard);
                if !asks_again {
                    surface.contexts_changed();
                    return;
                }
                reply = ask(&surface);
            }
        });
    }

    fn worlds(&self) -> MutexGuard<'_, Worlds> {
        self.worlds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells of what may decide what comes of the address that the tab was opened at.
    pub fn opening_was(&self, tell: impl FnOnce(&mut Opening)) {
        tell(&mut self.opening.lock().unwrap_or_else(PoisonError::into_inner));
        self.opening_changed.notify_waiters();
    }

    async fn opened(&self, deadline: Deadline) -> Result<Navigation, DriverError> {
        loop {
            let changed = self.opening_changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let until = match opening.outcome() {
                Outcome::Known(navigation) => return Ok(navigation),
                Outcome::Doubtful(_) => deadline.at_most(Opening::DOUBT),
                Outcome::Unknown => deadline,
            };
            if tokio::time::timeout_at(until.instant(), changed).await.is_err() {
                return match opening.outcome() {
                    Outcome::Doubtful(navigation) => Ok(navigation),
                    Outcome::Known(_) | Outcome::Unknown => Err(DriverError::Timeout),
                };
            }
        }
    }

    pub fn speaks_for_page(&self, session: &str) -> bool {
        self.session == session
    }

    pub fn contexts_changed(&self) {
        self.contexts.notify_waiters();
    }

    pub fn drag_began(&self, data: Value) {
        *self.drag.lock().unwrap_or_else(PoisonError::into_inner) = Some(data);
    }

    fn send(&self, method: &str, params: Value) -> PendingReply {
        self.browser.connection().send(Some(&self.session), method, params)
    }

    /// An object as data. None for those that refer to themselves (`window`), and for what went with its document.
    async fn copy_of(&self, object: &str, deadline: Deadline) -> Result<Option<Value>, DriverError> {
        let params = json!({
            "objectId": object, "functionDeclaration": "function() { 'use strict'; return this }", "returnByValue": true,
        });
        match self.command("Runtime.callFunctionOn", params, deadline).await {
            Ok(reply) => Ok(parse::<Evaluated>(&reply)?.result.value),
            Err(DriverError::DocumentGone) => Ok(None),
            Err(DriverError::Refused { message, .. })
                if message.contains("reference chain")
                    || message.contains("couldn't be returned by value") =>
            {
                Ok(None)
            }
            Err(err) => Err(err),
        }
    }

    async fn command(
        &self,
        method: &str,
        params: Value,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, DriverError> {
        self.send(method, params).until(deadline).await
    }

    /// For commands that belong to the browser but concern this tab's context.
    pub async fn in_context(
        &self,
        method: &str,
        mut params: Value,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, DriverError> {
        if let Some(context) = &self.context {
            params["browserContextId"] = json!(context);
        }
        self.browser.connection().call(None, method, params, deadline).await
    }

    async fn call_script(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: &str,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, DriverError> {
        let (session, world) = self.world_of(frame, deadline).await?;
        let expression = format!("__assay.{function}({arguments})");
        let params = match world {
            Some(unique) => {
                json!({ "expression": expression, "uniqueContextId": unique, "returnByValue": true, "awaitPromise": true })
            }
            None => {
                let id = self.install(frame, &session, deadline).await?;
                json!({ "expression": expression, "contextId": id, "returnByValue": true, "awaitPromise": true })
            }
        };
        let reply =
            self.browser.connection().call(Some(&session), "Runtime.evaluate", params, deadline).await?;
        let evaluated: ScriptReply<'_> = parse(&reply)?;
        if let Some(details) = evaluated.exception_details {
            return Err(DriverError::Script { message: details.message() });
        }
        let text = evaluated.result.value.ok_or(DriverError::DocumentGone)?;
        serde_json::from_str(text.get())
            .and_then(RawValue::from_string)
            .map_err(|err| DriverError::Script { message: err.to_string() })
    }

    /// The frame's session and our context in it. A document that is just being made gets its context in
    /// a moment, once the tab is told of them; installing the script meanwhile would race with the browser doing the
    /// same, which has been seen to crash the page.
    async fn world_of(
        &self,
        frame: &FrameId,
        deadline: Deadline,
    ) -> Result<(String, Option<String>), DriverError> {
        const MOMENT: Duration = Duration::from_millis(100);
        let mut soon = None;
        loop {
            let changed = self.contexts.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let (session, world) = self.frames().place(&frame.0).ok_or(DriverError::DocumentGone)?;
            if world.is_some() || (self.is_blank() && frame.0 == self.target) {
                return Ok((session, world));
            }
            let are_coming = self.worlds().are_coming();
            let until =
                if are_coming { deadline } else { *soon.get_or_insert_with(|| deadline.at_most(MOMENT)) };
            if tokio::time::timeout_at(until.instant(), changed).await.is_err() {
                return if are_coming { Err(DriverError::Timeout) } else { Ok((session, None)) };
            }
        }
    }

    /// Documents that were there before us, and the empty one of a new tab, have no page script yet.
    async fn install(&self, frame: &FrameId, session: &str, deadline: Deadline) -> Result<i64, DriverError> {
        let connection = self.browser.connection();
        let mut main = json!({ "expression": self.browser.scripts.main });
        // Without a name it is that of the topmost frame that the session speaks for.
        if let Some(page) = self.frames().page(&frame.0) {
            main["uniqueContextId"] = json!(page);
        }
        let main = connection.send(Some(session), "Runtime.evaluate", main);
        let world = json!({ "frameId": frame.0, "worldName": WORLD });
        let created = connection.call(Some(session), "Page.createIsolatedWorld", world, deadline).await?;
        drop(main);
        let created: WorldCreated = parse(&created)?;
        let script = json!({ "expression": self.browser.scripts.isolated(Sleep::Awake), "contextId": created.execution_context_id });
        connection.call(Some(session), "Runtime.evaluate", script, deadline).await?;
        Ok(created.execution_context_id)
    }

    async fn capture_clip(&self, capture: Capture, deadline: Deadline) -> Result<Option<Rect>, DriverError> {
        if !capture.full_page {
            return Ok(capture.clip);
        }
        let reply = self.command("Page.getLayoutMetrics", json!({}), deadline).await?;
        let size = parse::<LayoutMetrics>(&reply)?.css_content_size;
        Ok(Some(Rect { x: 0.0, y: 0.0, width: size.width, height: size.height }))
    }

    /// For a picture the browser takes the scale of the view away and gives it back in its own time. A click before that goes
    /// astray, as if the page had another size. So the scale is asked for once more, and frames that have it are awaited:
    /// where a click goes is decided by the last frame that was painted.
    async fn restore_scale(&self, deadline: Deadline) -> Result<(), DriverError> {
        const FRAMES: &str = "new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(() => \
                              requestAnimationFrame(() => painted(1)))))";
        let scaled = *self.scaled.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(viewport) = scaled else { return Ok(()) };
        self.override_metrics(viewport, deadline).await?;
        let params = json!({ "expression": FRAMES, "awaitPromise": true, "returnByValue": true });
        // A page that does not paint, behind a dialog for one, is not clicked on either.
        let _painted = self.command("Runtime.evaluate", params, deadline.at_most(FRAMES_CAP)).await;
        Ok(())
    }

    async fn override_metrics(&self, viewport: Viewport, deadline: Deadline) -> Result<(), DriverError> {
        let params = metrics(viewport, self.is_phone.load(Ordering::Acquire));
        self.command("Emulation.setDeviceMetricsOverride", params, deadline).await.map(drop)
    }

    async fn all(&self, replies: Vec<PendingReply>, deadline: Deadline) -> Result<(), DriverError> {
        for reply in replies {
            reply.until(deadline).await?;
        }
        Ok(())
    }

    async fn drag_along(&self, path: DragPath, deadline: Deadline) -> Result<(), DriverError> {
        const STEPS: u32 = 6;
        let mut held = None;
        let mut mouse =
            |step| self.send("Input.dispatchMouseEvent", mouse_event(step, Modifiers::default(), &mut held));
        let along = |part: f64| Point {
            x: path.from.x + (path.to.x - path.from.x) * part,
            y: path.from.y + (path.to.y - path.from.y) * part,
        };
        self.document_changed();
        let first = vec![
            mouse(PointerStep::Move { to: path.from }),
            mouse(PointerStep::Press { at: path.from, button: Button::Left, clicks: 1 }),
        ];
        self.all(first, deadline).await?;
        // The browser decides after the first few moves whether this is drag-and-drop.
        for step in 1..=STEPS {
            mouse(PointerStep::Move { to: along(f64::from(step) / f64::from(STEPS)) })
                .until(deadline)
                .await?;
        }
        let data = self.drag.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(data) = data {
            for kind in ["dragEnter", "dragOver", "drop"] {
                let params = json!({ "type": kind, "x": path.to.x, "y": path.to.y, "data": data });
                self.command("Input.dispatchDragEvent", params, deadline).await?;
            }
        }
        mouse(PointerStep::Release { at: path.to, button: Button::Left, clicks: 1 }).until(deadline).await?;
        Ok(())
    }
}

#[derive(Deserialize)]
struct ScriptReply<'a> {
    #[serde(borrow)]
    result: ScriptResult<'a>,
    #[serde(rename = "exceptionDetails")]
    exception_details: Option<ExceptionDetails>,
}

#[derive(Deserialize)]
struct ScriptResult<'a> {
    #[serde(borrow)]
    value: Option<&'a RawValue>,
}

impl Surface for ChromiumSurface {
    fn id(&self) -> SurfaceId {
        SurfaceId(self.target.clone())
    }

    fn capabilities(&self) -> &'static [Capability] {
        crate::driver::CAPABILITIES
    }

    fn pointer(&self, steps: Vec<PointerStep>, modifiers: Modifiers, deadline: Deadline) -> Reply<'_, ()> {
        let mut held = None;
        let mut pointer_at = self.pointer_at.lock().unwrap_or_else(PoisonError::into_inner);
        let replies = steps
            .into_iter()
            // A move waits for the next frame; to where the pointer is already it says nothing.
            .filter(|step| match step {
                PointerStep::Move { to } => pointer_at.replace(*to) != Some(*to),
                PointerStep::Press { .. } | PointerStep::Release { .. } | PointerStep::Wheel { .. } => true,
            })
            .map(|step| self.send("Input.dispatchMouseEvent", mouse_event(step, modifiers, &mut held)))
            .collect();
        drop(pointer_at);
        Box::pin(self.all(replies, deadline))
    }

    fn keys(&self, strokes: Vec<KeyStroke>, deadline: Deadline) -> Reply<'_, ()> {
        let replies =
            strokes.iter().flat_map(key_events).map(|(method, params)| self.send(method, params)).collect();
        Box::pin(self.all(replies, deadline))
    }

    fn insert_text(&self, text: String, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            self.command("Input.insertText", json!({ "text": text }), deadline).await.map(drop)
        })
    }

    fn drag(&self, path: DragPath, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            self.command("Input.setInterceptDrags", json!({ "enabled": true }), deadline).await?;
            let result = self.drag_along(path, deadline).await;
            drop(self.send("Input.setInterceptDrags", json!({ "enabled": false })));
            result
        })
    }

    fn capture(&self, capture: Capture, deadline: Deadline) -> Reply<'_, Vec<u8>> {
        Box::pin(async move {
            let mut params = match capture.format {
                ImageFormat::Png => json!({ "format": "png", "optimizeForSpeed": true }),
                ImageFormat::Jpeg => json!({ "format": "jpeg", "quality": 80 }),
                ImageFormat::Webp => json!({ "format": "webp", "quality": 80 }),
            };
            if let Some(clip) = self.capture_clip(capture, deadline).await? {
                params["clip"] = json!({ "x": clip.x, "y": clip.y, "width": clip.width, "height": clip.height, "scale": 1 });
                params["captureBeyondViewport"] = json!(true);
            }
            let reply = self.command("Page.captureScreenshot", params, deadline).await?;
            self.restore_scale(deadline).await?;
            decode(&reply)
        })
    }

    fn close(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let params = json!({ "targetId": self.target });
            // `Target.closeTarget` ends even a page whose scripts never end.
            let connection = self.browser.connection();
            connection
                .call(None, "Target.closeTarget", params, deadline.at_most(Duration::from_secs(5)))
                .await
                .map(drop)
        })
    }
}

/// A cookie as the browser takes it: a session cookie has no end.
fn cookie_params(cookie: &CookieInfo) -> Value {
    let mut params = json!(cookie);
    if cookie.expires < 0.0
        && let Some(object) = params.as_object_mut()
    {
        object.remove("expires");
    }
    params
}

fn decode(reply: &RawValue) -> Result<Vec<u8>, DriverError> {
    let encoded: Encoded<'_> = parse(reply)?;
    base64::engine::general_purpose::STANDARD
        .decode(encoded.data.as_bytes())
        .map_err(|err| DriverError::Refused { method: "a picture".to_string(), message: err.to_string() })
}
