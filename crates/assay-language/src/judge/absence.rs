//! Absence of a thing: believed only after a search in the named place, by a known name.

use crate::ground::find::{LEAD, SearchResult, anchors, find, rank, said};
use crate::ground::places::by_its_mark;
use crate::ground::tables;
use crate::ground::view::View;
use crate::ground::words::words_of;
use crate::{ElementKind, Matcher, Nearness, Relation, Target};

use super::lines::say;
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
        if let Some(lost) = target.relations.iter().find_map(|relation| self.lost(relation)) {
            return Finding { expected, ..Finding::new(Truth::NotQuite, format!("{why}; {lost}")) };
        }
        let finding = Finding { expected, ..Finding::no(why) };
        if is_known_by_name(self.view, target) { finding.searched() } else { finding }
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

/// Whether looking for the name and the kind of a thing would have found it: a word of the author for something that
/// pages draw in many ways ("the spinner") may be there under any name.
fn is_known_by_name(view: &View, target: &Target) -> bool {
    match target.kind {
        None | Some(ElementKind::Any) => target.quoted.is_some(),
        // What is only drawn has no name that could have been found.
        Some(ElementKind::Icon | ElementKind::Image) => !view.all().any(|at| is_only_drawn(view, at)),
        Some(_) => true,
    }
}

fn is_only_drawn(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let pictured = matches!(node.role.as_str(), "image" | "button" | "link" | "clickable");
    pictured && node.name.trim().is_empty() && view.text(at).trim().is_empty()
}
