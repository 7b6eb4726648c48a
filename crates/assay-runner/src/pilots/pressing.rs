//! Whether a pilot may press something. Paying, deleting and leaving the site need a step that says so, whichever way
//! the element is pressed: directly, by an image on it, by a key, or by a form that a key submits.

use assay_actions::weighty_words;
use assay_driver::parse_chord;
use assay_protocol::SceneNode;

use super::refusal::ActionRefusal;
use super::rules::{ActionRules, role_and_name};
use crate::committing::presses;

/// Elements that do something when pressed.
const CONTROLS: &[&str] = &[
    "button",
    "link",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "tab",
    "treeitem",
    "switch",
    "checkbox",
    "radio",
    "clickable",
];

/// Putting the cursor into one of these does nothing, whatever it is for.
const FIELDS: &[&str] = &["textbox", "searchbox", "spinbutton", "combobox"];

/// A longer text around the pressed element covers many things and does not say what pressing does.
const LONGEST_LABEL: usize = 80;

impl ActionRules<'_> {
    /// The element and every control around it: pressing the image on a button presses the button.
    pub(super) fn may_press(&self, node: &SceneNode) -> Result<(), ActionRefusal> {
        self.may_be_led(node)?;
        if takes_the_cursor(node) {
            return Ok(());
        }
        self.may_agree_to(&node.name, &role_and_name(node))?;
        let Some(at) = self.place_of(node) else { return Ok(()) };
        let around = std::iter::once(at).chain(self.scene.ancestors(at));
        for control in around.filter(|at| is_control(&self.scene.nodes[*at])) {
            let node = &self.scene.nodes[control];
            self.may_be_led(node)?;
            // Its name and its visible text may differ.
            for label in [node.name.clone(), self.scene.text_of(control)] {
                if label.chars().count() <= LONGEST_LABEL {
                    self.may_agree_to(&label, &role_and_name(node))?;
                }
            }
        }
        Ok(())
    }

    fn may_be_led(&self, node: &SceneNode) -> Result<(), ActionRefusal> {
        let leads = node.attribute("href").and_then(|href| self.home.leaves_for(href));
        leads.map_or(Ok(()), |host| Err(ActionRefusal::LeavesSite { host }))
    }

    /// Keys in order, on this element or on the focused one.
    pub(super) fn may_press_keys(
        &self,
        keys: &[String],
        on: Option<&SceneNode>,
    ) -> Result<(), ActionRefusal> {
        self.may_write(keys)?;
        let mut has_moved = false;
        for key in keys {
            let stroke = parse_chord(key).map_err(|_| ActionRefusal::UnnamedKeys { keys: key.clone() })?;
            if presses(&stroke.key) {
                // The element that has the focus then is unknown.
                if has_moved {
                    return Err(ActionRefusal::UnseenFocus);
                }
                match on.or_else(|| self.focused()) {
                    Some(node) if node.role != "frame" => {
                        self.may_press(node)?;
                        self.may_send_form_of(node)?;
                    }
                    None if !self.scene.nodes.iter().any(is_control) => {}
                    _ => return Err(ActionRefusal::UnseenFocus),
                }
            }
            has_moved |= !stays(&stroke.key);
        }
        Ok(())
    }

    /// Keys that move and confirm are always allowed; keys that write are text.
    fn may_write(&self, keys: &[String]) -> Result<(), ActionRefusal> {
        const HARMLESS_CHORDS: &[&str] = &["Control+a", "Meta+a", "Control+A", "Meta+A"];
        const MOVING: &[&str] = &[
            "Enter",
            "Tab",
            "Escape",
            "Space",
            "Backspace",
            "Delete",
            "Home",
            "End",
            "PageUp",
            "PageDown",
            "ArrowUp",
            "ArrowDown",
            "ArrowLeft",
            "ArrowRight",
        ];
        // Only whole words, and chords as written: the single letters of a sentence would allow any key.
        let is_apart = |letter: char| !letter.is_alphanumeric() && letter != '+';
        let named: Vec<&str> = self.home.sentence.split(is_apart).filter(|word| !word.is_empty()).collect();
        let writes = |key: &&String| {
            let bare = key.strip_prefix("Shift+").unwrap_or(key);
            !HARMLESS_CHORDS.contains(&key.as_str())
                && !MOVING.contains(&bare)
                && !named.contains(&key.to_lowercase().as_str())
        };
        match keys.iter().find(writes) {
            Some(_) => Err(ActionRefusal::UnnamedKeys { keys: keys.join(" ") }),
            // Otherwise single keys could spell a text from letters of the sentence.
            None if keys.iter().filter(|key| key.chars().count() == 1).count() > 1 => {
                Err(ActionRefusal::UnnamedKeys { keys: keys.join(" ") })
            }
            None => Ok(()),
        }
    }

    /// Enter in a field submits its form, so the names of its buttons count.
    fn may_send_form_of(&self, field: &SceneNode) -> Result<(), ActionRefusal> {
        let Some(at) = self.place_of(field) else { return Ok(()) };
        let is_form = |around: &usize| self.scene.nodes[*around].role == "form";
        let Some(form) = self.scene.ancestors(at).find(is_form) else { return Ok(()) };
        let inside = self.scene.nodes.iter().enumerate().filter(|(at, _)| self.scene.is_within(*at, form));
        for (_, button) in inside.filter(|(_, node)| node.role == "button") {
            self.may_press(button)?;
        }
        Ok(())
    }

    /// Paying and deleting are for steps that say so.
    pub(super) fn may_agree_to(&self, said: &str, name: &str) -> Result<(), ActionRefusal> {
        let step = weighty_words(&self.home.sentence);
        let said = weighty_words(said);
        if said.pays && !step.pays {
            return Err(ActionRefusal::Paying { name: name.to_string() });
        }
        if said.deletes && !step.deletes {
            return Err(ActionRefusal::Deleting { name: name.to_string() });
        }
        Ok(())
    }

    pub(super) fn place_of(&self, node: &SceneNode) -> Option<usize> {
        self.scene.nodes.iter().position(|known| std::ptr::eq(known, node))
    }
}

pub(super) fn is_control(node: &SceneNode) -> bool {
    CONTROLS.contains(&node.role.as_str())
}

pub(super) fn takes_the_cursor(node: &SceneNode) -> bool {
    FIELDS.contains(&node.role.as_str())
}

/// Whether the focus is where it was after a key.
fn stays(key: &str) -> bool {
    matches!(key, "Backspace" | "Delete" | "Home" | "End" | "Shift" | "Control" | "Alt" | "Meta" | "a" | "A")
}

#[cfg(test)]
#[path = "pressing_tests.rs"]
mod tests;
