//! Lists that a page draws itself: the list is opened, and the option is clicked.

use std::time::Duration;

use assay_protocol::{Action, ErrorCode, Failure, MouseButton, Scene, SceneNode, Selector};

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
        let mut found = option_in(&scene, list, option);
        if found.is_none() {
            self.carry_out(&click(list.clone()), because).await?;
            let patience = self.deadline.at_most(PATIENCE);
            loop {
                let scene = self.look_now().await.map_err(NotPerformed::Failed)?;
                found = option_in(&scene, list, option);
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

/// The only option of this name, in letters and case. Options that say so come before other entries.
fn option_in(scene: &Scene, list: &Selector, option: &str) -> Option<String> {
    let wanted = option.split_whitespace().collect::<Vec<_>>().join(" ");
    let named = list.source.trim_start_matches('@');
    let is_called = |node: &&SceneNode| {
        node.reference.as_deref().is_some_and(|own| own != named)
            && node.name.split_whitespace().collect::<Vec<_>>().join(" ") == wanted
    };
    const OPTIONS: &[&[&str]] = &[
        &["option"],
        &["menuitem", "menuitemradio", "menuitemcheckbox", "treeitem"],
        &["listitem", "clickable"],
    ];
    for roles in OPTIONS {
        let mut called =
            scene.nodes.iter().filter(|node| roles.contains(&node.role.as_str())).filter(is_called);
        if let Some(first) = called.next() {
            return first.reference.clone().filter(|_| called.next().is_none());
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
        let list = Selector::parse("e1").unwrap();
        let mut scene = Scene {
            nodes: vec![
                node("e1", "combobox", "Green"),
                node("e2", "option", "Green"),
                node("e3", "listitem", "Green"),
                node("e4", "button", "Green"),
            ],
            ..Scene::default()
        };
        assert_eq!(option_in(&scene, &list, "Green").as_deref(), Some("e2"));
        assert_eq!(option_in(&scene, &list, "green"), None);
        scene.nodes.push(node("e5", "option", "Green"));
        assert_eq!(option_in(&scene, &list, "Green"), None, "two could be meant");
    }
}
