//! Elements and pages that are not there, and elements that are there twice.

use assay_protocol::{Part, Verdict};
use assay_report::Triage;

use super::class::{Finding, ResultClass};
use super::judge::{Case, is_act, of_unchanged_test};
use super::wording::{label_in_text, names_otherwise};
use super::{elsewhere, login};
use ResultClass::{Bug, ExternalBlock, ScriptIssue};

/// An act or a claim names an element that is not there.
pub(super) fn missing_element(case: &Case<'_>, rule: &'static str, evidence: String) -> Finding {
    if let Some(block) = kept_out(case) {
        return block;
    }
    if let Some(error) = case.alone.application_errors().into_iter().next() {
        return Finding::sure(Bug, rule, evidence).and(Some(error));
    }
    if let Some(label) = other_wording(case) {
        let found = format!("the page has it in other words: {label}");
        return Finding::sure(ScriptIssue, "changed-wording", evidence).and(Some(found));
    }
    if let Some(pass) = case.around.unchanged_pass(case.test) {
        let before = format!("the unchanged test used it in run {}", pass.task);
        return Finding::sure(Bug, rule, evidence).and(Some(before));
    }
    // What a claim expects is missing, after all acts could be done.
    let is_claim = case.step().is_some_and(|step| !is_act(step))
        || case.judgement().is_some_and(|judgement| !judgement.claim.is_empty());
    if is_claim && case.alone.verdict() == Some(Verdict::Failed)
        || case.step().is_some_and(|step| step.part == Part::Expected)
    {
        return Finding::sure(Bug, rule, evidence);
    }
    // An act names something that nobody has ever seen there: the name may as well be wrong.
    let missing = "an earlier pass of the unchanged test, in which the element was there";
    Finding::open(&[Bug, ScriptIssue], rule, evidence, missing)
}

/// The test is not where the element could be.
fn kept_out(case: &Case<'_>) -> Option<Finding> {
    let block = |rule, evidence| Finding::sure(ExternalBlock, rule, evidence);
    let refused = login::refused(case).or_else(|| elsewhere::still_before_the_login(case));
    refused
        .map(|evidence| block("login-refused", evidence))
        .or_else(|| login::unauthorised(case).map(|evidence| block("access-refused", evidence)))
        .or_else(|| elsewhere::led_elsewhere(case).map(|evidence| block("led-elsewhere", evidence)))
}

/// What the page has, in the words of the page.
fn other_wording(case: &Case<'_>) -> Option<String> {
    let step = case.step().filter(|step| is_act(step))?;
    let judgement = case.judgement().filter(|judgement| judgement.claim.is_empty());
    let elements = judgement.map(|judgement| judgement.elements.as_slice()).unwrap_or_default();
    let mut alike = elements.iter().filter(|element| names_otherwise(&step.text, &element.name));
    if let Some(first) = alike.next() {
        // A button and the text in it are one thing.
        let is_one = alike.all(|other| other.name == first.name);
        return is_one.then(|| format!("{} \"{}\"", first.role, first.name));
    }
    let has_passed = case.around.unchanged_pass(case.test).is_some();
    // The message names what is missing; a sentence may quote a value before it.
    let said = case.said();
    let naming = if said.contains('"') { &said } else { &step.text };
    label_in_text(naming, case.page_text(), has_passed).map(|label| format!("\"{label}\""))
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
