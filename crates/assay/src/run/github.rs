//! On GitHub: lines beside the code, and a summary on the page of the job.

use assay_host::RunEnd;
use assay_protocol::{ErrorCode, Failure, for_terminal};
use assay_report::{ReportPaths, github_annotations, write_step_summary};

use crate::environment::Environment;

pub fn annotate(end: &RunEnd, environment: &Environment) -> Result<(), Failure> {
    let Some(github) = &environment.github else { return Ok(()) };
    let paths = ReportPaths { project: end.root.clone(), run_folder: end.results.clone() };
    print!("{}", for_terminal(&github_annotations(&end.summary, &paths)));
    match &github.step_summary {
        None => Ok(()),
        Some(path) => write_step_summary(&end.summary, path)
            .map_err(|err| Failure::new(ErrorCode::Io, format!("could not write the step summary: {err}"))),
    }
}
