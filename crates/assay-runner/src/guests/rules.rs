//! What a guest may do, and in which form it is done. Decided by the action, the page and the test alone: what a guest
//! was told, or tells, has no part in it.

use assay_protocol::{Action, DialogAnswer, Scene, SceneNode, ScrollTo, Selector};

use super::elsewhere::Home;
use super::refusal::Refusal;
use super::values::{Named, NamedValue, ValueFrom};

/// What an action is held against.
pub(crate) struct Rules<'a> {
    pub scene: &'a Scene,
    pub named: &'a Named,
    pub home: &'a Home,
}

impl Rules<'_> {
    /// The action as it is to be carried out, with values in place of their references.
    pub fn permit(&self, action: &Action) -> Result<Action, Refusal> {
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
                self.may_be_pressed(keys)?;
                let node = target.as_ref().map(|target| self.node(target)).transpose()?;
                if keys.iter().any(|key| key == "Enter" || key == "Space")
                    && let Some(node) = node.or_else(|| self.focused())
                {
                    self.may_press(node)?;
                    self.may_send_form_of(node)?;
                }
            }
            Action::Drag { to, .. } => self.may_press(self.node(to)?)?,
            Action::Select { target, options } => {
                let node = self.node(target)?;
                for option in options {
                    self.option(option, node)?;
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
                if let Some(host) = self.home.leaves_for(url) {
                    return Err(Refusal::LeavesSite { host });
                }
            }
            Action::Check { .. }
            | Action::Uncheck { .. }
            | Action::Clear { .. }
            | Action::Hover { .. }
            | Action::Focus { .. }
            | Action::Scroll {
                to: ScrollTo::By { .. } | ScrollTo::Top | ScrollTo::Bottom | ScrollTo::Element { .. },
            }
            | Action::Dialog { .. }
            | Action::Back
            | Action::Forward
            | Action::Reload
            | Action::TabSwitch { .. }
            | Action::Wait { .. } => {}
            // Points are looked up first: see `permit_raw`. What is tied to a place is a lock's.
            other => return Err(Refusal::NotForGuests { verb: other.verb() }),
        }
        Ok(action)
    }

    pub(super) fn node(&self, selector: &Selector) -> Result<&SceneNode, Refusal> {
        if selector.as_ref_id().is_none() {
            return Err(Refusal::NotARef { selector: selector.source.clone() });
        }
        let named = selector.source.trim_start_matches('@');
        self.scene
            .nodes
            .iter()
            .find(|node| node.role != "text" && node.reference.as_deref() == Some(named))
            .ok_or_else(|| Refusal::UnknownRef { reference: selector.source.clone() })
    }

    pub(super) fn focused(&self) -> Option<&SceneNode> {
        self.scene.nodes.iter().find(|node| node.is("focused"))
    }

    /// What is to be typed into this field.
    pub(super) fn text(&self, text: &str, field: Option<&SceneNode>) -> Result<String, Refusal> {
        let wants_secret = field.is_some_and(is_for_secrets);
        let Some((meant, value)) = self.named.meant(text) else {
            return Err(match field {
                Some(field) if wants_secret => Refusal::UnnamedCredential { field: said(field) },
                _ => Refusal::UnnamedValue { text: text.to_string() },
            });
        };
        let is_elsewhere =
            |value: &NamedValue| value.is_secret && value.from == ValueFrom::Elsewhere && !wants_secret;
        if value.is_some_and(is_elsewhere) {
            let field = field.map_or("what has the focus".to_string(), said);
            return Err(Refusal::MisplacedSecret { field });
        }
        Ok(meant)
    }

    /// An option is the page's own; one that the test names is as good.
    fn option(&self, option: &mut String, list: &SceneNode) -> Result<(), Refusal> {
        if list.options.iter().any(|known| known == option) {
            return Ok(());
        }
        match self.named.meant(option) {
            Some((meant, _)) if list.options.is_empty() || list.options.contains(&meant) => {
                *option = meant;
                Ok(())
            }
            _ => Err(Refusal::UnknownOption { list: list.name.clone(), option: option.clone() }),
        }
    }

    /// Keys that move and confirm are anybody's; keys that write are text.
    fn may_be_pressed(&self, keys: &[String]) -> Result<(), Refusal> {
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
        let writes = |key: &&String| {
            let bare = key.strip_prefix("Shift+").unwrap_or(key);
            !HARMLESS_CHORDS.contains(&key.as_str())
                && !MOVING.contains(&bare)
                && !self.home.sentence.contains(&key.to_lowercase())
        };
        match keys.iter().find(writes) {
            Some(_) => Err(Refusal::UnnamedKeys { keys: keys.join(" ") }),
            // Key after key, a text can be written of which each letter stands in the sentence.
            None if keys.iter().filter(|key| key.chars().count() == 1).count() > 1 => {
                Err(Refusal::UnnamedKeys { keys: keys.join(" ") })
            }
            None => Ok(()),
        }
    }

    pub(super) fn may_press(&self, node: &SceneNode) -> Result<(), Refusal> {
        let leads = node.attribute("href").and_then(|href| self.home.leaves_for(href));
        if let Some(host) = leads {
            return Err(Refusal::LeavesSite { host });
        }
        // To put the cursor into a field does nothing, whatever the field is for.
        if matches!(node.role.as_str(), "textbox" | "searchbox" | "spinbutton" | "combobox") {
            return Ok(());
        }
        self.may_agree_to(&node.name, &said(node))
    }

    /// Enter in a field sends its form: then what its buttons say counts.
    fn may_send_form_of(&self, field: &SceneNode) -> Result<(), Refusal> {
        let Some(at) = self.scene.nodes.iter().position(|node| std::ptr::eq(node, field)) else {
            return Ok(());
        };
        let is_form = |around: &usize| self.scene.nodes[*around].role == "form";
        let Some(form) = self.scene.ancestors(at).find(is_form) else { return Ok(()) };
        let inside = self.scene.nodes.iter().enumerate().filter(|(at, _)| self.scene.is_within(*at, form));
        for (_, button) in inside.filter(|(_, node)| node.role == "button") {
            self.may_press(button)?;
        }
        Ok(())
    }

    /// Paying and deleting are for steps that say so.
    pub(super) fn may_agree_to(&self, said: &str, name: &str) -> Result<(), Refusal> {
        let (words, step) = (words_of(said), words_of(&self.home.sentence));
        if has_any(&words, PAYING) && !has_any(&step, PAYING) {
            return Err(Refusal::Paying { name: name.to_string() });
        }
        if has_any(&words, DELETING) && !has_any(&step, DELETING) {
            return Err(Refusal::Deleting { name: name.to_string() });
        }
        Ok(())
    }
}

/// Words on what pays, and in a step that says so.
const PAYING: &[&str] = &[
    "pay",
    "pays",
    "paying",
    "payment",
    "buy",
    "buys",
    "purchase",
    "purchases",
    "order",
    "orders",
    "subscribe",
    "donate",
    "transfer",
    "withdraw",
    "tip",
    "checkout",
    "kaufen",
    "bezahlen",
    "zahlen",
    "bestellen",
    "acheter",
    "payer",
    "comprar",
    "pagar",
];

/// Words on what deletes, and in a step that says so.
const DELETING: &[&str] = &[
    "delete",
    "deletes",
    "deleting",
    "remove",
    "removes",
    "erase",
    "destroy",
    "wipe",
    "discard",
    "purge",
    "drop",
    "trash",
    "empty",
    "reset",
    "deactivate",
    "terminate",
    "revoke",
    "unsubscribe",
    "clear",
    "löschen",
    "entfernen",
    "supprimer",
    "eliminar",
    "borrar",
];

fn has_any(words: &[String], of: &[&str]) -> bool {
    words.iter().any(|word| of.contains(&word.as_str()))
}

fn words_of(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn is_for_secrets(node: &SceneNode) -> bool {
    let completes = node.attribute("autocomplete").unwrap_or_default();
    node.is("secret")
        || node.attribute("type") == Some("password")
        || ["password", "one-time-code", "cc-"].iter().any(|kind| completes.contains(kind))
}

fn said(node: &SceneNode) -> String {
    format!("{} \"{}\"", node.role, node.name)
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
