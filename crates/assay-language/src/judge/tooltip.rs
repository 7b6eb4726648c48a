//! Tooltips: the text of a title is not visible before the pointer is on the element.

use crate::ground::view::{View, short};
use crate::ground::words::identifier_words;
use crate::{About, ElementKind, Matcher, StateWord, Target};

use super::matching::matches;
use super::shown::text_within;
use super::{Finding, Judging, Truth};

const TOOLTIP_WORDS: &[&str] = &["tooltip", "tooltips", "tippy", "popover", "tip", "hint"];

impl Judging<'_> {
    /// None when the claim is not that a tooltip is there.
    pub(super) fn of_tooltip(&self, about: &About) -> Option<Finding> {
        match about {
            About::State { target, state } if is_tooltip(target) => match state {
                StateWord::Visible | StateWord::Exists => Some(self.tooltip_is_there(target)),
                StateWord::Hidden => Some(self.tooltip_is_there(target).turned()),
                _ => None,
            },
            _ => None,
        }
    }

    fn tooltip_is_there(&self, target: &Target) -> Finding {
        let view = self.view;
        let shown: Vec<usize> = view.all().filter(|at| is_shown_tooltip(view, *at)).collect();
        if !target.relations.is_empty() {
            return Finding::unsure("cannot tell which element a tooltip belongs to");
        }
        let Some(quoted) = &target.quoted else {
            return match shown.first() {
                Some(at) => Finding::yes(format!("a tooltip says \"{}\"", short(view.text(*at))))
                    .with(view.lines([*at])),
                None => Finding::no("no tooltip is shown").searched(),
            };
        };
        let matcher = Matcher::Contains(quoted.clone());
        let says = |at: &&usize| matches(&matcher, &view.text_in_sight(**at)) == Truth::Yes;
        if let Some(at) = shown.iter().find(says) {
            return Finding::yes(format!("a tooltip says \"{}\"", short(view.text(*at))))
                .with(view.lines([*at]));
        }
        let seen = text_within(view, &matcher, None);
        match seen.truth {
            Truth::No => Finding {
                expected: Some(quoted.clone()),
                ..Finding::no(format!("no tooltip says \"{quoted}\""))
            }
            .searched(),
            _ => Finding::unsure(format!("\"{quoted}\" is shown, but nothing shows that it is a tooltip"))
                .with(seen.elements),
        }
    }
}

fn is_tooltip(target: &Target) -> bool {
    let is_word =
        matches!(target.words.as_slice(), [only] if matches!(only.as_str(), "tooltip" | "tooltips"));
    is_word
        && matches!(target.kind, None | Some(ElementKind::Any | ElementKind::Text | ElementKind::Message))
        && target.ordinal.is_none()
}

fn is_shown_tooltip(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let classes = node.attribute("class").map(identifier_words).unwrap_or_default();
    let is_marked = classes.iter().any(|word| TOOLTIP_WORDS.contains(&word.as_str()));
    let is_one = node.role == "tooltip" || (node.role == "generic" && is_marked);
    is_one && !node.is("covered") && !view.text_in_sight(at).trim().is_empty()
}
