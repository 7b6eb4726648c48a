//! Models: which one is asked, where its key comes from, and what a run may spend on it.
//!
//! A project's file may name a model; addresses and keys come from the user, so that a cloned project cannot send
//! anything anywhere.

mod choice;
mod wiring;

pub use choice::{
    Cassette, ChosenModel, ModelOptions, choose_model, limits_said, pilot_named, user_settings,
};
pub use wiring::{Tape, connect_model};
pub(crate) use wiring::{limits_of, wire};
