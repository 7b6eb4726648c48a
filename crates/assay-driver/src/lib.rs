//! The seam between assay and the programs it drives: drivers, browsers, surfaces,
//! their events and errors.
//!
//! Knows the operations on a surface. Does not know how an engine implements them.
//! Waiting, retrying and choosing live above this crate.

mod browser;
mod deadline;
mod emulation;
mod error;
mod event;
mod fault;
mod fields;
mod held;
mod input;
mod keys;
mod meter;
mod options;
mod surface;
mod web_page;

pub use browser::{Browser, BrowserInfo, ContextId, Driver};
pub use deadline::Deadline;
pub use emulation::emulation_needs;
pub use error::DriverError;
pub use event::{ConsoleLevel, DriverEvent, EventSink, RequestKind};
pub use fault::{ArmedFault, NetworkFault, NetworkFaultKind, RequestAnswer, UrlShape};
pub use fields::field_names;
pub use held::{ArmedRoutes, ContextSettings, Decision, HeldRequest, decide};
pub use input::{Button, DragPath, KeyStroke, Modifiers, PointerStep};
pub use keys::{KeyDefinition, UnknownKey, key_definition, parse_chord, webdriver_key};
pub use meter::{Meter, MeteredPage};
pub use options::{Capability, Capture, ImageFormat, LaunchOptions, PROFILE_MARK, Viewport};
pub use surface::{Point, Rect, Reply, Surface, SurfaceId};
pub use web_page::{Evaluation, Frame, FrameId, Navigation, WebPage};
