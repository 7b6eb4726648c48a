//! Creates and changes requirements in the texts of their files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_protocol::{Priority, Requirement, RequirementStatus};

use super::folder::{ProjectRequirements, RequirementOnFile};
use super::read::{nodes, read_requirements};
use crate::files;
use crate::node::{Node, Value};
use crate::problem::Problems;
use crate::source::Source;
use crate::yaml;
use crate::yaml_edit::{self, Edit, Written, applied, end_of, in_block, is_in_brackets, line_end};

/// What is to be so of one requirement. What is left out stays as it is; an empty text or list takes the entry away.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RequirementChange {
    pub code: String,
    pub name: Option<String>,
    pub description: Option<String>,
    pub priority: Option<Priority>,
    pub category: Option<String>,
    pub status: Option<RequirementStatus>,
    pub acceptance_criteria: Option<Vec<String>>,
}

/// Files that are to be written, and what that does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WrittenRequirements {
    /// Codes.
    pub created: Vec<String>,
    pub updated: Vec<String>,
    pub unchanged: Vec<String>,
    /// Each file with its whole new text.
    pub files: Vec<(PathBuf, String)>,
}

/// A file that assay cannot edit without changing more than it should.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is written in a way that cannot be edited safely", file.display())]
pub struct CannotEdit {
    pub file: PathBuf,
}

const MARK: &str = "\u{feff}";

/// Works out the files after these changes. Known codes change where they stand; new ones come to the end of `into`.
pub fn write_requirements(
    known: &ProjectRequirements,
    changes: &[RequirementChange],
    into: &Path,
) -> Result<WrittenRequirements, CannotEdit> {
    let mut written = WrittenRequirements::default();
    let mut created: Vec<Requirement> = Vec::new();
    for change in changes {
        let Some(found) = known.find(&change.code) else {
            created.push(change.applied_to(&Requirement::default()));
            written.created.push(change.code.clone());
            continue;
        };
        if change.applied_to(&found.requirement) == found.requirement {
            written.unchanged.push(change.code.clone());
            continue;
        }
        let text = written.text_of(&found.path)?;
        written.put(&found.path, changed(&text, found, change)?);
        written.updated.push(change.code.clone());
    }
    if !created.is_empty() {
        let text = if into.exists() { written.text_of(into)? } else { String::new() };
        written.put(into, appended(&text, &created, into)?);
    }
    written.keep_marks();
    Ok(written)
}

impl WrittenRequirements {
    /// A file that begins with the mark of its encoding keeps it.
    fn keep_marks(&mut self) {
        for (path, text) in &mut self.files {
            if std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(MARK.as_bytes())) {
                text.insert_str(0, MARK);
            }
        }
    }

    fn text_of(&self, path: &Path) -> Result<String, CannotEdit> {
        if let Some((_, text)) = self.files.iter().find(|(known, _)| known == path) {
            return Ok(text.clone());
        }
        let cannot = || CannotEdit { file: path.to_path_buf() };
        let bytes = std::fs::read(path).map_err(|_| cannot())?;
        let text = String::from_utf8(bytes).map_err(|_| cannot())?;
        Ok(text.strip_prefix(MARK).map(str::to_string).unwrap_or(text))
    }

    fn put(&mut self, path: &Path, text: String) {
        match self.files.iter_mut().find(|(known, _)| known == path) {
            Some((_, known)) => *known = text,
            None => self.files.push((path.to_path_buf(), text)),
        }
    }
}

impl RequirementChange {
    fn applied_to(&self, before: &Requirement) -> Requirement {
        let text = |said: &Option<String>, before: &Option<String>| match said {
            Some(said) => Some(said.clone()).filter(|said| !said.is_empty()),
            None => before.clone(),
        };
        Requirement {
            code: self.code.clone(),
            name: self.name.clone().unwrap_or_else(|| before.name.clone()),
            description: text(&self.description, &before.description),
            priority: self.priority.or(before.priority),
            category: text(&self.category, &before.category),
            status: self.status.or(before.status),
            acceptance_criteria: match &self.acceptance_criteria {
                Some(said) => said.clone(),
                None => before.acceptance_criteria.clone(),
            },
        }
    }
}

/// The keys in the order in which they are written.
const ORDER: [&str; 7] =
    ["code", "name", "description", "priority", "category", "status", "acceptance_criteria"];

enum Entry {
    Text(String),
    List(Vec<String>),
}

impl Entry {
    fn written(&self) -> Written<'_> {
        match self {
            Entry::Text(text) => Written::Text(text),
            Entry::List(list) => Written::List(list),
        }
    }
}

/// The entries of a requirement; none for what it does not say.
fn entries(requirement: &Requirement) -> [(&'static str, Option<Entry>); 7] {
    let text = |text: &Option<String>| text.clone().map(Entry::Text);
    let word = |word: Option<&'static str>| word.map(|word| Entry::Text(word.to_string()));
    let criteria = &requirement.acceptance_criteria;
    let values = [
        Some(Entry::Text(requirement.code.clone())),
        Some(Entry::Text(requirement.name.clone())),
        text(&requirement.description),
        word(requirement.priority.map(Priority::name)),
        text(&requirement.category),
        word(requirement.status.map(RequirementStatus::name)),
        (!criteria.is_empty()).then(|| Entry::List(criteria.clone())),
    ];
    let mut values = values.into_iter();
    ORDER.map(|key| (key, values.next().flatten()))
}

/// The text of a file with one requirement changed, one entry after the other.
fn changed(text: &str, found: &RequirementOnFile, change: &RequirementChange) -> Result<String, CannotEdit> {
    let cannot = || CannotEdit { file: found.path.clone() };
    let wanted = change.applied_to(&found.requirement);
    let mut edited = text.to_string();
    for (place, (key, entry)) in entries(&wanted).into_iter().enumerate() {
        let (_, before) = read(&edited);
        let is_same = before
            .iter()
            .find(|known| known.code == change.code)
            .is_some_and(|known| same_entry(&entries(known)[place].1, &entry));
        if is_same {
            continue;
        }
        let (documents, _) = read(&edited);
        let node = nodes(&documents).find(|node| code_of(node) == Some(&change.code)).ok_or_else(cannot)?;
        let edits = match &entry {
            Some(entry) => yaml_edit::set(&edited, node, key, entry.written(), &ORDER[..place]),
            None => yaml_edit::removed(&edited, node, key),
        };
        edited = applied(&edited, edits.ok_or_else(cannot)?);
    }
    let (_, before) = read(text);
    let expected: Vec<Requirement> = before
        .into_iter()
        .map(|known| if known.code == change.code { wanted.clone() } else { known })
        .collect();
    if reads_as(&edited, &expected) { Ok(edited) } else { Err(cannot()) }
}

fn same_entry(one: &Option<Entry>, other: &Option<Entry>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(Entry::Text(one)), Some(Entry::Text(other))) => one == other,
        (Some(Entry::List(one)), Some(Entry::List(other))) => one == other,
        _ => false,
    }
}

/// The text with these requirements after all others.
fn appended(text: &str, new: &[Requirement], file: &Path) -> Result<String, CannotEdit> {
    let cannot = || CannotEdit { file: file.to_path_buf() };
    let (documents, before) = read(text);
    let end = line_end(text);
    let ended = |text: &str| match text {
        "" => String::new(),
        text if text.ends_with('\n') => text.to_string(),
        text => format!("{text}{end}"),
    };
    let edited = match documents.last() {
        None => ended(text) + &list_of(new, "", end, false),
        Some(Node { value: Value::Map(_), .. }) => {
            ended(text) + &format!("---{end}") + &list_of(new, "", end, false)
        }
        Some(list @ Node { value: Value::List(items), .. }) if !is_in_brackets(text, list) => {
            let last = items.last().ok_or_else(cannot)?;
            let start = yaml_edit::start_of_line(text, last.span.start);
            let dash = text[start..last.span.start].find('-').ok_or_else(cannot)?;
            let (indent, is_spaced) = (&text[start..start + dash], is_spaced(text, items));
            let lines = list_of(new, indent, end, is_spaced);
            let lines = if is_spaced { format!("{end}{lines}") } else { lines };
            let at = yaml_edit::next_line(text, end_of(text, last).ok_or_else(cannot)?);
            let open = if at == text.len() && !text.ends_with('\n') { end } else { "" };
            applied(text, vec![Edit { start: at, end: at, with: format!("{open}{lines}") }])
        }
        Some(_) => return Err(cannot()),
    };
    let expected: Vec<Requirement> = before.into_iter().chain(new.iter().cloned()).collect();
    if reads_as(&edited, &expected) { Ok(edited) } else { Err(cannot()) }
}

/// Whether an empty line stands between the items.
fn is_spaced(text: &str, items: &[Node]) -> bool {
    items.windows(2).any(|pair| {
        let between = end_of(text, &pair[0]).and_then(|end| text.get(end..pair[1].span.start));
        between.is_some_and(|between| between.replace('\r', "").contains("\n\n"))
    })
}

fn list_of(requirements: &[Requirement], indent: &str, end: &str, is_spaced: bool) -> String {
    let inner = format!("{indent}  ");
    let one = |requirement: &Requirement| {
        let mut text = String::new();
        for (key, entry) in entries(requirement) {
            let Some(entry) = entry else { continue };
            let head = if text.is_empty() { format!("{indent}- ") } else { inner.clone() };
            text += &format!("{head}{key}:{}{end}", in_block(entry.written(), &inner, end));
        }
        text
    };
    let between = if is_spaced { end } else { "" };
    requirements.iter().map(one).collect::<Vec<_>>().join(between)
}

/// The trees of a text, and the requirements in it that can be read.
fn read(text: &str) -> (Vec<Node>, Vec<Requirement>) {
    let (source, mut problems) = (source(text), Problems::default());
    let documents = yaml::documents(&source, &mut problems);
    let drafts = read_requirements(&source, &mut problems);
    (documents, drafts.into_iter().map(|draft| draft.requirement).collect())
}

fn reads_as(text: &str, expected: &[Requirement]) -> bool {
    let mut problems = Problems::default();
    let found = read_requirements(&source(text), &mut problems);
    let is_small = text.len() as u64 <= files::MAX_SIZE;
    problems.is_empty() && is_small && found.iter().map(|draft| &draft.requirement).eq(expected)
}

fn source(text: &str) -> Arc<Source> {
    Arc::new(Source::new(PathBuf::new(), PathBuf::new(), text.to_string()))
}

fn code_of(node: &Node) -> Option<&String> {
    let Value::Map(entries) = &node.value else { return None };
    entries.iter().find(|(key, _)| key.text == "code").and_then(|(_, node)| match &node.value {
        Value::Scalar { text, .. } => Some(text),
        Value::List(_) | Value::Map(_) => None,
    })
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
