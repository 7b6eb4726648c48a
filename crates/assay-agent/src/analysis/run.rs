//! The analysis of a whole run: each result against its past, what has changed, what to look at first.

use std::collections::{BTreeMap, BTreeSet};

use assay_coordinator::{Coordinator, KeptAnalysis, PastResult, RunRecord, StateError};
use assay_protocol::{TaskStatus, Verdict};
use assay_report::{RejectedFile, Summary, TestSummary};
use serde::Serialize;

use super::changes::{Changes, Look, first_look};
use super::class::{Decision, Finding};
use super::history::suspicions;
use super::judge::{Circumstances, examine_pass, judge};
use super::result::{Depth, ResultAnalysis};
use super::signature::signature_of;

/// How far back results are compared.
const PAST_RESULTS: usize = 50;

/// Earlier runs that nobody analysed are analysed first, this many at most.
const CAUGHT_UP: usize = 20;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunAnalysis {
    pub run: i64,
    pub name: String,
    pub suite: String,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// How many results have which class; `INCONCLUSIVE` for those without one.
    pub classes: BTreeMap<String, usize>,
    pub first_look: Vec<Look>,
    /// None for the first run of a suite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Changes>,
    pub results: Vec<ResultAnalysis>,
    /// Files that could not be read: none of their tests ran.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected_files: Vec<RejectedFile>,
}

/// Why a run cannot be analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error("run {run} has not ended")]
    NotEnded { run: i64 },
    #[error("the analysis of run {run} cannot be read: {source}")]
    Unreadable { run: i64, source: serde_json::Error },
}

/// Analyses a run and keeps what it found, in place of an earlier analysis.
pub fn analyse(
    coordinator: &Coordinator,
    record: &RunRecord,
    retired: &BTreeSet<String>,
) -> Result<RunAnalysis, AnalysisError> {
    if record.status == TaskStatus::Running {
        return Err(AnalysisError::NotEnded { run: record.task.0 });
    }
    let earlier = coordinator.runs()?.into_iter().filter(|run| {
        run.task < record.task && run.suite == record.suite && run.status != TaskStatus::Running
    });
    let earlier: Vec<RunRecord> = earlier.take(CAUGHT_UP).collect();
    for run in earlier.iter().rev() {
        if coordinator.analyses_of(run.task)?.is_empty() {
            results_of_run(coordinator, run, retired)?;
        }
    }
    let results = results_of_run(coordinator, record, retired)?;
    let changes = match earlier.first() {
        Some(last) => Some(changes_since(coordinator, record, last, &results)?),
        None => None,
    };
    let rejected_files = Summary::of(&coordinator.events_of(record.task)?).rejected;
    let mut classes = BTreeMap::new();
    for result in &results {
        *classes.entry(result.class_name().to_owned()).or_default() += 1;
    }
    Ok(RunAnalysis {
        run: record.task.0,
        name: record.run.clone(),
        suite: record.suite.clone(),
        started_at: record.started_at,
        classes,
        first_look: first_look(&results, &rejected_files, changes.as_ref()),
        changes,
        results,
        rejected_files,
    })
}

/// Each result against the last one of the same test in the same browser, whatever ran in between. A test that ran in the
/// last run is missing only where this run could have had it: it ran the same, or other tests of the same file.
fn changes_since(
    coordinator: &Coordinator,
    record: &RunRecord,
    last: &RunRecord,
    results: &[ResultAnalysis],
) -> Result<Changes, AnalysisError> {
    let unreadable = |task: i64| move |source| AnalysisError::Unreadable { run: task, source };
    let mut before: Vec<ResultAnalysis> = Vec::new();
    let mut since = None;
    for result in results {
        let analyses = coordinator.analyses_before(record.task, &result.test, &result.browser)?;
        let Some(newest) = analyses.into_iter().next() else { continue };
        since = since.max(Some(newest.task.0));
        let earlier: ResultAnalysis =
            serde_json::from_value(newest.body).map_err(unreadable(newest.task.0))?;
        before.push(ResultAnalysis { test_id: result.test_id.clone(), ..earlier });
    }
    let is_same_order = last.order == record.order;
    let ran = |file: &str| results.iter().any(|result| result.file == file);
    let is_here = |earlier: &ResultAnalysis| {
        results.iter().any(|result| {
            result.test_id == earlier.test_id
                || result.test == earlier.test && result.browser == earlier.browser
        })
    };
    let gone = kept(coordinator, last)?;
    let gone = gone.into_iter().filter(|one| !is_here(one) && (is_same_order || ran(&one.file)));
    before.extend(gone);
    Ok(Changes::between(&before, results, since.unwrap_or(last.task.0)))
}

fn kept(coordinator: &Coordinator, run: &RunRecord) -> Result<Vec<ResultAnalysis>, AnalysisError> {
    let unreadable = |source| AnalysisError::Unreadable { run: run.task.0, source };
    let kept = coordinator.analyses_of(run.task)?;
    kept.into_iter().map(|analysis| serde_json::from_value(analysis.body).map_err(unreadable)).collect()
}

fn results_of_run(
    coordinator: &Coordinator,
    record: &RunRecord,
    retired: &BTreeSet<String>,
) -> Result<Vec<ResultAnalysis>, AnalysisError> {
    let summary = Summary::of(&coordinator.events_of(record.task)?);
    let rows = coordinator.results_of(record.task)?;
    let discarded = coordinator.discarded_in(record.task)?;
    let mut results = Vec::new();
    for test in &summary.tests {
        let row = rows.iter().find(|row| row.test_id == test.line.id);
        // A test without a result has no other name yet.
        let lasting = row.map_or(test.line.id.as_str(), |row| row.test.as_str());
        let past = coordinator.results_before(record.task, lasting, &test.line.browser, PAST_RESULTS)?;
        let analyses = coordinator.analyses_before(record.task, lasting, &test.line.browser)?;
        let mut result = analyse_result(test, &record.run, &past, &analyses, retired);
        result.test = lasting.to_owned();
        result.discarded = discarded.contains(&test.line.id);
        results.push(result);
    }
    let now = record.ended_at.unwrap_or(record.started_at);
    let kept: Vec<KeptAnalysis> = results.iter().map(|result| to_keep(record, result, now)).collect();
    coordinator.keep_analyses(&kept)?;
    Ok(results)
}

fn to_keep(record: &RunRecord, result: &ResultAnalysis, at: u64) -> KeptAnalysis {
    KeptAnalysis {
        task: record.task,
        test_id: result.test_id.clone(),
        test: result.test.clone(),
        browser: result.browser.clone(),
        class: result.class.map(|class| class.name().to_owned()),
        signature: result.signature.clone(),
        is_full: result.depth.is_full(),
        at,
        // Our own type is always JSON.
        body: serde_json::to_value(result).unwrap_or_default(),
    }
}

/// One result against its past. Pure.
pub fn analyse_result(
    test: &TestSummary,
    run: &str,
    past: &[PastResult],
    analyses: &[KeptAnalysis],
    retired: &BTreeSet<String>,
) -> ResultAnalysis {
    let signature = signature_of(test);
    let around = Circumstances { past, analyses, signature: &signature, retired };
    let mut finding = judge(test, around);
    let has_passed = test.verdict() == Some(Verdict::Passed);
    let same: Vec<&KeptAnalysis> = match has_passed {
        true => Vec::new(),
        false => analyses.iter().filter(|analysis| analysis.signature == signature).collect(),
    };
    let times = if has_passed { 0 } else { same.len() + 1 };
    let mut depth = match has_passed {
        true => {
            let follows_failure = past.first().is_some_and(|past| past.verdict != Verdict::Passed);
            Depth::of_pass(run, &test.line.id, follows_failure)
        }
        false => Depth::of_repeat(times),
    };
    let mut suspicions = suspicions(test, past);
    if depth == Depth::Sampled {
        let exam = examine_pass(test, around);
        suspicions.extend(exam.suspicions);
        finding.notes.extend(exam.notes);
        // A pass that is open already has the stronger reason.
        if let Some(closer) = exam.finding.filter(|_| finding.decision.class().is_some()) {
            finding = Finding { notes: finding.notes, ..closer };
        }
    }
    if depth == Depth::Repeat
        && let Some(full) = same.iter().find(|analysis| analysis.is_full)
    {
        let now = finding.decision.class().map(|class| class.name());
        if full.class.as_deref() == now {
            finding.notes.push(format!("the same error as in run {}, which was analysed in full", full.task));
        } else {
            depth = Depth::First;
            let then = full.class.as_deref().unwrap_or(super::class::INCONCLUSIVE);
            finding.notes.push(format!(
                "run {} had the same error and was {then}: the evidence has changed",
                full.task
            ));
        }
    }
    let class = finding.decision.class();
    let (candidates, missing) = match finding.decision {
        Decision::Class(_) => (Vec::new(), String::new()),
        Decision::Open { candidates, missing } => (candidates, missing),
    };
    ResultAnalysis {
        test: test.line.id.clone(),
        test_id: test.line.id.clone(),
        name: test.line.name.clone(),
        file: test.line.file.clone(),
        browser: test.line.browser.clone(),
        verdict: test.verdict(),
        class,
        candidates,
        missing,
        rule: finding.rule.to_owned(),
        reason: test.reason(),
        evidence: finding.evidence,
        notes: finding.notes,
        suspicions,
        signature,
        times,
        since: same.last().map(|first| first.task.0),
        depth,
        picture: test.pictures().last().map(|picture| (*picture).to_owned()),
        discarded: false,
    }
}
