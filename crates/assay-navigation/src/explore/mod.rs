//! Exploring as decisions: what is looked at next, what of it is a screen, what is left out and why.
//!
//! The caller opens pages and presses controls, and hands back what it saw. The same answers lead to the same decisions,
//! so an exploring that was cut off goes on when its answers are given again.

mod children;
mod discoveries;
mod found;
mod naming;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use assay_protocol::{AddressPattern, Scene, SceneNode, in_one_line};
use serde::{Deserialize, Serialize};

pub use discoveries::{Discoveries, joined};
use found::{Entry, Found, Part, PendingWay, Sample};
pub(crate) use naming::parts_of as title_parts;

use crate::address::{common_pattern, origin_of, path_of, pattern_of};
use crate::features::Features;
use crate::harm::Opening;
use crate::likeness::{
    Entries, Sibling, are_things_of_one_kind, is_other_view, is_same_at_one_address, likeness,
};
use crate::robots::Robots;
use crate::wall::{WallKind, wall_of};

/// The states in which screens can be reached: only behind the login, only before it.
pub const LOGGED_IN: &str = "logged in";
pub const LOGGED_OUT: &str = "logged out";

/// How far exploring goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    pub screens: usize,
    /// How many links or presses a screen may be away from the start.
    pub depth: usize,
}

/// What exploring keeps to.
#[derive(Debug, Clone)]
pub struct Rules {
    pub budget: Budget,
    pub robots: Robots,
    /// Whether a label weighs, by the rules for guests: what it says pays or deletes.
    pub weighs: fn(&str) -> bool,
    /// Addresses of screens that a person protected.
    pub protected: Vec<AddressPattern>,
    /// Whether controls may be pressed: only where the browser can keep requests that write from being sent.
    pub presses: bool,
    /// Whether the caller can log in, once everything else was seen.
    pub logs_in: bool,
}

/// A control to press, as it stands in a scene.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Press {
    pub role: String,
    pub name: String,
    /// Which of those of this role and name, from 0.
    pub nth: usize,
    /// Others have the same role and name.
    #[serde(default)]
    pub is_one_of_many: bool,
    /// The words of the entry of a table or a list that it stands in.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub entry: String,
    /// A tab only shows something, whatever it is called.
    #[serde(default)]
    pub is_tab: bool,
    /// What the page's code calls the icon of a control without a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
}

/// What is to be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// Open the address, press the controls one after the other, and look.
    Look {
        address: String,
        presses: Vec<Press>,
    },
    /// Log in; everything that asked for a login is looked at again then.
    LogIn,
    Done,
}

/// What was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    Shown {
        scene: Box<Scene>,
        /// The status of the document, if it is an error.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
        took_ms: u64,
    },
    LoggedIn,
    /// There is no page there: a file, a refusal, a failure.
    Nothing {
        why: String,
    },
}

/// Something that was not opened or pressed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftOut {
    pub what: String,
    /// The address of the page that has it.
    pub at: String,
    pub why: String,
}

/// What waits to be looked at.
#[derive(Debug, Clone)]
struct Item {
    address: String,
    pattern: String,
    presses: Vec<Press>,
    from: Option<usize>,
    /// What leads there from the screen it was found on.
    acts: Vec<String>,
    label: String,
    depth: usize,
    is_in_menu: bool,
    opening: Option<Opening>,
    /// How many addresses of this shape its page links to.
    siblings: usize,
    /// It stands outside of lists and tables, among few of its shape.
    is_loose: bool,
    /// The screen that the address showed before the login.
    shown_before: Option<usize>,
}

impl Item {
    fn address(address: &str) -> Item {
        Item {
            address: address.to_string(),
            pattern: pattern_of(address),
            presses: Vec::new(),
            from: None,
            acts: Vec::new(),
            label: String::new(),
            depth: 0,
            is_in_menu: true,
            opening: None,
            siblings: 0,
            is_loose: false,
            shown_before: None,
        }
    }
}

/// Pages of one pattern with ids that are looked at: the second shows what is data.
const SAMPLES: usize = 2;
/// Where the id is in a query, each may be another page.
const QUERY_SAMPLES: usize = 6;
/// The same, for pages whose addresses differ by a word.
const LOW_LIKENESS: f64 = 0.3;
/// A filtered list is the list.
const FILTERED: f64 = 0.72;
const MOST_LEFT_OUT: usize = 2_000;
const MOST_QUEUED: usize = 20_000;

pub struct Explorer {
    rules: Rules,
    origin: String,
    start: String,
    queue: VecDeque<Item>,
    current: Option<Item>,
    screens: Vec<Found>,
    /// How often addresses of a pattern were queued.
    queued: HashMap<String, Vec<String>>,
    /// Presses that were queued, by what makes them one.
    pressed: BTreeSet<String>,
    /// The screen that a pattern leads to.
    leads: HashMap<String, usize>,
    /// Patterns of things of one kind.
    kinds: Vec<(AddressPattern, usize)>,
    ways: Vec<PendingWay>,
    left_out: BTreeMap<(String, String), LeftOut>,
    /// The addresses that asked for a login, by their patterns.
    behind_login: BTreeMap<String, String>,
    redirects: Vec<(String, usize)>,
    stopped: Option<String>,
    looks: usize,
    login: Login,
    /// A screen that a query only filters, and the pattern that both addresses have.
    filters: Option<(usize, String)>,
    /// For each path: how many of its queries showed a known screen, and how many a new one.
    queries: HashMap<String, (usize, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Login {
    Never,
    Later,
    Now,
    Done,
}

impl Explorer {
    /// Begins at an address.
    pub fn new(start: &str, rules: Rules) -> Explorer {
        let pattern = pattern_of(start);
        let first = Item::address(start);
        let logs_in = rules.logs_in;
        Explorer {
            rules,
            origin: origin_of(start).unwrap_or_default(),
            queue: VecDeque::from([first]),
            current: None,
            screens: Vec::new(),
            queued: HashMap::from([(pattern, vec![start.to_string()])]),
            pressed: BTreeSet::new(),
            leads: HashMap::new(),
            kinds: Vec::new(),
            ways: Vec::new(),
            left_out: BTreeMap::new(),
            behind_login: BTreeMap::new(),
            redirects: Vec::new(),
            stopped: None,
            looks: 0,
            filters: None,
            queries: HashMap::new(),
            login: if logs_in { Login::Later } else { Login::Never },
            start: start.to_string(),
        }
    }

    /// What is to be looked at next. The same until an answer is given.
    pub fn next_task(&mut self) -> Task {
        if self.current.is_none() {
            self.current = self.take();
        }
        match &self.current {
            None if self.login == Login::Now => Task::LogIn,
            Some(item) => Task::Look { address: item.address.clone(), presses: item.presses.clone() },
            None => Task::Done,
        }
    }

    /// Ends before everything was seen, and says why.
    pub fn stop(&mut self, why: &str) {
        if !self.queue.is_empty() || self.current.is_some() {
            self.stopped = Some(why.to_string());
        }
        self.queue.clear();
        self.current = None;
        if matches!(self.login, Login::Later | Login::Now) {
            self.login = Login::Never;
        }
    }

    pub fn screens(&self) -> usize {
        self.screens.len()
    }

    pub fn looks(&self) -> usize {
        self.looks
    }

    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    fn take(&mut self) -> Option<Item> {
        while let Some(mut item) = self.queue.pop_front() {
            item.pattern = self.in_kinds(&item.pattern);
            if self.screens.len() >= self.rules.budget.screens {
                self.stopped =
                    Some(format!("the limit of {} screens was reached", self.rules.budget.screens));
                self.queue.clear();
                return None;
            }
            // Meanwhile it may be known as one of many.
            if item.presses.is_empty()
                && !item.is_in_menu
                && item.siblings >= SAMPLES
                && !item.is_loose
                && self.is_one_of_many(&item.pattern)
            {
                continue;
            }
            if item.presses.is_empty() && self.is_only_filtered(&item.pattern) {
                let path = path_part(&item.pattern).to_string();
                let why = "pages of this path with other queries showed a screen that is known";
                self.leave_out(&format!("{path}?…"), &path, why);
                continue;
            }
            return Some(item);
        }
        if self.login == Login::Later {
            self.login = Login::Now;
        }
        None
    }

    /// Whether queries of a path filter what is known: enough of them did, and few showed something else.
    fn is_only_filtered(&self, pattern: &str) -> bool {
        const ENOUGH: usize = 4;
        let (known, new) = self.queries.get(path_part(pattern)).copied().unwrap_or_default();
        pattern.contains('?') && known >= ENOUGH && known >= 3 * new
    }

    /// Takes in what was seen of the task.
    pub fn seen(&mut self, seen: Seen) {
        if seen == Seen::LoggedIn {
            return self.logged_in();
        }
        let Some(item) = self.current.take() else { return };
        self.looks += 1;
        let (scene, status, took_ms) = match seen {
            Seen::Shown { scene, status, took_ms } => (scene, status, took_ms),
            Seen::LoggedIn => return,
            Seen::Nothing { why } => return self.leave_out(&item_name(&item), &item.address, &why),
        };
        if origin_of(&scene.url).is_none_or(|origin| origin != self.origin) {
            return self.leave_out(&item_name(&item), &item.address, "it leads to another site");
        }
        if let Some(status) = status.filter(|status| *status >= 400) {
            return self.leave_out(
                &item_name(&item),
                &item.address,
                &format!("the server answered with status {status}"),
            );
        }
        let wall = wall_of(&scene);
        let is_nothing = |kind: WallKind| matches!(kind, WallKind::Nothing | WallKind::NoPermission);
        if let Some(wall) = wall.as_ref().filter(|wall| item.from.is_some() && is_nothing(wall.kind)) {
            let why = format!("the page says \"{}\"", in_one_line(&wall.text));
            return self.leave_out(&item_name(&item), &item.address, &why);
        }
        let asks_to_log_in = wall.is_some_and(|wall| wall.kind == WallKind::Login);
        if asks_to_log_in && item.presses.is_empty() && item.from.is_some() {
            self.behind_login.insert(item.pattern.clone(), item.address.clone());
        }
        let features = Features::of(&scene);
        let sample = Sample {
            address: scene.url.clone(),
            features,
            took_ms,
            menu: item.is_in_menu.then_some(item.from.unwrap_or_default()),
            scene: *scene,
        };
        if item.presses.is_empty() {
            self.opened(&item, sample);
        } else {
            self.pressed(&item, sample);
        }
    }

    /// From now on, pages show what they hid.
    fn logged_in(&mut self) {
        self.login = Login::Done;
        let hidden = std::mem::take(&mut self.behind_login);
        for address in std::iter::once(self.start.clone()).chain(hidden.values().cloned()) {
            self.leads.remove(&pattern_of(&address));
            let is_there = |known: &Found| known.part.is_none() && known.start.0 == address;
            let shown_before = self.screens.iter().position(is_there);
            self.queue.push_back(Item { shown_before, ..Item::address(&address) });
        }
        // Pages that everybody sees may show more to somebody who is known.
        let pages = self.screens.iter().enumerate().filter(|(_, known)| known.part.is_none());
        let again: Vec<Item> = pages
            .filter(|(_, known)| known.start.0 != self.start)
            .map(|(at, known)| Item {
                depth: known.depth,
                from: Some(at),
                shown_before: Some(at),
                ..Item::address(&known.start.0)
            })
            .collect();
        self.queue.extend(again);
        self.pressed.clear();
    }

    /// An address was opened.
    fn opened(&mut self, item: &Item, sample: Sample) {
        let landed = self.in_kinds(&pattern_of(&sample.address));
        let asked = item.pattern.clone();
        let is_elsewhere = landed != asked && !self.is_one_pattern(&asked, &sample.address);
        if sample.features.has_password && self.is_wall(item, &sample, is_elsewhere) {
            self.behind_login.insert(asked.clone(), item.address.clone());
        }
        let count = self.screens.len();
        let at = self.page(item, landed, sample);
        if let Some(before) = item.shown_before.filter(|before| *before != at) {
            // Its address leads elsewhere now: only those see it who are not logged in.
            self.screens[before].when.get_or_insert_with(|| LOGGED_OUT.to_string());
        }
        if asked.contains('?') {
            let seen = self.queries.entry(path_part(&asked).to_string()).or_default();
            if self.screens.len() > count { seen.1 += 1 } else { seen.0 += 1 }
        }
        if is_elsewhere {
            self.redirects.push((asked.clone(), at));
        }
        self.leads.insert(asked, at);
    }

    fn is_one_pattern(&self, pattern: &str, address: &str) -> bool {
        AddressPattern::parse(pattern).is_ok_and(|pattern| pattern.matches(address))
    }

    /// Whether a form with a password stands in the place of what was asked for.
    fn is_wall(&self, item: &Item, sample: &Sample, is_elsewhere: bool) -> bool {
        let is_known = |found: &Found| {
            found.samples.first().is_some_and(|known| {
                known.features.has_password
                    && pattern_of(&known.address) != item.pattern
                    && likeness(&known.features, &sample.features) > 0.8
            })
        };
        is_elsewhere || self.screens.iter().any(is_known)
    }

    /// A page at an address: a known screen, or a new one.
    fn page(&mut self, item: &Item, pattern: String, sample: Sample) -> usize {
        if let Some(at) = self.known_page(&pattern, &sample, item) {
            let scene = sample.scene.clone();
            self.add_sample(at, sample);
            // A login adds links to pages that are known.
            if self.login == Login::Done && !self.screens[at].is_revisited {
                self.screens[at].is_revisited = true;
                let known = self.screens[at].samples[0].controls();
                if self.screens[at].when.is_none() && self.screens[at].depth < self.rules.budget.depth {
                    self.queue_children(at, Some(&scene), &[], &known);
                }
            }
            return at;
        }
        let is_taken = self.screens.iter().any(|known| known.part.is_none() && known.pattern == pattern);
        // The pattern of another screen: only the address itself tells them apart.
        let pattern =
            if is_taken && pattern.contains('{') { literal_pattern(&sample.address) } else { pattern };
        let depth = item.depth;
        let found = Found {
            pattern: pattern.clone(),
            label: item.label.clone(),
            part: None,
            base: None,
            depth,
            start: (sample.address.clone(), Vec::new()),
            samples: vec![sample],
            siblings: item.siblings,
            when: self.condition(),
            is_revisited: self.login == Login::Done,
        };
        self.screens.push(found);
        let at = self.screens.len() - 1;
        self.leads.entry(pattern).or_insert(at);
        if depth < self.rules.budget.depth {
            self.queue_children(at, None, &[], &[]);
        } else {
            self.note_ways(at);
        }
        at
    }

    fn known_page(&mut self, pattern: &str, sample: &Sample, item: &Item) -> Option<usize> {
        let is_id_in_path = path_part(pattern).contains('{');
        for (at, known) in self.screens.iter().enumerate() {
            let Some(first) = known.samples.first() else { continue };
            if known.part.is_some() && !matches!(known.part, Some(Part::View)) {
                continue;
            }
            if without_last_slash(&known.pattern) == without_last_slash(pattern) {
                let is_same = is_same_at_one_address(&first.features, &sample.features)
                    || (is_id_in_path
                        && first.features.has_password == sample.features.has_password
                        && first.features.dialog == sample.features.dialog
                        && likeness(&first.features, &sample.features) >= LOW_LIKENESS);
                if is_same {
                    return Some(at);
                }
            }
            // A value in a query that changes only the data is a filter.
            if known.part.is_none()
                && path_part(&known.pattern) == path_part(pattern)
                && (known.pattern.contains('?') || pattern.contains('?'))
                && first.features.heading.is_some()
                && is_like_heading(first.features.heading.as_deref(), sample.features.heading.as_deref())
                && first.features.has_password == sample.features.has_password
                && likeness(&first.features, &sample.features) >= FILTERED
                && !(first.leads_by_heading_to(sample) && sample.leads_by_heading_to(first))
                && !adds_more((&known.pattern, &first.features), (pattern, &sample.features))
            {
                self.filters = Some((at, common_query(&known.pattern, pattern)));
                break;
            }
            // A login that stands in the place of many pages is one screen.
            if known.part.is_none()
                && first.features.has_password
                && sample.features.has_password
                && first.features.heading == sample.features.heading
                && likeness(&first.features, &sample.features) > 0.8
                && !pattern.contains('{')
                && self.is_in_place_of(&sample.address, &item.address)
            {
                return Some(at);
            }
        }
        if let Some((at, common)) = self.filters.take() {
            let before = std::mem::replace(&mut self.screens[at].pattern, common);
            self.leads.insert(before, at);
            return Some(at);
        }
        self.kind_among(pattern, sample, item)
    }

    /// Whether a page came at the address that was asked for, and not by a redirect.
    fn is_in_place_of(&self, shown: &str, asked: &str) -> bool {
        path_of(shown) == path_of(asked)
    }

    /// A thing of the same kind as a known one, under a neighbouring address.
    fn kind_among(&mut self, pattern: &str, sample: &Sample, item: &Item) -> Option<usize> {
        let links = sample.links();
        let entries = Entries::of(&sample.scene);
        let own = Sibling { address: &sample.address, menu: sample.menu, links: &links, entries: &entries };
        for at in 0..self.screens.len() {
            let known = &self.screens[at];
            let (Some(first), None) = (known.samples.first(), &known.part) else { continue };
            // A pattern with the number of a thing has its word before the brace.
            let is_kind = known.pattern.contains("{name}") || ends_with_number(&known.pattern);
            let is_of_kind = AddressPattern::parse(&known.pattern)
                .is_ok_and(|kind| is_kind && kind.matches(&sample.address));
            let Some(common) =
                is_of_kind.then(|| known.pattern.clone()).or_else(|| common_pattern(&known.pattern, pattern))
            else {
                continue;
            };
            let others = first.links();
            let theirs = Entries::of(&first.scene);
            let other =
                Sibling { address: &first.address, menu: first.menu, links: &others, entries: &theirs };
            let siblings = item.siblings.max(known.siblings);
            if !are_things_of_one_kind((&other, &first.features), (&own, &sample.features), siblings) {
                continue;
            }
            if let Ok(kind) = AddressPattern::parse(&common) {
                self.kinds.retain(|(_, screen)| *screen != at);
                self.kinds.push((kind, at));
            }
            let before = std::mem::replace(&mut self.screens[at].pattern, common);
            self.leads.insert(before, at);
            // What lies below the thing belongs to any of its kind.
            for other in 0..self.screens.len() {
                let pattern = self.in_kinds(&self.screens[other].pattern);
                let is_free =
                    self.screens.iter().all(|known| known.part.is_some() || known.pattern != pattern);
                if is_free {
                    let before = std::mem::replace(&mut self.screens[other].pattern, pattern);
                    self.leads.insert(before, other);
                }
            }
            return Some(at);
        }
        None
    }

    fn add_sample(&mut self, at: usize, sample: Sample) {
        const MOST: usize = 3;
        let known = &mut self.screens[at];
        if known.samples.len() < MOST && known.samples.iter().all(|other| other.address != sample.address) {
            known.samples.push(sample);
        }
    }

    /// A pattern in which the names of things of a known kind are data: `/projects/boats/news` is `/projects/{name}/news`.
    fn in_kinds(&self, pattern: &str) -> String {
        for (kind, _) in &self.kinds {
            let Some(folder) = kind.as_str().trim_end_matches('/').strip_suffix("{name}") else { continue };
            let Some(below) = pattern.strip_prefix(folder) else { continue };
            let end = below.find(['/', '?']).unwrap_or(below.len());
            let (name, rest) = below.split_at(end);
            let is_name = !name.is_empty() && !name.contains('#') && !children::OWN_WORDS.contains(&name);
            if is_name && rest.len() > 1 && name != "{name}" {
                return format!("{folder}{{name}}{rest}");
            }
        }
        pattern.to_string()
    }

    /// Whether an address is one of many of a kind. With a query, it shows something else of the thing.
    fn is_one_of_many(&self, pattern: &str) -> bool {
        let has_query = pattern.contains('?');
        self.kinds.iter().any(|(kind, _)| kind.as_str().contains('?') == has_query && kind.matches(pattern))
    }

    /// The screen that many addresses of one pattern lead to.
    fn kind_of(&self, address: &str) -> Option<usize> {
        self.kinds.iter().find(|(kind, _)| kind.matches(address)).map(|(_, at)| *at)
    }

    /// Controls were pressed on a screen.
    fn pressed(&mut self, item: &Item, sample: Sample) {
        let Some(from) = item.from else { return };
        let Some(base) = self.screens[from].samples.first() else { return };
        let before = base.features.clone();
        let is_same_address = pattern_of(&sample.address) == pattern_of(&item.address);
        if !is_same_address {
            let landed = pattern_of(&sample.address);
            let page = Item { depth: item.depth + 1, from: Some(from), ..item.clone() };
            let at = self.page(&page, landed, sample);
            self.way(from, at, &item.acts);
            return;
        }
        let after = &sample.features;
        let part = match (&after.dialog, item.opening) {
            (Some(name), _) if before.dialog.is_none() => {
                let entry = item.presses.last().map_or("", |press| press.entry.as_str());
                Some(Part::Dialog(without_words_of(name, entry)))
            }
            _ if let Some(entries) =
                menu_in(self.scene_before(from, item), &sample.scene, item.presses.last()) =>
            {
                Some(Part::Menu(entries))
            }
            _ if after.is_covered && !before.is_covered && after.heading.is_some() => {
                after.heading.clone().map(Part::Layer)
            }
            (_, Some(Opening::Tab)) if is_other_view(&before, after) => Some(Part::Tab(item.label.clone())),
            (_, Some(Opening::Plain)) if after.heading != before.heading && is_other_view(&before, after) => {
                Some(Part::View)
            }
            _ => None,
        };
        let Some(part) = part else {
            // Something opened: what is new in it can be followed.
            let known: Vec<String> = self.screens[from].samples[0].controls();
            self.queue_children(from, Some(&sample.scene), &item.presses, &known);
            return;
        };
        let same = self.screens.iter().position(|known| {
            let Some(first) = known.samples.first() else { return false };
            match (&part, &known.part) {
                (Part::Dialog(name), Some(Part::Dialog(other))) => {
                    name == other && likeness(&first.features, after) > 0.5
                }
                (Part::Tab(name), Some(Part::Tab(other))) => name == other && known.base == Some(from),
                (Part::Layer(name), Some(Part::Layer(other))) => {
                    name == other && likeness(&first.features, after) > 0.5
                }
                (Part::Menu(entries), Some(Part::Menu(others))) => entries == others,
                (Part::View, None | Some(Part::View)) => {
                    pattern_of(&first.address) == pattern_of(&sample.address)
                        && is_same_at_one_address(&first.features, after)
                }
                _ => false,
            }
        });
        if let Some(at) = same {
            self.add_sample(at, sample);
            if at != from {
                self.way(from, at, &item.acts);
            }
            return;
        }
        let known: Vec<String> = self.screens[from].samples[0].controls();
        let scene = sample.scene.clone();
        let found = Found {
            pattern: pattern_of(&item.address),
            label: item.label.clone(),
            part: Some(part),
            base: Some(from),
            depth: item.depth + 1,
            start: (item.address.clone(), item.presses.clone()),
            samples: vec![sample],
            siblings: 0,
            when: self.condition(),
            is_revisited: self.login == Login::Done,
        };
        let is_menu = matches!(found.part, Some(Part::Menu(_)));
        self.screens.push(found);
        let at = self.screens.len() - 1;
        self.way(from, at, &item.acts);
        if is_menu {
            // What a menu leads to is reached from its page.
            self.queue_children(from, Some(&scene), &item.presses, &known);
        } else if item.depth + 1 < self.rules.budget.depth {
            self.queue_children(at, Some(&scene), &item.presses, &known);
        }
    }

    /// What was shown before the last press: the page, or a menu that an earlier press opened.
    fn scene_before(&self, from: usize, item: &Item) -> &Scene {
        let Some((_, earlier)) = item.presses.split_last() else {
            return &self.screens[from].samples[0].scene;
        };
        let is_menu = |known: &&Found| {
            known.base == Some(from) && matches!(known.part, Some(Part::Menu(_))) && known.start.1 == earlier
        };
        let menu = self.screens.iter().find(is_menu).and_then(|menu| menu.samples.first());
        &menu.unwrap_or(&self.screens[from].samples[0]).scene
    }

    /// In which state of the application a screen was found.
    fn condition(&self) -> Option<String> {
        (self.login == Login::Done).then(|| LOGGED_IN.to_string())
    }

    fn way(&mut self, from: usize, to: usize, acts: &[String]) {
        if from != to && !acts.is_empty() {
            self.ways.push(PendingWay { from, to: found::Goal::Screen(to), acts: acts.to_vec(), link: None });
        }
    }

    fn leave_out(&mut self, what: &str, at: &str, why: &str) {
        if self.left_out.len() < MOST_LEFT_OUT {
            let entry = LeftOut { what: what.to_string(), at: path_of(at).to_string(), why: why.to_string() };
            self.left_out.entry((what.to_string(), why.to_string())).or_insert(entry);
        }
    }
}

/// Whether a pattern ends with the number of a thing behind its word: `/bug{id}`.
fn ends_with_number(pattern: &str) -> bool {
    let word = path_part(pattern).trim_end_matches('/').strip_suffix("{id}");
    word.is_some_and(|word| word.ends_with(|letter: char| letter.is_ascii_alphabetic()))
}

/// The first entries of a menu that a press opened; nothing where it opened something else.
fn menu_in(before: &Scene, after: &Scene, press: Option<&Press>) -> Option<Vec<Entry>> {
    const FEWEST: usize = 2;
    const LONGEST: usize = 60;
    const ENTRIES: &[&str] = &["menuitem", "menuitemcheckbox", "menuitemradio", "link", "button"];
    let press = press?;
    let is_new = {
        let known: BTreeSet<String> = before.nodes.iter().map(found::control_key).collect();
        move |node: &&SceneNode| !known.contains(&found::control_key(node))
    };
    let says_menu = before.nodes.iter().any(|node| {
        node.role == press.role
            && node.name == press.name
            && matches!(node.attribute("haspopup"), Some("true" | "menu"))
    });
    let is_menu = |node: &&SceneNode| node.role == "menu";
    let shows_menu = after.nodes.iter().filter(is_menu).count() > before.nodes.iter().filter(is_menu).count();
    if !says_menu && !shows_menu {
        return None;
    }
    let entries: Vec<Entry> = after
        .nodes
        .iter()
        .filter(is_new)
        .filter(|node| ENTRIES.contains(&node.role.as_str()) && !node.is("covered"))
        .map(|node| Entry { role: node.role.clone(), name: in_one_line(&node.name) })
        .filter(|entry| {
            let is_opener = entry.name.starts_with(in_one_line(&press.name).as_str());
            !entry.name.is_empty()
                && !entry.name.contains('"')
                && entry.name.chars().count() <= LONGEST
                && !is_opener
        })
        .collect();
    (entries.len() >= FEWEST).then(|| {
        // Numbers in entries are data.
        let has_number = |entry: &Entry| entry.name.chars().any(|letter| letter.is_ascii_digit());
        let mut fixed: Vec<Entry> = entries.iter().filter(|entry| !has_number(entry)).cloned().collect();
        if fixed.is_empty() {
            fixed = entries
                .into_iter()
                .map(|entry| Entry { name: naming::without_numbers(&entry.name), ..entry })
                .filter(|entry| entry.name.chars().any(char::is_alphabetic))
                .collect();
        }
        fixed.truncate(FEWEST);
        fixed
    })
}

/// A name in which the words of an entry are data: `Edit Ada Lovelace` of the row of Ada Lovelace is `Edit *`.
fn without_words_of(name: &str, entry: &str) -> String {
    let name = &without_quoted(name);
    let said: BTreeSet<String> = entry.split_whitespace().map(str::to_lowercase).collect();
    let mut kept: Vec<&str> = Vec::new();
    for word in name.split(' ') {
        let word = if said.contains(&word.to_lowercase()) { "*" } else { word };
        if word != "*" || kept.last() != Some(&"*") {
            kept.push(word);
        }
    }
    if kept.iter().all(|word| *word == "*") { name.to_string() } else { kept.join(" ") }
}

/// What is quoted in the name of a dialog is data: `Rename "boats"` is `Rename *`.
fn without_quoted(name: &str) -> String {
    const QUOTES: &[(char, char)] =
        &[('"', '"'), ('\u{201c}', '\u{201d}'), ('\u{2018}', '\u{2019}'), ('«', '»')];
    let mut kept = name.to_string();
    for (open, close) in QUOTES {
        while let Some(from) = kept.find(*open) {
            let inside = from + open.len_utf8();
            let Some(to) = kept[inside..].find(*close) else { break };
            kept.replace_range(from..inside + to + close.len_utf8(), "*");
        }
    }
    if kept.chars().any(char::is_alphabetic) { kept } else { name.to_string() }
}

fn item_name(item: &Item) -> String {
    let target =
        if item.presses.is_empty() { path_of(&item.address).to_string() } else { item.acts.join(", ") };
    if item.label.is_empty() || !item.presses.is_empty() {
        target
    } else {
        format!("\"{}\" ({target})", item.label)
    }
}

/// An address as a pattern without variable parts.
fn literal_pattern(address: &str) -> String {
    path_of(address).replace(['{', '}'], "").replace(' ', "%20")
}

/// Headings that differ in numbers at most: `Orders (3 matches)`, `Orders (1 match)`.
fn is_like_heading(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    one == other || naming::without_counts(one) == naming::without_counts(other)
}

/// Whether the one of two pages that has a query has fields or a table that the other lacks: a filter only leaves out.
fn adds_more(one: (&str, &Features), other: (&str, &Features)) -> bool {
    const KINDS: &[&str] = &["content textbox", "content table", "content grid"];
    let has_query = |pattern: &str| pattern.contains('?');
    let (with, without) = match (has_query(one.0), has_query(other.0)) {
        (true, false) => (one.1, other.1),
        (false, true) => (other.1, one.1),
        _ => return false,
    };
    KINDS.iter().any(|kind| with.structure.contains(*kind) && !without.structure.contains(*kind))
}

/// What the queries of two patterns of one path have in common.
fn common_query(one: &str, other: &str) -> String {
    let pairs = |pattern: &str| -> Vec<String> {
        let query = pattern.split_once('?').map_or("", |(_, query)| query);
        query.split('&').filter(|pair| !pair.is_empty()).map(str::to_string).collect()
    };
    let others = pairs(other);
    let common: Vec<String> = pairs(one).into_iter().filter(|pair| others.contains(pair)).collect();
    let path = path_part(one);
    if common.is_empty() { path.to_string() } else { format!("{path}?{}", common.join("&")) }
}

/// A slash at the end does not tell two addresses apart.
fn without_last_slash(pattern: &str) -> String {
    let end = pattern.find(['?', '#']).unwrap_or(pattern.len());
    format!("{}{}", pattern[..end].trim_end_matches('/'), &pattern[end..])
}

fn path_part(pattern: &str) -> &str {
    pattern.split('?').next().unwrap_or(pattern)
}

#[cfg(test)]
mod tests;
