//! States that pages show only by a class: the active entry of a menu, the disabled button of a pager.
//!
//! States for assistive technology come first. A class that contradicts them makes the state unknown. If nothing in a
//! group is marked, it is unknown whether the group has marks at all.

use crate::StateWord;

use super::states::has_state;
use super::view::View;
use super::words::fold;

const SELECTED: &[&str] = &["active", "selected", "current", "checked"];
const DISABLED: &[&str] = &["disabled"];
const INVALID: &[&str] = &["invalid", "error", "errors"];

/// Whether an element is in a state, by its attributes or its marks; None if that is unknown.
pub(crate) fn stands(view: &View, at: usize, state: StateWord) -> Option<bool> {
    match state {
        StateWord::Selected => is_selected(view, at),
        StateWord::Disabled => is_disabled(view, at),
        StateWord::Enabled => is_disabled(view, at).map(|disabled| !disabled),
        StateWord::Invalid => is_invalid(view, at),
        _ => has_state(view, at, state),
    }
}

fn is_selected(view: &View, at: usize) -> Option<bool> {
    let told = has_state(view, at, StateWord::Selected)?;
    let marked = is_marked(view, at, SELECTED);
    if told {
        return Some(true);
    }
    let node = view.node(at);
    // These tell it themselves; a mark that says otherwise may mean something else.
    let tells = matches!(
        node.role.as_str(),
        "tab" | "option" | "radio" | "checkbox" | "switch" | "menuitemradio" | "treeitem" | "gridcell"
    );
    match (tells, marked) {
        (true, false) => Some(false),
        (true, true) => None,
        (false, true) => Some(true),
        (false, false) => is_among_marked(view, at).then_some(false),
    }
}

fn is_disabled(view: &View, at: usize) -> Option<bool> {
    let told = has_state(view, at, StateWord::Disabled)?;
    let marked = is_marked(view, at, DISABLED);
    let is_native =
        matches!(view.node(at).attribute("tag"), Some("button" | "input" | "select" | "textarea"));
    match (told, marked) {
        (true, _) => Some(true),
        (false, true) => (!is_native).then_some(true),
        (false, false) => Some(false),
    }
}

/// Also by the row of the form that the field stands in alone.
fn is_invalid(view: &View, at: usize) -> Option<bool> {
    let told = has_state(view, at, StateWord::Invalid)?;
    let alone = |around: &usize| view.inside(*around).filter(|inner| view.is_editable(*inner)).count() == 1;
    let rows = view.scene.ancestors(at).take(3).take_while(alone);
    let marked = std::iter::once(at).chain(rows).any(|place| has_mark(view, place, INVALID));
    Some(told || marked)
}

/// On the element, on a child that shows the same text, or on a parent that holds nothing else.
fn is_marked(view: &View, at: usize, words: &[&str]) -> bool {
    let same = |other: &usize| fold(view.text(*other)) == fold(view.text(at));
    let around = view.scene.ancestors(at).take(2).take_while(same);
    let inside = view.inside(at).filter(same).take(3);
    std::iter::once(at).chain(around).chain(inside).any(|place| has_mark(view, place, words))
}

/// Another of its group is marked or says that it is selected.
fn is_among_marked(view: &View, at: usize) -> bool {
    let role = &view.node(at).role;
    view.scene.ancestors(at).take(3).any(|around| {
        let others: Vec<usize> =
            view.inside(around).filter(|other| *other != at && view.node(*other).role == *role).collect();
        others.iter().any(|other| {
            is_marked(view, *other, SELECTED)
                || ["selected", "current", "pressed"].iter().any(|state| view.node(*other).is(state))
        })
    })
}

/// A class that is the word, or ends with it: `active`, `is-active`, `ui-state-active`, not `active:scale-95`.
fn has_mark(view: &View, at: usize, words: &[&str]) -> bool {
    view.node(at).attribute("class").is_some_and(|class| {
        class.split_whitespace().any(|token| {
            let token = token.to_lowercase();
            words.iter().any(|word| {
                token.strip_suffix(word).is_some_and(|front| {
                    front.is_empty()
                        || front.ends_with(['-', '_']) && !front.starts_with("no") && !front.contains(':')
                })
            })
        })
    })
}
