//! The command line of a run on record: what of it is carried out again.
//!
//! Each option is listed here, and a new one does not compile unlisted. A record may come from somebody else, so it
//! decides which tests run and how, but names no file outside the project and starts no other program.

use std::path::Path;

use assay_host::{Cassette, ModelOptions, RecordLimits, WantedReports};
use assay_protocol::{BrowserSettings, Failure};

use super::RunOptions;
use crate::command::Invocation;
use crate::commands::DEFAULT_RESULTS;
use crate::engines::engine;
use crate::environment::Environment;

/// Whether a run may be started as its record says. `folder` is the one it was started in.
pub fn check(
    options: &RunOptions,
    invocation: &Invocation,
    environment: &Environment,
    folder: &Path,
    limits: &RecordLimits,
) -> Result<(), Failure> {
    let RunOptions {
        paths,
        results,
        reports,
        models,
        trust,
        // How the tests are chosen and run.
        choice: _,
        list: _,
        dry_run: _,
        workers: _,
        own_browser: _,
        fail_fast: _,
        locks: _,
        proves: _,
        slow_ms: _,
        retries: _,
        browsers: _,
        base_url: _,
        host: _,
        pictures: _,
        strict: _,
    } = options;
    for path in paths {
        limits.check_tests(&folder.join(path))?;
    }
    if results != DEFAULT_RESULTS {
        limits.check_path("--results", &folder.join(results))?;
    }
    let WantedReports { json, junit, ctrf, html, trace: _ } = reports;
    let reports = [("--json-report", json), ("--junit", junit), ("--ctrf", ctrf), ("--html", html)];
    for (flag, path) in reports {
        if let Some(path) = path {
            limits.check_path(flag, &folder.join(path))?;
        }
    }
    if *trust {
        limits.check_trust("--trust")?;
    }
    check_models(models, folder, limits)?;
    check_surroundings(invocation, environment, limits)
}

fn check_models(models: &ModelOptions, folder: &Path, limits: &RecordLimits) -> Result<(), Failure> {
    let ModelOptions { cassette, limits: spending, model: _, pilot: _, verbose: _ } = models;
    if let Some(Cassette::Record(path) | Cassette::Replay(path)) = cassette {
        limits.check_path("--cassette", &folder.join(path))?;
    }
    // It would stand above the limits of the user's own settings.
    if spending.is_some() {
        limits.check_trust("--budget")?;
    }
    Ok(())
}

/// What a record may say of browsers: not more than the user's own environment.
fn check_surroundings(
    invocation: &Invocation,
    environment: &Environment,
    limits: &RecordLimits,
) -> Result<(), Failure> {
    let Invocation {
        browser,
        allow,
        command: _,
        session: _,
        named_session: _,
        format: _,
        timeout_ms: _,
        wait: _,
        budget: _,
    } = invocation;
    let BrowserSettings { path, connect, engine: _, headless: _, capabilities: _, debugging_port: _ } =
        browser;
    if path.as_deref() != environment.program(engine(None)?) {
        limits.check_trust("--browser-path")?;
    }
    if *connect != environment.connect {
        limits.check_trust("--connect")?;
    }
    if *allow != environment.allow {
        limits.check_trust("--allow")?;
    }
    Ok(())
}
