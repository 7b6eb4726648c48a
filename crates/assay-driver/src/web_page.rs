//! A surface that shows documents, which only a browser has.

use std::path::PathBuf;

use assay_protocol::{CookieInfo, Emulation, Route, RouteCount};
use serde_json::value::RawValue;

use crate::browser::NOT_AT_ADDRESSES;
use crate::{Capability, Deadline, DriverError, NetworkFault, Point, Reply, Surface, Viewport};

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

/// The outcome of a navigation.
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

/// The value of a user's expression.
#[derive(Debug)]
pub enum Evaluation {
    Value(serde_json::Value),
    /// It has a value that JSON cannot hold; this is its description.
    Described(String),
    Threw(String),
}

/// A tab of a browser: frames with documents in them, addresses, cookies, requests.
///
/// A screen of pixels has none of these, so whatever needs a `WebPage` says by its type that it cannot run on a
/// phone or a television.
pub trait WebPage: Surface {
    /// All frames that are known, the main one first, parents before children.
    fn frames(&self) -> Vec<Frame>;

    /// The same, with the frames of one document in document order, whichever loads first. Some drivers have to query
    /// the page for that order.
    fn frames_in_order(&self, _deadline: Deadline) -> Reply<'_, Vec<Frame>> {
        Box::pin(async { Ok(self.frames()) })
    }

    fn main_frame(&self) -> FrameId;

    /// Calls a function of the page script (`assay-dom`) in the frame's document and
    /// returns its result, promises awaited. `arguments` is JSON.
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

    /// Starts loading `url`. Returns when the outcome is known; the document itself may follow.
    fn navigate(&self, url: String, deadline: Deadline) -> Reply<'_, Navigation>;

    /// The outcome of the address at which the tab was opened. Called only once, and only for such a tab. If the
    /// address leads to no document, the tab stays empty.
    fn opening(&self, _deadline: Deadline) -> Reply<'_, Navigation> {
        Box::pin(async { Err(NOT_AT_ADDRESSES) })
    }

    /// Stops loading; the page stays as it is.
    fn stop_loading(&self, deadline: Deadline) -> Reply<'_, ()>;

    /// Ends a script that does not end by itself.
    fn end_scripts(&self, deadline: Deadline) -> Reply<'_, ()>;

    /// Steps through the history; false when there is no such entry.
    fn go_in_history(&self, delta: i32, deadline: Deadline) -> Reply<'_, bool>;

    fn reload(&self, deadline: Deadline) -> Reply<'_, ()>;

    /// Gives files to the file input that the page script knows under `element`.
    fn set_files<'a>(
        &'a self,
        frame: &'a FrameId,
        element: u32,
        files: Vec<PathBuf>,
        deadline: Deadline,
    ) -> Reply<'a, ()>;

    fn pdf(&self, deadline: Deadline) -> Reply<'_, Vec<u8>>;

    /// Answers the open dialog: None dismisses, Some accepts with that text.
    fn answer_dialog(&self, accept: Option<String>, deadline: Deadline) -> Reply<'_, ()>;

    fn set_viewport(&self, viewport: Viewport, deadline: Deadline) -> Reply<'_, ()>;

    fn cookies(&self, deadline: Deadline) -> Reply<'_, Vec<CookieInfo>>;

    fn set_cookies(&self, cookies: Vec<CookieInfo>, deadline: Deadline) -> Reply<'_, ()>;

    fn clear_cookies(&self, deadline: Deadline) -> Reply<'_, ()>;

    /// Arms a network fault in all frames of this tab and replaces the previous one; none disarms. It stays armed
    /// across navigations, and its count restarts each time it is set. The driver releases other requests at once,
    /// and pauses none after the tab or the connection is gone. `DriverEvent::FaultStruck` reports each hit.
    fn set_network_fault(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Reply<'_, ()>;

    /// The emulated settings of this page's context; initially none.
    fn emulation(&self) -> Emulation {
        Emulation::default()
    }

    /// Emulates exactly this in all pages of this page's context: in open ones from now on, and in later ones before
    /// their first script. It ends with the context. Called only if the capabilities cover `emulation_needs`.
    fn emulate(&self, _emulation: Emulation, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async { Err(cannot(Capability::MediaFeatures)) })
    }

    /// The routes of this page's context, with the number of answers of each.
    fn routes(&self) -> Vec<RouteCount> {
        Vec::new()
    }

    /// Answers requests of all pages of this page's context with exactly these routes; the last matching one counts. A
    /// fault of the tab takes precedence. Routes end with the context. Called only if the page has
    /// `Capability::Routes`.
    fn set_routes(&self, _routes: Vec<Route>, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async { Err(cannot(Capability::Routes)) })
    }

    /// Brings the tab to the front.
    fn activate(&self, deadline: Deadline) -> Reply<'_, ()>;
}

fn cannot(capability: Capability) -> DriverError {
    DriverError::Unsupported { driver: "this browser", capability }
}
