//! The work of a skill without a model: calls in order, with arguments from the request and from earlier answers, and
//! the answer at the end.

mod answer;
mod carry_out;
mod short;
mod store;

pub use carry_out::{CallMade, Consent, ToolRunner, WorkDone, carry_out};
pub use short::short;
