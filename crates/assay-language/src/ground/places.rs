//! Positions relative to another thing: "in the row of", "under", "next to".

use crate::positions::is_side;
use crate::synonyms::commits;
use crate::{ElementKind, Nearness, Relation, Target};

use super::find::{Search, anchors};
use super::kinds::{KIND_WORDS, fit, has_class_word};
use super::naming::WantedName;
use super::tables;
use super::view::View;
use super::words::{all_among, fold, identifier_words, same_word, words_of};

/// For each place in `pool` how well the relation holds of it: 0 when it does not.
pub(crate) fn factors(search: &Search, pool: &[usize], relation: &Relation) -> Vec<f64> {
    let view = search.view;
    let to = &relation.to;
    // What it is beside or in need not be fit for what is done to it.
    let search = &Search { usable: |_, _| 1.0, needs_ref: false, ..*search };
    match relation.how {
        Nearness::Inside if to.kind == Some(ElementKind::Page) => vec![1.0; pool.len()],
        Nearness::Inside if to.kind == Some(ElementKind::Column) => {
            let words: Vec<String> = to.quoted.as_deref().map(words_of).unwrap_or_else(|| to.words.clone());
            pool.iter().map(|at| f64::from(in_column(view, *at, &words))).collect()
        }
        Nearness::Inside if is_window(view, to) => vec![1.0; pool.len()],
        // "At the right end of the row": the row decides.
        Nearness::Inside
            if search.to_act
                && to.relations.len() == 1
                && is_side(&Target { relations: Vec::new(), ..to.clone() }) =>
        {
            let within = factors(search, pool, &to.relations[0]);
            let side = Relation { how: relation.how, to: Target { relations: Vec::new(), ..to.clone() } };
            let inner = &to.relations[0].to;
            let is_vague = inner.is_nameless()
                && matches!(inner.kind, Some(ElementKind::List | ElementKind::Table | ElementKind::Page));
            let is_in = within.iter().any(|factor| *factor > 0.0);
            if is_in || !is_vague { within } else { factors(search, pool, &side) }
        }
        // For an act, where something stands only helps to choose.
        Nearness::Inside if is_side(to) => pool
            .iter()
            .map(|at| match stands_on_side(view, *at, &to.words) {
                true => 1.0,
                false if search.to_act => 0.8,
                false => 0.0,
            })
            .collect(),
        Nearness::Inside => {
            let within = inside(search, pool, relation);
            // "In the left-hand menu", where nothing is marked as a menu: what stands on that side.
            let is_found = within.iter().any(|factor| *factor > 0.0);
            if !search.to_act || is_found {
                return within;
            }
            if is_part_on_side(to) {
                let is_there =
                    |at: &usize| stands_on_side(view, *at, &to.words) && !commits_or_repeats(view, *at);
                return pool.iter().map(|at| f64::from(is_there(at))).collect();
            }
            let is_marked = || view.all().any(|at| fit(view, at, ElementKind::Sidebar) > 0.0);
            let is_sidebar = to.kind == Some(ElementKind::Sidebar) && to.is_nameless() && !is_marked();
            match side_column(view).filter(|_| is_sidebar) {
                Some(column) => {
                    let is_safe = |at: usize| {
                        view.node(at).attribute("type") != Some("submit")
                            && !commits(&words_of(&view.node(at).name))
                    };
                    pool.iter().map(|at| f64::from(view.is_within(*at, column) && is_safe(*at))).collect()
                }
                None => within,
            }
        }
        Nearness::SameRow => {
            let rows = same_entry(view, pool, &anchors(search, to));
            if rows.iter().any(|factor| *factor > 0.0) { rows } else { inside(search, pool, relation) }
        }
        Nearness::For => {
            let mut wanted_of = to.clone();
            wanted_of.kind = None;
            let wanted = WantedName::of(&wanted_of);
            let by_name: Vec<f64> = pool
                .iter()
                .map(|at| {
                    let whole = to.quoted.is_some();
                    wanted
                        .naming(view, *at)
                        .filter(|naming| naming.level >= 0.5 && (naming.exact || !whole))
                        .map_or(0.0, |naming| naming.level)
                })
                .collect();
            let found = anchors(search, to);
            let rows = same_entry(view, pool, &found);
            let either: Vec<f64> = by_name.iter().zip(&rows).map(|(one, other)| one.max(*other)).collect();
            if either.iter().any(|factor| *factor > 0.0) {
                return either;
            }
            let within = inside(search, pool, relation);
            // For a claim it is not enough that one thing is near another.
            if within.iter().any(|factor| *factor > 0.0) || !search.to_act {
                within
            } else {
                nearest(view, pool, &found, gap_beside)
            }
        }
        Nearness::Containing => {
            // `A menu with the entry "Delete"`: how the entry is marked does not matter.
            let named = Target { kind: None, ..to.clone() };
            let to =
                if to.quoted.is_some() && to.kind.is_some_and(ElementKind::is_entry) { &named } else { to };
            let wanted = WantedName::of(to);
            let found = anchors(search, to);
            pool.iter()
                .map(|at| {
                    let whole = to.quoted.is_some();
                    let own = wanted
                        .naming(view, *at)
                        .filter(|naming| naming.level >= 0.5 && (naming.exact || !whole));
                    if let Some(naming) = own.filter(|_| !wanted.is_nameless()) {
                        naming.level
                    } else if found.iter().any(|anchor| view.is_within(*anchor, *at)) {
                        0.95
                    } else {
                        0.0
                    }
                })
                .collect()
        }
        // A claim that one thing is next to another is about more than which of many is the nearest.
        Nearness::NextTo if !search.to_act => {
            nearest(view, pool, &anchors(search, to), |view, at, anchor| {
                gap_beside(view, at, anchor).filter(|gap| *gap <= BESIDE)
            })
        }
        Nearness::NextTo => nearest(view, pool, &anchors(search, to), gap_beside),
        Nearness::Under => {
            let found = anchors(search, to);
            let held = held_by(view, pool, &found);
            if held.iter().any(|factor| *factor > 0.0) {
                return held;
            }
            nearest(view, pool, &found, |view, at, anchor| gap_along(view, anchor, at, Axis::Down))
        }
        Nearness::Above => nearest(view, pool, &anchors(search, to), |view, at, anchor| {
            gap_along(view, at, anchor, Axis::Down)
        }),
        Nearness::RightOf => nearest(view, pool, &anchors(search, to), |view, at, anchor| {
            gap_along(view, anchor, at, Axis::Across)
        }),
        Nearness::LeftOf => nearest(view, pool, &anchors(search, to), |view, at, anchor| {
            gap_along(view, at, anchor, Axis::Across)
        }),
        Nearness::After => nearest(view, pool, &anchors(search, to), |_, at, anchor| order_gap(anchor, at)),
        Nearness::Before => nearest(view, pool, &anchors(search, to), |_, at, anchor| order_gap(at, anchor)),
        // One side of two: both relations together leave what stands between.
        Nearness::Between => vec![1.0; pool.len()],
    }
}

/// "Under suggested tags": the words may be those of a box that holds the things themselves, or of a label in their line,
/// `Suggested tags: lamp, desk`.
fn held_by(view: &View, pool: &[usize], found: &[usize]) -> Vec<f64> {
    let is_label = |at: usize| view.text(at).trim_end().ends_with(':') && !view.has_children(at);
    let smallest: Vec<usize> =
        found.iter().copied().filter(|at| !found.iter().any(|inner| view.is_within(*inner, *at))).collect();
    let holds = |around: usize, at: usize| match view.node(around).parent {
        Some(line) if is_label(around) => view.is_within(at, line) && at > around,
        _ => view.is_within(at, around),
    };
    pool.iter().map(|at| f64::from(smallest.iter().any(|around| holds(*around, *at)))).collect()
}

/// "In the pop-up window": the tab at hand, where a page has opened one and shows no dialog of its own.
pub(super) fn is_window(view: &View, to: &Target) -> bool {
    let is_dialog = |at: usize| fit(view, at, ElementKind::Dialog) > 0.0;
    let says_so = |word: &String| matches!(word.as_str(), "window" | "popup" | "pop");
    to.kind == Some(ElementKind::Dialog)
        && to.is_nameless()
        && words_of(&to.said).iter().any(says_so)
        && view.scene.tabs.len() > 1
        && !view.all().any(is_dialog)
}

/// The sidebar by its look: the only narrow column at the edge of the view, with controls in it and the page beside it.
fn side_column(view: &View) -> Option<usize> {
    let [across, down] = view.scene.view;
    let is_column = |at: usize| {
        let [left, _, width, height] = view.node(at).area;
        let is_at_edge = left <= across * 0.02 || left + width >= across * 0.98;
        width > 0.0 && width <= across * 0.35 && height >= down * 0.4 && is_at_edge && view.has_children(at)
    };
    let is_outermost = |at: &usize| is_column(*at) && !view.scene.ancestors(*at).any(is_column);
    let holds_controls = |at: &usize| view.inside(*at).filter(|inner| view.is_control(*inner)).count() > 2;
    let mut columns = view.all().filter(is_outermost).filter(holds_controls);
    let only = columns.next().filter(|_| columns.next().is_none())?;
    let has_page_beside = view.all().any(|at| !view.is_within(at, only) && view.node(at).role == "heading");
    has_page_beside.then_some(only)
}

/// What cannot be taken back, and what stands in a row: then the place must be there.
fn commits_or_repeats(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let is_entry = |around: usize| matches!(view.node(around).role.as_str(), "row" | "listitem" | "article");
    node.attribute("type") == Some("submit")
        || commits(&words_of(&node.name))
        || view.scene.ancestors(at).any(is_entry)
}

/// "The left-hand menu", "the right panel".
fn is_part_on_side(to: &Target) -> bool {
    let is_part = matches!(
        to.kind,
        Some(ElementKind::Menu | ElementKind::Navigation | ElementKind::Sidebar | ElementKind::Section)
    );
    is_part && to.relations.is_empty() && is_side(&Target { kind: None, ..to.clone() })
}

/// Whether an element reaches into the outer third of the view on each of these sides.
pub(super) fn stands_on_side(view: &View, at: usize, words: &[String]) -> bool {
    let [left, top, width, height] = view.node(at).area;
    let [across, down] = view.scene.view;
    // "The top-right corner" is at the top and at the right.
    words.iter().flat_map(|word| word.split('-')).all(|word| match word {
        "top" | "upper" => top < down / 3.0,
        "bottom" | "lower" => top + height > 2.0 * down / 3.0,
        "left" => left < across / 3.0,
        "right" => left + width > 2.0 * across / 3.0,
        _ => true,
    })
}

/// The things between two others, in document order.
pub(crate) fn between(search: &Search, pool: &[usize], ends: &[&Relation]) -> Vec<f64> {
    let search = &Search { usable: |_, _| 1.0, needs_ref: false, ..*search };
    let places: Vec<Vec<usize>> = ends.iter().map(|end| anchors(search, &end.to)).collect();
    let [first, second] = places.as_slice() else { return vec![0.0; pool.len()] };
    let holds = |at: usize| {
        first.iter().any(|one| {
            second.iter().any(|other| {
                let (low, high) = (one.min(other), one.max(other));
                at > *low && at < *high && !search.view.is_within(at, *low)
            })
        })
    };
    pool.iter().map(|at| f64::from(holds(*at))).collect()
}

fn in_column(view: &View, at: usize, words: &[String]) -> bool {
    std::iter::once(at)
        .chain(view.scene.ancestors(at))
        .filter_map(|around| view.node(around).attribute("column"))
        .any(|column| all_among(words, &words_of(column)))
        || is_under_head(view, at, words)
}

/// Cells that do not name their column are under a head by their place.
fn is_under_head(view: &View, at: usize, words: &[String]) -> bool {
    let Some(table) = view.scene.ancestors(at).find(|around| tables::is_table(view, *around)) else {
        return false;
    };
    let table = tables::table(view, table);
    let row = table.rows.iter().copied().find(|row| view.is_within(at, *row));
    let cell = row.zip(table.head(view, words)).and_then(|(row, head)| table.cell(view, row, head));
    cell.is_some_and(|cell| cell == at || view.is_within(at, cell))
}

fn inside(search: &Search, pool: &[usize], relation: &Relation) -> Vec<f64> {
    let view = search.view;
    let containers: Vec<usize> =
        anchors(&Search { usable: |view, at| f64::from(holds_something(view, at)), ..*search }, &relation.to);
    let marked = by_its_mark(view, &relation.to);
    let containers = if marked.is_empty() { containers } else { marked };
    let is_in = |at: usize, around: usize| {
        // What a box is called by a heading in its middle stands behind that heading.
        let heading = view.heading_of(around).filter(|heading| is_called_by(view, *heading, &relation.to));
        view.is_within(at, around) && heading.is_none_or(|heading| at > heading)
    };
    let mut result: Vec<f64> =
        pool.iter().map(|at| f64::from(containers.iter().any(|around| is_in(*at, *around)))).collect();
    if result.iter().all(|factor| *factor == 0.0) {
        // "the Save button in Shipping": only a heading is called so; what follows it in its own part of the page counts.
        let found = anchors(search, &relation.to);
        let is_heading = |at: &usize| matches!(view.node(*at).role.as_str(), "heading" | "legend");
        // An act may be generous; a claim takes only a heading that was found as one, or as the control it consists of.
        let is_whole = |at: usize, around: usize| view.text(at) == view.text(around);
        let around = |at: usize| view.node(at).parent.filter(|around| search.to_act || is_whole(at, *around));
        let headings: Vec<usize> =
            found.iter().filter_map(|at| std::iter::once(*at).chain(around(*at)).find(is_heading)).collect();
        result = pool
            .iter()
            .map(|at| f64::from(headings.iter().any(|heading| leads(view, *heading, *at))))
            .collect();
        if result.iter().all(|factor| *factor == 0.0) && relation.to.kind == Some(ElementKind::Table) {
            result = around_the_table(view, pool, &containers);
        }
        if result.iter().all(|factor| *factor == 0.0) {
            let found: Vec<usize> = found.into_iter().filter(|at| names_its_entry(view, *at)).collect();
            result = same_entry(view, pool, &found);
        }
        // "In the welcome dialog": there is only one that is open, whatever people call it. One in quotation marks says
        // so somewhere.
        if search.to_act
            && relation.to.kind == Some(ElementKind::Dialog)
            && let Some(modal) = view.modal()
            && (relation.to.quoted.is_none() || containers.iter().any(|at| view.is_within(*at, modal)))
            && result.iter().all(|factor| *factor == 0.0)
        {
            let is_called = all_among(&relation.to.words, &words_of(view.text(modal)));
            let is_meant = |at: usize| {
                view.is_within(at, modal) && (is_called || !commits(&words_of(&view.node(at).name)))
            };
            result = pool.iter().map(|at| 0.9 * f64::from(is_meant(*at))).collect();
        }
        if search.to_act && containers.is_empty() && result.iter().all(|factor| *factor == 0.0) {
            let marked = marked_regions(view, &relation.to);
            result = pool
                .iter()
                .map(|at| f64::from(marked.iter().any(|around| view.is_within(*at, *around))))
                .collect();
        }
        if containers.is_empty()
            && result.iter().all(|factor| *factor == 0.0)
            && let Some(region) = region_by_mark(view, &relation.to)
        {
            result = pool.iter().map(|at| f64::from(view.is_within(*at, region))).collect();
        }
    }
    result
}

/// A heading in the middle of a card is not the name of the card.
pub(crate) fn names_its_entry(view: &View, at: usize) -> bool {
    let heading = std::iter::once(at)
        .chain(view.scene.ancestors(at))
        .find(|around| view.node(*around).role == "heading");
    heading.is_none_or(|heading| {
        view.entry_of(heading).is_none_or(|entry| entry == heading || view.heading_of(entry) == Some(heading))
    })
}

fn is_called_by(view: &View, heading: usize, to: &Target) -> bool {
    match &to.quoted {
        Some(quoted) => fold(view.text(heading)) == fold(quoted),
        None => is_called(view.text(heading), &to.words),
    }
}

/// A button with nothing in it but its own words is no place.
fn holds_something(view: &View, at: usize) -> bool {
    view.has_children(at) && (!view.is_control(at) || view.inside(at).any(|inner| view.is_control(inner)))
}

/// Calendars and suggestions that no role tells, only a class or an id.
pub(crate) fn by_its_mark(view: &View, to: &Target) -> Vec<usize> {
    let words: &[&str] = match (to.kind, to.words.as_slice()) {
        (Some(ElementKind::DateField), []) if to.quoted.is_none() => &["calendar", "datepicker"],
        (Some(ElementKind::Section), [])
            if to.quoted.is_none() && to.said.to_lowercase().ends_with("accordion") =>
        {
            &["accordion"]
        }
        (None, [only]) if same_word(only, "suggestion") => &["suggestions", "autocomplete", "typeahead"],
        _ => return Vec::new(),
    };
    let marked: Vec<usize> = view
        .all()
        .filter(|at| holds_something(view, *at) && !view.is_control(*at) && has_class_word(view, *at, words))
        .collect();
    marked.iter().copied().filter(|at| !marked.iter().any(|around| view.is_within(*at, *around))).collect()
}

/// "In the filter row", where nothing is called so and a class or an id has just these words: the innermost boxes.
fn marked_regions(view: &View, to: &Target) -> Vec<usize> {
    if to.quoted.is_some() || to.words.is_empty() || to.ordinal.is_some() {
        return Vec::new();
    }
    let is_marked = |at: usize| {
        ["id", "class"].iter().filter_map(|name| view.node(at).attribute(name)).any(|marks| {
            marks.split_whitespace().map(identifier_words).any(|mut mark| {
                mark.retain(|word| !KIND_WORDS.contains(&word.as_str()));
                mark == to.words
            })
        })
    };
    let marked: Vec<usize> = view
        .all()
        .filter(|at| holds_something(view, *at) && !view.is_control(*at) && is_marked(*at))
        .collect();
    marked.iter().copied().filter(|at| !marked.iter().any(|inner| view.is_within(*inner, *at))).collect()
}

/// "The palette": the one part of the page whose id or class ends with these words, where nothing is called so.
pub(crate) fn region_by_mark(view: &View, to: &Target) -> Option<usize> {
    const LEAST_AREA: f64 = 10_000.0;
    let kind = match to.kind {
        None => None,
        Some(ElementKind::List) => Some("list"),
        Some(ElementKind::Table) => Some("table"),
        Some(ElementKind::Sidebar) => Some("sidebar"),
        Some(ElementKind::Menu) => Some("menu"),
        _ => return None,
    };
    let is_meant = to.quoted.is_none()
        && to.ordinal.is_none()
        && (1..=2).contains(&to.words.len())
        && to.relations.iter().all(|one| is_side(&one.to))
        && to.words.iter().all(|word| word.len() > 3);
    if !is_meant {
        return None;
    }
    // "The user list" is marked as `userlist`, `user-list` or `users-list`.
    let plain = |words: &[String]| words.concat().replace("ies", "y").replace('s', "");
    let wanted: Vec<String> = to.words.iter().cloned().chain(kind.map(str::to_string)).collect();
    const OTHERWISE: &[&str] =
        &["empty", "no", "add", "to", "removed", "remove", "reorder", "not", "without"];
    let fits = |mark: &[String]| match kind {
        _ if mark.iter().any(|word| OTHERWISE.contains(&word.as_str())) => false,
        None => mark.ends_with(&to.words),
        Some(_) => plain(mark).ends_with(&plain(&wanted)),
    };
    let is_marked = |at: usize| {
        ["id", "class"]
            .iter()
            .filter_map(|name| view.node(at).attribute(name))
            .any(|marks| marks.split_whitespace().map(identifier_words).any(|mark| fits(&mark)))
    };
    let is_region = |at: &usize| {
        let [_, _, width, height] = view.node(*at).area;
        width * height >= LEAST_AREA
            && holds_something(view, *at)
            && !view.is_control(*at)
            && !view.is_entry(*at)
            && is_marked(*at)
    };
    let marked: Vec<usize> = view.all().filter(is_region).collect();
    let mut outermost = marked
        .iter()
        .filter(|at| !marked.iter().any(|around| around != *at && view.is_within(**at, *around)));
    let only = outermost.next().filter(|_| outermost.next().is_none()).copied()?;
    let is_on_side = to.relations.iter().all(|one| stands_on_side(view, only, &one.to.words));
    is_on_side.then_some(only)
}

/// "The search field of the table": what stands with it in a box of its own.
fn around_the_table(view: &View, pool: &[usize], found: &[usize]) -> Vec<f64> {
    let [table] = found else { return vec![0.0; pool.len()] };
    let boxes = view.scene.ancestors(*table).take(5).take_while(|around| {
        matches!(view.node(*around).role.as_str(), "generic" | "region" | "group" | "form")
            && view.inside(*around).filter(|at| tables::is_table(view, *at)).count() == 1
    });
    for around in boxes {
        let inside: Vec<f64> = pool.iter().map(|at| f64::from(view.is_within(*at, around))).collect();
        if inside.iter().any(|factor| *factor > 0.0) {
            return inside;
        }
    }
    vec![0.0; pool.len()]
}

/// Whether `at` stands under this heading, before the next of its kind.
fn leads(view: &View, heading: usize, at: usize) -> bool {
    let level = |at: usize| view.node(at).attribute("tag").unwrap_or("h2").to_string();
    at > heading
        && view.node(heading).parent.is_none_or(|parent| view.is_within(at, parent))
        && !(heading + 1..at)
            .any(|other| view.node(other).role == "heading" && level(other) <= level(heading))
}

/// Those that share the closest row, card or entry with an anchor.
fn same_entry(view: &View, pool: &[usize], anchors: &[usize]) -> Vec<f64> {
    let shared = |at: usize, anchor: usize| {
        std::iter::once(anchor)
            .chain(view.scene.ancestors(anchor))
            .filter(|around| view.is_entry(*around))
            .find(|around| *around == at || view.is_within(at, *around))
    };
    let depth = |at: usize| view.scene.ancestors(at).count();
    let mut result = vec![0.0; pool.len()];
    for anchor in anchors {
        let entries: Vec<Option<usize>> = pool.iter().map(|at| shared(*at, *anchor)).collect();
        let deepest = entries.iter().flatten().map(|entry| depth(*entry)).max();
        for (factor, entry) in result.iter_mut().zip(entries) {
            if entry.is_some_and(|entry| Some(depth(entry)) == deepest) {
                *factor = 1.0;
            }
        }
    }
    result
}

/// The nearest gets 1, others for which it holds at all get half.
fn nearest(
    view: &View,
    pool: &[usize],
    anchors: &[usize],
    gap: impl Fn(&View, usize, usize) -> Option<f64>,
) -> Vec<f64> {
    let mut result = vec![0.0; pool.len()];
    for anchor in anchors {
        let gaps: Vec<Option<f64>> = pool
            .iter()
            .map(|at| {
                let nested = at == anchor || view.is_within(*at, *anchor) || view.is_within(*anchor, *at);
                if nested { None } else { gap(view, *at, *anchor) }
            })
            .collect();
        let least = gaps.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        for (factor, gap) in result.iter_mut().zip(gaps) {
            let Some(gap) = gap else { continue };
            let holds = if gap <= least * 1.1 + 2.0 { 1.0 } else { 0.5 };
            *factor = f64::max(*factor, holds);
        }
    }
    result
}

/// No more than this, in pixels across or half as many down, lies between things that are next to each other.
const BESIDE: f64 = 150.0;

fn has_area(view: &View, at: usize) -> bool {
    view.node(at).area[2] > 0.0 && view.node(at).area[3] > 0.0
}

/// How far apart two things are that stand side by side: across counts once, down twice.
fn gap_beside(view: &View, at: usize, anchor: usize) -> Option<f64> {
    let apart = if has_area(view, at) && has_area(view, anchor) {
        let (one, other) = (view.node(at).area, view.node(anchor).area);
        let across = (other[0] - (one[0] + one[2])).max(one[0] - (other[0] + other[2])).max(0.0);
        let down = (other[1] - (one[1] + one[3])).max(one[1] - (other[1] + other[3])).max(0.0);
        across + 2.0 * down
    } else {
        10.0 * at.abs_diff(anchor) as f64
    };
    let entry = view.entry_of(anchor);
    let share = entry.is_some_and(|entry| at == entry || view.is_within(at, entry));
    match entry {
        // What stands in another row or card belongs to that one.
        Some(_) if !share && view.entry_of(at).is_some() => None,
        Some(_) if !share => Some(apart + 1000.0),
        _ => Some(apart),
    }
}

#[derive(Clone, Copy)]
enum Axis {
    Down,
    Across,
}

/// How far `second` lies beyond `first`, when it does and they overlap the other way.
fn gap_along(view: &View, first: usize, second: usize, axis: Axis) -> Option<f64> {
    if !has_area(view, first) || !has_area(view, second) {
        return order_gap(first, second);
    }
    let (along, other) = match axis {
        Axis::Down => (1, 0),
        Axis::Across => (0, 1),
    };
    let (one, two) = (view.node(first).area, view.node(second).area);
    let gap = two[along] - (one[along] + one[along + 2]);
    let overlap = (one[other] + one[other + 2]).min(two[other] + two[other + 2]) - one[other].max(two[other]);
    if gap < -4.0 || (two[along] - one[along]) < 1.0 {
        return None;
    }
    // What does not overlap at all is still under it, but only when nothing else is.
    Some(gap.max(0.0) + if overlap > 0.0 { 0.0 } else { 2000.0 - overlap })
}

fn order_gap(first: usize, second: usize) -> Option<f64> {
    (second > first).then(|| 10.0 * (second - first) as f64)
}

/// Whether a column's head is called so.
pub(crate) fn is_called(head: &str, words: &[String]) -> bool {
    let have = words_of(head);
    have.len() == words.len() && have.iter().zip(words).all(|(one, other)| same_word(one, other))
}
