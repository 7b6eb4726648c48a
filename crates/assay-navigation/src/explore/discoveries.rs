//! What an exploring has found, as a tree.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use assay_protocol::{
    ANY_SCREEN, AddressPattern, Edge, ElementCondition, FactKind, LINK_TO, LearnedFact, NavigationTree,
    Scene, Screen, fits_glob, in_one_line,
};

use super::children::act_of;
use super::found::{Found, Goal, Part};
use super::naming::Naming;
use super::{Explorer, LeftOut, literal_pattern};
use crate::address::{origin_of, path_of};
use crate::compare::{Comparison, merge};
use crate::recognise::{Place, recognise, shows};
use crate::wall::wall_of;

/// A page that takes longer than this is slow.
const SLOW_MS: u64 = 3_000;

/// The end of an exploring.
#[derive(Debug, Clone)]
pub struct Discoveries {
    pub tree: NavigationTree,
    /// Scenes of each screen of the tree.
    pub scenes: Vec<Vec<Scene>>,
    /// Addresses that asked for a login.
    pub behind_login: Vec<String>,
    pub left_out: Vec<LeftOut>,
    pub facts: Vec<LearnedFact>,
    /// Why it ended before everything was seen.
    pub stopped: Option<String>,
    pub looks: usize,
}

/// A tree with what was discovered, and what that changed.
pub fn joined(old: &NavigationTree, found: &Discoveries) -> (NavigationTree, Comparison) {
    let still_fits = |screen: &Screen, at: usize| found.scenes[at].iter().all(|scene| shows(screen, scene));
    merge(old, &found.tree, &still_fits)
}

impl Explorer {
    /// What was found so far.
    pub fn discoveries(&self) -> Discoveries {
        let naming = Naming::of(&self.screens);
        let mut taken: HashSet<String> = HashSet::new();
        let mut names: Vec<String> = vec![String::new(); self.screens.len()];
        // A page has the first choice of a name, before what a query makes of it.
        let is_view = |found: &Found| found.part.is_none() && found.pattern.contains('?');
        for of_views in [false, true] {
            for (at, found) in self.screens.iter().enumerate().filter(|(_, found)| is_view(found) == of_views)
            {
                names[at] = naming.name(found, &taken);
                taken.insert(names[at].clone());
            }
        }
        let mut screens: Vec<Screen> = self
            .screens
            .iter()
            .zip(&names)
            .map(|(found, name)| self.screen(found, name, &names, &naming))
            .collect();
        self.tell_apart(&mut screens);
        let mut tree = NavigationTree {
            interface: String::new(),
            base_url: Some(self.origin.clone()),
            entry: names.first().cloned().into_iter().collect(),
            screens,
            edges: Vec::new(),
        };
        tree.edges = self.edges(&tree, &names);
        Discoveries {
            tree,
            scenes: self
                .screens
                .iter()
                .map(|found| found.samples.iter().map(|one| one.scene.clone()).collect())
                .collect(),
            behind_login: self.behind_login.keys().cloned().collect(),
            left_out: self.left_out.values().cloned().collect(),
            facts: self.facts(&names),
            stopped: self.stopped.clone(),
            looks: self.looks,
        }
    }

    fn screen(&self, found: &Found, name: &str, names: &[String], naming: &Naming) -> Screen {
        let mut screen = Screen { name: name.to_string(), when: found.when.clone(), ..Screen::default() };
        screen.address = AddressPattern::parse(&found.pattern)
            .or_else(|_| AddressPattern::parse(&literal_pattern(&found.samples[0].address)))
            .ok();
        screen.within = found.base.map(|base| names[base].clone());
        let heading = naming.heading(found);
        match &found.part {
            Some(Part::Dialog(name)) => {
                let role = self.dialog_role(found);
                screen.has.push(ElementCondition::of(&role, if name.contains('"') { "" } else { name }));
                // The name of a dialog may be its heading only.
                let is_named = found.samples[0]
                    .scene
                    .nodes
                    .iter()
                    .any(|node| node.role == role && fits_glob(name, &in_one_line(&node.name)));
                if !is_named {
                    screen.has[0].name = None;
                    screen.heading = heading;
                }
                return screen;
            }
            Some(Part::Tab(name)) => {
                let mut tab = ElementCondition::of("tab", name);
                tab.states.push("selected".to_string());
                screen.has.push(tab);
                return screen;
            }
            Some(Part::Menu(entries)) => {
                screen.has.extend(entries.iter().map(|entry| ElementCondition::of(&entry.role, &entry.name)));
                if self.is_everywhere(found) {
                    screen.address = None;
                }
                return screen;
            }
            Some(Part::Layer(name)) => {
                screen.heading = Some(in_one_line(name));
                return screen;
            }
            Some(Part::View) | None => screen.heading = heading,
        }
        let is_bare = screen.heading.is_none();
        if is_bare && let Some(title) = naming.title(found).filter(|_| !found.pattern.contains('{')) {
            screen.title = Some(format!("*{title}*"));
        }
        if found.samples.iter().any(|sample| sample.features.has_password) {
            screen.has.extend(password_of(&found.samples[0].scene));
        }
        if let Some(mark) = self.mark_of(found, is_bare).filter(|mark| !screen.has.contains(mark)) {
            screen.has.push(mark);
        }
        // A page that asks to log in, or for a code, is known by that.
        if let Some(wall) = wall_of(&found.samples[0].scene) {
            let text = in_one_line(&wall.text);
            let mark = ElementCondition { role: None, name: Some(text.clone()), states: Vec::new() };
            if !text.contains('"') && mark.holds_in(&found.samples[0].scene) && !screen.has.contains(&mark) {
                screen.has.push(mark);
            }
        }
        // An address alone says nothing of what is shown there.
        let is_headed = found.samples.iter().all(|sample| sample.features.heading.is_some());
        if is_bare && screen.title.is_none() && screen.has.is_empty() && is_headed {
            screen.has.push(ElementCondition::of("heading", ""));
        }
        screen
    }

    fn dialog_role(&self, found: &Found) -> String {
        let roles = ["alertdialog", "dialog"];
        let scene = &found.samples[0].scene;
        let role = roles.iter().find(|role| scene.nodes.iter().any(|node| node.role == **role));
        role.map_or("dialog", |role| *role).to_string()
    }

    /// A fixed element of the content that few other screens have.
    fn mark_of(&self, found: &Found, is_bare: bool) -> Option<ElementCondition> {
        let pages: Vec<&Found> = self.screens.iter().filter(|other| other.part.is_none()).collect();
        let is_rare = |label: &&String| {
            let count =
                pages.iter().filter(|other| other.samples[0].features.labels.contains(*label)).count();
            count * 3 <= pages.len().max(3)
        };
        // A button may go with the state of things; fields and columns are the screen itself.
        let fields: &[&str] = &["textbox", "searchbox", "combobox", "columnheader"];
        let others: &[&str] = &["tab", "button", "heading", "table", "region", "group", "form"];
        let roles = if is_bare { [fields, others].concat() } else { fields.to_vec() };
        roles.into_iter().find_map(|role| {
            let of_role = |label: &&String| label.split(' ').next() == Some(role);
            let label = common_labels(found).into_iter().find(|label| of_role(label) && is_rare(label))?;
            let name = label.split_once(' ').map_or("", |(_, name)| name);
            (!name.contains('"')).then(|| ElementCondition::of(role, name))
        })
    }

    /// Adds to screens that are taken for each other what only one of them has.
    fn tell_apart(&self, screens: &mut [Screen]) {
        for _ in 0..2 {
            for at in 0..screens.len() {
                let scene = &self.screens[at].samples[0].scene;
                let tree = NavigationTree { screens: screens.to_vec(), ..NavigationTree::default() };
                if matches!(recognise(&tree, scene, None).place, Place::Screen(name) if name == screens[at].name)
                {
                    continue;
                }
                let rivals: Vec<usize> = (0..screens.len())
                    .filter(|other| *other != at && shows(&screens[*other], scene))
                    .collect();
                for rival in rivals {
                    let own = common_labels(&self.screens[at]);
                    let theirs = common_labels(&self.screens[rival]);
                    let condition = |label: &String| {
                        let (role, name) = label.split_once(' ')?;
                        (!name.contains('"')).then(|| ElementCondition::of(role, name))
                    };
                    if let Some(mark) =
                        own.iter().find(|label| !theirs.contains(label)).and_then(|label| condition(label))
                    {
                        if !screens[at].has.contains(&mark) {
                            screens[at].has.push(mark);
                        }
                    } else if let Some(mark) =
                        theirs.iter().find(|label| !own.contains(label)).and_then(|label| condition(label))
                        && !screens[rival].has.contains(&mark)
                    {
                        screens[rival].has.push(mark);
                    }
                }
            }
        }
    }

    fn goal(&self, goal: &Goal) -> Option<usize> {
        match goal {
            Goal::Screen(at) => Some(*at),
            Goal::Pattern(pattern) => {
                let by_kind = || self.kind_of(pattern);
                let by_pattern = || {
                    self.screens.iter().position(|found| found.part.is_none() && found.pattern == *pattern)
                };
                let in_kinds = self.in_kinds(pattern);
                let by_kind_above = || {
                    let is_it = |found: &Found| found.part.is_none() && found.pattern == in_kinds;
                    self.leads.get(&in_kinds).copied().or_else(|| self.screens.iter().position(is_it))
                };
                let known = self.leads.get(pattern).copied().or_else(by_pattern);
                known.or_else(by_kind_above).or_else(by_kind)
            }
        }
    }

    /// One address may show a screen before the login and another one behind it: a link leads to the one in its own state.
    fn in_state_of(&self, from: usize, to: usize) -> usize {
        let (state, goal) = (&self.screens[from].when, &self.screens[to]);
        if state.is_none() || goal.when == *state || goal.part.is_some() {
            return to;
        }
        let is_twin =
            |found: &Found| found.part.is_none() && found.pattern == goal.pattern && found.when == *state;
        self.screens.iter().position(is_twin).unwrap_or(to)
    }

    fn edges(&self, tree: &NavigationTree, names: &[String]) -> Vec<Edge> {
        let mut acts_of: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
        let mut order: Vec<(usize, usize)> = Vec::new();
        for way in &self.ways {
            let to = self.goal(&way.to).map(|to| self.in_state_of(way.from, to));
            let Some(to) = to.filter(|to| *to != way.from) else { continue };
            let mut acts = way.acts.clone();
            if let Some(link) = &way.link {
                let is_data = tree.screens[to].address.as_ref().is_some_and(|address| !address.is_literal());
                let pattern = match &way.to {
                    Goal::Pattern(pattern) => tree.screens[to]
                        .address
                        .as_ref()
                        .filter(|address| address.matches(pattern))
                        .map_or(pattern.as_str(), AddressPattern::as_str),
                    Goal::Screen(_) => "/",
                };
                match link.name.as_ref().filter(|_| !is_data) {
                    Some(name) => acts.push(format!("click link \"{name}\"")),
                    None if AddressPattern::parse(pattern).is_ok() => {
                        acts.push(format!("{LINK_TO}{pattern}"))
                    }
                    None => continue,
                }
            }
            let key = (way.from, to);
            match acts_of.get_mut(&key) {
                // Fewer acts are a surer way.
                Some(known) if known.len() > acts.len() => *known = acts,
                Some(_) => {}
                None => {
                    order.push(key);
                    acts_of.insert(key, acts);
                }
            }
        }
        let everywhere = self.everywhere(&acts_of);
        let is_everywhere =
            |key: &(usize, usize)| everywhere.get(&key.1).is_some_and(|acts| acts_of.get(key) == Some(acts));
        let mut edges: Vec<Edge> = everywhere
            .iter()
            .map(|(to, acts)| Edge {
                from: ANY_SCREEN.to_string(),
                to: names[*to].clone(),
                acts: acts.clone(),
                back: Vec::new(),
            })
            .collect();
        let mut done: HashSet<(usize, usize)> = HashSet::new();
        for key in order {
            if is_everywhere(&key) || !done.insert(key) {
                continue;
            }
            let reverse = (key.1, key.0);
            let back = acts_of
                .get(&reverse)
                .filter(|_| !is_everywhere(&reverse) && !done.contains(&reverse))
                .cloned();
            if back.is_some() {
                done.insert(reverse);
            }
            edges.push(Edge {
                from: names[key.0].clone(),
                to: names[key.1].clone(),
                acts: acts_of[&key].clone(),
                back: back.unwrap_or_default(),
            });
        }
        edges
    }

    /// Screens that nearly all pages link to in the same words.
    fn everywhere(&self, acts_of: &BTreeMap<(usize, usize), Vec<String>>) -> BTreeMap<usize, Vec<String>> {
        let pages: BTreeSet<usize> =
            (0..self.screens.len()).filter(|at| self.screens[*at].part.is_none()).collect();
        let mut counted: HashMap<(usize, &Vec<String>), usize> = HashMap::new();
        for ((from, to), acts) in acts_of {
            if pages.contains(from) {
                *counted.entry((*to, acts)).or_default() += 1;
            }
        }
        let mut found: BTreeMap<usize, (usize, Vec<String>)> = BTreeMap::new();
        for ((to, acts), count) in counted {
            let others = pages.iter().filter(|at| **at != to).count();
            let is_most = count >= 3 && count * 10 >= others * 7;
            let best = found.get(&to).map_or(0, |(known, _)| *known);
            if is_most && count > best {
                found.insert(to, (count, acts.clone()));
            }
        }
        let mut found: BTreeMap<usize, Vec<String>> =
            found.into_iter().map(|(to, (_, acts))| (to, acts)).collect();
        for (at, menu) in self.screens.iter().enumerate().filter(|(_, menu)| self.is_everywhere(menu)) {
            found.entry(at).or_insert_with(|| menu.start.1.iter().map(act_of).collect());
        }
        found
    }

    /// Whether a menu opens from nearly every page.
    fn is_everywhere(&self, found: &Found) -> bool {
        let (Some(Part::Menu(_)), [press]) = (&found.part, found.start.1.as_slice()) else { return false };
        let pages: Vec<&Found> = self.screens.iter().filter(|page| page.part.is_none()).collect();
        let is_it = |node: &assay_protocol::SceneNode| node.role == press.role && node.name == press.name;
        let count = pages.iter().filter(|page| page.samples[0].scene.nodes.iter().any(is_it)).count();
        count >= 3 && count * 10 >= pages.len() * 7
    }

    fn facts(&self, names: &[String]) -> Vec<LearnedFact> {
        let mut facts = Vec::new();
        let mut add = |at: usize, kind: FactKind, value: String, evidence: String| {
            facts.push(LearnedFact {
                subject: names[at].clone(),
                kind,
                value,
                evidence,
                seen: 1,
                ..LearnedFact::default()
            });
        };
        for (at, found) in self.screens.iter().enumerate() {
            let path = path_of(&found.samples[0].address).to_string();
            let label = in_one_line(&found.label);
            if !label.is_empty() && label != names[at] && !found.pattern.contains('{') {
                add(at, FactKind::Label, label, format!("it leads to {path}"));
            }
            let title = in_one_line(&found.samples[0].scene.title);
            if found.part.is_none() && !found.pattern.contains('{') && !title.is_empty() && title != names[at]
            {
                add(at, FactKind::Label, title, format!("the title of {path}"));
            }
            let slowest = found.samples.iter().map(|sample| sample.took_ms).max().unwrap_or_default();
            if slowest >= SLOW_MS {
                add(
                    at,
                    FactKind::Slow,
                    format!("{:.0} s", slowest as f64 / 1000.0),
                    format!("{path} took so long to open"),
                );
            }
        }
        for (asked, at) in &self.redirects {
            let landed = path_of(&self.screens[*at].samples[0].address).to_string();
            add(*at, FactKind::Redirect, asked.clone(), format!("{asked} leads to {landed}"));
        }
        facts
    }

    /// Whether the address belongs to the application.
    pub fn is_inside(&self, address: &str) -> bool {
        origin_of(address).is_some_and(|origin| origin == self.origin)
    }
}

/// The labels that all scenes of a screen have.
fn common_labels(found: &Found) -> Vec<&String> {
    let mut samples = found.samples.iter();
    let Some(first) = samples.next() else { return Vec::new() };
    let rest: Vec<_> = samples.collect();
    first
        .features
        .labels
        .iter()
        .filter(|label| rest.iter().all(|sample| sample.features.labels.contains(*label)))
        .collect()
}

fn password_of(scene: &Scene) -> Option<ElementCondition> {
    let is_secret =
        |node: &&assay_protocol::SceneNode| node.is("secret") || node.attribute("type") == Some("password");
    let node = scene.nodes.iter().find(is_secret)?;
    let name = in_one_line(&node.name);
    Some(ElementCondition::of(&node.role, if name.contains('"') { "" } else { &name }))
}
