//! The element map as lines: one per element, and one per row of a folded table or list.

use assay_protocol::{ElementMap, MapNode};

use super::one_line;

pub(crate) fn render(map: &ElementMap) -> Vec<String> {
    let mut lines = Vec::new();
    render_range(&map.nodes, &mut lines, 0);
    if lines.is_empty() {
        lines.push(if map.url == "about:blank" {
            "empty page · about:blank".to_string()
        } else {
            format!("nothing to act on · {}", map.url)
        });
    }
    lines
}

fn render_range(nodes: &[MapNode], lines: &mut Vec<String>, indent: usize) {
    let mut at = 0;
    while at < nodes.len() {
        let end = subtree_end(nodes, at);
        let node = &nodes[at];
        match node.role.as_str() {
            "table" | "grid" | "treegrid" if node.reference.is_none() => {
                render_table(&nodes[at..end], lines, indent);
                at = end;
            }
            "list" if node.reference.is_none() && is_repetitive(&nodes[at..end]) => {
                render_list(&nodes[at..end], lines, indent);
                at = end;
            }
            "frame" => {
                lines.push(format!("frame {}", node.name));
                render_range(&nodes[at + 1..end], lines, indent + 1);
                at = end;
            }
            // A heading that only holds a link of the same name is that link.
            "heading"
                if at + 1 < end && nodes[at + 1].reference.is_some() && nodes[at + 1].name == node.name =>
            {
                at += 1
            }
            _ => {
                if let Some(line) = line_of(node) {
                    lines.push(format!("{}{line}", "  ".repeat(indent)));
                }
                at += 1;
            }
        }
    }
}

fn subtree_end(nodes: &[MapNode], at: usize) -> usize {
    let depth = nodes[at].depth;
    nodes[at + 1..].iter().position(|node| node.depth <= depth).map_or(nodes.len(), |offset| at + 1 + offset)
}

fn line_of(node: &MapNode) -> Option<String> {
    let Some(reference) = &node.reference else {
        return (node.role == "text").then(|| one_line(&node.name));
    };
    let mut line = format!("{reference} {}", node.role);
    if !node.name.is_empty() {
        line.push_str(&format!(" \"{}\"", node.name));
    }
    push_value_and_states(&mut line, node);
    Some(line)
}

fn push_value_and_states(line: &mut String, node: &MapNode) {
    if let Some(value) = node.value.as_deref().filter(|value| !value.is_empty()) {
        line.push_str(&format!(" = \"{}\"", one_line(value)));
    }
    for state in &node.states {
        line.push(' ');
        line.push_str(state);
    }
}

/// Items of one list that have the same shape are worth folding from three on.
fn is_repetitive(nodes: &[MapNode]) -> bool {
    let items = children(nodes);
    items.len() >= 3 && items.iter().any(|item| item.iter().any(|node| node.reference.is_some()))
}

/// The direct items of a subtree whose first node is the parent.
fn children(nodes: &[MapNode]) -> Vec<&[MapNode]> {
    let mut items = Vec::new();
    let mut at = 1;
    while at < nodes.len() {
        let end = subtree_end(nodes, at);
        items.push(&nodes[at..end]);
        at = end;
    }
    items
}

/// Which roles stand in which place, when they do so in every row: said once, not in each line.
struct Shape {
    roles: Vec<String>,
    names: Vec<Option<String>>,
}

/// The parts of a row that can be acted on.
fn actable(nodes: &[MapNode]) -> Vec<&MapNode> {
    nodes.iter().filter(|node| node.reference.is_some() && node.role != "heading").collect()
}

fn shape_of<'a>(rows: impl Iterator<Item = Vec<&'a MapNode>>) -> Shape {
    let rows: Vec<Vec<&MapNode>> = rows.filter(|row| !row.is_empty()).collect();
    let Some(first) = rows.first() else { return Shape { roles: Vec::new(), names: Vec::new() } };
    let same = rows.iter().all(|row| {
        row.len() == first.len() && row.iter().zip(first).all(|(node, other)| node.role == other.role)
    });
    if !same {
        return Shape { roles: Vec::new(), names: Vec::new() };
    }
    let names = (0..first.len())
        .map(|index| {
            let name = &first[index].name;
            (rows.len() > 1 && rows.iter().all(|row| row[index].name == *name)).then(|| name.clone())
        })
        .collect();
    Shape { roles: first.iter().map(|node| node.role.clone()).collect(), names }
}

impl Shape {
    fn is_known(&self) -> bool {
        !self.roles.is_empty()
    }

    /// `button "Edit"`, or `link` where the names differ.
    fn describe(&self) -> String {
        let parts: Vec<String> = self
            .roles
            .iter()
            .zip(&self.names)
            .map(|(role, name)| match name {
                Some(name) if !name.is_empty() => format!("{role} \"{name}\""),
                _ => role.clone(),
            })
            .collect();
        parts.join(", ")
    }
}

fn render_list(nodes: &[MapNode], lines: &mut Vec<String>, indent: usize) {
    let items = children(nodes);
    let shape = shape_of(items.iter().map(|item| actable(item)));
    let pad = "  ".repeat(indent);
    let what = if shape.is_known() { format!(", each {}", shape.describe()) } else { String::new() };
    lines.push(format!("{pad}list of {}{what}:", items.len()));
    for item in items {
        let line = fold(item, &shape, 0);
        if !line.is_empty() {
            lines.push(format!("{pad}{line}"));
        }
    }
}

/// The texts and controls of one item on one line. Text that a control's name repeats is left out.
fn fold(nodes: &[MapNode], shape: &Shape, skipped: usize) -> String {
    let names: Vec<String> = actable(nodes).iter().map(|node| node.name.to_lowercase()).collect();
    let mut parts = Vec::new();
    let mut place = skipped;
    for node in nodes {
        match &node.reference {
            Some(reference) if node.role != "heading" => {
                let mut part = reference.clone();
                let known = shape.is_known().then(|| (&shape.roles[place], &shape.names[place]));
                match known {
                    Some((_, Some(_))) => {}
                    Some((_, None)) => {
                        if !node.name.is_empty() {
                            part.push_str(&format!(" {}", node.name));
                        }
                    }
                    None => {
                        part.push_str(&format!(" {}", node.role));
                        if !node.name.is_empty() {
                            part.push_str(&format!(" \"{}\"", node.name));
                        }
                    }
                }
                push_value_and_states(&mut part, node);
                parts.push(part);
                place += 1;
            }
            _ if node.name.is_empty() => {}
            _ => {
                let text = node.name.to_lowercase();
                let repeated = names.iter().any(|name| name.contains(&text));
                if !repeated
                    || (shape.is_known()
                        && shape.names.iter().any(|name| {
                            name.as_ref().is_some_and(|name| name.to_lowercase().contains(&text))
                        }))
                {
                    parts.push(one_line(&node.name));
                }
            }
        }
    }
    parts.join(" ")
}

fn render_table(nodes: &[MapNode], lines: &mut Vec<String>, indent: usize) {
    let pad = "  ".repeat(indent);
    let rows: Vec<&[MapNode]> = rows_of(nodes);
    let is_header = |row: &[MapNode]| {
        let cells = children(row);
        !cells.is_empty()
            && cells.iter().all(|cell| cell[0].role == "columnheader" && actable(cell).is_empty())
    };
    let body: Vec<&[MapNode]> = rows.iter().copied().filter(|row| !is_header(row)).collect();
    let headers: Vec<&[MapNode]> = rows.iter().copied().filter(|row| is_header(row)).collect();
    let shape = shape_of(body.iter().map(|row| actable_cells(row)));
    let what = if shape.is_known() { format!(", each {}", shape.describe()) } else { String::new() };
    lines.push(format!("{pad}table of {}{what}:", body.len()));
    for header in headers {
        let cells: Vec<String> = children(header).iter().map(|cell| cell_text(cell)).collect();
        lines.push(format!("{pad}{}", trim_row(&cells)));
    }
    for row in body {
        let mut cells = Vec::new();
        let mut place = 0;
        // A row that can be clicked as a whole has a ref of its own.
        let own = row[0].reference.clone();
        if own.is_some() {
            place += 1;
        }
        for cell in children(row) {
            cells.push(fold_cell(cell, &shape, place));
            place += actable(cell).len();
        }
        let line = trim_row(&cells);
        lines.push(match own {
            Some(reference) => format!("{pad}{reference} {line}"),
            None => format!("{pad}{line}"),
        });
    }
}

fn actable_cells(row: &[MapNode]) -> Vec<&MapNode> {
    actable(row)
}

fn fold_cell(cell: &[MapNode], shape: &Shape, place: usize) -> String {
    fold(cell, shape, place)
}

fn cell_text(cell: &[MapNode]) -> String {
    cell.iter()
        .filter(|node| !node.name.is_empty())
        .map(|node| one_line(&node.name))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Cells side by side; empty ones at the end say nothing.
fn trim_row(cells: &[String]) -> String {
    let end = cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
    cells[..end].join(" | ")
}

/// Rows at any depth below the table, not those of tables inside it.
fn rows_of(nodes: &[MapNode]) -> Vec<&[MapNode]> {
    let mut rows = Vec::new();
    let mut at = 1;
    while at < nodes.len() {
        if nodes[at].role == "row" {
            let end = subtree_end(nodes, at);
            rows.push(&nodes[at..end]);
            at = end;
        } else {
            at += 1;
        }
    }
    rows
}
