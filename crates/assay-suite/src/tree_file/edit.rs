//! Edits the text of a tree file: only the lines of what changed.

use std::collections::HashSet;
use std::sync::Arc;

use assay_protocol::{Edge, NavigationTree, Screen};

use super::layout::{Entry, entries, trailing_comment};
use super::write;
use crate::node::Value;
use crate::problem::Problems;
use crate::source::Source;
use crate::yaml;

pub(super) fn edited(
    source: &Arc<Source>,
    old: &NavigationTree,
    new: &NavigationTree,
    renamed: &[(String, String)],
) -> String {
    let mut problems = Problems::default();
    let documents = yaml::documents(source, &mut problems);
    let [document] = documents.as_slice() else { return write::whole(new) };
    let mut editor = Editor::new(source);
    let total = editor.lines.len();
    let Some(top) = entries(source, document, total) else { return write::whole(new) };
    let Value::Map(keys) = &document.value else { return write::whole(new) };
    let section = |name: &str| keys.iter().position(|(key, _)| key.text == name).map(|at| &top[at]);
    let (old_head, new_head) = (write::head(old), write::head(new));
    let after_head = section("entry")
        .or(section("base_url"))
        .or(section("interface"))
        .or(section("navigation"))
        .map_or(0, |entry| entry.lines.end);
    for key in ["interface", "base_url", "entry"] {
        let of = |head: &[(&str, String)]| {
            head.iter().find(|(known, _)| *known == key).map(|(_, value)| value.clone())
        };
        let (before, after) = (of(&old_head), of(&new_head));
        if before != after {
            editor.field(section(key), key, after.as_deref(), 0, after_head);
        }
    }
    match section("screens") {
        Some(entry) => editor.screens(entry, old, new, renamed),
        None => {
            let text: String = new.screens.iter().map(|screen| write::screen(screen, 2)).collect();
            editor.insert(after_head, format!("screens:\n{text}"));
        }
    }
    match section("edges") {
        Some(entry) => editor.edges(entry, old, new),
        None if new.edges.is_empty() => {}
        None => {
            let text: String = new.edges.iter().map(|edge| write::edge(edge, 2)).collect();
            editor.insert(total, format!("edges:\n{text}"));
        }
    }
    editor.finish()
}

/// The lines of a file, some of which are replaced and some of which are followed by new ones.
struct Editor<'s> {
    source: &'s Source,
    lines: Vec<Option<String>>,
    /// What is put before a line.
    inserted: Vec<(usize, String)>,
    line_end: &'static str,
}

impl<'s> Editor<'s> {
    fn new(source: &'s Source) -> Editor<'s> {
        let lines = source.text.split_inclusive('\n').map(|line| Some(line.to_string())).collect();
        let line_end = if source.text.contains("\r\n") { "\r\n" } else { "\n" };
        Editor { source, lines, inserted: Vec::new(), line_end }
    }

    fn finish(mut self) -> String {
        // The sort is stable: what goes to one place keeps its order.
        self.inserted.sort_by_key(|(at, _)| *at);
        let mut text = String::with_capacity(self.source.text.len());
        let mut inserted = self.inserted.into_iter().peekable();
        for (at, line) in self.lines.iter().map(Some).chain([None]).enumerate() {
            while let Some((_, new)) = inserted.next_if(|(place, _)| *place <= at) {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push_str(self.line_end);
                }
                text.push_str(&new);
            }
            if let Some(Some(line)) = line {
                text.push_str(line);
            }
        }
        text
    }

    fn insert(&mut self, before: usize, text: String) {
        let text = if self.line_end == "\n" { text } else { text.replace('\n', self.line_end) };
        self.inserted.push((before, text));
    }

    /// Removes the lines of an entry; comments inside of it stay.
    fn remove(&mut self, entry: &Entry<'_>) {
        for at in entry.lines.clone() {
            let is_comment = self.source.line(at + 1).trim_start().starts_with('#');
            if let Some(line) = self.lines.get_mut(at).filter(|_| !is_comment) {
                *line = None;
            }
        }
    }

    fn replace(&mut self, entry: &Entry<'_>, text: String) {
        self.remove(entry);
        self.insert(entry.lines.start, text);
    }

    /// A key with a value on one line: replaced, removed or added.
    fn field(
        &mut self,
        there: Option<&Entry<'_>>,
        key: &str,
        value: Option<&str>,
        indent: usize,
        end: usize,
    ) {
        let margin = " ".repeat(indent);
        match (there, value) {
            (Some(entry), Some(value)) => {
                let comment = trailing_comment(self.source, entry);
                let comment = if comment.is_empty() { String::new() } else { format!("  {comment}") };
                let line = self.source.line(entry.lines.start + 1);
                // The first key of an item stands behind its dash.
                let margin =
                    line.get(..entry.indent).filter(|lead| lead.contains('-')).unwrap_or(&margin).to_string();
                self.replace(entry, format!("{margin}{key}: {value}{comment}\n"));
            }
            (Some(entry), None) => self.remove(entry),
            (None, Some(value)) => self.insert(end, format!("{margin}{key}: {value}\n")),
            (None, None) => {}
        }
    }

    fn screens(
        &mut self,
        section: &Entry<'_>,
        old: &NavigationTree,
        new: &NavigationTree,
        renamed: &[(String, String)],
    ) {
        let Some((found, keys)) = self.block_of(section) else {
            if old.screens != new.screens {
                let text: String = new.screens.iter().map(|screen| write::screen(screen, 2)).collect();
                self.replace(section, format!("screens:\n{text}"));
            }
            return;
        };
        let mut kept = HashSet::new();
        for (entry, key) in found.iter().zip(&keys) {
            let now = renamed.iter().find(|(from, _)| from == key).map_or(key.as_str(), |(_, to)| to);
            match (old.screen(key), new.screen(now)) {
                (Some(before), Some(after)) => {
                    kept.insert(now.to_string());
                    if before != after {
                        self.screen(entry, before, after);
                    }
                }
                _ => self.remove(entry),
            }
        }
        let indent = found.first().map_or(2, |entry| entry.indent);
        let added: String = new
            .screens
            .iter()
            .filter(|screen| !kept.contains(&screen.name))
            .map(|screen| write::screen(screen, indent))
            .collect();
        if !added.is_empty() {
            self.insert(section.lines.end, added);
        }
    }

    fn screen(&mut self, entry: &Entry<'_>, before: &Screen, after: &Screen) {
        let fields = (write::screen_fields(before), write::screen_fields(after));
        if !entry.is_block || fields.1.is_empty() {
            return self.replace(entry, write::screen(after, entry.indent));
        }
        if before.name != after.name {
            let line = self.source.line(entry.lines.start + 1);
            let rest = line.rsplit_once(':').map_or("", |(_, rest)| rest);
            let new =
                format!("{}{}:{rest}{}", " ".repeat(entry.indent), write::scalar(&after.name), self.line_end);
            self.lines[entry.lines.start] = Some(new);
        }
        self.fields(entry, &fields.0, &fields.1);
    }

    /// The keys of an entry that changed.
    fn fields(
        &mut self,
        entry: &Entry<'_>,
        before: &[(&'static str, String)],
        after: &[(&'static str, String)],
    ) {
        let Some((found, keys)) = self.block_of(entry) else { return };
        let of = |fields: &[(&str, String)], key: &str| {
            fields.iter().find(|(known, _)| *known == key).map(|(_, value)| value.clone())
        };
        let indent = found.first().map_or(entry.indent + 2, |first| first.indent);
        let mut all: Vec<&str> = before.iter().map(|(key, _)| *key).collect();
        all.extend(after.iter().map(|(key, _)| *key).filter(|key| of(before, key).is_none()));
        for key in all {
            let (was, is) = (of(before, key), of(after, key));
            if was != is {
                let there = keys.iter().position(|known| known == key).map(|at| &found[at]);
                self.field(there, key, is.as_deref(), indent, entry.lines.end);
            }
        }
    }

    fn edges(&mut self, section: &Entry<'_>, old: &NavigationTree, new: &NavigationTree) {
        let items = match &section.node.value {
            Value::List(_) => entries(self.source, section.node, section.lines.end),
            _ => None,
        };
        let Some(found) = items else {
            if old.edges != new.edges {
                let text: String = new.edges.iter().map(|edge| write::edge(edge, 2)).collect();
                self.replace(section, format!("edges:\n{text}"));
            }
            return;
        };
        let pairs = paired(&old.edges, &new.edges);
        let mut taken = HashSet::new();
        for ((entry, before), pair) in found.iter().zip(&old.edges).zip(pairs) {
            let Some(at) = pair else {
                self.remove(entry);
                continue;
            };
            taken.insert(at);
            let after = &new.edges[at];
            if before == after {
                continue;
            }
            if entry.is_block {
                self.fields(entry, &write::edge_fields(before), &write::edge_fields(after));
            } else {
                let margin = entry.indent.saturating_sub(2);
                self.replace(entry, write::edge(after, margin));
            }
        }
        let indent = found.first().map_or(2, |entry| {
            let line = self.source.line(entry.lines.start + 1);
            line.len() - line.trim_start().len()
        });
        let added: String = new
            .edges
            .iter()
            .enumerate()
            .filter(|(at, _)| !taken.contains(at))
            .map(|(_, edge)| write::edge(edge, indent))
            .collect();
        if !added.is_empty() {
            self.insert(section.lines.end, added);
        }
    }

    /// The entries of a mapping with their keys.
    fn block_of<'n>(&self, entry: &Entry<'n>) -> Option<(Vec<Entry<'n>>, Vec<String>)> {
        let Value::Map(keys) = &entry.node.value else { return None };
        let found = entries(self.source, entry.node, entry.lines.end)?;
        Some((found, keys.iter().map(|(key, _)| key.text.clone()).collect()))
    }
}

/// For each old edge, the new one that stands for it: the same, or one between the same screens, or, after a screen was
/// renamed, one with the same commands.
fn paired(old: &[Edge], new: &[Edge]) -> Vec<Option<usize>> {
    let mut taken: HashSet<usize> = HashSet::new();
    let mut found: Vec<Option<usize>> = vec![None; old.len()];
    let likenesses: [fn(&Edge, &Edge) -> bool; 3] = [
        |one, other| one == other,
        |one, other| one.from == other.from && one.to == other.to,
        |one, other| one.acts == other.acts && (one.from == other.from || one.to == other.to),
    ];
    for is_alike in likenesses {
        let mut next = 0;
        for (at, edge) in old.iter().enumerate() {
            if found[at].is_some() {
                continue;
            }
            // Most often the edges stand in the same order.
            let order = (next..new.len()).chain(0..next);
            let hit = order.into_iter().find(|place| !taken.contains(place) && is_alike(edge, &new[*place]));
            if let Some(place) = hit {
                taken.insert(place);
                found[at] = Some(place);
                next = place + 1;
            }
        }
    }
    found
}
