//! What a run tells the bus: its results, its end, and browsers that fail. In the transaction of the run's own record, so
//! neither is there without the other.

use assay_protocol::{ErrorCode, RunEvent, RunFact, TaskId, event_types};
use rusqlite::Transaction;
use serde_json::{Map, Value, json};

use super::publish::{NewEvent, publish};
use crate::error::StateTrouble;
use crate::process::this_process;
use crate::progress::Progress;

/// Texts of a run are cut: an event says what happened, the run has the details.
const LONGEST_TEXT: usize = 500;

pub(crate) fn publish_of(
    transaction: &Transaction<'_>,
    task: TaskId,
    event: &RunEvent,
    progress: &Progress,
) -> Result<(), StateTrouble> {
    let Some(new) = event_of(task, event, progress) else { return Ok(()) };
    publish(transaction, &new, &this_process("")?.host).map(drop)
}

fn event_of(task: TaskId, event: &RunEvent, progress: &Progress) -> Option<NewEvent> {
    match &event.what {
        RunFact::Command { test, step, record } => {
            let event_type = event_types::alert_of(record.code?)?;
            let browser = progress.line(test).map_or(String::new(), |line| line.browser.clone());
            let body = json!({
                "run": task, "test": test, "step": step, "command": cut(&record.command),
                "code": record.code.map(ErrorCode::name), "message": cut(&record.outcome),
            });
            // An attempt that is made again is another time of the same step.
            let key = format!("{event_type}:{task}:{test}:{step}:{}", event.at);
            Some(new_event(event_type, browser, key, body))
        }
        RunFact::TestFinished {
            test,
            attempt,
            verdict,
            reason,
            flaky,
            will_retry: false,
            interrupted: false,
            ..
        } => {
            let line = progress.line(test);
            let is_program = line.is_some_and(|line| line.is_program());
            let event_type = match is_program {
                true => event_types::SCRIPT_COMPLETED,
                false => event_types::TESTCASE_COMPLETED,
            };
            let browser = line.map_or(String::new(), |line| line.browser.clone());
            let body = json!({
                "run": task, "test": test, "attempt": attempt, "verdict": verdict, "reason": cut(reason),
                "flaky": flaky,
            });
            // A resumed run may record the same test again, with its next attempt.
            Some(new_event(event_type, browser, format!("{event_type}:{task}:{test}:{attempt}"), body))
        }
        RunFact::RunFinished { interrupted, duration_ms } => {
            let mut verdicts: Map<String, Value> = Map::new();
            for finished in progress.finished() {
                let count = verdicts.entry(finished.verdict.name()).or_insert(json!(0));
                *count = json!(count.as_u64().unwrap_or_default() + 1);
            }
            let body = json!({
                "run": task, "interrupted": interrupted, "duration_ms": duration_ms, "results": verdicts,
            });
            let event_type = event_types::EXECUTION_DONE;
            // A run that was interrupted ends once more after it was resumed.
            Some(new_event(event_type, String::new(), format!("{event_type}:{task}:{}", event.at), body))
        }
        _ => None,
    }
}

fn new_event(event_type: &str, device: String, key: String, payload: Value) -> NewEvent {
    NewEvent { event_type: event_type.to_owned(), device, priority: None, key: Some(key), payload }
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST_TEXT).collect()
}
