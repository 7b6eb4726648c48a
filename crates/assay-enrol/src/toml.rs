//! One entry in a TOML file: adds it as a table at the end, mends it, takes it out.
//!
//! `toml_edit` reads the file and tells where everything stands; the text itself is edited here, because a file that is
//! written anew would lose its line endings and its byte order mark. An entry may be a table with a header, dotted
//! keys, or braces.

use std::ops::Range;

use toml_edit::{Document, Item, Table, TableLike, Value as TomlValue};

use crate::braces::Braces;
use crate::catalogue::Format;
use crate::edit::{BOM, Edit, apply, before_line_break, line_break, line_end, line_start, next_line};
use crate::entry::{Field, Plain, Wanted, Wrong};
use crate::error::{Mistake, Refusal};
use crate::json;
use crate::merge::{Rest, Step};
use crate::render::{self, Layout, toml_block};
use crate::tree::{Member, Node, Value, find};

const FORMAT: Format = Format::Toml;

/// The next change that brings the file nearer to what is wanted.
pub(crate) fn step(text: &str, wanted: &Wanted) -> Result<Step, Mistake> {
    let document = parse(text)?;
    let table = match document.get(wanted.table) {
        None => return Ok(append(text, wanted)),
        Some(Item::Table(table)) => table,
        Some(item) => {
            let node = braced(item, wanted.table)?;
            return json::in_table(text, FORMAT, &node, wanted, "");
        }
    };
    match table.get(&wanted.name) {
        None => Ok(append(text, wanted)),
        Some(Item::Table(entry)) => in_entry(text, entry, wanted),
        Some(item) => {
            let node = braced(item, &format!("{}.{}", wanted.table, wanted.name))?;
            json::in_entry(text, FORMAT, &node, wanted, "")
        }
    }
}

/// The file without the entry, or nothing if it has none.
pub(crate) fn take_out(text: &str, table: &str, name: &str) -> Result<Option<Rest>, Mistake> {
    let document = parse(text)?;
    let servers = match document.get(table) {
        None => return Ok(None),
        Some(Item::Table(servers)) => servers,
        Some(item) => {
            let node = braced(item, table)?;
            let members = node.members(table)?;
            let Some((index, _)) = find(members, name)? else { return Ok(None) };
            let edits = Braces::new(text, FORMAT, &node, members, "").remove(index);
            return Ok(Some(Rest::Text(apply(text, edits))));
        }
    };
    let Some((key, entry)) = servers.get_key_value(name) else { return Ok(None) };
    let mut parts = Vec::new();
    match entry {
        Item::Table(entry) => collect(text, entry, &mut parts),
        item => {
            let node = braced(item, &format!("{table}.{name}"))?;
            parts.push(statement(text, key.span(), &node.span));
        }
    }
    if let [part] = parts.as_slice()
        && *part == (0..text.len())
        && text.starts_with('[')
        && text.ends_with('\n')
    {
        return Ok(Some(Rest::NoFile));
    }
    let rest = apply(text, parts.into_iter().map(|part| Edit::delete(with_break(text, part))).collect());
    // What is left must still be read as before: an entry that is scattered over the file may be needed by its rest.
    match parse(&rest)?.get(table).and_then(Item::as_table).is_some_and(|table| table.contains_key(name)) {
        true => Err(Mistake::unusual(0, "an entry that is scattered over the file")),
        false => Ok(Some(Rest::Text(rest))),
    }
}

/// The text of a new file.
pub(crate) fn fresh(wanted: &Wanted) -> String {
    block(wanted, "\n")
}

fn parse(text: &str) -> Result<Document<&str>, Mistake> {
    Document::parse(text).map_err(|err| {
        let at = err.span().map_or(0, |span| span.start);
        Mistake::syntax(at, err.message().lines().collect::<Vec<_>>().join("; "))
    })
}

fn block(wanted: &Wanted, line_break: &str) -> String {
    let members: Vec<(String, Plain)> =
        wanted.fields.iter().map(|field| (field.key.to_string(), field.value.clone())).collect();
    toml_block(&[wanted.table, &wanted.name], &members, line_break)
}

/// Puts the table behind all others. A file without a line break at its end still has none afterwards, which tells
/// how it ended before.
fn append(text: &str, wanted: &Wanted) -> Step {
    let line_break = line_break(text);
    let block = block(wanted, line_break);
    let open = || block.trim_end_matches(['\r', '\n']).to_string();
    let added = if text.is_empty() || text == BOM {
        open()
    } else if text.ends_with('\n') {
        format!("{line_break}{block}")
    } else {
        format!("{line_break}{line_break}{}", open())
    };
    Step::Edit(vec![Edit::insert(text.len(), added)])
}

/// The next change in an entry that is a table with a header, or made of dotted keys.
fn in_entry(text: &str, entry: &Table, wanted: &Wanted) -> Result<Step, Mistake> {
    let nodes: Vec<(&str, Node)> = entry.iter().filter_map(|(key, item)| Some((key, node(item)?))).collect();
    let look = |key: &str| nodes.iter().find(|(name, _)| *name == key).map(|(_, node)| node);
    Ok(match wanted.first_wrong(look) {
        Wrong::Nothing => Step::Settled,
        Wrong::Remote => Step::Replace,
        Wrong::Missing(field) => Step::Edit(vec![add_field(text, entry, field)?]),
        Wrong::Other(field, node) => {
            if matches!(entry.get(field.key), Some(Item::Table(_) | Item::ArrayOfTables(_))) {
                return Ok(Step::Replace);
            }
            let value = render::value(&field.value, FORMAT, &Layout::LINE);
            Step::Edit(vec![Edit::replace(node.span.clone(), value)])
        }
    })
}

/// A field that is missing, on a line behind the last one of its entry, or behind the header.
fn add_field(text: &str, entry: &Table, field: &Field) -> Result<Edit, Mistake> {
    let spans = entry.iter().filter_map(|(name, item)| match item {
        Item::Value(value) => Some((entry.key(name)?.span()?, value.span()?)),
        _ => None,
    });
    let last = spans.max_by_key(|(_, value)| value.end);
    let header = entry.span().filter(|_| !entry.is_dotted() && !entry.is_implicit());
    let (lead, end) = match (last, header) {
        (Some((key, value)), _) => (&text[line_start(text, key.start)..key.start], value.end),
        (None, Some(header)) => ("", header.end),
        (None, None) => return Err(Mistake::unusual(0, "an entry that has no table of its own")),
    };
    let line = render::member(field.key, &field.value, FORMAT, &Layout::LINE);
    Ok(Edit::insert(line_end(text, end), format!("{}{lead}{line}", line_break(text))))
}

/// The lines of a table and of all that is below it.
fn collect(text: &str, table: &Table, parts: &mut Vec<Range<usize>>) {
    let header = table.span().filter(|_| !table.is_dotted() && !table.is_implicit());
    let mut own = header.map(|span| line_start(text, span.start)..next_line(text, span.end));
    for (name, item) in table.iter() {
        match item {
            Item::Table(table) => collect(text, table, parts),
            Item::ArrayOfTables(tables) => tables.iter().for_each(|table| collect(text, table, parts)),
            Item::Value(value) => {
                let Some(span) = value.span() else { continue };
                let lines = statement(text, table.key(name).and_then(toml_edit::Key::span), &span);
                match &mut own {
                    // A comment between the lines of a table goes with it.
                    Some(own) => own.end = own.end.max(lines.end),
                    None => parts.push(lines),
                }
            }
            Item::None => {}
        }
    }
    // What dotted keys below the header hold lies within it, or extends it.
    if let Some(mut own) = own {
        let next_header = text[own.end..].match_indices('[').map(|(at, _)| own.end + at);
        let limit = next_header.into_iter().find(|at| text[line_start(text, *at)..*at].trim().is_empty());
        parts.retain(|part| {
            let below = own.start <= part.start && limit.is_none_or(|limit| part.start < limit);
            if below {
                own.end = own.end.max(part.end);
            }
            !below
        });
        parts.push(own);
    }
}

/// The lines of `key = value`.
fn statement(text: &str, key: Option<Range<usize>>, value: &Range<usize>) -> Range<usize> {
    let begin = key.map_or(value.start, |key| key.start.min(value.start));
    line_start(text, begin)..next_line(text, value.end)
}

/// The lines together with the line break that was put in before them.
fn with_break(text: &str, mut part: Range<usize>) -> Range<usize> {
    let is_header = text[part.clone()].trim_start().starts_with('[');
    let ends_line = text[part.clone()].ends_with('\n');
    if !ends_line {
        part.start = before_line_break(text, part.start);
    }
    let before = &text[..part.start];
    let line = before_line_break(text, part.start);
    let follows_blank_line = line == 0 || text[..line].ends_with('\n') || text[..line] == *BOM;
    if is_header && before.ends_with('\n') && (follows_blank_line || !ends_line) {
        part.start = line;
    }
    part
}

/// A table in braces, or a refusal.
fn braced(item: &Item, key: &str) -> Result<Node, Mistake> {
    let node = node(item).unwrap_or(Node { span: 0..0, value: Value::Other("nothing") });
    let is_dotted = |table: &dyn TableLike| table.is_dotted();
    match item {
        Item::Value(TomlValue::InlineTable(table)) => {
            let dotted =
                table.iter().any(|(_, value)| value.as_inline_table().is_some_and(|table| is_dotted(table)));
            match dotted {
                true => Err(Mistake::unusual(node.span.start, "dotted keys in braces")),
                false => Ok(node),
            }
        }
        _ => {
            node.members(&format!("`{key}`"))?;
            Err(Mistake { at: node.span.start, refusal: Refusal::Unusual { what: "this table" } })
        }
    }
}

/// An item as a tree with places.
fn node(item: &Item) -> Option<Node> {
    let span = item.span()?;
    let value = match item {
        Item::Value(value) => return value_node(value),
        Item::Table(_) => Value::Object(Vec::new()),
        Item::ArrayOfTables(_) => Value::List(Vec::new()),
        Item::None => return None,
    };
    Some(Node { span, value })
}

fn value_node(value: &TomlValue) -> Option<Node> {
    let span = value.span()?;
    let value = match value {
        TomlValue::String(text) => Value::Text(text.value().clone()),
        TomlValue::Array(items) => Value::List(items.iter().map(value_node).collect::<Option<_>>()?),
        TomlValue::InlineTable(table) => {
            let member = |(key, value): (&str, &TomlValue)| {
                let key_span = table.key(key)?.span()?;
                Some(Member { key: key.to_string(), key_span, node: value_node(value)? })
            };
            Value::Object(table.iter().map(member).collect::<Option<_>>()?)
        }
        TomlValue::Integer(_) | TomlValue::Float(_) => Value::Other("a number"),
        TomlValue::Boolean(_) => Value::Other("true or false"),
        TomlValue::Datetime(_) => Value::Other("a time"),
    };
    Some(Node { span, value })
}

#[cfg(test)]
#[path = "toml_tests.rs"]
mod tests;
