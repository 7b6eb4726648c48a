//! Turns of models: what was answered and done, a line a turn, and pictures on which it is marked.

mod canvas;
mod glyphs;
mod log;
mod paint;
mod place;

pub use log::{TurnLog, TurnProblem};
pub use place::{TurnPlace, turns_file};
