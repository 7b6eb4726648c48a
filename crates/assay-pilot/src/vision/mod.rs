//! What pilots that look at pictures have in common: a view and its points, the step in words, and when something counts
//! as done.

mod shared_tools;
mod step;
mod step_views;
mod view;

pub(crate) use shared_tools::{Ending, SharedTool, shared, shared_of, shared_tools};
pub(crate) use step::step;
pub(crate) use step_views::StepViews;
pub(crate) use view::{Limit, View};
