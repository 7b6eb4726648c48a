//! What a tab can do because it shows documents.

use std::path::PathBuf;
use std::sync::PoisonError;

use assay_dom::{ASLEEP, ASLEEP_ANSWER, LEFT, NOT_THERE};
use assay_driver::{
    Capability, Deadline, DriverError, Evaluation, Frame, FrameId, Navigation, NetworkFault, Point, Reply,
    Viewport, WebPage,
};
use assay_protocol::{CookieInfo, Emulation, Route, RouteCount};
use serde_json::json;
use serde_json::value::RawValue;

use super::{BidiSurface, awaiting, cookie_info, cookie_params, decode, only_fragment, script_value};
use crate::browser::{SANDBOX, parse};
use crate::protocol::*;
use crate::refusal::common_name;
use crate::values::evaluation;

impl WebPage for BidiSurface {
    fn frames(&self) -> Vec<Frame> {
        self.contexts().list()
    }

    fn main_frame(&self) -> FrameId {
        FrameId(self.context.clone())
    }

    fn call<'a>(
        &'a self,
        frame: &'a FrameId,
        function: &'a str,
        arguments: String,
        deadline: Deadline,
    ) -> Reply<'a, Box<RawValue>> {
        const TRIES: usize = 4;
        Box::pin(async move {
            // Each time another document may be there: the first, empty one of a frame soon goes.
            for _ in 0..TRIES {
                match self.call_script(frame, function, &arguments, deadline).await {
                    Err(DriverError::Script { message }) if message.contains(NOT_THERE) => {
                        self.install(frame, deadline).await?;
                    }
                    // Sent in one go: what was asked behind this question is asked behind it again.
                    Err(DriverError::Script { message }) if message.contains(ASLEEP) => self.wake(frame),
                    Err(DriverError::Script { message }) if message.contains(LEFT) => {
                        return Err(DriverError::DocumentGone);
                    }
                    Ok(answer) if answer.get().starts_with(ASLEEP_ANSWER) => {
                        // Ahead of the next question, which mostly needs it.
                        self.wake(frame);
                        return Ok(answer);
                    }
                    result => return result,
                }
            }
            Err(DriverError::DocumentGone)
        })
    }

    fn evaluate(&self, expression: String, deadline: Deadline) -> Reply<'_, Evaluation> {
        Box::pin(async move {
            let run = |expression: &str| {
                let params = json!({
                    "expression": expression,
                    "target": { "context": self.context },
                    "awaitPromise": true,
                    "userActivation": true,
                });
                self.command("script.evaluate", params, deadline)
            };
            let mut reply = parse::<ScriptResult>(&run(&expression).await?)?;
            if let ScriptResult::Exception { exception_details } = &reply
                && exception_details.text.contains("await is only valid")
            {
                reply = parse::<ScriptResult>(&run(&awaiting(&expression)).await?)?;
            }
            Ok(match reply {
                ScriptResult::Success { result } => evaluation(&result),
                ScriptResult::Exception { exception_details } => Evaluation::Threw(exception_details.text),
            })
        })
    }

    fn frame_offset<'a>(&'a self, frame: &'a FrameId, deadline: Deadline) -> Reply<'a, Point> {
        const MEASURE: &str = "(element) => {
            const box = element.getBoundingClientRect();
            const style = getComputedStyle(element);
            return [box.left + element.clientLeft + parseFloat(style.paddingLeft),
                box.top + element.clientTop + parseFloat(style.paddingTop)];
        }";
        Box::pin(async move {
            let mut offset = Point { x: 0.0, y: 0.0 };
            let mut at = frame.0.clone();
            while at != self.context {
                let parent = self.contexts().parent(&at).ok_or(DriverError::DocumentGone)?;
                let params = json!({
                    "context": parent,
                    "locator": { "type": "context", "value": { "context": at } },
                });
                let reply = self.command("browsingContext.locateNodes", params, deadline).await?;
                let nodes = parse::<Nodes>(&reply)?.nodes;
                let owner = nodes.first().ok_or(DriverError::DocumentGone)?;
                let params = json!({
                    "functionDeclaration": MEASURE,
                    "arguments": [{ "sharedId": owner.shared_id }],
                    "target": { "context": parent, "sandbox": SANDBOX },
                    "awaitPromise": false,
                });
                let reply = self.command("script.callFunction", params, deadline).await?;
                let measured = script_value(&reply)?;
                let part = |at: usize| measured["value"][at]["value"].as_f64().unwrap_or_default();
                offset.x += part(0);
                offset.y += part(1);
                at = parent;
            }
            Ok(offset)
        })
    }

    fn navigate(&self, url: String, deadline: Deadline) -> Reply<'_, Navigation> {
        Box::pin(async move {
            let reply =
                self.here("browsingContext.navigate", json!({ "url": url, "wait": "none" }), deadline);
            match reply.await {
                Ok(raw) => {
                    let navigated: Navigated = parse(&raw)?;
                    Ok(if navigated.navigation.is_some() && !only_fragment(&self.url(), &url) {
                        Navigation::NewDocument
                    } else {
                        Navigation::SameDocument
                    })
                }
                Err(DriverError::Refused { message, .. }) => {
                    Ok(Navigation::Failed { reason: common_name(&message) })
                }
                Err(err) => Err(err),
            }
        })
    }

    fn stop_loading(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let params = json!({
                "expression": "window.stop()", "target": { "context": self.context }, "awaitPromise": false,
            });
            self.command("script.evaluate", params, deadline).await.map(drop)
        })
    }

    fn end_scripts(&self, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            Err(DriverError::Unsupported { driver: "firefox", capability: Capability::EndScripts })
        })
    }

    fn go_in_history(&self, delta: i32, deadline: Deadline) -> Reply<'_, bool> {
        Box::pin(async move {
            match self.here("browsingContext.traverseHistory", json!({ "delta": delta }), deadline).await {
                Ok(_) => Ok(true),
                Err(DriverError::Refused { message, .. }) if message.contains("no such history entry") => {
                    Ok(false)
                }
                Err(err) => Err(err),
            }
        })
    }

    fn reload(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            self.here("browsingContext.reload", json!({ "wait": "none" }), deadline).await.map(drop)
        })
    }

    fn set_files<'a>(
        &'a self,
        frame: &'a FrameId,
        element: u32,
        files: Vec<PathBuf>,
        deadline: Deadline,
    ) -> Reply<'a, ()> {
        Box::pin(async move {
            let node = self.run(&frame.0, &format!("__assay.elementFor({element})"), deadline).await?;
            let shared = node["sharedId"].as_str().ok_or(DriverError::DocumentGone)?;
            let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
            let params = json!({ "context": frame.0, "element": { "sharedId": shared }, "files": files });
            self.command("input.setFiles", params, deadline).await.map(drop)
        })
    }

    fn pdf(&self, deadline: Deadline) -> Reply<'_, Vec<u8>> {
        Box::pin(async move {
            let reply = self.here("browsingContext.print", json!({ "background": true }), deadline).await?;
            decode(&reply)
        })
    }

    fn answer_dialog(&self, accept: Option<String>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let held = self.dialog_in.lock().unwrap_or_else(PoisonError::into_inner).take();
            let context = held.unwrap_or_else(|| self.context.clone());
            let params = match accept {
                Some(text) => json!({ "context": context, "accept": true, "userText": text }),
                None => json!({ "context": context, "accept": false }),
            };
            self.command("browsingContext.handleUserPrompt", params, deadline).await.map(drop)
        })
    }

    fn set_viewport(&self, viewport: Viewport, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let params = json!({
                "viewport": { "width": viewport.width, "height": viewport.height },
                "devicePixelRatio": viewport.scale,
            });
            self.here("browsingContext.setViewport", params, deadline).await.map(drop)
        })
    }

    fn cookies(&self, deadline: Deadline) -> Reply<'_, Vec<CookieInfo>> {
        Box::pin(async move {
            let params = json!({ "partition": self.partition() });
            let reply = self.command("storage.getCookies", params, deadline).await?;
            parse::<Cookies>(&reply)?.cookies.into_iter().map(cookie_info).collect()
        })
    }

    fn set_cookies(&self, cookies: Vec<CookieInfo>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            for cookie in &cookies {
                let params = json!({ "cookie": cookie_params(cookie), "partition": self.partition() });
                self.command("storage.setCookie", params, deadline).await?;
            }
            Ok(())
        })
    }

    fn clear_cookies(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let params = json!({ "partition": self.partition() });
            self.command("storage.deleteCookies", params, deadline).await.map(drop)
        })
    }

    fn set_network_fault(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.arm(fault, deadline))
    }

    fn emulation(&self) -> Emulation {
        self.browser.with_settings(&self.user_context, |settings| settings.emulation.clone())
    }

    fn emulate(&self, emulation: Emulation, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.emulate_in_context(emulation, deadline))
    }

    fn routes(&self) -> Vec<RouteCount> {
        self.browser.with_settings(&self.user_context, |settings| settings.routes.counts().to_vec())
    }

    fn set_routes(&self, routes: Vec<Route>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.route_in_context(routes, deadline))
    }

    fn activate(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move { self.here("browsingContext.activate", json!({}), deadline).await.map(drop) })
    }
}
