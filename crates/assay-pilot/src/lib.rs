//! Models as guests of a run: asked where the built-in interpreter is not sure, and as judges of claims that it does not
//! understand.
//!
//! Knows how a step is put to a model and what its answers mean. Acts only through the cockpit that the runner gives it,
//! so that it cannot do what a guest may not do; knows providers only through their trait. Whatever comes from a page is
//! data, and stands in a fence that page text cannot forge.

mod asking;
mod company;
mod computer;
mod eyes;
mod fence;
mod grid;
mod judge;
mod map;
mod model;
mod recovery;
mod step;
mod tool;

pub use asking::Asking;
pub use company::{ComputerToolUse, Models, Wiring};
pub use computer::ComputerUsePilot;
pub use fence::{RULE as FENCE_RULE, fenced, harmless, shortened};
pub use grid::GridPilot;
pub use judge::ModelJudge;
pub use map::page_map;
pub use model::ModelPilot;
pub use recovery::{Attached, OutsideTool, OutsideTools, RecoveryWish, ScreenPilot, TreePilot};
