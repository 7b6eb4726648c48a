//! What a browser tells over BiDi, as events of the seam.

use std::path::Path;
use std::sync::Arc;

use assay_driver::{ConsoleLevel, DriverEvent, FrameId, RequestKind, Surface, SurfaceId, WebPage};
use serde_json::value::RawValue;

use super::{Shared, read};
use crate::protocol::*;
use crate::refusal::common_name;
use crate::values::describe;

impl Shared {
    pub(super) fn event(self: &Arc<Self>, method: &str, params: &RawValue) -> Option<()> {
        let sink = &self.sink;
        match method {
            "browsingContext.contextCreated" => self.context_created(read(params)?),
            "browsingContext.contextDestroyed" => self.context_destroyed(&read(params)?),
            "browsingContext.userPromptOpened" => {
                let event: PromptOpened = read(params)?;
                let surface = self.of_context(&event.context)?;
                surface.dialog_opened(&event.context);
                sink.event(DriverEvent::DialogOpened {
                    surface: surface.id(),
                    default: event.default_value.filter(|_| event.kind == "prompt"),
                    kind: event.kind,
                    message: event.message,
                });
            }
            "browsingContext.userPromptClosed" => {
                let event: PromptClosed = read(params)?;
                let surface = self.of_context(&event.context)?.id();
                sink.event(DriverEvent::DialogClosed { surface });
            }
            "browsingContext.downloadWillBegin" => {
                let event: DownloadBegun = read(params)?;
                let id = event.navigation.unwrap_or_else(|| event.url.clone());
                // What began as a way to another page ends here.
                let tab = event.context.and_then(|context| self.of_context(&context));
                if let Some(tab) = &tab {
                    let (surface, frame) = (tab.id(), tab.main_frame());
                    sink.event(DriverEvent::LoadingStopped { surface, frame, is_main: true });
                }
                let name = self.downloads.begin(&id, &event.suggested_filename);
                let surface = tab.map(|tab| tab.id());
                sink.event(DriverEvent::DownloadStarted { id, surface, name, url: event.url });
            }
            "browsingContext.downloadEnd" => {
                let event: DownloadEnded = read(params)?;
                let id = event.navigation.unwrap_or(event.url);
                let written = event.filepath.filter(|_| event.status == "complete");
                let path = match written {
                    Some(written) => self.downloads.finish(&id, Path::new(&written)),
                    None => self.downloads.forget(&id).and(None),
                };
                sink.event(DriverEvent::DownloadFinished { id, path });
            }
            "log.entryAdded" => self.logged(read(params)?)?,
            _ if method.starts_with("browsingContext.") => self.navigated(method, read(params)?)?,
            _ if method.starts_with("network.") => self.requested(method, read(params)?)?,
            _ => {}
        }
        Some(())
    }

    fn navigated(&self, method: &str, event: NavigationInfo) -> Option<()> {
        let tab = self.of_context(&event.context)?;
        let surface = tab.id();
        let is_main = event.context == surface.0;
        let frame = FrameId(event.context.clone());
        let url = event.url;
        let told = match method {
            "browsingContext.navigationStarted" => {
                self.permit_place(tab.user_context(), &url);
                DriverEvent::NavigationStarted { surface, frame, is_main, url }
            }
            "browsingContext.navigationCommitted" => {
                tab.contexts().moved(&event.context, &url);
                DriverEvent::NavigationCommitted { surface, frame, is_main, url }
            }
            "browsingContext.navigationAborted" | "browsingContext.navigationFailed" => {
                DriverEvent::LoadingStopped { surface, frame, is_main }
            }
            "browsingContext.fragmentNavigated" | "browsingContext.historyUpdated" => {
                tab.contexts().moved(&event.context, &url);
                DriverEvent::NavigatedWithin { surface, frame, is_main, url }
            }
            "browsingContext.domContentLoaded" if is_main => DriverEvent::DomReady { surface },
            "browsingContext.load" if is_main => {
                self.sink.event(DriverEvent::Loaded { surface: surface.clone() });
                DriverEvent::LoadingStopped { surface, frame, is_main }
            }
            _ => return None,
        };
        self.sink.event(told);
        Some(())
    }

    fn requested(&self, method: &str, event: NetworkEvent) -> Option<()> {
        if event.is_blocked {
            self.request_held(&event);
        }
        let tab = self.of_context(event.context.as_deref()?)?;
        let surface = tab.id();
        let id = event.request.request.clone();
        let is_document = request_kind(&event, &surface) == RequestKind::Document;
        let no_page = event.response.as_ref().is_some_and(|response| matches!(response.status, 204 | 205));
        if is_document && (no_page && method == "network.responseCompleted" || method == "network.fetchError")
        {
            let (surface, frame) = (surface.clone(), tab.main_frame());
            self.sink.event(DriverEvent::LoadingStopped { surface, frame, is_main: true });
        }
        let told = match method {
            "network.beforeRequestSent" => {
                let kind = request_kind(&event, &surface);
                // Where the browser is not ours: a page did not ask for its own picture in the address bar.
                if event.request.url.ends_with("/favicon.ico") && kind == RequestKind::Resource {
                    return None;
                }
                DriverEvent::RequestStarted {
                    surface,
                    id,
                    method: event.request.method,
                    url: event.request.url,
                    kind,
                    // What is sent can be had only by another question.
                    fields: None,
                }
            }
            "network.responseCompleted" => {
                let (status, own) = (event.response?.status, surface.clone());
                self.sink.event(DriverEvent::ResponseReceived { surface: own, id: id.clone(), status });
                DriverEvent::RequestFinished { surface, id }
            }
            "network.fetchError" => {
                let cancelled = event.error_text == "NS_BINDING_ABORTED";
                let error = common_name(&event.error_text);
                DriverEvent::RequestFailed { surface, id, error, cancelled }
            }
            _ => return None,
        };
        self.sink.event(told);
        Some(())
    }

    fn logged(&self, entry: LogEntry) -> Option<()> {
        let surface = self.of_context(entry.source.context.as_deref()?)?.id();
        let text = if entry.args.is_empty() {
            entry.text.unwrap_or_default()
        } else {
            entry.args.iter().map(describe).collect::<Vec<_>>().join(" ")
        };
        let place = entry
            .stack_trace
            .as_ref()
            .and_then(|stack| stack.call_frames.first())
            .filter(|top| !top.url.is_empty())
            .map(|top| format!("{}:{}", top.url, top.line_number + 1));
        let level = match entry.level.as_str() {
            "error" => ConsoleLevel::Error,
            "warn" => ConsoleLevel::Warning,
            "debug" => ConsoleLevel::Debug,
            _ => ConsoleLevel::Info,
        };
        self.sink.event(DriverEvent::Console { surface, level, text, place });
        Some(())
    }
}

fn request_kind(event: &NetworkEvent, surface: &SurfaceId) -> RequestKind {
    if event.navigation.is_some() && event.context.as_deref() == Some(surface.0.as_str()) {
        return RequestKind::Document;
    }
    if event.navigation.is_some() {
        return RequestKind::FrameDocument;
    }
    let initiator = event.request.initiator_type.as_deref().unwrap_or_default();
    let destination = event.request.destination.as_deref().unwrap_or_default();
    match (initiator, destination) {
        ("fetch" | "xmlhttprequest", _) => RequestKind::Fetch,
        (_, "script") => RequestKind::Script,
        ("beacon", _) => RequestKind::Beacon,
        (_, "audio" | "video" | "track") | ("eventsource" | "websocket", _) => RequestKind::Stream,
        _ => RequestKind::Resource,
    }
}
