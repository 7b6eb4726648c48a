//! Output for GitHub Actions: annotations at the test files, and a summary on the
//! page of the job.

mod annotations;
mod step_summary;

pub use annotations::github_annotations;
pub use step_summary::write_step_summary;
