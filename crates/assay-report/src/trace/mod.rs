//! A trace that Playwright's viewer opens: the course of a test with its screenshots,
//! its console errors and its failed requests on one timeline.
//!
//! The format is internal to Playwright. Viewers upgrade older versions and refuse
//! newer ones, so assay writes version 8, which all of them read. A test is an
//! action, its steps are actions within it, and the commands within those.

mod lines;
mod shots;
mod zip;

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::atomic;
use crate::png_size::size_of_png;
use crate::report_file::ReportError;
use crate::run_folder::inside;
use crate::summary::Summary;
use crate::test_summary::TestSummary;

use lines::Lines;
use zip::Zip;

/// Writes the trace of a whole run. `run_folder` is what the pictures of the events are relative to.
pub fn write_trace(summary: &Summary, run_folder: &Path, path: &Path) -> Result<(), ReportError> {
    let title = if summary.suite.is_empty() { "assay" } else { &summary.suite };
    let tests: Vec<&TestSummary> = summary.tests.iter().collect();
    write(&tests, title, run_folder, path).map_err(ReportError::at(path))
}

fn write(tests: &[&TestSummary], title: &str, run_folder: &Path, path: &Path) -> io::Result<()> {
    atomic::write_with(path, |file| {
        let mut zip = Zip::new(BufWriter::new(file));
        let pictures = put_pictures(&mut zip, tests, run_folder)?;
        let lines = Lines::of(tests, title, &pictures);
        zip.put("trace.trace", lines.trace.as_bytes())?;
        zip.put("trace.network", lines.network.as_bytes())?;
        zip.finish()?.flush()
    })
}

/// The pictures that are there, with their size in pixels.
type Pictures = std::collections::BTreeMap<String, Picture>;

struct Picture {
    /// Its name within the trace.
    resource: String,
    width: u32,
    height: u32,
}

/// One that is missing is no reason to lose the rest.
fn put_pictures<W: Write>(
    zip: &mut Zip<W>,
    tests: &[&TestSummary],
    run_folder: &Path,
) -> io::Result<Pictures> {
    let attempts = tests.iter().flat_map(|test| &test.attempts);
    let taken = attempts.flat_map(|attempt| &attempt.steps).flat_map(|step| &step.screenshots);
    let wanted: BTreeSet<&String> = taken.collect();
    let mut pictures = Pictures::new();
    for (number, name) in wanted.into_iter().enumerate() {
        let Ok(bytes) = inside(run_folder, name).and_then(std::fs::read) else { continue };
        let Some((width, height)) = size_of_png(&bytes) else { continue };
        let resource = format!("picture-{:04}.png", number + 1);
        zip.put(&format!("resources/{resource}"), &bytes)?;
        pictures.insert(name.clone(), Picture { resource, width, height });
    }
    Ok(pictures)
}

#[cfg(test)]
#[path = "../trace_tests.rs"]
mod tests;
