//! Navigation trees of a project: explored, walked, checked against the application.
//!
//! Decisions are those of `assay-navigation`, walking is that of `assay-runner`. Here are the files, the state and the
//! browsers.

mod exploring;
mod goto;
mod login;
mod looking;
mod robots;
mod screens;
mod trees;
mod validate;

pub use exploring::{ExploreReport, ExploreSpec};
pub use goto::{GotoEnd, Login, goto, goto_alone, shown};
pub(crate) use screens::screens_to_read;
pub use screens::{TreeScreens, screens_of};
pub use trees::{LoadedTree, ProjectTrees, problem_words};
pub use validate::{EdgeChecked, ValidateReport, ValidateSpec, WayState};

pub(crate) use exploring::carry_out as explore;
pub(crate) use validate::carry_out as validate;
