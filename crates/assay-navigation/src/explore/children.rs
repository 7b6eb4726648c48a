//! What of a screen is looked at next, and what is left out.

use std::collections::{HashMap, HashSet};

use assay_protocol::{Scene, SceneNode, in_one_line};

use super::found::{Goal, LinkWords, PendingWay, control_key};
use super::{Explorer, Item, MOST_QUEUED, Press, QUERY_SAMPLES, SAMPLES, path_part};
use crate::address::{origin_of, path_of, pattern_of, resolved};
use crate::features::{Spot, spots};
use crate::harm::{Opening, Surroundings, is_opening_fragment, objection, objection_of_marks, opening_of};

/// How many presses deep menus inside of menus are followed.
const MOST_PRESSES: usize = 2;
/// So many links of one shape outside of lists are a list, too.
const MOST_LOOSE: usize = 8;
/// Controls of one screen that are pressed.
const MOST_OPENERS: usize = 40;
/// Names that belong to no thing of a kind, wherever they stand in an address.
pub(super) const OWN_WORDS: &[&str] = &[
    "new", "add", "create", "edit", "search", "settings", "all", "index", "list", "import", "about", "help",
];

impl Explorer {
    /// Puts links and controls of a screen into the queue: of a scene that presses led to only what is new in it.
    pub(super) fn queue_children(
        &mut self,
        at: usize,
        scene: Option<&Scene>,
        presses: &[Press],
        known: &[String],
    ) {
        let found = &self.screens[at];
        let (address, _) = found.start.clone();
        let own = found.samples[0].scene.clone();
        let scene = scene.unwrap_or(&own);
        let known: HashSet<&String> = known.iter().collect();
        let spots = spots(scene);
        let before: Vec<String> = presses.iter().map(act_of).collect();
        self.queue_links(at, scene, &spots, &known, &before);
        if self.rules.presses && presses.len() < MOST_PRESSES {
            self.queue_openers(at, scene, &spots, &known, &address, presses);
        }
    }

    /// Ways of a screen whose links are not followed any more.
    pub(super) fn note_ways(&mut self, at: usize) {
        let scene = self.screens[at].samples[0].scene.clone();
        let spots = spots(&scene);
        for link in links_of(&scene, &spots, &HashSet::new()) {
            if self.objection_to(&link).is_none() {
                self.note_way(at, &link, &[]);
            }
        }
    }

    fn queue_links(
        &mut self,
        at: usize,
        scene: &Scene,
        spots: &[Spot],
        known: &HashSet<&String>,
        before: &[String],
    ) {
        let depth = self.screens[at].depth + 1;
        let here = scene.url.clone();
        let mut links = links_of(scene, spots, known);
        for link in &mut links {
            link.pattern = self.in_kinds(&link.pattern);
        }
        let mut siblings: HashMap<String, HashSet<String>> = HashMap::new();
        let mut loose: HashMap<String, HashSet<String>> = HashMap::new();
        for link in links.iter().filter(|link| link.spot == Spot::Content) {
            loose.entry(shape_of(&link.pattern)).or_default().insert(link.pattern.clone());
        }
        for link in links.iter().filter(|link| link.spot != Spot::Chrome) {
            siblings.entry(shape_of(&link.pattern)).or_default().insert(link.pattern.clone());
        }
        for link in links {
            if let Some(why) = self.objection_to(&link) {
                self.leave_out(&format!("link \"{}\"", link.name), &here, &why);
                continue;
            }
            self.note_way(at, &link, before);
            let count = match link.spot {
                Spot::Chrome => 0,
                Spot::Content | Spot::Entry => siblings.get(&shape_of(&link.pattern)).map_or(0, HashSet::len),
            };
            let last = path_part(&link.pattern)
                .trim_end_matches('/')
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .to_string();
            let is_own = OWN_WORDS.contains(&last.as_str());
            if link.spot == Spot::Entry && !is_own && self.is_one_of_many(&link.pattern) {
                continue;
            }
            let most = match link.pattern.contains('{') {
                false => 1,
                true if path_part(&link.pattern).contains('{') => SAMPLES,
                true => QUERY_SAMPLES,
            };
            let asked = self.queued.entry(link.pattern.clone()).or_default();
            if asked.len() >= most
                || asked.iter().any(|known| without_place(known) == without_place(&link.address))
            {
                continue;
            }
            if self.queue.len() >= MOST_QUEUED {
                self.leave_out(&format!("link \"{}\"", link.name), &here, "too many links wait already");
                continue;
            }
            asked.push(link.address.clone());
            let beside = loose.get(&shape_of(&link.pattern)).map_or(0, HashSet::len);
            self.queue.push_back(Item {
                address: link.address,
                pattern: link.pattern,
                presses: Vec::new(),
                from: Some(at),
                acts: Vec::new(),
                label: link.name,
                depth,
                is_in_menu: link.spot == Spot::Chrome || is_own,
                opening: None,
                siblings: count,
                is_loose: link.spot == Spot::Content && beside < MOST_LOOSE,
                shown_before: None,
            });
        }
    }

    fn objection_to(&self, link: &Link) -> Option<String> {
        if origin_of(&link.address).is_none_or(|origin| origin != self.origin) {
            return Some("it leads to another site".to_string());
        }
        if let Some(why) = objection(&link.name, Some(&link.address)).or_else(|| link.marked.clone()) {
            return Some(why);
        }
        let path = path_of(&link.address);
        if !self.rules.robots.allow(path.split('#').next().unwrap_or(path)) {
            return Some("robots.txt asks not to".to_string());
        }
        let is_protected = self.rules.protected.iter().any(|pattern| pattern.matches(&link.address));
        is_protected.then(|| "the tree says that it is protected".to_string())
    }

    fn note_way(&mut self, from: usize, link: &Link, before: &[String]) {
        let has_number = link.name.chars().any(|letter| letter.is_ascii_digit());
        let is_data = link.spot == Spot::Entry || link.pattern.contains('{') || has_number;
        let name = (link.is_only && !is_data && !link.name.is_empty() && !link.name.contains(['"', '\n']))
            .then(|| link.name.clone());
        self.ways.push(PendingWay {
            from,
            to: Goal::Pattern(link.pattern.clone()),
            acts: before.to_vec(),
            link: Some(LinkWords { name }),
        });
    }

    fn queue_openers(
        &mut self,
        at: usize,
        scene: &Scene,
        spots: &[Spot],
        known: &HashSet<&String>,
        address: &str,
        presses: &[Press],
    ) {
        let here = scene.url.clone();
        let pattern = pattern_of(address);
        let depth = self.screens[at].depth;
        let has_fields = has_fields(scene);
        let mut count = 0;
        let mut seen: HashMap<(String, String), usize> = HashMap::new();
        let mut total: HashMap<(&str, &str), usize> = HashMap::new();
        for node in &scene.nodes {
            *total.entry((&node.role, &node.name)).or_default() += 1;
        }
        for (place, node) in scene.nodes.iter().enumerate() {
            if node.role == "text" {
                continue;
            }
            let nth = seen.entry((node.role.clone(), node.name.clone())).or_default();
            let own_nth = *nth;
            *nth += 1;
            if known.contains(&control_key(node)) || node.is("covered") {
                continue;
            }
            let is_in_menu = spots[place] == Spot::Chrome || is_of_menu(scene, place);
            let icon = icon_of(scene, place);
            let name = icon.as_deref().map_or_else(|| in_one_line(&node.name), words_of_icon);
            let is_fragment = is_opening_fragment(node, scene);
            let surroundings = Surroundings { label: &name, is_in_menu, has_fields };
            let opening = is_fragment.then_some(Opening::Plain).or_else(|| opening_of(node, &surroundings));
            let Some(opening) = opening else {
                self.note_left_control(node, &name, &here);
                continue;
            };
            let is_tab = opening == Opening::Tab;
            let weighs = !is_tab && (self.rules.weighs)(&name);
            let objection = objection(&name, None)
                .or_else(|| objection_of_marks(scene, place, false))
                .or_else(|| weighs.then(|| "it may pay or delete something".to_string()));
            if let Some(why) = objection.filter(|_| !is_tab || objection_to_tab(&name)) {
                self.leave_out(&format!("{} \"{name}\"", node.role), &here, &why);
                continue;
            }
            if name.is_empty() || name.contains('"') {
                self.leave_out(&node.role, &here, "it has no name to press it by");
                continue;
            }
            // What stands on all screens is pressed once, what stands in each row in the first one.
            let key = match spots[place] {
                Spot::Content | Spot::Entry if is_fragment => format!("{at} {}", fragment_kind(node)),
                Spot::Chrome => format!("{} {name}", node.role),
                Spot::Entry => format!("{at} {} {}", node.role, name.split(' ').next().unwrap_or_default()),
                // Several controls of one name stand beside one thing each.
                Spot::Content if total[&(node.role.as_str(), node.name.as_str())] > 2 => {
                    format!("{at} {} {name}", node.role)
                }
                Spot::Content => format!("{at} {} {name} {own_nth}", node.role),
            };
            if !self.pressed.insert(key) {
                continue;
            }
            count += 1;
            if count > MOST_OPENERS || self.queue.len() >= MOST_QUEUED {
                self.leave_out(
                    &format!("{} \"{name}\"", node.role),
                    &here,
                    "the screen has too many such controls",
                );
                continue;
            }
            let press = Press {
                role: node.role.clone(),
                name: node.name.clone(),
                nth: own_nth,
                is_one_of_many: total
                    .get(&(node.role.as_str(), node.name.as_str()))
                    .is_some_and(|count| *count > 1),
                entry: entry_of(scene, place),
                is_tab,
                icon,
            };
            let mut all = presses.to_vec();
            all.push(press);
            self.queue.push_back(Item {
                address: address.to_string(),
                pattern: pattern.clone(),
                acts: all.iter().map(act_of).collect(),
                presses: all,
                from: Some(at),
                label: name,
                depth,
                is_in_menu,
                opening: Some(opening),
                siblings: 0,
                is_loose: false,
                shown_before: None,
            });
        }
    }

    /// Buttons that may act are named, and not pressed.
    fn note_left_control(&mut self, node: &SceneNode, name: &str, here: &str) {
        if node.role != "button" || name.is_empty() || node.is("disabled") {
            return;
        }
        let is_sent =
            node.attribute("submits").is_some() || matches!(node.attribute("type"), Some("submit" | "image"));
        let why = if is_sent {
            "it sends a form".to_string()
        } else {
            objection(name, None).unwrap_or_else(|| "nothing says that it only opens something".to_string())
        };
        self.leave_out(&format!("button \"{name}\""), here, &why);
    }
}

/// A tab called `Delete` shows how to delete; one that logs out is none.
fn objection_to_tab(name: &str) -> bool {
    let name = name.to_lowercase();
    ["log out", "logout", "sign out", "signout"].iter().any(|words| name.contains(words))
}

/// What the icon of a button without a name is called in the page's own code, if no other icon is called so.
fn icon_of(scene: &Scene, place: usize) -> Option<String> {
    let node = &scene.nodes[place];
    if node.role != "button" || !node.name.trim().is_empty() {
        return None;
    }
    let inside = (place..scene.nodes.len()).take_while(|at| *at == place || scene.is_within(*at, place));
    let icon = inside.into_iter().find_map(|at| scene.nodes[at].attribute("testid"))?;
    let is_plain = icon.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let count = scene.nodes.iter().filter(|node| node.attribute("testid") == Some(icon)).count();
    (is_plain && count == 1).then(|| icon.to_string())
}

/// `EditIcon` is `Edit`.
fn words_of_icon(icon: &str) -> String {
    let mut words = String::new();
    for letter in icon.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(if matches!(letter, '-' | '_') { ' ' } else { letter });
    }
    let words: Vec<&str> = words
        .split_whitespace()
        .filter(|word| !matches!(word.to_lowercase().as_str(), "icon" | "button"))
        .collect();
    words.join(" ")
}

/// Links such as `#entry-1` and `#entry-2` open one kind of thing.
fn fragment_kind(node: &SceneNode) -> String {
    let href = node.attribute("href").unwrap_or_default();
    let end = href.find(|letter: char| letter == '-' || letter.is_ascii_digit()).unwrap_or(href.len());
    href[..end].to_string()
}

/// Whether a page has fields that a button may send; a search is none.
fn has_fields(scene: &Scene) -> bool {
    let is_search = |node: &SceneNode| {
        let name = node.name.to_lowercase();
        ["search", "filter", "find"].iter().any(|word| name.contains(word))
    };
    scene.nodes.iter().any(|node| {
        matches!(node.role.as_str(), "textbox" | "spinbutton") && !node.is("covered") && !is_search(node)
    })
}

fn is_of_menu(scene: &Scene, place: usize) -> bool {
    const MENUS: &[&str] = &["navigation", "menu", "menubar", "tablist", "tree"];
    scene.ancestors(place).any(|above| MENUS.contains(&scene.nodes[above].role.as_str()))
}

/// The words of the entry around a control, without those of controls.
fn entry_of(scene: &Scene, place: usize) -> String {
    let is_entry = |at: &usize| {
        matches!(scene.nodes[*at].role.as_str(), "row" | "listitem" | "article" | "option" | "treeitem")
    };
    let Some(entry) = scene.ancestors(place).find(is_entry) else { return String::new() };
    let is_of_control = |at: usize| {
        let inside = scene.ancestors(at).take_while(|above| *above != entry);
        inside.into_iter().any(|above| matches!(scene.nodes[above].role.as_str(), "button" | "combobox"))
    };
    let inside = (entry + 1..scene.nodes.len()).take_while(|at| scene.is_within(*at, entry));
    let words = inside.filter(|at| scene.nodes[*at].role == "text" && !is_of_control(*at));
    words.map(|at| scene.nodes[at].name.as_str()).collect::<Vec<_>>().join(" ").chars().take(300).collect()
}

/// The command that presses a control.
pub(super) fn act_of(press: &Press) -> String {
    if let Some(icon) = &press.icon {
        return format!("click \"[data-testid='{icon}']\"");
    }
    let role = if press.role == "clickable" { "text".to_string() } else { press.role.clone() };
    let name = in_one_line(&press.name);
    let target = if role == "text" { format!("text={name}") } else { format!("{role} \"{name}\"") };
    if press.nth == 0 && !press.is_one_of_many {
        format!("click {target}")
    } else {
        format!("click {target} >> nth={}", press.nth + 1)
    }
}

pub(super) struct Link {
    pub name: String,
    pub address: String,
    pub pattern: String,
    pub spot: Spot,
    /// No other link of the page has its name.
    pub is_only: bool,
    /// What its title or its icon says against it.
    pub marked: Option<String>,
}

fn links_of(scene: &Scene, spots: &[Spot], known: &HashSet<&String>) -> Vec<Link> {
    let is_link = |node: &&SceneNode| matches!(node.role.as_str(), "link" | "menuitem" | "tab" | "treeitem");
    let mut names: HashMap<String, usize> = HashMap::new();
    for node in scene.nodes.iter().filter(is_link) {
        *names.entry(in_one_line(&node.name)).or_default() += 1;
    }
    let mut links = Vec::new();
    for (place, node) in scene.nodes.iter().enumerate() {
        if !is_link(&node) || known.contains(&control_key(node)) {
            continue;
        }
        let Some(href) = node.attribute("href").filter(|href| *href != "#" && !href.is_empty()) else {
            continue;
        };
        // A place in the own page, or something that opens on it, is no other page.
        if href.starts_with('#') && place_of(href).is_some() {
            continue;
        }
        // A longer address was cut off.
        const CUT: usize = 120;
        if href.chars().count() >= CUT {
            continue;
        }
        let Some(mut address) = resolved(&scene.url, href) else { continue };
        // What is open on a page may be kept in all of its links: it is no part of where they lead.
        if let Some(opened) = place_of(&scene.url)
            && place_of(&address) == Some(opened)
        {
            address.truncate(address.len() - opened.len() - 1);
        }
        let name = in_one_line(&node.name);
        // Of a link of another role, the words alone do not say what it is.
        let is_only = names.get(&name) == Some(&1) && node.role == "link";
        let marked = objection_of_marks(scene, place, true);
        links.push(Link {
            pattern: pattern_of(&address),
            name,
            address,
            spot: spots[place],
            is_only,
            marked,
        });
    }
    links
}

/// An address without the place in its page.
fn without_place(address: &str) -> &str {
    let path = path_of(address);
    place_of(path).map_or(path, |place| &path[..path.len() - place.len() - 1])
}

/// The place in its page that an address names: `top` of `#top`, but not a route such as `#/users`.
fn place_of(address: &str) -> Option<&str> {
    let (_, place) = address.split_once('#')?;
    (!place.trim_start_matches('!').starts_with('/')).then_some(place)
}

/// The path of a pattern without its last segment, and how many it has.
fn shape_of(pattern: &str) -> String {
    let end = if pattern.contains("#/") {
        pattern.len()
    } else {
        pattern.find(['?', '#']).unwrap_or(pattern.len())
    };
    let path = pattern[..end].trim_end_matches('/');
    path.rsplit_once('/').map_or("", |(before, _)| before).to_string() + "/*"
}
