//! A surface that shows documents: what only a browser has.

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

/// A tab of a browser: frames with documents in them, addresses, cookies, requests.
///
/// A screen of pixels has none of these, so whatever needs a `WebPage` says by its type that it cannot run on a
/// phone or a television.
pub trait WebPage: Surface {
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

    /// Arms a fault of the network in all frames of this tab, in place of the one before; none disarms. It stays
    /// armed over navigations and counts from anew each time it is set. Requests that it does not strike are let
    /// go at once, and when the tab or the connection goes nothing is held back any more. Each strike is told by
    /// `DriverEvent::FaultStruck`.
    fn set_network_fault(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Reply<'_, ()>;

    /// What the pages of this page's context are made to believe; nothing, to begin with.
    fn emulation(&self) -> Emulation {
        Emulation::default()
    }

    /// Makes all pages of this page's context believe this and nothing else: those that are open, from now on, and those
    /// that come later, before their first script. It ends with the context. Asked only for what
    /// `emulation_needs` finds among the capabilities.
    fn emulate(&self, _emulation: Emulation, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async { Err(cannot(Capability::MediaFeatures)) })
    }

    /// The routes of this page's context, with what each has answered so far.
    fn routes(&self) -> Vec<RouteCount> {
        Vec::new()
    }

    /// Answers requests of all pages of this page's context by these routes and no others, of which the last that
    /// matches counts. A fault of the tab goes before. It ends with the context. Asked only of a page that has
    /// `Capability::Routes`.
    fn set_routes(&self, _routes: Vec<Route>, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async { Err(cannot(Capability::Routes)) })
    }

    /// Makes it the tab in front.
    fn activate(&self, deadline: Deadline) -> Reply<'_, ()>;
}

fn cannot(capability: Capability) -> DriverError {
    DriverError::Unsupported { driver: "this browser", capability }
}
