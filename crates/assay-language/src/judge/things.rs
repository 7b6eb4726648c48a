//! How many there are of a thing: rows without their head, entries that repeat, options of a list.

use crate::ground::find::{anchors, is_of_sort, rank, said};
use crate::ground::frame::is_framed;
use crate::ground::kinds::{fit, has_class_word};
use crate::ground::results::is_result;
use crate::ground::states::has_state;
use crate::ground::thresholds::ENOUGH;
use crate::ground::view::View;
use crate::ground::words::{all_among, identifier_words, same_word, spaced, words_of};
use crate::synonyms::{SYNONYM, variants};
use crate::{ElementKind, Nearness, NumberIs, StateWord, Target};

use super::matching::{is_so, wanted_number};
use super::state::says_empty;
use super::{Finding, Judging, Truth};

impl Judging<'_> {
    pub(super) fn count(&self, target: &Target, count: NumberIs) -> Finding {
        let view = self.view;
        if let Some(finding) = self.listed_result(target, count) {
            return finding;
        }
        let counted = match self.counted(target) {
            Ok(counted) => counted,
            Err(finding) => return finding,
        };
        let (number, places) = counted;
        let what = format!("{} {}", wanted_number(count), said(target));
        let truth = match is_so(number as f64, count) {
            true => Truth::Yes,
            // A page may say how many there are and show some of them, and what looks like a list may be none.
            false if self.is_told(target, count) || !are_marked(view, target, &places) => Truth::Unsure,
            false => Truth::No,
        };
        let finding = Finding::compared(truth, &what, &number.to_string()).with(view.lines(places));
        match self.some_differ(target, count).filter(|_| truth == Truth::No) {
            Some(reason) => Finding { reason: format!("{number} of {reason}"), ..finding },
            None => finding,
        }
    }

    /// `The results list "Kim"`: a link of that very name in the content of a page that says it shows results.
    fn listed_result(&self, target: &Target, count: NumberIs) -> Option<Finding> {
        let view = self.view;
        let [only] = target.relations.as_slice() else { return None };
        let every = Target { relations: Vec::new(), ..target.clone() };
        let name = only.to.quoted.as_deref().filter(|_| only.how == Nearness::Containing)?;
        if count != NumberIs::AtLeastOne || !is_result(&every) {
            return None;
        }
        let says_results =
            called_on_page(view).iter().any(|word| matches!(word.as_str(), "search" | "result" | "results"))
                || view.scene.url.contains("search");
        let found = view.all().find(|at| {
            view.node(*at).role == "link"
                && spaced(&view.node(*at).name) == spaced(name)
                && !view.node(*at).is("covered")
                && !is_framed(view, *at)
                && (view.entry_of(*at).is_some()
                    || view
                        .scene
                        .ancestors(*at)
                        .take(4)
                        .any(|around| has_class_word(view, around, &["result", "results"])))
        });
        found.filter(|_| says_results && !page_says_empty(view)).map(|at| self.is_seen(at))
    }

    /// Whether a text says the number with the name: "28 products".
    fn is_told(&self, target: &Target, count: NumberIs) -> bool {
        let NumberIs::Exactly(number) = count else { return false };
        let noun = target.words.last().cloned().or_else(|| words_of(&target.said).pop()).unwrap_or_default();
        self.view.all().any(|at| {
            let words = words_of(self.view.text(at));
            self.view.node(at).role == "text"
                && words.windows(2).any(|pair| pair[0] == format!("{number}") && same_word(&pair[1], &noun))
        })
    }

    /// "6 checkboxes are not checked": how many there are, where none should be in a state.
    fn some_differ(&self, target: &Target, count: NumberIs) -> Option<String> {
        let things = match target.kind? {
            ElementKind::Checkbox => "checkboxes",
            ElementKind::Radio => "radio buttons",
            ElementKind::Switch => "switches",
            _ => return None,
        };
        let state = match target.state? {
            StateWord::Checked => "checked",
            StateWord::Unchecked => "not checked",
            _ => return None,
        };
        let is_none = matches!(count, NumberIs::Exactly(0.0));
        let (total, _) = self.counted(&Target { state: None, ..target.clone() }).ok().filter(|_| is_none)?;
        Some(format!("{total} {things} are {state}"))
    }

    pub(super) fn counted(&self, target: &Target) -> Result<(usize, Vec<usize>), Finding> {
        let view = self.view;
        // "3 rows starting with "A"".
        if target.text.is_some() {
            return Err(Finding::unsure(format!("assay cannot count {}", said(target))));
        }
        if target.kind == Some(ElementKind::Option)
            && let Some(counted) = self.counted_options(target)
        {
            return counted;
        }
        if let Some(counted) = self.counted_containing(target) {
            return counted;
        }
        // "5 messages are listed": as many entries of a list.
        if target.kind == Some(ElementKind::Message) && target.quoted.is_none() {
            let mut words = target.words.clone();
            words.push("message".to_string());
            return self.counted(&Target { kind: Some(ElementKind::Item), words, ..target.clone() });
        }
        // "Under "This month"": in the part of the page with this heading.
        if target.relations.iter().any(|one| one.how == Nearness::Under) {
            let mut inside = target.clone();
            for relation in &mut inside.relations {
                if relation.how == Nearness::Under {
                    relation.how = Nearness::Inside;
                }
            }
            return self.counted(&inside);
        }
        let lost = target.relations.iter().find(|relation| {
            !matches!(relation.to.kind, Some(ElementKind::Page | ElementKind::Column))
                && relation.how != Nearness::Containing
                && anchors(&self.look(|_, _| 1.0), &relation.to).is_empty()
        });
        if let Some(relation) = lost {
            return Err(Finding::unsure(format!("nothing on the page matches {}", said(&relation.to))));
        }
        let listed = target.kind.is_none_or(ElementKind::is_entry);
        if listed && target.quoted.is_none() && target.relations.iter().all(|one| one.how == Nearness::Inside)
        {
            return self.counted_entries(target);
        }
        let mut target = target.clone();
        target.ordinal = None;
        // Neither on nor off is not on, and not off.
        let ticked = target.state.filter(|state| matches!(state, StateWord::Checked | StateWord::Unchecked));
        if ticked.is_some() {
            target.state = None;
        }
        let ranked = rank(&self.look(|_, _| 1.0), &target).unwrap_or_default();
        if let Some(turned) = ranked.iter().find(|one| one.turned) {
            return Err(Finding::unsure(format!(
                "{} may or may not be one of {}",
                view.describe(turned.at),
                said(&target)
            ))
            .with(view.lines([turned.at])));
        }
        let all: Vec<usize> = ranked
            .into_iter()
            .filter(|one| one.score >= ENOUGH && (one.exact || target.quoted.is_none()))
            .map(|one| one.at)
            .collect();
        if let Some(hidden) = all.iter().find(|at| ticked.is_some() && view.node(**at).is("covered")) {
            return Err(
                Finding::unsure(format!("{} is covered", view.describe(*hidden))).with(view.lines([*hidden]))
            );
        }
        let is_so = |at: usize| match ticked {
            Some(StateWord::Checked) => has_state(view, at, StateWord::Unchecked) == Some(false),
            Some(_) => has_state(view, at, StateWord::Checked) == Some(false),
            None => true,
        };
        let found: Vec<usize> = all
            .into_iter()
            .filter(|at| is_so(*at))
            .filter(|at| {
                target.kind.is_none_or(|kind| fit(view, *at, kind) >= 0.8) && !view.node(*at).is("covered")
            })
            .collect();
        Ok((found.len(), found))
    }

    fn counted_options(&self, target: &Target) -> Option<Result<(usize, Vec<usize>), Finding>> {
        let view = self.view;
        let lists: Vec<usize> = view.all().filter(|at| !view.node(*at).options.is_empty()).collect();
        let meant: Vec<usize> = match target.relations.first() {
            Some(relation) => {
                let around = anchors(
                    &self.look(|view, at| {
                        f64::from(!view.node(at).options.is_empty() || view.has_children(at))
                    }),
                    &relation.to,
                );
                lists
                    .iter()
                    .copied()
                    .filter(|at| around.iter().any(|other| other == at || view.is_within(*at, *other)))
                    .collect()
            }
            None => lists.clone(),
        };
        match meant.as_slice() {
            [only] if target.is_nameless() => Some(Ok((view.node(*only).options.len(), vec![*only]))),
            [] => None,
            _ if target.is_nameless() => {
                Some(Err(Finding::unsure("it is unclear which list is meant").with(view.lines(meant))))
            }
            _ => None,
        }
    }

    /// Entries of the list that is meant: of the place that is named, of the sort that is named, or of the only group.
    fn counted_entries(&self, target: &Target) -> Result<(usize, Vec<usize>), Finding> {
        let view = self.view;
        let groups = self.groups(target);
        let words: Vec<String> = target
            .words
            .iter()
            .filter(|word| {
                !matches!(word.as_str(), "item" | "items" | "entry" | "entries" | "row" | "rows" | "data")
            })
            .cloned()
            .collect();
        let named: Vec<Group> = groups.iter().filter_map(|group| group.of_sort(view, &words)).collect();
        // Nothing but the word for an entry was said: "results" may still tell one list from another.
        let said_words = words_of(&target.said);
        let sorted: Vec<Group> = named
            .iter()
            .filter(|group| group.entries.iter().any(|at| is_of_sort(view, *at, &said_words)))
            .cloned()
            .collect();
        let named = if words.is_empty() && named.len() > 1 && sorted.len() == 1 { sorted } else { named };
        // Rows of a table are entries before boxes that are only drawn alike.
        let is_table = |group: &Group| group.entries.iter().all(|at| view.node(*at).role == "row");
        let is_drawn = |group: &Group| group.entries.iter().all(|at| view.node(*at).role == "generic");
        let named = match named.iter().filter(|group| is_table(group)).count() {
            1 if words.is_empty() && named.iter().all(|group| is_table(group) || is_drawn(group)) => {
                named.into_iter().filter(|group| is_table(group)).collect()
            }
            _ => named,
        };
        let firsts = |groups: &[Group]| {
            view.lines(groups.iter().filter_map(|group| group.entries.first().copied()).collect::<Vec<_>>())
        };
        match named.as_slice() {
            // Rows that join cells are headings of groups or sums.
            [only] if has_joined_rows(view, &only.entries) => {
                Err(Finding::unsure("some rows have fewer cells than others, and may be no entries")
                    .with(view.lines(only.entries.clone())))
            }
            [only] => match only.entries.iter().find(|at| is_no_entry(view, **at, only.entries.len())) {
                Some(at) => Err(Finding::unsure(format!(
                    "{} is among the entries, but may not be one",
                    view.describe(*at)
                ))
                .with(view.lines([*at]))),
                None => Ok((only.entries.len(), only.entries.clone())),
            },
            [] if groups.is_empty() => {
                match self.empty_place(target, &words).filter(|_| target.relations.is_empty()) {
                    Some(place) => Ok((0, vec![place])),
                    None => Err(Finding::unsure(format!("no list of {} is on the page", said(target)))),
                }
            }
            [] => Err(Finding::unsure(format!(
                "nothing shows that a list on the page contains {}",
                said(target)
            ))
            .with(firsts(&groups))),
            several => {
                Err(Finding::unsure(format!("{} lists could be meant by {}", several.len(), said(target)))
                    .with(firsts(several)))
            }
        }
    }

    /// Groups of like entries, each with what is around it; what frames every page left out.
    pub(super) fn groups(&self, target: &Target) -> Vec<Group> {
        let view = self.view;
        let place = target.relations.iter().find(|one| one.to.kind != Some(ElementKind::Page));
        let holds =
            |view: &View, at: usize| f64::from(view.has_children(at) || !view.node(at).name.is_empty());
        let within = place.map(|relation| anchors(&self.look(holds), &relation.to));
        let mut groups: Vec<Group> = Vec::new();
        for at in view.all().filter(|at| view.is_entry(*at) && !view.node(*at).is("covered")) {
            if matches!(target.kind, Some(ElementKind::Row)) && view.node(at).role != "row" && has_rows(view)
            {
                continue;
            }
            if let Some(places) = &within
                && !places.iter().any(|around| view.is_within(at, *around))
            {
                continue;
            }
            let framed = view.scene.ancestors(at).any(|around| {
                matches!(
                    view.node(around).role.as_str(),
                    "navigation" | "banner" | "contentinfo" | "menu" | "menubar" | "tablist"
                )
            });
            let nested = view.scene.ancestors(at).any(|around| {
                view.is_entry(around)
                    && within
                        .as_ref()
                        .is_none_or(|places| places.iter().any(|place| view.is_within(around, *place)))
            });
            if (framed && within.is_none()) || nested {
                continue;
            }
            // Sums at the foot of a table are no data.
            let parent = view.node(at).parent;
            if parent.is_some_and(|parent| view.node(parent).attribute("tag") == Some("tfoot")) {
                continue;
            }
            let around = list_of(view, at);
            match groups.iter_mut().find(|known| known.around == around) {
                Some(known) => known.entries.push(at),
                None => groups.push(Group { around, entries: vec![at] }),
            }
        }
        // What the page is about comes before ways around it: pagers, tools, side bars.
        let is_about = |group: &Group| group.around.is_none_or(|list| !is_framed(view, list));
        if within.is_none() && groups.len() > 1 && groups.iter().any(is_about) {
            groups.retain(is_about);
        }
        groups
    }

    /// A list or table of that name without anything in it.
    fn empty_place(&self, target: &Target, words: &[String]) -> Option<usize> {
        let view = self.view;
        view.all().find(|at| {
            matches!(view.node(*at).role.as_str(), "table" | "grid" | "list" | "feed")
                && (words.is_empty()
                    || all_among(words, &called(view, Some(*at), *at))
                    || target.kind == Some(ElementKind::Row))
        })
    }
}

/// Whether what was counted is marked as what it is, and does not only look alike.
fn are_marked(view: &View, target: &Target, places: &[usize]) -> bool {
    let listed = matches!(
        target.kind,
        None | Some(
            ElementKind::Item
                | ElementKind::ListItem
                | ElementKind::Message
                | ElementKind::ErrorMessage
                | ElementKind::SuccessMessage
                | ElementKind::WarningMessage
        )
    );
    !(listed && places.is_empty())
        && places
            .iter()
            .all(|at| !matches!(view.node(*at).role.as_str(), "generic" | "clickable" | "link" | "text"))
}

fn has_joined_rows(view: &View, entries: &[usize]) -> bool {
    let cells: Vec<usize> = entries
        .iter()
        .filter(|at| view.node(**at).role == "row")
        .map(|at| view.children(*at).len())
        .collect();
    cells.iter().any(|count| Some(count) != cells.first())
}

/// A line that says there is nothing, or a grey box where an entry will be.
fn is_no_entry(view: &View, at: usize, beside: usize) -> bool {
    const EXPECTED: &[&str] = &["skeleton", "placeholder", "loading", "shimmer", "ghost"];
    let says_nothing = view.text(at).trim().is_empty()
        && !view.inside(at).any(|inner| {
            view.is_control(inner) || matches!(view.node(inner).role.as_str(), "image" | "figure")
        })
        && view.node(at).name.is_empty();
    says_nothing || has_class_word(view, at, EXPECTED) || (beside == 1 && says_empty(view.text(at)))
}

fn has_rows(view: &View) -> bool {
    view.all().any(|at| view.node(at).role == "row" && view.is_entry(at))
}

/// The list or table that an entry belongs to; row groups between do not count.
fn list_of(view: &View, at: usize) -> Option<usize> {
    let parent = view.node(at).parent?;
    if view.node(parent).role == "rowgroup" { view.node(parent).parent } else { Some(parent) }
}

/// Like entries side by side, and what is around them.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) around: Option<usize>,
    pub(super) entries: Vec<usize>,
}

impl Group {
    /// The entries that the words are said of. What the list is called holds for all of them; what only some are
    /// marked with ("unread") holds for those.
    fn of_sort(&self, view: &View, words: &[String]) -> Option<Group> {
        let first = *self.entries.first()?;
        let (own, wide) = (called(view, self.around, first), called_on_page(view));
        let mut entries = self.entries.clone();
        for (nth, word) in words.iter().enumerate() {
            // "Todos" may be called tasks.
            let ways = variants(std::slice::from_ref(word));
            // A page that has the word itself means that.
            let is_said = view.all().any(|at| {
                view.node(at).role == "text"
                    && words_of(&view.node(at).name).iter().any(|own| same_word(own, word))
            });
            let is_way = |other: &String| {
                if is_said {
                    return same_word(word, other);
                }
                ways.iter().any(|way| {
                    way.worth >= SYNONYM && matches!(way.words.as_slice(), [only] if same_word(only, other))
                })
            };
            let has = |have: &[String]| have.iter().any(is_way);
            let marked: Vec<usize> = entries.iter().copied().filter(|at| has(&marks(view, *at))).collect();
            // The noun itself may only be said by the page; what sort of thing it is must be said of the list.
            let is_noun = nth + 1 == words.len();
            if !marked.is_empty() {
                entries = marked;
            } else if !(has(&own) || is_noun && has(&wide)) {
                return None;
            } else {
                // Where some say it of themselves, the others may be something else.
                let saying = entries.iter().filter(|at| has(&words_of(view.text(**at)))).count();
                if saying > 0 && saying < entries.len() {
                    return None;
                }
            }
        }
        Some(Group { around: self.around, entries })
    }
}

fn marks(view: &View, at: usize) -> Vec<String> {
    let node = view.node(at);
    ["class", "id", "testid"]
        .iter()
        .filter_map(|name| node.attribute(name))
        .flat_map(identifier_words)
        .collect()
}

/// What the list around an entry is called.
fn called(view: &View, around: Option<usize>, first: usize) -> Vec<String> {
    let mut have: Vec<String> = Vec::new();
    for at in
        around.into_iter().chain(around.into_iter().flat_map(|around| view.scene.ancestors(around).take(2)))
    {
        have.extend(marks(view, at));
        have.extend(words_of(&view.node(at).name));
        if let Some(heading) = view.heading_of(at).filter(|heading| *heading < first || around == Some(first))
        {
            have.extend(words_of(view.text(heading)));
        }
    }
    have
}

/// What the page is called.
fn called_on_page(view: &View) -> Vec<String> {
    let mut have = words_of(&view.scene.title);
    if let Some(heading) = view.all().find(|at| view.node(*at).role == "heading") {
        have.extend(words_of(view.text(heading)));
    }
    let path = super::address::path_of(&view.scene.url);
    have.extend(identifier_words(path.split(['?', '#']).next().unwrap_or_default()));
    have
}

/// Whether some text of the page says that there is nothing.
pub(super) fn page_says_empty(view: &View) -> bool {
    view.all().any(|at| view.node(at).role == "text" && says_empty(view.text(at)))
}
