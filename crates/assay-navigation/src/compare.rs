//! Two trees beside each other, and one joined into the other.

use std::collections::HashMap;

use assay_protocol::{ANY_SCREEN, Edge, NavigationTree, Screen};
use serde::Serialize;

/// What one tree has that the other has not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    pub new: Vec<String>,
    pub gone: Vec<String>,
    pub different: Vec<Difference>,
    /// Screens with another name: the old one and the new one.
    pub renamed: Vec<(String, String)>,
    /// Ways from one screen to another.
    pub new_ways: Vec<(String, String)>,
    pub gone_ways: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub screen: String,
    /// What differs, in words.
    pub what: Vec<String>,
}

impl Comparison {
    pub fn is_empty(&self) -> bool {
        *self == Comparison::default()
    }

    /// One line for each difference.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.new.iter().map(|name| format!("new        {name}")));
        lines.extend(self.gone.iter().map(|name| format!("gone       {name}")));
        lines.extend(self.renamed.iter().map(|(old, new)| format!("renamed    {old} → {new}")));
        lines.extend(
            self.different.iter().map(|one| format!("different  {}: {}", one.screen, one.what.join("; "))),
        );
        lines.extend(self.new_ways.iter().map(|(from, to)| format!("new way    {} → {to}", shown(from))));
        lines.extend(self.gone_ways.iter().map(|(from, to)| format!("gone way   {} → {to}", shown(from))));
        lines
    }
}

fn shown(from: &str) -> &str {
    if from == ANY_SCREEN { "any screen" } else { from }
}

/// What changed from one tree to the other.
pub fn compare(old: &NavigationTree, new: &NavigationTree) -> Comparison {
    let pairs = paired(old, new);
    let mut found = Comparison::default();
    let mut old_name_of: HashMap<&str, &str> = HashMap::new();
    for (screen, pair) in new.screens.iter().zip(&pairs) {
        let Some(before) = pair.map(|at| &old.screens[at]) else {
            found.new.push(screen.name.clone());
            continue;
        };
        old_name_of.insert(&screen.name, &before.name);
        if before.name != screen.name {
            found.renamed.push((before.name.clone(), screen.name.clone()));
        }
        let what = differences(before, screen);
        if !what.is_empty() {
            found.different.push(Difference { screen: screen.name.clone(), what });
        }
    }
    let is_gone = |at: &usize| !pairs.contains(&Some(*at));
    found.gone = (0..old.screens.len()).filter(is_gone).map(|at| old.screens[at].name.clone()).collect();
    let old_name =
        |name: &str| old_name_of.get(name).map_or_else(|| name.to_string(), |name| name.to_string());
    let old_ways: Vec<(String, String)> =
        old.ways().map(|way| (way.from.to_string(), way.to.to_string())).collect();
    let new_ways: Vec<(String, String)> =
        new.ways().map(|way| (old_name(way.from), old_name(way.to))).collect();
    let is_new = |way: &&(String, String)| {
        !is_covered(&old_ways, way) && !found.new.contains(&way.0) && !found.new.contains(&way.1)
    };
    let mut ways: Vec<(String, String)> = new_ways.iter().filter(is_new).cloned().collect();
    ways.dedup();
    found.new_ways = ways;
    let was_lost = |way: &&(String, String)| {
        !is_covered(&new_ways, way) && !found.gone.contains(&way.0) && !found.gone.contains(&way.1)
    };
    found.gone_ways = old_ways.iter().filter(was_lost).cloned().collect();
    found
}

fn is_covered(ways: &[(String, String)], way: &(String, String)) -> bool {
    ways.iter().any(|known| known.1 == way.1 && (known.0 == way.0 || known.0 == ANY_SCREEN))
}

fn differences(before: &Screen, after: &Screen) -> Vec<String> {
    let mut what = Vec::new();
    let mut say = |key: &str, old: String, new: String| {
        if old != new {
            let quoted =
                |text: String| if text.is_empty() { "nothing".to_string() } else { format!("`{text}`") };
            what.push(format!("{key} was {}, is {}", quoted(old), quoted(new)));
        }
    };
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let address = |screen: &Screen| screen.address.as_ref().map(ToString::to_string).unwrap_or_default();
    say("address", address(before), address(after));
    say("heading", text(&before.heading), text(&after.heading));
    say("title", text(&before.title), text(&after.title));
    say("within", text(&before.within), text(&after.within));
    say("when", text(&before.when), text(&after.when));
    let list = |marks: &[assay_protocol::ElementCondition]| {
        marks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    say("has", list(&before.has), list(&after.has));
    say("lacks", list(&before.lacks), list(&after.lacks));
    say("protected", before.protected.to_string(), after.protected.to_string());
    what
}

/// Whether a screen of the old tree is one of the new tree.
type Likeness<'a> = dyn Fn(&Screen, &Screen) -> bool + 'a;

/// For each screen of the new tree, the one of the old tree that it stands for.
fn paired(old: &NavigationTree, new: &NavigationTree) -> Vec<Option<usize>> {
    let mut pairs: Vec<Option<usize>> = vec![None; new.screens.len()];
    let mut taken = vec![false; old.screens.len()];
    let has_part = |screen: &Screen| -> Vec<String> {
        let parts = screen.has.iter().filter(|mark| mark.is_open_part());
        parts.map(ToString::to_string).collect()
    };
    let same_place =
        |one: &Screen, other: &Screen| one.address == other.address && has_part(one) == has_part(other);
    let likenesses: [&Likeness<'_>; 4] = [
        &|one, other| one.name == other.name && same_place(one, other),
        &|one, other| same_place(one, other) && one.heading == other.heading,
        &|one, other| same_place(one, other) && one.address.is_some() && has_part(one).is_empty(),
        &|one, other| one.name == other.name,
    ];
    for is_same in likenesses {
        for (at, screen) in new.screens.iter().enumerate() {
            if pairs[at].is_some() {
                continue;
            }
            let hit = old
                .screens
                .iter()
                .enumerate()
                .find(|(place, known)| !taken[*place] && is_same(known, screen));
            if let Some((place, _)) = hit {
                taken[place] = true;
                pairs[at] = Some(place);
            }
        }
    }
    pairs
}

/// The old tree with what the other found. Names and words of the old one stay where `still_fits` says that they
/// recognise what was found: it is asked with a screen of the old tree and the place of the one that was found.
pub fn merge(
    old: &NavigationTree,
    found: &NavigationTree,
    still_fits: &dyn Fn(&Screen, usize) -> bool,
) -> (NavigationTree, Comparison) {
    let pairs = paired(old, found);
    let mut tree = old.clone();
    let mut comparison = Comparison::default();
    let mut name_of: HashMap<String, String> = HashMap::new();
    for (at, screen) in found.screens.iter().enumerate() {
        match pairs[at] {
            Some(place) => {
                name_of.insert(screen.name.clone(), old.screens[place].name.clone());
            }
            None => {
                name_of.insert(screen.name.clone(), free_name(&tree, &name_of, &screen.name));
            }
        }
    }
    let known = |name: &str| name_of.get(name).cloned().unwrap_or_else(|| name.to_string());
    for (at, screen) in found.screens.iter().enumerate() {
        let mut screen = Screen { name: known(&screen.name), ..screen.clone() };
        screen.within = screen.within.as_deref().map(known);
        let Some(place) = pairs[at] else {
            comparison.new.push(screen.name.clone());
            tree.screens.push(screen);
            continue;
        };
        let before = &mut tree.screens[place];
        if before.protected || still_fits(before, at) {
            continue;
        }
        // What people say of a screen is theirs; how it is recognised follows the application.
        let after = Screen { within: before.within.clone(), when: before.when.clone(), ..screen };
        let what = differences(before, &after);
        if !what.is_empty() {
            comparison.different.push(Difference { screen: after.name.clone(), what });
            *before = after;
        }
    }
    comparison.gone = (0..old.screens.len())
        .filter(|at| !pairs.contains(&Some(*at)))
        .map(|at| old.screens[at].name.clone())
        .collect();
    let mut ways: Vec<(String, String)> =
        old.ways().map(|way| (way.from.to_string(), way.to.to_string())).collect();
    for edge in &found.edges {
        let (from, to) = (known(&edge.from), known(&edge.to));
        let there = (from.clone(), to.clone());
        let back = (to.clone(), from.clone());
        let has_there = is_covered(&ways, &there);
        let has_back = edge.back.is_empty() || is_covered(&ways, &back);
        let new = match (has_there, has_back) {
            (true, true) => continue,
            (false, _) => Edge {
                from,
                to,
                acts: edge.acts.clone(),
                back: if has_back { Vec::new() } else { edge.back.clone() },
            },
            (true, false) => Edge { from: to, to: from, acts: edge.back.clone(), back: Vec::new() },
        };
        let is_new = |name: &str| comparison.new.iter().any(|new| new == name);
        let is_told = !is_new(&there.0) && !is_new(&there.1);
        for way in [there, back].into_iter().take(if new.back.is_empty() { 1 } else { 2 }) {
            if is_told {
                comparison.new_ways.push(way.clone());
            }
            ways.push(way);
        }
        tree.edges.push(new);
    }
    if tree.entry.is_empty() {
        tree.entry = found.entry.iter().map(|name| known(name)).collect();
    }
    if tree.interface.is_empty() {
        tree.interface.clone_from(&found.interface);
    }
    if tree.base_url.is_none() {
        tree.base_url.clone_from(&found.base_url);
    }
    (tree, comparison)
}

fn free_name(tree: &NavigationTree, given: &HashMap<String, String>, name: &str) -> String {
    let is_free = |name: &String| tree.screen(name).is_none() && given.values().all(|known| known != name);
    let numbered = (2..).map(|number| format!("{name} {number}"));
    std::iter::once(name.to_string()).chain(numbered).find(is_free).unwrap_or_else(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use assay_protocol::AddressPattern;

    use super::*;

    fn screen(name: &str, address: &str, heading: &str) -> Screen {
        Screen {
            name: name.to_string(),
            address: AddressPattern::parse(address).ok(),
            heading: Some(heading.to_string()),
            ..Screen::default()
        }
    }

    fn edge(from: &str, to: &str) -> Edge {
        Edge {
            from: from.to_string(),
            to: to.to_string(),
            acts: vec!["click \"x\"".to_string()],
            back: Vec::new(),
        }
    }

    #[test]
    fn what_people_named_keeps_its_name() {
        let old = NavigationTree {
            screens: vec![screen("Start", "/", "Welcome"), screen("Old", "/old", "Old")],
            edges: vec![edge("*", "Start")],
            ..NavigationTree::default()
        };
        let found = NavigationTree {
            screens: vec![screen("Welcome", "/", "Welcome"), screen("Orders", "/orders", "Orders")],
            edges: vec![edge("Welcome", "Orders"), edge("Orders", "Welcome")],
            ..NavigationTree::default()
        };
        let (tree, changes) = merge(&old, &found, &|_, _| true);
        let names: Vec<&str> = tree.screens.iter().map(|screen| screen.name.as_str()).collect();
        assert_eq!(names, ["Start", "Old", "Orders"]);
        assert_eq!(
            (changes.new.as_slice(), changes.gone.as_slice()),
            (&["Orders".to_string()][..], &["Old".to_string()][..])
        );
        assert_eq!(tree.edges[1..], [edge("Start", "Orders")]);
        assert_eq!(merge(&tree, &found, &|_, _| true).0, tree, "the second time changes nothing");
    }

    #[test]
    fn what_changed_between_two_trees_is_said() {
        let old = NavigationTree {
            screens: vec![screen("A", "/a", "A"), screen("B", "/b", "B")],
            ..NavigationTree::default()
        };
        let new = NavigationTree {
            screens: vec![screen("A", "/a", "Another"), screen("Bee", "/b", "B"), screen("C", "/c", "C")],
            edges: vec![edge("A", "Bee")],
            ..NavigationTree::default()
        };
        assert_eq!(
            compare(&old, &new).lines(),
            [
                "new        C",
                "renamed    B → Bee",
                "different  A: heading was `A`, is `Another`",
                "new way    A → B"
            ]
        );
        assert!(compare(&new, &new).is_empty());
    }
}
