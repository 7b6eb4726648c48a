//! What a browser tells by itself.

use std::sync::Arc;

use crate::{ContextId, FrameId, SurfaceId, WebPage};

/// Takes events in the order in which they happened.
///
/// A driver calls this from its reader, before it hands out any reply that came
/// later on the same connection. So a caller that has a reply can rely on having
/// been told of everything that happened before it. Implementations must be quick
/// and must not wait.
pub trait EventSink: Send + Sync {
    fn event(&self, event: DriverEvent);
}

pub enum DriverEvent {
    SurfaceOpened {
        surface: Arc<dyn WebPage>,
        /// Where it shares cookies and storage with others; none where the browser has but one such place.
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
    /// Nothing (more) is being loaded in this frame.
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
        /// Names in what is sent; none where nothing is, or the browser does not tell.
        fields: Option<Vec<String>>,
    },
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
    /// An armed fault has struck a request, which has not reached its server.
    FaultStruck {
        surface: SurfaceId,
        method: String,
        url: String,
    },
    /// The gate did not let a connection pass. Not told by a driver: the gate does not know which tab it was for.
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
        /// The tab that it came from, where the browser tells.
        surface: Option<SurfaceId>,
        name: String,
        url: String,
    },
    DownloadFinished {
        id: String,
        path: Option<String>,
    },
    /// The browser ended or the connection broke; nothing follows.
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
    /// Scripts, styles, fonts, images: part of loading, never of a page's own talk.
    Resource,
    /// What page code asked for.
    Fetch,
    /// What page code sends without wanting an answer: it counts its visitors.
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
