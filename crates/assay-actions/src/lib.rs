//! The one `perform` that every entrance ends in: policy, deadline, waiting until
//! a target can be acted on, the act by real input, settling, and the effect.
//!
//! Knows surfaces and documents through the seam. Does not know which engine is
//! underneath, who asked, or how an answer travels.

mod act;
mod aim;
mod domains;
mod fault;
mod frames;
mod observer;
mod policy;
mod render;
mod replace;
mod session;
mod target;
mod verbs;

pub use fault::Fault;
pub use observer::Observer;
pub use policy::{Clipboard, Policy, Proposer, policy_key};
pub use render::render_answer;
pub use session::{Call, Session, Taking};
pub use verbs::{looks_of, looks_otherwise};
