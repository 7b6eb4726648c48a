//! Acting on web pages: finding a target in documents and frames, real input, settling, and the effect.
//!
//! Everything here needs a `WebPage`. Nothing here knows the session above it: verbs take the `WebContext`.

mod act;
mod aim;
mod arrive;
mod context;
mod domains;
mod downloads;
mod effect;
mod emulation;
mod failures;
mod fault;
mod frames;
mod observer;
mod open_requests;
mod refs;
mod settle;
mod target;
mod timing;
mod verbs;

pub(crate) use context::WebContext;
pub use fault::Fault;
pub use observer::Observer;
pub(crate) use verbs::dispatch;
pub use verbs::{looks_of, looks_otherwise};
