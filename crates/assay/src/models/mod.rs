//! Models: which one is asked, where its key comes from, what a run may spend on it, and whether it can be asked.
//!
//! The only place that names a provider. A project's file may name a model; addresses come from the environment and keys
//! from the user, so that a cloned project cannot send anything anywhere.

mod choice;
mod command;
mod wiring;

pub use choice::{Cassette, ChosenModel, ModelOptions, choose, limits_said, pilot_named};
pub use command::{ModelOperation, run};
pub use wiring::{connect, limits_of, wire};
