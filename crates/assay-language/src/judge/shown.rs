//! Text that is seen: where it stands, and that it is not merely in a field, covered or put together from strangers.

use crate::ground::view::{View, short};
use crate::ground::words::fold;
use crate::{Kind, Matcher, Target};

use super::matching::{matches, wanted};
use super::{Finding, Judging, Truth, is_page};

impl Judging<'_> {
    pub(super) fn text(&self, matcher: &Matcher, place: Option<&Target>) -> Finding {
        let view = self.view;
        let Some(place) = place else { return text_within(view, matcher, None) };
        if place.kind == Some(Kind::Page) {
            if place.words.is_empty() && place.quoted.is_none() {
                return text_within(view, matcher, None);
            }
            let name = place.quoted.clone().unwrap_or_else(|| place.words.join(" "));
            let here = is_page(view, &name, self.hints);
            return match here.truth {
                Truth::Yes => text_within(view, matcher, None),
                _ => Finding::unsure(format!("this is not known to be the {name} page: {}", here.reason)),
            };
        }
        if let Some(finding) = self.text_in_messages(matcher, place) {
            return finding;
        }
        match self.one(place, |_, _| 1.0) {
            Ok(at) => {
                let at = self.widened(at);
                if view.is_editable(at) && !view.has_children(at) {
                    return self.held(at, matcher);
                }
                text_within(view, matcher, Some(at))
            }
            Err(finding) => finding,
        }
    }

    /// A heading or label names the part of the page that it stands in.
    fn widened(&self, at: usize) -> usize {
        let view = self.view;
        let node = view.node(at);
        let names_a_part =
            !view.has_children(at) && matches!(node.role.as_str(), "text") || node.role == "heading";
        if !names_a_part {
            return at;
        }
        let heading = std::iter::once(at)
            .chain(view.scene.ancestors(at))
            .find(|around| view.node(*around).role == "heading");
        let Some(heading) = heading else { return at };
        view.scene
            .ancestors(heading)
            .find(|around| {
                view.heading_of(*around) == Some(heading)
                    && matches!(
                        view.node(*around).role.as_str(),
                        "region"
                            | "article"
                            | "group"
                            | "dialog"
                            | "alertdialog"
                            | "generic"
                            | "complementary"
                            | "form"
                            | "listitem"
                    )
            })
            .unwrap_or(at)
    }

    pub(super) fn title(&self, matcher: &Matcher) -> Finding {
        let title = &self.view.scene.title;
        Finding::compared(loosely(matcher, title), &wanted(matcher), title)
    }

    pub(super) fn url(&self, matcher: &Matcher) -> Finding {
        let url = &self.view.scene.url;
        let path = path_of(url);
        let trimmed = |text: &str| text.trim_end_matches('/').to_string();
        let truth = match matcher {
            Matcher::Equals(whole) if whole.starts_with('/') => {
                let same = fold(&trimmed(path)) == fold(&trimmed(whole))
                    || fold(&trimmed(path.split(['?', '#']).next().unwrap_or_default()))
                        == fold(&trimmed(whole));
                if same { Truth::Yes } else { Truth::No }
            }
            Matcher::Equals(whole) => {
                let bare = |text: &str| fold(&trimmed(text.split_once("://").map_or(text, |(_, rest)| rest)));
                if bare(url) == bare(whole) { Truth::Yes } else { Truth::No }
            }
            Matcher::StartsWith(start) if start.starts_with('/') => matches(matcher, path),
            Matcher::EndsWith(end) => {
                let ends = fold(&trimmed(url)).ends_with(&fold(&trimmed(end)));
                if ends { Truth::Yes } else { Truth::No }
            }
            Matcher::Words(_) => {
                let spaced = url.replace(|letter: char| !letter.is_alphanumeric(), " ");
                matches(matcher, &spaced)
            }
            _ => loosely(matcher, url),
        };
        Finding::compared(truth, &wanted(matcher), url)
    }

    pub(super) fn browser_dialog(&self, text: Option<&Matcher>) -> Finding {
        match (&self.view.scene.dialog, text) {
            (None, _) => Finding::no("no dialog of the browser is open"),
            (Some(dialog), None) => Finding::yes(format!("a dialog says \"{}\"", dialog.message)),
            (Some(dialog), Some(matcher)) => {
                Finding::compared(loosely(matcher, &dialog.message), &wanted(matcher), &dialog.message)
            }
        }
    }
}

/// Path, query and fragment.
pub(crate) fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |slash| &rest[slash..])
}

/// For short texts that are named outright, a part of a word is what was asked for: "the url contains log".
/// Numbers stay whole.
pub(crate) fn loosely(matcher: &Matcher, text: &str) -> Truth {
    match (matcher, matches(matcher, text)) {
        (Matcher::Contains(part), Truth::NotQuite)
            if !part.starts_with(|edge: char| edge.is_ascii_digit())
                && !part.ends_with(|edge: char| edge.is_ascii_digit()) =>
        {
            Truth::Yes
        }
        (_, truth) => truth,
    }
}

/// Whether such a text is seen in a part of the page, or anywhere.
pub(crate) fn text_within(view: &View, matcher: &Matcher, place: Option<usize>) -> Finding {
    let range = place.map_or(view.all(), |at| at..view.inside(at).end);
    match (matcher, place) {
        (Matcher::Empty | Matcher::Number(_), Some(at)) => {
            let text = view.text_in_sight(at);
            return Finding::compared(matches(matcher, &text), &wanted(matcher), &short(&text))
                .with(view.lines([at]));
        }
        (Matcher::Empty | Matcher::Number(_), None) => {
            return Finding::unsure(format!("where {} should be is not said", wanted(matcher)));
        }
        _ => {}
    }
    let mut seen: Option<usize> = None;
    let mut broad: Option<usize> = None;
    let mut nearly: Option<(usize, &str)> = None;
    for at in range.clone() {
        if view.is_editable(at) && !view.has_children(at) {
            if let Some(value) =
                view.node(at).value.as_deref().filter(|value| matches(matcher, value) == Truth::Yes)
                && !value.is_empty()
            {
                let chosen = !view.node(at).options.is_empty();
                nearly = nearly
                    .or(Some((at, if chosen { "it is what is chosen in" } else { "it is only typed in" })));
            }
            continue;
        }
        match matches(matcher, &view.text_in_sight(at)) {
            Truth::Yes if is_broad(view, at) && Some(at) != place => broad = broad.or(Some(at)),
            Truth::Yes => seen = Some(at),
            Truth::NotQuite => nearly = Some((at, "it is only part of a word in")),
            Truth::Unsure => return Finding::unsure(format!("{} cannot be looked for", wanted(matcher))),
            Truth::No if matches(matcher, view.text(at)) == Truth::Yes => {
                nearly = Some((at, "something covers it in"))
            }
            Truth::No => {}
        }
    }
    let what = wanted(matcher);
    if let Some(at) = seen {
        let finding = Finding::yes(format!("{what} is shown in {}", view.describe(at)));
        return Finding { found: Some(short(view.text(at))), ..finding }.with(view.lines([at]));
    }
    if let Some(at) = broad {
        return Finding::unsure(format!(
            "{what} is not in one place, only spread over {}",
            view.describe(at)
        ))
        .with(view.lines([at]));
    }
    let truth = match nearly {
        Some((_, "it is only typed in")) | None => Truth::No,
        Some(_) => Truth::NotQuite,
    };
    let mut reason = match nearly {
        Some((at, why)) => format!("no text {what} is shown; {why} {}", view.describe(at)),
        None => format!("no text {what} is shown"),
    };
    let nearest = nearest_text(view, matcher, range);
    if nearly.is_none()
        && let Some(nearest) = &nearest
    {
        reason.push_str(&format!("; nearest: \"{nearest}\""));
    }
    Finding {
        expected: Some(what.trim_matches('"').to_string()),
        found: nearest,
        ..Finding::new(truth, reason).with(view.lines(nearly.map(|(at, _)| at)))
    }
}

/// Holds so much that words in it need not belong together.
fn is_broad(view: &View, at: usize) -> bool {
    let entries = view.inside(at).filter(|inner| view.is_entry(*inner)).take(2).count();
    entries >= 2
        || matches!(
            view.node(at).role.as_str(),
            "main"
                | "document"
                | "table"
                | "grid"
                | "list"
                | "form"
                | "navigation"
                | "banner"
                | "contentinfo"
                | "tablist"
                | "menu"
                | "menubar"
                | "toolbar"
        )
        || (view.node(at).parent.is_none() && view.has_children(at) && view.text(at).len() > 200)
}

fn nearest_text(view: &View, matcher: &Matcher, range: std::ops::Range<usize>) -> Option<String> {
    let asked = match matcher {
        Matcher::Contains(text)
        | Matcher::Equals(text)
        | Matcher::StartsWith(text)
        | Matcher::EndsWith(text) => fold(text),
        Matcher::Words(words) => words.join(" "),
        Matcher::Pattern(_) | Matcher::Number(_) | Matcher::Empty => return None,
    };
    range
        .filter(|at| !view.has_children(*at) && !view.is_editable(*at) && !view.node(*at).is("covered"))
        .map(|at| view.text(at))
        .filter(|text| !text.trim().is_empty())
        .map(|text| (strsim::jaro_winkler(&asked, &fold(text)), text))
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .filter(|(alike, _)| *alike > 0.6)
        .map(|(_, text)| short(text))
}
