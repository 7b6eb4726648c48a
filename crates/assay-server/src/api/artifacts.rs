//! The files of a run: reports, pictures, bundles. Whole or in part, and nothing outside of the run's folder.

use std::path::{Path, PathBuf};

use assay_coordinator::RunRecord;
use assay_report::{HtmlOptions, PicturesInHtml, Summary, html_report};
use axum::http::{HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::Serialize;

use super::runs::find_run;
use crate::files::{self, FileTrouble};
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{AnswerForm, Asked, Nothing, Reply, Route};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Artifact")]
struct ArtifactView {
    /// Below the folder of the run.
    path: String,
    size: u64,
    media_type: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ReportAddress {
    /// Below this service. Whoever knows it sees the report and its pictures.
    address: String,
}

/// What a run wrote may hold text of a page that was tested: it gets an origin of its own, and reaches nothing.
pub const SANDBOX: &str = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; \
                       style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; frame-ancestors 'self'; \
                       base-uri 'none'; form-action 'none'";

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/runs/{run}/artifacts", "list_artifacts", "List the files of a run", list),
        Route::raw(
            "/server/runs/{run}/artifacts/{*path}",
            "get_artifact",
            "Get a file of a run, or a part of it",
            AnswerForm::File,
            get,
        ),
        Route::get(
            "/server/runs/{run}/report",
            "show_report",
            "Give the report of a run an address of its own, to be shown for an hour",
            show,
        ),
    ]
}

/// The folder of a run. Its record may have come from elsewhere, so it counts only inside the project.
fn folder_of(asked: &Asked) -> Result<PathBuf, Problem> {
    let run = find_run(&asked.service, asked.part("run"))?;
    asked.service.record_limits().check_path("results", &run.results)?;
    Ok(run.results)
}

fn list(asked: &Asked, page: PageQuery) -> Result<Page<ArtifactView>, Problem> {
    let folder = folder_of(asked)?;
    let found = files::below(&folder)
        .map_err(|err| Problem::internal(format!("the files cannot be listed: {err}")))?;
    let shown = |(path, size): (PathBuf, u64)| ArtifactView {
        media_type: files::media_type(&path).to_string(),
        path: path.display().to_string(),
        size,
    };
    page.of_whole(found.into_iter().map(shown).collect())
}

fn show(asked: &Asked, _: Nothing) -> Result<ReportAddress, Problem> {
    const REPORT: &str = "report.html";
    let folder = folder_of(asked)?;
    let run = find_run(&asked.service, asked.part("run"))?;
    if files::open_below(&folder, Path::new(REPORT)).is_err() {
        return Err(Problem::not_found(format!("run `{}` has no report", asked.part("run"))));
    }
    let page = match is_last_in_its_folder(asked, &run)? {
        true => None,
        false => Some(report_of(asked, &run, &folder.join(REPORT))?),
    };
    Ok(ReportAddress { address: asked.service.shown.open(folder, REPORT, page)? })
}

/// Runs of the command line share a folder, and each puts its report in the place of the one before.
fn is_last_in_its_folder(asked: &Asked, run: &RunRecord) -> Result<bool, Problem> {
    /// Of older runs nobody knows: their reports are made again.
    const LOOKED_AT: usize = 500;
    let newest = asked.service.coordinator.runs_before(None, None, LOOKED_AT)?;
    Ok(newest.iter().find(|one| one.results == run.results).is_some_and(|one| one.task == run.task))
}

/// The report made again from the record, as it would stand at `path`.
fn report_of(asked: &Asked, run: &RunRecord, path: &Path) -> Result<String, Problem> {
    let summary = Summary::of(&asked.service.coordinator.events_of(run.task)?);
    let options = HtmlOptions { run_folder: run.results.clone(), pictures: PicturesInHtml::Linked };
    html_report(&summary, &options, path)
        .map_err(|err| Problem::internal(format!("the report cannot be made: {err}")))
}

fn get(asked: &Asked, _: Nothing) -> Result<Reply, Problem> {
    let (folder, path) = (folder_of(asked)?, asked.part("path"));
    let nothing = || Problem::not_found(format!("run `{}` has no file `{path}`", asked.part("run")));
    let (file, size) = match files::open_below(&folder, Path::new(path)) {
        Ok(opened) => opened,
        Err(FileTrouble::Outside | FileTrouble::Missing) => return Err(nothing()),
        Err(FileTrouble::Other(err)) => {
            return Err(Problem::internal(format!("the file cannot be read: {err}")));
        }
    };
    let range = match asked.header("range")? {
        Some(said) => files::range_of(said, size).map_err(|()| {
            Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, "usage", format!("the file has {size} bytes"))
        })?,
        None => None,
    };
    let (from, length) = range.unwrap_or((0, size));
    let body = files::stream(file, from, length)
        .map_err(|err| Problem::internal(format!("the file cannot be read: {err}")))?;
    let mut reply = Reply::stream(files::media_type(Path::new(path)), body)
        .with(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"))
        .with(header::CONTENT_LENGTH, HeaderValue::from(length))
        .with(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(SANDBOX))
        .with(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"))
        .with(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if range.is_some() {
        let said = format!("bytes {from}-{}/{size}", from + length - 1);
        reply.status = StatusCode::PARTIAL_CONTENT;
        if let Ok(said) = HeaderValue::from_str(&said) {
            reply = reply.with(header::CONTENT_RANGE, said);
        }
    }
    Ok(reply)
}
