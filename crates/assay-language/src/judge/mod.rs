//! A claim and a scene in, a verdict out, with what it rests on.
//!
//! A claim is bound to the place and state it names. What cannot be told is inconclusive; nothing passes by default.

mod absence;
mod column;
mod compare;
mod denial;
mod entry;
mod faults;
mod figures;
mod finding;
mod lines;
mod matching;
mod message;
mod offers;
mod order;
mod page;
mod reading;
mod scope;
mod shown;
mod state;
mod staying;
mod things;
mod tone;
mod tooltip;
mod value;

use assay_protocol::{Judgement, Scene};

use crate::ground::find::{Found, Search, find};
use crate::ground::view::View;
use crate::{About, Claim, Hints, Kind, NumberIs, StateWord, Target};
pub(crate) use finding::{Finding, Truth};
pub(crate) use page::is_page;
pub use staying::must_have_held;

/// Whether the claim holds on the page at hand. Whether it held before, which would prove nothing, is the caller's to
/// find out: `standing` is left false.
pub fn judge(claim: &Claim, scene: &Scene, hints: &Hints) -> Judgement {
    let view = View::new(scene);
    let finding = Judging { view: &view, hints }.about(&claim.about, claim.negated);
    finding.judgement(claim, says_absence(claim))
}

/// A claim that something is absent or stays may hold from the beginning.
fn says_absence(claim: &Claim) -> bool {
    let absent = match &claim.about {
        About::State { state: StateWord::Hidden, .. } => !claim.negated,
        About::Count { count: NumberIs::Exactly(number), .. } => *number == 0.0,
        _ => claim.negated,
    };
    claim.stays || absent
}

#[derive(Clone, Copy)]
pub(crate) struct Judging<'a> {
    pub(crate) view: &'a View<'a>,
    pub(crate) hints: &'a Hints,
}

impl Judging<'_> {
    fn about(&self, about: &About, negated: bool) -> Finding {
        let reads_the_page = !matches!(
            about,
            About::BrowserDialog { .. } | About::Url { .. } | About::Title { .. } | About::Unknown { .. }
        );
        if reads_the_page && let Some(finding) = self.behind_a_dialog(about) {
            return finding;
        }
        let own_way = self
            .of_column(about)
            .or_else(|| self.of_options(about))
            .or_else(|| self.of_tooltip(about))
            .or_else(|| self.of_entry(about));
        if let Some(finding) = own_way {
            return finding;
        }
        match about {
            About::Text { text, place } => self.text(text, place.as_ref()),
            About::Message { tone, text, topic } => self.message(*tone, text.as_ref(), topic, negated),
            About::Title { text } => self.title(text).read(),
            About::Url { text } => self.url(text).read(),
            About::Page { name } => is_page(self.view, name, self.hints).read(),
            About::State { target, state } => self.state(target, *state),
            About::Value { target, text } => self.value(target, text),
            About::Count { target, count } => self.count(target, *count),
            About::Cell { row, column, text } => self.cell(row, column, text),
            About::Sorted { of, by, order } => self.sorted(of.as_ref(), by.as_deref(), *order).read(),
            About::Before { first, second } => self.before(first, second).read(),
            About::Chosen { target, options } => self.chosen(target, options),
            About::BrowserDialog { text } => self.browser_dialog(text.as_ref()).searched(),
            About::Unknown { why } => Finding::unsure(why.clone()),
        }
    }

    /// While the browser asks something, the page behind it says nothing reliable.
    fn behind_a_dialog(&self, about: &About) -> Option<Finding> {
        let dialog = self.view.scene.dialog.as_ref()?;
        let wanted = match about {
            About::Text { text, place: None } => Some(text),
            About::Message { text: Some(text), .. } => Some(text),
            _ => None,
        };
        if let Some(matcher) = wanted
            && matching::matches(matcher, &dialog.message) == Truth::Yes
        {
            return Some(Finding::yes(format!("the dialog of the browser says \"{}\"", dialog.message)));
        }
        Some(Finding::unsure(format!("a dialog of the browser is open: \"{}\"", dialog.message)))
    }

    pub(crate) fn look(&self, usable: fn(&View, usize) -> f64) -> Search<'_> {
        Search { view: self.view, hints: self.hints, usable, needs_ref: false, to_act: false }
    }

    /// The one place that is meant, or an inconclusive finding with what could be.
    pub(crate) fn one(&self, target: &Target, usable: fn(&View, usize) -> f64) -> Result<usize, Finding> {
        match find(&self.look(usable), target) {
            Found::One(found) if target.quoted.is_some() && !found.exact => Err(Finding::unsure(format!(
                "nothing is called just {}; nearest: {}",
                crate::ground::find::said(target),
                self.view.describe(found.at)
            ))
            .with(self.view.lines([found.at]))),
            Found::One(found) => Ok(found.at),
            Found::Several(_) if is_only_a_heading(target) && page::main_heading(self.view).is_some() => {
                Ok(page::main_heading(self.view).unwrap_or_default())
            }
            Found::Several(several) => Err(Finding::unsure(format!(
                "{} could be any of {} elements",
                crate::ground::find::said(target),
                several.len()
            ))
            .with(self.view.lines(several.iter().map(|one| one.at)))),
            Found::None { why, nearest } => Err(Finding::unsure(why).with(self.view.lines(nearest))),
        }
    }
}

/// "The heading" of a page with several is the one of the page.
fn is_only_a_heading(target: &Target) -> bool {
    target.kind == Some(Kind::Heading)
        && target.quoted.is_none()
        && target.words.is_empty()
        && target.ordinal.is_none()
        && target.relations.is_empty()
}
