//! What stands in the way of an act, by rules: something loads, or something that is not part of the test lies over
//! the page. Each way out has a name and is told.

use assay_protocol::{Scene, SceneNode};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum InTheWay {
    /// Wait.
    Loading { what: String },
    /// Click this ref; the reason names what it is.
    Banner { dismiss: String, reason: String },
}

/// What is in the way on this page, if it is of a kind that may be put aside without asking the author.
pub(crate) fn in_the_way(scene: &Scene) -> Option<InTheWay> {
    banner(scene).or_else(|| loading(scene))
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

/// Consent and advertising only: any other dialog may be what the test is about, or a defect.
fn banner(scene: &Scene) -> Option<InTheWay> {
    const ABOUT: &[&str] = &["cookie", "cookies", "consent", "gdpr", "newsletter", "subscribe"];
    /// The least that can be agreed to comes first.
    const WAYS_OUT: &[&str] = &[
        "reject all",
        "reject",
        "decline",
        "deny",
        "only necessary",
        "necessary only",
        "no thanks",
        "not now",
        "dismiss",
        "close",
        "×",
        "x",
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
        if !is_box {
            return false;
        }
        let marks = format!(
            "{} {} {}",
            node.attribute("class").unwrap_or_default(),
            node.attribute("id").unwrap_or_default(),
            node.name
        );
        let marked = words_of(&marks.to_lowercase()).any(|word| ABOUT.contains(&word));
        let says = (node.role == "dialog" || node.role == "region")
            && words_of(&scene.text_of(*at).to_lowercase()).any(|word| ABOUT[..4].contains(&word));
        marked || says
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
                "a banner about cookies or the like lay over the page; closed by \"{}\"",
                button.name
            ),
        })
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
            ..SceneNode::default()
        }
    }

    #[test]
    fn a_cookie_banner_is_left_by_the_way_that_agrees_to_least() {
        let scene = Scene {
            nodes: vec![
                node(None, "", "generic", "", "cookie-banner"),
                node(Some(0), "e1", "button", "Accept all", ""),
                node(Some(0), "e2", "button", "Reject all", ""),
            ],
            ..Scene::default()
        };
        assert!(matches!(in_the_way(&scene), Some(InTheWay::Banner { dismiss, .. }) if dismiss == "e2"));
    }

    #[test]
    fn another_dialog_is_left_alone() {
        let scene = Scene {
            nodes: vec![
                node(None, "e1", "dialog", "Delete user?", ""),
                node(Some(0), "e2", "button", "Close", ""),
            ],
            ..Scene::default()
        };
        assert_eq!(in_the_way(&scene), None);
    }
}
