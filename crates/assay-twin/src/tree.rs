//! Two pages compared as trees: elements that belong together are paired, and what differs is named by its place.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::finding::{Area, Aspect, Change, Finding, Place};
use crate::page::{PageNode, PageSeen, shortened};

/// A node costs less to leave alone than to pair with one that has nothing in common with it and another role.
const ALONE: f64 = 0.55;
/// Two nodes of different roles belong together only if their words are this much alike.
const OTHER_ROLE: f64 = 0.5;
/// What was moved is known again by this much of its words.
const MOVED: f64 = 0.8;
/// More pairs than this are not weighed one by one: such lists are paired in order.
const MOST_PAIRS: usize = 250_000;

/// The points in which the elements and texts of two pages differ, in document order.
pub(crate) fn compare_trees(old: &PageSeen, new: &PageSeen) -> Vec<Finding> {
    let mut comparison =
        Comparison { old: Tree::of(old), new: Tree::of(new), page: old.kind(), findings: Vec::new() };
    let (old_top, new_top) = (comparison.old.top.clone(), comparison.new.top.clone());
    comparison.children(None, &old_top, &new_top);
    comparison.findings
}

/// Areas of the nodes at these places, for leaving them out of pictures.
pub(crate) fn area_of_key(page: &PageSeen, key: &str) -> Option<(Area, Area)> {
    let path = key.split('#').next().unwrap_or_default();
    let tree = Tree::of(page);
    let at = (0..page.nodes.len()).find(|at| tree.key(*at) == path)?;
    let around = page.nodes[at].parent.map_or(page.nodes[at].area, |parent| page.nodes[parent].area);
    Some((page.nodes[at].area, around))
}

struct Tree<'a> {
    nodes: &'a [PageNode],
    top: Vec<usize>,
    children: Vec<Vec<usize>>,
    /// Of the node with all that is inside.
    signatures: Vec<u64>,
    /// The words inside, with digits made alike.
    gists: Vec<BTreeSet<u64>>,
}

impl<'a> Tree<'a> {
    fn of(page: &'a PageSeen) -> Tree<'a> {
        let nodes = page.nodes.as_slice();
        let mut children = vec![Vec::new(); nodes.len()];
        let mut top = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            match node.parent.filter(|parent| *parent < at) {
                Some(parent) => children[parent].push(at),
                None => top.push(at),
            }
        }
        let mut signatures = vec![0; nodes.len()];
        let mut gists = vec![BTreeSet::new(); nodes.len()];
        // Children come after their parents, so from the end everything inside is known.
        for at in (0..nodes.len()).rev() {
            let node = &nodes[at];
            let mut hasher = DefaultHasher::new();
            (&node.role, own_words(node), &node.value, &node.states, &node.marks, &node.options)
                .hash(&mut hasher);
            let mut gist = gist_of(node);
            for child in &children[at] {
                signatures[*child].hash(&mut hasher);
                gist.extend(gists[*child].iter().take(MOST_WORDS));
            }
            signatures[at] = hasher.finish();
            gists[at] = gist;
        }
        Tree { nodes, top, children, signatures, gists }
    }

    /// The way to a node: roles with their numbers among siblings, from the nearest anchor on.
    fn key(&self, at: usize) -> String {
        let mut parts = Vec::new();
        let mut here = Some(at);
        while let Some(index) = here {
            let node = &self.nodes[index];
            if !node.anchor.is_empty()
                && self.nodes.iter().filter(|other| other.anchor == node.anchor).count() == 1
            {
                parts.push(format!("#{}", node.anchor).replace('#', "@"));
                break;
            }
            let siblings = node.parent.map_or(&self.top, |parent| &self.children[parent]);
            let number = siblings
                .iter()
                .take_while(|other| **other != index)
                .filter(|other| self.nodes[**other].role == node.role);
            parts.push(format!("{}[{}]", node.role, number.count() + 1));
            here = node.parent;
        }
        parts.reverse();
        parts.join("/")
    }

    /// The elements around a node that have a name or a meaning, and the node.
    fn shown(&self, at: usize) -> String {
        const STRUCTURE: [&str; 10] =
            ["table", "row", "list", "listitem", "form", "dialog", "navigation", "main", "region", "group"];
        let mut parts = Vec::new();
        let mut here = Some(at);
        while let Some(index) = here {
            let node = &self.nodes[index];
            let is_said = index == at
                || STRUCTURE.contains(&node.role.as_str())
                || (!node.name.is_empty() && node.role != "generic");
            if is_said && !node.is_text() {
                parts.push(match node.name.as_str() {
                    "" => node.role.clone(),
                    name => format!("{} \"{}\"", node.role, shortened(name, 40)),
                });
            }
            here = node.parent;
        }
        parts.truncate(4);
        parts.reverse();
        if parts.is_empty() { "page".to_string() } else { parts.join(" > ") }
    }

    /// The text that is seen inside.
    fn text(&self, at: usize) -> String {
        if self.nodes[at].is_text() {
            return self.nodes[at].name.clone();
        }
        let texts: Vec<String> =
            self.children[at].iter().map(|child| self.text(*child)).filter(|text| !text.is_empty()).collect();
        texts.join(" ")
    }

    /// In words, as a thing that is there or not.
    fn words(&self, at: usize) -> String {
        let node = &self.nodes[at];
        if node.is_text() {
            return node.name.clone();
        }
        let text = self.text(at);
        let said = if node.name.is_empty() { text } else { node.name.clone() };
        if said.is_empty() { node.role.clone() } else { format!("{} \"{said}\"", node.role) }
    }

    /// By its name alone, as one of many of its kind.
    fn called(&self, at: usize) -> String {
        let name = &self.nodes[at].name;
        let said = if name.is_empty() { self.text(at) } else { name.clone() };
        if said.is_empty() { self.nodes[at].role.clone() } else { said }
    }

    fn likeness(&self, at: usize, other: &Tree<'_>, its: usize) -> f64 {
        if self.signatures[at] == other.signatures[its] {
            return 1.0;
        }
        let (one, two) = (&self.gists[at], &other.gists[its]);
        if one.is_empty() && two.is_empty() {
            return 0.5;
        }
        let shared = one.intersection(two).count() as f64;
        let all = one.union(two).count() as f64;
        // Something that only has a value or a state more is not something else.
        shared / all
    }
}

/// Enough to know a part of a page again.
const MOST_WORDS: usize = 64;

fn gist_of(node: &PageNode) -> BTreeSet<u64> {
    let words = node.name.split_whitespace().chain(node.marks.get("href").map(String::as_str));
    let hashes = words.take(MOST_WORDS).map(|word| {
        let alike: String =
            word.chars().map(|letter| if letter.is_ascii_digit() { '#' } else { letter }).collect();
        let mut hasher = DefaultHasher::new();
        alike.hash(&mut hasher);
        hasher.finish()
    });
    let mut gist: BTreeSet<u64> = hashes.collect();
    if !node.anchor.is_empty() {
        let mut hasher = DefaultHasher::new();
        ("anchor", &node.anchor).hash(&mut hasher);
        gist.insert(hasher.finish());
    }
    gist
}

/// What a node says itself, not by the text inside.
fn own_words(node: &PageNode) -> &str {
    if node.is_named_by_text { "" } else { &node.name }
}

/// How the children of two nodes belong together.
#[derive(Default)]
struct Pairing {
    pairs: Vec<(usize, usize)>,
    old_alone: Vec<usize>,
    new_alone: Vec<usize>,
}

struct Comparison<'a> {
    old: Tree<'a>,
    new: Tree<'a>,
    page: String,
    findings: Vec<Finding>,
}

impl Comparison<'_> {
    /// Compares what is inside two nodes that belong together.
    fn children(&mut self, around: Option<(usize, usize)>, old: &[usize], new: &[usize]) {
        let mut pairing = self.paired(old, new);
        let moved = self.moved(&mut pairing);
        if !moved.is_empty() {
            self.reordered(around, old, new, &pairing, &moved);
        }
        pairing.pairs.extend(&moved);
        pairing.pairs.sort_unstable();
        let mut gone = pairing.old_alone.iter().copied().peekable();
        for (one, other) in &pairing.pairs {
            while let Some(alone) = gone.next_if(|alone| alone < one) {
                self.missing(around, alone);
            }
            self.pair(*one, *other);
        }
        for alone in gone {
            self.missing(around, alone);
        }
        for alone in &pairing.new_alone {
            self.extra(around, *alone);
        }
    }

    /// Equal subtrees are anchors; between them, the cheapest pairing in order.
    fn paired(&self, old: &[usize], new: &[usize]) -> Pairing {
        let mut pairing = Pairing::default();
        let ahead = old.iter().zip(new).take_while(|(one, other)| self.is_same(**one, **other)).count();
        let (old_rest, new_rest) = (&old[ahead..], &new[ahead..]);
        let behind = old_rest.iter().rev().zip(new_rest.iter().rev());
        let behind = behind.take_while(|(one, other)| self.is_same(**one, **other)).count();
        pairing.pairs.extend(old[..ahead].iter().copied().zip(new[..ahead].iter().copied()));
        let (old_middle, new_middle) =
            (&old_rest[..old_rest.len() - behind], &new_rest[..new_rest.len() - behind]);
        self.weighed(old_middle, new_middle, &mut pairing);
        let (old_end, new_end) = (&old_rest[old_rest.len() - behind..], &new_rest[new_rest.len() - behind..]);
        pairing.pairs.extend(old_end.iter().copied().zip(new_end.iter().copied()));
        pairing
    }

    fn is_same(&self, one: usize, other: usize) -> bool {
        self.old.signatures[one] == self.new.signatures[other]
    }

    fn cost(&self, one: usize, other: usize) -> Option<f64> {
        let likeness = self.old.likeness(one, &self.new, other);
        if self.old.nodes[one].role == self.new.nodes[other].role {
            return Some(1.0 - likeness);
        }
        (likeness >= OTHER_ROLE).then_some(1.3 - likeness)
    }

    /// The cheapest way to pair two lists without crossing.
    fn weighed(&self, old: &[usize], new: &[usize], pairing: &mut Pairing) {
        let (rows, columns) = (old.len(), new.len());
        if rows * columns > MOST_PAIRS {
            let both = rows.min(columns);
            pairing.pairs.extend(old[..both].iter().copied().zip(new[..both].iter().copied()));
            pairing.old_alone.extend(&old[both..]);
            pairing.new_alone.extend(&new[both..]);
            return;
        }
        let width = columns + 1;
        let mut costs = vec![0.0_f64; (rows + 1) * width];
        for row in 0..=rows {
            for column in 0..=columns {
                let mut best = if row == 0 && column == 0 { 0.0 } else { f64::INFINITY };
                if row > 0 {
                    best = best.min(costs[(row - 1) * width + column] + ALONE);
                }
                if column > 0 {
                    best = best.min(costs[row * width + column - 1] + ALONE);
                }
                if row > 0
                    && column > 0
                    && let Some(cost) = self.cost(old[row - 1], new[column - 1])
                {
                    best = best.min(costs[(row - 1) * width + column - 1] + cost);
                }
                costs[row * width + column] = best;
            }
        }
        let (mut row, mut column) = (rows, columns);
        while row > 0 || column > 0 {
            let here = costs[row * width + column];
            let is_pair = row > 0
                && column > 0
                && self
                    .cost(old[row - 1], new[column - 1])
                    .is_some_and(|cost| (costs[(row - 1) * width + column - 1] + cost - here).abs() < 1e-9);
            if is_pair {
                pairing.pairs.push((old[row - 1], new[column - 1]));
                (row, column) = (row - 1, column - 1);
            } else if row > 0 && (costs[(row - 1) * width + column] + ALONE - here).abs() < 1e-9 {
                pairing.old_alone.push(old[row - 1]);
                row -= 1;
            } else {
                pairing.new_alone.push(new[column - 1]);
                column -= 1;
            }
        }
        pairing.old_alone.sort_unstable();
        pairing.new_alone.sort_unstable();
    }

    /// Takes those out of the pairing that are there on both sides, at another place of the list. Neighbours that
    /// changed places may have been paired with each other as if each had changed its words.
    fn moved(&self, pairing: &mut Pairing) -> Vec<(usize, usize)> {
        let is_other = |one: usize, other: usize| self.old.likeness(one, &self.new, other) < MOVED;
        let (crossed, kept): (Vec<_>, Vec<_>) =
            pairing.pairs.drain(..).partition(|(one, other)| is_other(*one, *other));
        pairing.pairs = kept;
        let mut old_open: Vec<usize> =
            pairing.old_alone.iter().copied().chain(crossed.iter().map(|pair| pair.0)).collect();
        let mut new_open: Vec<usize> =
            pairing.new_alone.iter().copied().chain(crossed.iter().map(|pair| pair.1)).collect();
        old_open.sort_unstable();
        new_open.sort_unstable();
        let mut moved = Vec::new();
        old_open.retain(|one| {
            let has_words = !self.old.gists[*one].is_empty();
            let fit = |other: &usize| {
                has_words
                    && self.old.nodes[*one].role == self.new.nodes[*other].role
                    && (self.is_same(*one, *other) || self.old.likeness(*one, &self.new, *other) >= MOVED)
            };
            let Some(at) = new_open.iter().position(fit) else { return true };
            moved.push((*one, new_open.remove(at)));
            false
        });
        // The others stay what they were.
        pairing
            .pairs
            .extend(crossed.iter().filter(|(one, other)| old_open.contains(one) && new_open.contains(other)));
        let is_paired_old = |one: &usize| pairing.pairs.iter().any(|pair| pair.0 == *one);
        pairing.old_alone = old_open.iter().copied().filter(|one| !is_paired_old(one)).collect();
        let is_paired_new = |other: &usize| pairing.pairs.iter().any(|pair| pair.1 == *other);
        pairing.new_alone = new_open.iter().copied().filter(|other| !is_paired_new(other)).collect();
        moved
    }

    fn reordered(
        &mut self,
        around: Option<(usize, usize)>,
        old: &[usize],
        new: &[usize],
        pairing: &Pairing,
        moved: &[(usize, usize)],
    ) {
        // Only those that are on both sides: what came or went is said apart.
        let is_both = |at: usize, old_side: bool| {
            pairing
                .pairs
                .iter()
                .chain(moved)
                .any(|(one, other)| if old_side { *one == at } else { *other == at })
        };
        let said = |tree: &Tree<'_>, list: &[usize], old_side: bool| -> String {
            let names: Vec<String> = list
                .iter()
                .filter(|at| is_both(**at, old_side))
                .map(|at| shortened(&tree.called(*at), 40))
                .collect();
            names.join(" | ")
        };
        let (was, is) = (said(&self.old, old, true), said(&self.new, new, false));
        let has_text = moved.iter().any(|(one, _)| !self.old.text(*one).is_empty());
        let aspect = if has_text { Aspect::Text } else { Aspect::Structure };
        let place = self.place_of_pair(around, "order");
        let place = Place { shown: format!("order in {}", place.shown), ..place };
        let mut finding = Finding::new(aspect, Change::Order, place, &was, &is);
        finding.old_areas = moved.iter().map(|(one, _)| self.old.nodes[*one].area).collect();
        finding.new_areas = moved.iter().map(|(_, other)| self.new.nodes[*other].area).collect();
        self.findings.push(finding);
    }

    fn pair(&mut self, one: usize, other: usize) {
        if self.is_same(one, other) {
            return;
        }
        let (old, new) = (self.old.nodes[one].clone(), self.new.nodes[other].clone());
        if old.is_text() && new.is_text() {
            self.said(Aspect::Text, (one, other), "text", &old.name, &new.name);
            return;
        }
        self.said(Aspect::Structure, (one, other), "role", &old.role, &new.role);
        // A name that comes from the text inside is compared there, and goes with it.
        let is_from_text = |node: &PageNode| node.is_named_by_text || node.name.is_empty();
        let has_own_name = !(is_from_text(&old) && is_from_text(&new));
        if has_own_name {
            self.said(Aspect::Structure, (one, other), "name", &old.name, &new.name);
        }
        let value = |node: &PageNode| node.value.clone().unwrap_or_default();
        self.said(Aspect::Text, (one, other), "value", &value(&old), &value(&new));
        self.said(Aspect::Structure, (one, other), "states", &old.states.join(", "), &new.states.join(", "));
        for mark in old.marks.keys().chain(new.marks.keys()).collect::<BTreeSet<_>>() {
            let of = |node: &PageNode| node.marks.get(mark).cloned().unwrap_or_default();
            self.said(Aspect::Structure, (one, other), mark, &of(&old), &of(&new));
        }
        self.said(
            Aspect::Structure,
            (one, other),
            "options",
            &old.options.join(" | "),
            &new.options.join(" | "),
        );
        let (inside_old, inside_new) = (self.old.children[one].clone(), self.new.children[other].clone());
        self.children(Some((one, other)), &inside_old, &inside_new);
    }

    fn said(&mut self, aspect: Aspect, pair: (usize, usize), part: &str, old: &str, new: &str) {
        if old == new {
            return;
        }
        let place = self.place_of_pair(Some(pair), part);
        let shown =
            if matches!(part, "text") { place.shown.clone() } else { format!("{} of {}", part, place.shown) };
        let mut finding = Finding::new(aspect, Change::Said, Place { shown, ..place }, old, new);
        finding.old_areas = vec![self.old.nodes[pair.0].area];
        finding.new_areas = vec![self.new.nodes[pair.1].area];
        self.findings.push(finding);
    }

    fn missing(&mut self, around: Option<(usize, usize)>, at: usize) {
        let place = self.place_of_pair(around, &format!("entries:{}", self.old.nodes[at].role));
        let mut finding =
            Finding::new(aspect_of(&self.old, at), Change::Missing, place, &self.old.words(at), "");
        finding.old_areas = vec![self.old.nodes[at].area];
        self.findings.push(finding);
    }

    fn extra(&mut self, around: Option<(usize, usize)>, at: usize) {
        let place = self.place_of_pair(around, &format!("entries:{}", self.new.nodes[at].role));
        let mut finding =
            Finding::new(aspect_of(&self.new, at), Change::Extra, place, "", &self.new.words(at));
        finding.new_areas = vec![self.new.nodes[at].area];
        self.findings.push(finding);
    }

    fn place_of_pair(&self, pair: Option<(usize, usize)>, part: &str) -> Place {
        let (key, new_key, shown) = match pair {
            Some((one, other)) => (self.old.key(one), self.new.key(other), self.old.shown(one)),
            None => (String::new(), String::new(), "page".to_string()),
        };
        Place {
            page: self.page.clone(),
            key: format!("{key}#{part}"),
            new_key: format!("{new_key}#{part}"),
            shown,
        }
    }
}

/// A thing to be used is a matter of structure, words are one of text.
fn aspect_of(tree: &Tree<'_>, at: usize) -> Aspect {
    const USED: [&str; 12] = [
        "button",
        "link",
        "textbox",
        "checkbox",
        "radio",
        "combobox",
        "switch",
        "slider",
        "tab",
        "menuitem",
        "searchbox",
        "spinbutton",
    ];
    let is_used = USED.contains(&tree.nodes[at].role.as_str());
    if is_used || tree.text(at).is_empty() { Aspect::Structure } else { Aspect::Text }
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
