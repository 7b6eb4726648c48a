//! Ways out of trouble that need a model: a look at the screen, and a closer look at the page. Both act through the
//! cockpit like every guest, and are asked only when nobody else was sure.

mod outside;
mod screen;
mod tree;

pub use outside::{Attached, OutsideTool, OutsideTools};
pub use screen::ScreenPilot;
pub use tree::TreePilot;
