//! Why a test did not pass: its class, by rules on evidence, without a model.
//!
//! A pure function of one test. The rules are in one ordered table; the first that
//! applies decides, and names its step and its evidence in one line. If the
//! evidence does not decide, triage names the most careful class with the word
//! `probably`: it invents nothing.

mod case;
mod environment;
mod external;
mod page;
mod product;
mod rules;
mod site;
mod test_file;
mod trouble;
mod words;

use std::collections::BTreeMap;

use serde::Serialize;

pub use words::is_unreachable;

use crate::summary::Summary;
use crate::test_summary::TestSummary;

/// The kind of problem to fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// The application does not do what the test says.
    ProductDefect,
    /// The test does not say what it means, or means what cannot be.
    TestDefect,
    /// The application shows something in another way than when the test was written.
    ChangedPage,
    /// The browser, the network, the server or assay broke: nothing was learnt about the application.
    Environment,
    /// Something blocked the test: a captcha, a rate limit, a policy.
    ExternalBlock,
    /// The same test ended in several ways in one run.
    Flaky,
}

impl Class {
    /// All of them, in the order in which reports list them.
    pub const ALL: [Class; 6] = [
        Class::ProductDefect,
        Class::TestDefect,
        Class::ChangedPage,
        Class::Environment,
        Class::ExternalBlock,
        Class::Flaky,
    ];

    /// The name in JSON and in filters.
    pub fn name(self) -> &'static str {
        match self {
            Class::ProductDefect => "product-defect",
            Class::TestDefect => "test-defect",
            Class::ChangedPage => "changed-page",
            Class::Environment => "environment",
            Class::ExternalBlock => "external-block",
            Class::Flaky => "flaky",
        }
    }

    /// The name for people.
    pub fn words(self) -> &'static str {
        match self {
            Class::ProductDefect => "product defect",
            Class::TestDefect => "test defect",
            Class::ChangedPage => "changed page",
            Class::Environment => "environment",
            Class::ExternalBlock => "external block",
            Class::Flaky => "flaky",
        }
    }
}

/// Whether the evidence decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    Sure,
    Probable,
}

/// The class of one test, and the one line that gives the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Triage {
    pub class: Class,
    pub certainty: Certainty,
    /// The rule that decided, by its name in the table.
    pub rule: &'static str,
    /// Names the step and the evidence; without the word `probably`. It does not
    /// repeat the reason of the test, which every report tells beside it.
    pub evidence: String,
    /// The step where it began to go wrong, numbered as in the events.
    pub step: Option<usize>,
}

impl Triage {
    /// The evidence, after `probably` if it does not decide.
    pub fn reason(&self) -> String {
        match self.certainty {
            Certainty::Sure => self.evidence.clone(),
            Certainty::Probable => format!("probably: {}", self.evidence),
        }
    }

    /// `product defect: …` or `probably changed page: …`, as one line of a report.
    pub fn line(&self) -> String {
        match self.certainty {
            Certainty::Sure => format!("{}: {}", self.class.words(), self.evidence),
            Certainty::Probable => format!("probably {}: {}", self.class.words(), self.evidence),
        }
    }
}

impl Summary {
    /// All tests that have a class, in the order of the run.
    pub fn triage(&self) -> impl Iterator<Item = (&TestSummary, Triage)> {
        self.tests.iter().filter_map(|test| Some((test, test.triage()?)))
    }

    /// How many tests are of which class; a class without any is left out.
    pub fn classes(&self) -> BTreeMap<Class, usize> {
        let mut classes = BTreeMap::new();
        for (_, triage) in self.triage() {
            *classes.entry(triage.class).or_default() += 1;
        }
        classes
    }
}

impl TestSummary {
    /// Why it did not pass, or why its pass is not to be trusted; None for a
    /// plain pass. Of a test that did not end, it says so.
    pub fn triage(&self) -> Option<Triage> {
        // The rules go by pages and claims. What a program means by its exit code, only its author knows.
        if self.line.is_program() {
            return None;
        }
        rules::decide(&case::Case::of(self))
    }

    /// What the application itself did wrong on the way, whatever came of the test: server errors, and scripts that
    /// stopped in the middle. Not what the test itself speaks of.
    pub fn application_errors(&self) -> Vec<String> {
        let case = case::Case::of(self);
        let is_own = |trouble: &&trouble::Trouble<'_>| {
            matches!(trouble.kind, trouble::TroubleKind::ServerBroke | trouble::TroubleKind::Exception)
        };
        case.troubles.iter().filter(is_own).map(trouble::Trouble::words).collect()
    }
}

#[cfg(test)]
#[path = "../triage_tests.rs"]
mod tests;
