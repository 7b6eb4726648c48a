//! What a tab of Chromium can do because it shows documents.

use std::path::PathBuf;
use std::sync::PoisonError;

use assay_dom::{LEFT, NOT_THERE};
use assay_driver::{
    Deadline, DriverError, Evaluation, Frame, FrameId, Navigation, NetworkFault, Point, Reply, Viewport,
    WebPage,
};
use assay_protocol::{CookieInfo, Emulation, Route, RouteCount};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{ChromiumSurface, EMPTYING, cookie_params, decode};
use crate::browser::parse;
use crate::protocol::*;

impl WebPage for ChromiumSurface {
    fn frames(&self) -> Vec<Frame> {
        self.frames().list()
    }

    fn main_frame(&self) -> FrameId {
        FrameId(self.target.clone())
    }

    fn call<'a>(
        &'a self,
        frame: &'a FrameId,
        function: &'a str,
        arguments: String,
        deadline: Deadline,
    ) -> Reply<'a, Box<RawValue>> {
        Box::pin(async move {
            match self.call_script(frame, function, &arguments, deadline).await {
                // The world is there but its script is not: the document was made by `document.open`
                // or before we attached. Installing it again is harmless.
                Err(DriverError::Script { message }) if message.contains(NOT_THERE) => {
                    let (session, _) = self.frames().place(&frame.0).ok_or(DriverError::DocumentGone)?;
                    self.install(frame, &session, deadline).await?;
                    match self.call_script(frame, function, &arguments, deadline).await {
                        // Another document has taken the place of that one.
                        Err(DriverError::Script { message })
                            if message.contains(NOT_THERE) || message.contains(LEFT) =>
                        {
                            Err(DriverError::DocumentGone)
                        }
                        result => result,
                    }
                }
                Err(DriverError::Script { message }) if message.contains(LEFT) => {
                    Err(DriverError::DocumentGone)
                }
                result => result,
            }
        })
    }

    fn evaluate(&self, expression: String, deadline: Deadline) -> Reply<'_, Evaluation> {
        Box::pin(async move {
            /// Objects that the user's expressions came to, to be let go of together.
            const OF_USER: &str = "assay";
            let params = |top_level_await: bool| {
                json!({
                    "expression": expression, "awaitPromise": true, "objectGroup": OF_USER, "userGesture": true,
                    "replMode": top_level_await, "allowUnsafeEvalBlockedByCSP": true,
                })
            };
            // Only the console's own mode takes `await` outside of functions, but it awaits nothing else.
            let mut evaluated: Evaluated =
                parse(&self.command("Runtime.evaluate", params(false), deadline).await?)?;
            let misplaced = |details: &ExceptionDetails| details.message().contains("await is only valid");
            if evaluated.exception_details.as_ref().is_some_and(misplaced) {
                evaluated = parse(&self.command("Runtime.evaluate", params(true), deadline).await?)?;
            }
            if let Some(details) = evaluated.exception_details {
                return Ok(Evaluation::Threw(details.message()));
            }
            // Copied in a second question: where it cannot be copied, the expression is not evaluated again.
            if let Some(object) = &evaluated.result.object_id {
                let copied = self.copy_of(object, deadline).await;
                drop(self.send("Runtime.releaseObjectGroup", json!({ "objectGroup": OF_USER })));
                if let Some(copy) = copied? {
                    return Ok(Evaluation::Value(copy));
                }
            }
            let result = evaluated.result;
            Ok(match (result.value, result.unserializable_value, result.kind.as_str()) {
                (Some(value), _, _) => Evaluation::Value(value),
                (None, Some(text), _) => Evaluation::Described(text),
                (None, None, _) if result.subtype.as_deref() == Some("null") => {
                    Evaluation::Value(Value::Null)
                }
                (None, None, "undefined") => Evaluation::Described("undefined".to_string()),
                (None, None, _) => Evaluation::Described(result.description.unwrap_or(result.kind)),
            })
        })
    }

    fn frame_offset<'a>(&'a self, frame: &'a FrameId, deadline: Deadline) -> Reply<'a, Point> {
        Box::pin(async move {
            let mut offset = Point { x: 0.0, y: 0.0 };
            let mut at = frame.0.clone();
            // Positions are told relative to the topmost frame of the same process; then on from there.
            while at != self.target {
                let (parent, session) = {
                    let frames = self.frames();
                    let parent = frames.parent(&at).ok_or(DriverError::DocumentGone)?;
                    let session = frames.place(&parent).ok_or(DriverError::DocumentGone)?.0;
                    (parent, session)
                };
                let connection = self.browser.connection();
                let owner = connection
                    .call(Some(&session), "DOM.getFrameOwner", json!({ "frameId": at }), deadline)
                    .await?;
                let owner: FrameOwner = parse(&owner)?;
                let params = json!({ "backendNodeId": owner.backend_node_id });
                let model = connection.call(Some(&session), "DOM.getBoxModel", params, deadline).await?;
                let content = parse::<BoxModelReply>(&model)?.model.content;
                offset.x += content.first().copied().unwrap_or_default();
                offset.y += content.get(1).copied().unwrap_or_default();
                at = self.frames().local_root(&parent);
            }
            Ok(offset)
        })
    }

    fn navigate(&self, url: String, deadline: Deadline) -> Reply<'_, Navigation> {
        Box::pin(async move {
            let reply = self.command("Page.navigate", json!({ "url": url }), deadline).await;
            let raw = match reply {
                Err(DriverError::Refused { message, .. }) => {
                    return Ok(Navigation::Failed { reason: message });
                }
                other => other?,
            };
            let navigated: Navigated = parse(&raw)?;
            Ok(match navigated {
                Navigated { is_download: true, .. } => Navigation::Download,
                Navigated { error_text: Some(reason), .. } => Navigation::Failed { reason },
                Navigated { loader_id: Some(_), .. } => Navigation::NewDocument,
                Navigated { loader_id: None, .. } => Navigation::SameDocument,
            })
        })
    }

    fn opening(&self, deadline: Deadline) -> Reply<'_, Navigation> {
        Box::pin(async move {
            let opened = self.opened(deadline).await;
            let has_document = self.opening.lock().unwrap_or_else(PoisonError::into_inner).has_document();
            if !has_document {
                // There is nothing in it that could be asked anything.
                let soon = Deadline::after(EMPTYING);
                let _emptied = self.command("Page.navigate", json!({ "url": "about:blank" }), soon).await;
            }
            opened
        })
    }

    fn stop_loading(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move { self.command("Page.stopLoading", json!({}), deadline).await.map(drop) })
    }

    fn end_scripts(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(
            async move { self.command("Runtime.terminateExecution", json!({}), deadline).await.map(drop) },
        )
    }

    fn go_in_history(&self, delta: i32, deadline: Deadline) -> Reply<'_, bool> {
        Box::pin(async move {
            let reply = self.command("Page.getNavigationHistory", json!({}), deadline).await?;
            let history: History = parse(&reply)?;
            let index = usize::try_from(history.current_index + delta).ok();
            let Some(entry) = index.and_then(|index| history.entries.get(index)) else { return Ok(false) };
            self.command("Page.navigateToHistoryEntry", json!({ "entryId": entry.id }), deadline).await?;
            Ok(true)
        })
    }

    fn reload(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move { self.command("Page.reload", json!({}), deadline).await.map(drop) })
    }

    fn set_files<'a>(
        &'a self,
        frame: &'a FrameId,
        element: u32,
        files: Vec<PathBuf>,
        deadline: Deadline,
    ) -> Reply<'a, ()> {
        Box::pin(async move {
            let (session, world) = self.frames().place(&frame.0).ok_or(DriverError::DocumentGone)?;
            let world = world.ok_or(DriverError::DocumentGone)?;
            let connection = self.browser.connection();
            let params =
                json!({ "expression": format!("__assay.elementFor({element})"), "uniqueContextId": world });
            let reply = connection.call(Some(&session), "Runtime.evaluate", params, deadline).await?;
            let object = parse::<Evaluated>(&reply)?.result.object_id.ok_or(DriverError::DocumentGone)?;
            let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
            let params = json!({ "files": files, "objectId": object });
            connection.call(Some(&session), "DOM.setFileInputFiles", params, deadline).await.map(drop)
        })
    }

    fn pdf(&self, deadline: Deadline) -> Reply<'_, Vec<u8>> {
        Box::pin(async move {
            let params = json!({ "printBackground": true, "transferMode": "ReturnAsBase64" });
            let reply = self.command("Page.printToPDF", params, deadline).await?;
            decode(&reply)
        })
    }

    fn answer_dialog(&self, accept: Option<String>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let params = match accept {
                Some(text) => json!({ "accept": true, "promptText": text }),
                None => json!({ "accept": false }),
            };
            self.command("Page.handleJavaScriptDialog", params, deadline).await.map(drop)
        })
    }

    fn set_viewport(&self, viewport: Viewport, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let scaled = (viewport.scale != 1.0).then_some(viewport);
            *self.scaled.lock().unwrap_or_else(PoisonError::into_inner) = scaled;
            self.override_metrics(viewport, deadline).await
        })
    }

    fn cookies(&self, deadline: Deadline) -> Reply<'_, Vec<CookieInfo>> {
        Box::pin(async move {
            let reply = self.in_context("Storage.getCookies", json!({}), deadline).await?;
            Ok(parse::<Cookies>(&reply)?.cookies)
        })
    }

    fn set_cookies(&self, cookies: Vec<CookieInfo>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let cookies: Vec<Value> = cookies.iter().map(cookie_params).collect();
            self.in_context("Storage.setCookies", json!({ "cookies": cookies }), deadline).await.map(drop)
        })
    }

    fn clear_cookies(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move { self.in_context("Storage.clearCookies", json!({}), deadline).await.map(drop) })
    }

    fn set_network_fault(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.arm(fault, deadline))
    }

    fn emulation(&self) -> Emulation {
        self.browser.with_settings(self.context(), |settings| settings.emulation.clone())
    }

    fn emulate(&self, emulation: Emulation, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.emulate_in_context(emulation, deadline))
    }

    fn routes(&self) -> Vec<RouteCount> {
        self.browser.with_settings(self.context(), |settings| settings.routes.counts().to_vec())
    }

    fn set_routes(&self, routes: Vec<Route>, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(self.route_in_context(routes, deadline))
    }

    fn activate(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move { self.command("Page.bringToFront", json!({}), deadline).await.map(drop) })
    }
}
