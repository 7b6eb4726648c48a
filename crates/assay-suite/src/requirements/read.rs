//! Files with requirements: one as a mapping, or many as a list, in one or several documents.

use std::sync::Arc;

use assay_protocol::{Priority, Requirement, RequirementStatus};

use crate::keys;
use crate::mistake::Mistake;
use crate::node::{Node, Value};
use crate::problem::{Problem, Problems};
use crate::reader::Reader;
use crate::source::{Source, Text};
use crate::yaml;

/// A requirement with the place of its code.
#[derive(Debug, Clone)]
pub(crate) struct RequirementDraft {
    pub code: Text,
    pub requirement: Requirement,
}

/// All requirements of a file. Adds mistakes to `problems`.
pub(crate) fn read_requirements(source: &Arc<Source>, problems: &mut Problems) -> Vec<RequirementDraft> {
    let before = problems.len();
    let documents = yaml::documents(source, problems);
    if documents.is_empty() && problems.len() == before {
        let span = source.span(0, 0);
        problems.push(Problem::at(source, span, Mistake::Missing { what: "`code` and `name`" }));
    }
    let mut reader = Reader { source: Arc::clone(source), problems, browsers: &[] };
    nodes(&documents).filter_map(|node| reader.requirement(node)).collect()
}

/// The mappings that are requirements, in the order of the file.
pub(super) fn nodes(documents: &[Node]) -> impl Iterator<Item = &Node> {
    documents.iter().flat_map(|document| match &document.value {
        Value::List(items) => items.as_slice(),
        Value::Map(_) | Value::Scalar { .. } => std::slice::from_ref(document),
    })
}

impl Reader<'_> {
    pub(super) fn requirement(&mut self, node: &Node) -> Option<RequirementDraft> {
        const EXPECTED: &str = "a requirement with `code` and `name`";
        let fields = self.fields(node, &keys::names(keys::REQUIREMENT), EXPECTED)?;
        let (Some(code), Some(name)) = (fields.get("code"), fields.get("name")) else {
            self.lacking(node, EXPECTED);
            return None;
        };
        let code = self.requirement_code(code);
        let name = self.text(name, "the name of the requirement");
        let mut text = |key: &str, expected: &str| {
            fields.get(key).and_then(|node| self.text(node, expected)).map(|text| text.value)
        };
        let description = text("description", "what the requirement says");
        let category = text("category", "a category");
        let priority = fields.get("priority").and_then(|node| self.one_of(node, "priority", &Priority::ALL));
        let status =
            fields.get("status").and_then(|node| self.one_of(node, "status", &RequirementStatus::ALL));
        let criteria = match fields.get("acceptance_criteria") {
            Some(node) => self.texts(node, "a criterion, as a sentence"),
            None => Vec::new(),
        };
        let code = code?;
        let requirement = Requirement {
            code: code.value.clone(),
            name: name?.value,
            description,
            priority,
            category,
            status,
            acceptance_criteria: criteria.into_iter().map(|text| text.value).collect(),
        };
        Some(RequirementDraft { code, requirement })
    }

    fn requirement_code(&mut self, node: &Node) -> Option<Text> {
        let code = self.text(node, "the code of the requirement, such as `REQ-12`")?;
        match code_mistake(&code.value) {
            None => Some(code),
            Some(expected) => {
                self.expected(node, expected);
                None
            }
        }
    }
}

/// What is wrong with a code: people type it, and it stands in tables and lists.
pub(super) fn code_mistake(code: &str) -> Option<&'static str> {
    const EXPECTED: &str = "a code in one line of at most 60 letters, without commas";
    let is_wrong = code.trim().is_empty()
        || code.chars().count() > 60
        || code.contains(',')
        || code.chars().any(char::is_control);
    is_wrong.then_some(EXPECTED)
}
