//! Entries that no role marks: nodes of a graph, lines of a list that is drawn, records that the author calls by a word of
//! their own.

use crate::ground::names::heading_before;
use crate::ground::view::View;
use crate::ground::words::{identifier_words, same_word, spaced, words_of};
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
        let wanted = wanted_of(target)?;
        let view = self.view;
        let place = match wanted.place {
            Some(place) => Some(self.place(place).ok().map(|at| Scope::of(view, at, place))?),
            None => None,
        };
        let is_new = target.words.iter().any(|word| NEW.contains(&word.as_str()));
        if is_new && !self.came_with_the_act(wanted.name) {
            return None;
        }
        let is_it = |at: &usize| {
            let says_it = view.node(*at).role == "text"
                && spaced(view.text(*at)) == spaced(wanted.name)
                && !view.node(*at).is("covered");
            says_it
                && match wanted.sort {
                    Sort::Heading => is_drawn_as_heading(view, *at),
                    Sort::Entry => is_plain(view, *at),
                    Sort::Record(noun) => is_plain(view, *at) && is_record_of(view, *at, noun),
                }
        };
        let nodes = place.map_or_else(|| view.all().collect(), |place| place.own(place.nodes(view)));
        let at = nodes.into_iter().find(is_it)?;
        Some(self.is_seen(at))
    }

    /// Whether no text was just this before the last act.
    fn came_with_the_act(&self, name: &str) -> bool {
        let Some((_, before)) = self.hints.before.as_ref() else { return false };
        let before = View::new(before);
        !before.all().any(|at| spaced(before.text(at)) == spaced(name))
    }
}

const NEW: &[&str] = &["new", "added", "created"];

/// What the author calls the thing.
enum Sort<'a> {
    Entry,
    Heading,
    /// "A bill for …": by a noun of the application.
    Record(&'a str),
}

struct Wanted<'a> {
    name: &'a str,
    place: Option<&'a Target>,
    sort: Sort<'a>,
}

fn wanted_of(target: &Target) -> Option<Wanted<'_>> {
    if target.ordinal.is_some() || target.state.is_some() || target.text.is_some() {
        return None;
    }
    let (of, around): (Vec<_>, Vec<_>) = target.relations.iter().partition(|one| one.how == Nearness::For);
    let place = match around.as_slice() {
        [] => None,
        [one] if one.how == Nearness::Inside => Some(&one.to),
        _ => return None,
    };
    let is_plain = target.words.iter().all(|word| NEW.contains(&word.as_str()));
    match (of.as_slice(), target.kind, target.quoted.as_deref()) {
        ([], Some(ElementKind::Node | ElementKind::Item), Some(name)) if is_plain => {
            Some(Wanted { name, place, sort: Sort::Entry })
        }
        ([], Some(ElementKind::Heading), Some(name)) if is_plain => {
            Some(Wanted { name, place, sort: Sort::Heading })
        }
        ([one], None, None) if one.to.relations.is_empty() && one.to.kind.is_none() => {
            let [noun] = target.words.as_slice() else { return None };
            Some(Wanted { name: one.to.quoted.as_deref()?, place, sort: Sort::Record(noun) })
        }
        _ => None,
    }
}

/// What is no part of a control, a heading, a message or the way around.
fn is_plain(view: &View, at: usize) -> bool {
    view.scene.ancestors(at).all(|around| {
        !view.is_control(around)
            && !matches!(
                view.node(around).role.as_str(),
                "heading" | "navigation" | "label" | "option" | "alert" | "status" | "banner" | "contentinfo"
            )
    })
}

/// Whether it stands in an entry of a list that is about such things: by its name, its heading, a class or an id, or the
/// heading of the page.
fn is_record_of(view: &View, at: usize, noun: &str) -> bool {
    let Some(entry) = view.entry_of(at) else { return false };
    let is_told = |words: Vec<String>| words.iter().any(|word| same_word(word, noun));
    let by_marks = std::iter::once(entry).chain(view.scene.ancestors(entry).take(3)).any(|around| {
        let node = view.node(around);
        let marks = ["class", "id", "testid"].iter().filter_map(|name| node.attribute(name));
        is_told(words_of(&node.name))
            || is_told(marks.flat_map(identifier_words).collect())
            || heading_before(view, around).is_some_and(|heading| is_told(words_of(view.text(heading))))
    });
    by_marks
        || view
            .all()
            .find(|other| view.node(*other).role == "heading")
            .is_some_and(|heading| is_told(words_of(view.text(heading))))
}

/// A short line by itself in letters that are larger than those of most texts.
fn is_drawn_as_heading(view: &View, at: usize) -> bool {
    const MOST_WORDS: usize = 8;
    let height = |at: usize| view.node(at).area[3];
    let mut heights: Vec<f64> = view
        .all()
        .filter(|at| view.node(*at).role == "text")
        .map(height)
        .filter(|height| *height > 0.0)
        .collect();
    heights.sort_by(f64::total_cmp);
    let Some(usual) = heights.get(heights.len() / 2).copied() else { return false };
    // Two lines are at least twice as high.
    (1.25 * usual..1.9 * usual).contains(&height(at))
        && words_of(view.text(at)).len() <= MOST_WORDS
        && view.entry_of(at).is_none()
        && is_plain(view, at)
}
