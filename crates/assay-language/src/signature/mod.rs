//! Elements described so that they are found again: in another browser, after the page was drawn anew or changed.
//!
//! Pure, as all of this crate: a scene and a ref in, a signature out; a signature and a scene in, one element or a
//! refusal out. Never the likeliest of several: what is not clearly the same is not the same.

mod describe;
mod lasting;
mod recognise;

pub use describe::describe;
pub use lasting::{make_lasting, revive};
pub use recognise::{Likeness, Recognition, find_again, recognise};
