//! The fixed data of a test: its plan, and the settings of the run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use assay_actions::{Call, Policy};
use assay_driver::Deadline;
use assay_language::{Hints, quotations};
use assay_protocol::{Action, Part, Secrets};

use crate::picture::Pictures;
use crate::pilots::PilotTerms;
use crate::plan::Plan;
use crate::screens::Screens;
use crate::witness::StepWitness;

pub struct TestContext<'a> {
    pub(crate) test: String,
    /// The author's names, with an address, a path or a selector each.
    pub(crate) selectors: &'a BTreeMap<String, String>,
    pub(crate) secrets: &'a Secrets,
    pub(crate) base_url: Option<String>,
    /// The navigation trees of the project.
    pub(crate) screens: Option<Rc<dyn Screens>>,
    /// None if screenshots are off.
    pub(crate) pictures: Option<Pictures>,
    /// Sees the page after each step.
    pub(crate) witness: Option<Arc<dyn StepWitness>>,
    pub(crate) policy: Policy,
    /// The folder to which the test's files are relative.
    pub(crate) folder: PathBuf,
    /// A pause after each command, for people who watch.
    pub(crate) slow: Duration,
    /// New resolutions are recorded, so nothing is healed.
    pub(crate) is_locking: bool,
    /// Another attempt follows on the same surface.
    pub(crate) has_successor: bool,
    pub(crate) terms: PilotTerms,
    /// The test is about an error of the server: it claims one.
    pub(crate) expects_an_error: bool,
    /// All quoted values of the test: a pilot may type them besides the words of the step.
    pub(crate) values: Vec<String>,
    /// All sentences of the test, in the order in which its steps are numbered.
    pub(crate) sentences: Vec<(Part, String)>,
}

impl<'a> TestContext<'a> {
    /// For sentences that belong to no plan.
    pub fn new(selectors: &'a BTreeMap<String, String>, secrets: &'a Secrets) -> TestContext<'a> {
        TestContext {
            test: String::new(),
            selectors,
            secrets,
            base_url: None,
            screens: None,
            pictures: None,
            witness: None,
            policy: Policy::default(),
            folder: PathBuf::from("."),
            slow: Duration::ZERO,
            is_locking: false,
            has_successor: false,
            terms: PilotTerms::default(),
            expects_an_error: false,
            values: Vec::new(),
            sentences: Vec::new(),
        }
    }

    /// Where paths begin.
    #[must_use]
    pub fn at(mut self, base_url: Option<String>) -> TestContext<'a> {
        self.base_url = base_url;
        self
    }

    /// Under this policy.
    #[must_use]
    pub fn under(mut self, policy: Policy) -> TestContext<'a> {
        self.policy = policy;
        self
    }

    /// Amid the sentences of a goal. A pilot may type what they quote.
    #[must_use]
    pub fn amid(mut self, sentences: Vec<String>) -> TestContext<'a> {
        self.values = sentences.iter().flat_map(|sentence| quotations(sentence)).collect();
        self.sentences = sentences.into_iter().map(|sentence| (Part::Step, sentence)).collect();
        self
    }

    #[must_use]
    pub fn with_screens(mut self, screens: Option<Rc<dyn Screens>>) -> TestContext<'a> {
        self.screens = screens;
        self
    }

    pub(crate) fn of(plan: &'a Plan) -> TestContext<'a> {
        TestContext {
            test: plan.line.id.clone(),
            base_url: plan.base_url.clone(),
            policy: plan.policy.clone(),
            folder: plan.folder.clone(),
            terms: plan.pilots.clone(),
            expects_an_error: plan.expects_an_error(),
            values: plan.values(),
            sentences: plan.sentences(),
            ..TestContext::new(&plan.selectors, &plan.secrets)
        }
    }

    /// A call under the policy of this test.
    pub(crate) fn call_until(&self, deadline: Deadline) -> Call {
        Call { deadline, wait: false, policy: self.policy.clone() }
    }

    /// The author's names without a look at the page, for reading sentences.
    pub(crate) fn names(&self) -> Hints {
        names_of(self.selectors)
    }

    /// The whole address of a path, by the base address.
    pub(crate) fn address_of(&self, path: &str) -> Option<String> {
        if path.contains("://") {
            return Some(path.to_string());
        }
        let base = self.base_url.as_ref()?;
        Some(format!("{}/{}", base.trim_end_matches('/'), path.trim_start_matches('/')))
    }

    /// The action with a complete address, if it is a navigation.
    pub(crate) fn with_whole_address(&self, action: Action) -> Action {
        match action {
            Action::Go { url } => Action::Go { url: self.address_of(&url).unwrap_or(url) },
            other => other,
        }
    }

    /// The action with its file paths relative to the test.
    pub(crate) fn with_files_found(&self, action: &Action) -> Action {
        match action {
            Action::Upload { target, files } => {
                let found = |file: &String| self.folder.join(file).display().to_string();
                Action::Upload { target: target.clone(), files: files.iter().map(found).collect() }
            }
            other => other.clone(),
        }
    }
}

/// The author's names, before a page says what they hold.
pub(crate) fn names_of(selectors: &BTreeMap<String, String>) -> Hints {
    let mut hints = Hints::default();
    for (key, held) in selectors {
        if is_address(held) {
            hints.pages.insert(key.clone(), held.clone());
        } else {
            hints.elements.insert(key.clone(), Vec::new());
        }
    }
    hints
}

pub(crate) fn is_address(held: &str) -> bool {
    held.contains("://") || (held.starts_with('/') && !held.starts_with("//"))
}
