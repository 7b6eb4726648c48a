//! Claims about order: sorted by something, one before the other.

use crate::ground::find::{anchors, said};
use crate::ground::words::{fold, words_of};
use crate::{Order, Target};

use super::matching::numbers;
use super::value::part_called;
use super::{Finding, Judging, Truth};

impl Judging<'_> {
    pub(super) fn sorted(&self, of: Option<&Target>, by: Option<&str>, order: Order) -> Finding {
        let view = self.view;
        let words = by.map(words_of).unwrap_or_default();
        let around: Option<Vec<usize>> = of
            .filter(|target| !target.words.is_empty() || target.quoted.is_some())
            .map(|target| anchors(&self.look(|view, at| f64::from(view.has_children(at))), target));
        let mut groups = self.groups(&Target::default());
        if let Some(places) = around.filter(|places| !places.is_empty()) {
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
            return Finding::unsure("it is not plain which list should be sorted");
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
            return Finding::unsure("fewer than two values are shown, so no order can be seen");
        }
        let Some(steps) = comparisons(&texts) else {
            return Finding::unsure(format!("what is shown cannot be compared: {}", texts.join(", ")));
        };
        if steps.iter().all(|step| step.is_eq()) {
            return Finding::unsure("all values are the same, so no order can be seen");
        }
        let (name, wrong) = match order {
            Order::Ascending => ("ascending", std::cmp::Ordering::Greater),
            Order::Descending => ("descending", std::cmp::Ordering::Less),
        };
        let broken = steps.iter().position(|step| *step == wrong);
        match broken {
            None => Finding::yes(format!("in {name} order: {}", texts.join(", "))),
            Some(index) => Finding {
                expected: Some(format!("{name} order")),
                found: Some(texts.join(", ")),
                ..Finding::no(format!(
                    "Expected {name} order, but \"{}\" stands before \"{}\"",
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
                [] => Err(Finding::unsure(format!("nothing on the page is {}", said(target)))),
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

/// How each value stands to the next: as numbers, else as dates, else as texts; None when they are of several sorts.
fn comparisons(texts: &[String]) -> Option<Vec<std::cmp::Ordering>> {
    let dates: Vec<Option<[i64; 3]>> = texts.iter().map(|text| date(text)).collect();
    if dates.iter().all(Option::is_some) {
        return Some(dates.windows(2).map(|pair| pair[0].cmp(&pair[1])).collect());
    }
    let figures: Vec<Vec<f64>> = texts.iter().map(|text| numbers(text)).collect();
    let is_figure = |text: &String| {
        let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
        numbers(text).len() == 1 && letters <= 4
    };
    let how_many = texts.iter().filter(|text| is_figure(text)).count();
    if how_many == texts.len() {
        return Some(figures.windows(2).map(|pair| pair[0][0].total_cmp(&pair[1][0])).collect());
    }
    if how_many > 0 || dates.iter().any(Option::is_some) {
        return None;
    }
    Some(texts.windows(2).map(|pair| fold(&pair[0]).cmp(&fold(&pair[1]))).collect())
}

/// Year, month, day of a date that can be read one way only: `2024-03-01`, `1 March 2024`, `Mar 1, 2024`.
fn date(text: &str) -> Option<[i64; 3]> {
    const MONTHS: &[&str] =
        &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let words = words_of(text);
    let figures: Vec<i64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let month = words.iter().find_map(|word| {
        let place = MONTHS.iter().position(|month| word.starts_with(month))?;
        (word.chars().all(char::is_alphabetic)).then_some(place as i64 + 1)
    });
    match (month, figures.as_slice()) {
        (Some(month), [day, year]) if *year > 31 && *day <= 31 => Some([*year, month, *day]),
        (Some(month), [year, day]) if *year > 31 && *day <= 31 => Some([*year, month, *day]),
        (None, [year, month, day, ..]) if *year > 31 && *month <= 12 && *day <= 31 && text.contains('-') => {
            Some([*year, *month, *day])
        }
        // `31.12.2024`: only one of the two can be the month, or the point says that the day comes first.
        (None, [day, month, year]) if *year > 31 && *month <= 12 && (*day > 12 || text.contains('.')) => {
            Some([*year, *month, *day])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_as_what_they_are() {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_string()).collect::<Vec<_>>();
        let up = |list: &[&str]| comparisons(&texts(list)).map(|steps| steps.iter().all(|step| step.is_le()));
        assert_eq!(up(&["$9.99", "$12.00", "$100.00"]), Some(true));
        assert_eq!(up(&["2023-12-31", "2024-01-02"]), Some(true));
        assert_eq!(up(&["31.12.2023", "02.01.2024"]), Some(true));
        assert_eq!(up(&["Mar 3, 2024", "Jan 1, 2024"]), Some(false));
        assert_eq!(up(&["apple", "Banana", "cherry"]), Some(true));
        assert_eq!(up(&["$9", "free"]), None);
    }
}
