//! Claims about several things at once: each of them, only these, in this order, so many times.

use crate::ground::find::{is_of_sort, said};
use crate::ground::kinds::{fit, is_marked_as};
use crate::ground::marks::stands;
use crate::ground::results::is_result;
use crate::ground::words::{Containment, containment, fold, spaced, words_of};
use crate::{EachIs, Matcher, Nearness, NumberIs, Relation, StateWord, Target};

use super::lines::{lines, say};
use super::matching::{exactly, is_so, wanted, wanted_number};
use super::scope::Scope;
use super::things::page_says_empty;
use super::{Finding, Judging, Truth};

impl Judging<'_> {
    pub(super) fn each(&self, of: &Target, is: &EachIs, among: Option<usize>, outright: bool) -> Finding {
        let view = self.view;
        let things = match self.only_result(of) {
            Some(only) => vec![only],
            None => match self.counted(of) {
                Ok((_, things)) => things,
                Err(finding) => return finding,
            },
        };
        let is_kind = |at: &usize| of.kind.is_some_and(|kind| fit(view, *at, kind) >= 0.8);
        let hidden = view.all().find(|at| view.node(*at).is("covered") && is_kind(at));
        if let Some(at) = hidden {
            return Finding::unsure(format!("{} is covered", view.describe(at))).with(view.lines([at]));
        }
        if things.is_empty() && outright {
            return Finding::no(format!("there are no {}", said(of)));
        }
        if things.is_empty() || among.is_some_and(|number| number != things.len()) {
            return Finding::unsure(format!("{} of {} are on the page", things.len(), said(of)))
                .with(view.lines(things));
        }
        let what = match is {
            EachIs::Text(text) => wanted(text),
            EachIs::State(state) => state.meaning(),
        };
        let truths: Vec<(usize, Truth)> = things.iter().map(|at| (*at, self.is_of_each(*at, is))).collect();
        let count = |wanted: Truth| truths.iter().filter(|(_, truth)| *truth == wanted).count();
        let other = truths.iter().find(|(_, truth)| *truth != Truth::Yes).map(|(at, _)| *at);
        let Some(other) = other else {
            return Finding::yes(format!("each of {}: {what}", things.len())).with(view.lines(things));
        };
        let reason =
            format!("Expected {what} of each of {}, but not of {}", things.len(), view.describe(other));
        let truth = match (count(Truth::Yes), count(Truth::Unsure)) {
            // Pages seldom say which of their entries are results.
            _ if is_result(of) && !self.are_marked(of, &things) => Truth::Unsure,
            (0, 0) => Truth::No,
            _ if outright && count(Truth::No) > 0 => Truth::No,
            _ => Truth::Unsure,
        };
        Finding { expected: Some(what), ..Finding::new(truth, reason) }.with(view.lines([other]))
    }

    /// A single result is like no other: it is what the only box of results holds.
    fn only_result(&self, of: &Target) -> Option<usize> {
        if !is_result(of) {
            return None;
        }
        let view = self.view;
        let leads = |at: usize| view.inside(at).any(|inner| view.node(inner).role == "link");
        let boxes: Vec<usize> = view
            .all()
            .filter(|at| is_marked_as(view, *at, &["results"]) && leads(*at) && !view.node(*at).is("covered"))
            .collect();
        let [only] = boxes.as_slice() else { return None };
        let [entry] = view.children(*only) else { return None };
        (leads(*entry) && !page_says_empty(view)).then_some(*entry)
    }

    fn are_marked(&self, of: &Target, things: &[usize]) -> bool {
        let words = words_of(&of.said);
        things.iter().all(|at| is_of_sort(self.view, *at, &words))
    }

    fn is_of_each(&self, at: usize, is: &EachIs) -> Truth {
        let view = self.view;
        let value = view.node(at).value.as_deref();
        match is {
            EachIs::State(StateWord::Empty) => match value {
                Some("") => Truth::Yes,
                Some(value) if !value.trim().is_empty() => Truth::No,
                _ => Truth::Unsure,
            },
            EachIs::State(StateWord::Visible) => Truth::Yes,
            EachIs::State(state) => match stands(view, at, *state) {
                Some(true) => Truth::Yes,
                Some(false) => Truth::No,
                None => Truth::Unsure,
            },
            EachIs::Text(matcher) if view.is_editable(at) => {
                value.map_or(Truth::Unsure, |value| exactly(matcher, value))
            }
            EachIs::Text(matcher) => {
                let truth = say(view, &view.pieces(at..view.inside(at).end, true), matcher);
                // One part of an entry may be what is meant.
                let is_whole = matches!(matcher, Matcher::Equals(_) | Matcher::Said(_) | Matcher::Number(_));
                let of_part = |inner: usize| {
                    let part = view.text_in_sight(inner);
                    !part.trim().is_empty() && super::matching::matches(matcher, &part) == Truth::Yes
                };
                match truth {
                    Truth::No if is_whole && view.inside(at).any(of_part) => Truth::Unsure,
                    truth => truth,
                }
            }
        }
    }

    /// Every entry of the list says one of the texts, and each text is said.
    pub(super) fn only(&self, place: Option<&Target>, texts: &[String]) -> Finding {
        let view = self.view;
        let what =
            format!("only {}", texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(", "));
        if let Some(place) = place
            && let Ok(list) = self.one(place, |view, at| f64::from(!view.node(at).options.is_empty()))
        {
            let mut has: Vec<String> = view.node(list).options.iter().map(|option| fold(option)).collect();
            let mut wants: Vec<String> = texts.iter().map(|text| fold(text)).collect();
            has.sort();
            wants.sort();
            let truth = if has == wants { Truth::Yes } else { Truth::No };
            return Finding::compared(truth, &what, &view.node(list).options.join(", "))
                .with(view.lines([list]));
        }
        let mut target = Target::default();
        if let Some(place) = place {
            if let Err(finding) = self.place(place) {
                return finding;
            }
            target.relations.push(Relation { how: Nearness::Inside, to: place.clone() });
        }
        let groups = self.groups(&target);
        let [group] = groups.as_slice() else {
            return Finding::unsure("it is unclear which list is meant");
        };
        let says_one = |at: &usize| {
            let pieces = view.pieces(*at..view.inside(*at).end, true);
            texts.iter().any(|text| say(view, &pieces, &Matcher::Contains(text.clone())) == Truth::Yes)
        };
        if place.is_none() && !group.entries.iter().any(says_one) {
            return Finding::unsure(format!("no entry of the only list says {what}; another may be meant"))
                .with(view.lines(group.entries.iter().copied().take(3)));
        }
        let mut is_said = vec![false; texts.len()];
        let mut doubtful = None;
        for at in &group.entries {
            let pieces = view.pieces(*at..view.inside(*at).end, true);
            let truths: Vec<Truth> =
                texts.iter().map(|text| say(view, &pieces, &Matcher::Contains(text.clone()))).collect();
            if let Some(index) = truths.iter().position(|truth| *truth == Truth::Yes) {
                is_said[index] = true;
            } else if truths.iter().all(|truth| *truth == Truth::No) {
                return Finding::no(format!("Expected {what}, but {} is there too", view.describe(*at)))
                    .with(view.lines([*at]));
            } else {
                doubtful = Some(*at);
            }
        }
        if let Some(at) = doubtful {
            return Finding::unsure(format!("{} may or may not be another", view.describe(at)))
                .with(view.lines([at]));
        }
        match texts.iter().zip(is_said).find(|(_, is_said)| !is_said) {
            Some((text, _)) => Finding::no(format!("no entry says \"{text}\"")),
            None => Finding::yes(format!("{} entries: {what}", group.entries.len()))
                .with(view.lines(group.entries.clone())),
        }
    }

    /// Each text is before the next.
    pub(super) fn in_order(&self, place: Option<&Target>, texts: &[String]) -> Finding {
        let target = |text: &String| {
            let relations = place.map(|place| Relation { how: Nearness::Inside, to: place.clone() });
            Target {
                said: format!("\"{text}\""),
                quoted: Some(text.clone()),
                relations: relations.into_iter().collect(),
                ..Target::default()
            }
        };
        let steps: Vec<Finding> =
            texts.windows(2).map(|pair| self.before(&target(&pair[0]), &target(&pair[1]))).collect();
        let worst = |truth: Truth| steps.iter().find(|step| step.truth == truth).cloned();
        worst(Truth::No)
            .or_else(|| worst(Truth::NotQuite))
            .or_else(|| worst(Truth::Unsure))
            .unwrap_or_else(|| Finding::yes(format!("in this order: {}", texts.join(", "))))
    }

    pub(super) fn times(&self, text: &str, place: Option<&Target>, count: NumberIs) -> Finding {
        let view = self.view;
        let pieces = match place {
            None => view.pieces(0..view.all().end, true),
            Some(place) => match self.place(place) {
                Ok(at) => {
                    let scope = Scope::of(view, at, place);
                    let pieces = view.pieces(scope.range.clone(), true);
                    let own = scope.own(pieces.clone());
                    if lines(view, &pieces).len() != lines(view, &own).len() {
                        return Finding::unsure(format!("how far {} reaches is not clear", said(place)));
                    }
                    own
                }
                Err(finding) => return finding,
            },
        };
        let found: Vec<(usize, bool)> =
            lines(view, &pieces).iter().map(|line| occurrences(text, line)).collect();
        let number: usize = found.iter().map(|(number, _)| number).sum();
        let what = format!("\"{text}\" {} times", wanted_number(count));
        if found.iter().any(|(_, is_part)| *is_part) {
            return Finding::unsure(format!(
                "\"{text}\" is also part of other words, so it cannot be counted"
            ));
        }
        let truth = if is_so(number as f64, count) { Truth::Yes } else { Truth::No };
        Finding::compared(truth, &what, &number.to_string())
    }
}

/// How often a text has this part in it, and whether it also has it inside longer words or in another case.
fn occurrences(part: &str, text: &str) -> (usize, bool) {
    let (part, text) = (spaced(part), spaced(text));
    let mut rest = text.as_str();
    let (mut number, mut is_part) = (0, false);
    while let Some(at) = rest.find(&part) {
        let end = at + part.len();
        // One letter more on both sides shows whether it is a word of its own.
        let from = rest[..at].char_indices().rev().nth(2).map_or(0, |(at, _)| at);
        let to = rest[end..].char_indices().nth(3).map_or(rest.len(), |(at, _)| end + at);
        match containment(&part, &rest[from..to]) {
            Containment::Whole => number += 1,
            _ => is_part = true,
        }
        rest = &rest[end..];
    }
    let folded = fold(&text).matches(&fold(&part)).count();
    (number, is_part || folded > number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_counted() {
        assert_eq!(occurrences("Lamp", "Lamp, Lamp and Chair"), (2, false));
        assert_eq!(occurrences("Lamp", "Lamps and Lamp"), (1, true));
        assert_eq!(occurrences("Lamp", "lamp"), (0, true));
        assert_eq!(occurrences("Lamp", "Chair"), (0, false));
    }
}
