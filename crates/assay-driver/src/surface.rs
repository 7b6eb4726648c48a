//! The common interface of a browser tab, a phone screen and a television picture.

use std::future::Future;
use std::pin::Pin;

use crate::{Capability, Capture, Deadline, DragPath, DriverError, KeyStroke, Modifiers, PointerStep};

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

/// Names a surface for the lifetime of the browser or device that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SurfaceId(pub String);

/// Something open that can be looked at and acted on: a browser tab, a phone
/// screen, a television picture.
///
/// An implementation translates; it does not decide. Locating, waiting and
/// retrying live above this trait, so every driver inherits them. Any reply may
/// stay out while a dialog is open or a page is busy: callers listen for the
/// dialog event as well, and every call ends at its deadline.
pub trait Surface: Send + Sync {
    fn id(&self) -> SurfaceId;

    /// The capabilities of this surface. Checked before acting; never inferred from a name.
    fn capabilities(&self) -> &'static [Capability];

    /// Sends all steps in order without waiting in between, and returns when the page has handled all.
    fn pointer(&self, steps: Vec<PointerStep>, modifiers: Modifiers, deadline: Deadline) -> Reply<'_, ()>;

    /// Presses and releases keys in order.
    fn keys(&self, strokes: Vec<KeyStroke>, deadline: Deadline) -> Reply<'_, ()>;

    /// Types text into the focused element at once, as an input method does.
    fn insert_text(&self, text: String, deadline: Deadline) -> Reply<'_, ()>;

    /// Drags with the pointer; drag-and-drop data follows it.
    fn drag(&self, path: DragPath, deadline: Deadline) -> Reply<'_, ()>;

    fn capture(&self, capture: Capture, deadline: Deadline) -> Reply<'_, Vec<u8>>;

    fn close(&self, deadline: Deadline) -> Reply<'_, ()>;
}
