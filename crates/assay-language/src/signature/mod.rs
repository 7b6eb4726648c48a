//! Descriptions for finding elements again: in another browser, or after the page was redrawn or changed.
//!
//! Pure, like this whole crate: a scene and a ref give a signature; a signature and a scene give one element or a
//! refusal. Never the likeliest of several: an element that is not clearly the same is not the same.

mod describe;
mod lasting;
mod recognise;

pub use describe::describe;
pub use lasting::{make_lasting, revive};
pub use recognise::{Likeness, Recognition, find_again, recognise};
