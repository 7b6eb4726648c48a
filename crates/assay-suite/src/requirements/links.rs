//! `requirements:` of a test or a script: the codes, and how much of each it shows.

use assay_protocol::CoverageKind;

use crate::mistake::Mistake;
use crate::node::{Key, Node, Value};
use crate::reader::Reader;
use crate::source::Text;

/// A link as it is written.
#[derive(Debug, Clone)]
pub(crate) struct LinkDraft {
    pub code: Text,
    pub coverage: CoverageKind,
}

const EXPECTED: &str = "the code of a requirement";

impl Reader<'_> {
    /// A code, a list of codes, or codes with their kind of coverage: `{REQ-12: partial}`, `- REQ-12: negative`.
    pub fn requirement_links(&mut self, node: &Node) -> Vec<LinkDraft> {
        let mut links = Vec::new();
        match &node.value {
            Value::List(items) => items.iter().for_each(|item| self.links_of_item(item, &mut links)),
            Value::Scalar { .. } | Value::Map(_) => self.links_of_item(node, &mut links),
        }
        links
    }

    fn links_of_item(&mut self, node: &Node, links: &mut Vec<LinkDraft>) {
        match &node.value {
            Value::Map(entries) => {
                for (key, value) in entries {
                    self.link_of_entry(key, value, links);
                }
            }
            Value::Scalar { .. } | Value::List(_) => {
                if let Some(code) = self.text(node, EXPECTED) {
                    self.add_link(LinkDraft { code, coverage: CoverageKind::Full }, links);
                }
            }
        }
    }

    fn link_of_entry(&mut self, key: &Key, value: &Node, links: &mut Vec<LinkDraft>) {
        let coverage = self.one_of(value, "kind of coverage", &CoverageKind::ALL);
        let code = self.text_of(key.text.trim().to_string(), key.span);
        if code.value.is_empty() {
            let mistake = Mistake::Expected {
                expected: EXPECTED.to_string(),
                found: "empty text".to_string(),
                hint: None,
            };
            return self.problem(key.span, mistake);
        }
        if let Some(coverage) = coverage {
            self.add_link(LinkDraft { code, coverage }, links);
        }
    }

    /// The same said twice is once; two different things said of one requirement are a mistake.
    fn add_link(&mut self, link: LinkDraft, links: &mut Vec<LinkDraft>) {
        match links.iter().find(|known| known.code.value == link.code.value) {
            None => links.push(link),
            Some(known) if known.coverage == link.coverage => {}
            Some(known) => {
                let first_line = known.code.span.position.line;
                let mistake = Mistake::DuplicateKey { key: link.code.value.clone(), first_line };
                self.problem(link.code.span, mistake);
            }
        }
    }
}
