//! The states of elements, by the words for them.

use crate::StateWord;

use super::view::View;

/// Whether the element is in that state; None where the state means nothing to it.
pub(crate) fn has_state(view: &View, at: usize, state: StateWord) -> Option<bool> {
    let node = view.node(at);
    let checkable =
        matches!(node.role.as_str(), "checkbox" | "radio" | "switch" | "menuitemcheckbox" | "menuitemradio")
            || (node.is("pressed") || node.is("checked") || node.is("mixed"));
    let folds = node.is("expanded") || node.is("collapsed");
    let control = view.is_control(at);
    match state {
        StateWord::Visible => Some(!node.is("covered")),
        StateWord::Exists => Some(true),
        StateWord::Hidden => Some(false),
        StateWord::Enabled => control.then(|| !node.is("disabled")),
        StateWord::Disabled => control.then(|| node.is("disabled")),
        StateWord::Checked => checkable.then(|| node.is("checked") || node.is("pressed")),
        StateWord::Unchecked => {
            checkable.then(|| !node.is("checked") && !node.is("pressed") && !node.is("mixed"))
        }
        StateWord::Selected => {
            let so = ["selected", "checked", "current", "pressed"].iter().any(|state| node.is(state));
            let can = checkable
                || matches!(
                    node.role.as_str(),
                    "tab"
                        | "option"
                        | "row"
                        | "treeitem"
                        | "gridcell"
                        | "link"
                        | "button"
                        | "listitem"
                        | "menuitem"
                        | "clickable"
                );
            (so || can).then_some(so)
        }
        StateWord::Focused => Some(node.is("focused")),
        StateWord::Expanded => folds.then(|| node.is("expanded")),
        StateWord::Collapsed => folds.then(|| node.is("collapsed")),
        StateWord::Editable => view.is_editable(at).then(|| !node.is("disabled") && !node.is("readonly")),
        StateWord::ReadOnly => view.is_editable(at).then(|| node.is("readonly")),
        StateWord::Required => (view.is_editable(at) || checkable).then(|| node.is("required")),
        StateWord::Invalid => (view.is_editable(at) || checkable).then(|| node.is("invalid")),
        StateWord::Empty => node.value.as_ref().map(|value| value.trim().is_empty()),
        StateWord::Pressed => (node.role == "button").then(|| node.is("pressed")),
    }
}
