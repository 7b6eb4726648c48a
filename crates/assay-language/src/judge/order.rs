//! Claims about order: sorted by something, one before the other.

use crate::ground::find::{anchors, said};
use crate::ground::words::words_of;
use crate::{SortOrder, Target};

use super::compare::comparisons;
use super::record::part_called;
use super::{Finding, Judging, Truth};

impl Judging<'_> {
    pub(super) fn sorted(&self, of: Option<&Target>, by: Option<&str>, order: SortOrder) -> Finding {
        let view = self.view;
        let words = by.map(words_of).unwrap_or_default();
        let around: Option<Vec<usize>> = of
            .filter(|target| !target.words.is_empty() || target.quoted.is_some())
            .map(|target| anchors(&self.look(|view, at| f64::from(view.has_children(at))), target));
        let mut groups = self.groups(&Target::default());
        if let (Some(target), Some([])) = (of, around.as_deref()) {
            return Finding::unsure(format!("nothing on the page matches {}", said(target)));
        }
        if let Some(places) = around {
            groups.retain(|group| {
                places.iter().any(|place| {
                    Some(*place) == group.around || group.entries.iter().all(|at| view.is_within(*at, *place))
                })
            });
        }
        // A table is sorted by a column: a list beside it without such parts is not what is meant.
        let has_part = |at: &usize| part_called(view, *at, &words).is_some();
        groups.retain(|group| words.is_empty() || is_name(&words) || group.entries.iter().any(has_part));
        let [only] = groups.as_slice() else {
            return Finding::unsure("it is unclear which list should be sorted");
        };
        let entries = &only.entries;
        let mut texts: Vec<String> = Vec::new();
        for entry in entries {
            let part = if words.is_empty() || (is_name(&words) && part_called(view, *entry, &words).is_none())
            {
                Some(view.heading_of(*entry).unwrap_or(*entry))
            } else {
                part_called(view, *entry, &words)
            };
            match part.map(|at| view.text_in_sight(at)).filter(|text| !text.trim().is_empty()) {
                Some(text) => texts.push(text),
                None => {
                    return Finding::unsure(format!("{} has nothing to sort by", view.describe(*entry)))
                        .with(view.lines([*entry]));
                }
            }
        }
        if texts.len() < 2 {
            return Finding::unsure("fewer than two values are shown, so there is no order to check");
        }
        let Some(steps) = comparisons(&texts, &words) else {
            return Finding::unsure(format!("the values cannot be compared: {}", texts.join(", ")));
        };
        if steps.iter().all(|step| step.is_eq()) {
            return Finding::unsure("all values are the same, so there is no order to check");
        }
        let (name, wrong) = match order {
            SortOrder::Ascending => ("ascending", std::cmp::Ordering::Greater),
            SortOrder::Descending => ("descending", std::cmp::Ordering::Less),
        };
        let broken = steps.iter().position(|step| *step == wrong);
        match broken {
            None => Finding::yes(format!("in {name} order: {}", texts.join(", "))),
            Some(index) => Finding {
                expected: Some(format!("{name} order")),
                found: Some(texts.join(", ")),
                ..Finding::no(format!(
                    "Expected {name} order, but \"{}\" comes before \"{}\"",
                    texts[index],
                    texts[index + 1]
                ))
            },
        }
        .with(view.lines(entries.iter().copied()))
    }

    pub(super) fn before(&self, first: &Target, second: &Target) -> Finding {
        let view = self.view;
        let place = |target: &Target| {
            let usable = |view: &crate::ground::view::View, at: usize| f64::from(!view.is_editable(at));
            let found = anchors(&self.look(usable), target);
            match found.as_slice() {
                [only] => Ok(*only),
                [] => Err(Finding::unsure(format!("nothing on the page matches {}", said(target)))),
                several => Err(Finding::unsure(format!(
                    "{} could be any of {} elements",
                    said(target),
                    several.len()
                ))
                .with(view.lines(several.iter().copied()))),
            }
        };
        match (place(first), place(second)) {
            (Ok(one), Ok(other)) => {
                if let Some(drawn) = drawn_before(view.node(one).area, view.node(other).area)
                    && drawn != (one < other)
                {
                    return Finding::unsure(format!(
                        "{} and {} appear on screen in a different order than in the document",
                        view.describe(one),
                        view.describe(other)
                    ))
                    .with(view.lines([one, other]));
                }
                let truth = if one < other { Truth::Yes } else { Truth::No };
                let reason = match truth {
                    Truth::Yes => format!("{} comes before {}", view.describe(one), view.describe(other)),
                    _ => format!(
                        "Expected {} before {}, but it comes after",
                        view.describe(one),
                        view.describe(other)
                    ),
                };
                Finding::new(truth, reason).with(view.lines([one, other]))
            }
            (Err(finding), _) | (_, Err(finding)) => finding,
        }
    }
}

/// The name of an entry is its heading, where no part of it is called so.
fn is_name(words: &[String]) -> bool {
    matches!(words, [only] if matches!(only.as_str(), "name" | "title" | "alphabet" | "alphabetically"))
}

/// Whether the first is drawn above the second, or left of it in the same line; None if that is unknown.
fn drawn_before(one: [f64; 4], other: [f64; 4]) -> Option<bool> {
    if one[2] <= 0.0 || one[3] <= 0.0 || other[2] <= 0.0 || other[3] <= 0.0 {
        return None;
    }
    let overlap = (one[1] + one[3]).min(other[1] + other[3]) - one[1].max(other[1]);
    if overlap > 0.5 * one[3].min(other[3]) {
        return Some(one[0] <= other[0]);
    }
    Some(one[1] <= other[1])
}
