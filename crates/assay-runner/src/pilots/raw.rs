//! A pilot's input at points of the viewport: checked by the rules for the element there, and carried out on that
//! element if there is one. So naming an element and pointing at it are the same act, and are locked alike.

use assay_protocol::{
    Action, MouseButton, RawInput, RawPlace, SceneNode, ScrollTo, Selector, ViewPoint, ViewSize,
};

use super::pressing::{is_control, takes_the_cursor};
use super::refusal::ActionRefusal;
use super::rules::ActionRules;
use super::values::NamedValue;

/// The elements at a point, as the page reports them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ElementAtPoint {
    /// Refs and names of the element there and of its ancestors, nearest first.
    pub elements: Vec<(String, String)>,
    /// The tag of the hit element.
    pub tag: String,
    /// Its words, where they are few.
    pub text: String,
}

/// Elements for which the exact point matters.
const PICTURES: &[&str] =
    &["canvas", "img", "svg", "path", "video", "object", "embed", "iframe", "area", "map"];

/// Elements that take text.
const FIELDS: &[&str] =
    &["textbox", "searchbox", "spinbutton", "combobox", "date", "time", "month", "week", "datetime"];

impl ActionRules<'_> {
    /// The input in the form that is carried out. `under` holds the elements at each of its points.
    pub fn permit_raw(&self, input: &RawInput, under: &[ElementAtPoint]) -> Result<Action, ActionRefusal> {
        for (point, under) in input.points().iter().zip(under) {
            if input.pressed().contains(point) {
                self.may_press_at(under)?;
            }
        }
        let first = under.first();
        let node = first.and_then(|under| self.node_under(under));
        let whole = node.filter(|node| is_whole(node) && !first.is_some_and(is_picture));
        let target = whole.and_then(selector_of);
        Ok(match (input, target) {
            (RawInput::Click { button, times: 1, modifiers, .. }, Some(target)) => {
                Action::Click { target, button: *button, modifiers: modifiers.clone() }
            }
            (RawInput::Click { button: MouseButton::Left, times: 2, modifiers, .. }, Some(target))
                if modifiers.is_empty() =>
            {
                Action::Dblclick { target }
            }
            (RawInput::Move { .. }, Some(target)) => Action::Hover { target },
            (RawInput::Scroll { by_x, by_y, .. }, _) if !first.is_some_and(is_picture) => {
                let over = node.and_then(selector_of);
                Action::Scroll { to: ScrollTo::By { x: *by_x, y: *by_y, over } }
            }
            (RawInput::Type { text }, _) => self.permit_typing(text)?,
            (input, _) => self.at_its_place(input, node, under),
        })
    }

    /// The nearest element of the scene.
    fn node_under(&self, under: &ElementAtPoint) -> Option<&SceneNode> {
        under.elements.iter().find_map(|(reference, _)| {
            let selector = Selector::parse(reference).ok()?;
            self.node(&selector).ok()
        })
    }

    /// Checks every name at the point: the hit text and each element around it. Elements that the page lists follow
    /// their own rules.
    fn may_press_at(&self, under: &ElementAtPoint) -> Result<(), ActionRefusal> {
        self.may_agree_to(&under.text, &format!("{} \"{}\"", under.tag, under.text))?;
        for (reference, name) in &under.elements {
            let listed = Selector::parse(reference).ok().and_then(|selector| self.node(&selector).ok());
            match listed {
                Some(node) => self.may_press(node)?,
                None => self.may_agree_to(name, &format!("{} \"{name}\"", under.tag))?,
            }
        }
        Ok(())
    }

    /// Types into the focused element; without a field, wherever the keys go.
    fn permit_typing(&self, text: &str) -> Result<Action, ActionRefusal> {
        let focused = self.focused();
        let field = focused.filter(|node| FIELDS.contains(&node.role.as_str()));
        let meant = self.text(text, field)?;
        let Some(field) = field else {
            if self.named.meant(text).is_some_and(|(_, value)| value.is_some_and(is_secret)) {
                return Err(ActionRefusal::UnmaskableSecret);
            }
            // A blank presses the focused element.
            if let Some(focused) = focused.filter(|_| meant.contains(' ')) {
                self.may_press(focused)?;
            }
            return Ok(Action::Raw { input: RawInput::Type { text: meant }, place: RawPlace::default() });
        };
        // In an empty field this equals typing into that field; otherwise the cursor position matters.
        let is_empty = field.value.as_deref().unwrap_or_default().is_empty();
        let target = selector_of(field).filter(|_| is_empty);
        Ok(Action::Type { target, text: meant })
    }

    /// Where no element stands for it: at a point of the picture that is there, or of the view.
    fn at_its_place(&self, input: &RawInput, node: Option<&SceneNode>, under: &[ElementAtPoint]) -> Action {
        let in_view = || {
            let [width, height] = self.scene.view;
            let size = Some(ViewSize { width, height });
            Action::Raw { input: input.clone(), place: RawPlace { size, ..RawPlace::default() } }
        };
        let Some(node) = node.filter(|node| !self.is_in_frame(node)) else { return in_view() };
        let Some(within) = selector_of(node) else { return in_view() };
        let [left, top, width, height] = node.area;
        let is_same =
            |other: &ElementAtPoint| self.node_under(other).is_some_and(|other| std::ptr::eq(other, node));
        let is_inside = |point: &ViewPoint| {
            (left..left + width).contains(&point.x) && (top..top + height).contains(&point.y)
        };
        if !under.iter().all(is_same) || !input.points().iter().all(is_inside) {
            return in_view();
        }
        let size = Some(ViewSize { width, height });
        let place = RawPlace { within: Some(within), size, looks: None };
        Action::Raw { input: input.moved_by(-left, -top), place }
    }

    /// Areas in frames count from the frame.
    fn is_in_frame(&self, node: &SceneNode) -> bool {
        self.place_of(node)
            .is_none_or(|at| self.scene.ancestors(at).any(|around| self.scene.nodes[around].role == "frame"))
    }
}

fn is_secret(value: &NamedValue) -> bool {
    value.is_secret
}

/// Whether it is the same wherever it is pressed.
fn is_whole(node: &SceneNode) -> bool {
    (is_control(node) || takes_the_cursor(node))
        && !node.attribute("tag").is_some_and(|tag| PICTURES.contains(&tag))
}

fn is_picture(under: &ElementAtPoint) -> bool {
    matches!(under.tag.as_str(), "canvas" | "video" | "object" | "embed" | "iframe" | "area" | "map")
}

fn selector_of(node: &SceneNode) -> Option<Selector> {
    Selector::parse(node.reference.as_deref()?).ok()
}

#[cfg(test)]
#[path = "raw_tests.rs"]
mod tests;
