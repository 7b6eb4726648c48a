//! The menu that the last act has opened: everything in it is new, and nothing new stands outside it.

use crate::{ElementKind, LastAct, Target};

use super::kinds::has_class_word;
use super::view::View;

/// The smallest part of the page around all controls that the last act has brought. None where old ones are among them.
pub(crate) fn opened_menu(view: &View, acted: &LastAct) -> Option<usize> {
    let is_new = |at: usize| {
        view.node(at).reference.as_ref().is_some_and(|reference| !acted.known.contains(reference))
    };
    let is_pressed = |at: &usize| view.is_control(*at) && !view.is_editable(*at);
    let new: Vec<usize> = view.all().filter(is_pressed).filter(|at| is_new(*at)).collect();
    let (first, rest) = new.split_first()?;
    let menu =
        view.scene.ancestors(*first).find(|around| rest.iter().all(|at| view.is_within(*at, *around)))?;
    let [_, _, width, height] = view.node(menu).area;
    let [across, down] = view.scene.view;
    let is_small = width * height < across * down / 2.0;
    let is_all_new = view.inside(menu).filter(is_pressed).all(is_new);
    let is_menu = std::iter::once(menu).chain(view.scene.ancestors(menu).take(2)).any(|around| {
        matches!(view.node(around).role.as_str(), "menu" | "listbox")
            || has_class_word(view, around, &["menu", "dropdown", "popup", "popover"])
    });
    (!rest.is_empty() && is_small && is_all_new && is_menu).then_some(menu)
}

/// "The menu", "that menu": no name tells which.
pub(crate) fn is_nameless_menu(target: &Target) -> bool {
    target.kind == Some(ElementKind::Menu)
        && target.is_nameless()
        && target.relations.is_empty()
        && target.ordinal.is_none()
}
