//! What a page's process tells, as events of the seam.

use std::sync::Arc;

use assay_driver::{ConsoleLevel, DriverEvent, FrameId, RequestKind, Surface, field_names};
use serde_json::value::RawValue;

use crate::bootstrap::Bootstrap;
use crate::protocol::*;
use crate::surface::WebKitSurface;

impl WebKitSurface {
    /// Called by the reader for events of the process that shows the page.
    pub fn page_event(
        self: &Arc<Self>,
        page: &str,
        bootstrap: &Bootstrap,
        method: &str,
        params: &RawValue,
    ) -> Option<()> {
        match method {
            "Page.frameStartedLoading" => {
                let event: FrameEvent = read(params)?;
                let (surface, frame, is_main) = self.name(&event.frame_id);
                let url = if is_main { self.url_asked_for() } else { String::new() };
                if is_main {
                    self.document_begun();
                }
                self.tell(DriverEvent::NavigationStarted { surface, frame, is_main, url });
            }
            "Page.frameScheduledNavigation" => {
                // What is to happen much later is a timer of the page, not a consequence of what was done.
                const SOON: f64 = 0.5;
                let event: FrameEvent = read(params)?;
                if event.delay <= SOON {
                    let (surface, frame, is_main) = self.name(&event.frame_id);
                    let url = String::new();
                    self.tell(DriverEvent::NavigationRequested { surface, frame, is_main, url });
                }
            }
            "Page.frameNavigated" => {
                let event: FrameNavigated = read(params)?;
                self.document_came(&event.frame);
                let (surface, frame, is_main) = self.name(&event.frame.id);
                let url = event.frame.url;
                let document = frame.clone();
                self.tell(DriverEvent::NavigationCommitted { surface, frame, is_main, url });
                self.end_questions(page, &document, is_main);
            }
            "Page.frameDetached" => {
                let event: FrameEvent = read(params)?;
                self.frame_went(page, &event.frame_id);
            }
            "Page.frameStoppedLoading" => {
                let event: FrameEvent = read(params)?;
                let (surface, frame, is_main) = self.name(&event.frame_id);
                // Only here: the process that took the page over goes on.
                if !(is_main && self.hand_over().is_under_way()) {
                    self.tell(DriverEvent::LoadingStopped { surface, frame, is_main });
                }
            }
            "Page.domContentEventFired" => self.tell(DriverEvent::DomReady { surface: self.id() }),
            "Page.loadEventFired" => self.tell(DriverEvent::Loaded { surface: self.id() }),
            "Runtime.executionContextCreated" => {
                let event: ContextCreated = read(params)?;
                self.frame_table().context_created(&event.context);
                self.frames_changed();
            }
            "Network.requestWillBeSent" => self.request_started(read(params)?),
            "Network.responseReceived" => {
                let event: ResponseReceived = read(params)?;
                let status = event.response.status;
                self.with_attempt(|attempt| attempt.answered(&event.request_id, status));
                // Addresses that no server answers have no status.
                if status != 0 {
                    let (surface, id) = (self.id(), self.hand_over().first_name(event.request_id));
                    self.tell(DriverEvent::ResponseReceived { surface, id, status });
                }
            }
            "Network.loadingFinished" => {
                let event: LoadingEnded = read(params)?;
                let id = self.hand_over().first_name(event.request_id);
                self.tell(DriverEvent::RequestFinished { surface: self.id(), id });
            }
            "Network.loadingFailed" => {
                let event: LoadingEnded = read(params)?;
                let LoadingEnded { request_id: id, error_text: error, canceled: cancelled } = event;
                self.with_attempt(|attempt| attempt.failed(&id, &error, cancelled));
                if !(cancelled && self.hand_over().was_handed_over(&id)) {
                    let id = self.hand_over().first_name(id);
                    self.hand_over().asks_no_more(&id);
                    self.tell(DriverEvent::RequestFailed { surface: self.id(), id, error, cancelled });
                }
            }
            "Console.messageAdded" => self.said(bootstrap, read::<MessageAdded>(params)?.message),
            _ => {}
        }
        Some(())
    }

    fn name(&self, theirs: &str) -> (assay_driver::SurfaceId, FrameId, bool) {
        let frames = self.frame_table();
        (self.id(), FrameId(frames.ours(theirs).to_string()), frames.is_main(theirs))
    }

    fn request_started(&self, event: RequestWillBeSent) {
        let kind = match request_kind(&event.kind) {
            RequestKind::Document if !self.frame_table().may_be_main(&event.frame_id) => {
                RequestKind::FrameDocument
            }
            other => other,
        };
        if kind == RequestKind::Document {
            self.with_attempt(|attempt| attempt.requested(&event.request_id));
            self.hand_over().asks(&event.request_id);
        }
        // The browser looks for the site's picture by itself: the page neither asked for it nor misses it.
        if event.kind == "Image" && event.request.url.ends_with("/favicon.ico") {
            return;
        }
        let id = self.hand_over().first_name(event.request_id);
        if let Some(status) = event.redirect_response.map(|response| response.status) {
            let (surface, id) = (self.id(), id.clone());
            self.tell(DriverEvent::ResponseReceived { surface, id, status });
        }
        self.tell(DriverEvent::RequestStarted {
            surface: self.id(),
            id,
            method: event.request.method,
            url: event.request.url,
            kind,
            fields: event.request.post_data.as_deref().and_then(field_names),
        });
    }

    fn said(&self, bootstrap: &Bootstrap, message: ConsoleMessage) {
        if let Some(told) = bootstrap.read(&message.text) {
            self.told(told);
            return;
        }
        match message.source.as_str() {
            "console-api" | "javascript" => {}
            "security" => {
                self.with_attempt(|attempt| attempt.refused(&message.text));
                return;
            }
            // The network is told of by its own events.
            _ => return,
        }
        let said: Vec<String> = message.parameters.iter().map(RemoteObject::shown).collect();
        let text = if said.is_empty() { message.text } else { said.join(" ") };
        // Where it was not caught is for the place to say, not for the text.
        let text = text.strip_prefix("Unhandled Promise Rejection: ").map(str::to_string).unwrap_or(text);
        let top = message.stack_trace.as_ref().and_then(|stack| stack.call_frames.first());
        let place = match (top, message.url.filter(|url| !url.is_empty())) {
            (Some(frame), _) if !frame.url.is_empty() => Some(format!("{}:{}", frame.url, frame.line_number)),
            (_, Some(url)) => Some(format!("{url}:{}", message.line)),
            _ => None,
        };
        let level = match message.level.as_str() {
            "error" => ConsoleLevel::Error,
            "warning" => ConsoleLevel::Warning,
            "debug" => ConsoleLevel::Debug,
            _ => ConsoleLevel::Info,
        };
        self.tell(DriverEvent::Console { surface: self.id(), level, text, place });
    }
}

fn request_kind(kind: &str) -> RequestKind {
    match kind {
        "Document" => RequestKind::Document,
        "XHR" | "Fetch" => RequestKind::Fetch,
        "Script" => RequestKind::Script,
        "Ping" | "Beacon" => RequestKind::Beacon,
        "EventSource" | "WebSocket" => RequestKind::Stream,
        _ => RequestKind::Resource,
    }
}
