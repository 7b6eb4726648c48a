//! Turns of models: answers and actions, one line per turn, and screenshots with marks.

mod canvas;
mod glyphs;
mod log;
mod paint;
mod place;

pub use log::{TurnLog, TurnProblem};
pub use place::{TurnPlace, turns_file};
