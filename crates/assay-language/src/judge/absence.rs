//! That a thing is not there: only where it was looked for in the place that was named, by a name that is known.

use crate::ground::find::{Found, anchors, find, rank, said};
use crate::ground::tables;
use crate::ground::view::View;
use crate::ground::words::words_of;
use crate::{Kind, Matcher, Nearness, Relation, Target};

use super::lines::say;
use super::{Finding, Judging, Truth};

impl Judging<'_> {
    /// Nothing on the page is what was asked for. `why` says so; what that proves depends on what was looked at.
    pub(super) fn absent(&self, target: &Target, why: String) -> Finding {
        let expected = Some(said(target));
        if let Some(finding) = self.none_contains(target) {
            return Finding { expected, ..finding };
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
        if to.kind == Some(Kind::Page) {
            return None;
        }
        if to.kind == Some(Kind::Column) {
            let words = to.quoted.as_deref().map(words_of).unwrap_or_else(|| to.words.clone());
            let known = words.is_empty() || tables::has_column(self.view, &words);
            return (!known).then(|| format!("no table has {}", said(to)));
        }
        let look = self.look(|_, _| 1.0);
        if anchors(&look, to).is_empty() {
            return Some(format!("nothing on the page is {}", said(to)));
        }
        let is_around = matches!(relation.how, Nearness::Inside | Nearness::SameRow);
        match find(&look, to) {
            Found::Several(several) if is_around => {
                Some(format!("{} could be any of {} elements", said(to), several.len()))
            }
            _ => None,
        }
    }

    /// "No row contains "Zoe"": all rows were read, and none does.
    fn none_contains(&self, target: &Target) -> Option<Finding> {
        let view = self.view;
        let at = target.relations.iter().position(|one| one.how == Nearness::Containing)?;
        let text = target.relations[at].to.quoted.clone().filter(|_| target.quoted.is_none())?;
        let mut every = target.clone();
        every.relations.remove(at);
        if !every.relations.is_empty() || !every.words.is_empty() || every.kind.is_none() {
            return None;
        }
        let all = rank(&self.look(|_, _| 1.0), &every).ok()?;
        let matcher = Matcher::Contains(text.clone());
        let read: Vec<Truth> = all
            .iter()
            .map(|one| say(view, &view.pieces(one.at..view.inside(one.at).end, false), &matcher))
            .collect();
        let reason = format!("none of {} has \"{text}\" in it", all.len());
        let truth = if read.iter().all(|truth| *truth == Truth::No) { Truth::No } else { Truth::NotQuite };
        Some(Finding::new(truth, reason).read().with(view.lines(all.iter().map(|one| one.at))))
    }
}

/// Whether looking for the name and the kind of a thing would have found it: a word of the author for something that
/// pages draw in many ways ("the spinner") may be there under any name.
fn is_known_by_name(view: &View, target: &Target) -> bool {
    match target.kind {
        None | Some(Kind::Any) => target.quoted.is_some(),
        // What is only drawn has no name that could have been found.
        Some(Kind::Icon | Kind::Image) => !view.all().any(|at| is_only_drawn(view, at)),
        Some(_) => true,
    }
}

fn is_only_drawn(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let pictured = matches!(node.role.as_str(), "image" | "button" | "link" | "clickable");
    pictured && node.name.trim().is_empty() && view.text(at).trim().is_empty()
}
