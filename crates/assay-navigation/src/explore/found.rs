//! What exploring has found so far.

use assay_protocol::{Scene, SceneNode};

use super::Press;
use crate::address::{pattern_of, resolved};
use crate::features::{Features, Spot, spots};

/// A screen with some scenes that show it.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub pattern: String,
    /// The words of the link or control that led there first.
    pub label: String,
    pub part: Option<Part>,
    /// The screen that it is a part of.
    pub base: Option<usize>,
    pub depth: usize,
    /// The address to open and the controls to press for it.
    pub start: (String, Vec<Press>),
    pub samples: Vec<Sample>,
    pub siblings: usize,
    /// In which state of the application it was found.
    pub when: Option<String>,
    /// It was looked at after the login.
    pub is_revisited: bool,
}

/// A screen that shares the address of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Dialog(String),
    Tab(String),
    View,
    /// Something over the page that does not say that it is a dialog, by its heading.
    Layer(String),
    /// An open menu, by its first entries.
    Menu(Vec<Entry>),
}

/// An entry of a menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub role: String,
    pub name: String,
}

#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub address: String,
    pub features: Features,
    pub took_ms: u64,
    /// The screen whose menu led there.
    pub menu: Option<usize>,
    pub scene: Scene,
}

impl Sample {
    /// Where its links lead.
    pub fn links(&self) -> Vec<String> {
        let links = self.scene.nodes.iter().filter(|node| node.role == "link");
        links.filter_map(|node| resolved(&self.address, node.attribute("href")?)).collect()
    }

    /// Whether a heading of the page is a link to what the other page shows, at the same path with the other's query,
    /// where it is a heading and no link: views of one thing, such as its journal and its balances.
    pub fn leads_by_heading_to(&self, other: &Sample) -> bool {
        let (_, query) = split_query(&other.address);
        let (own_path, _) = split_query(&self.address);
        let plain: Vec<&str> = other
            .headings()
            .filter(|(_, link)| link.is_none())
            .map(|(at, _)| other.scene.nodes[at].name.as_str())
            .collect();
        self.headings().any(|(at, link)| {
            link.and_then(|link| resolved(&self.address, self.scene.nodes[link].attribute("href")?))
                .is_some_and(|address| {
                    split_query(&address) == (own_path.clone(), query.clone())
                        && plain.contains(&self.scene.nodes[at].name.as_str())
                })
        })
    }

    /// The headings of the content, each with the link that stands in it.
    fn headings(&self) -> impl Iterator<Item = (usize, Option<usize>)> {
        let scene = &self.scene;
        spots(scene).into_iter().enumerate().filter_map(|(at, spot)| {
            if scene.nodes[at].role != "heading" || spot == Spot::Chrome {
                return None;
            }
            let inside = (at + 1..scene.nodes.len()).take_while(|below| scene.is_within(*below, at));
            let link = inside.into_iter().find(|below| scene.nodes[*below].role == "link");
            Some((at, link))
        })
    }

    /// All controls and links, to tell new ones from those that were there.
    pub fn controls(&self) -> Vec<String> {
        self.scene.nodes.iter().filter(|node| node.role != "text").map(control_key).collect()
    }
}

/// The path of an address, and what of its query tells screens apart.
fn split_query(address: &str) -> (String, String) {
    let pattern = pattern_of(address);
    let (path, query) = pattern.split_once('?').unwrap_or((&pattern, ""));
    (path.to_string(), query.to_string())
}

pub(super) fn control_key(node: &SceneNode) -> String {
    format!("{} {} {}", node.role, node.name, node.attribute("href").unwrap_or_default())
}

/// A way whose goal or words are only known at the end.
#[derive(Debug, Clone)]
pub(super) struct PendingWay {
    pub from: usize,
    pub to: Goal,
    /// What comes before the link, or all of it.
    pub acts: Vec<String>,
    pub link: Option<LinkWords>,
}

#[derive(Debug, Clone)]
pub(super) enum Goal {
    Screen(usize),
    /// The screen that addresses of this pattern lead to.
    Pattern(String),
}

#[derive(Debug, Clone)]
pub(super) struct LinkWords {
    /// Its name, if it is the only link of that name and no data.
    pub name: Option<String>,
}
