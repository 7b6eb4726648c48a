//! Elements and pages that are not there, and elements that are there twice.

use assay_protocol::{ElementLine, Verdict};
use assay_report::Triage;

use super::class::{Finding, ResultClass};
use super::judge::{Case, is_act, of_unchanged_test};
use super::wording::names_otherwise;
use ResultClass::{Bug, ExternalBlock, ScriptIssue};

/// An act names an element that is not there.
pub(super) fn missing_element(case: &Case<'_>, rule: &'static str, evidence: String) -> Finding {
    if let Some(error) = case.alone.application_errors().into_iter().next() {
        return Finding::sure(Bug, rule, evidence).and(Some(error));
    }
    if let Some(label) = other_wording(case) {
        let found = format!("the page has it in other words: {} \"{}\"", label.role, label.name);
        return Finding::sure(ScriptIssue, "changed-wording", evidence).and(Some(found));
    }
    if let Some(pass) = case.around.unchanged_pass(case.test) {
        let before = format!("the unchanged test used it in run {}", pass.task);
        return Finding::sure(Bug, rule, evidence).and(Some(before));
    }
    // The verdict of the run: the page lacks something that the test names exactly.
    if case.alone.verdict() == Some(Verdict::Failed) {
        return Finding::sure(Bug, rule, evidence);
    }
    let missing = "an earlier pass of the unchanged test, in which the element was there";
    Finding::open(&[Bug, ScriptIssue], rule, evidence, missing)
}

fn other_wording<'a>(case: &'a Case<'_>) -> Option<&'a ElementLine> {
    let step = case.step().filter(|step| is_act(step))?;
    let judgement = case.judgement().filter(|judgement| judgement.claim.is_empty())?;
    let mut alike = judgement.elements.iter().filter(|element| names_otherwise(&step.text, &element.name));
    let first = alike.next()?;
    // A button and the text in it are one thing.
    alike.all(|other| other.name == first.name).then_some(first)
}

/// Several elements fit the sentence.
pub(super) fn ambiguous(case: &Case<'_>, rule: &'static str, evidence: String) -> Finding {
    let Some(step) = case.step() else { return of_unchanged_test(case, rule, evidence) };
    let missing = "whether the application shows the same thing twice by mistake";
    // The author says where, and still there are two: the place itself is there twice.
    let lower = step.text.to_lowercase();
    if PLACES.iter().any(|words| lower.contains(words)) {
        return Finding::open(&[ScriptIssue, Bug], rule, evidence, missing)
            .and(Some("the sentence says where, and the page has it there more than once".to_owned()));
    }
    // The test made the thing itself, once.
    if let Some(made) = made_by_the_test(case, &step.text, step.number) {
        return Finding::open(&[ScriptIssue, Bug], rule, evidence, missing)
            .and(Some(format!("the test itself entered \"{made}\" once")));
    }
    of_unchanged_test(case, rule, evidence)
}

const PLACES: &[&str] =
    &[" row ", " in the ", " of the ", " next to ", " beside ", " under ", " below ", " above ", " within "];

/// A quoted text of the sentence that an earlier step entered.
fn made_by_the_test(case: &Case<'_>, sentence: &str, number: usize) -> Option<String> {
    let quoted: Vec<&str> = sentence.split('"').skip(1).step_by(2).filter(|text| text.len() > 2).collect();
    let earlier = case.attempt()?.steps.iter().filter(|step| step.number < number);
    let entered = earlier.filter(|step| {
        let text = step.text.to_lowercase();
        ["enter", "type", "fill", "write", "create", "add"].iter().any(|verb| text.contains(verb))
    });
    let texts: Vec<&str> = entered.map(|step| step.text.as_str()).collect();
    quoted.into_iter().find(|quoted| texts.iter().any(|text| text.contains(quoted))).map(str::to_owned)
}

/// The step opened a page, and the server answered with an error that the test does not speak of.
pub(super) fn answered_otherwise(case: &Case<'_>, triage: &Triage) -> Option<Finding> {
    let opened = case.step()?.commands.iter().rev().find(|command| command.ok)?;
    let line = opened.outcome.lines().next()?;
    let status: u16 = line.strip_suffix(')')?.rsplit_once("(status ")?.1.parse().ok()?;
    let words = status.to_string();
    let speaks = case.attempt()?.steps.iter().any(|step| step.text.contains(&words));
    if speaks || case.test.line.name.contains(&words) {
        return None;
    }
    let evidence = format!("`{}` answered {status}", opened.command);
    match status {
        401 | 403 | 407 | 429 | 451 => Some(Finding::sure(ExternalBlock, "access-refused", evidence)),
        502..=504 => Some(Finding::sure(ExternalBlock, "server-not-there", evidence)),
        500..=599 => Some(Finding::sure(Bug, "server-broke", evidence)),
        404 | 410 => Some(missing_page(case, triage)),
        _ => None,
    }
}

/// The address of a page is not there (404, 410).
pub(super) fn missing_page(case: &Case<'_>, triage: &Triage) -> Finding {
    let evidence = triage.evidence.clone();
    let opened_by_test = triage
        .step
        .and_then(|number| case.attempt()?.steps.iter().find(|step| step.number == number))
        .is_some_and(|step| step.commands.iter().any(|command| command.command.starts_with("go ")));
    if !opened_by_test {
        let led = "the application itself led there".to_owned();
        return Finding::sure(Bug, triage.rule, evidence).and(Some(led));
    }
    match case.around.unchanged_pass(case.test) {
        Some(pass) => Finding::sure(Bug, triage.rule, evidence)
            .and(Some(format!("the page was there for the unchanged test in run {}", pass.task))),
        None => {
            let missing = "an earlier run in which the page was there";
            Finding::open(&[ScriptIssue, Bug], triage.rule, evidence, missing)
        }
    }
}
