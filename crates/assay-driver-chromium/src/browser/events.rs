//! What Chromium tells of a page, as events of the seam.

use std::sync::Arc;

use assay_driver::{ConsoleLevel, DriverEvent, FrameId, RequestKind, Surface};
use serde_json::value::RawValue;

use super::{Shared, read};
use crate::opening::Opening;
use crate::protocol::*;
use crate::surface::ChromiumSurface;

impl Shared {
    pub(super) fn page_event(
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
                    // That it has come is never said.
                    RequestKind::Script if event.loader_id.is_empty() => RequestKind::Resource,
                    other => other,
                };
                if let Some(ResponseInfo { status }) = event.redirect_response {
                    let (surface, id) = (id.clone(), event.request_id.clone());
                    sink.event(DriverEvent::ResponseReceived { surface, id, status });
                }
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

fn request_kind(kind: &str) -> RequestKind {
    match kind {
        "Document" => RequestKind::Document,
        "XHR" | "Fetch" | "Preflight" => RequestKind::Fetch,
        "Script" => RequestKind::Script,
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
