//! The traits a driver implements.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use assay_protocol::CookieInfo;
use serde_json::value::RawValue;

use crate::{
    Capability, Capture, Deadline, DragPath, DriverError, EventSink, KeyStroke, LaunchOptions, Modifiers,
    NetworkFault, PointerStep, Viewport,
};

/// A future that can be boxed behind a trait object.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, DriverError>> + Send + 'a>>;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Names a surface for the lifetime of its browser.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SurfaceId(pub String);

/// Names what some tabs share, and share with no others: cookies, storage, cache, permissions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ContextId(pub String);

/// Names a frame of a surface. A frame keeps its name when its document changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FrameId(pub String);

#[derive(Debug, Clone)]
pub struct Frame {
    pub id: FrameId,
    pub parent: Option<FrameId>,
    pub name: String,
    pub url: String,
}

#[derive(Debug, Clone)]
pub struct BrowserInfo {
    pub name: String,
    /// None for a browser that was there before us.
    pub pid: Option<u32>,
    pub headless: bool,
}

/// What came of a request for another address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Navigation {
    /// A new document is there or on its way.
    NewDocument,
    /// Only the address changed.
    SameDocument,
    /// The answer is a file.
    Download,
    Failed {
        reason: String,
    },
}

/// What an expression of the user came to.
#[derive(Debug)]
pub enum Evaluation {
    Value(serde_json::Value),
    /// It has a value that JSON cannot hold; this is its description.
    Described(String),
    Threw(String),
}

/// Opens browsers of one kind.
pub trait Driver: Send + Sync {
    fn name(&self) -> &'static str;

    /// What a browser that is launched can do; one that is attached to may be able to do less.
    fn capabilities(&self) -> &'static [Capability];

    /// Hosts that its browsers ask by themselves, for updates and the like. A gate refuses them as it does any other, but
    /// no page had a part in it.
    fn own_hosts(&self) -> &'static [&'static str] {
        &[]
    }

    /// The program that would be started, or why none can be.
    fn find(&self, program: Option<&Path>, headless: bool) -> Result<PathBuf, DriverError>;

    /// Starts a browser. The process dies with ours; when it must be ended earlier, `Browser::close`.
    fn launch(
        &self,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>>;

    /// Attaches to a running browser, which is left running at the end.
    fn connect(
        &self,
        address: String,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>>;
}

const NO_CONTEXTS: DriverError =
    DriverError::Unsupported { driver: "this browser", capability: Capability::IsolatedContexts };

const NOT_AT_ADDRESSES: DriverError =
    DriverError::Unsupported { driver: "this browser", capability: Capability::Tabs };

/// A running browser. Its tabs are announced through the sink.
pub trait Browser: Send + Sync {
    fn info(&self) -> BrowserInfo;

    fn capabilities(&self) -> &'static [Capability];

    /// Opens an empty tab in a context, or in the one that the browser began with, and announces it before it returns.
    fn open(&self, context: Option<ContextId>, deadline: Deadline) -> Reply<'_, SurfaceId>;

    /// Whether its tabs can be opened at an address, and it began without one.
    fn opens_at(&self) -> bool {
        false
    }

    /// Opens a tab that is on its way to an address, and announces it before it returns. What comes of it is told by
    /// `Surface::opening`. Asked only of a browser of which `opens_at` is true.
    fn open_at(
        &self,
        _context: Option<ContextId>,
        _url: String,
        _deadline: Deadline,
    ) -> Reply<'_, SurfaceId> {
        Box::pin(async { Err(NOT_AT_ADDRESSES) })
    }

    /// Makes a context in which nothing is yet. It ends with its last tab. Asked only of a browser that has
    /// `Capability::IsolatedContexts`.
    fn open_context(&self, _deadline: Deadline) -> Reply<'_, ContextId> {
        Box::pin(async { Err(NO_CONTEXTS) })
    }

    /// Ends a context with all its tabs, whose pages are not asked, and returns when each of them was announced as
    /// closed. One that has ended already is as good as ended.
    fn close_context(&self, _context: ContextId, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async { Err(NO_CONTEXTS) })
    }

    /// Asks the browser to end, and returns when it has heard: it ends while others do something else. Whoever closes it
    /// need not have asked.
    fn dismiss(&self, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Ends the browser (or lets go of one that was there before).
    fn close(&self, deadline: Deadline) -> Reply<'_, ()>;
}

/// Something open that can be looked at and acted on: a browser tab, a phone
/// screen, a television picture.
///
/// An implementation translates; it does not decide. Locating, waiting and
/// retrying live above this trait, so every driver inherits them. Any reply may
/// stay out while a dialog is open or a page is busy: callers listen for the
/// dialog event as well, and every call ends at its deadline.
pub trait Surface: Send + Sync {
    fn id(&self) -> SurfaceId;

    /// All frames that are known, the main one first, parents before children.
    fn frames(&self) -> Vec<Frame>;

    /// The same, with the frames of one document in the order in which they were put into it, whichever of them has
    /// loaded first or has not yet. For drivers that are not told that order, it has to be asked for.
    fn frames_in_order(&self, _deadline: Deadline) -> Reply<'_, Vec<Frame>> {
        Box::pin(async { Ok(self.frames()) })
    }

    fn main_frame(&self) -> FrameId;

    /// Calls a function of the page script (`assay-dom`) in the frame's document and
    /// gives back what it returns, promises awaited. `arguments` is JSON.
    fn call<'a>(
        &'a self,
        frame: &'a FrameId,
        function: &'a str,
        arguments: String,
        deadline: Deadline,
    ) -> Reply<'a, Box<RawValue>>;

    /// Runs an expression of the user in the page's own world, promises awaited.
    fn evaluate(&self, expression: String, deadline: Deadline) -> Reply<'_, Evaluation>;

    /// Where the frame's content begins, in pixels of the surface.
    fn frame_offset<'a>(&'a self, frame: &'a FrameId, deadline: Deadline) -> Reply<'a, Point>;

    /// Starts loading `url`. Returns when it is known what comes of it; the document itself may follow.
    fn navigate(&self, url: String, deadline: Deadline) -> Reply<'_, Navigation>;

    /// What comes of the address that the tab was opened at. Asked only once, and only of a tab that was opened so. If it
    /// leads to no document, the tab is left empty.
    fn opening(&self, _deadline: Deadline) -> Reply<'_, Navigation> {
        Box::pin(async { Err(NOT_AT_ADDRESSES) })
    }

    /// Gives up what is being loaded; the page stays as it is.
    fn stop_loading(&self, deadline: Deadline) -> Reply<'_, ()>;

    /// Ends a script that does not end by itself.
    fn end_scripts(&self, deadline: Deadline) -> Reply<'_, ()>;

    /// Steps through the history; false when there is no such entry.
    fn go_in_history(&self, delta: i32, deadline: Deadline) -> Reply<'_, bool>;

    fn reload(&self, deadline: Deadline) -> Reply<'_, ()>;

    /// Sends all steps in order without waiting in between, and returns when the page has handled all.
    fn pointer(&self, steps: Vec<PointerStep>, modifiers: Modifiers, deadline: Deadline) -> Reply<'_, ()>;

    /// Presses and releases keys in order.
    fn keys(&self, strokes: Vec<KeyStroke>, deadline: Deadline) -> Reply<'_, ()>;

    /// Types text into the focused element at once, as an input method does.
    fn insert_text(&self, text: String, deadline: Deadline) -> Reply<'_, ()>;

    /// Drags with the pointer; drag-and-drop data follows it.
    fn drag(&self, path: DragPath, deadline: Deadline) -> Reply<'_, ()>;

    /// Gives files to the file input that the page script knows under `element`.
    fn set_files<'a>(
        &'a self,
        frame: &'a FrameId,
        element: u32,
        files: Vec<PathBuf>,
        deadline: Deadline,
    ) -> Reply<'a, ()>;

    fn capture(&self, capture: Capture, deadline: Deadline) -> Reply<'_, Vec<u8>>;

    fn pdf(&self, deadline: Deadline) -> Reply<'_, Vec<u8>>;

    /// Answers the open dialog: None dismisses, Some accepts with that text.
    fn answer_dialog(&self, accept: Option<String>, deadline: Deadline) -> Reply<'_, ()>;

    fn set_viewport(&self, viewport: Viewport, deadline: Deadline) -> Reply<'_, ()>;

    fn cookies(&self, deadline: Deadline) -> Reply<'_, Vec<CookieInfo>>;

    fn set_cookies(&self, cookies: Vec<CookieInfo>, deadline: Deadline) -> Reply<'_, ()>;

    fn clear_cookies(&self, deadline: Deadline) -> Reply<'_, ()>;

    /// Arms a fault of the network in all frames of this tab, in place of the one before; none disarms. It stays
    /// armed over navigations and counts from anew each time it is set. Requests that it does not strike are let
    /// go at once, and when the tab or the connection goes nothing is held back any more. Each strike is told by
    /// `DriverEvent::FaultStruck`.
    fn set_network_fault(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Reply<'_, ()>;

    /// Makes it the tab in front.
    fn activate(&self, deadline: Deadline) -> Reply<'_, ()>;

    fn close(&self, deadline: Deadline) -> Reply<'_, ()>;
}
