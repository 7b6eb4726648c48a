//! One entry in a JSON file: adds it, mends it, takes it out.
//!
//! Knows the table and the entry. How members are put between braces is known by `braces.rs`.

use crate::braces::Braces;
use crate::catalogue::Format;
use crate::edit::{BOM, Edit, apply, before_line_break, indent, line_break};
use crate::entry::{Plain, Wanted, Wrong};
use crate::error::Mistake;
use crate::json_parser::parse;
use crate::merge::{Emptied, Rest, Step};
use crate::render::{self, Layout};
use crate::tree::{Member, Node, find};

const FORMAT: Format = Format::Json;

/// The next change that brings the file nearer to what is wanted.
pub(crate) fn step(text: &str, wanted: &Wanted) -> Result<Step, Mistake> {
    let Some(root) = parse(text)? else { return Ok(Step::Edit(vec![fill(text, wanted)])) };
    let members = root.members("the whole file")?;
    let unit = unit(text, members);
    let braces = Braces::new(text, FORMAT, &root, members, unit);
    in_braces(&braces, wanted)
}

/// The next change in a file, or a part of one, whose root is in braces.
pub(crate) fn in_braces(root: &Braces<'_>, wanted: &Wanted) -> Result<Step, Mistake> {
    let Some((_, table)) = find(root.members, wanted.table)? else {
        return Ok(Step::Edit(root.add(wanted.table, &wanted.table_of_one())));
    };
    in_table(root.text, root.format, &table.node, wanted, root.unit)
}

/// The next change in a table in braces.
pub(crate) fn in_table(
    text: &str,
    format: Format,
    table: &Node,
    wanted: &Wanted,
    unit: &str,
) -> Result<Step, Mistake> {
    let members = table.members(&format!("`{}`", wanted.table))?;
    let Some((_, entry)) = find(members, &wanted.name)? else {
        let braces = Braces::new(text, format, table, members, unit);
        return Ok(Step::Edit(braces.add(&wanted.name, &wanted.entry())));
    };
    in_entry(text, format, &entry.node, wanted, unit)
}

/// The next change in an entry in braces.
pub(crate) fn in_entry(
    text: &str,
    format: Format,
    entry: &Node,
    wanted: &Wanted,
    unit: &str,
) -> Result<Step, Mistake> {
    let members = entry.members(&format!("`{}.{}`", wanted.table, wanted.name))?;
    for field in &wanted.fields {
        find(members, field.key)?;
    }
    let look = |key: &str| members.iter().find(|member| member.key == key).map(|member| &member.node);
    Ok(match wanted.first_wrong(look) {
        Wrong::Nothing => Step::Settled,
        Wrong::Remote => Step::Replace,
        Wrong::Missing(field) => {
            let braces = Braces::new(text, format, entry, members, unit);
            Step::Edit(braces.add(field.key, &field.value))
        }
        Wrong::Other(field, node) => Step::Edit(vec![Edit::replace(
            node.span.clone(),
            render::value(&field.value, format, &Layout::LINE),
        )]),
    })
}

/// The file without the entry, or nothing if it has none.
pub(crate) fn take_out(
    text: &str,
    table: &str,
    name: &str,
    emptied: Emptied,
) -> Result<Option<Rest>, Mistake> {
    let Some(root) = parse(text)? else { return Ok(None) };
    let members = root.members("the whole file")?;
    let braces = Braces::new(text, FORMAT, &root, members, "");
    let Some(out) = out_of_braces(&braces, table, name, emptied)? else { return Ok(None) };
    Ok(Some(match out {
        Out::Edits(edits) => Rest::Text(apply(text, edits)),
        Out::All => unfill(text, &root),
    }))
}

/// What is left of a root in braces.
pub(crate) enum Out {
    Edits(Vec<Edit>),
    /// The root, too, was made for the entry.
    All,
}

pub(crate) fn out_of_braces(
    root: &Braces<'_>,
    table: &str,
    name: &str,
    emptied: Emptied,
) -> Result<Option<Out>, Mistake> {
    let Some((at, member)) = find(root.members, table)? else { return Ok(None) };
    let entries = member.node.members(&format!("`{table}`"))?;
    let Some((index, _)) = find(entries, name)? else { return Ok(None) };
    let inner = Braces::new(root.text, root.format, &member.node, entries, "");
    if emptied == Emptied::Stays || !inner.is_made_for_one() {
        return Ok(Some(Out::Edits(inner.remove(index))));
    }
    let spread = root.text[member.node.span.clone()].contains('\n');
    Ok(Some(if spread && root.is_made_for_one() { Out::All } else { Out::Edits(root.remove(at)) }))
}

/// The text of a new file.
pub(crate) fn fresh(wanted: &Wanted) -> String {
    format!("{}\n", whole(wanted, "\n"))
}

fn whole(wanted: &Wanted, line_break: &'static str) -> String {
    let plain = Plain::Map(vec![(wanted.table.to_string(), wanted.table_of_one())]);
    render::value(
        &plain,
        FORMAT,
        &Layout::Spread { indent: String::new(), unit: "  ".to_string(), line_break },
    )
}

/// Puts the root into a file that has none. Whether a line break follows it tells what was there before.
fn fill(text: &str, wanted: &Wanted) -> Edit {
    let line_break = line_break(text);
    let whole = whole(wanted, line_break);
    let last_line = text[text.rfind(['\n', '\r']).map_or(0, |at| at + 1)..].trim_start_matches(BOM);
    let is_open_comment =
        last_line.contains("//") && parse(&format!("{text}{{}}")).is_ok_and(|root| root.is_none());
    let filled = if is_open_comment { format!("{line_break}{whole}{line_break}") } else { whole };
    Edit::insert(text.len(), filled)
}

/// The inverse of [`fill`] and of [`fresh`].
fn unfill(text: &str, root: &Node) -> Rest {
    let (before, after) = (&text[..root.span.start], &text[root.span.end..]);
    match (before, after) {
        (before, "") => Rest::Text(before.to_string()),
        ("", "\n" | "\r\n") => Rest::NoFile,
        (before, "\n" | "\r\n") => Rest::Text(before[..before_line_break(before, before.len())].to_string()),
        (before, after) => Rest::Text(format!("{before}{{}}{after}")),
    }
}

/// What one level is indented by, as the members of the root tell it.
fn unit<'t>(text: &'t str, members: &[Member]) -> &'t str {
    let indented =
        members.iter().map(|member| indent(text, member.key_span.start)).find(|indent| !indent.is_empty());
    indented.unwrap_or("  ")
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
