//! Links a test to a requirement, or ends that, in the text of its file.

use std::path::PathBuf;
use std::sync::Arc;

use assay_protocol::CoverageKind;

use super::links::LinkDraft;
use crate::node::{Node, Value};
use crate::problem::Problems;
use crate::reader::Reader;
use crate::source::Source;
use crate::yaml;
use crate::yaml_edit::{self, Edit, Written, end_of, is_in_brackets, scalar};

const KEY: &str = "requirements";
/// A new list of requirements comes after these.
const AFTER: &[&str] = &["test", "script", "description", "tags"];

type Links = Vec<(String, CoverageKind)>;

/// The text with a link from the test that begins at `line`. None if the file is written in a way that cannot be edited
/// safely; the same text if the link is there already.
pub fn link_requirement(text: &str, line: usize, code: &str, coverage: CoverageKind) -> Option<String> {
    let before = Document::at(text, line)?;
    let mut wanted = before.links.clone();
    match wanted.iter_mut().find(|(known, _)| known == code) {
        Some((_, known)) if *known == coverage => return Some(text.to_string()),
        Some((_, known)) => *known = coverage,
        None => wanted.push((code.to_string(), coverage)),
    }
    let edits = match before.value() {
        None => {
            let (key, list) = (KEY, [code.to_string()]);
            match coverage {
                CoverageKind::Full => {
                    yaml_edit::set(text, &before.root, key, Written::Text(&list[0]), AFTER)?
                }
                _ => before.new_entry(text, &item(code, coverage, true))?,
            }
        }
        Some(value) => match place_of(value, code) {
            Some(place) => vec![replaced(text, &place, code, coverage)?],
            None => vec![added(text, value, code, coverage)?],
        },
    };
    before.checked(yaml_edit::applied(text, edits), line, &wanted)
}

/// The text without this link; the same text if there is none.
pub fn unlink_requirement(text: &str, line: usize, code: &str) -> Option<String> {
    let before = Document::at(text, line)?;
    let mut wanted = before.links.clone();
    wanted.retain(|(known, _)| known != code);
    if wanted.len() == before.links.len() {
        return Some(text.to_string());
    }
    let edits = match before.value() {
        Some(value) if !wanted.is_empty() => vec![taken_out(text, value, code)?],
        _ => yaml_edit::removed(text, &before.root, KEY)?,
    };
    before.checked(yaml_edit::applied(text, edits), line, &wanted)
}

/// One test of a file.
struct Document {
    root: Node,
    links: Links,
    /// How many tests the file has.
    count: usize,
}

impl Document {
    fn at(text: &str, line: usize) -> Option<Document> {
        let source = Arc::new(Source::new(PathBuf::new(), PathBuf::new(), text.to_string()));
        let mut problems = Problems::default();
        let documents = yaml::documents(&source, &mut problems);
        let count = documents.len();
        let root = documents.into_iter().find(|document| document.span.position.line == line)?;
        let mut reader = Reader { source, problems: &mut problems, browsers: &[] };
        let links: Vec<LinkDraft> = match entry(&root) {
            Some(node) => reader.requirement_links(node),
            None => Vec::new(),
        };
        let links = links.into_iter().map(|link| (link.code.value, link.coverage)).collect();
        problems.is_empty().then_some(Document { root, links, count })
    }

    fn value(&self) -> Option<&Node> {
        entry(&self.root)
    }

    /// A new entry whose value is no plain text.
    fn new_entry(&self, text: &str, value: &str) -> Option<Vec<Edit>> {
        const STAND_IN: &str = "standin";
        let mut edits = yaml_edit::set(text, &self.root, KEY, Written::Text(STAND_IN), AFTER)?;
        edits.iter_mut().for_each(|edit| edit.with = edit.with.replace(STAND_IN, value));
        Some(edits)
    }

    /// The edited text, if it says what was meant and nothing else has changed.
    fn checked(&self, text: String, line: usize, wanted: &Links) -> Option<String> {
        // An entry that comes before all others moves nothing, and neither does one after the first line.
        let after = Document::at(&text, line)?;
        let same_links =
            after.links.len() == wanted.len() && wanted.iter().all(|link| after.links.contains(link));
        let rest = yaml_edit::says_the_same(
            &yaml_edit::without(&self.root, KEY),
            &yaml_edit::without(&after.root, KEY),
        );
        (same_links && rest && after.count == self.count).then_some(text)
    }
}

fn entry(root: &Node) -> Option<&Node> {
    let Value::Map(entries) = &root.value else { return None };
    entries.iter().find(|(key, _)| key.text == KEY).map(|(_, node)| node)
}

/// Where a link stands.
enum Place<'n> {
    /// The code alone, or the only code of a mapping in a list.
    Item(&'n Node),
    /// Its kind in a mapping.
    Kind(&'n Node),
}

fn place_of<'n>(value: &'n Node, code: &str) -> Option<Place<'n>> {
    match &value.value {
        Value::Scalar { text, .. } => (text.trim() == code).then_some(Place::Item(value)),
        Value::Map(entries) => {
            entries.iter().find(|(key, _)| key.text.trim() == code).map(|(_, kind)| Place::Kind(kind))
        }
        Value::List(items) => items.iter().find_map(|item| place_of(item, code)),
    }
}

fn replaced(text: &str, place: &Place<'_>, code: &str, coverage: CoverageKind) -> Option<Edit> {
    Some(match place {
        Place::Kind(kind) => {
            Edit { start: kind.span.start, end: end_of(text, kind)?, with: coverage.name().to_string() }
        }
        Place::Item(node) => {
            Edit { start: node.span.start, end: end_of(text, node)?, with: item(code, coverage, true) }
        }
    })
}

/// `REQ-12`, or `{REQ-12: partial}`; without brackets as an item of a block list.
fn item(code: &str, coverage: CoverageKind, in_brackets: bool) -> String {
    match (coverage, in_brackets) {
        (CoverageKind::Full, _) => scalar(code),
        (other, true) => format!("{{{}: {}}}", scalar(code), other.name()),
        (other, false) => format!("{}: {}", scalar(code), other.name()),
    }
}

fn added(text: &str, value: &Node, code: &str, coverage: CoverageKind) -> Option<Edit> {
    match &value.value {
        Value::Scalar { .. } => {
            let (start, end) = (value.span.start, end_of(text, value)?);
            let with = format!("[{}, {}]", &text[start..end], item(code, coverage, true));
            Some(Edit { start, end, with })
        }
        Value::List(items) if is_in_brackets(text, value) => match items.last() {
            Some(last) => {
                let at = end_of(text, last)?;
                Some(Edit { start: at, end: at, with: format!(", {}", item(code, coverage, true)) })
            }
            None => {
                let (start, end) = (value.span.start, end_of(text, value)?);
                Some(Edit { start, end, with: format!("[{}]", item(code, coverage, true)) })
            }
        },
        Value::List(items) => {
            let last = items.last()?;
            let start = yaml_edit::start_of_line(text, last.span.start);
            let dash = text[start..last.span.start].find('-')?;
            let indent = &text[start..start + dash];
            let line = format!("{indent}- {}", item(code, coverage, false));
            Some(yaml_edit::line_after(text, end_of(text, last)?, &line))
        }
        Value::Map(entries) => {
            let (first, _) = entries.first()?;
            let (key, kind) = entries.last()?;
            let end = end_of(text, kind)?.max(key.span.end);
            let entry = format!("{}: {}", scalar(code), coverage.name());
            if is_in_brackets(text, value) {
                return Some(Edit { start: end, end, with: format!(", {entry}") });
            }
            Some(yaml_edit::line_after(text, end, &format!("{}{entry}", yaml_edit::indent_of(text, first))))
        }
    }
}

fn taken_out(text: &str, value: &Node, code: &str) -> Option<Edit> {
    let Value::List(items) = &value.value else {
        return yaml_edit::removed(text, value, &key_of(value, code)?)?.into_iter().next();
    };
    let at = items.iter().position(|item| place_of(item, code).is_some())?;
    let item = &items[at];
    if let Value::Map(entries) = &item.value
        && entries.len() > 1
    {
        return yaml_edit::removed(text, item, &key_of(item, code)?)?.into_iter().next();
    }
    if !is_in_brackets(text, value) {
        let start = yaml_edit::start_of_line(text, item.span.start);
        let end = yaml_edit::next_line(text, end_of(text, item)?);
        return Some(Edit { start, end, with: String::new() });
    }
    let (start, end) = match (at.checked_sub(1).map(|before| &items[before]), items.get(at + 1)) {
        (Some(before), _) => (end_of(text, before)?, end_of(text, item)?),
        (None, Some(next)) => (start_of(text, item), start_of(text, next)),
        (None, None) => return None,
    };
    Some(Edit { start, end, with: String::new() })
}

/// With its bracket, which the place of a mapping leaves out.
fn start_of(text: &str, node: &Node) -> usize {
    match &node.value {
        Value::Map(_) if is_in_brackets(text, node) => {
            text[..node.span.start].rfind('{').unwrap_or(node.span.start)
        }
        _ => node.span.start,
    }
}

/// The key as it is written, with its blanks.
fn key_of(map: &Node, code: &str) -> Option<String> {
    let Value::Map(entries) = &map.value else { return None };
    entries.iter().find(|(key, _)| key.text.trim() == code).map(|(key, _)| key.text.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, code: &str, coverage: CoverageKind, expected: &str) {
        let text = |list: &str| format!("# Head\ntest: T # name\n{list}steps:\n  - Go # there\n");
        let (before, after) = (text(written), text(expected));
        assert_eq!(link_requirement(&before, 2, code, coverage).as_deref(), Some(after.as_str()));
    }

    #[track_caller]
    fn check_out(written: &str, code: &str, expected: &str) {
        let text = |list: &str| format!("test: T\n{list}steps:\n  - Go # there\n");
        let (before, after) = (text(written), text(expected));
        assert_eq!(unlink_requirement(&before, 1, code).as_deref(), Some(after.as_str()));
    }

    #[test]
    fn a_link_is_added_in_the_form_that_is_there() {
        use CoverageKind::{Full, Negative, Partial};
        check("", "R-1", Full, "requirements: R-1\n");
        check("", "R-1", Partial, "requirements: {R-1: partial}\n");
        check("tags: [a]\n", "R-1", Full, "tags: [a]\nrequirements: R-1\n");
        check("requirements: R-1 # why\n", "R-2", Full, "requirements: [R-1, R-2] # why\n");
        check("requirements: [R-1]\n", "R-2", Negative, "requirements: [R-1, {R-2: negative}]\n");
        check("requirements: []\n", "R-2", Full, "requirements: [R-2]\n");
        check(
            "requirements:\n  - R-1 # one\n  # end\n",
            "R-2",
            Partial,
            "requirements:\n  - R-1 # one\n  - R-2: partial\n  # end\n",
        );
        check("requirements:\n- R-1\n", "R-2", Full, "requirements:\n- R-1\n- R-2\n");
        check("requirements: {R-1: full}\n", "R-2", Full, "requirements: {R-1: full, R-2: full}\n");
        check("requirements:\n  R-1: full\n", "R-2", Partial, "requirements:\n  R-1: full\n  R-2: partial\n");
        check("requirements: [\n  R-1, # one\n]\n", "R-2", Full, "requirements: [\n  R-1, R-2, # one\n]\n");
    }

    #[test]
    fn a_link_changes_its_kind_in_its_place() {
        use CoverageKind::{Full, Negative, Partial};
        check("requirements: R-1\n", "R-1", Partial, "requirements: {R-1: partial}\n");
        check("requirements: [R-1, R-2]\n", "R-1", Partial, "requirements: [{R-1: partial}, R-2]\n");
        check(
            "requirements:\n  - R-1: partial # x\n",
            "R-1",
            Negative,
            "requirements:\n  - R-1: negative # x\n",
        );
        check("requirements: [R-1]\n", "R-1", Full, "requirements: [R-1]\n");
    }

    #[test]
    fn a_link_is_taken_out_and_an_empty_list_goes() {
        check_out("requirements: R-1\n", "R-1", "");
        check_out("requirements: [R-1, R-2] # x\n", "R-1", "requirements: [R-2] # x\n");
        check_out("requirements: [R-1, {R-2: partial}]\n", "R-2", "requirements: [R-1]\n");
        check_out("requirements: [{R-2: partial}, R-1]\n", "R-2", "requirements: [R-1]\n");
        check_out(
            "requirements:\n  - R-1\n  - R-2: full # x\n  - R-3\n",
            "R-2",
            "requirements:\n  - R-1\n  - R-3\n",
        );
        check_out("requirements:\n  - R-1\n", "R-1", "");
        check_out("requirements: {R-1: full, R-2: full}\n", "R-1", "requirements: {R-2: full}\n");
        check_out("requirements:\n  R-1: full\n  R-2: full\n", "R-1", "requirements:\n  R-2: full\n");
        check_out("requirements: R-1\n", "R-9", "requirements: R-1\n");
    }

    #[test]
    fn only_the_test_that_is_meant_changes_and_line_ends_stay() {
        let text = "test: A\r\nsteps: [x]\r\n---\r\ntest: B\r\nsteps: [y]\r\n";
        let linked = link_requirement(text, 4, "R-1", CoverageKind::Full).unwrap();
        assert_eq!(linked, "test: A\r\nsteps: [x]\r\n---\r\ntest: B\r\nrequirements: R-1\r\nsteps: [y]\r\n");
        assert_eq!(unlink_requirement(&linked, 4, "R-1").as_deref(), Some(text));
        assert_eq!(link_requirement(text, 3, "R-1", CoverageKind::Full), None);
    }

    #[test]
    fn what_cannot_be_edited_safely_is_left_alone() {
        // The list is an alias: its place is elsewhere.
        let text = "test: T\ntags: &a [x]\nrequirements: *a\nsteps: [y]\n";
        assert_eq!(link_requirement(text, 1, "R-1", CoverageKind::Full), None);
    }
}
