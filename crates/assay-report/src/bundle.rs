//! The bundle of a test that did not pass: `failures/<test>/` with the screenshot,
//! the text and the address of the last page, and the story of the test.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use assay_protocol::{RunEvent, RunFact, Verdict};

use crate::Reporter;
use crate::folder::folder_name;
use crate::run_folder::inside;
use crate::story::story;
use crate::summary::Summary;
use crate::test_summary::{AttemptSummary, TestSummary};

#[derive(Debug, thiserror::Error)]
#[error("cannot write the failure bundle `{folder}`: {source}")]
pub struct BundleError {
    pub folder: PathBuf,
    pub source: io::Error,
}

/// Writes a bundle as soon as a test has ended without a pass, so that it is
/// there even if the run does not come to its end.
pub struct FailureBundles {
    run_folder: PathBuf,
    failures: PathBuf,
    /// Of tests that ended only how they did.
    summary: Summary,
    problems: Vec<BundleError>,
}

impl FailureBundles {
    /// `run_folder` is what the pictures of the events are relative to.
    pub fn new(run_folder: PathBuf, failures: PathBuf) -> Self {
        FailureBundles { run_folder, failures, summary: Summary::default(), problems: Vec::new() }
    }

    pub fn problems(&self) -> &[BundleError] {
        &self.problems
    }
}

impl FailureBundles {
    /// Knows an event of before, whose bundle is there already.
    pub fn recall(&mut self, event: &RunEvent) {
        self.summary.event(event);
        if let RunFact::TestFinished { test, will_retry: false, .. } = &event.what {
            self.summary.keep_the_ending_of(test);
        }
    }
}

impl Reporter for FailureBundles {
    fn event(&mut self, event: &RunEvent) {
        self.summary.event(event);
        let RunFact::TestFinished { test: id, will_retry: false, .. } = &event.what else { return };
        if let Some(test) = self.summary.test(id).filter(|test| test.verdict() != Some(Verdict::Passed))
            && let Err(problem) = write_bundle(test, &self.run_folder, &self.failures)
        {
            self.problems.push(problem);
        }
        self.summary.keep_the_ending_of(id);
    }
}

/// Writes the bundle of one test and returns its folder. A bundle of an earlier
/// run is replaced as a whole, so that no picture of another failure stays in it.
pub fn write_bundle(test: &TestSummary, run_folder: &Path, failures: &Path) -> Result<PathBuf, BundleError> {
    let name = folder_name(&test.line.id);
    let folder = failures.join(&name);
    let beside = failures.join(format!(".{name}.{}.partial", std::process::id()));
    let written = fill(&beside, test, run_folder).and_then(|()| {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::rename(&beside, &folder)
    });
    match written {
        Ok(()) => Ok(folder),
        Err(source) => {
            // The first error is the one to tell.
            let _ = fs::remove_dir_all(&beside);
            Err(BundleError { folder, source })
        }
    }
}

fn fill(folder: &Path, test: &TestSummary, run_folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let attempt = test.last_attempt();
    let page = attempt.and_then(|it| it.ending.as_ref()).and_then(|it| it.last_page.as_ref());
    if let Some(page) = page {
        fs::write(folder.join("page_text.txt"), &page.text)?;
        fs::write(folder.join("page_url.txt"), format!("{}\n", page.url))?;
    }
    let mut text = story(test);
    if let Some(picture) = attempt.and_then(last_picture) {
        // A picture that is missing is no reason to lose the rest.
        let copied = inside(run_folder, picture)
            .and_then(|path| fs::copy(path, folder.join("screenshot.png")).map(|_| ()));
        if let Err(trouble) = copied {
            text += &format!("\nThe screenshot is missing: {trouble}.\n");
        }
    }
    fs::write(folder.join("agent_reasoning.md"), text)
}

/// The picture of the last page, or the last one that was taken at all.
fn last_picture(attempt: &AttemptSummary) -> Option<&str> {
    let at_the_end = attempt.ending.as_ref().and_then(|it| it.last_page.as_ref()?.screenshot.as_deref());
    at_the_end
        .or_else(|| attempt.steps.iter().flat_map(|step| &step.screenshots).next_back().map(String::as_str))
}

#[cfg(test)]
#[path = "bundle_tests.rs"]
mod tests;
