//! The reports of a run: always `report.json` and `report.html`, the others on request.

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

/// Writes them all, and returns the path of the HTML report, or the first error.
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
        // A report at another path is meant to be sent, so it contains its screenshots.
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
