//! Failures that the project expects.

use assay_coordinator::KeptAnalysis;
use assay_protocol::TestLine;

use super::class::{Decision, Finding, ResultClass};
use super::judge::Case;

/// The tag of a test that is known to fail.
pub const TAG: &str = "known-failure";

pub(super) fn is_marked(line: &TestLine) -> bool {
    line.tags.iter().any(|tag| tag == TAG)
}

/// A defect of the application that is expected is no news. The mark covers one error: another one is a defect.
pub(super) fn or_known(finding: Finding, case: &Case<'_>) -> Finding {
    let line = &case.test.line;
    let retired = !line.requirements.is_empty()
        && line.requirements.iter().all(|code| case.around.retired.contains(code));
    let why = match (is_marked(line), retired) {
        (true, _) => format!("the test has the tag `{TAG}`"),
        (false, true) => format!("its requirements are retired: {}", line.requirements.join(", ")),
        (false, false) => return finding,
    };
    let valid_fail = ResultClass::ValidFail.name();
    let known = case.around.analyses.iter().find(|analysis| analysis.class.as_deref() == Some(valid_fail));
    // Values are left out of a signature: a wrong text and an error of the server may have the same one.
    let is_other = |known: &&KeptAnalysis| {
        let rule = known.body.get("rule").and_then(|rule| rule.as_str());
        known.signature != case.around.signature || rule.is_some_and(|rule| rule != finding.rule)
    };
    match known.filter(is_other) {
        Some(known) => {
            let mut finding = finding;
            finding.notes.push(format!("{why}, but the known failure of run {} was another one", known.task));
            finding
        }
        None => Finding { decision: Decision::Class(ResultClass::ValidFail), ..finding }.and(Some(why)),
    }
}
