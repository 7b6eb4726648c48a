//! Results that are taken out of the figures. This file alone decides which results may be.

use assay_coordinator::{Coordinator, ResultKey, StateError};
use assay_protocol::TaskId;

use super::class::{INCONCLUSIVE, ResultClass};
use super::result::ResultAnalysis;

#[derive(Debug, thiserror::Error)]
pub enum DiscardError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error("run {run} has no result of `{test}`")]
    NoResult { run: i64, test: String },
    #[error(
        "the result of `{test}` in run {run} is {class}, and only SCRIPT_ISSUE and SYSTEM_ISSUE may be discarded"
    )]
    Refused { run: i64, test: String, class: &'static str },
}

/// Takes a result out of the figures, if its fresh analysis allows it.
pub fn discard(
    coordinator: &Coordinator,
    run: TaskId,
    results: &[ResultAnalysis],
    test: &str,
) -> Result<ResultClass, DiscardError> {
    let found = results.iter().find(|result| result.test_id == test || result.test == test);
    let result = found.ok_or_else(|| DiscardError::NoResult { run: run.0, test: test.to_owned() })?;
    let class = result.class.filter(|class| class.may_be_discarded());
    let class = class.ok_or_else(|| DiscardError::Refused {
        run: run.0,
        test: result.test_id.clone(),
        class: result.class.map_or(INCONCLUSIVE, ResultClass::name),
    })?;
    let which = ResultKey { task: run, test_id: &result.test_id };
    let reason = result.evidence.first().map(String::as_str).unwrap_or_default();
    coordinator.discard_result(which, class.name(), reason)?;
    Ok(class)
}
