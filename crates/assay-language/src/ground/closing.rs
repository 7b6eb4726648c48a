//! Closes open parts, and answers dialogs of the page: only with controls that are clearly meant for it.

use crate::{ClickKind, Decision, ElementKind, Ordinal, Target};

use super::Grounding;
use super::clicking::{clickable, is_one_of};
use super::explain::{missing, unclear, unclear_among};
use super::find::{Search, SearchResult, find, said};
use super::view::View;
use super::words::fold;

const CLOSING: &[&str] = &["close", "dismiss", "×", "x", "✕", "✖", "hide"];
const CANCELLING: &[&str] = &["cancel", "no thanks", "not now", "maybe later", "got it", "ok", "skip"];

impl Grounding<'_> {
    /// Presses only a control that clearly closes it; never guesses a key.
    pub(super) fn close(&self, target: &Target) -> Decision {
        let view = self.view;
        let containers = Search {
            needs_ref: false,
            usable: |view, at| if view.has_children(at) && !view.is_control(at) { 1.0 } else { 0.0 },
            ..self.search(clickable)
        };
        if let SearchResult::One(mut found) = find(&containers, target) {
            // Its title is not all of it.
            if target.kind == Some(ElementKind::Dialog)
                && let Some(modal) = view.modal().filter(|modal| view.is_within(found.at, *modal))
            {
                found.at = modal;
            }
            for (names, how) in [(CLOSING, "closes it"), (CANCELLING, "leaves it")] {
                let buttons: Vec<usize> = view
                    .inside(found.at)
                    .filter(|inner| view.node(*inner).reference.is_some())
                    .filter(|inner| {
                        matches!(view.node(*inner).role.as_str(), "button" | "link" | "clickable")
                    })
                    .filter(|inner| is_one_of(view, *inner, names))
                    .collect();
                match buttons.as_slice() {
                    [] => {}
                    [only] => {
                        let because = format!("{} {how}", view.describe(*only));
                        return self.clicked(*only, because.into(), ClickKind::Single);
                    }
                    several => return unclear_among(view, target, several, how),
                }
            }
        }
        // "Close the menu" with the button that opened it, or a button called "Close menu".
        let mut called = target.clone();
        called.words.insert(0, "close".to_string());
        called.kind = Some(ElementKind::Button);
        called.ordinal = None::<Ordinal>;
        if let SearchResult::One(found) = find(&self.search(clickable), &called)
            && found.score >= 0.6
        {
            return self.clicked(found.at, self.evidence(&found), ClickKind::Single);
        }
        match find(&self.search(clickable), target) {
            SearchResult::One(found) if view.node(found.at).is("expanded") => {
                self.clicked(found.at, self.evidence(&found), ClickKind::Single)
            }
            SearchResult::One(found) if view.node(found.at).is("collapsed") => {
                Decision::NothingToDo { because: format!("{} is closed already", view.describe(found.at)) }
            }
            found => {
                let there = match find(&containers, target) {
                    SearchResult::One(found) => Some(vec![found]),
                    SearchResult::Several(several) => Some(several),
                    SearchResult::None { .. } => None,
                };
                match (there, found) {
                    (Some(there), _) => Decision::Unclear {
                        why: format!("{} has no obvious way to close it", said(target)),
                        candidates: super::find::lines(view, &there),
                        clearer: "say what closes it: Press Escape".to_string(),
                    },
                    (None, SearchResult::None { why, nearest }) => missing(view, why, &nearest),
                    (None, SearchResult::One(one)) => unclear(view, target, &[one]),
                    (None, SearchResult::Several(several)) => unclear(view, target, &several),
                }
            }
        }
    }

    /// "Accept the dialog" where the dialog is one of the page.
    pub(super) fn answer_page_dialog(&self, accept: bool) -> Decision {
        let view = self.view;
        let open: Vec<usize> = view
            .all()
            .filter(|at| matches!(view.node(*at).role.as_str(), "dialog" | "alertdialog"))
            .collect();
        let [dialog] = open.as_slice() else {
            return missing(view, "no dialog is open".to_string(), &[]);
        };
        const CONFIRMING: &[&str] =
            &["ok", "okay", "yes", "confirm", "accept", "agree", "continue", "i agree", "accept all"];
        const DISMISSING: &[&str] =
            &["cancel", "no", "dismiss", "close", "decline", "reject", "×", "x", "not now", "no thanks"];
        let (names, others, does) =
            if accept { (CONFIRMING, DISMISSING, "confirms") } else { (DISMISSING, CONFIRMING, "dismisses") };
        let buttons: Vec<usize> = view
            .inside(*dialog)
            .filter(|at| {
                view.node(*at).reference.is_some()
                    && matches!(view.node(*at).role.as_str(), "button" | "link")
            })
            .collect();
        // The plainest name first: of "Cancel" and a cross, "Cancel" is the answer.
        let fitting = names.iter().find_map(|name| {
            let called: Vec<usize> =
                buttons.iter().copied().filter(|at| is_one_of(view, *at, &[*name])).collect();
            (!called.is_empty()).then_some(called)
        });
        match fitting.as_deref() {
            Some([only]) => {
                let because = format!("{} answers the dialog", view.describe(*only));
                self.clicked(*only, because.into(), ClickKind::Single)
            }
            _ => Decision::Unclear {
                why: match named_buttons(view, &buttons).as_str() {
                    "" => format!("the dialog has no button that {does} it"),
                    named => format!("it is unclear which button {does} the dialog: {named}"),
                },
                candidates: view.lines(buttons.iter().copied()),
                clearer: match buttons.iter().find(|at| !is_one_of(view, **at, others)).or(buttons.first()) {
                    Some(first) => format!("say which: click the \"{}\" button", view.line(*first).name),
                    None => "say what to press".to_string(),
                },
            },
        }
    }

    /// "Click the "x"" where no text says x: the only button of an open dialog whose name is that it closes, drawn as
    /// a cross.
    pub(super) fn cross_for(&self, target: &Target) -> Option<usize> {
        const CROSSES: &[&str] = &["x", "×", "✕", "✖", "cross"];
        let view = self.view;
        let name = fold(target.quoted.as_deref().unwrap_or(&target.said));
        let name = name.strip_prefix("the ").unwrap_or(&name);
        let in_dialog = target.relations.iter().all(|one| one.to.kind == Some(ElementKind::Dialog));
        let is_cross = CROSSES.contains(&name) && (target.quoted.is_some() || target.relations.is_empty());
        if !is_cross || !in_dialog || target.ordinal.is_some() {
            return None;
        }
        let dialogs: Vec<usize> =
            view.all().filter(|at| super::kinds::fit(view, *at, ElementKind::Dialog) >= 0.8).collect();
        let closing: Vec<usize> = view
            .all()
            .filter(|at| dialogs.iter().any(|dialog| view.is_within(*at, *dialog)))
            .filter(|at| view.node(*at).reference.is_some() && is_one_of(view, *at, CLOSING))
            .filter(|at| matches!(view.node(*at).role.as_str(), "button" | "link" | "clickable"))
            .collect();
        // A cross elsewhere on the page could be meant as well.
        let is_other = |at: usize| {
            view.is_control(at)
                && CROSSES.contains(&fold(&view.line(at).name).as_str())
                && !closing.contains(&at)
        };
        match closing.as_slice() {
            [only] if !view.all().any(is_other) => Some(*only),
            _ => None,
        }
    }
}

/// `"Cancel" or "Delete"`.
fn named_buttons(view: &View, buttons: &[usize]) -> String {
    let names = buttons.iter().map(|at| view.line(*at).name).filter(|name| !name.is_empty());
    names.map(|name| format!("\"{name}\"")).collect::<Vec<String>>().join(" or ")
}
