//! A page as it is compared: a scene without what only this run can know, such as refs and positions in the view.

use std::collections::BTreeMap;

use assay_protocol::{Scene, SceneNode, in_one_line};
use serde::{Deserialize, Serialize};

use crate::build::BuildAddress;

/// Everything a page shows when a step is over.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageSeen {
    /// Without the address of the build.
    pub url: String,
    pub title: String,
    /// Kind and words of an open dialog of the browser.
    pub dialog: Option<String>,
    /// How many tabs are open.
    pub tabs: usize,
    pub downloads: Vec<String>,
    /// In document order; a node's parent comes before it.
    pub nodes: Vec<PageNode>,
    /// Too large to be seen whole.
    pub is_cut: bool,
    /// It still changed when it was looked at.
    pub is_restless: bool,
    /// It belongs to the other build: a link or a test led there.
    pub is_of_other_build: bool,
}

/// One visible element or run of text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageNode {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    pub role: String,
    /// Of a text the text itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The name is the text inside, so it is compared there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_named_by_text: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// What else can be perceived or is followed: `href`, `placeholder`, `type` …
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// An id of the author, which finds the element again where others come and go.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub anchor: String,
    /// Left, top, width, height in CSS pixels of the view.
    #[serde(rename = "box", default)]
    pub area: [f64; 4],
}

/// States that say how the page lies in the window at this moment: the picture shows that.
const OF_THE_VIEW: [&str; 2] = ["offscreen", "covered"];
const MARKS: [&str; 7] = ["href", "placeholder", "type", "alt", "title", "src", "label"];

impl PageSeen {
    /// `own` is the build that was looked at, `other` the one beside it.
    pub fn of(scene: &Scene, own: &BuildAddress, other: &BuildAddress, is_restless: bool) -> PageSeen {
        let nodes = (0..scene.nodes.len()).map(|at| node_of(scene, at, own)).collect();
        PageSeen {
            url: own.neutral(&scene.url),
            title: in_one_line(&own.neutral(&scene.title)),
            dialog: scene
                .dialog
                .as_ref()
                .map(|dialog| format!("{}: {}", dialog.kind, own.neutral(&dialog.message))),
            tabs: scene.tabs.len(),
            downloads: scene.downloads.clone(),
            nodes,
            is_cut: scene.truncated,
            is_restless,
            is_of_other_build: own != other && !own.is_at(&scene.url) && other.is_at(&scene.url),
        }
    }

    /// The path of the address, with what looks like the number of a record left open: it names the kind of page.
    pub fn kind(&self) -> String {
        let path = self.url.split(['?', '#']).next().unwrap_or_default();
        let is_record = |part: &str| {
            let digits = part.chars().filter(char::is_ascii_digit).count();
            digits > 0 && (digits == part.len() || (part.len() >= 8 && digits >= 2))
        };
        path.split('/').map(|part| if is_record(part) { "*" } else { part }).collect::<Vec<_>>().join("/")
    }
}

impl PageNode {
    pub fn is_text(&self) -> bool {
        self.role == "text"
    }

    /// The words for it in a report: `button "Pay"`.
    pub fn words(&self) -> String {
        match self.name.as_str() {
            "" => self.role.clone(),
            name => format!("{} \"{}\"", self.role, shortened(name, 60)),
        }
    }
}

/// The beginning of a text, for a line of a report.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_string(),
    }
}

fn node_of(scene: &Scene, at: usize, build: &BuildAddress) -> PageNode {
    let node = &scene.nodes[at];
    let name = in_one_line(&build.neutral(&node.name));
    let is_named_by_text = node.role != "text" && {
        let inside = in_one_line(&build.neutral(&inner_text(scene, at)));
        !inside.is_empty() && without_blanks(&inside) == without_blanks(&name)
    };
    let is_address = |mark: &str| matches!(mark, "href" | "src");
    let marks = MARKS
        .iter()
        .filter_map(|mark| {
            let value = node.attribute(mark)?;
            let value = if is_address(mark) { build.neutral_address(value) } else { in_one_line(value) };
            // A label is compared where it adds to the name.
            (!value.is_empty() && value != name).then(|| ((*mark).to_string(), value))
        })
        .collect();
    let mut states: Vec<String> =
        node.states.iter().filter(|state| !OF_THE_VIEW.contains(&state.as_str())).cloned().collect();
    states.sort();
    PageNode {
        parent: node.parent,
        role: node.role.clone(),
        name,
        is_named_by_text,
        value: node.value.as_ref().map(|value| build.neutral(value)),
        states,
        marks,
        options: node.options.iter().map(|option| in_one_line(option)).collect(),
        anchor: anchor_of(node),
        area: node.area,
    }
}

/// A number in an id was often given out by a program.
fn anchor_of(node: &SceneNode) -> String {
    let given = node.attribute("testid").or_else(|| node.attribute("id")).unwrap_or_default();
    let is_plain = given.len() <= 40 && !given.chars().any(|letter| letter.is_ascii_digit());
    if is_plain { given.to_string() } else { String::new() }
}

/// All text inside, also of elements in which there is only one.
fn inner_text(scene: &Scene, at: usize) -> String {
    let inside =
        scene.nodes.iter().enumerate().skip(at + 1).take_while(|(inner, _)| scene.is_within(*inner, at));
    let texts: Vec<&str> =
        inside.filter(|(_, node)| node.role == "text").map(|(_, node)| node.name.as_str()).collect();
    texts.join(" ")
}

/// Whether blanks stand between the parts of a name is a matter of layout.
fn without_blanks(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> Scene {
        let node = |parent: Option<usize>, role: &str, name: &str| SceneNode {
            parent,
            role: role.to_string(),
            name: name.to_string(),
            ..SceneNode::default()
        };
        let mut link = node(None, "link", "Your cart");
        link.attributes = [("href", "http://127.0.0.1:1/cart"), ("id", "cart"), ("class", "a")]
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .into();
        link.states = vec!["offscreen".to_string(), "focused".to_string()];
        Scene {
            url: "http://127.0.0.1:1/orders/1041/lines?x=http://127.0.0.1:1".to_string(),
            nodes: vec![
                link,
                node(Some(0), "text", "Your"),
                node(Some(0), "text", "cart"),
                node(None, "button", "Close"),
            ],
            ..Scene::default()
        }
    }

    #[test]
    fn a_page_is_taken_without_its_build_and_its_view() {
        let (own, other) = (
            BuildAddress::parse("http://127.0.0.1:1").unwrap(),
            BuildAddress::parse("http://127.0.0.1:2").unwrap(),
        );
        let page = PageSeen::of(&scene(), &own, &other, false);
        assert_eq!(page.url, "{app}/orders/1041/lines?x={app}");
        assert_eq!(page.kind(), "{app}/orders/*/lines");
        let link = &page.nodes[0];
        assert!(link.is_named_by_text && !page.nodes[3].is_named_by_text);
        assert_eq!(link.marks.get("href").map(String::as_str), Some("{app}/cart"));
        assert_eq!(
            (link.states.as_slice(), link.anchor.as_str()),
            (["focused".to_string()].as_slice(), "cart")
        );
        assert!(!page.is_of_other_build);
        assert!(PageSeen::of(&scene(), &other, &own, false).is_of_other_build);
    }
}
