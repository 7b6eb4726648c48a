//! Makes every report of a recorded run again, from its journal alone:
//!
//! ```text
//! cargo run -p assay-report --example reports_of -- assay-results
//! ```

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use assay_report::{
    HtmlOptions, JunitDialect, PicturesInHtml, ReportPaths, Summary, github_annotations, read_events,
    write_ctrf_report, write_html_report, write_json_report, write_junit_report, write_trace,
};

fn main() -> Result<(), Box<dyn Error>> {
    let run_folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder of a run")?);
    let recording = read_events(BufReader::new(File::open(run_folder.join("events.jsonl"))?))?;
    let summary = Summary::of(&recording.events);
    let paths = ReportPaths { project: std::env::current_dir()?, run_folder: run_folder.clone() };
    write_json_report(&summary, &run_folder.join("report.json"))?;
    write_junit_report(&summary, &paths, JunitDialect::Strict, &run_folder.join("junit.xml"))?;
    write_ctrf_report(&summary, &paths, &run_folder.join("ctrf.json"))?;
    let options = HtmlOptions { run_folder: run_folder.clone(), pictures: PicturesInHtml::Linked };
    write_html_report(&summary, &options, &run_folder.join("report.html"))?;
    write_trace(&summary, &run_folder, &run_folder.join("trace.zip"))?;
    print!("{}", github_annotations(&summary, &paths));
    Ok(())
}
