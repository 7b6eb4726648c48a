//! The one `perform` that every entrance ends in: policy, deadline, waiting until
//! a target can be acted on, the act by real input, settling, and the effect.
//!
//! Knows surfaces and documents through the seam. Does not know which engine is
//! underneath, who asked, or how an answer travels.
//!
//! `session` is the top: policy before, observation after, whatever is acted on. `web` acts on pages. A `screen` module
//! will stand beside it for surfaces without documents, phones and televisions: targets found in a tree that the device
//! tells or in pixels, waiting until a picture is at rest, and the same `Effect` out of two pictures. Neither of the
//! two knows the other.

mod call;
mod policy;
mod render;
mod replace;
mod session;
mod web;

pub use call::{Call, Taking};
pub use policy::{Clipboard, Policy, Proposer, policy_key};
pub use render::render_answer;
pub use session::Session;
pub use web::{Fault, Observer, looks_of, looks_otherwise};
