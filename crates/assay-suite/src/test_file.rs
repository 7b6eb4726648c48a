//! One test as written in its file: checked, with names not yet replaced.

use std::sync::Arc;

use crate::data::DataDraft;
use crate::keys;
use crate::mistake::Mistake;
use crate::node::Node;
use crate::options::StandingClaims;
use crate::problem::{Problem, Problems};
use crate::reader::{Fields, Reader};
use crate::requirements::LinkDraft;
use crate::settings::TestSettings;
use crate::source::{Source, Span, Text};
use crate::step_draft::StepDraft;
use crate::yaml;

#[derive(Debug)]
pub(crate) struct TestDraft {
    pub source: Arc<Source>,
    pub span: Span,
    pub name: Option<Text>,
    pub settings: TestSettings,
    pub tags: Vec<Text>,
    pub requirements: Vec<LinkDraft>,
    pub device: Option<Text>,
    pub platform: Option<Text>,
    pub standing: StandingClaims,
    pub preconditions: Vec<Text>,
    pub setup: Vec<StepDraft>,
    pub steps: Vec<StepDraft>,
    pub expected: Vec<StepDraft>,
    pub teardown: Vec<StepDraft>,
    pub data: Option<DataDraft>,
}

/// All tests of a file. Adds mistakes to `problems`.
pub(crate) fn read_tests(source: &Arc<Source>, browsers: &[&str], problems: &mut Problems) -> Vec<TestDraft> {
    let before = problems.len();
    let documents = yaml::documents(source, problems);
    if documents.is_empty() && problems.len() == before {
        let span = source.span(0, 0);
        problems.push(Problem::at(source, span, Mistake::Missing { what: MISSING }));
    }
    documents
        .iter()
        .filter_map(|document| {
            Reader { source: Arc::clone(source), problems: &mut *problems, browsers }.test(document)
        })
        .collect()
}

/// Whether it has to do or to claim something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NeedsSteps {
    Yes,
    No,
}

const MISSING: &str = "`steps` or `expected`";

impl Reader<'_> {
    fn test(&mut self, node: &Node) -> Option<TestDraft> {
        let fields = self.fields(node, &keys::names(keys::TEST), "a test with `steps` or `expected`")?;
        Some(self.test_of(node, &fields, "test", NeedsSteps::Yes))
    }

    /// A test by its entries. `title` is the key of its name.
    pub(crate) fn test_of(
        &mut self,
        node: &Node,
        fields: &Fields<'_>,
        title: &str,
        needs: NeedsSteps,
    ) -> TestDraft {
        let settings = self.settings(fields, "browser");
        let mut draft = TestDraft {
            source: Arc::clone(&self.source),
            span: node.span,
            name: None,
            settings,
            tags: Vec::new(),
            requirements: Vec::new(),
            device: None,
            platform: None,
            standing: StandingClaims::default(),
            preconditions: Vec::new(),
            setup: Vec::new(),
            steps: Vec::new(),
            expected: Vec::new(),
            teardown: Vec::new(),
            data: None,
        };
        if let Some(node) = fields.get(title) {
            draft.name = self.text(node, "the name of the test");
        }
        if let Some(node) = fields.get("preconditions") {
            draft.preconditions = self.sentences(node, "a precondition");
        }
        if let Some(node) = fields.get("setup") {
            draft.setup = self.steps(node);
        }
        if let Some(node) = fields.get("steps") {
            draft.steps = self.steps(node);
        }
        if let Some(node) = fields.get("expected") {
            draft.expected = self.expectations(node);
        }
        if let Some(node) = fields.get("teardown") {
            draft.teardown = self.steps(node);
        }
        if let Some(node) = fields.get("tags") {
            draft.tags = self.texts(node, "a tag");
        }
        if let Some(node) = fields.get("requirements") {
            draft.requirements = self.requirement_links(node);
        }
        if let Some(node) = fields.get("device") {
            draft.device = self.text(node, "the name of a device");
        }
        if let Some(node) = fields.get("platform") {
            draft.platform = self.text(node, "the name of a platform");
        }
        if let Some(node) = fields.get("standing") {
            let words = [("allowed", StandingClaims::Allowed)];
            draft.standing = self.one_of(node, "`standing` value", &words).unwrap_or_default();
        }
        if let Some(node) = fields.get("data") {
            draft.data = self.data(node);
        }
        let is_empty = |name: &str| fields.get(name).is_none_or(|node| node.size() == 1 && node.height() > 0);
        if needs == NeedsSteps::Yes && is_empty("steps") && is_empty("expected") {
            self.problem(node.span, Mistake::Missing { what: MISSING });
        }
        draft
    }
}
