//! Whether what a model names as evidence is on the page.

use assay_prompt::harmless;
use assay_protocol::Scene;

/// A ref that is there, or words that are seen.
pub(crate) fn is_seen(evidence: &str, scene: &Scene) -> bool {
    let evidence = harmless(evidence);
    if evidence.is_empty() {
        return false;
    }
    // A letter or two are on every page.
    let is_telling = evidence.chars().count() >= 3;
    let by_ref = scene.nodes.iter().any(|node| node.reference.as_deref() == Some(evidence.as_str()));
    by_ref || is_telling && is_said(&evidence, scene)
}

fn is_said(evidence: &str, scene: &Scene) -> bool {
    harmless(&scene.url).contains(evidence)
        || harmless(&scene.title).contains(evidence)
        || scene.nodes.iter().any(|node| {
            harmless(&node.name).contains(evidence)
                || node.value.as_deref().is_some_and(|value| harmless(value).contains(evidence))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_protocol::SceneNode;

    #[test]
    fn evidence_is_a_ref_or_words_of_the_page() {
        let node = SceneNode {
            reference: Some("e3".to_string()),
            role: "heading".to_string(),
            name: "Thank you".to_string(),
            ..SceneNode::default()
        };
        let scene = Scene { nodes: vec![node], ..Scene::default() };
        assert!(is_seen("e3", &scene) && is_seen("Thank  you", &scene));
        assert!(
            !is_seen("e4", &scene)
                && !is_seen("Goodbye", &scene)
                && !is_seen("T", &scene)
                && !is_seen(" ", &scene)
        );
    }
}
