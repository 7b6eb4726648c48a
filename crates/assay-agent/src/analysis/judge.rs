//! The class of a result, from the record of its test and from what is known of the past.
//!
//! `assay-report` finds what went wrong; this file says who has to act on it. `SCRIPT_ISSUE` needs evidence that no
//! defect of the application could have left as well: a defect that is filed under it is lost.

use std::collections::BTreeSet;

use assay_coordinator::{KeptAnalysis, PastResult};
use assay_language::tells_of_trouble;
use assay_protocol::{CommandRecord, ErrorCode, Judgement, Part, Verdict};
use assay_report::{
    AttemptSummary, Certainty, Class, StepRecord, TestStatus, TestSummary, Triage, is_unreachable,
};

use super::class::{Decision, Finding, ResultClass};
use super::sampled::{self, Exam};
use super::{known, login, missing, passes, programs};
use ResultClass::{Bug, ExternalBlock, ScriptIssue, SystemIssue};

/// What is known beside the record of the test itself.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    /// The results of the test in the same browser before this run, newest first.
    pub past: &'a [PastResult],
    /// Their analyses, newest first.
    pub analyses: &'a [KeptAnalysis],
    /// The error of this result; empty for a pass.
    pub signature: &'a str,
    /// Requirements that nobody wants any more.
    pub retired: &'a BTreeSet<String>,
}

impl Circumstances<'_> {
    /// The last run in which the very same test passed in this browser.
    pub fn unchanged_pass(&self, test: &TestSummary) -> Option<&PastResult> {
        let fingerprint = test.line.fingerprint.as_ref()?;
        self.past
            .iter()
            .find(|past| past.verdict == Verdict::Passed && past.fingerprint.as_ref() == Some(fingerprint))
    }

    /// The last earlier result with the same error.
    pub fn same_error(&self) -> Option<&KeptAnalysis> {
        self.analyses
            .iter()
            .find(|analysis| analysis.signature == self.signature && !self.signature.is_empty())
    }
}

/// The test as if the attempt that counts had been the only one.
pub(super) struct Case<'a> {
    pub test: &'a TestSummary,
    pub alone: TestSummary,
    pub around: Circumstances<'a>,
}

impl Case<'_> {
    pub fn attempt(&self) -> Option<&AttemptSummary> {
        self.alone.last_attempt()
    }

    pub fn step(&self) -> Option<&StepRecord> {
        self.attempt().and_then(AttemptSummary::decisive_step)
    }

    pub fn failed_command(&self) -> Option<&CommandRecord> {
        self.step()?.commands.last().filter(|command| !command.ok)
    }

    pub fn code(&self) -> Option<ErrorCode> {
        self.failed_command().and_then(|command| command.code)
    }

    pub fn judgement(&self) -> Option<&Judgement> {
        let ending = self.step()?.ending.as_ref()?;
        ending.judgements.iter().rev().find(|judgement| judgement.verdict == ending.verdict)
    }

    /// The message of the decisive step; without one, that of the test.
    pub fn said(&self) -> String {
        let of_step = self.step().and_then(|step| step.ending.as_ref()).map(|ending| ending.reason.clone());
        of_step.filter(|reason| !reason.is_empty()).unwrap_or_else(|| self.alone.reason())
    }

    pub fn page_text(&self) -> &str {
        let ending = self.attempt().and_then(|attempt| attempt.ending.as_ref());
        ending.and_then(|ending| ending.last_page.as_ref()).map_or("", |page| page.text.as_str())
    }
}

impl<'a> Case<'a> {
    pub fn of(test: &'a TestSummary, around: Circumstances<'a>) -> Case<'a> {
        let mut alone = test.clone();
        if alone.attempts.len() > 1 {
            alone.attempts.drain(..alone.attempts.len() - 1);
        }
        Case { test, alone, around }
    }
}

/// A closer look at a pass.
pub fn examine_pass(test: &TestSummary, around: Circumstances<'_>) -> Exam {
    sampled::examine(&Case::of(test, around), around.past)
}

/// The class of a result. Of a test that did not end, it says that.
pub fn judge(test: &TestSummary, around: Circumstances<'_>) -> Finding {
    let case = Case::of(test, around);
    let was_stopped =
        case.attempt().and_then(|attempt| attempt.ending.as_ref()).is_some_and(|ending| ending.interrupted);
    let mut finding = match (test.status(), test.line.is_program()) {
        (TestStatus::Ended(_), _) if was_stopped => {
            Finding::sure(SystemIssue, "interrupted", "a user stopped the run before the test ended")
        }
        (TestStatus::Ended(Verdict::Passed), _) => passes::judge_pass(&case),
        (TestStatus::Ended(_), true) => programs::judge_program(&case),
        (TestStatus::Ended(_), false) => judge_failure(&case),
        (TestStatus::NotStarted | TestStatus::Running, _) => not_ended(&case),
    };
    if finding.decision == Decision::Class(Bug) {
        finding = known::or_known(finding, &case);
    }
    if test.verdict() != Some(Verdict::Passed) {
        note_other_attempts(&mut finding, test);
    }
    finding
}

fn not_ended(case: &Case<'_>) -> Finding {
    let evidence = match case.alone.triage() {
        Some(triage) => triage.evidence,
        None => case.test.reason(),
    };
    Finding::sure(SystemIssue, "not-run", evidence)
}

/// An act that broke the browser or the page, where no step has the verdict of the test.
fn broke_on_the_way(case: &Case<'_>) -> Option<Finding> {
    let last = case.attempt()?.steps.iter().flat_map(|step| &step.commands).last()?;
    let evidence = || format!("`{}`: {}", last.command, last.outcome);
    match last.code.filter(|_| !last.ok)? {
        ErrorCode::BrowserLost | ErrorCode::BrowserFailed => {
            Some(Finding::sure(SystemIssue, "browser-lost", evidence()))
        }
        ErrorCode::PageCrashed => Some(broke_once_or_always(case, "page-crashed", evidence())),
        _ => None,
    }
}

/// Requests that others did not answer, whose answers came after the step that needed them.
fn answered_too_late(case: &Case<'_>) -> Option<String> {
    let last = case.attempt()?.ending.as_ref()?.last_page.as_ref()?;
    let in_time = || case.attempt().into_iter().flat_map(|attempt| &attempt.steps);
    let known = |url: &str| {
        in_time()
            .flat_map(|step| &step.commands)
            .flat_map(|command| &command.failed_requests)
            .any(|request| request.url == url)
    };
    let late = last.failed_requests.iter().find(|request| {
        ["502", "503", "504", "429"].iter().any(|code| request.why.starts_with(code)) && !known(&request.url)
    })?;
    Some(format!("`{} {}` answered {} after the step had ended", late.method, late.url, late.why))
}

/// The sentence says something that no page can show, whatever is on it.
fn never_checkable(case: &Case<'_>) -> bool {
    let said = case.said();
    ["assay cannot check", "cannot be checked here", "a claim with `"]
        .iter()
        .any(|words| said.contains(words))
        && !said.contains("nothing on the page matches")
}

fn judge_failure(case: &Case<'_>) -> Finding {
    let Some(triage) = case.alone.triage() else {
        return nothing_known(case, "no-evidence");
    };
    let evidence = triage.evidence.clone();
    let rule = triage.rule;
    if case.failed_command().is_none()
        && rule == "not-decided"
        && let Some(finding) = broke_on_the_way(case)
    {
        return finding;
    }
    let mut finding = match rule {
        "not-run" | "reported-against-its-own-steps" | "not-repeated" => {
            Finding::sure(SystemIssue, rule, evidence)
        }
        "browser-or-assay-broke" => something_broke(case, rule, evidence),
        "human-check" | "blocked-by-policy" | "kept-out" | "request-forbidden" | "server-not-there" => {
            Finding::sure(ExternalBlock, rule, evidence)
        }
        "page-not-responding" => not_responding(case, rule, evidence),
        "page-not-reached" => not_reached(case, &triage),
        "precondition-not-made-true" => precondition(case, rule, evidence),
        "sentence-not-understood" => Finding::sure(ScriptIssue, rule, evidence),
        "command-not-valid" => match triage.certainty {
            Certainty::Sure => Finding::sure(ScriptIssue, rule, evidence),
            Certainty::Probable => {
                let missing = "whether the page or the command is at fault";
                Finding::open(&[ScriptIssue, Bug], rule, evidence, missing)
            }
        },
        "dialog-not-answered" => unanswered(case, rule, evidence),
        "nothing-was-caused" => of_unchanged_test(case, rule, evidence),
        "several-could-be-meant" => missing::ambiguous(case, rule, evidence),
        "claim-cannot-be-judged" if triage.certainty == Certainty::Sure || never_checkable(case) => {
            Finding::sure(ScriptIssue, rule, evidence)
        }
        "claim-cannot-be-judged" | "step-not-clear" => {
            if let Some(finding) = missing::answered_otherwise(case, &triage) {
                return finding;
            }
            let missing = "what the sentence means on this page";
            Finding::open(&[ScriptIssue, Bug], rule, evidence, missing)
        }
        "form-not-sent" => {
            let missing = "whether the form requires this field on purpose";
            Finding::open(&[ScriptIssue, Bug], rule, evidence, missing)
        }
        "hint-or-lock-is-stale" | "element-renamed" | "element-gone" => {
            missing::missing_element(case, rule, evidence)
        }
        "address-moved" => missing::missing_page(case, &triage),
        _ => of_the_application(case, &triage, evidence),
    };
    let said = case.said();
    if !said.is_empty() && !finding.evidence.iter().any(|line| line.contains(&said)) {
        finding.evidence.push(said);
    }
    finding
}

/// What is left once the test, this machine and others are ruled out.
fn of_the_application(case: &Case<'_>, triage: &Triage, evidence: String) -> Finding {
    let rule = triage.rule;
    if let Some(refused) = login::refused(case) {
        return Finding::sure(ExternalBlock, "login-refused", refused);
    }
    if let Some(refused) = login::unauthorised(case) {
        return Finding::sure(ExternalBlock, "access-refused", refused);
    }
    if rule == "claim-is-false"
        && let Some(late) = answered_too_late(case)
    {
        return Finding::sure(ExternalBlock, "server-not-there", late);
    }
    if case.alone.verdict() == Some(Verdict::Error) && rule == "not-decided" && is_unreachable(&case.said()) {
        return Finding::sure(ExternalBlock, "model-not-reached", case.said());
    }
    match (rule, case.code()) {
        (_, Some(ErrorCode::PageCrashed)) => broke_once_or_always(case, "page-crashed", evidence),
        ("cut-off", Some(ErrorCode::Timeout)) => Finding::sure(Bug, "did-not-come", evidence),
        // The act was sent, and the page said nothing any more.
        ("cut-off", Some(ErrorCode::OutcomeUnknown)) => broke_once_or_always(case, rule, evidence),
        ("cut-off", _) => {
            Finding::open(&[Bug, SystemIssue], rule, evidence, "who closed the tab or cut the act off")
        }
        ("not-decided", _) if triage.class != Class::ProductDefect => nothing_known(case, rule),
        // The place that a claim names may show an error of the server before the application.
        _ if case.alone.verdict() == Some(Verdict::Error) && rule == "not-decided" => {
            nothing_known(case, rule)
        }
        _ => Finding::sure(Bug, rule, evidence),
    }
}

fn nothing_known(case: &Case<'_>, rule: &'static str) -> Finding {
    let evidence = match case.said() {
        said if said.is_empty() => "the record gives no reason".to_owned(),
        said => said,
    };
    let candidates = match case.alone.verdict() {
        Some(Verdict::Error) => &[SystemIssue, ExternalBlock, Bug][..],
        _ => &[Bug, ScriptIssue][..],
    };
    Finding::open(candidates, rule, evidence, "any evidence beside the message")
}

fn something_broke(case: &Case<'_>, rule: &'static str, evidence: String) -> Finding {
    let said = case.said();
    if case.code() == Some(ErrorCode::ModelFailed) {
        return Finding::sure(ExternalBlock, "model-not-reached", evidence);
    }
    if is_unreachable(&said)
        && !matches!(case.code(), Some(ErrorCode::BrowserLost | ErrorCode::BrowserFailed))
    {
        return Finding::sure(ExternalBlock, "server-not-reached", evidence);
    }
    Finding::sure(SystemIssue, rule, evidence)
}

/// The page stands still, or its server sent nothing.
fn not_responding(case: &Case<'_>, rule: &'static str, evidence: String) -> Finding {
    let outcome = case.failed_command().map(|command| command.outcome.as_str()).unwrap_or_default();
    let opens = case.failed_command().is_some_and(|command| command.command.starts_with("go "));
    if opens && outcome.contains("://") {
        return Finding::sure(ExternalBlock, "server-silent", evidence);
    }
    broke_once_or_always(case, rule, evidence)
}

/// A page and its browser break alike. If it is always the same step, it is the page.
fn broke_once_or_always(case: &Case<'_>, rule: &'static str, evidence: String) -> Finding {
    match case.around.same_error() {
        Some(earlier) => Finding::sure(Bug, rule, evidence)
            .and(Some(format!("the same step ended so in run {} as well", earlier.task))),
        None => {
            let missing = "another run in which the same step ends so, or does not";
            Finding::open(&[SystemIssue, Bug], rule, evidence, missing)
        }
    }
}

fn opens_itself(case: &Case<'_>) -> bool {
    case.failed_command().is_some_and(|command| command.command.starts_with("go "))
}

fn not_reached(case: &Case<'_>, triage: &Triage) -> Finding {
    let evidence = triage.evidence.clone();
    match (triage.class, triage.certainty) {
        // An endless redirect is the application's own.
        (Class::ProductDefect, _) => Finding::sure(Bug, triage.rule, evidence),
        (_, Certainty::Sure) => Finding::sure(ExternalBlock, triage.rule, evidence),
        // The test itself named the address, and no request could leave.
        _ if case.said().contains("browsers block this port") && opens_itself(case) => {
            Finding::sure(ExternalBlock, triage.rule, evidence)
        }
        (_, Certainty::Probable) => {
            let missing = "whether a server was there at all";
            Finding::open(&[ExternalBlock, Bug, SystemIssue], triage.rule, evidence, missing)
        }
    }
}

fn precondition(case: &Case<'_>, rule: &'static str, evidence: String) -> Finding {
    let said = case.said();
    let text = case.step().map(|step| step.text.clone()).unwrap_or_default();
    if is_unreachable(&said) {
        return Finding::sure(ExternalBlock, "server-not-reached", evidence);
    }
    if login::speaks_of_login(&text) || login::speaks_of_refusal(&said) {
        return Finding::sure(ExternalBlock, "login-refused", evidence);
    }
    let missing = "why the precondition did not hold before the test began";
    Finding::open(&[ExternalBlock, SystemIssue, Bug], rule, evidence, missing)
}

/// A dialog of the browser that the test does not expect. One that tells of a failure speaks for the application's fault.
fn unanswered(case: &Case<'_>, rule: &'static str, evidence: String) -> Finding {
    if let Some(error) = case.alone.application_errors().into_iter().next() {
        return Finding::sure(Bug, rule, evidence).and(Some(error));
    }
    let said = case.said();
    let message = said.split_once(": ").map_or(said.as_str(), |(_, message)| message);
    if tells_of_trouble(message) {
        let missing = "whether the application failed, or the test has to answer this dialog";
        return Finding::open(&[Bug, ScriptIssue], rule, evidence, missing);
    }
    of_unchanged_test(case, rule, evidence)
}

/// The test is at fault, unless the very same test has passed before: then the application has changed.
pub(super) fn of_unchanged_test(case: &Case<'_>, rule: &'static str, evidence: String) -> Finding {
    if let Some(error) = case.alone.application_errors().into_iter().next() {
        let missing = "whether the sentence would be clear without the error of the application";
        return Finding::open(&[Bug, ScriptIssue], rule, evidence, missing).and(Some(error));
    }
    match case.around.unchanged_pass(case.test) {
        Some(pass) => {
            let missing = "whether the change of the application is meant";
            Finding::open(&[Bug, ScriptIssue], rule, evidence, missing)
                .and(Some(format!("the unchanged test passed in run {}", pass.task)))
        }
        None => Finding::sure(ScriptIssue, rule, evidence),
    }
}

/// Attempts that ended in different ways are a suspicion, and no excuse.
fn note_other_attempts(finding: &mut Finding, test: &TestSummary) {
    if let Some(triage) = test.triage().filter(|triage| triage.class == Class::Flaky) {
        finding.notes.push(triage.evidence);
    }
}

/// `expectation`, or `step`, for messages.
pub(super) fn is_act(step: &StepRecord) -> bool {
    matches!(step.part, Part::Step | Part::Setup | Part::Precondition)
}
