//! The analysis of a run on a terminal, as a page and as JSON; results that are discarded.

use std::collections::BTreeSet;
use std::path::Path;

use assay_agent::analysis::{self, AnalysisError, DiscardError, RunAnalysis, html_page, markdown_page};
use assay_coordinator::{Coordinator, RunRecord};
use assay_host::{known_requirements, newest_run, orphan_words, run_called, state_failure};
use assay_protocol::{ErrorCode, Failure, RequirementStatus};
use serde_json::json;

use super::AnalysisForm;
use crate::environment::Environment;
use crate::{host, output, state};

pub(super) fn analyze(
    which: Option<&str>,
    form: &AnalysisForm,
    json: bool,
    environment: &Environment,
) -> Result<(), Failure> {
    let coordinator = state::ask_here(environment)?;
    // A run whose process was killed has ended, as far as it will by itself.
    for task in coordinator.pause_orphans().map_err(state_failure)? {
        output::tell(&format!("note: {}", orphan_words(&task)));
    }
    let record = match which {
        Some(which) => run_called(&coordinator, which)?,
        None => newest_run(&coordinator)?,
    };
    let analysis = analysis_of(&coordinator, &record, environment)?;
    if let AnalysisForm::Html { file } = form {
        // Pictures outside of a project that is not trusted are not read.
        let may_read = state::limits_here(environment)?.check_path("results", &record.results).is_ok();
        write(Path::new(file), &html_page(&analysis, may_read.then_some(record.results.as_path())))?;
    }
    match (json, form) {
        (true, _) => output::print_json(&json!({ "ok": true, "data": analysis })),
        (false, AnalysisForm::Html { file }) => output::print_line(file),
        (false, AnalysisForm::Markdown) => print_markdown(&analysis),
    }
    Ok(())
}

pub(crate) fn print_markdown(analysis: &RunAnalysis) {
    markdown_page(analysis).lines().for_each(print_row);
}

/// An empty row is a row of its own.
fn print_row(line: &str) {
    output::print_line(if line.is_empty() { " " } else { line });
}

pub(crate) fn analysis_of(
    coordinator: &Coordinator,
    record: &RunRecord,
    environment: &Environment,
) -> Result<RunAnalysis, Failure> {
    analysis::analyse(coordinator, record, &retired(environment)).map_err(failure_of)
}

fn failure_of(error: AnalysisError) -> Failure {
    match error {
        AnalysisError::State(error) => state_failure(error),
        AnalysisError::NotEnded { .. } => Failure::new(ErrorCode::Usage, error.to_string())
            .hint("wait for it, or `assay resume` it if it was interrupted"),
        AnalysisError::Unreadable { .. } => Failure::new(ErrorCode::Io, error.to_string()),
    }
}

/// The requirements that nobody wants any more. A project whose requirements cannot be read has none: then a failure
/// stays a defect.
fn retired(environment: &Environment) -> BTreeSet<String> {
    let known = host::here().and_then(|here| known_requirements(&host::context(environment)?, &here));
    let known = match known {
        Ok(known) => known,
        Err(failure) => {
            output::tell(&format!(
                "note: {}; no failure counts as known by a retired requirement",
                failure.message
            ));
            return BTreeSet::new();
        }
    };
    let on_file = known.on_file.into_iter().flatten();
    on_file
        .map(|known| known.requirement)
        .filter(|requirement| requirement.status == Some(RequirementStatus::Retired))
        .map(|requirement| requirement.code)
        .collect()
}

fn write(file: &Path, page: &str) -> Result<(), Failure> {
    let failed = |err: std::io::Error| {
        Failure::new(ErrorCode::Io, format!("could not write {}: {err}", file.display()))
    };
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(file, page).map_err(failed)
}

pub(super) fn discard(run: &str, test: &str, json: bool, environment: &Environment) -> Result<(), Failure> {
    let coordinator = state::ask_here(environment)?;
    let record = run_called(&coordinator, run)?;
    let analysis = analysis_of(&coordinator, &record, environment)?;
    let class =
        analysis::discard(&coordinator, record.task, &analysis.results, test).map_err(
            |error| match error {
                DiscardError::State(error) => state_failure(error),
                DiscardError::NoResult { .. } | DiscardError::Refused { .. } => {
                    Failure::new(ErrorCode::Usage, error.to_string())
                        .hint(format!("assay agent analyze {run}"))
                }
            },
        )?;
    match json {
        true => output::print_json(&json!({
            "ok": true, "data": { "run": record.task, "test": test, "class": class, "discarded": true },
        })),
        false => output::print_line(&format!(
            "{test} in run {} is {} and no longer counts",
            record.task,
            class.name()
        )),
    }
    Ok(())
}
