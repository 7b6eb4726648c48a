//! Lists that a page draws itself: the list is opened, and the option is clicked.

use std::time::Duration;

use assay_protocol::{Action, ErrorCode, Failure, MouseButton, Scene, SceneNode, Selector, in_one_line};

use super::controls::{NotPerformed, Performed};
use super::guarded_controls::GuardedControls;

/// How long a list may take to show its options.
const PATIENCE: Duration = Duration::from_millis(2000);

/// Whether the browser itself knows the options.
pub(super) fn is_native(scene: &Scene, list: &Selector) -> bool {
    node_of(scene, list).is_some_and(|node| node.attribute("tag") == Some("select"))
}

impl GuardedControls<'_, '_> {
    /// Opens the list if no option of that name is in sight, and clicks the option. Each click is checked like any other.
    pub(super) async fn choose_in_drawn_list(
        &mut self,
        list: &Selector,
        option: &str,
        because: &str,
    ) -> Result<Performed, NotPerformed> {
        let scene = self.look_now().await.map_err(NotPerformed::Failed)?;
        let inside = |node: usize, scene: &Scene| {
            let named = list.source.trim_start_matches('@');
            scene.ancestors(node).any(|around| scene.nodes[around].reference.as_deref() == Some(named))
        };
        let known: Vec<String> = scene.nodes.iter().filter_map(|node| node.reference.clone()).collect();
        let mut found = option_in(&scene, option, |at| inside(at, &scene));
        if found.is_none() {
            self.carry_out(&click(list.clone()), because).await?;
            let patience = self.deadline.at_most(PATIENCE);
            loop {
                let scene = self.look_now().await.map_err(NotPerformed::Failed)?;
                let is_new = |at: usize| {
                    let node = &scene.nodes[at];
                    node.role == "option" || node.reference.as_ref().is_some_and(|own| !known.contains(own))
                };
                found = option_in(&scene, option, |at| is_new(at) || inside(at, &scene));
                if found.is_some() || patience.is_past() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(150)).await;
            }
        }
        let Some(found) = found.and_then(|reference| Selector::parse(&reference).ok()) else {
            let message = format!("the list was opened and shows no single option called \"{option}\"");
            return Err(NotPerformed::Failed(Failure::new(ErrorCode::NotFound, message)));
        };
        self.carry_out(&click(found), because).await
    }
}

fn click(target: Selector) -> Action {
    Action::Click { target, button: MouseButton::Left, modifiers: Vec::new() }
}

fn node_of<'s>(scene: &'s Scene, named: &Selector) -> Option<&'s SceneNode> {
    let named = named.source.trim_start_matches('@');
    scene.nodes.iter().find(|node| node.reference.as_deref() == Some(named))
}

/// Roles of what can be chosen, those that say so first.
const OPTIONS: &[&[&str]] = &[
    &["option"],
    &["menuitem", "menuitemradio", "menuitemcheckbox", "treeitem"],
    &["listitem", "clickable"],
];

pub(super) fn is_option(node: &SceneNode) -> bool {
    OPTIONS.iter().any(|roles| roles.contains(&node.role.as_str()))
}

/// The only option of this name, in letters and case, that can belong to the list.
fn option_in(scene: &Scene, option: &str, belongs: impl Fn(usize) -> bool) -> Option<String> {
    let wanted = in_one_line(option);
    for roles in OPTIONS {
        let is_called = |at: &usize| {
            let node = &scene.nodes[*at];
            node.reference.is_some()
                && roles.contains(&node.role.as_str())
                && in_one_line(&node.name) == wanted
        };
        let mut called = (0..scene.nodes.len()).filter(is_called).filter(|at| belongs(*at));
        if let Some(first) = called.next() {
            return scene.nodes[first].reference.clone().filter(|_| called.next().is_none());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(reference: &str, role: &str, name: &str) -> SceneNode {
        SceneNode {
            reference: Some(reference.to_string()),
            role: role.to_string(),
            name: name.to_string(),
            ..SceneNode::default()
        }
    }

    #[test]
    fn an_option_is_the_only_one_of_its_name() {
        let mut scene = Scene {
            nodes: vec![
                node("e1", "combobox", "Green"),
                node("e2", "option", "Green"),
                node("e3", "listitem", "Green"),
                node("e4", "button", "Green"),
            ],
            ..Scene::default()
        };
        assert_eq!(option_in(&scene, "Green", |_| true).as_deref(), Some("e2"));
        assert_eq!(option_in(&scene, "green", |_| true), None);
        scene.nodes.push(node("e5", "option", "Green"));
        assert_eq!(option_in(&scene, "Green", |_| true), None, "two could be meant");
        assert_eq!(
            option_in(&scene, "Green", |at| at == 1).as_deref(),
            Some("e2"),
            "only one belongs to the list"
        );
    }
}
