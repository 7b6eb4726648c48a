//! Two lists of lines side by side: which belong together, and which only one side has.

use assay_twin::PageSeen;

/// One line of the comparison of two lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    Both(String),
    /// Lines at the same place that say something else.
    Changed(String, String),
    Old(String),
    New(String),
    /// So many lines that both sides have.
    Folded(usize),
}

/// Lines that both sides have around those that differ.
const AROUND: usize = 2;
/// Longer lists are compared without looking for what moved.
const MOST_CELLS: usize = 4_000_000;

/// The visible text of a page, one run of text a line.
pub fn texts_of(page: &PageSeen) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for node in &page.nodes {
        match &node.value {
            _ if node.is_text() && !node.name.is_empty() => lines.push(node.name.clone()),
            Some(value) if !value.is_empty() => lines.push(format!("[{value}]")),
            _ => {}
        }
    }
    lines
}

/// The elements of a page, indented as they lie in each other.
pub fn elements_of(page: &PageSeen) -> Vec<String> {
    let mut depths: Vec<usize> = Vec::with_capacity(page.nodes.len());
    let mut lines = Vec::new();
    for node in &page.nodes {
        let depth = node.parent.and_then(|parent| depths.get(parent)).map_or(0, |depth| depth + 1);
        depths.push(depth);
        if node.is_text() {
            continue;
        }
        let mut line = format!("{}{}", "  ".repeat(depth.min(12)), node.words());
        for (name, value) in &node.marks {
            line.push_str(&format!(" {name}={value}"));
        }
        if let Some(value) = &node.value {
            line.push_str(&format!(" = \"{value}\""));
        }
        if !node.states.is_empty() {
            line.push_str(&format!(" ({})", node.states.join(", ")));
        }
        lines.push(line);
    }
    lines
}

/// Both lists in one, with what both have far from a difference folded away.
pub fn side_by_side(old: &[String], new: &[String]) -> Vec<Row> {
    folded(paired(aligned(old, new)))
}

fn aligned(old: &[String], new: &[String]) -> Vec<Row> {
    if old.len().saturating_mul(new.len()) > MOST_CELLS {
        let gone = old.iter().filter(|line| !new.contains(line)).cloned().map(Row::Old);
        let come = new.iter().filter(|line| !old.contains(line)).cloned().map(Row::New);
        return gone.chain(come).collect();
    }
    let width = new.len() + 1;
    // How many lines the rests of both lists have in common.
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for (row, line) in old.iter().enumerate().rev() {
        for (column, other) in new.iter().enumerate().rev() {
            common[row * width + column] = if line == other {
                common[(row + 1) * width + column + 1] + 1
            } else {
                common[(row + 1) * width + column].max(common[row * width + column + 1])
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut rows = Vec::new();
    while row < old.len() && column < new.len() {
        if old[row] == new[column] {
            rows.push(Row::Both(old[row].clone()));
            (row, column) = (row + 1, column + 1);
        } else if common[(row + 1) * width + column] >= common[row * width + column + 1] {
            rows.push(Row::Old(old[row].clone()));
            row += 1;
        } else {
            rows.push(Row::New(new[column].clone()));
            column += 1;
        }
    }
    rows.extend(old[row..].iter().cloned().map(Row::Old));
    rows.extend(new[column..].iter().cloned().map(Row::New));
    rows
}

/// Lines of the old list that are followed by as many of the new one stand beside those.
fn paired(rows: Vec<Row>) -> Vec<Row> {
    let mut paired = Vec::new();
    let (mut gone, mut come): (Vec<String>, Vec<String>) = Default::default();
    let flush = |gone: &mut Vec<String>, come: &mut Vec<String>, paired: &mut Vec<Row>| {
        let both = gone.len().min(come.len());
        paired.extend(gone.drain(..both).zip(come.drain(..both)).map(|(old, new)| Row::Changed(old, new)));
        paired.extend(gone.drain(..).map(Row::Old));
        paired.extend(come.drain(..).map(Row::New));
    };
    for row in rows {
        match row {
            Row::Old(line) => gone.push(line),
            Row::New(line) => come.push(line),
            other => {
                flush(&mut gone, &mut come, &mut paired);
                paired.push(other);
            }
        }
    }
    flush(&mut gone, &mut come, &mut paired);
    paired
}

fn folded(rows: Vec<Row>) -> Vec<Row> {
    let is_both = |row: &Row| matches!(row, Row::Both(_));
    let is_near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        let to = (at + AROUND + 1).min(rows.len());
        rows[from..to].iter().any(|row| !is_both(row))
    };
    let mut shown = Vec::new();
    let mut away = 0;
    for (at, row) in rows.iter().enumerate() {
        if is_both(row) && !is_near(at) {
            away += 1;
            continue;
        }
        if away > 0 {
            shown.push(Row::Folded(std::mem::take(&mut away)));
        }
        shown.push(row.clone());
    }
    if away > 0 {
        shown.push(Row::Folded(away));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_string).collect()
    }

    #[test]
    fn what_differs_stands_beside_each_other() {
        let rows = side_by_side(&lines("a b c d e f g h"), &lines("a b c d e F g h i"));
        let both = |line: &str| Row::Both(line.to_string());
        assert_eq!(
            rows,
            [
                Row::Folded(3),
                both("d"),
                both("e"),
                Row::Changed("f".to_string(), "F".to_string()),
                both("g"),
                both("h"),
                Row::New("i".to_string())
            ]
        );
        assert_eq!(side_by_side(&lines("a b"), &lines("a b")), [Row::Folded(2)]);
    }
}
