//! `assay report`: the runs on record, told again.

use std::path::Path;
use std::process::{Command as Process, ExitCode, Stdio};

use assay_agent::analysis::{self, RunAnalysis};
use assay_coordinator::{Coordinator, RunRecord};
use assay_host::{newest_run, run_called, state_failure};
use assay_protocol::{ErrorCode, Failure, Format, TaskStatus};
use assay_report::{
    Console, HtmlOptions, PicturesInHtml, Reporter, Style, Summary, Totals, rfc3339, write_html_report,
};

use crate::agent::analysis_of;
use crate::command::Invocation;
use crate::environment::Environment;
use crate::{output, state};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportOperation {
    List { limit: Option<usize> },
    Show { run: Option<String>, with: ShowWith },
    Open { run: Option<String> },
}

/// What `report show` says beside the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShowWith {
    Record,
    /// The meaning of each result as well.
    Analysis,
}

pub fn run(operation: &ReportOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(operation, json, environment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn carry_out(operation: &ReportOperation, json: bool, environment: &Environment) -> Result<(), Failure> {
    match operation {
        ReportOperation::List { limit } => {
            list(state::look_here(environment)?.as_ref(), limit.unwrap_or(usize::MAX), json)
        }
        ReportOperation::Show { run, with } => {
            let coordinator = state::ask_here(environment)?;
            let record = chosen(&coordinator, run.as_deref())?;
            let analysis = match with {
                ShowWith::Record => None,
                ShowWith::Analysis => meaning_of(&coordinator, &record, environment)?,
            };
            show(&coordinator, &record, analysis.as_ref(), json)
        }
        ReportOperation::Open { run } => {
            let coordinator = state::ask_here(environment)?;
            let run = chosen(&coordinator, run.as_deref())?;
            state::limits_here(environment)?.check_path("results", &run.results)?;
            open(&coordinator, &run, environment)
        }
    }
}

/// The run that is named by its number or its name, or the newest.
fn chosen(coordinator: &Coordinator, which: Option<&str>) -> Result<RunRecord, Failure> {
    match which {
        Some(which) => run_called(coordinator, which),
        None => newest_run(coordinator),
    }
}

fn summary_of(coordinator: &Coordinator, run: &RunRecord) -> Result<Summary, Failure> {
    Ok(Summary::of(&coordinator.events_of(run.task).map_err(state_failure)?))
}

fn list(coordinator: Option<&Coordinator>, limit: usize, json: bool) -> Result<(), Failure> {
    let runs = coordinator.map(Coordinator::runs).transpose().map_err(state_failure)?.unwrap_or_default();
    if runs.is_empty() && !json {
        output::print_line("no run is recorded yet");
    }
    let mut told = Vec::new();
    for (run, coordinator) in runs.iter().take(limit).filter_map(|run| Some((run, coordinator?))) {
        let totals = summary_of(coordinator, run)?.totals();
        if json {
            told.push(serde_json::json!({ "run": run, "totals": totals }));
        } else {
            output::print_line(&run_line(run, &totals));
        }
    }
    if json {
        output::print_json(&serde_json::json!({ "ok": true, "data": told }));
    }
    Ok(())
}

fn run_line(run: &RunRecord, totals: &Totals) -> String {
    let began = rfc3339(run.started_at);
    let counts = [
        (totals.passed, "passed"),
        (totals.failed, "failed"),
        (totals.inconclusive, "inconclusive"),
        (totals.errors, "errors"),
        (totals.not_run, "not run"),
    ];
    let counts: Vec<String> = counts
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    format!(
        "{:>4}  {}  {:8}  {}  {}",
        run.task.0,
        began.get(..19).unwrap_or(&began).replace('T', " "),
        run.status.name(),
        run.suite,
        counts.join(", ")
    )
}

/// What the results of a run mean; nothing while it goes on.
fn meaning_of(
    coordinator: &Coordinator,
    run: &RunRecord,
    environment: &Environment,
) -> Result<Option<RunAnalysis>, Failure> {
    // A run whose process was killed has ended, as far as it will by itself.
    coordinator.pause_orphans().map_err(state_failure)?;
    let record = coordinator.run(run.task).map_err(state_failure)?;
    match record.status {
        TaskStatus::Running => Ok(None),
        _ => analysis_of(coordinator, &record, environment).map(Some),
    }
}

fn show(
    coordinator: &Coordinator,
    run: &RunRecord,
    analysis: Option<&RunAnalysis>,
    json: bool,
) -> Result<(), Failure> {
    let events = coordinator.events_of(run.task).map_err(state_failure)?;
    if json {
        let failed = |err: serde_json::Error| Failure::new(ErrorCode::Internal, err.to_string());
        let report = assay_report::json_report(&Summary::of(&events)).map_err(failed)?;
        match analysis {
            None => output::print_json_text(report.trim_end()),
            Some(analysis) => {
                let report = serde_json::from_str(&report).map_err(failed)?;
                output::print_json(&analysis::in_report(report, analysis));
            }
        }
        return Ok(());
    }
    let style = Style::for_output(None, None, true);
    let mut console = Console::new(std::io::stdout(), style, Some(run.results.join("failures")));
    events.iter().for_each(|event| console.event(event));
    console.finish().map_err(|err| Failure::new(ErrorCode::Io, format!("could not print: {err}")))?;
    if let Some(analysis) = analysis {
        output::print_line(" ");
        crate::agent::print_markdown(analysis);
    }
    Ok(())
}

/// In the user's browser where there is a display; its path is told in any case.
fn open(coordinator: &Coordinator, run: &RunRecord, environment: &Environment) -> Result<(), Failure> {
    let path = run.results.join("report.html");
    let failed =
        |reason: String| Failure::new(ErrorCode::Io, format!("could not write {}: {reason}", path.display()));
    std::fs::create_dir_all(&run.results).map_err(|err| failed(err.to_string()))?;
    // Made again from the record: a later run may have put its own in the same place.
    let options = HtmlOptions { run_folder: run.results.clone(), pictures: PicturesInHtml::Linked };
    let summary = summary_of(coordinator, run)?;
    write_html_report(&summary, &options, &path).map_err(|err| failed(err.to_string()))?;
    output::print_line(&path.display().to_string());
    if environment.display.is_some() {
        show_in_browser(&path)?;
    }
    Ok(())
}

fn show_in_browser(path: &Path) -> Result<(), Failure> {
    let started = Process::new("xdg-open").arg(path).stdout(Stdio::null()).stderr(Stdio::null()).status();
    match started {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Failure::new(ErrorCode::Io, "found no program to open the report")
            .hint(format!("open {} in a browser", path.display()))),
    }
}
