//! Absence of a thing: believed only after a search in the named place, by a known name.

use crate::ground::find::{SearchResult, anchors, find, rank, said};
use crate::ground::places::by_its_mark;
use crate::ground::tables;
use crate::ground::thresholds::LEAD;
use crate::ground::view::View;
use crate::ground::words::{all_among, fold, identifier_words, words_of};
use crate::{ElementKind, Matcher, Nearness, Relation, Target};

use super::lines::say;
use super::quoted::shows_words;
use super::{Finding, Judging, Truth};

impl Judging<'_> {
    /// Nothing on the page is what was asked for. `why` says so; what that proves depends on what was looked at.
    pub(super) fn absent(&self, target: &Target, why: String) -> Finding {
        let expected = Some(said(target));
        if let Some(finding) = self.none_contains(target) {
            return Finding { expected, ..finding };
        }
        if let Some(at) = by_its_mark(self.view, target).first().filter(|_| target.relations.is_empty()) {
            return Finding { expected, ..self.is_seen(*at) };
        }
        if let Some((place, lost)) =
            target.relations.iter().find_map(|one| self.lost(one).map(|lost| (&one.to, lost)))
        {
            // A place with an exact name is missing. One that is only described may be called otherwise, and so may one
            // whose name is on the page.
            let is_nowhere = place.quoted.as_deref().is_some_and(|name| !shows_words(self.view, name));
            let truth = if is_nowhere { Truth::NotQuite } else { Truth::Unsure };
            return Finding { expected, ..Finding::new(truth, format!("{why}; {lost}")) };
        }
        // Where nothing of the kind is called so, what says the same may be the thing, drawn as something else.
        let anywhere = Target { relations: Vec::new(), ..target.clone() };
        let is_kind_found =
            || rank(&self.look(|_, _| 1.0), &anywhere).is_ok_and(|all| all.iter().any(|one| one.exact));
        if (target.relations.is_empty()
            || target.quoted.is_some() && target.kind.is_some() && !is_kind_found())
            && let Some(at) = told_otherwise(self.view, &anywhere)
        {
            let reason = format!("{why}; {} may be it", self.view.describe(at));
            return Finding { expected, ..Finding::unsure(reason) }.with(self.view.lines([at]));
        }
        // What is only described may be there in other words, or be drawn as something else.
        let is_described = target.quoted.is_none()
            && !target.kind.is_some_and(|kind| is_drawn_by_browsers(kind) || kind == ElementKind::Heading);
        if is_described && !target.words.is_empty() {
            return Finding { expected, ..Finding::unsure(why) };
        }
        // The name is there; whether the other words hold of it is not known.
        let is_shown = |name: &String| shows_words(self.view, name);
        if !target.words.is_empty()
            && target.quoted.as_ref().is_some_and(is_shown)
            && target.relations.is_empty()
        {
            return Finding { expected, ..Finding::unsure(format!("{why}; its name is on the page")) };
        }
        let contents = target.relations.iter().filter(|one| one.how == Nearness::Containing);
        let shown = contents.filter_map(|one| one.to.quoted.as_deref()).find_map(|text| {
            let finding = super::shown::text_within(self.view, &Matcher::Contains(text.to_string()), None);
            (finding.truth == Truth::Yes).then_some(finding)
        });
        if let Some(shown) = shown {
            let reason = format!("{why}; {}", shown.reason);
            return Finding { expected, ..Finding::unsure(reason) }.with(shown.elements);
        }
        // How far the part under a heading reaches is not always known: what stands elsewhere may belong to it.
        if target.relations.iter().any(|one| self.is_headed(one))
            && (self.one(&anywhere, |_, _| 1.0).is_ok() || told_otherwise(self.view, &anywhere).is_some())
        {
            return Finding { expected, ..Finding::unsure(format!("{why}; it is elsewhere on the page")) };
        }
        let finding = Finding { expected, ..Finding::no(why) };
        if is_known_by_name(self.view, target) { finding.searched() } else { finding }
    }

    /// A place that is known only by the words over it.
    fn is_headed(&self, place: &Relation) -> bool {
        let to = &place.to;
        let is_described = to.quoted.is_none() && to.kind.is_none() && !to.words.is_empty();
        let is_called = |at: usize| matches!(self.view.node(at).role.as_str(), "heading" | "text");
        let is_heading = |at: &usize| {
            is_called(*at)
                || self
                    .view
                    .scene
                    .ancestors(*at)
                    .take(2)
                    .any(|around| self.view.node(around).role == "heading")
        };
        place.how == Nearness::Inside
            && is_described
            && anchors(&self.look(|_, _| 1.0), to).iter().all(is_heading)
    }

    /// Where it should be is not there, or could be in several places: that it is absent there proves nothing.
    fn lost(&self, relation: &Relation) -> Option<String> {
        let to = &relation.to;
        if to.kind == Some(ElementKind::Page) {
            return None;
        }
        if to.kind == Some(ElementKind::Column) {
            let words = to.quoted.as_deref().map(words_of).unwrap_or_else(|| to.words.clone());
            let known = words.is_empty() || tables::has_column(self.view, &words);
            return (!known).then(|| format!("no table has {}", said(to)));
        }
        let look = self.look(|_, _| 1.0);
        if anchors(&look, to).is_empty() {
            return Some(format!("nothing on the page matches {}", said(to)));
        }
        let is_around = matches!(relation.how, Nearness::Inside | Nearness::SameRow);
        match find(&look, to) {
            SearchResult::Several(several) if is_around => {
                Some(format!("{} could be any of {} elements", said(to), several.len()))
            }
            _ => None,
        }
    }

    /// "No row contains "Zoe"": all rows were read, and none does.
    fn none_contains(&self, target: &Target) -> Option<Finding> {
        let (text, read) = self.each_read(target)?;
        if let Some((at, _)) = read.iter().find(|(_, truth)| *truth == Truth::Yes) {
            let reason = format!("{} contains \"{text}\"", self.view.describe(*at));
            return Some(Finding::yes(reason).with(self.view.lines([*at])));
        }
        let reason = format!("none of {} contains \"{text}\"", read.len());
        let is_none = read.iter().all(|(_, truth)| *truth == Truth::No);
        let truth = if is_none { Truth::No } else { Truth::NotQuite };
        Some(Finding::new(truth, reason).read().with(self.view.lines(read.iter().map(|(at, _)| *at))))
    }

    /// "3 rows contain "London"": how many do, where that can be said of each.
    pub(super) fn counted_containing(&self, target: &Target) -> Option<Result<(usize, Vec<usize>), Finding>> {
        let (text, read) = self.each_read(target)?;
        if let Some((at, _)) = read.iter().find(|(_, truth)| !matches!(truth, Truth::Yes | Truth::No)) {
            let why = format!("{} may or may not contain \"{text}\"", self.view.describe(*at));
            return Some(Err(Finding::unsure(why).with(self.view.lines([*at]))));
        }
        let having: Vec<usize> =
            read.into_iter().filter(|(_, truth)| *truth == Truth::Yes).map(|(at, _)| at).collect();
        Some(Ok((having.len(), having)))
    }

    /// All entries of the kind, with whether each has the text in it.
    fn each_read(&self, target: &Target) -> Option<(String, Vec<(usize, Truth)>)> {
        let view = self.view;
        let at = target.relations.iter().position(|one| one.how == Nearness::Containing)?;
        let text = target.relations[at].to.quoted.clone().filter(|_| target.quoted.is_none())?;
        let mut every = Target { ordinal: None, ..target.clone() };
        every.relations.remove(at);
        if !every.relations.is_empty() || !every.words.is_empty() || every.kind.is_none() {
            return None;
        }
        let all = rank(&self.look(|_, _| 1.0), &every).ok()?;
        let best = all.first().map_or(0.0, |one| one.score);
        let matcher = Matcher::Contains(text.clone());
        let read = all
            .iter()
            .filter(|one| one.score > best - LEAD && !view.node(one.at).is("covered"))
            .map(|one| (one.at, say(view, &view.pieces(one.at..view.inside(one.at).end, true), &matcher)))
            .collect();
        Some((text, read))
    }
}

/// Whether looking for the name and the kind of a thing would have found it: what pages draw in many ways ("the
/// spinner", "the results", "the dialog") may be there without any mark.
fn is_known_by_name(view: &View, target: &Target) -> bool {
    let is_named = target.quoted.is_some() || !target.words.is_empty();
    match target.kind {
        None | Some(ElementKind::Any | ElementKind::Text | ElementKind::Label) => target.quoted.is_some(),
        // What is only drawn has no name that could have been found.
        Some(ElementKind::Icon | ElementKind::Image) => !view.all().any(|at| is_only_drawn(view, at)),
        Some(
            ElementKind::Button
            | ElementKind::Link
            | ElementKind::Tab
            | ElementKind::MenuItem
            | ElementKind::Checkbox
            | ElementKind::Radio
            | ElementKind::Switch,
        ) => is_named && !view.all().any(|at| is_only_drawn(view, at)),
        // A dialog that nobody marked as one lies over the page.
        Some(ElementKind::Dialog) => !view.all().any(|at| view.node(at).is("covered")),
        Some(
            ElementKind::Field
            | ElementKind::SearchField
            | ElementKind::PasswordField
            | ElementKind::Dropdown
            | ElementKind::Slider
            | ElementKind::DateField
            | ElementKind::FileField
            | ElementKind::Heading
            | ElementKind::Option
            | ElementKind::Column
            | ElementKind::Frame
            | ElementKind::Page,
        ) => true,
        Some(_) => target.quoted.is_some(),
    }
}

/// Controls that most pages leave to the browser.
fn is_drawn_by_browsers(kind: ElementKind) -> bool {
    matches!(
        kind,
        ElementKind::Button
            | ElementKind::Link
            | ElementKind::Field
            | ElementKind::SearchField
            | ElementKind::PasswordField
            | ElementKind::Checkbox
            | ElementKind::Radio
            | ElementKind::Image
    )
}

fn is_only_drawn(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let pictured = matches!(node.role.as_str(), "image" | "button" | "link" | "clickable");
    pictured && node.name.trim().is_empty() && view.text(at).trim().is_empty()
}

/// Something that is called so and is of no kind that was asked for: a `div` that is a button to those who see it.
fn told_otherwise(view: &View, target: &Target) -> Option<usize> {
    let is_marked = |at: usize, words: &[String]| {
        let node = view.node(at);
        ["class", "id", "testid", "title", "alt"]
            .iter()
            .filter_map(|name| node.attribute(name))
            .any(|value| value.split_whitespace().any(|one| all_among(words, &identifier_words(one))))
    };
    let is_leaf = |at: usize| !view.has_children(at) && !view.is_editable(at) && !view.node(at).is("covered");
    if let Some(quoted) = &target.quoted {
        let name = fold(quoted);
        return view.all().find(|at| {
            let node = view.node(*at);
            !node.is("covered") && (fold(&node.name) == name || is_leaf(*at) && fold(view.text(*at)) == name)
        });
    }
    let words = &target.words;
    if words.is_empty() || target.kind.is_none() {
        return None;
    }
    view.all().find(|at| {
        let text = words_of(view.text(*at));
        let is_short = text.len() <= words.len() + 2;
        !view.node(*at).is("covered")
            && (is_leaf(*at) && is_short && all_among(words, &text)
                || is_marked(*at, words) && (view.is_control(*at) || is_only_drawn(view, *at)))
    })
}
