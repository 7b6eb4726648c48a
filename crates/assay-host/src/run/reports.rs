//! The reports that a run leaves: always `report.json` and `report.html`, the others where they are asked for.

use std::path::{Path, PathBuf};

use assay_protocol::{ErrorCode, Failure};
use assay_report::{
    HtmlOptions, JunitDialect, PicturesInHtml, ReportError, ReportPaths, Summary, write_ctrf_report,
    write_html_report, write_json_report, write_junit_report, write_trace,
};

/// Which reports are wanted beside those that are always written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WantedReports {
    pub json: Option<String>,
    pub junit: Option<String>,
    pub ctrf: Option<String>,
    pub html: Option<String>,
    pub trace: bool,
}

/// As much as a browser still opens at once.
const EMBEDDED: u64 = 64 * 1024 * 1024;

/// Writes them all, and gives the way to the HTML report. The first that cannot be written is told.
pub fn write(
    summary: &Summary,
    wanted: &WantedReports,
    results: &Path,
    root: &Path,
) -> Result<PathBuf, Failure> {
    let failed = |what: &str| {
        let what = what.to_string();
        move |err: ReportError| Failure::new(ErrorCode::Io, format!("could not write {what}: {err}"))
    };
    let paths = ReportPaths { project: root.to_path_buf(), run_folder: results.to_path_buf() };
    let given = |path: &Option<String>| path.as_ref().map(PathBuf::from);
    for path in [Some(results.join("report.json")), given(&wanted.json)].into_iter().flatten() {
        write_json_report(summary, &path).map_err(failed("the report"))?;
    }
    let html = results.join("report.html");
    let linked = HtmlOptions { run_folder: results.to_path_buf(), pictures: PicturesInHtml::Linked };
    write_html_report(summary, &linked, &html).map_err(failed("the HTML report"))?;
    if let Some(path) = given(&wanted.html) {
        // Asked for elsewhere, it is to be sent to somebody: with its pictures in it.
        let whole = HtmlOptions { pictures: PicturesInHtml::Embedded { most_bytes: EMBEDDED }, ..linked };
        write_html_report(summary, &whole, &path).map_err(failed("the HTML report"))?;
    }
    if let Some(path) = given(&wanted.junit) {
        write_junit_report(summary, &paths, JunitDialect::Strict, &path)
            .map_err(failed("the JUnit report"))?;
    }
    if let Some(path) = given(&wanted.ctrf) {
        write_ctrf_report(summary, &paths, &path).map_err(failed("the CTRF report"))?;
    }
    if wanted.trace {
        write_trace(summary, results, &results.join("trace.zip")).map_err(failed("the trace"))?;
    }
    Ok(html)
}
