//! Finds the part of a page that a target means: the whole description must fit, and one element clearly best.

use assay_protocol::ElementLine;

use crate::{ElementKind, Hints, Matcher, Nearness, Ordinal, Target};

use super::ages::{by_age, oldest_or_newest};
use super::by_itself::{list_of_sort, only_editor, same_as_before, wherever};
use super::by_type::{by_type, label_of_the_head};
use super::cells::cell_of_row;
use super::collections::only_collection;
use super::heads::drop_other_heads;
use super::hinted::hinted;
use super::kinds::{fit, has_class_word, is_marked_figure, is_suggested};
use super::naming::WantedName;
use super::other_readings::{behind_its_noun, other_readings};
use super::paging;
use super::pictures::by_picture;
use super::places::{between, factors};
use super::results::{self, is_result};
use super::rivals::{best_group, prefer_form_in_use, prefer_literal, prefer_members};
use super::standing::standing;
use super::states::has_state;
use super::thresholds::{ENOUGH, LEAD};
use super::view::View;
use super::words::{fold, identifier_words, same_word, spaced, words_of};
use super::wrapping::{drop_twin_links, drop_wrapped};

#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) view: &'a View<'a>,
    pub(crate) hints: &'a Hints,
    /// How suitable an element is for the act: 0 excludes it.
    pub(crate) usable: fn(&View, usize) -> f64,
    /// Only what a command can name.
    pub(crate) needs_ref: bool,
    /// It is looked for to be acted on. A claim is about all that could be meant, also what cannot be clicked.
    pub(crate) to_act: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) at: usize,
    pub(crate) score: f64,
    /// It bears the very name, if one was said.
    pub(crate) exact: bool,
    /// It is called otherwise by words beside those that were said: "Don't save".
    pub(crate) turned: bool,
    pub(crate) because: String,
    /// The next best and its score, where this one was chosen before others.
    pub(crate) second: Option<(usize, f64)>,
}

impl Candidate {
    /// One that is known by more than its name.
    pub(crate) fn sure(at: usize, score: f64, because: impl Into<String>) -> Candidate {
        Candidate { at, score, exact: true, turned: false, because: because.into(), second: None }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum SearchResult {
    One(Candidate),
    Several(Vec<Candidate>),
    None { why: String, nearest: Vec<usize> },
}

pub(crate) fn find(search: &Search, target: &Target) -> SearchResult {
    // "The heading of the Subject column".
    if search.to_act
        && matches!(target.kind, Some(ElementKind::Heading | ElementKind::Header))
        && target.is_nameless()
        && let [of] = target.relations.as_slice()
        && of.how == Nearness::Inside
        && of.to.kind == Some(ElementKind::Column)
    {
        return find(search, &of.to);
    }
    if let Some(same) = same_as_before(search, target) {
        return SearchResult::One(same);
    }
    if let Some(number) = paging::numbered(target) {
        return paging::find_page(search, target, number);
    }
    if let Some(day) = day_of_calendar(target) {
        return find_as_said(search, &day);
    }
    if let Some(called) = name_as_said(target)
        && let SearchResult::One(only) = find_as_said(search, &called)
        && only.exact
    {
        return SearchResult::One(only);
    }
    if let Some(entry) = entry_as_said(target)
        && rank(search, &Target { ordinal: None, ..entry.clone() }).is_ok_and(|all| all.len() > 1)
        && let Ok(ranked) = rank(search, &entry)
        && let [only] = ranked.as_slice()
        && only.score >= 0.85
    {
        return SearchResult::One(only.clone());
    }
    let found = find_as_said(search, target);
    // The word for the kind is a hint where only one thing that suits the act bears the very name.
    let is_hint = |kind: ElementKind| match target.quoted {
        Some(_) => !is_set(kind),
        None => !target.words.is_empty() && is_pressed(kind),
    };
    if search.to_act
        && matches!(found, SearchResult::None { .. })
        && target.kind.is_some_and(is_hint)
        && let SearchResult::One(only) = find_as_said(search, &Target { kind: None, ..target.clone() })
        && only.exact
        && (only.score >= 0.8 || is_drawn_thing(search.view, target, only.at))
    {
        return SearchResult::One(only);
    }
    if matches!(found, SearchResult::None { .. })
        && let Some(only) = wherever(search, target)
            .or_else(|| only_editor(search, target))
            .or_else(|| by_picture(search, target))
            .or_else(|| by_type(search, target))
    {
        return SearchResult::One(only);
    }
    if matches!(found, SearchResult::None { .. }) {
        for other in other_readings(target) {
            if let found @ SearchResult::One(_) = find_as_said(search, &other) {
                return found;
            }
        }
        if let Some(head) = label_of_the_head(target)
            && let found @ SearchResult::One(_) = find(search, &head)
        {
            return found;
        }
        if let Some(only) = cell_of_row(search, target) {
            return SearchResult::One(only);
        }
        if let Some(named) = behind_its_noun(target).filter(|_| search.to_act)
            && let SearchResult::One(only) = find_as_said(search, &named)
            && only.exact
            && only.score >= 0.8
        {
            return SearchResult::One(only);
        }
    }
    found
}

/// Kinds that hold a state or a value: nothing else is meant by their words.
fn is_set(kind: ElementKind) -> bool {
    kind.takes_a_value()
        || matches!(
            kind,
            ElementKind::Checkbox | ElementKind::Radio | ElementKind::Switch | ElementKind::FileField
        )
}

/// Kinds that people mix up, as all of them are there to be clicked.
fn is_pressed(kind: ElementKind) -> bool {
    matches!(
        kind,
        ElementKind::Button
            | ElementKind::Link
            | ElementKind::Tab
            | ElementKind::MenuItem
            | ElementKind::Icon
            | ElementKind::Option
            | ElementKind::Item
            | ElementKind::ListItem
    )
}

/// "The 20th in the calendar" is the day that says 20, not the twentieth thing in it.
fn day_of_calendar(target: &Target) -> Option<Target> {
    let in_calendar = target.relations.iter().any(|one| one.to.kind == Some(ElementKind::DateField));
    let plain = target.is_nameless();
    match target.ordinal {
        Some(Ordinal::Nth(day)) if in_calendar && plain && target.kind.is_none() => {
            Some(Target { quoted: Some(day.to_string()), ordinal: None, ..target.clone() })
        }
        _ => None,
    }
}

/// "Tab #1" counts tabs, unless something is called just so.
fn name_as_said(target: &Target) -> Option<Target> {
    let counted = target.ordinal.is_some() && target.is_nameless();
    let is_name = counted && target.relations.is_empty() && target.said.contains('#');
    is_name.then(|| Target { quoted: Some(target.said.clone()), ordinal: None, kind: None, ..target.clone() })
}

/// "The second file": what is counted by a word that is no kind of control is an entry of a list called so, where
/// there is such a list.
fn entry_as_said(target: &Target) -> Option<Target> {
    let counted = target.ordinal.is_some() && target.kind.is_none() && target.quoted.is_none();
    (counted && !target.words.is_empty()).then(|| Target { kind: Some(ElementKind::Item), ..target.clone() })
}

pub(super) fn find_as_said(search: &Search, target: &Target) -> SearchResult {
    let all = match rank(search, target) {
        Ok(all) => all,
        Err(why) => return SearchResult::None { why, nearest: nearest(search, target) },
    };
    let best = all[0].score;
    if best < ENOUGH {
        let why = format!("nothing on the page matches {}", said(target));
        return SearchResult::None { why, nearest: all.iter().take(3).map(|one| one.at).collect() };
    }
    let second = all.get(1).map(|second| (second.at, second.score));
    let close: Vec<Candidate> = all.into_iter().filter(|one| one.score > best - LEAD + 1e-9).collect();
    match <[Candidate; 1]>::try_from(close) {
        Ok([only]) => SearchResult::One(Candidate { second, ..only }),
        Err(several) => SearchResult::Several(several),
    }
}

/// All that fit about as well as the best: the anchors of a relation.
pub(crate) fn anchors(search: &Search, target: &Target) -> Vec<usize> {
    if let Some(acted) = same_as_before(search, target) {
        return vec![acted.at];
    }
    let all = rank(&Search { needs_ref: false, ..*search }, target).unwrap_or_default();
    let best = all.first().map_or(0.0, |one| one.score);
    // A row is that of a name only when the name is a whole text of it: "Order 12" is not in "Order 12-3".
    let named = |one: &Candidate| one.exact || target.quoted.is_none();
    let found: Vec<usize> = all
        .into_iter()
        .filter(|one| one.score >= ENOUGH && one.score > best - 0.08 && named(one))
        .map(|one| one.at)
        .collect();
    // For an act, a heading that is only drawn as one will do.
    let is_drawn = search.to_act && target.kind == Some(ElementKind::Heading) && target.quoted.is_some();
    // `In front of "glazes" in the sidebar`: for an act, a place that nothing on the page is called only helps to find it.
    let is_vague = |one: &crate::Relation| {
        let repeats = one.to.kind.is_some_and(|kind| kind.is_entry() || kind == ElementKind::Cell);
        // A part of every page, and not a set of records such as "the archive".
        let is_part = matches!(
            one.to.kind,
            Some(
                ElementKind::Sidebar
                    | ElementKind::Navigation
                    | ElementKind::Menu
                    | ElementKind::Header
                    | ElementKind::Footer
            )
        );
        one.how == Nearness::Inside
            && !repeats
            && is_part
            && one.to.quoted.is_none()
            && one.to.relations.is_empty()
    };
    if found.is_empty()
        && search.to_act
        && target.quoted.is_some()
        && !target.relations.is_empty()
        && target.relations.iter().all(|one| is_vague(one) && anchors(search, &one.to).is_empty())
        && let SearchResult::One(only) = find_as_said(
            &Search { needs_ref: false, ..*search },
            &Target { relations: Vec::new(), ..target.clone() },
        )
        && only.exact
    {
        return vec![only.at];
    }
    if found.is_empty() && is_drawn {
        return anchors(search, &Target { kind: Some(ElementKind::Text), ..target.clone() });
    }
    found
}

/// All that fit at all, the best first; never empty. The error says what was not there.
pub(crate) fn rank(search: &Search, target: &Target) -> Result<Vec<Candidate>, String> {
    let ranked = rank_as_named(search, target);
    if ranked.as_ref().is_ok_and(|all| all.iter().any(|one| one.score >= ENOUGH)) {
        return ranked;
    }
    only_collection(search, target).map_or(ranked, |only| Ok(vec![only]))
}

fn rank_as_named(search: &Search, target: &Target) -> Result<Vec<Candidate>, String> {
    let view = search.view;
    if !search.to_act
        && let Some((plain, latest)) = by_age(target)
    {
        return oldest_or_newest(view, target, latest, rank(search, &plain)?);
    }
    if let Some((plain, tag)) = list_of_sort(target) {
        let mut found = rank(search, &plain)?;
        found.retain(|one| view.node(one.at).attribute("tag") == Some(tag));
        return if found.is_empty() {
            Err(format!("nothing on the page is {}", said(target)))
        } else {
            Ok(found)
        };
    }
    let wanted = WantedName::of(target);
    let hinted = hinted(search, target);
    if let ([(at, key)], false) = (hinted.as_slice(), target.relations.is_empty()) {
        return Ok(vec![Candidate::sure(*at, 1.3, format!("the hint `{key}` names it"))]);
    }
    let mut pool: Vec<Candidate> = Vec::new();
    for at in view.all() {
        if search.needs_ref && view.node(at).reference.is_none() {
            continue;
        }
        let usable = (search.usable)(view, at);
        if usable == 0.0 {
            continue;
        }
        let by_hint = hinted.iter().any(|(known, _)| *known == at);
        let kind = target.kind.map_or(1.0, |kind| fit(view, at, kind));
        if kind == 0.0 && !by_hint {
            continue;
        }
        // "The menu" is no button that happens to be alone.
        if wanted.is_nameless() && target.kind == Some(ElementKind::Menu) && !is_a_menu(view, at) {
            continue;
        }
        let naming = if wanted.is_nameless() { None } else { wanted.naming(view, at) };
        let (level, exact, turned, how) = match naming {
            Some(naming) => (naming.level, naming.exact, naming.turned, naming.how),
            None if wanted.is_nameless() => (1.0, true, false, "it is the only match".to_string()),
            None => (0.0, false, false, String::new()),
        };
        let score = level * kind * usable;
        let mut candidate = Candidate { at, score, exact, turned, because: how, second: None };
        if let Some((_, key)) = hinted.iter().find(|(known, _)| *known == at) {
            candidate = Candidate::sure(at, 1.3, format!("the hint `{key}` names it"));
        }
        if candidate.score > 0.2 {
            pool.push(candidate);
        }
    }
    // A quoted name is taken at its word: nothing is done to what has it only as a part of its name, and a claim
    // looks at parts only where no name is just so.
    if target.quoted.is_some() {
        let best =
            pool.iter().filter(|one| !one.exact).max_by(|one, other| one.score.total_cmp(&other.score));
        let nearest = best.filter(|one| one.score >= ENOUGH - 0.1).map(|one| view.describe(one.at));
        let some_are_exact = pool.iter().any(|one| one.exact && one.score >= ENOUGH);
        if search.to_act || some_are_exact {
            pool.retain(|one| one.exact);
        }
        if let Some(nearest) = nearest.filter(|_| pool.is_empty()) {
            return Err(format!(
                "nothing on the page is called exactly {}; nearest: {nearest}",
                said(target)
            ));
        }
    }
    apply_relations(search, target, &mut pool)?;
    if let Some(state) = target.state {
        pool.retain(|one| has_state(view, one.at, state) != Some(false));
        if pool.is_empty() {
            return Err(format!("nothing on the page matches {} in that state", said(target)));
        }
    }
    if let Some(text) = &target.text {
        pool.retain(|one| text_fits(view, one.at, text, search.to_act));
        // "Cancel the order": a button that only says "Cancel" must stand by the order; that the page is about orders
        // is not enough.
        if matches!(text, Matcher::Contains(_)) {
            pool.retain(|one| one.score >= 0.75 * target.kind.map_or(1.0, |kind| fit(view, one.at, kind)));
        }
    }
    // Radio buttons and menu items are options, but nobody calls them suggestions.
    if target.kind == Some(ElementKind::Option)
        && words_of(&target.said).iter().any(|word| word == "suggestion")
    {
        pool.retain(|one| view.node(one.at).role == "option" || is_suggested(view, one.at));
    }
    if search.to_act && is_result(target) {
        results::drop_what_is_none(view, &mut pool);
    }
    if target.kind == Some(ElementKind::Column) {
        drop_other_heads(view, &mut pool);
    }
    if target.kind == Some(ElementKind::Figure)
        && wanted.is_nameless()
        && pool.iter().any(|one| is_marked_figure(view, one.at))
    {
        pool.retain(|one| is_marked_figure(view, one.at));
    }
    prefer_literal(view, target, &mut pool);
    prefer_sort(view, target, &mut pool);
    drop_wrapped(view, target.kind, &mut pool);
    // Beside what something stands, each of two links to one address counts.
    if search.needs_ref || !search.to_act {
        drop_twin_links(view, &mut pool);
    }
    if search.to_act {
        prefer_members(view, &mut pool);
        prefer_form_in_use(search, &mut pool);
    }
    for one in &mut pool {
        one.score *= standing(view, one.at, target);
    }
    pool.retain(|one| one.score > 0.2);
    if pool.is_empty() {
        return Err(format!("nothing on the page matches {}", said(target)));
    }
    pool.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.at.cmp(&other.at)));
    // "The first order" is one of several; a single link called "My orders" is none of them.
    let counts_words = target.ordinal.is_some() && target.kind.is_none() && target.quoted.is_none();
    if counts_words && !target.words.is_empty() && !is_one_of_several(view, &pool) {
        let nearest = view.describe(pool[0].at);
        return Err(format!(
            "nothing on the page is one of several {}; nearest: {nearest}",
            target.words.join(" ")
        ));
    }
    match target.ordinal {
        None => Ok(pool),
        Some(ordinal) if search.to_act && is_result(target) => {
            results::pick_in_each_list(view, target, ordinal, pool)
        }
        Some(ordinal) => pick(target, ordinal, pool),
    }
}

/// Letter by letter, as "ends with" is said of a text and not of its words. What other claims about text mean is the
/// judge's; of a target only its beginning, its end and a part of it are ever said.
fn text_fits(view: &View, at: usize, text: &Matcher, to_act: bool) -> bool {
    // An act may be generous; a claim takes the case as it is written.
    let plain = |text: &str| if to_act { fold(text) } else { spaced(text) };
    let own = plain(if view.text(at).is_empty() { &view.node(at).name } else { view.text(at) });
    match text {
        Matcher::StartsWith(start) => own.starts_with(&plain(start)),
        Matcher::EndsWith(end) => own.ends_with(&plain(end)),
        Matcher::Contains(part) => own.contains(&plain(part)),
        _ => false,
    }
}

/// The target's description, for messages.
pub(crate) fn said(target: &Target) -> String {
    if !target.said.is_empty() {
        return target.said.clone();
    }
    match &target.quoted {
        Some(quoted) => format!("\"{quoted}\""),
        None => target.words.join(" "),
    }
}

fn apply_relations(search: &Search, target: &Target, pool: &mut Vec<Candidate>) -> Result<(), String> {
    // A badly matching name must not win by its position alone.
    if !target.relations.is_empty() {
        pool.retain(|one| one.score >= ENOUGH - 0.05);
    }
    let places = |pool: &[Candidate]| pool.iter().map(|one| one.at).collect::<Vec<usize>>();
    let ends: Vec<_> = target.relations.iter().filter(|one| one.how == Nearness::Between).collect();
    let mut steps: Vec<(Vec<f64>, String)> = Vec::new();
    for relation in target.relations.iter().filter(|one| one.how != Nearness::Between) {
        steps.push((factors(search, &places(pool), relation), said(&relation.to)));
    }
    if !ends.is_empty() {
        steps.push((between(search, &places(pool), &ends), "between two other elements".to_string()));
    }
    for (factors, _) in &steps {
        for (one, factor) in pool.iter_mut().zip(factors) {
            one.score *= factor;
        }
    }
    let had_some = !pool.is_empty();
    pool.retain(|one| one.score > 0.0);
    match steps.first() {
        Some((_, place)) if pool.is_empty() && had_some => {
            Err(format!("nothing on the page matches {} in the expected place ({place})", said(target)))
        }
        _ => Ok(()),
    }
}

/// A node of a graph, an entry of a list that is drawn: no more than the text on it is known.
fn is_drawn_thing(view: &View, target: &Target, at: usize) -> bool {
    let is_thing = target.kind.is_some_and(|kind| kind.is_entry() || kind == ElementKind::Node);
    is_thing && target.quoted.is_some() && view.node(at).role == "text"
}

/// Whether the best is an entry, or others that fit as well are of its kind.
fn is_one_of_several(view: &View, pool: &[Candidate]) -> bool {
    let best = &pool[0];
    let is_alike = |other: &&Candidate| {
        other.score > best.score - LEAD && view.node(other.at).role == view.node(best.at).role
    };
    view.entry_of(best.at).is_some() || pool.iter().filter(is_alike).count() > 1
}

pub(super) fn pick(
    target: &Target,
    ordinal: Ordinal,
    pool: Vec<Candidate>,
) -> Result<Vec<Candidate>, String> {
    let mut group = best_group(pool);
    let count = group.len();
    // With three fields, "both" is unclear: it could mean any two of them.
    if target.among.is_some_and(|among| among != count) {
        return if count > 1 {
            Ok(group)
        } else {
            Err(format!("nothing on the page matches {}", said(target)))
        };
    }
    let chosen = match ordinal {
        Ordinal::Nth(number) => number.checked_sub(1).filter(|index| *index < count),
        Ordinal::Last => count.checked_sub(1),
    };
    match chosen {
        Some(index) => {
            let one = group.swap_remove(index);
            let because = format!("number {} of {count}; {}", index + 1, one.because);
            Ok(vec![Candidate { because, ..one }])
        }
        None => Err(format!("the page has only {count}, so there is no {}", said(target))),
    }
}

/// Whether something opens a menu, is one, or is called so.
fn is_a_menu(view: &View, at: usize) -> bool {
    let node = view.node(at);
    node.role != "button"
        || node.is("expanded")
        || node.is("collapsed")
        || node.attribute("haspopup").is_some_and(|kind| kind != "false")
        || has_class_word(view, at, &["menu", "hamburger", "burger", "navbar", "nav"])
        || words_of(&node.name)
            .iter()
            .any(|word| matches!(word.as_str(), "menu" | "navigation" | "hamburger"))
}

/// "The last result": where some entries are marked as results, the others are not meant.
fn prefer_sort(view: &View, target: &Target, pool: &mut [Candidate]) {
    if !matches!(target.kind, Some(ElementKind::Item | ElementKind::ListItem))
        || !target.words.is_empty()
        || target.quoted.is_some()
    {
        return;
    }
    let said = words_of(&target.said);
    let marked: Vec<bool> = pool.iter().map(|one| is_of_sort(view, one.at, &said)).collect();
    if marked.contains(&true) {
        for (one, marked) in pool.iter_mut().zip(marked) {
            one.score *= if marked { 1.0 } else { 0.8 };
        }
    }
}

/// Whether an entry or its list is called by one of the words.
pub(crate) fn is_of_sort(view: &View, at: usize, said: &[String]) -> bool {
    const ANY: &[&str] =
        &["item", "items", "entry", "entries", "the", "list", "row", "rows", "first", "last", "second"];
    let words: Vec<&String> = said.iter().filter(|word| !ANY.contains(&word.as_str())).collect();
    std::iter::once(at).chain(view.scene.ancestors(at).take(1)).any(|around| {
        let node = view.node(around);
        let marks = ["class", "id", "testid"]
            .iter()
            .filter_map(|name| node.attribute(name))
            .flat_map(identifier_words);
        marks.chain(words_of(&node.name)).any(|mark| words.iter().any(|word| same_word(word, &mark)))
    })
}

/// The elements with the most similar names, for people who look for the mistake.
pub(crate) fn nearest(search: &Search, target: &Target) -> Vec<usize> {
    let view = search.view;
    let asked = target.quoted.clone().unwrap_or_else(|| target.words.join(" ")).to_lowercase();
    let mut alike: Vec<(usize, f64)> = view
        .all()
        .filter(|at| view.node(*at).reference.is_some() && (search.usable)(view, *at) > 0.0)
        .map(|at| {
            let name = view.line(at).name.to_lowercase();
            let kind = target.kind.map_or(0.5, |kind| fit(view, at, kind));
            (at, strsim::jaro_winkler(&asked, &name) + 0.3 * kind)
        })
        .collect();
    alike.sort_by(|one, other| other.1.total_cmp(&one.1));
    alike.into_iter().take(3).map(|(at, _)| at).collect()
}

pub(crate) fn lines(view: &View, candidates: &[Candidate]) -> Vec<ElementLine> {
    view.lines(candidates.iter().map(|one| one.at))
}
