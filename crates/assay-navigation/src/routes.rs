//! The surest way from one screen to another, by what was measured.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use assay_protocol::{ANY_SCREEN, EdgeMetrics, NavigationTree};

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
    index: HashMap<&'t str, usize>,
    /// For each screen: the next screen, the cost, and the commands.
    out: Vec<Vec<(usize, u64, &'t [String])>>,
    /// From any screen.
    everywhere: Vec<(usize, u64, &'t [String])>,
    /// For each screen, what opening its address costs.
    opening: Vec<Option<u64>>,
}

/// Where a shortest way comes from, and the commands of its last edge; none for the beginning.
type Arrival<'a> = (usize, Option<&'a [String]>);

impl<'t> Routes<'t> {
    pub fn new(tree: &'t NavigationTree, metrics: &[EdgeMetrics]) -> Routes<'t> {
        let index: HashMap<&str, usize> =
            tree.screens.iter().enumerate().map(|(at, screen)| (screen.name.as_str(), at)).collect();
        let anywhere = tree.screens.len();
        let at = |name: &str| if name == ANY_SCREEN { Some(anywhere) } else { index.get(name).copied() };
        let mut measured: Vec<Vec<(usize, &EdgeMetrics)>> = vec![Vec::new(); anywhere + 1];
        for metric in metrics {
            if let Some((from, to)) = at(&metric.from).zip(at(&metric.to)) {
                measured[from].push((to, metric));
            }
        }
        let found = |from: usize, to: usize, acts: &[String]| {
            let is_it = |(known, metric): &&(usize, &EdgeMetrics)| *known == to && metric.acts == acts;
            measured[from].iter().find(is_it).map(|(_, metric)| *metric)
        };
        let mut out = vec![Vec::new(); tree.screens.len()];
        let mut everywhere = Vec::new();
        for way in tree.ways() {
            let Some((from, to)) = at(way.from).zip(index.get(way.to).copied()) else { continue };
            let cost = cost(found(from, to, way.acts), UNMEASURED_MS * way.acts.len().max(1) as u64);
            match from == anywhere {
                true => everywhere.push((to, cost, way.acts)),
                false => out[from].push((to, cost, way.acts)),
            }
        }
        let opening = tree
            .screens
            .iter()
            .enumerate()
            .map(|(place, screen)| {
                let is_opened = screen.address.as_ref().is_some_and(|address| address.is_literal())
                    && !needs_act(tree, &screen.name);
                is_opened.then(|| cost(found(anywhere, place, &[]), OPENING_MS))
            })
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
        let mut best = vec![u64::MAX; count + 1];
        // Where one came from, and the commands; without commands, an address was opened.
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
            let own: &[_] = if at == count { &[] } else { &self.out[at] };
            // Where one is unknown, nothing is known to be there to be clicked.
            // Behind a dialog, what every screen has cannot be reached.
            let is_covered = at < count && self.tree.screens[at].has.iter().any(is_dialog);
            let everywhere: &[_] = if at == count || is_covered { &[] } else { &self.everywhere };
            let mut relax = |next: usize, cost: u64, acts: Option<&'t [String]>| {
                let total = spent.saturating_add(cost);
                if next == at || total >= best[next] {
                    return;
                }
                if !without.is_empty() {
                    let leg = leg_of((at < count).then(|| name(at)), name(next), step_of(acts));
                    if without.contains(&leg) {
                        return;
                    }
                }
                best[next] = total;
                before[next] = Some((at, acts));
                queue.push(Reverse((total, next)));
            };
            for (next, cost, acts) in own.iter().chain(everywhere) {
                relax(*next, *cost, Some(*acts));
            }
            // An address opens from everywhere at the same cost, so only the start gains by it.
            if at == begin {
                for (next, cost) in
                    self.opening.iter().enumerate().filter_map(|(next, cost)| Some((next, (*cost)?)))
                {
                    relax(next, cost, None);
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
fn needs_act(tree: &NavigationTree, name: &str) -> bool {
    let Some(screen) = tree.screen(name) else { return false };
    let shares = |above: &str| tree.screen(above).is_some_and(|above| above.address == screen.address);
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
    use assay_protocol::{AddressPattern, Edge, Screen};

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
