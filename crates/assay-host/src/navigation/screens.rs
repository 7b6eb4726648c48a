//! The screens of a project's trees, for runs and commands: recognised, reached, and measured while they are walked.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;

use assay_coordinator::{Coordinator, EdgeTry};
use assay_navigation::{
    LOGGED_IN, LOGGED_OUT, Leg, NoScreen, Place, Recognition, Routes, Step, contradictions, recognise,
    screen_called, thing_called,
};
use assay_protocol::{ANY_SCREEN, EdgeMetrics, LearnedFact, NavigationTree, Scene};
use assay_runner::{Against, LegHow, ScreenCalled, ScreenLeg, ScreenName, ScreenPlace, Screens, Thing};

use super::trees::{LoadedTree, ProjectTrees};

/// Trees with what was measured and learned of them.
pub struct TreeScreens {
    trees: Vec<KnownTree>,
    coordinator: Option<Coordinator>,
    /// The state could not be written; that is said once.
    has_trouble: RefCell<Option<String>>,
}

struct KnownTree {
    name: String,
    tree: NavigationTree,
    metrics: RefCell<Vec<EdgeMetrics>>,
    facts: Vec<LearnedFact>,
}

/// The screens of a project, where it has trees. Trees with mistakes are left out, which is noted.
pub fn screens_of(
    root: &Path,
    coordinator: &Coordinator,
    note: &mut dyn FnMut(String),
) -> Option<Rc<dyn Screens>> {
    screens_with(root, Some(coordinator.clone()), note)
}

/// The same for sentences that are only read: without what was measured and learned.
pub fn screens_to_read(root: &Path) -> Option<Rc<dyn Screens>> {
    screens_with(root, None, &mut |_| {})
}

fn screens_with(
    root: &Path,
    coordinator: Option<Coordinator>,
    note: &mut dyn FnMut(String),
) -> Option<Rc<dyn Screens>> {
    let (trees, problems) = ProjectTrees::at(root, root).load_all();
    for problem in &problems {
        note(format!("a navigation tree is not used: {}", super::problem_words(problem)));
    }
    (!trees.is_empty()).then(|| Rc::new(TreeScreens::new(trees, coordinator)) as Rc<dyn Screens>)
}

impl TreeScreens {
    pub fn new(trees: Vec<LoadedTree>, coordinator: Option<Coordinator>) -> TreeScreens {
        let known = trees.into_iter().map(|loaded| {
            let of = |coordinator: &Coordinator| {
                (coordinator.edge_metrics(&loaded.name), coordinator.facts(&loaded.name))
            };
            // Without what was measured, all ways are alike.
            let (metrics, facts) =
                coordinator.as_ref().map(of).map_or_else(Default::default, |(metrics, facts)| {
                    (metrics.unwrap_or_default(), facts.unwrap_or_default())
                });
            KnownTree { name: loaded.name, tree: loaded.file.tree, metrics: RefCell::new(metrics), facts }
        });
        TreeScreens {
            trees: known.collect(),
            coordinator: coordinator.clone(),
            has_trouble: RefCell::default(),
        }
    }

    pub fn tree(&self, at: usize) -> &NavigationTree {
        &self.trees[at].tree
    }

    /// How many trees there are.
    pub fn count(&self) -> usize {
        self.trees.len()
    }

    pub fn tree_name(&self, at: usize) -> &str {
        &self.trees[at].name
    }

    /// Why what was measured could not be kept, if so.
    pub fn trouble(&self) -> Option<String> {
        self.has_trouble.borrow().clone()
    }

    fn recognised(&self, tree: usize, scene: &Scene, status: Option<u16>) -> Recognition {
        recognise(&self.trees[tree].tree, scene, status)
    }
}

impl Screens for TreeScreens {
    fn called(&self, name: &str) -> ScreenCalled {
        let mut found = Vec::new();
        let mut nearest = Vec::new();
        for (tree, known) in self.trees.iter().enumerate() {
            match screen_called(&known.tree, name, &known.facts) {
                Ok(screen) => found.push(ScreenName { tree, name: screen.name.clone() }),
                Err(NoScreen::Several { candidates }) => return ScreenCalled::Several(candidates),
                Err(NoScreen::Unknown { nearest: near }) => nearest.extend(near),
            }
        }
        match found.len() {
            0 => ScreenCalled::Unknown { nearest },
            1 => ScreenCalled::One(found.remove(0)),
            _ => {
                let said = found.iter().map(|one| format!("{} of {}", one.name, self.trees[one.tree].name));
                ScreenCalled::Several(said.collect())
            }
        }
    }

    fn thing_called(&self, name: &str) -> Option<(ScreenName, Thing)> {
        let mut found = self.trees.iter().enumerate().filter_map(|(tree, known)| {
            let (screen, thing) = thing_called(&known.tree, name, &known.facts)?;
            let mut listed_on: Vec<String> = Vec::new();
            for way in known.tree.ways().filter(|way| way.to == screen.name && way.from != ANY_SCREEN) {
                if !listed_on.iter().any(|known| known == way.from) {
                    listed_on.push(way.from.to_string());
                }
            }
            let thing = Thing {
                whole: format!("{} {thing}", screen.name),
                name: thing,
                address: screen.address.clone()?,
                listed_on,
            };
            Some((ScreenName { tree, name: screen.name.clone() }, thing))
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    fn base_url(&self, tree: usize) -> Option<String> {
        self.trees[tree].tree.base_url.clone()
    }

    fn place(&self, tree: usize, scene: &Scene, status: Option<u16>) -> ScreenPlace {
        let found = self.recognised(tree, scene, status);
        match found.place {
            Place::Screen(name) => {
                ScreenPlace { screen: Some(name), shown: found.shown, ..ScreenPlace::default() }
            }
            Place::Unsure { why, candidates } => {
                ScreenPlace { screen: None, shown: found.shown, why, candidates }
            }
        }
    }

    fn against(&self, to: &ScreenName, scene: &Scene, status: Option<u16>) -> Option<Against> {
        let tree = &self.trees[to.tree].tree;
        let is_part = |shown: &str| {
            let within = |name: &str| tree.screen(name)?.within.clone();
            let above = std::iter::successors(Some(shown.to_string()), |name| within(name));
            above.take(tree.screens.len() + 1).any(|name| name == to.name)
        };
        if let Place::Screen(shown) = self.recognised(to.tree, scene, status).place {
            return (!is_part(&shown)).then_some(Against::Other(shown));
        }
        let why = contradictions(tree, &to.name, scene, status);
        (!why.is_empty()).then(|| Against::Doubt(why.join("; ")))
    }

    fn is_of_another(&self, tree: usize, address: &str, screen: &str) -> bool {
        let screens = &self.trees[tree].tree.screens;
        let fixed = |known: &&assay_protocol::Screen| {
            let pattern = known.address.as_ref().filter(|pattern| pattern.matches(address))?;
            Some(pattern.fixed_letters())
        };
        // Screens of one address are told apart by what they show, such as before and after a login.
        let own = screens.iter().find(|known| known.name == screen).and_then(|known| fixed(&known));
        screens
            .iter()
            .filter_map(|known| fixed(&known))
            .max()
            .is_some_and(|most| own.is_none_or(|own| most > own))
    }

    fn way(&self, tree: usize, from: Option<&str>, to: &str, failed: &[ScreenLeg]) -> Option<Vec<ScreenLeg>> {
        let known = &self.trees[tree];
        let metrics = known.metrics.borrow();
        let mut without: HashSet<Leg> = failed.iter().map(to_leg).collect();
        // A link of every screen that failed twice fails on the others as well.
        for (at, leg) in failed.iter().enumerate() {
            let is_again = |other: &ScreenLeg| other.to == leg.to && other.how == leg.how;
            if failed[..at].iter().any(is_again) {
                let everywhere = known.tree.screens.iter().map(|screen| screen.name.clone());
                without.extend(everywhere.map(|from| Leg { from: Some(from), ..to_leg(leg) }));
            }
        }
        let legs = Routes::new(&known.tree, &metrics).find(from, to, &without)?;
        legs.into_iter().map(|leg| from_leg(&known.tree, leg)).collect()
    }

    fn is_of_every_screen(&self, tree: usize, leg: &ScreenLeg) -> bool {
        matches!(leg.how, LegHow::Acts(_)) && measured_as(&self.trees[tree].tree, leg).0 == ANY_SCREEN
    }

    fn unmet_condition(&self, tree: usize, screen: &str, shown: &str) -> Option<String> {
        let condition = |name: &str| self.trees[tree].tree.screen(name)?.when.clone();
        let (wanted, other) = (condition(screen)?, condition(shown)?);
        let are_opposite = |one: &str, other: &str| one == LOGGED_IN && other == LOGGED_OUT;
        (are_opposite(&wanted, &other) || are_opposite(&other, &wanted)).then_some(wanted)
    }

    fn walked(&self, tree: usize, leg: &ScreenLeg, milliseconds: u64, trouble: Option<&str>) {
        let known = &self.trees[tree];
        let Some(coordinator) = &self.coordinator else { return };
        let (from, acts) = measured_as(&known.tree, leg);
        let tried =
            EdgeTry { tree: &known.name, from: &from, to: &leg.to, acts: &acts, milliseconds, trouble };
        if let Err(error) = coordinator.edge_tried(tried) {
            // The walk goes on; only what was measured is lost.
            self.has_trouble.borrow_mut().get_or_insert(error.to_string());
        }
    }
}

/// An edge from any screen is one edge, wherever it was walked, and so is opening an address.
fn measured_as(tree: &NavigationTree, leg: &ScreenLeg) -> (String, Vec<String>) {
    match &leg.how {
        LegHow::Open(_) => (ANY_SCREEN.to_string(), Vec::new()),
        LegHow::Acts(acts) => {
            let is_own = tree
                .ways()
                .any(|way| Some(way.from) == leg.from.as_deref() && way.to == leg.to && way.acts == acts);
            let from = if is_own { leg.from.clone().unwrap_or_default() } else { ANY_SCREEN.to_string() };
            (from, acts.clone())
        }
    }
}

fn to_leg(leg: &ScreenLeg) -> Leg {
    let step = match &leg.how {
        LegHow::Acts(acts) => Step::Acts(acts.clone()),
        LegHow::Open(_) => Step::Open,
    };
    Leg { from: leg.from.clone(), to: leg.to.clone(), step }
}

fn from_leg(tree: &NavigationTree, leg: Leg) -> Option<ScreenLeg> {
    let how = match leg.step {
        Step::Acts(acts) => LegHow::Acts(acts),
        Step::Open => LegHow::Open(tree.screen(&leg.to)?.address.as_ref()?.to_string()),
    };
    Some(ScreenLeg { from: leg.from, to: leg.to, how })
}
