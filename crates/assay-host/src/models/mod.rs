//! Models: the choice, the source of the key, and the budget of a run.
//!
//! A project file may name a model; addresses and keys come from the user, so a cloned project cannot redirect
//! requests.

mod choice;
mod wiring;

pub use choice::{
    Cassette, ChosenModel, ModelOptions, choose_model, limits_said, pilot_named, user_settings,
};
pub(crate) use wiring::limits_of;
pub use wiring::{Tape, Wired, connect_model, wire};
