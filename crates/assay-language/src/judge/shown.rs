//! Visible text: its place, and whether it is more than a field value, covered text or words joined by chance.

use crate::ground::view::{View, short};
use crate::ground::words::{Containment, containment, fold, same_word, spaced, words_of};
use crate::{ElementKind, Matcher, Target};

use super::address::address_matches;
use super::lines::{lines, say};
use super::matching::{loosely, matches, wanted};
use super::reading::is_only_drawn;
use super::scope::Scope;
use super::{Finding, Judging, Truth, is_page};

impl Judging<'_> {
    pub(super) fn text(&self, matcher: &Matcher, place: Option<&Target>) -> Finding {
        let view = self.view;
        let Some(place) = place else { return text_within(view, matcher, None) };
        if place.kind == Some(ElementKind::Page) {
            if place.is_nameless() {
                return text_within(view, matcher, None);
            }
            let name = place.quoted.clone().unwrap_or_else(|| place.words.join(" "));
            let here = is_page(view, &name, self.hints);
            return match here.truth {
                Truth::Yes => text_within(view, matcher, None),
                _ => Finding::unsure(format!("this may not be the {name} page: {}", here.reason)),
            };
        }
        if let Some(finding) = self.text_in_messages(matcher, place) {
            return finding;
        }
        // "In the results": in one of the entries of the only list.
        let is_entry = place.kind.is_some_and(ElementKind::is_entry)
            && place.is_nameless()
            && place.ordinal.is_none()
            && place.relations.is_empty();
        if is_entry && let [group] = self.groups(place).as_slice() {
            let all: Vec<Finding> = group
                .entries
                .iter()
                .map(|at| text_within(view, matcher, Some(&Scope::of(view, *at, &Target::default()))))
                .collect();
            let best = [Truth::Yes, Truth::Unsure, Truth::NotQuite, Truth::No]
                .into_iter()
                .find_map(|truth| all.iter().position(|one| one.truth == truth));
            if let Some(finding) = best.and_then(|best| all.into_iter().nth(best)) {
                return finding;
            }
        }
        match self.place(place) {
            Ok(at) if view.is_editable(at) && !view.has_children(at) => self.held(at, matcher),
            Ok(at) if is_only_drawn(view, at) => {
                Finding::unsure(format!("nothing could be read in {}", view.describe(at)))
                    .with(view.lines([at]))
            }
            Ok(at) => text_within(view, matcher, Some(&Scope::of(view, at, place))),
            Err(finding) => finding,
        }
    }

    pub(super) fn title(&self, matcher: &Matcher) -> Finding {
        let title = &self.view.scene.title;
        // "Dash" of "Dashboard" is in it, and "paid" of "Unpaid" is not.
        let truth = match (matches(matcher, title), loosely(matcher, title)) {
            (Truth::Unsure, Truth::Yes) => Truth::Yes,
            (truth, _) => truth,
        };
        Finding::compared(truth, &wanted(matcher), title)
    }

    pub(super) fn url(&self, matcher: &Matcher) -> Finding {
        let url = &self.view.scene.url;
        Finding::compared(address_matches(matcher, url), &wanted(matcher), url)
    }

    pub(super) fn browser_dialog(&self, text: Option<&Matcher>) -> Finding {
        match (&self.view.scene.dialog, text) {
            (None, _) => Finding::no("no browser dialog is open"),
            (Some(dialog), None) => Finding::yes(format!("a dialog says \"{}\"", dialog.message)),
            (Some(dialog), Some(matcher)) => {
                Finding::compared(matches(matcher, &dialog.message), &wanted(matcher), &dialog.message)
            }
        }
    }
}

/// Whether such a text is seen in a part of the page, or anywhere.
pub(crate) fn text_within(view: &View, matcher: &Matcher, place: Option<&Scope>) -> Finding {
    let everything: Vec<usize> = place.map_or_else(|| view.all().collect(), |scope| scope.nodes(view));
    let own = |pieces: Vec<usize>| place.map_or_else(|| pieces.clone(), |scope| scope.own(pieces.clone()));
    match (matcher, place) {
        (Matcher::Empty | Matcher::Number(_) | Matcher::Amount(..), Some(scope)) => {
            let pieces = view.pieces(scope.range.clone(), true);
            let text = lines(view, &own(pieces.clone())).join(" ");
            if *matcher == Matcher::Empty && lines(view, &pieces).join(" ") != text {
                return Finding::unsure("how far the place reaches is not clear")
                    .with(view.lines([scope.at]));
            }
            return Finding::compared(matches(matcher, &text), &wanted(matcher), &short(&text))
                .with(view.lines([scope.at]));
        }
        (Matcher::Empty | Matcher::Number(_) | Matcher::Amount(..), None) => {
            return Finding::unsure(format!("the claim does not say where {} should be", wanted(matcher)));
        }
        _ if matches(matcher, "") == Truth::Unsure => {
            return Finding::unsure(format!("assay cannot look for {}", wanted(matcher)));
        }
        _ => {}
    }
    let mut seen: Option<usize> = None;
    let mut broad: Option<usize> = None;
    let mut nearly: Option<(usize, &str)> = None;
    for at in everything.iter().copied() {
        if view.is_editable(at) && !view.has_children(at) {
            if let Some(value) =
                view.node(at).value.as_deref().filter(|value| matches(matcher, value) == Truth::Yes)
                && !value.is_empty()
            {
                let chosen = !view.node(at).options.is_empty();
                nearly = nearly.or(Some((
                    at,
                    if chosen { "it is the selected option of" } else { "it is only typed into" },
                )));
            }
            // An open list shows what it offers.
            let offers = |option: &String| matches(matcher, option) == Truth::Yes;
            if view.node(at).role == "listbox" && view.node(at).options.iter().any(offers) {
                nearly = nearly.or(Some((at, "it is one of the options of")));
            }
            continue;
        }
        let pieces = view.pieces(at..view.inside(at).end, true);
        let said = own(pieces.clone());
        match say(view, &said, matcher) {
            Truth::Yes => seen = Some(at),
            Truth::Unsure => broad = Some(at),
            // An entry inside another of its sort says it, not the one that was named.
            _ if said.len() < pieces.len() && say(view, &pieces, matcher) == Truth::Yes => {
                broad = broad.or(Some(at));
            }
            // The last one is kept: the smallest part of the page that says it.
            Truth::NotQuite => nearly = Some((at, "it is only part of a word in")),
            Truth::No if matches(matcher, view.text(at)) == Truth::Yes && said.len() == pieces.len() => {
                nearly = Some((at, "something covers it or strikes it out in"));
            }
            Truth::No => {}
        }
    }
    let what = wanted(matcher);
    // In a place that was named, an entry that is just these words is what is listed there.
    let is_entry = |at: usize| {
        let Matcher::Words(words) = matcher else { return false };
        place.is_some() && words_of(view.text(at)).len() == words.len()
    };
    if let Some(at) = seen.filter(|at| is_mention(view, matcher, *at) && !is_entry(*at)) {
        return Finding::unsure(format!("{what} is only mentioned in {}", view.describe(at)))
            .with(view.lines([at]));
    }
    if let Some(at) = seen {
        let place = view.describe(at);
        let finding = Finding::yes(format!("{what} is shown in {place}")).or_denied(format!(
            "Expected no {}, but it is shown in {place}",
            what.strip_prefix("a ").unwrap_or(&what)
        ));
        return Finding { found: Some(short(view.text(at))), ..finding }.with(view.lines([at]));
    }
    if let Some(at) = broad {
        let why = doubt(matcher, view.text(at));
        return Finding::unsure(format!("no text {what} is shown; {why} {}", view.describe(at)))
            .with(view.lines([at]));
    }
    // Words that nobody quoted may be shown in other words.
    let by_words = some_word_is_shown(view, matcher, &everything) || matches!(matcher, Matcher::Sentence(_));
    if let Some((at, _)) = nearly.filter(|_| matches!(matcher, Matcher::Sentence(_))) {
        return Finding::compared(Truth::NotQuite, &what, &short(view.text(at))).with(view.lines([at]));
    }
    let truth = match nearly {
        _ if by_words => Truth::Unsure,
        Some(_) => Truth::NotQuite,
        None => Truth::No,
    };
    let mut reason = match nearly {
        Some((at, why)) => format!("no text {what} is shown; {why} {}", view.describe(at)),
        None => format!("no text {what} is shown"),
    };
    let nearest = nearest_text(view, matcher, &everything);
    if nearly.is_none()
        && let Some(nearest) = &nearest
    {
        reason.push_str(&format!("; nearest: \"{nearest}\""));
    }
    // All of the place was read, or all of the page.
    let finding = Finding::new(truth, reason).searched().with(view.lines(nearly.map(|(at, _)| at)));
    Finding { expected: Some(what.trim_matches('"').to_string()), found: nearest, ..finding }
}

/// Whether words that nobody quoted are only a link, or a small part of what a text says.
fn is_mention(view: &View, matcher: &Matcher, at: usize) -> bool {
    let Matcher::Words(words) = matcher else { return false };
    let leads = std::iter::once(at).chain(view.scene.ancestors(at)).any(|one| {
        matches!(view.node(one).role.as_str(), "link" | "button" | "navigation" | "tab" | "menuitem")
    });
    leads || words_of(view.text(at)).len() > 2 * words.len() + 3
}

/// Why a text may or may not say it.
fn doubt(matcher: &Matcher, text: &str) -> &'static str {
    let (Matcher::Contains(part) | Matcher::Equals(part)) = matcher else {
        return "its words may be said by";
    };
    match containment(&fold(part), &fold(text)) {
        Containment::PartOfAWord => "it is only part of a word in",
        Containment::Whole if !spaced(text).contains(&spaced(part)) => "in another case it is in",
        Containment::Whole => "it may be denied or spread over several texts in",
        Containment::Absent => "its words are spread over",
    }
}

fn some_word_is_shown(view: &View, matcher: &Matcher, among: &[usize]) -> bool {
    const SMALL: &[&str] = &["the", "and", "for", "with", "of", "to", "in", "on", "is", "a", "an"];
    let Matcher::Words(words) = matcher else { return false };
    let is_told = |word: &String, have: &[String]| {
        !SMALL.contains(&word.as_str()) && have.iter().any(|other| same_word(word, other))
    };
    among.iter().filter(|at| !view.has_children(**at)).any(|at| {
        let have = words_of(view.text(*at));
        words.iter().any(|word| is_told(word, &have))
    })
}

fn nearest_text(view: &View, matcher: &Matcher, among: &[usize]) -> Option<String> {
    let asked = match matcher {
        Matcher::Contains(text)
        | Matcher::Equals(text)
        | Matcher::Said(text)
        | Matcher::StartsWith(text)
        | Matcher::EndsWith(text) => fold(text),
        Matcher::Words(words) => words.join(" "),
        Matcher::Sentence(sentence) => fold(sentence),
        Matcher::Pattern(_)
        | Matcher::Number(_)
        | Matcher::Amount(..)
        | Matcher::Address(_)
        | Matcher::Empty => return None,
    };
    among
        .iter()
        .copied()
        .filter(|at| !view.has_children(*at) && !view.is_editable(*at) && !view.node(*at).is("covered"))
        .map(|at| view.text(at))
        .filter(|text| !text.trim().is_empty())
        .map(|text| (strsim::jaro_winkler(&asked, &fold(text)), text))
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .filter(|(alike, _)| *alike > 0.6)
        .map(|(_, text)| short(text))
}
