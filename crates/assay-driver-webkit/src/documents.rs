//! Scripts in the documents of a tab: ours, and what the user wants to be evaluated.

use std::path::PathBuf;
use std::time::Duration;

use assay_dom::{LEFT, NOT_THERE};
use assay_driver::{Deadline, DriverError, Evaluation, FrameId, Point};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::connection::PendingReply;
use crate::frames::MAIN;
use crate::protocol::*;
use crate::surface::WebKitSurface;

/// Objects that we asked for, so that they can be let go of together.
const OURS: &str = "assay";

impl WebKitSurface {
    /// Puts an expression to a frame's document at once, in the page's own world.
    pub fn ask_document(
        &self,
        frame: &str,
        context: Option<i64>,
        expression: &str,
    ) -> Result<PendingReply, DriverError> {
        let mut params = json!({ "expression": expression, "returnByValue": true });
        if let Some(context) = context {
            params["contextId"] = json!(context);
        }
        self.send(Some(frame), "Runtime.evaluate", params)
    }

    /// What an expression of ours comes to in the document of a frame.
    pub async fn ask_value(
        &self,
        frame: &str,
        expression: &str,
        deadline: Deadline,
    ) -> Result<Value, DriverError> {
        let context = self.context_of(frame, deadline).await?;
        let reply = self.ask_document(frame, context, expression)?.until(deadline).await?;
        let evaluated: Evaluated = parse(&reply)?;
        if evaluated.was_thrown {
            return Err(DriverError::Script { message: evaluated.result.shown() });
        }
        Ok(evaluated.result.value.unwrap_or_default())
    }

    /// Where scripts run in a frame; none stands for the main frame, which needs no number. A document that
    /// is just being made gets one in a moment.
    async fn context_of(&self, frame: &str, deadline: Deadline) -> Result<Option<i64>, DriverError> {
        const MOMENT: Duration = Duration::from_millis(200);
        if frame == MAIN {
            return Ok(self.frame_table().context(MAIN));
        }
        self.wake(frame, deadline).await?;
        let mut context = None;
        let known = |surface: &WebKitSurface| {
            let frames = surface.frame_table();
            context = frames.context(frame);
            context.is_some() || !frames.is_known(frame)
        };
        let waited = self.wait_until(known, deadline.at_most(MOMENT)).await;
        match (waited, context) {
            (Ok(()), Some(context)) => Ok(Some(context)),
            _ => Err(DriverError::DocumentGone),
        }
    }

    /// Lets the document around a frame look at it: in one whose own document has not come yet, nothing runs before
    /// somebody has.
    async fn wake(&self, frame: &str, deadline: Deadline) -> Result<(), DriverError> {
        let around = {
            let frames = self.frame_table();
            let parent = frames.parent(frame).filter(|_| frames.context(frame).is_none());
            parent.and_then(|parent| Some((frames.context(&parent)?, parent)))
        };
        let Some((context, parent)) = around else { return Ok(()) };
        self.ask_document(&parent, Some(context), LOOK_AT_FRAMES)?.until(deadline).await.map(drop)
    }

    pub async fn call_page_script(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: String,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, DriverError> {
        match self.call_once(frame, function, &arguments, deadline).await {
            // The window is there but its document is another: the script is installed again.
            Err(DriverError::Script { message }) if message.contains(NOT_THERE) => {
                self.frame_table().forget_functions(&frame.0);
                match self.call_once(frame, function, &arguments, deadline).await {
                    // Another document has taken the place of that one.
                    Err(DriverError::Script { message })
                        if message.contains(NOT_THERE) || message.contains(LEFT) =>
                    {
                        Err(DriverError::DocumentGone)
                    }
                    result => result,
                }
            }
            Err(DriverError::Script { message }) if message.contains(LEFT) => Err(DriverError::DocumentGone),
            result => result,
        }
    }

    async fn call_once(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: &str,
        deadline: Deadline,
    ) -> Result<Box<RawValue>, DriverError> {
        let functions = self.functions_of(frame, deadline).await?;
        // Nothing is awaited between the look and the question: calls reach the page in their order.
        let function = format!("function(){{return this.{function}({arguments})}}");
        let reply = self.call_on(&frame.0, &functions, &function)?.until(deadline).await?;
        let evaluated: Evaluated = parse(&reply)?;
        if evaluated.was_thrown {
            return Err(DriverError::Script { message: evaluated.result.shown() });
        }
        match evaluated.result.value {
            Some(Value::String(text)) => {
                RawValue::from_string(text).map_err(|err| DriverError::Script { message: err.to_string() })
            }
            _ => Err(DriverError::DocumentGone),
        }
    }

    /// Calls a function on an object of a document at once; its promise is awaited.
    fn call_on(&self, frame: &str, object: &str, function: &str) -> Result<PendingReply, DriverError> {
        let params = json!({
            "objectId": object, "functionDeclaration": function, "awaitPromise": true, "returnByValue": true,
        });
        self.send(Some(frame), "Runtime.callFunctionOn", params)
    }

    /// Asks to be told when the page has scrolled by the wheel, which is answered before that.
    pub async fn next_scroll(
        &self,
        at: Point,
        by: (f64, f64),
        deadline: Deadline,
    ) -> Result<PendingReply, DriverError> {
        let main = FrameId(MAIN.to_string());
        let functions = self.functions_of(&main, deadline).await?;
        let arguments = format!("{},{},{},{}", at.x, at.y, by.0, by.1);
        self.call_on(MAIN, &functions, &format!("function(){{return ({SCROLL_BY_WHEEL})({arguments})}}"))
    }

    /// The page script's functions in a frame. Documents that were there before us have none yet.
    async fn functions_of(&self, frame: &FrameId, deadline: Deadline) -> Result<String, DriverError> {
        let _in_order = self.looking.lock().await;
        if let Some(functions) = self.frame_table().functions(&frame.0) {
            return Ok(functions);
        }
        if !self.frame_table().is_known(&frame.0) {
            return Err(DriverError::DocumentGone);
        }
        let context = self.context_of(&frame.0, deadline).await?;
        let found = match self.look_for_functions(&frame.0, context, deadline).await? {
            Some(found) => found,
            None => {
                let browser = self.browser();
                let source = browser.bootstrap.source_with(None, browser.new_windows());
                self.ask_document(&frame.0, context, &source)?.until(deadline).await?;
                let found = self.look_for_functions(&frame.0, context, deadline).await?;
                found
                    .ok_or_else(|| DriverError::Script { message: "it could not be installed".to_string() })?
            }
        };
        self.frame_table().set_functions(&frame.0, context, &found);
        Ok(found)
    }

    async fn look_for_functions(
        &self,
        frame: &str,
        context: Option<i64>,
        deadline: Deadline,
    ) -> Result<Option<String>, DriverError> {
        let mut params = json!({ "expression": self.browser().bootstrap.functions() });
        if let Some(context) = context {
            params["contextId"] = json!(context);
        }
        let reply = self.send(Some(frame), "Runtime.evaluate", params)?.until(deadline).await?;
        Ok(parse::<Evaluated>(&reply)?.result.object_id)
    }

    /// Whether the tab that the session calls `handle` is this one: a mark is left here and looked for there.
    pub async fn answers_to(&self, handle: &str, deadline: Deadline) -> Result<bool, DriverError> {
        let soon = deadline.at_most(Duration::from_millis(300));
        let mark = format!("{}m", self.browser().bootstrap.place());
        let set = format!("Object.defineProperty(globalThis,'{mark}',{{value:1,configurable:true}}),0");
        self.ask_document(MAIN, None, &set)?.until(soon).await?;
        let params = json!({
            "browsingContextHandle": handle, "arguments": [],
            "function": format!("function(){{return globalThis['{mark}']===1}}"),
        });
        let reply = self.automation("evaluateJavaScriptFunction", params, soon).await;
        // Whatever comes of it, the mark must not be found by the next who looks.
        let remove = self.ask_document(MAIN, None, &format!("delete globalThis['{mark}']"))?;
        let _removed = remove.until(soon).await;
        Ok(parse::<TextReply>(&reply?)?.result == "true")
    }

    // ---- for the user --------------------------------------------------------------------------------------

    pub async fn evaluate_for_user(
        &self,
        expression: String,
        deadline: Deadline,
    ) -> Result<Evaluation, DriverError> {
        let mut evaluated = self.evaluate_object(&expression, deadline).await?;
        if evaluated.was_thrown && is_misplaced_await(&expression, &evaluated.result) {
            // WebKit takes `await` only inside of functions.
            for wrapped in inside_of_functions(&expression) {
                evaluated = self.evaluate_object(&wrapped, deadline).await?;
                if !evaluated.was_thrown || evaluated.result.class_name.as_deref() != Some("SyntaxError") {
                    break;
                }
            }
        }
        if let Some(object) = &evaluated.result.object_id
            && !evaluated.was_thrown
            && evaluated.result.class_name.as_deref() == Some("Promise")
        {
            let params = json!({ "promiseObjectId": object });
            let reply = self.send(Some(MAIN), "Runtime.awaitPromise", params)?.until(deadline).await?;
            evaluated = parse(&reply)?;
        }
        let described = self.describe(evaluated, deadline).await;
        let released = json!({ "objectGroup": OURS });
        drop(self.send(None, "Runtime.releaseObjectGroup", released)?);
        described
    }

    async fn evaluate_object(&self, expression: &str, deadline: Deadline) -> Result<Evaluated, DriverError> {
        let params = json!({ "expression": expression, "objectGroup": OURS, "emulateUserGesture": true });
        let reply = self.send(Some(MAIN), "Runtime.evaluate", params)?.until(deadline).await?;
        parse(&reply)
    }

    async fn describe(&self, evaluated: Evaluated, deadline: Deadline) -> Result<Evaluation, DriverError> {
        let Evaluated { result, was_thrown } = evaluated;
        if was_thrown {
            return Ok(Evaluation::Threw(result.shown()));
        }
        let description = result.description.clone().unwrap_or_else(|| result.kind.clone());
        match (result.kind.as_str(), result.value, result.object_id) {
            _ if result.subtype.as_deref() == Some("null") => Ok(Evaluation::Value(Value::Null)),
            ("undefined", _, _) => Ok(Evaluation::Described("undefined".to_string())),
            // Numbers that JSON does not know.
            ("number", None | Some(Value::Null), _) => Ok(Evaluation::Described(description)),
            ("function" | "symbol" | "bigint", _, _) => Ok(Evaluation::Described(description)),
            (_, Some(value), _) => Ok(Evaluation::Value(value)),
            (_, None, Some(object)) => {
                match self.call_on(MAIN, &object, "function(){return this}")?.until(deadline).await {
                    // Values that refer to themselves (`window`) cannot be copied.
                    Err(DriverError::Refused { message, .. }) if message.contains("reference chain") => {
                        Ok(Evaluation::Described(description))
                    }
                    Err(err) => Err(err),
                    Ok(reply) => {
                        let value = parse::<Evaluated>(&reply)?.result.value;
                        Ok(value.map_or(Evaluation::Described(description), Evaluation::Value))
                    }
                }
            }
            (_, None, None) => Ok(Evaluation::Described(description)),
        }
    }

    // ---- frames --------------------------------------------------------------------------------------------

    /// Which of its parent's frames this one is. Windows may be compared across origins, so any can be asked.
    async fn place_in_parent(&self, frame: &str, deadline: Deadline) -> Result<u64, DriverError> {
        let place = self.ask_value(frame, PLACE_IN_PARENT, deadline).await?;
        place.as_u64().ok_or(DriverError::DocumentGone)
    }

    pub async fn offset_of(&self, frame: &FrameId, deadline: Deadline) -> Result<Point, DriverError> {
        let mut offset = Point { x: 0.0, y: 0.0 };
        let mut at = frame.0.clone();
        while at != MAIN {
            let parent = self.frame_table().parent(&at).ok_or(DriverError::DocumentGone)?;
            let place = self.place_in_parent(&at, deadline).await?;
            let inside = self.ask_value(&parent, &format!("({CONTENT_OF_FRAME})({place})"), deadline).await?;
            let number = |at: usize| inside.get(at).and_then(Value::as_f64).ok_or(DriverError::DocumentGone);
            offset.x += number(0)?;
            offset.y += number(1)?;
            at = parent;
        }
        Ok(offset)
    }

    /// The frame that keys go to.
    async fn focused_frame(&self, deadline: Deadline) -> Result<String, DriverError> {
        let mut at = MAIN.to_string();
        loop {
            let children = self.frame_table().children(&at);
            if children.is_empty() {
                return Ok(at);
            }
            let Some(place) = self.ask_value(&at, FOCUSED_FRAME, deadline).await?.as_u64() else {
                return Ok(at);
            };
            let mut inner = None;
            for child in children {
                if self.place_in_parent(&child, deadline).await.ok() == Some(place) {
                    inner = Some(child);
                    break;
                }
            }
            match inner {
                Some(child) => at = child,
                None => return Ok(at),
            }
        }
    }

    /// As an input method does: real events of the browser, whatever the length.
    pub async fn put_in(&self, text: String, deadline: Deadline) -> Result<(), DriverError> {
        let frame = self.focused_frame(deadline).await?;
        self.browser().used(assay_driver::Surface::id(self));
        let expression = format!("document.execCommand('insertText',false,{})", json!(text));
        let mut params =
            json!({ "expression": expression, "returnByValue": true, "emulateUserGesture": true });
        if let Some(context) = self.context_of(&frame, deadline).await? {
            params["contextId"] = json!(context);
        }
        self.send(Some(&frame), "Runtime.evaluate", params)?.until(deadline).await.map(drop)
    }

    /// Moves the choice of a list that opens, as the session does for a user: the list is a window of the
    /// desktop here, which no key of ours reaches. False when no such list has the focus.
    pub async fn move_choice(&self, distance: i64, deadline: Deadline) -> Result<bool, DriverError> {
        let frame = self.focused_frame(deadline).await?;
        let handle = self.handle(deadline).await?;
        let frame_handle = self.frame_handle(&handle, &frame, deadline).await?;
        let option = format!("function(){{return ({OPTION_AT_DISTANCE})({distance})}}");
        let Some(node) = self.find_node(&handle, &frame_handle, option, deadline).await? else {
            return Ok(false);
        };
        let params = json!({
            "browsingContextHandle": handle, "frameHandle": frame_handle, "nodeHandle": node,
        });
        self.automation("selectOptionElement", params, deadline).await?;
        Ok(true)
    }

    /// What the session calls the element that a function gives back.
    async fn find_node(
        &self,
        handle: &str,
        frame_handle: &str,
        function: String,
        deadline: Deadline,
    ) -> Result<Option<Value>, DriverError> {
        let params = json!({
            "browsingContextHandle": handle, "frameHandle": frame_handle, "arguments": [], "function": function,
        });
        let reply = self.automation("evaluateJavaScriptFunction", params, deadline).await?;
        let node: Value = serde_json::from_str(&parse::<TextReply>(&reply)?.result).unwrap_or_default();
        Ok(node.as_object().and_then(|named| named.values().next()).cloned())
    }

    // ---- files ---------------------------------------------------------------------------------------------

    /// Gives the files to the element itself, so it need not be shown.
    pub async fn give_files(
        &self,
        frame: &FrameId,
        element: u32,
        files: Vec<PathBuf>,
        deadline: Deadline,
    ) -> Result<(), DriverError> {
        let handle = self.handle(deadline).await?;
        let frame_handle = self.frame_handle(&handle, &frame.0, deadline).await?;
        let functions = self.browser().bootstrap.functions();
        let function = format!("function(){{return ({functions}).elementFor({element})}}");
        let node = self.find_node(&handle, &frame_handle, function, deadline).await?;
        let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        let params = json!({
            "browsingContextHandle": handle, "frameHandle": frame_handle,
            "nodeHandle": node.ok_or(DriverError::DocumentGone)?, "filenames": files,
        });
        self.automation("setFilesForInputFileUpload", params, deadline).await.map(drop)
    }

    /// What the session calls a frame; it knows them by their place in their parent.
    async fn frame_handle(
        &self,
        handle: &str,
        frame: &str,
        deadline: Deadline,
    ) -> Result<String, DriverError> {
        let mut way = Vec::new();
        let mut at = frame.to_string();
        while at != MAIN {
            way.push(self.place_in_parent(&at, deadline).await?);
            at = self.frame_table().parent(&at).ok_or(DriverError::DocumentGone)?;
        }
        let mut found = String::new();
        for place in way.into_iter().rev() {
            let params = json!({ "browsingContextHandle": handle, "frameHandle": found, "ordinal": place });
            let reply = self.automation("resolveChildFrameHandle", params, deadline).await?;
            found = parse::<TextReply>(&reply)?.result;
        }
        Ok(found)
    }
}

fn is_misplaced_await(expression: &str, thrown: &RemoteObject) -> bool {
    expression.contains("await") && thrown.class_name.as_deref() == Some("SyntaxError")
}

/// The ways to put an expression into a function that may await, the likeliest first: as one expression, as
/// statements of which the last gives the value, as statements that give none.
fn inside_of_functions(expression: &str) -> Vec<String> {
    let mut ways = vec![format!("(async()=>(\n{expression}\n))()")];
    let statements = expression.trim_end().trim_end_matches(';');
    if let Some((first, last)) = statements.rsplit_once([';', '\n']) {
        ways.push(format!("(async()=>{{\n{first};\nreturn (\n{last}\n)}})()"));
    }
    ways.push(format!("(async()=>{{\n{expression}\n}})()"));
    ways
}

const LOOK_AT_FRAMES: &str = "(() => { for (let i = 0; i < 1000 && window[i]; i++); })()";

const PLACE_IN_PARENT: &str =
    "(() => { for (let i = 0; i < parent.length; i++) if (parent[i] === self) return i; })()";

/// Done when the page has scrolled; at once where the wheel finds nothing that could be scrolled that way.
const SCROLL_BY_WHEEL: &str = "(x, y, byX, byY) => {
  const room = (element, style) => {
    const along = (by, at, most, flow) => by !== 0 && !/hidden|visible|clip/.test(flow) && (by < 0 ? at > 0 : Math.ceil(at) < most);
    return along(byX, element.scrollLeft, element.scrollWidth - element.clientWidth, style ? style.overflowX : 'auto') ||
      along(byY, element.scrollTop, element.scrollHeight - element.clientHeight, style ? style.overflowY : 'auto');
  };
  let at = document.elementFromPoint(x, y);
  const frame = !!at && !!at.contentWindow;
  const top = document.scrollingElement || document.documentElement;
  let moves = room(top, null);
  for (; at && at !== top && !moves; at = at.parentElement || at.getRootNode().host) moves = room(at, getComputedStyle(at));
  if (!moves && !frame) return Promise.resolve(0);
  return new Promise((done) => {
    addEventListener('scroll', () => requestAnimationFrame(() => done(0)), { capture: true, once: true, passive: true });
    setTimeout(() => done(0), frame ? 300 : 1500);
  });
}";

const CONTENT_OF_FRAME: &str = "(place) => {
  const find = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.contentWindow && element.contentWindow === self[place]) return element;
      const inner = element.shadowRoot && find(element.shadowRoot);
      if (inner) return inner;
    }
  };
  const element = find(document);
  if (!element) return [];
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  return [box.left + element.clientLeft + parseFloat(style.paddingLeft), box.top + element.clientTop + parseFloat(style.paddingTop)];
}";

const FOCUSED_FRAME: &str = "(() => {
  let held = document.activeElement;
  while (held && held.shadowRoot && held.shadowRoot.activeElement) held = held.shadowRoot.activeElement;
  if (held && held.contentWindow) for (let i = 0; i < self.length; i++) if (self[i] === held.contentWindow) return i;
  return null;
})()";

/// The option so many places from the chosen one, of those that keys can reach.
const OPTION_AT_DISTANCE: &str = "(distance) => {
  let list = document.activeElement;
  while (list && list.shadowRoot && list.shadowRoot.activeElement) list = list.shadowRoot.activeElement;
  if (!list || list.localName !== 'select' || list.multiple || list.size > 1) return null;
  const open = [...list.options].filter((option) => !option.disabled && !option.hidden && getComputedStyle(option).display !== 'none' &&
    !(option.parentElement.localName === 'optgroup' && option.parentElement.disabled));
  return open[open.indexOf(list.options[list.selectedIndex]) + distance] || null;
}";
