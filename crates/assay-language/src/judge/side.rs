//! Claims about where on the screen something is: "at the top", "in the lower right corner".

use crate::ground::view::View;
use crate::positions::is_plain_side;
use crate::{About, Matcher, Nearness, StateWord};

use super::{Finding, Judging, Truth};

impl Judging<'_> {
    /// None if the claim names no side of the screen. What stands elsewhere is doubtful, and no contradiction: a side has
    /// no sharp edge.
    pub(super) fn on_side(&self, about: &About) -> Option<Finding> {
        let (plain, side) = without_side(about)?;
        let finding = self.about(&plain, false);
        if finding.truth != Truth::Yes {
            return Some(finding);
        }
        let view = self.view;
        let shown: Vec<usize> =
            finding.elements.iter().filter_map(|element| view.with_ref(&element.reference)).collect();
        let is_there = |at: &usize| is_clearly_on(view, *at, &side);
        // A text by itself has no reference.
        let is_so = match shown.as_slice() {
            [] => self.says_it_there(&plain, &side),
            shown => shown.iter().all(is_there),
        };
        Some(match is_so {
            true => finding,
            false => Finding {
                truth: Truth::Unsure,
                reason: format!("{}, and not clearly at the {}", finding.reason, side.join(" ")),
                ..finding
            },
        })
    }

    /// Whether all texts that say it stand on that side.
    fn says_it_there(&self, about: &About, side: &[String]) -> bool {
        let About::Text { text: Matcher::Contains(text), .. } = about else { return false };
        let view = self.view;
        let says = |at: &usize| view.node(*at).role == "text" && view.text(*at).contains(text.as_str());
        let mut all = view.all().filter(says).peekable();
        all.peek().is_some() && all.all(|at| is_clearly_on(view, at, side))
    }
}

/// Whether the middle of what is in view stands in the outer third on each of these sides, and the whole does not reach
/// from one side to the other.
fn is_clearly_on(view: &View, at: usize, words: &[String]) -> bool {
    let [left, top, width, height] = view.node(at).area;
    let [across, down] = view.scene.view;
    let (right, bottom) = ((left + width).min(across), (top + height).min(down));
    let (left, top) = (left.max(0.0), top.max(0.0));
    if right <= left || bottom <= top {
        return false;
    }
    let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
    let is_wide = right - left > across / 2.0;
    let is_high = bottom - top > down / 2.0;
    words.iter().flat_map(|word| word.split('-')).all(|word| match word {
        "top" | "upper" => y < down / 3.0 && !is_high,
        "bottom" | "lower" => y > 2.0 * down / 3.0 && !is_high,
        "left" => x < across / 3.0 && !is_wide,
        "right" => x > 2.0 * across / 3.0 && !is_wide,
        _ => true,
    })
}

/// The claim without the side, and the words for it.
fn without_side(about: &About) -> Option<(About, Vec<String>)> {
    match about {
        About::Text { text, place: Some(place) } if is_plain_side(place) => {
            Some((About::Text { text: text.clone(), place: None }, place.words.clone()))
        }
        About::State { target, state: state @ (StateWord::Visible | StateWord::Exists) } => {
            let at = target
                .relations
                .iter()
                .position(|one| matches!(one.how, Nearness::Inside) && is_plain_side(&one.to))?;
            let mut target = target.clone();
            let side = target.relations.remove(at).to.words;
            Some((About::State { target, state: *state }, side))
        }
        _ => None,
    }
}
