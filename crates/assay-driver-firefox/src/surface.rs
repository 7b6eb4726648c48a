//! One tab of a browser that speaks BiDi.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use assay_dom::Sleep;
use assay_driver::{
    Button, Capability, Capture, Deadline, DragPath, DriverError, FrameId, ImageFormat, KeyStroke, Modifiers,
    Point, PointerStep, Reply, Surface, SurfaceId,
};
use assay_protocol::CookieInfo;
use base64::Engine;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::browser::{HABITS, SANDBOX, Shared, in_context, parse};
use crate::contexts::ContextTree;
use crate::fault::FaultState;
use crate::input::{first_point, key_actions, pointer_actions, text_actions};
use crate::protocol::*;

mod web_page;

pub(crate) struct BidiSurface {
    browser: Arc<Shared>,
    /// The tab's own context, which is also its main frame.
    context: String,
    user_context: String,
    contexts: Mutex<ContextTree>,
    /// The context whose dialog is open: a frame's dialog is answered in the frame.
    dialog_in: Mutex<Option<String>>,
    fault: Mutex<FaultState>,
}

/// Where in the tree of frames a point lies.
struct FramePoint {
    context: String,
    /// Where the context begins on the surface.
    origin: Point,
}

impl BidiSurface {
    pub fn new(browser: Arc<Shared>, context: String, user_context: String) -> Arc<BidiSurface> {
        Arc::new(BidiSurface {
            browser,
            context,
            user_context,
            contexts: Mutex::new(ContextTree::default()),
            dialog_in: Mutex::new(None),
            fault: Mutex::new(FaultState::default()),
        })
    }

    pub fn contexts(&self) -> MutexGuard<'_, ContextTree> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn browser(&self) -> &Shared {
        &self.browser
    }

    pub fn fault(&self) -> MutexGuard<'_, FaultState> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn user_context(&self) -> &str {
        &self.user_context
    }

    pub fn dialog_opened(&self, context: &str) {
        *self.dialog_in.lock().unwrap_or_else(PoisonError::into_inner) = Some(context.to_string());
    }

    async fn command(
        &self,
        method: &str,
        params: Value,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, DriverError> {
        let reply = self.browser.connection().call(None, method, params, deadline).await;
        match reply {
            Err(DriverError::DocumentGone) if !self.browser.is_open(&self.context) => {
                Err(DriverError::Closed)
            }
            other => other,
        }
    }

    async fn here(
        &self,
        method: &str,
        params: Value,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, DriverError> {
        self.command(method, in_context(&self.context, params), deadline).await
    }

    /// Runs an expression in the world of our own.
    async fn run(&self, context: &str, expression: &str, deadline: Deadline) -> Result<Value, DriverError> {
        let params = json!({
            "expression": expression,
            "target": { "context": context, "sandbox": SANDBOX },
            "awaitPromise": true,
        });
        let reply = self.command("script.evaluate", params, deadline).await?;
        script_value(&reply)
    }

    async fn call_script(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: &str,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, DriverError> {
        let answer = self.run(&frame.0, &format!("__assay.{function}({arguments})"), deadline).await?;
        let text = answer["value"].as_str().ok_or(DriverError::DocumentGone)?;
        RawValue::from_string(text.to_string())
            .map_err(|err| DriverError::Script { message: err.to_string() })
    }

    /// Brings the greater part of the page script to a document that sleeps. The next question shows whether it came.
    fn wake(&self, frame: &FrameId) {
        let params = json!({
            "expression": self.browser.scripts.wake(),
            "target": { "context": frame.0, "sandbox": SANDBOX },
            "awaitPromise": false,
        });
        drop(self.browser.connection().send(None, "script.evaluate", params));
    }

    /// Documents that were there before us, and those made by `document.open`, have no page script.
    async fn install(&self, frame: &FrameId, deadline: Deadline) -> Result<(), DriverError> {
        let main = json!({
            "expression": self.browser.scripts.main, "target": { "context": frame.0 }, "awaitPromise": false,
        });
        self.command("script.evaluate", main, deadline).await?;
        let script = format!("{HABITS}\n{}", self.browser.scripts.isolated(Sleep::Awake));
        self.run(&frame.0, &script, deadline).await.map(drop)
    }

    /// The frame that is seen at a point, and where it begins. Input must be given to that very frame:
    /// given to the page around it, it does not get there.
    async fn place_of(&self, point: Point, deadline: Deadline) -> Result<FramePoint, DriverError> {
        const LOOK: &str = "(x, y) => {
            let element = document.elementFromPoint(x, y);
            while (element && element.shadowRoot) {
                const inner = element.shadowRoot.elementFromPoint(x, y);
                if (!inner || inner === element) break;
                element = inner;
            }
            if (!element || !/^i?frame$/.test(element.localName)) return null;
            const box = element.getBoundingClientRect();
            const style = getComputedStyle(element);
            return [element.contentWindow, box.left + element.clientLeft + parseFloat(style.paddingLeft),
                box.top + element.clientTop + parseFloat(style.paddingTop)];
        }";
        let mut place = FramePoint { context: self.context.clone(), origin: Point { x: 0.0, y: 0.0 } };
        while self.contexts().has_frames() {
            let argument = |value: f64| json!({ "type": "number", "value": value });
            let params = json!({
                "functionDeclaration": LOOK,
                "arguments": [argument(point.x - place.origin.x), argument(point.y - place.origin.y)],
                "target": { "context": place.context, "sandbox": SANDBOX },
                "awaitPromise": false,
            });
            let reply = self.command("script.callFunction", params, deadline).await?;
            let seen = script_value(&reply)?;
            let part = |at: usize| seen["value"][at]["value"].clone();
            let inner = part(0)["context"].as_str().map(str::to_string);
            let (Some(inner), Some(left), Some(top)) = (inner, part(1).as_f64(), part(2).as_f64()) else {
                break;
            };
            place.context = inner;
            place.origin = Point { x: place.origin.x + left, y: place.origin.y + top };
        }
        Ok(place)
    }

    async fn perform(&self, context: &str, actions: Value, deadline: Deadline) -> Result<(), DriverError> {
        let params = json!({ "context": context, "actions": actions });
        let performed = self.command("input.performActions", params, deadline).await;
        performed.map(drop)
    }

    /// Two clicks in quick succession would count as a double click.
    fn forget_clicks(&self, context: &str) {
        drop(self.browser.connection().send(None, "input.releaseActions", json!({ "context": context })));
    }

    /// The context that has the focus: keys go there.
    async fn focused(&self, deadline: Deadline) -> Result<String, DriverError> {
        const LOOK: &str = "() => {
            let element = document.activeElement;
            while (element && element.shadowRoot && element.shadowRoot.activeElement) element = element.shadowRoot.activeElement;
            return element && /^i?frame$/.test(element.localName) ? element.contentWindow : null;
        }";
        let mut context = self.context.clone();
        while self.contexts().has_frames() {
            let params = json!({
                "functionDeclaration": LOOK, "arguments": [],
                "target": { "context": context, "sandbox": SANDBOX }, "awaitPromise": false,
            });
            let reply = self.command("script.callFunction", params, deadline).await?;
            match script_value(&reply)?["value"]["context"].as_str() {
                Some(inner) => context = inner.to_string(),
                None => break,
            }
        }
        Ok(context)
    }

    /// A field of one line would send its form at a line break: that is dropped, as by pasting.
    async fn fitting(&self, context: &str, text: String, deadline: Deadline) -> Result<String, DriverError> {
        if !text.contains(['\n', '\r', '\t']) {
            return Ok(text);
        }
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let one_line = self
            .run(
                context,
                "!!document.activeElement && document.activeElement.localName === 'input'",
                deadline,
            )
            .await?;
        Ok(if one_line["value"] == json!(true) { text.replace('\n', "") } else { text })
    }

    fn partition(&self) -> Value {
        json!({ "type": "context", "context": self.context })
    }
}

/// The value of a script, or why there is none.
fn script_value(reply: &RawValue) -> Result<Value, DriverError> {
    match parse::<ScriptResult>(reply)? {
        ScriptResult::Success { result } => Ok(result),
        ScriptResult::Exception { exception_details } => {
            let message = exception_details.text;
            if message.contains("dead object") || message.contains("Permission denied") {
                return Err(DriverError::DocumentGone);
            }
            Err(DriverError::Script { message })
        }
    }
}

impl Surface for BidiSurface {
    fn id(&self) -> SurfaceId {
        SurfaceId(self.context.clone())
    }

    fn capabilities(&self) -> &'static [Capability] {
        crate::driver::CAPABILITIES
    }

    fn pointer(&self, steps: Vec<PointerStep>, modifiers: Modifiers, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let Some(at) = first_point(&steps) else { return Ok(()) };
            let place = self.place_of(at, deadline).await?;
            let presses = steps.iter().any(|step| matches!(step, PointerStep::Press { .. }));
            let actions = pointer_actions(&steps, modifiers, place.origin);
            let performed = self.perform(&place.context, actions, deadline).await;
            if presses {
                self.forget_clicks(&place.context);
            }
            performed
        })
    }

    fn keys(&self, strokes: Vec<KeyStroke>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let actions = key_actions(&strokes).map_err(|key| DriverError::Refused {
                method: "a key".to_string(),
                message: format!("there is no `{key}` key in WebDriver"),
            })?;
            let context = self.focused(deadline).await?;
            self.perform(&context, actions, deadline).await
        })
    }

    fn insert_text(&self, text: String, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let context = self.focused(deadline).await?;
            let text = self.fitting(&context, text, deadline).await?;
            // One message, where a key for each character is two.
            let params = json!({
                "expression": format!("__assay.putIn({})", json!(text)),
                "target": { "context": context, "sandbox": SANDBOX },
                "awaitPromise": false,
                "userActivation": true,
            });
            let reply = self.command("script.evaluate", params, deadline).await?;
            if script_value(&reply)?["value"] == json!(true) {
                return Ok(());
            }
            self.perform(&context, text_actions(&text), deadline).await
        })
    }

    fn drag(&self, path: DragPath, deadline: Deadline) -> Reply<'_, ()> {
        const STEPS: u32 = 6;
        Box::pin(async move {
            let place = self.place_of(path.from, deadline).await?;
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
            // A second move over the target: the first one only enters it.
            steps.push(PointerStep::Move { to: path.to });
            steps.push(PointerStep::Release { at: path.to, button, clicks: 1 });
            let actions = pointer_actions(&steps, Modifiers::default(), place.origin);
            let performed = self.perform(&place.context, actions, deadline).await;
            self.forget_clicks(&place.context);
            performed
        })
    }

    fn capture(&self, capture: Capture, deadline: Deadline) -> Reply<'_, Vec<u8>> {
        Box::pin(async move {
            let mut params = match capture.format {
                ImageFormat::Png => json!({ "format": { "type": "image/png" } }),
                ImageFormat::Jpeg => json!({ "format": { "type": "image/jpeg", "quality": 0.8 } }),
                ImageFormat::Webp => json!({ "format": { "type": "image/webp", "quality": 0.8 } }),
            };
            let whole = capture.full_page || capture.clip.is_some();
            params["origin"] = json!(if whole { "document" } else { "viewport" });
            if let Some(clip) = capture.clip.filter(|_| !capture.full_page) {
                params["clip"] = json!({
                    "type": "box", "x": clip.x, "y": clip.y, "width": clip.width, "height": clip.height,
                });
            }
            let reply = self.here("browsingContext.captureScreenshot", params, deadline).await?;
            decode(&reply)
        })
    }

    fn close(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let soon = deadline.at_most(Duration::from_secs(5));
            self.here("browsingContext.close", json!({ "promptUnload": false }), soon).await.map(drop)
        })
    }
}

impl BidiSurface {
    pub fn url(&self) -> String {
        self.contexts().list().first().map(|frame| frame.url.clone()).unwrap_or_default()
    }
}

/// Wraps statements with `await` in a function that gives back the last of them.
fn awaiting(expression: &str) -> String {
    let trimmed = expression.trim().trim_end_matches(';');
    match last_statement(trimmed) {
        Some(at) => format!("(async () => {{ {}; return ({}); }})()", &trimmed[..at], &trimmed[at + 1..]),
        None => format!("(async () => ({trimmed}))()"),
    }
}

/// Where the semicolon before the last statement is: outside of brackets, strings and templates.
fn last_statement(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut quote = None;
    let mut found = None;
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ';') if depth == 0 => found = Some(at),
            (None, _) => {}
        }
    }
    found
}

/// Whether going there only changes what stands behind the `#`.
fn only_fragment(from: &str, to: &str) -> bool {
    let base = |url: &str| url.split_once('#').map_or(url.to_string(), |(base, _)| base.to_string());
    to.contains('#') && base(from) == base(to)
}

fn cookie_info(cookie: Cookie) -> Result<CookieInfo, DriverError> {
    let value = match cookie.value.kind.as_str() {
        "base64" => {
            let bytes = base64::engine::general_purpose::STANDARD.decode(cookie.value.value.as_bytes());
            let bytes = bytes.map_err(|err| DriverError::Refused {
                method: "a cookie".to_string(),
                message: err.to_string(),
            })?;
            String::from_utf8_lossy(&bytes).to_string()
        }
        _ => cookie.value.value,
    };
    let same_site = match cookie.same_site.as_deref() {
        Some("strict") => Some("Strict"),
        Some("lax") => Some("Lax"),
        Some("none") => Some("None"),
        _ => None,
    };
    Ok(CookieInfo {
        name: cookie.name,
        value,
        domain: cookie.domain,
        path: cookie.path,
        expires: cookie.expiry.unwrap_or(-1.0),
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: same_site.map(str::to_string),
    })
}

fn cookie_params(cookie: &CookieInfo) -> Value {
    let mut params = json!({
        "name": cookie.name,
        "value": { "type": "string", "value": cookie.value },
        "domain": cookie.domain,
        "path": cookie.path,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
    });
    if cookie.expires >= 0.0 {
        params["expiry"] = json!(cookie.expires as i64);
    }
    if let Some(same_site) = &cookie.same_site {
        params["sameSite"] = json!(same_site.to_lowercase());
    }
    params
}

fn decode(reply: &RawValue) -> Result<Vec<u8>, DriverError> {
    let encoded: Encoded<'_> = parse(reply)?;
    base64::engine::general_purpose::STANDARD
        .decode(encoded.data.as_bytes())
        .map_err(|err| DriverError::Refused { method: "a picture".to_string(), message: err.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_statement_is_given_back() {
        assert_eq!(awaiting("await a; b;"), "(async () => { await a; return ( b); })()");
        assert_eq!(awaiting("await f(';')"), "(async () => (await f(';')))()");
        assert_eq!(awaiting("await (() => { x; })()"), "(async () => (await (() => { x; })()))()");
    }

    #[test]
    fn only_what_stands_behind_the_hash_stays_in_the_document() {
        assert!(only_fragment("http://a/b", "http://a/b#c"));
        assert!(only_fragment("http://a/b#d", "http://a/b#c"));
        assert!(!only_fragment("http://a/b#d", "http://a/b"));
        assert!(!only_fragment("http://a/b", "http://a/c#d"));
    }
}
