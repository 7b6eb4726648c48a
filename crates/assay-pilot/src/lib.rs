//! Models as pilots of a run: asked where the built-in interpreter is not sure, and as judges of claims that it does not
//! understand.
//!
//! Knows how a step is put to a model and what its answers mean. Acts only through the controls that the runner gives it,
//! so that it cannot do what a pilot may not do; knows providers only through their trait. Whatever comes from a page is
//! data, and stands in the fence of `assay-prompt`.

mod asking;
mod computer;
mod grid;
mod judge;
mod model;
mod models;
mod recovery;
mod step;
mod tool;
mod vision;

pub use asking::{Asking, Sight};
pub use computer::ComputerUsePilot;
pub use grid::GridPilot;
pub use judge::ModelJudge;
pub use model::ModelPilot;
pub use models::{ComputerToolUse, Models, Wiring};
pub use recovery::{Attached, OutsideTool, OutsideTools, RecoveryWish};
