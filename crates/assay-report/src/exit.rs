//! The exit code of a run.

use crate::summary::Summary;

/// The exit code of a run:
///
/// | code | when |
/// |---|---|
/// | 130 | it was interrupted |
/// | 1 | a test failed, or is hollow |
/// | 4 | a test ended in an error, or did not end: assay or its surroundings broke |
/// | 2 | a file was rejected, or there was no test at all |
/// | 3 | a test is inconclusive, or could not be proved, or in a strict run has no expectation |
/// | 0 | every test passed |
///
/// The first line that holds decides. An interrupted run is not a result, so it
/// comes first. A failed test is a fact about the application, and stays one
/// whatever else broke, so it comes before the errors; an error means that less
/// was learnt than by an inconclusive test, so it comes before that. A rejected
/// file comes before inconclusive tests: a team that accepts those must still
/// learn that a file did not run. A run without tests does not pass either: it
/// shows nothing, and a wrong path in a CI file must not look like success.
pub fn exit_code(summary: &Summary) -> u8 {
    let totals = summary.totals();
    let proofs = summary.proofs().unwrap_or_default();
    if summary.ending.is_some_and(|ending| ending.interrupted) {
        130
    } else if totals.failed > 0 || proofs.hollow > 0 {
        1
    } else if totals.errors > 0 || totals.not_run > 0 || summary.ending.is_none() {
        4
    } else if totals.rejected_files > 0 || totals.tests == 0 {
        2
    } else if totals.inconclusive > 0 || proofs.open > 0 || (summary.strict && totals.no_expectation > 0) {
        3
    } else {
        0
    }
}
