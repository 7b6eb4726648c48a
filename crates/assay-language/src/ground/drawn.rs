//! Sliders and lists that a page draws without roles: known by what the page calls them, worked by keys and clicks.

use assay_protocol::Action;

use crate::{Act, ClickKind, Decision, ElementKind, PlannedAction, Target};

use super::Grounding;
use super::explain::missing;
use super::kinds::has_class_word;
use super::view::View;

/// What pages call a list to choose from.
const LISTS: &[&str] = &["dropdown", "combobox", "selectbox", "picklist"];
/// More presses than these take too long to be what the author means.
const MOST_PRESSES: usize = 400;

impl Grounding<'_> {
    /// "The dropdown", where nothing says that it is one: the only clickable part of what the page calls so. It is opened,
    /// and the option chosen then.
    pub(super) fn in_drawn_list(&self, options: &[String], from: &Target) -> Option<Decision> {
        let is_nameless = from.is_nameless() && from.relations.is_empty();
        if from.kind != Some(ElementKind::Dropdown) || !is_nameless || from.ordinal.is_some() {
            return None;
        }
        let list = self.only_drawn(LISTS)?;
        let because = format!("{}: the page calls it a list to choose from", self.view.describe(list));
        let opened = self.clicked(list, because.into(), ClickKind::Single);
        match opened {
            Decision::Do(planned) => {
                let then = Some(Act::Choose { options: options.to_vec(), from: None });
                Some(Decision::Do(PlannedAction { then, ..planned }))
            }
            other => Some(other),
        }
    }

    /// "The slider", where nothing says that it is one: its handle is moved by keys, and a number beside it says how far.
    pub(super) fn on_drawn_slider(&self, target: &Target, text: &str) -> Option<Decision> {
        let is_nameless = target.is_nameless() && target.relations.is_empty();
        if target.kind != Some(ElementKind::Slider) || !is_nameless || target.ordinal.is_some() {
            return None;
        }
        let view = self.view;
        let wanted: i64 = text.trim().parse().ok()?;
        let handle = self.only_drawn(&["slider"])?;
        let what = view.describe(handle);
        let Some(shown) = number_beside(view, handle) else {
            return Some(missing(view, format!("no number beside {what} says where it is"), &[handle]));
        };
        if shown == wanted {
            return Some(Decision::NothingToDo { because: format!("{what} is at {wanted}") });
        }
        let reference = view.node(handle).reference.as_ref()?;
        // Keys that bring it no nearer are not pressed again.
        let is_moved = self.hints.acted.as_ref().is_some_and(|acted| acted.reference == *reference);
        let before = self.hints.before.as_ref().filter(|_| is_moved).and_then(|(_, last)| {
            let before = View::new(last);
            let same = before.all().find(|at| before.node(*at).reference.as_ref() == Some(reference))?;
            number_beside(&before, same)
        });
        if before.is_some_and(|before| shown.abs_diff(wanted) >= before.abs_diff(wanted)) {
            return Some(missing(view, format!("{what} went to {shown}, not to {wanted}"), &[handle]));
        }
        let distance = usize::try_from(shown.abs_diff(wanted)).ok().filter(|far| *far <= MOST_PRESSES)?;
        let key = if wanted > shown { "ArrowRight" } else { "ArrowLeft" };
        let target_of_keys = self.selector(handle).ok()?;
        let planned = PlannedAction {
            action: Action::Press { keys: vec![key.to_string(); distance], target: Some(target_of_keys) },
            because: format!("{what}: it is at {shown}"),
            sureness: None,
            then: Some(Act::Enter { target: Some(target.clone()), text: text.to_string() }),
            commits: false,
        };
        Some(Decision::Do(planned))
    }

    /// The innermost clickable part without a name of the only thing that the page calls so.
    fn only_drawn(&self, words: &[&str]) -> Option<usize> {
        let view = self.view;
        let is_part = |at: &usize| {
            view.node(*at).role == "clickable"
                && view.node(*at).reference.is_some()
                && view.node(*at).name.trim().is_empty()
                && std::iter::once(*at)
                    .chain(view.scene.ancestors(*at).take(2))
                    .any(|around| has_class_word(view, around, words))
        };
        let parts: Vec<usize> = view.all().filter(is_part).collect();
        let innermost: Vec<usize> = parts
            .iter()
            .copied()
            .filter(|at| !parts.iter().any(|other| view.is_within(*other, *at)))
            .collect();
        if let [only] = innermost.as_slice() { Some(*only) } else { None }
    }
}

/// The only text near it that is a number and nothing else.
fn number_beside(view: &View, handle: usize) -> Option<i64> {
    for around in view.scene.ancestors(handle).take(3) {
        let numbers: Vec<i64> = view.inside(around).filter_map(|at| number(view, at)).collect();
        match numbers.as_slice() {
            [] => {}
            [only] => return Some(*only),
            _ => return None,
        }
    }
    None
}

fn number(view: &View, at: usize) -> Option<i64> {
    let node = view.node(at);
    (node.role == "text").then(|| node.name.trim().parse().ok()).flatten()
}
