//! What a pilot may do, and in which form. The action, the page and the test alone decide; the pilot's input and its
//! explanations have no influence.

use assay_protocol::actions::PilotUse;
use assay_protocol::{Action, DialogAnswer, Scene, SceneNode, Selector};

use super::reachable_sites::ReachableSites;
use super::refusal::ActionRefusal;
use super::values::{NamedValue, RevealedValues, ValueFrom};
use crate::passwords::is_for_secrets;

/// The facts against which an action is checked.
pub(crate) struct ActionRules<'a> {
    pub scene: &'a Scene,
    pub named: &'a RevealedValues,
    pub home: &'a ReachableSites,
}

impl ActionRules<'_> {
    /// The action in the form that is carried out, with values in place of their references.
    pub fn permit(&self, action: &Action) -> Result<Action, ActionRefusal> {
        let mut action = action.clone();
        for selector in action.selectors_mut() {
            self.node(selector)?;
        }
        match &mut action {
            Action::Click { target, .. } | Action::Dblclick { target } => {
                self.may_press(self.node(target)?)?;
            }
            Action::Fill { target, text } => {
                let node = self.node(target)?;
                *text = self.text(text, Some(node))?;
            }
            Action::Type { target, text } => {
                let node = target.as_ref().map(|target| self.node(target)).transpose()?;
                *text = self.text(text, node.or_else(|| self.focused()))?;
            }
            Action::Press { keys, target } => {
                let node = target.as_ref().map(|target| self.node(target)).transpose()?;
                self.may_press_keys(keys, node)?;
            }
            Action::Drag { from, to, .. } => {
                self.may_press(self.node(from)?)?;
                self.may_press(self.node(to)?)?;
            }
            Action::Check { target } | Action::Uncheck { target } => self.may_press(self.node(target)?)?,
            Action::Select { target, options } => {
                let node = self.node(target)?;
                for option in options {
                    self.option(option, node)?;
                    // Some lists act as soon as an option is chosen.
                    if self.named.meant(option).is_none() {
                        self.may_agree_to(option, &format!("\"{option}\" of {}", role_and_name(node)))?;
                    }
                }
            }
            Action::Upload { files, .. } => {
                for file in files {
                    *file = self.text(file, None)?;
                }
            }
            Action::Dialog { answer: Some(DialogAnswer::Accept { text }) } => {
                if let Some(dialog) = &self.scene.dialog {
                    self.may_agree_to(&dialog.message, &format!("OK on \"{}\"", dialog.message))?;
                }
                if let Some(text) = text {
                    *text = self.text(text, None)?;
                }
            }
            Action::Go { url } => {
                if !is_plain_address(url) {
                    return Err(ActionRefusal::NotAnAddress { text: url.clone() });
                }
                if let Some(host) = self.home.leaves_for(url) {
                    return Err(ActionRefusal::LeavesSite { host });
                }
                if !self.home.names(url) {
                    return Err(ActionRefusal::UnnamedAddress { address: url.clone() });
                }
            }
            // Reading or dismissing a dialog agrees to nothing.
            Action::Dialog { answer: None | Some(DialogAnswer::Dismiss) } => {}
            // An action that needs a check and has none above is refused. Points are looked up first: see
            // `permit_raw`. Only locks use input with conditions.
            other => match other.entry().pilots {
                PilotUse::Free => {}
                PilotUse::Checked | PilotUse::Never => {
                    return Err(ActionRefusal::NotForPilots { verb: other.verb() });
                }
            },
        }
        Ok(action)
    }

    pub(super) fn node(&self, selector: &Selector) -> Result<&SceneNode, ActionRefusal> {
        if selector.as_ref_id().is_none() {
            return Err(ActionRefusal::NotARef { selector: selector.source.clone() });
        }
        let named = selector.source.trim_start_matches('@');
        self.scene
            .nodes
            .iter()
            .find(|node| node.role != "text" && node.reference.as_deref() == Some(named))
            .ok_or_else(|| ActionRefusal::UnknownRef { reference: selector.source.clone() })
    }

    /// What keys go to. A frame has the focus when something in it has: that one is meant, where it is known. What would
    /// have it in a frame without the focus does not count.
    pub(super) fn focused(&self) -> Option<&SceneNode> {
        let nodes = &self.scene.nodes;
        let is_asleep = |at: usize| nodes[at].role == "frame" && !nodes[at].is("focused");
        let has_it = |at: &usize| nodes[*at].is("focused") && !self.scene.ancestors(*at).any(is_asleep);
        (0..nodes.len()).rfind(has_it).map(|at| &nodes[at])
    }

    /// The text to type into this field.
    pub(super) fn text(&self, text: &str, field: Option<&SceneNode>) -> Result<String, ActionRefusal> {
        let wants_secret = field.is_some_and(is_for_secrets);
        let Some((meant, value)) = self.named.meant(text) else {
            return Err(match field {
                Some(field) if wants_secret => {
                    ActionRefusal::UnnamedCredential { field: role_and_name(field) }
                }
                _ => ActionRefusal::UnnamedValue { text: text.to_string() },
            });
        };
        let is_long = field.is_some_and(|field| field.attribute("tag") == Some("textarea"));
        let is_key = |letter: char| letter.is_control() && !(is_long && letter == '\n');
        if meant.contains(is_key) {
            return Err(ActionRefusal::KeysInText);
        }
        let is_elsewhere =
            |value: &NamedValue| value.is_secret && value.from == ValueFrom::Elsewhere && !wants_secret;
        if value.is_some_and(is_elsewhere) {
            let field = field.map_or("what has the focus".to_string(), role_and_name);
            return Err(ActionRefusal::MisplacedSecret { field });
        }
        Ok(meant)
    }

    /// An option comes from the page; one that the test names is allowed as well.
    fn option(&self, option: &mut String, list: &SceneNode) -> Result<(), ActionRefusal> {
        if list.options.iter().any(|known| known == option) {
            return Ok(());
        }
        // An option of a list that the page draws is an element like others.
        let is_shown = |node: &SceneNode| {
            node.reference.is_some() && node.name == *option && super::drawn_lists::is_option(node)
        };
        if list.attribute("tag") != Some("select") && self.scene.nodes.iter().any(is_shown) {
            return Ok(());
        }
        match self.named.meant(option) {
            Some((meant, _)) if list.options.is_empty() || list.options.contains(&meant) => {
                *option = meant;
                Ok(())
            }
            _ => Err(ActionRefusal::UnknownOption { list: list.name.clone(), option: option.clone() }),
        }
    }
}

/// A path, or a complete address. Other forms are ambiguous.
fn is_plain_address(address: &str) -> bool {
    let is_clean =
        !address.contains(|letter: char| letter == '\\' || letter.is_whitespace() || letter.is_control());
    let is_path = address.starts_with('/') && !address.starts_with("//");
    let is_whole = (address.starts_with("http://") || address.starts_with("https://"))
        && super::reachable_sites::host_of(address).is_some();
    is_clean && (is_path || is_whole)
}

pub(super) fn role_and_name(node: &SceneNode) -> String {
    format!("{} \"{}\"", node.role, node.name)
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
