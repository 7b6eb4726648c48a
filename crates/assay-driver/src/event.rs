//! Events of a browser.

use std::sync::Arc;

use crate::{ContextId, FrameId, SurfaceId, WebPage};

/// Takes events in the order in which they happened.
///
/// A driver calls this from its reader, before it delivers any reply that came
/// later on the same connection. So a caller that has a reply has also received
/// every earlier event. Implementations must be quick and must not wait.
pub trait EventSink: Send + Sync {
    fn event(&self, event: DriverEvent);
}

pub enum DriverEvent {
    SurfaceOpened {
        surface: Arc<dyn WebPage>,
        /// The context whose cookies and storage it shares; none if the browser has only one.
        context: Option<ContextId>,
        opener: Option<SurfaceId>,
        url: String,
    },
    SurfaceClosed {
        surface: SurfaceId,
    },
    SurfaceCrashed {
        surface: SurfaceId,
    },
    /// The page asked for another document; it may still be cancelled or become a download.
    NavigationRequested {
        surface: SurfaceId,
        frame: FrameId,
        is_main: bool,
        url: String,
    },
    NavigationStarted {
        surface: SurfaceId,
        frame: FrameId,
        is_main: bool,
        url: String,
    },
    /// A new document is there.
    NavigationCommitted {
        surface: SurfaceId,
        frame: FrameId,
        is_main: bool,
        url: String,
    },
    /// The address changed within the same document.
    NavigatedWithin {
        surface: SurfaceId,
        frame: FrameId,
        is_main: bool,
        url: String,
    },
    /// This frame has finished loading.
    LoadingStopped {
        surface: SurfaceId,
        frame: FrameId,
        is_main: bool,
    },
    DomReady {
        surface: SurfaceId,
    },
    Loaded {
        surface: SurfaceId,
    },
    RequestStarted {
        surface: SurfaceId,
        id: String,
        method: String,
        url: String,
        kind: RequestKind,
        /// Field names in the body; none without a body, or if the browser does not report it.
        fields: Option<Vec<String>>,
    },
    /// A redirect is an answer as well: the request then starts again under the same id.
    ResponseReceived {
        surface: SurfaceId,
        id: String,
        status: u16,
    },
    RequestFinished {
        surface: SurfaceId,
        id: String,
    },
    RequestFailed {
        surface: SurfaceId,
        id: String,
        error: String,
        cancelled: bool,
    },
    /// An armed fault has hit a request, which did not reach its server.
    FaultStruck {
        surface: SurfaceId,
        method: String,
        url: String,
    },
    /// The gate refused a connection. Drivers do not send this event, and the gate does not know which tab it was for.
    ConnectionRefused {
        host: String,
    },
    Console {
        surface: SurfaceId,
        level: ConsoleLevel,
        text: String,
        place: Option<String>,
    },
    DialogOpened {
        surface: SurfaceId,
        kind: String,
        message: String,
        default: Option<String>,
    },
    DialogClosed {
        surface: SurfaceId,
    },
    DownloadStarted {
        id: String,
        /// The tab that it came from, if the browser reports it.
        surface: Option<SurfaceId>,
        name: String,
        url: String,
    },
    DownloadFinished {
        id: String,
        path: Option<String>,
    },
    /// The browser exited or the connection broke; this is the last event.
    BrowserGone,
}

impl DriverEvent {
    /// The tab that it happened in, where it happened in one that was known before.
    pub fn surface(&self) -> Option<&SurfaceId> {
        match self {
            DriverEvent::SurfaceClosed { surface }
            | DriverEvent::SurfaceCrashed { surface }
            | DriverEvent::NavigationRequested { surface, .. }
            | DriverEvent::NavigationStarted { surface, .. }
            | DriverEvent::NavigationCommitted { surface, .. }
            | DriverEvent::NavigatedWithin { surface, .. }
            | DriverEvent::LoadingStopped { surface, .. }
            | DriverEvent::DomReady { surface }
            | DriverEvent::Loaded { surface }
            | DriverEvent::RequestStarted { surface, .. }
            | DriverEvent::ResponseReceived { surface, .. }
            | DriverEvent::RequestFinished { surface, .. }
            | DriverEvent::RequestFailed { surface, .. }
            | DriverEvent::FaultStruck { surface, .. }
            | DriverEvent::Console { surface, .. }
            | DriverEvent::DialogOpened { surface, .. }
            | DriverEvent::DialogClosed { surface } => Some(surface),
            DriverEvent::DownloadStarted { surface, .. } => surface.as_ref(),
            DriverEvent::SurfaceOpened { .. }
            | DriverEvent::ConnectionRefused { .. }
            | DriverEvent::DownloadFinished { .. }
            | DriverEvent::BrowserGone => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// Of the tab itself.
    Document,
    /// Of a frame in it.
    FrameDocument,
    /// Styles, fonts, images: part of loading, never of a page's own talk.
    Resource,
    /// A script: part of loading, or a part of the application that is loaded when it is needed.
    Script,
    /// Requests of page code.
    Fetch,
    /// Beacons of page code, which expect no response: the page counts its visitors.
    Beacon,
    /// Streams that stay open by design.
    Stream,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsoleLevel {
    Debug,
    Info,
    Warning,
    Error,
}
