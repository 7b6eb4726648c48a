//! Whether a pass is to be believed.

use assay_protocol::{Part, ProofJudgement, Verdict};
use assay_report::AttemptSummary;

use super::class::{Finding, ResultClass};
use super::judge::Case;
use ResultClass::{Bug, ScriptIssue, ValidPass};

pub(super) fn judge_pass(case: &Case<'_>) -> Finding {
    if case.test.line.is_program() {
        return Finding::sure(ValidPass, "program-succeeded", "the program ended with exit code 0");
    }
    let doubtful = |rule: &'static str, evidence: String, missing: &str| {
        Finding::open(&[ValidPass, ScriptIssue, Bug], rule, evidence, missing)
    };
    if case.test.has_no_expectation() {
        let evidence = "the test passed and claims nothing".to_owned();
        return doubtful("claims-nothing", evidence, "a claim that the application could have broken");
    }
    if let Some(proof) = &case.test.proof
        && proof.judgement() == ProofJudgement::Hollow
    {
        let evidence = match &proof.hollow {
            Some(why) => format!("`assay prove` found the test hollow: {why}"),
            None => {
                let missed = proof.counted().saturating_sub(proof.caught());
                format!(
                    "`assay prove` found the test hollow: it did not notice {missed} of {} faults",
                    proof.counted()
                )
            }
        };
        return doubtful("hollow", evidence, "a claim that notices the faults");
    }
    let Some(evidence) = case.attempt().and_then(proof_of) else {
        let evidence = "no claim of the test is on record as held".to_owned();
        return doubtful("no-proof", evidence, "the record of a claim that held");
    };
    let mut finding = Finding::sure(ValidPass, "claims-held", evidence);
    finding.notes.extend(case.test.triage().map(|triage| triage.evidence));
    finding
        .notes
        .extend(case.alone.application_errors().into_iter().map(|error| format!("passed, although {error}")));
    if super::known::is_marked(&case.test.line) {
        finding.notes.push(format!("the test passes: remove its tag `{}`", super::known::TAG));
    }
    finding
}

/// A claim that held, with what it was seen on.
fn proof_of(attempt: &AttemptSummary) -> Option<String> {
    let held = attempt.judgements().filter(|it| it.verdict == Verdict::Passed && !it.claim.is_empty());
    let fresh = held.filter(|judgement| !judgement.standing || judgement.may_stand).last();
    if let Some(judgement) = fresh {
        let seen = judgement.elements.first().map(|element| format!("{} \"{}\"", element.role, element.name));
        let seen = seen.or_else(|| judgement.found.clone().map(|found| format!("\"{found}\"")));
        let seen = seen.map(|seen| format!(", seen on {seen}")).unwrap_or_default();
        return Some(format!("\"{}\" held{seen}", judgement.claim));
    }
    // An exact check is a command, and has no judgement.
    let checked = attempt
        .steps
        .iter()
        .rfind(|step| step.part == Part::Expected && step.verdict() == Some(Verdict::Passed))?;
    Some(format!("\"{}\" held", checked.text))
}
