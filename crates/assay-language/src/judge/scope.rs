//! The extent of a named place: the whole element, or the content under its heading up to the next one.

use std::ops::Range;

use crate::ground::collections::is_collection;
use crate::ground::find::rank;
use crate::ground::leftover::plain_name;
use crate::ground::places::region_by_mark;
use crate::ground::thresholds::ENOUGH;
use crate::ground::view::{View, alike};
use crate::ground::words::{all_among, words_of};
use crate::{ElementKind, Target};

use super::{Finding, Judging};

#[derive(Debug, Clone)]
pub(crate) struct Scope {
    /// The element that stands for the place in messages.
    pub(crate) at: usize,
    pub(crate) range: Range<usize>,
    /// What is inside and may not belong to it: entries of the same sort, a card in a card, and what stands under
    /// another heading where nothing but the order of headings tells.
    apart: Vec<Range<usize>>,
}

impl Scope {
    /// The place that was found for a target. A heading names the part of the page that it stands over.
    pub(crate) fn of(view: &View, at: usize, target: &Target) -> Scope {
        let is_text = matches!(
            target.kind,
            Some(
                ElementKind::Heading
                    | ElementKind::Text
                    | ElementKind::Label
                    | ElementKind::Button
                    | ElementKind::Link
            )
        );
        let (around, heading) = if is_text { (at, None) } else { named_part(view, at, target) };
        let whole = match heading {
            // Nothing is around it but what is around its neighbours.
            Some(heading) if heading == around => {
                let end = view.node(heading).parent.map_or(view.all().end, |parent| view.inside(parent).end);
                heading..end
            }
            _ => around..view.inside(around).end,
        };
        let range = match heading {
            Some(heading) => under(view, heading, whole),
            None => whole,
        };
        let nested = view
            .inside(around)
            .filter(|inner| view.is_entry(around) && view.is_entry(*inner))
            .filter(|inner| view.node(*inner).role == view.node(around).role)
            .map(|inner| inner..view.inside(inner).end);
        // A box further in with a heading of the same rank may be a part of its own, unless a box of its own makes the
        // heading the title of all.
        let named = heading.filter(|heading| view.node(*heading).parent == Some(around)).into_iter();
        let equals = named.flat_map(|heading| boxes_of_equals(view, heading, &range));
        let beyond = heading.filter(|heading| *heading == around).map(|heading| {
            let own_end = view.inside(heading).end;
            // The heading of a page stands over all of it, and over nothing in particular.
            let start = match level(view, heading) {
                1 => Some(own_end),
                _ => (own_end..range.end).find(|at| view.node(*at).role == "heading"),
            };
            start.unwrap_or(range.end)..range.end
        });
        let apart = nested.chain(beyond).chain(equals).filter(|part| !part.is_empty()).collect();
        Scope { at: around, range, apart }
    }

    /// The nodes that are wholly in it.
    pub(crate) fn nodes(&self, view: &View) -> Vec<usize> {
        self.range.clone().filter(|at| view.inside(*at).end <= self.range.end).collect()
    }

    /// What is read in one of its nodes, without what may belong to another.
    pub(crate) fn own(&self, pieces: Vec<usize>) -> Vec<usize> {
        pieces.into_iter().filter(|piece| !self.apart.iter().any(|part| part.contains(piece))).collect()
    }
}

impl Judging<'_> {
    /// The one element that a place is; a section may be no more than its heading.
    pub(super) fn place(&self, target: &Target) -> Result<usize, Finding> {
        let found = self.one(target, |_, _| 1.0);
        if found.is_err()
            && let Some(at) = self.main_content(target)
        {
            return Ok(at);
        }
        if found.as_ref().is_err_and(|finding| finding.elements.is_empty())
            && let Some(at) = region_by_mark(self.view, target)
        {
            return Ok(at);
        }
        if found.is_err()
            && let Some(at) = self.main_collection(target)
        {
            return Ok(at);
        }
        let is_section =
            matches!(target.kind, Some(ElementKind::Section | ElementKind::List | ElementKind::Item));
        if found.is_ok() || !is_section || target.is_nameless() {
            return found;
        }
        let headed = Target { kind: Some(ElementKind::Heading), ..target.clone() };
        self.one(&headed, |_, _| 1.0).or(found)
    }
}

impl Judging<'_> {
    /// "The list", "the table": the only one that is not a way around the application.
    fn main_collection(&self, target: &Target) -> Option<usize> {
        let is_meant = matches!(target.kind, Some(ElementKind::List | ElementKind::Table))
            && target.is_nameless()
            && target.relations.is_empty()
            && target.ordinal.is_none()
            && target.state.is_none();
        let view = self.view;
        let is_kind = |at: &usize| {
            let is_table = view.node(*at).role != "list";
            is_collection(view, *at) && (target.kind == Some(ElementKind::List) || is_table)
        };
        // An empty list beside it may be the one that is meant.
        let is_empty_one = |at: usize| {
            matches!(view.node(at).role.as_str(), "list" | "table" | "grid")
                && !view.inside(at).any(|inner| view.is_entry(inner) || view.node(inner).role == "link")
        };
        if view.all().any(is_empty_one) {
            return None;
        }
        let all: Vec<usize> = view.all().filter(is_kind).filter(|_| is_meant).collect();
        let is_outer = |at: &&usize| !view.scene.ancestors(**at).any(|around| all.contains(&around));
        let mut outermost = all.iter().filter(is_outer);
        outermost.next().filter(|_| outermost.next().is_none()).copied()
    }

    /// "The article", "the main content": what the page is about, where it marks that.
    fn main_content(&self, target: &Target) -> Option<usize> {
        const CONTENT: &[&str] = &["article", "content", "main", "body"];
        let is_meant = target.kind.is_none()
            && target.quoted.is_none()
            && target.ordinal.is_none()
            && target.relations.is_empty()
            && !target.words.is_empty()
            && target.words.iter().all(|word| CONTENT.contains(&word.as_str()));
        if !is_meant {
            return None;
        }
        let view = self.view;
        let only = |role: &str| {
            let all: Vec<usize> = view.all().filter(|at| view.node(*at).role == role).collect();
            if let [only] = all.as_slice() { Some(*only) } else { None }
        };
        let is_called = rank(&self.look(|_, _| 1.0), target)
            .is_ok_and(|found| found.iter().any(|one| one.score >= ENOUGH));
        only("article").or_else(|| only("main")).filter(|_| !is_called)
    }
}

/// What a heading stands over in an element, when it is followed by another of its rank: from one to the other.
fn under(view: &View, heading: usize, whole: Range<usize>) -> Range<usize> {
    let next = (heading + 1..whole.end).find(|other| {
        view.node(*other).role == "heading"
            && level(view, *other) <= level(view, heading)
            && stand_alike(view, heading, *other)
    });
    match next {
        Some(next) => heading..next,
        None if whole.start <= heading => whole,
        None => heading..whole.end,
    }
}

fn boxes_of_equals(view: &View, heading: usize, range: &Range<usize>) -> Vec<Range<usize>> {
    let is_equal = |other: &usize| {
        view.node(*other).role == "heading"
            && !view.is_within(*other, heading)
            && level(view, *other) <= level(view, heading)
    };
    let around = |other: usize| {
        view.node(other).parent.map_or(other..range.end, |parent| parent..view.inside(parent).end)
    };
    (heading + 1..range.end).filter(is_equal).map(around).filter(|part| !part.contains(&heading)).collect()
}

/// Headings of parts side by side stand in the same box, or in boxes that are drawn alike; what stands in the body under
/// a title is a part of it, whatever its rank.
fn stand_alike(view: &View, heading: usize, other: usize) -> bool {
    match (view.node(heading).parent, view.node(other).parent) {
        (Some(one), Some(two)) => one == two || alike(view.node(one), view.node(two)),
        (one, two) => one == two,
    }
}

fn level(view: &View, at: usize) -> u32 {
    let node = view.node(at);
    let written = node.attribute("level").or(node.attribute("tag").map(|tag| tag.trim_start_matches('h')));
    written.and_then(|level| level.parse().ok()).unwrap_or(2)
}

/// The element around a heading or a label that was found, and the heading that names it.
fn named_part(view: &View, at: usize, target: &Target) -> (usize, Option<usize>) {
    let at = beyond_its_title(view, heading_of_control(view, at));
    let node = view.node(at);
    if view.has_children(at) && node.role != "heading" {
        let by_heading = view.heading_of(at).filter(|heading| {
            let text = view.text(*heading);
            match &target.quoted {
                Some(quoted) => plain_name(text) == plain_name(quoted),
                None => all_among(&target.words, &words_of(text)),
            }
        });
        return (at, by_heading.filter(|_| node.name.is_empty()));
    }
    if node.role != "text" && node.role != "heading" {
        return (at, None);
    }
    let heading = std::iter::once(at)
        .chain(view.scene.ancestors(at))
        .find(|around| view.node(*around).role == "heading");
    let Some(heading) = heading else { return (at, None) };
    let part = view.scene.ancestors(heading).find(|around| {
        view.heading_of(*around) == Some(heading)
            && matches!(
                view.node(*around).role.as_str(),
                "region"
                    | "article"
                    | "group"
                    | "dialog"
                    | "alertdialog"
                    | "generic"
                    | "complementary"
                    | "form"
                    | "listitem"
            )
    });
    (part.unwrap_or(heading), Some(heading))
}

/// The link or button that a heading consists of folds or links the part under that heading.
fn heading_of_control(view: &View, at: usize) -> usize {
    let is_control = matches!(view.node(at).role.as_str(), "link" | "button");
    let is_whole =
        |around: &usize| view.node(*around).role == "heading" && view.text(*around) == view.text(at);
    view.scene.ancestors(at).find(is_whole).filter(|_| is_control).unwrap_or(at)
}

/// A box around nothing but a heading is the title of the box around it.
fn beyond_its_title(view: &View, at: usize) -> usize {
    let is_title = |at: usize| {
        matches!(view.node(at).role.as_str(), "generic" | "banner")
            && view.heading_of(at).is_some_and(|heading| view.text(heading) == view.text(at))
    };
    let mut here = at;
    while is_title(here)
        && let Some(parent) = view.node(here).parent
        && view.heading_of(parent) == view.heading_of(here)
    {
        here = parent;
    }
    here
}
