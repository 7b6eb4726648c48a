//! Agents and skills: those that are built in, and those of a project, which come first.

mod built_in;
mod load;
mod share;
mod starter;
mod trust;

pub use built_in::{built_in_agent_texts, built_in_skill_texts};
pub use load::{Library, LibraryTrouble, tool_shapes};
pub use share::{share_of, subscriber_of};
pub use starter::starter;
pub use trust::{acts_outside, budget_of, needs_approval, refused_tools};
