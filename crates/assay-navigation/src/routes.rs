//! The surest way from one screen to another, by what was measured.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use assay_protocol::{ANY_SCREEN, EdgeMetrics, NavigationTree, Screen};

/// What an act takes until somebody measured it.
const UNMEASURED_MS: u64 = 1_000;
/// Opening an address loads the whole application again, and loses what a click keeps.
const OPENING_MS: u64 = 2_500;

/// One step of a way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// Commands, as the tree has them.
    Acts(Vec<String>),
    /// The address of the screen is opened.
    Open,
}

/// A step and the screen that it leads to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Leg {
    /// None where one does not know which screen it is.
    pub from: Option<String>,
    pub to: String,
    pub step: Step,
}

/// The ways of one tree, ready for questions.
#[derive(Debug)]
pub struct Routes<'t> {
    tree: &'t NavigationTree,
    index: Index<'t>,
    /// For each screen, the ways that lead from it.
    out: Grouped<Way<'t>>,
    /// From any screen.
    everywhere: Vec<Way<'t>>,
    /// The screens whose addresses can be opened, and what that costs.
    opening: Vec<(usize, u64)>,
}

/// The next screen, the cost, and the commands.
#[derive(Debug, Clone, Copy)]
struct Way<'t> {
    to: usize,
    cost: u64,
    acts: &'t [String],
}

/// Where a shortest way comes from, and the commands of its last edge; without commands, an address was opened.
type Arrival<'a> = (usize, Option<&'a [String]>);

impl<'t> Routes<'t> {
    pub fn new(tree: &'t NavigationTree, metrics: &[EdgeMetrics]) -> Routes<'t> {
        let anywhere = tree.screens.len();
        let mut index = Index::with_capacity_and_hasher(anywhere, BuildHasherDefault::default());
        index.extend(tree.screens.iter().enumerate().map(|(at, screen)| (screen.name.as_str(), at)));
        let at = |name: &str| if name == ANY_SCREEN { Some(anywhere) } else { index.get(name).copied() };
        let mut measured: Grouped<(usize, &EdgeMetrics)> = Grouped::new(anywhere + 1, metrics.len());
        // The first of two alike counts.
        for metric in metrics.iter().rev() {
            if let Some((from, to)) = at(&metric.from).zip(at(&metric.to)) {
                measured.put(from, (to, metric));
            }
        }
        let found = |from: usize, to: usize, acts: &[String]| {
            let is_it = |(known, metric): &&(usize, &EdgeMetrics)| *known == to && metric.acts == acts;
            measured.of(from).find(is_it).map(|(_, metric)| *metric)
        };
        let mut out = Grouped::new(anywhere, tree.edges.len());
        let mut everywhere = Vec::new();
        let ways: Vec<_> = tree.ways().collect();
        // Of two ways that cost the same, the first one is taken.
        for way in ways.into_iter().rev() {
            let Some((from, to)) = at(way.from).zip(index.get(way.to).copied()) else { continue };
            let cost = cost(found(from, to, way.acts), UNMEASURED_MS * way.acts.len().max(1) as u64);
            let way = Way { to, cost, acts: way.acts };
            if from == anywhere { everywhere.push(way) } else { out.put(from, way) }
        }
        everywhere.reverse();
        let opening = tree
            .screens
            .iter()
            .enumerate()
            .filter(|(_, screen)| {
                screen.address.as_ref().is_some_and(|address| address.is_literal())
                    && !needs_act(tree, &index, screen)
            })
            .map(|(place, _)| (place, cost(found(anywhere, place, &[]), OPENING_MS)))
            .collect();
        Routes { tree, index, out, everywhere, opening }
    }

    /// The cheapest way, without the legs that failed. Empty if one is there already.
    pub fn find(&self, from: Option<&str>, to: &str, without: &HashSet<Leg>) -> Option<Vec<Leg>> {
        let goal = *self.index.get(to)?;
        let start = from.and_then(|name| self.index.get(name)).copied();
        if start == Some(goal) {
            return Some(Vec::new());
        }
        let name = |at: usize| self.tree.screens[at].name.clone();
        let count = self.tree.screens.len();
        // One more for a start that is no screen.
        let begin = start.unwrap_or(count);
        let without = self.failed(without);
        let mut best = vec![u64::MAX; count + 1];
        let mut before: Vec<Option<Arrival>> = vec![None; count + 1];
        let mut queue = BinaryHeap::from([Reverse((0, begin))]);
        best[begin] = 0;
        while let Some(Reverse((spent, at))) = queue.pop() {
            if at == goal {
                break;
            }
            if spent > best[at] {
                continue;
            }
            let mut relax = |next: usize, cost: u64, acts: Option<&'t [String]>| {
                let total = spent.saturating_add(cost);
                if next == at || total >= best[next] {
                    return;
                }
                // An address opens in the same way from everywhere.
                let origin = if acts.is_some() { at } else { count };
                if !without.is_empty() && without.contains(&(origin, next, acts)) {
                    return;
                }
                best[next] = total;
                before[next] = Some((at, acts));
                queue.push(Reverse((total, next)));
            };
            // Where one is unknown, nothing is known to be there to be clicked.
            if at < count {
                for way in self.out.of(at) {
                    relax(way.to, way.cost, Some(way.acts));
                }
                // Behind a dialog, what every screen has cannot be reached.
                if !self.tree.screens[at].has.iter().any(is_dialog) {
                    for way in &self.everywhere {
                        relax(way.to, way.cost, Some(way.acts));
                    }
                }
            }
            // An address opens from everywhere at the same cost, so only the start gains by it.
            if at == begin {
                for (next, cost) in &self.opening {
                    relax(*next, *cost, None);
                }
            }
        }
        let mut legs = Vec::new();
        let mut at = goal;
        while at != begin {
            let (previous, acts) = before[at]?;
            legs.push(leg_of((previous < count).then(|| name(previous)), name(at), step_of(acts)));
            at = previous;
        }
        legs.reverse();
        Some(legs)
    }

    /// Legs by the places of their screens; a leg that begins anywhere begins behind the last screen.
    fn failed<'l>(&self, legs: &'l HashSet<Leg>) -> HashSet<(usize, usize, Option<&'l [String]>)> {
        let at = |name: &String| self.index.get(name.as_str()).copied();
        let known = legs.iter().filter_map(|leg| {
            let from = leg.from.as_ref().map_or(Some(self.tree.screens.len()), at)?;
            let acts = match &leg.step {
                Step::Acts(acts) => Some(acts.as_slice()),
                Step::Open => None,
            };
            Some((from, at(&leg.to)?, acts))
        });
        known.collect()
    }
}

/// The places of screens by their names.
type Index<'t> = HashMap<&'t str, usize, BuildHasherDefault<NameHasher>>;

/// FNV-1a: names are short, and come from the user's own file.
struct NameHasher(u64);

impl Default for NameHasher {
    fn default() -> NameHasher {
        NameHasher(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for NameHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Lists of many screens in one block of memory. What is put last comes first.
#[derive(Debug)]
struct Grouped<T> {
    /// Where the list of each screen begins.
    first: Vec<Option<usize>>,
    /// Each item with the place of the next one of its list.
    items: Vec<(T, Option<usize>)>,
}

impl<T> Grouped<T> {
    fn new(groups: usize, items: usize) -> Grouped<T> {
        Grouped { first: vec![None; groups], items: Vec::with_capacity(items) }
    }

    fn put(&mut self, group: usize, item: T) {
        let next = self.first[group].replace(self.items.len());
        self.items.push((item, next));
    }

    fn of(&self, group: usize) -> impl Iterator<Item = &T> {
        let item = |at: Option<usize>| at.map(|at| &self.items[at]);
        std::iter::successors(item(self.first[group]), move |(_, next)| item(*next)).map(|(item, _)| item)
    }
}

fn is_dialog(mark: &assay_protocol::ElementCondition) -> bool {
    matches!(mark.role.as_deref(), Some("dialog" | "alertdialog"))
}

fn step_of(acts: Option<&[String]>) -> Step {
    acts.map_or(Step::Open, |acts| Step::Acts(acts.to_vec()))
}

/// An address opens in the same way from everywhere.
fn leg_of(from: Option<String>, to: String, step: Step) -> Leg {
    let from = from.filter(|_| step != Step::Open);
    Leg { from, to, step }
}

/// A screen that shares its address with the screen it is a part of is reached by an act: a dialog, a tab.
fn needs_act(tree: &NavigationTree, index: &Index<'_>, screen: &Screen) -> bool {
    let shares =
        |above: &str| index.get(above).is_some_and(|above| tree.screens[*above].address == screen.address);
    screen.has.iter().any(assay_protocol::ElementCondition::is_open_part)
        || screen.within.as_deref().is_some_and(shares)
}

/// The time that a way takes on average, with its failures: each costs a try, and trust.
fn cost(metric: Option<&EdgeMetrics>, unmeasured: u64) -> u64 {
    let Some(metric) = metric.filter(|metric| metric.tries > 0) else { return unmeasured };
    let time = if metric.successes > 0 { metric.milliseconds.max(1) } else { unmeasured };
    // As if one try more had worked: a single failure is no proof.
    let success = (f64::from(metric.successes) + 1.0) / (f64::from(metric.tries) + 1.0);
    let recently_failed = if metric.trouble.is_some() { 4.0 } else { 1.0 };
    (time as f64 / success / success * recently_failed) as u64
}

#[cfg(test)]
mod tests {
    use assay_protocol::{AddressPattern, Edge};

    use super::*;

    fn tree() -> NavigationTree {
        let screen = |name: &str, address: Option<&str>| Screen {
            name: name.to_string(),
            address: address.and_then(|text| AddressPattern::parse(text).ok()),
            ..Screen::default()
        };
        let edge = |from: &str, to: &str, back: &str| Edge {
            from: from.to_string(),
            to: to.to_string(),
            acts: vec![format!("click \"{to}\"")],
            back: if back.is_empty() { Vec::new() } else { vec![back.to_string()] },
        };
        NavigationTree {
            screens: vec![
                screen("Home", Some("/")),
                screen("Orders", Some("/orders")),
                screen("Order", Some("/orders/{id}")),
                screen("Island", None),
            ],
            edges: vec![edge("Home", "Orders", ""), edge("Orders", "Order", "back"), edge("*", "Home", "")],
            ..NavigationTree::default()
        }
    }

    #[track_caller]
    fn check(metrics: &[EdgeMetrics], from: Option<&str>, to: &str, expected: Option<&str>) {
        let tree = tree();
        let legs = Routes::new(&tree, metrics).find(from, to, &HashSet::new());
        let told = legs.map(|legs| {
            let words = legs.iter().map(|leg| match &leg.step {
                Step::Acts(acts) => format!("{} → {}", acts.join(", "), leg.to),
                Step::Open => format!("open → {}", leg.to),
            });
            words.collect::<Vec<_>>().join("; ")
        });
        assert_eq!(told.as_deref(), expected);
    }

    #[test]
    fn the_cheapest_way_is_found() {
        check(&[], Some("Home"), "Order", Some("click \"Orders\" → Orders; click \"Order\" → Order"));
        check(&[], Some("Order"), "Orders", Some("back → Orders"));
        check(&[], None, "Order", Some("open → Orders; click \"Order\" → Order"));
        check(&[], Some("Order"), "Home", Some("click \"Home\" → Home"));
        check(&[], Some("Home"), "Home", Some(""));
        check(&[], Some("Home"), "Island", None);
    }

    #[test]
    fn a_leg_that_failed_is_not_taken_again() {
        let tree = tree();
        let routes = Routes::new(&tree, &[]);
        let mut failed = HashSet::new();
        // From any screen, by its address, and then nothing is left.
        for expected in ["click \"Orders\" → Orders", "open → Orders", "none"] {
            let legs = routes.find(Some("Home"), "Orders", &failed);
            let Some(leg) = legs.and_then(|legs| legs.into_iter().next()) else {
                assert_eq!(expected, "none");
                continue;
            };
            let said = match &leg.step {
                Step::Acts(acts) => acts.join(", "),
                Step::Open => "open".to_string(),
            };
            assert_eq!(format!("{said} → {}", leg.to), expected);
            failed.insert(leg);
        }
    }

    #[test]
    fn the_first_of_two_ways_that_cost_the_same_is_taken() {
        let mut tree = tree();
        let twice = Edge { acts: vec!["click \"again\"".to_string()], ..tree.edges[0].clone() };
        tree.edges.push(twice);
        let legs = Routes::new(&tree, &[]).find(Some("Home"), "Orders", &HashSet::new());
        let acts = legs.and_then(|legs| legs.into_iter().next()).map(|leg| leg.step);
        assert_eq!(acts, Some(Step::Acts(vec!["click \"Orders\"".to_string()])));
    }

    #[test]
    fn a_way_that_failed_is_avoided() {
        let failing = EdgeMetrics {
            from: "Home".to_string(),
            to: "Orders".to_string(),
            acts: vec!["click \"Orders\"".to_string()],
            tries: 3,
            ..EdgeMetrics::default()
        };
        check(&[failing], Some("Home"), "Orders", Some("open → Orders"));
    }
}
