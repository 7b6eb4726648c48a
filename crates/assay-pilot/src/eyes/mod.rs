//! What pilots that look at pictures have in common: a view and its points, the step in words, and when something counts
//! as done.

mod shared_tools;
mod sight;
mod step;
mod view;

pub(crate) use shared_tools::{Ending, SHARED, Shared, number, shared, shared_tools, text};
pub(crate) use sight::Sight;
pub(crate) use step::step;
pub(crate) use view::{Limit, View};
