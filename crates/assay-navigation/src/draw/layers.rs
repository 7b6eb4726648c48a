//! Where each screen stands in a picture: in a column by its distance from the start, beside those it is reached from.

use std::collections::{HashMap, VecDeque};

use assay_protocol::{ANY_SCREEN, NavigationTree};

pub(super) struct Layers {
    /// Screens by their places in the tree, for each column.
    pub columns: Vec<Vec<usize>>,
    /// Column and row of each screen.
    pub places: Vec<(usize, usize)>,
}

pub(super) fn layers(tree: &NavigationTree) -> Layers {
    let index: HashMap<&str, usize> =
        tree.screens.iter().enumerate().map(|(at, screen)| (screen.name.as_str(), at)).collect();
    let count = tree.screens.len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in &tree.edges {
        let Some(to) = index.get(edge.to.as_str()) else { continue };
        if let Some(from) = index.get(edge.from.as_str()) {
            next[*from].push(*to);
        }
    }
    // A part stands behind its whole.
    for (at, screen) in tree.screens.iter().enumerate() {
        if let Some(above) = screen.within.as_deref().and_then(|name| index.get(name)) {
            next[*above].push(at);
        }
    }
    let everywhere: Vec<usize> = tree
        .edges
        .iter()
        .filter(|edge| edge.from == ANY_SCREEN)
        .filter_map(|edge| index.get(edge.to.as_str()).copied())
        .collect();
    let mut depth: Vec<Option<usize>> = vec![None; count];
    let mut order: Vec<usize> = Vec::with_capacity(count);
    let mut queue: VecDeque<usize> = VecDeque::new();
    let mut begin =
        |at: usize, column: usize, depth: &mut Vec<Option<usize>>, queue: &mut VecDeque<usize>| {
            if depth[at].is_none() {
                depth[at] = Some(column);
                order.push(at);
                queue.push_back(at);
            }
        };
    for name in &tree.entry {
        if let Some(at) = index.get(name.as_str()) {
            begin(*at, 0, &mut depth, &mut queue);
        }
    }
    if queue.is_empty() && count > 0 {
        begin(0, 0, &mut depth, &mut queue);
    }
    let mut has_started = false;
    loop {
        while let Some(at) = queue.pop_front() {
            let column = depth[at].unwrap_or_default() + 1;
            for to in next[at].clone() {
                begin(to, column, &mut depth, &mut queue);
            }
            if !has_started {
                has_started = true;
                for to in &everywhere {
                    begin(*to, column, &mut depth, &mut queue);
                }
            }
        }
        // What no way leads to stands in the first column as well.
        let Some(left) = (0..count).find(|at| depth[*at].is_none()) else { break };
        begin(left, 0, &mut depth, &mut queue);
    }
    let width = depth.iter().flatten().max().map_or(0, |most| most + 1);
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); width];
    for at in order {
        columns[depth[at].unwrap_or_default()].push(at);
    }
    let mut places = vec![(0, 0); count];
    for (column, screens) in columns.iter().enumerate() {
        for (row, at) in screens.iter().enumerate() {
            places[*at] = (column, row);
        }
    }
    Layers { columns, places }
}
