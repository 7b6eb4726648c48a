//! One entry in a YAML file: adds its lines, mends it, takes it out.
//!
//! Lines of blocks are put in and taken out whole, so comments and order stay. What is in braces goes the way of JSON.
//! Afterwards the rest of the file is compared with what it said before.

use std::ops::Range;

use crate::braces::Braces;
use crate::catalogue::Format;
use crate::edit::{BOM, Edit, apply, before_line_break, indent, line_break, line_end, line_start, next_line};
use crate::entry::{Wanted, Wrong};
use crate::error::Mistake;
use crate::json::{self, Out};
use crate::merge::{Emptied, Rest, Step};
use crate::render::{self, Layout, yaml_block};
use crate::tree::{Member, Node, find, same_but_entry};
use crate::yaml_parser::{is_bare, parse};

const FORMAT: Format = Format::Yaml;
const UNIT: &str = "  ";

/// The next change that brings the file nearer to what is wanted.
pub(crate) fn step(text: &str, wanted: &Wanted) -> Result<Step, Mistake> {
    let root = parse(text)?;
    let step = next(text, root.as_ref(), wanted)?;
    if let Step::Edit(edits) = &step {
        let after = apply(text, edits.clone());
        let kept = parse(&after)
            .is_ok_and(|after| same_but_entry(root.as_ref(), after.as_ref(), wanted.table, &wanted.name));
        if !kept {
            return Err(Mistake::unusual(0, "this file without a change to its other parts"));
        }
    }
    Ok(step)
}

fn next(text: &str, root: Option<&Node>, wanted: &Wanted) -> Result<Step, Mistake> {
    let Some(root) = root else { return Ok(append(text, "", wanted)) };
    let members = root.members("the whole file")?;
    if is_in_braces(text, root) {
        return json::in_braces(&Braces::new(text, FORMAT, root, members, UNIT), wanted);
    }
    let Some((_, table)) = find(members, wanted.table)? else {
        let indent = members.first().map_or("", |member| indent(text, member.key_span.start));
        return Ok(append(text, indent, wanted));
    };
    if is_in_braces(text, &table.node) {
        return json::in_table(text, FORMAT, &table.node, wanted, UNIT);
    }
    if is_bare(&table.node) {
        return below_bare_key(text, table, wanted);
    }
    let entries = table.node.members(&format!("`{}`", wanted.table))?;
    let Some((_, entry)) = find(entries, &wanted.name)? else {
        let first = entries.first().map_or(table.node.span.start, |entry| entry.key_span.start);
        let lines = yaml_block(&wanted.name, &wanted.entry(), indent(text, first), line_break(text));
        return Ok(Step::Edit(vec![insert_lines(text, table.node.span.end, &lines)]));
    };
    if is_in_braces(text, &entry.node) {
        return json::in_entry(text, FORMAT, &entry.node, wanted, UNIT);
    }
    in_entry(text, &entry.node, wanted)
}

/// The file without the entry, or nothing if it has none.
pub(crate) fn take_out(
    text: &str,
    table: &str,
    name: &str,
    emptied: Emptied,
) -> Result<Option<Rest>, Mistake> {
    let root = parse(text)?;
    let Some(rest) = without(text, root.as_ref(), table, name, emptied)? else { return Ok(None) };
    if let Rest::Text(rest) = &rest {
        let kept = parse(rest).is_ok_and(|rest| same_but_entry(root.as_ref(), rest.as_ref(), table, name));
        if !kept {
            return Err(Mistake::unusual(0, "this file without a change to its other parts"));
        }
    }
    Ok(Some(rest))
}

fn without(
    text: &str,
    root: Option<&Node>,
    table: &str,
    name: &str,
    emptied: Emptied,
) -> Result<Option<Rest>, Mistake> {
    let Some(root) = root else { return Ok(None) };
    let members = root.members("the whole file")?;
    let edited = |edits| Ok(Some(Rest::Text(apply(text, edits))));
    if is_in_braces(text, root) {
        let braces = Braces::new(text, FORMAT, root, members, UNIT);
        return match json::out_of_braces(&braces, table, name, emptied)? {
            None => Ok(None),
            Some(Out::Edits(edits)) => edited(edits),
            // Braces around a whole YAML file are never made here.
            Some(Out::All) => edited(braces.remove(0)),
        };
    }
    let Some((_, servers)) = find(members, table)? else { return Ok(None) };
    if is_bare(&servers.node) {
        return Ok(None);
    }
    let entries = servers.node.members(&format!("`{table}`"))?;
    let Some((index, entry)) = find(entries, name)? else { return Ok(None) };
    if is_in_braces(text, &servers.node) {
        return edited(Braces::new(text, FORMAT, &servers.node, entries, UNIT).remove(index));
    }
    let mut lines = lines_of(text, entry)?;
    if emptied == Emptied::Goes && is_made_for_one(text, servers, entries) {
        lines = lines_of(text, servers)?;
        if members.len() == 1 && lines == (0..text.len()) && text.ends_with('\n') {
            return Ok(Some(Rest::NoFile));
        }
    }
    if !text[lines.clone()].ends_with('\n') {
        lines.start = before_line_break(text, lines.start);
    }
    edited(vec![Edit::delete(lines)])
}

/// The text of a new file.
pub(crate) fn fresh(wanted: &Wanted) -> String {
    yaml_block(wanted.table, &wanted.table_of_one(), "", "\n")
}

fn is_in_braces(text: &str, node: &Node) -> bool {
    text[node.span.clone()].starts_with('{')
}

/// Puts the table at the end of the file. A file without a line break at its end still has none afterwards, which
/// tells how it ended before.
fn append(text: &str, indent: &str, wanted: &Wanted) -> Step {
    let line_break = line_break(text);
    let lines = yaml_block(wanted.table, &wanted.table_of_one(), indent, line_break);
    let open = lines.trim_end_matches(['\r', '\n']);
    let added = if text.is_empty() || text == BOM {
        open.to_string()
    } else if text.ends_with('\n') {
        lines
    } else {
        format!("{line_break}{open}")
    };
    Step::Edit(vec![Edit::insert(text.len(), added)])
}

/// Puts the entry below a key without a value: on one line, which tells that the key was there before.
fn below_bare_key(text: &str, table: &Member, wanted: &Wanted) -> Result<Step, Mistake> {
    let behind = text[table.key_span.end..line_end(text, table.key_span.end)].trim();
    let after_colon = behind.strip_prefix(':').map(str::trim_start);
    if !after_colon.is_some_and(|rest| rest.is_empty() || rest.starts_with('#')) {
        return Err(Mistake::unusual(table.key_span.start, "a key with a mark instead of a value"));
    }
    let member = render::member(&wanted.name, &wanted.entry(), FORMAT, &Layout::LINE);
    let line = format!("{}{UNIT}{member}{}", indent(text, table.key_span.start), line_break(text));
    Ok(Step::Edit(vec![insert_lines(text, table.key_span.end, &line)]))
}

/// Puts whole lines behind the line of `at`.
fn insert_lines(text: &str, at: usize, lines: &str) -> Edit {
    // A text that keeps its last line breaks ends at the beginning of a line.
    let at = if text[..at].ends_with('\n') { at } else { next_line(text, at) };
    if text[..at].ends_with('\n') {
        return Edit::insert(at, lines);
    }
    Edit::insert(at, format!("{}{}", line_break(text), lines.trim_end_matches(['\r', '\n'])))
}

/// The next change in an entry that is a block.
fn in_entry(text: &str, entry: &Node, wanted: &Wanted) -> Result<Step, Mistake> {
    let members = entry.members(&format!("`{}.{}`", wanted.table, wanted.name))?;
    for field in &wanted.fields {
        find(members, field.key)?;
    }
    let member = |key: &str| members.iter().find(|member| member.key == key);
    Ok(match wanted.first_wrong(|key| member(key).map(|member| &member.node)) {
        Wrong::Nothing => Step::Settled,
        Wrong::Remote => Step::Replace,
        Wrong::Missing(field) => {
            let first = members.first().map_or(entry.span.start, |member| member.key_span.start);
            let lines = yaml_block(field.key, &field.value, indent(text, first), line_break(text));
            Step::Edit(vec![insert_lines(text, entry.span.end, &lines)])
        }
        Wrong::Other(field, node) => {
            let value = render::value(&field.value, FORMAT, &Layout::LINE);
            let colon = member(field.key).and_then(|member| {
                let at = member.key_span.end;
                Some(at + text[at..].find(':')? + 1)
            });
            match colon.filter(|colon| is_bare(node) || text[*colon..node.span.start].contains('\n')) {
                // The value is not on the line of its key: from the colon on it becomes one line.
                Some(colon) => {
                    let range = colon..node.span.end.max(colon);
                    Step::Edit(vec![Edit::replace(range, format!(" {value}"))])
                }
                None => Step::Edit(vec![Edit::replace(node.span.clone(), value)]),
            }
        }
    })
}

/// The lines of a key and of all that belongs to it.
fn lines_of(text: &str, member: &Member) -> Result<Range<usize>, Mistake> {
    let begin = line_start(text, member.key_span.start);
    if !text[begin..member.key_span.start].trim().is_empty() {
        return Err(Mistake::unusual(member.key_span.start, "a key that does not begin its line"));
    }
    let end = member.node.span.end.max(member.key_span.end);
    let end = if text[..end].ends_with('\n') { end } else { next_line(text, end) };
    Ok(begin..end)
}

/// Whether the table looks as if it had been made for its only entry: key, line break, lines.
fn is_made_for_one(text: &str, table: &Member, entries: &[Member]) -> bool {
    let [entry] = entries else { return false };
    let between = &text[table.key_span.end..entry.key_span.start];
    let is_bare_key = between.strip_prefix(':').is_some_and(|rest| rest.trim().is_empty());
    is_bare_key && between.matches('\n').count() == 1 && text[entry.node.span.clone()].contains('\n')
}

#[cfg(test)]
#[path = "yaml_tests.rs"]
mod tests;
