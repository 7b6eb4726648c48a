//! Parts of a page that only a heading or a class tells: sections and calendars.

use crate::ground::find::rank;
use crate::ground::kinds::is_marked_as;
use crate::ground::places::by_its_mark;
use crate::ground::tables;
use crate::ground::thresholds::ENOUGH;
use crate::ground::view::View;
use crate::ground::words::words_of;
use crate::{ElementKind, StateWord, Target};

use super::{Finding, Judging};

impl Judging<'_> {
    /// "The calendar is closed": one that only a class marks was seen before, and is not shown now.
    pub(super) fn calendar(&self, target: &Target, state: StateWord) -> Option<Finding> {
        let is_meant = words_of(&target.said).iter().any(|word| word == "calendar")
            && target.relations.is_empty()
            && target.ordinal.is_none()
            && matches!(state, StateWord::Visible | StateWord::Expanded);
        if !is_meant {
            return None;
        }
        // A field that is marked as one is no calendar: that has a table of days.
        let calendars = |view: &View| -> Vec<usize> {
            let has_days = |at: &usize| view.inside(*at).any(|inner| tables::is_table(view, inner));
            by_its_mark(view, target).into_iter().filter(has_days).collect()
        };
        if let Some(at) = calendars(self.view).first() {
            return Some(self.is_seen(*at));
        }
        let (first, last) = self.hints.before.as_ref()?;
        let was_shown = [first, last].into_iter().any(|scene| !calendars(&View::new(scene)).is_empty());
        was_shown.then(|| Finding::no("the calendar is no longer shown").read())
    }

    /// "The dialog closes": one was open before the last act, and nothing that could be one is now.
    pub(super) fn dialog(&self, target: &Target, state: StateWord) -> Option<Finding> {
        const QUESTIONS: &[&str] = &["question", "prompt", "confirmation", "popup", "pop-up", "modal"];
        let is_question = matches!(target.words.as_slice(), [word] if QUESTIONS.contains(&word.as_str()));
        let is_dialog = target.kind == Some(ElementKind::Dialog) && target.words.is_empty();
        let is_meant = (is_dialog || target.kind.is_none() && is_question)
            && target.quoted.is_none()
            && target.relations.is_empty()
            && target.ordinal.is_none()
            && state == StateWord::Visible;
        let is_open = |view: &View| {
            let is_one = |at: usize| {
                matches!(view.node(at).role.as_str(), "dialog" | "alertdialog")
                    || is_marked_as(view, at, &["dialog", "modal", "popup", "lightbox"])
            };
            view.scene.dialog.is_some() || view.all().any(is_one)
        };
        let (_, last) = self.hints.before.as_ref().filter(|_| is_meant && !is_open(self.view))?;
        is_open(&View::new(last)).then(|| Finding::no("the dialog is no longer shown").read())
    }

    /// A section is there when its heading is.
    pub(super) fn headed(&self, target: &Target) -> Option<Finding> {
        if target.kind != Some(ElementKind::Section) || target.ordinal.is_some() {
            return None;
        }
        let heading = Target { kind: Some(ElementKind::Heading), ..target.clone() };
        let found = rank(&self.look(|_, _| 1.0), &heading).ok()?;
        let other_case = |at: usize| {
            target.quoted.as_deref().is_some_and(|name| super::lines::differs_in_case(self.view, at, name))
        };
        found
            .iter()
            .find(|one| one.exact && one.score >= ENOUGH && !self.view.node(one.at).is("covered"))
            .filter(|one| !other_case(one.at) && self.has_content(one.at))
            .map(|one| self.is_seen(one.at))
    }

    /// Whether something stands under a heading that folds nothing away.
    fn has_content(&self, heading: usize) -> bool {
        let view = self.view;
        let folds = |at: usize| view.node(at).is("collapsed");
        let around = std::iter::once(heading).chain(view.scene.ancestors(heading).take(2));
        let next = (view.inside(heading).end..view.all().end)
            .find(|at| matches!(view.node(*at).role.as_str(), "text" | "heading" | "image"));
        !around.chain(view.inside(heading)).any(folds)
            && next.is_some_and(|next| view.node(next).role != "heading")
    }
}
