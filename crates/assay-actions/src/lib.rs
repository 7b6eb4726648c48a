//! The one `perform` behind every front end: policy, deadline, waiting until a
//! target is ready, the act by real input, settling, and the effect.
//!
//! Knows surfaces and documents through the seam. Does not know which engine is
//! underneath, who the caller is, or how an answer travels.
//!
//! `session` is the top: policy before and observation after every action. `web` acts on pages. A `screen` module will
//! stand beside it for surfaces without documents, phones and televisions: it will find targets in the device's tree or
//! in pixels, wait until the picture is at rest, and derive the same `Effect` from two pictures. Neither module knows
//! the other.

mod call;
mod policy;
mod render;
mod replace;
mod session;
mod web;

pub use call::{Call, Taking};
pub use policy::{
    Clipboard, Consent, FileAccess, Policy, ProjectFiles, Proposer, WeightyWords, policy_key, real_path,
    weighty_words,
};
pub use render::render_answer;
pub use session::Session;
pub use web::{Fault, Observer, looks_of, looks_otherwise};
