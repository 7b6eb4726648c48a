//! Proposed tests are read by our own reader and, where nothing can come of it, run once, as anybody would run them.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use assay_planner::{Draft, DraftTrial, Exclusion, Refused, Sheet};
use assay_protocol::{ErrorCode, Failure};
use assay_suite::load;
use serde_json::Value;

use super::report::PlanReport;
use super::scratch::Scratch;
use crate::command::Invocation;

/// Which tests are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinds {
    Harmless,
    All,
}

/// Which tests are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// What was run has to be green: it says what the page says of itself.
    Green,
    /// All that can be read. Red may be the very defect that somebody looks for.
    Readable,
}

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrialOutcome {
    Green,
    /// It did not pass, and why.
    Red(String),
    /// Nobody ran it.
    Untried,
    /// Our own reader does not take it.
    Unreadable(String),
}

/// By file and name.
pub type Results = BTreeMap<(String, String), TrialOutcome>;

/// Reads the tests, and runs those that may be run.
pub fn run(
    sheets: &[Sheet],
    base_url: &str,
    kinds: Kinds,
    invocation: &Invocation,
) -> Result<Results, Failure> {
    let mut results = read_only_by_us(sheets, base_url)?;
    let is_run = |sheet: &Sheet, draft: &Draft| {
        let is_known = |name: &String| std::env::var_os(name).is_some();
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
    if runnable.is_empty() {
        return Ok(results);
    }
    let scratch = Scratch::make()?;
    let tests = scratch.write(&runnable, base_url)?;
    let report = report_of(&scratch, &tests, invocation)?;
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
        let message = format!("the test `{}` was to be tried, and nobody tells what came of it", draft.name);
        return Err(Failure::new(ErrorCode::Internal, message));
    }
    Ok(results)
}

fn key(sheet: &Sheet, draft: &Draft) -> (String, String) {
    (sheet.stem.clone(), draft.name.clone())
}

/// Whether our own reader takes what would be written, each test by itself. Secrets need no values for that.
pub fn read_only_by_us(sheets: &[Sheet], base_url: &str) -> Result<Results, Failure> {
    let scratch = Scratch::make()?;
    let mut results = Results::new();
    for sheet in sheets {
        for draft in &sheet.drafts {
            let one = Sheet { stem: sheet.stem.clone(), drafts: vec![draft.clone()], open: Vec::new() };
            let folder = scratch.write(std::slice::from_ref(&one), base_url)?;
            let loaded =
                load(&[folder.join(format!("{}.yaml", one.stem))], &crate::engines::names(), &|_| {
                    Some("placeholder".to_string())
                });
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

/// Leaves only what is to be written, and tells what is not.
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
                    told.scope
                        .excluded
                        .push(Exclusion::new(&draft.name, format!("it was tried and did not pass ({why})")));
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

/// The report of `assay run`, by a process of its own: what it keeps on record goes with this folder.
fn report_of(scratch: &Scratch, tests: &Path, invocation: &Invocation) -> Result<Value, Failure> {
    let program = std::env::current_exe()
        .map_err(|err| Failure::new(ErrorCode::Io, format!("could not find our own program: {err}")))?;
    let mut command = Command::new(program);
    command
        .args(["run", ".", "--json", "--no-screenshots", "--no-lock", "--pilot", "builtin"])
        .arg("--results")
        .arg(scratch.folder.join("results"))
        .env("ASSAY_STATE", scratch.folder.join("state"))
        .env_remove("ASSAY_CASSETTE")
        .current_dir(tests)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    let browser = &invocation.browser;
    for (flag, value) in
        [("--browser", &browser.engine), ("--browser-path", &browser.path), ("--connect", &browser.connect)]
    {
        if let Some(value) = value {
            command.args([flag, value]);
        }
    }
    match browser.headless {
        Some(true) => command.arg("--headless"),
        Some(false) => command.arg("--headed"),
        None => &mut command,
    };
    let output = command
        .output()
        .map_err(|err| Failure::new(ErrorCode::Io, format!("could not run the proposed tests: {err}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let answer: Value = serde_json::from_str(&text).map_err(|err| {
        Failure::new(
            ErrorCode::Internal,
            format!("the proposed tests were run, and there is no report: {err}"),
        )
    })?;
    match answer.get("tests") {
        Some(_) => Ok(answer),
        None => {
            let why = answer["error"]["message"].as_str().unwrap_or("no reason given");
            Err(Failure::new(ErrorCode::BrowserFailed, format!("the proposed tests could not be run: {why}")))
        }
    }
}
