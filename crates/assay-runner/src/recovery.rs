//! Obstacles to an act, by rules: something loads, or an overlay that is not part of the test covers the page. Each
//! recovery has a name and is reported.

use assay_protocol::{Scene, SceneNode};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum InTheWay {
    /// Wait.
    Loading { what: String },
    /// Click this ref; the reason names what it is.
    Banner { dismiss: String, reason: String },
}

/// The obstacle in front of this element, if assay may remove it without asking the author.
pub(crate) fn in_the_way(scene: &Scene, target: Option<&SceneNode>) -> Option<InTheWay> {
    target.and_then(|target| banner(scene, target)).or_else(|| loading(scene))
}

fn loading(scene: &Scene) -> Option<InTheWay> {
    const WORDS: &[&str] = &["spinner", "loading", "loader", "skeleton", "busy", "progress"];
    scene.nodes.iter().find_map(|node| {
        let marks = format!(
            "{} {} {}",
            node.attribute("class").unwrap_or_default(),
            node.attribute("id").unwrap_or_default(),
            node.role
        )
        .to_lowercase();
        let is_loading = node.role == "progressbar"
            || WORDS.iter().any(|word| words_of(&marks).any(|own| own == *word))
            || (node.role == "status" && node.name.to_lowercase().starts_with("loading"));
        is_loading.then(|| InTheWay::Loading {
            what: if node.name.is_empty() { node.role.clone() } else { node.name.clone() },
        })
    })
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Only consent banners, and only if they cover the target: any other box may be the subject of the test, or a defect.
/// A box with a field wants something from its user.
fn banner(scene: &Scene, target: &SceneNode) -> Option<InTheWay> {
    const ABOUT: &[&str] = &["cookie", "cookies", "consent", "gdpr"];
    /// The choice with the least consent comes first.
    const WAYS_OUT: &[&str] = &[
        "reject all",
        "reject",
        "reject all cookies",
        "decline",
        "decline all",
        "deny",
        "only necessary",
        "necessary only",
        "only necessary cookies",
        "no thanks",
        "not now",
        "dismiss",
        "close",
        "×",
        "got it",
        "ok",
        "okay",
        "i understand",
        "accept all",
        "accept",
        "agree",
        "allow all",
        "accept cookies",
        "accept all cookies",
    ];
    let around = scene.nodes.iter().enumerate().find(|(at, node)| {
        let is_box = matches!(
            node.role.as_str(),
            "dialog" | "alertdialog" | "region" | "complementary" | "contentinfo" | "generic" | "banner"
        );
        is_box && covers(node, target) && is_about(scene, *at, ABOUT) && !holds_a_field(scene, *at)
    })?;
    let buttons: Vec<&SceneNode> = scene
        .nodes
        .iter()
        .enumerate()
        .filter(|(at, node)| {
            scene.is_within(*at, around.0)
                && node.reference.is_some()
                && matches!(node.role.as_str(), "button" | "link" | "clickable")
        })
        .map(|(_, node)| node)
        .collect();
    WAYS_OUT.iter().find_map(|way| {
        let button = buttons.iter().find(|node| node.name.trim().to_lowercase() == *way)?;
        Some(InTheWay::Banner {
            dismiss: button.reference.clone()?,
            reason: format!(
                "a cookie banner or something similar covered the page; closed with \"{}\"",
                button.name
            ),
        })
    })
}

/// Both its words and its marks say so, or it is a dialog whose words do.
fn is_about(scene: &Scene, at: usize, about: &[&str]) -> bool {
    let node = &scene.nodes[at];
    let marks = [node.attribute("class"), node.attribute("id"), Some(node.name.as_str())];
    let marks = marks.into_iter().flatten().collect::<Vec<_>>().join(" ").to_lowercase();
    let marked = words_of(&marks).any(|word| about.contains(&word));
    let says = words_of(&scene.text_of(at).to_lowercase()).any(|word| about.contains(&word));
    says && (marked || matches!(node.role.as_str(), "dialog" | "alertdialog"))
}

/// Whether the middle of the element lies under the box.
fn covers(node: &SceneNode, target: &SceneNode) -> bool {
    let [left, top, width, height] = node.area;
    let (x, y) = (target.area[0] + target.area[2] / 2.0, target.area[1] + target.area[3] / 2.0);
    x >= left && x <= left + width && y >= top && y <= top + height
}

fn holds_a_field(scene: &Scene, around: usize) -> bool {
    scene.nodes.iter().enumerate().any(|(at, node)| {
        matches!(node.role.as_str(), "textbox" | "searchbox" | "combobox" | "spinbutton" | "date")
            && scene.is_within(at, around)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<usize>, reference: &str, role: &str, name: &str, class: &str) -> SceneNode {
        SceneNode {
            parent,
            reference: (!reference.is_empty()).then(|| reference.to_string()),
            role: role.to_string(),
            name: name.to_string(),
            attributes: [("class".to_string(), class.to_string())].into(),
            area: [0.0, 0.0, 100.0, 100.0],
            ..SceneNode::default()
        }
    }

    /// What is in the way of a button in the middle of all this.
    fn found(nodes: Vec<SceneNode>) -> Option<InTheWay> {
        let target = node(None, "e9", "button", "Buy", "");
        in_the_way(&Scene { nodes, ..Scene::default() }, Some(&target))
    }

    #[test]
    fn a_cookie_banner_is_left_by_the_way_that_agrees_to_least() {
        let nodes = vec![
            node(None, "", "generic", "", "cookie-banner"),
            node(Some(0), "", "text", "We use cookies", ""),
            node(Some(0), "e1", "button", "Accept all", ""),
            node(Some(0), "e2", "button", "Reject all", ""),
        ];
        assert!(matches!(found(nodes), Some(InTheWay::Banner { dismiss, .. }) if dismiss == "e2"));
    }

    #[test]
    fn another_dialog_is_left_alone() {
        let nodes =
            vec![node(None, "e1", "dialog", "Delete user?", ""), node(Some(0), "e2", "button", "Close", "")];
        assert_eq!(found(nodes), None);
    }

    #[test]
    fn what_only_sounds_like_a_banner_is_left_alone() {
        let bakery = |class: &str, text: &str, button: &str| {
            vec![
                node(None, "", "generic", "", class),
                node(Some(0), "", "text", text, ""),
                node(Some(0), "e1", "button", button, ""),
            ]
        };
        assert_eq!(found(bakery("cookie", "Oat, 2 €", "×")), None);
        assert_eq!(found(bakery("subscribe-requests", "Ada wants to subscribe", "Reject")), None);
        assert_eq!(found(bakery("newsletter", "Our news", "OK")), None);
    }

    #[test]
    fn what_lies_elsewhere_is_not_in_the_way() {
        let mut nodes = vec![
            node(None, "", "generic", "", "cookie-banner"),
            node(Some(0), "", "text", "We use cookies", ""),
            node(Some(0), "e1", "button", "Reject all", ""),
        ];
        nodes[0].area = [0.0, 600.0, 100.0, 50.0];
        assert_eq!(found(nodes), None);
    }
}
