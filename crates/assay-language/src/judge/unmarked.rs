//! Entries that no role marks: nodes of a graph, lines of a list that is drawn, records that the author calls by a word of
//! their own.

use crate::ground::view::View;
use crate::ground::words::spaced;
use crate::{About, ElementKind, Nearness, StateWord, Target};

use super::scope::Scope;
use super::{Finding, Judging};

impl Judging<'_> {
    /// `The node "Pump" is on the canvas`, `a bill for "Rent"`: shown if that name stands there as a text or an entry of
    /// its own. Asked where nothing of the kind was found; only for claims that something is there.
    pub(super) fn unmarked_entry(&self, about: &About) -> Option<Finding> {
        let About::State { target, state: StateWord::Visible | StateWord::Exists } = about else {
            return None;
        };
        let (name, place, is_record) = named_entry(target)?;
        let view = self.view;
        let place = match place {
            Some(place) => Some(self.place(place).ok().map(|at| Scope::of(view, at, place))?),
            None => None,
        };
        let is_new = target.words.iter().any(|word| NEW.contains(&word.as_str()));
        if is_new && !self.came_with_the_act(name) {
            return None;
        }
        let is_it = |at: &usize| {
            view.node(*at).role == "text"
                && spaced(view.text(*at)) == spaced(name)
                && !view.node(*at).is("covered")
                && (!is_record || view.entry_of(*at).is_some())
        };
        let nodes = place.map_or_else(|| view.all().collect(), |place| place.own(place.nodes(view)));
        let is_heading = target.kind == Some(ElementKind::Heading);
        let at = nodes.into_iter().find(|at| is_it(at) && (!is_heading || is_drawn_as_heading(view, *at)))?;
        Some(self.is_seen(at))
    }

    /// Whether no text was just this before the last act.
    fn came_with_the_act(&self, name: &str) -> bool {
        let Some((_, before)) = self.hints.before.as_ref() else { return false };
        let before = View::new(before);
        !before.all().any(|at| spaced(before.text(at)) == spaced(name))
    }
}

/// A line by itself in larger letters, and no part of an entry or a control.
fn is_drawn_as_heading(view: &View, at: usize) -> bool {
    const LARGE: f64 = 21.0;
    let [_, _, _, height] = view.node(at).area;
    let is_apart = |around: usize| !view.is_control(around) && view.node(around).role != "navigation";
    (LARGE..=3.0 * LARGE).contains(&height)
        && view.entry_of(at).is_none()
        && view.scene.ancestors(at).all(is_apart)
}

const NEW: &[&str] = &["new", "added", "created"];

/// The name of an entry, the place it should be in, and whether it is only spoken of: "a bill for …".
fn named_entry(target: &Target) -> Option<(&str, Option<&Target>, bool)> {
    if target.ordinal.is_some() || target.state.is_some() || target.text.is_some() {
        return None;
    }
    let places = |skipped: Nearness| target.relations.iter().filter(move |one| one.how != skipped);
    let only_place = |skipped: Nearness| {
        let mut all = places(skipped);
        match (all.next(), all.next()) {
            (None, _) => Some(None),
            (Some(one), None) if one.how == Nearness::Inside => Some(Some(&one.to)),
            _ => None,
        }
    };
    let is_sort = matches!(
        target.kind,
        Some(ElementKind::Node | ElementKind::Item | ElementKind::ListItem | ElementKind::Heading)
    );
    let is_plain = target.words.iter().all(|word| NEW.contains(&word.as_str()));
    if let Some(name) = target.quoted.as_deref().filter(|_| is_sort && is_plain) {
        return Some((name, only_place(Nearness::For)?, false));
    }
    // "A bill for …", "bills for …".
    let mut of = target.relations.iter().filter(|one| one.how == Nearness::For);
    let (one, none) = (of.next()?, of.next());
    let is_noun = target.kind.is_none() && target.quoted.is_none() && target.words.len() == 1;
    let name = one.to.quoted.as_deref().filter(|_| one.to.relations.is_empty() && one.to.kind.is_none())?;
    (is_noun && none.is_none()).then_some((name, only_place(Nearness::For)?, true))
}
