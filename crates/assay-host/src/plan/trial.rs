//! Tries proposed tests: parses them with our own reader and, if they can do no harm, runs them once like any other
//! test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_daemon::DaemonSettings;
use assay_planner::{Draft, DraftTrial, Exclusion, Refused, Sheet, write_sheet};
use assay_protocol::{ErrorCode, Failure};
use assay_report::json_report;
use assay_suite::{PilotChoice, load_in};
use serde_json::Value;

use super::report::PlanReport;
use crate::host::Host;
use crate::job::Desk;
use crate::models::ModelOptions;
use crate::run::{LockMode, ProjectServers, RunSpec, StartCommand, TestChoice, WantedReports};
use crate::scratch::Scratch;
use crate::state::StateFolder;

/// Which tests are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinds {
    Harmless,
    All,
}

/// Whether tests that need values of the environment are run. A model wrote them, perhaps persuaded by a page, so that
/// takes a project that the user trusts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretUse {
    Never,
    Allowed,
}

/// What is tried, and where.
pub struct Trial<'a> {
    pub kinds: Kinds,
    pub secrets: SecretUse,
    pub base_url: &'a str,
}

/// Which tests are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Tests that ran must pass: they repeat what the page says about itself.
    Green,
    /// All readable tests. A failure may be the very defect that the user looks for.
    Readable,
}

/// The outcome of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrialOutcome {
    Green,
    /// It did not pass, and why.
    Red(String),
    /// It was not run.
    Untried,
    /// Our own reader does not take it.
    Unreadable(String),
}

/// By file and name.
pub type Results = BTreeMap<(String, String), TrialOutcome>;

/// Reads the tests, and runs those that may be run. When it was stopped meanwhile, some of them came to nothing.
pub async fn run(
    host: &Host,
    sheets: &[Sheet],
    trial: &Trial<'_>,
    browser: &DaemonSettings,
    desk: &Desk,
) -> Result<Results, Failure> {
    let Trial { kinds, secrets, base_url } = *trial;
    let mut results = read_only_by_us(host, sheets, base_url)?;
    let is_run = |sheet: &Sheet, draft: &Draft| {
        let is_known =
            |name: &String| secrets == SecretUse::Allowed && (host.context.variables)(name).is_some();
        let is_wanted = kinds == Kinds::All || draft.trial == DraftTrial::Harmless;
        let is_read = results.get(&key(sheet, draft)) == Some(&TrialOutcome::Untried);
        let needs_model = draft.tags.iter().any(|tag| tag == "needs-model");
        is_wanted && is_read && !needs_model && draft.secrets.iter().all(is_known)
    };
    let runnable: Vec<Sheet> = sheets
        .iter()
        .map(|sheet| {
            let drafts = sheet.drafts.iter().filter(|draft| is_run(sheet, draft)).cloned().collect();
            Sheet { stem: sheet.stem.clone(), drafts, open: Vec::new() }
        })
        .filter(|sheet| !sheet.drafts.is_empty())
        .collect();
    if runnable.is_empty() || desk.is_stopped() {
        return Ok(results);
    }
    let scratch = Scratch::make(&host.context.temporary, "plan")?;
    let tests = write_sheets(&scratch, &runnable, base_url)?;
    let Some(report) = report_of(host, &scratch, tests, browser, desk).await? else { return Ok(results) };
    for test in report["tests"].as_array().into_iter().flatten() {
        let (Some(file), Some(name)) = (test["file"].as_str(), test["title"].as_str()) else { continue };
        let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let result = match test["status"].as_str() {
            Some("passed") => TrialOutcome::Green,
            status => TrialOutcome::Red(format!(
                "{}: {}",
                status.unwrap_or("no status"),
                test["reason"].as_str().unwrap_or_default()
            )),
        };
        results.insert((stem.to_string(), name.to_string()), result);
    }
    let is_told =
        |sheet: &Sheet, draft: &Draft| results.get(&key(sheet, draft)) != Some(&TrialOutcome::Untried);
    if let Some((_, draft)) = runnable
        .iter()
        .flat_map(|sheet| sheet.drafts.iter().map(move |draft| (sheet, draft)))
        .find(|(sheet, draft)| !is_told(sheet, draft))
    {
        let message = format!("internal: the trial run has no result for the test `{}`", draft.name);
        return Err(Failure::new(ErrorCode::Internal, message));
    }
    Ok(results)
}

/// The folder with the files.
fn write_sheets(scratch: &Scratch, sheets: &[Sheet], base_url: &str) -> Result<PathBuf, Failure> {
    let folder = scratch.folder.join("tests");
    let failed = |path: &Path, err: &std::io::Error| {
        Failure::new(ErrorCode::Io, format!("could not write {}: {err}", path.display()))
    };
    std::fs::create_dir_all(&folder).map_err(|err| failed(&folder, &err))?;
    for sheet in sheets {
        let path = folder.join(format!("{}.yaml", sheet.stem));
        std::fs::write(&path, write_sheet(sheet, Some(base_url))).map_err(|err| failed(&path, &err))?;
    }
    Ok(folder)
}

fn key(sheet: &Sheet, draft: &Draft) -> (String, String) {
    (sheet.stem.clone(), draft.name.clone())
}

/// Whether our own reader accepts each test separately. Secrets need no values for that.
pub fn read_only_by_us(host: &Host, sheets: &[Sheet], base_url: &str) -> Result<Results, Failure> {
    let scratch = Scratch::make(&host.context.temporary, "plan")?;
    let mut results = Results::new();
    for sheet in sheets {
        for draft in &sheet.drafts {
            let one = Sheet { stem: sheet.stem.clone(), drafts: vec![draft.clone()], open: Vec::new() };
            let folder = write_sheets(&scratch, std::slice::from_ref(&one), base_url)?;
            let loaded = load_in(
                &folder,
                &[PathBuf::from(format!("{}.yaml", one.stem))],
                &host.context.drivers.names(),
                &|_| Some("placeholder".to_string()),
            );
            let result = match (loaded.problems.first(), loaded.tests.len()) {
                (Some(problem), _) => TrialOutcome::Unreadable(problem.mistake.to_string()),
                (None, 1) => TrialOutcome::Untried,
                (None, count) => TrialOutcome::Unreadable(format!("expected one test, found {count}")),
            };
            results.insert(key(sheet, draft), result);
        }
    }
    Ok(results)
}

/// Keeps only the tests to write, and reports the others.
pub fn sort(sheets: Vec<Sheet>, results: &Results, keep: Keep, told: &mut PlanReport) -> Vec<Sheet> {
    let mut kept = Vec::new();
    for mut sheet in sheets {
        let stem = sheet.stem.clone();
        sheet.drafts.retain_mut(|draft| {
            let result =
                results.get(&(stem.clone(), draft.name.clone())).cloned().unwrap_or(TrialOutcome::Untried);
            match (&result, keep) {
                (TrialOutcome::Unreadable(why), _) => {
                    told.refused.push(Refused { name: draft.name.clone(), why: vec![why.clone()] });
                    return false;
                }
                (TrialOutcome::Red(why), Keep::Green) => {
                    told.scope.excluded.push(Exclusion::new(
                        &draft.name,
                        format!("it did not pass when it was tried ({why})"),
                    ));
                    return false;
                }
                (TrialOutcome::Red(why), Keep::Readable) => told.red.push((draft.name.clone(), why.clone())),
                (TrialOutcome::Green, _) => told.green += 1,
                (TrialOutcome::Untried, Keep::Green) => draft.tags.push("untried".to_string()),
                (TrialOutcome::Untried, Keep::Readable) => {}
            }
            true
        });
        kept.push(sheet);
    }
    kept
}

/// The report of a separate run, whose record disappears with the folder. None if it was stopped.
async fn report_of(
    host: &Host,
    scratch: &Scratch,
    tests: PathBuf,
    browser: &DaemonSettings,
    desk: &Desk,
) -> Result<Option<Value>, Failure> {
    let context = &host.context;
    let apart = StateFolder { named: Some(scratch.folder.join("state")), ..context.state.clone() };
    // Nobody resumes it, so it needs no key of the user either.
    let apart = crate::context::HostContext { state: apart, configuration: None, ..context.clone() };
    let host = host.with(apart);
    let spec = RunSpec {
        name: None,
        folder: tests.clone(),
        paths: vec![PathBuf::from(".")],
        choice: TestChoice::default(),
        workers: None,
        own_browser: false,
        fail_fast: false,
        strict: false,
        locks: LockMode::Ignore,
        draft_of: None,
        proves: false,
        slow: Duration::ZERO,
        retries: None,
        browsers: browser.browser.engine.clone().into_iter().collect(),
        base_url: None,
        reports: WantedReports::default(),
        results: scratch.folder.join("results"),
        pictures: false,
        // They are our own, and only those with secrets of a trusted project are among them.
        trust: true,
        models: ModelOptions { pilot: Some(PilotChoice::Builtin), ..ModelOptions::default() },
        session: "default".to_string(),
        browser: browser.clone(),
        start: StartCommand { arguments: vec!["plan".to_string()], folder: tests },
        resuming: None,
        witness: None,
        servers: ProjectServers::Started,
    };
    let ended = host.start(spec)?.wait_as_part_of(desk).await;
    if desk.is_stopped() {
        return Ok(None);
    }
    let end = ended.map_err(|failure| {
        let message = format!("the proposed tests could not be run: {}", failure.message);
        Failure { message, ..failure }
    })?;
    let text = json_report(&end.summary).map_err(|err| {
        Failure::new(ErrorCode::Internal, format!("could not read the report of the trial run: {err}"))
    })?;
    serde_json::from_str(&text).map(Some).map_err(|err| {
        Failure::new(ErrorCode::Internal, format!("could not read the report of the trial run: {err}"))
    })
}
