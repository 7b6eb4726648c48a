//! The stored results of tests and runs: the rows behind queries about the past.

use assay_protocol::{Part, RunEvent, RunFact, TaskId, Verdict};
use rusqlite::{Transaction, params};

use crate::error::StateTrouble;
use crate::progress::Progress;

/// Writes the result of a test and of its steps, in the transaction of its event.
pub(crate) fn write(
    transaction: &Transaction<'_>,
    task: TaskId,
    event: &RunEvent,
    progress: &Progress,
) -> Result<(), StateTrouble> {
    let RunFact::TestFinished { test, attempt, verdict, reason, flaky, duration_ms, .. } = &event.what else {
        return Ok(());
    };
    let line = progress.line(test);
    let browser = line.map_or("", |line| &line.browser);
    transaction
        .prepare_cached(
            "INSERT INTO result (task, test, test_id, name, file, browser, fingerprint, attempt, verdict, reason,
                                 flaky, at, duration_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?
        .execute(params![
            task.0,
            lasting_name(test, browser),
            test,
            line.map_or(test, |line| &line.name),
            line.map_or("", |line| &line.file),
            browser,
            line.and_then(|line| line.fingerprint.as_ref()),
            attempt,
            verdict.name(),
            reason,
            flaky,
            event.at,
            duration_ms
        ])?;
    let result = transaction.last_insert_rowid();
    let mut statement = transaction.prepare_cached(
        "INSERT INTO step_result (result, attempt, step, part, text, verdict, reason, duration_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for step in progress.steps(test) {
        statement.execute(params![
            result,
            step.attempt,
            step.step as i64,
            part_name(step.part),
            step.text,
            step.verdict.name(),
            step.reason,
            step.duration_ms
        ])?;
    }
    Ok(())
}

/// Writes the counts of a run. A resumed run gets the later figures.
pub(crate) fn write_metrics(
    transaction: &Transaction<'_>,
    task: TaskId,
    progress: &Progress,
    duration_ms: u64,
) -> Result<(), StateTrouble> {
    let finished = progress.finished();
    let ended =
        |verdict: Verdict| finished.iter().filter(|finished| finished.verdict == verdict).count() as u64;
    let counts = progress.counts;
    let metrics = [
        ("tests", progress.announced().max(finished.len()) as u64),
        ("passed", ended(Verdict::Passed)),
        ("failed", ended(Verdict::Failed)),
        ("inconclusive", ended(Verdict::Inconclusive)),
        ("errors", ended(Verdict::Error)),
        ("not-run", progress.announced().saturating_sub(finished.len()) as u64),
        ("flaky", finished.iter().filter(|finished| finished.flaky).count() as u64),
        ("commands", counts.commands),
        ("failed-commands", counts.failed_commands),
        ("retries", counts.retries),
        ("recoveries", counts.recoveries),
        ("rejected-files", counts.rejected_files),
        ("duration-ms", duration_ms),
    ];
    let mut statement = transaction
        .prepare_cached("INSERT OR REPLACE INTO metric (task, name, value) VALUES (?1, ?2, ?3)")?;
    for (name, value) in metrics {
        statement.execute(params![task.0, name, value as f64])?;
    }
    Ok(())
}

/// The name of a test without what one run added to it: ` (firefox)` where there were several browsers,
/// ` #2` where it was repeated.
pub(crate) fn lasting_name<'a>(id: &'a str, browser: &str) -> &'a str {
    let id = match id.rsplit_once(" #") {
        Some((before, number)) if !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit()) => {
            before
        }
        _ => id,
    };
    id.strip_suffix(&format!(" ({browser})")).unwrap_or(id)
}

fn part_name(part: Part) -> &'static str {
    match part {
        Part::Precondition => "precondition",
        Part::Setup => "setup",
        Part::Step => "step",
        Part::Expected => "expected",
        Part::Teardown => "teardown",
    }
}

#[cfg(test)]
mod tests {
    use super::lasting_name;

    #[test]
    fn a_test_has_one_name_in_all_runs() {
        for id in ["login [2]", "login [2] (firefox)", "login [2] (firefox) #3", "login [2] #12"] {
            assert_eq!(lasting_name(id, "firefox"), "login [2]");
        }
        assert_eq!(lasting_name("issue #", "firefox"), "issue #");
        assert_eq!(lasting_name("login (chromium)", "firefox"), "login (chromium)");
    }
}
