//! The rules, in order. The first match decides.
//!
//! The order matters: first causes that make everything after them meaningless
//! (the test did not run, the browser broke, the test was blocked), then causes
//! outside the application (an unreadable sentence), then the earliest bad state
//! on the way, and only then the decisive step itself.

use crate::test_summary::StepRecord;

use super::case::Case;
use super::{Certainty, Class, Triage};
use super::{environment, external, page, product, test_file};

/// The finding of a rule.
pub struct RuleFinding {
    class: Class,
    certainty: Certainty,
    evidence: String,
    /// The step of the evidence, if it is not the decisive one.
    cause: Option<usize>,
}

impl RuleFinding {
    pub fn sure(class: Class, evidence: impl Into<String>) -> Option<RuleFinding> {
        Some(RuleFinding { class, certainty: Certainty::Sure, evidence: evidence.into(), cause: None })
    }

    pub fn probable(class: Class, evidence: impl Into<String>) -> Option<RuleFinding> {
        Some(RuleFinding { class, certainty: Certainty::Probable, evidence: evidence.into(), cause: None })
    }

    /// The same, with the step at which it began to go wrong.
    pub fn caused_at(self, step: &StepRecord) -> Option<RuleFinding> {
        Some(RuleFinding { cause: Some(step.number), ..self })
    }
}

type Rule = fn(&Case) -> Option<RuleFinding>;

/// Each with the name under which reports tell it.
#[rustfmt::skip] // One rule, one line.
const RULES: &[(&str, Rule)] = &[
    ("not-run",                        environment::not_run),
    ("reported-against-its-own-steps", environment::reported_against_its_own_steps),
    ("passed-at-another-attempt",      product::passed_at_another_attempt),
    ("browser-or-assay-broke",         environment::browser_or_assay_broke),
    ("not-repeated",                   environment::not_repeated),
    ("human-check",                    external::human_check),
    ("blocked-by-policy",              external::blocked_by_policy),
    ("kept-out",                       external::kept_out),
    ("page-not-responding",            environment::page_not_responding),
    ("page-not-reached",               environment::page_not_reached),
    ("precondition-not-made-true",     environment::precondition_not_made_true),
    ("sentence-not-understood",        test_file::sentence_not_understood),
    ("command-not-valid",              test_file::command_not_valid),
    ("dialog-not-answered",            test_file::dialog_not_answered),
    ("nothing-was-caused",             test_file::nothing_was_caused),
    ("hint-or-lock-is-stale",          page::hint_or_lock_is_stale),
    ("several-could-be-meant",         test_file::several_could_be_meant),
    ("ended-otherwise-before",         product::ended_otherwise_before),
    ("server-not-there",               environment::server_not_there),
    ("server-broke",                   product::server_broke),
    ("page-threw",                     product::page_threw),
    ("step-not-clear",                 test_file::step_not_clear),
    ("form-not-sent",                  test_file::form_not_sent),
    ("request-forbidden",              external::request_forbidden),
    ("address-moved",                  page::address_moved),
    ("element-renamed",                page::element_renamed),
    ("element-gone",                   page::element_gone),
    ("claim-cannot-be-judged",         test_file::claim_cannot_be_judged),
    ("page-said-no",                   product::page_said_no),
    ("cut-off",                        environment::cut_off),
    ("claim-is-false",                 product::claim_is_false),
    ("not-decided",                    product::not_decided),
];

pub fn decide(case: &Case) -> Option<Triage> {
    if case.test.verdict() == Some(assay_protocol::Verdict::Passed) && !case.test.is_flaky() {
        return None;
    }
    RULES.iter().find_map(|(rule, apply)| {
        let RuleFinding { class, certainty, evidence, cause } = apply(case)?;
        let step = cause.or_else(|| case.step.map(|step| step.number));
        Some(Triage { class, certainty, rule, evidence, step })
    })
}

#[cfg(test)]
pub fn names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(name, _)| *name)
}
