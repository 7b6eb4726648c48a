//! Turns an act and a scene into a decision: the command to run, or why none can be chosen.
//!
//! Knows the page and the author's hints. Never picks one of several elements that fit equally well.

#![expect(clippy::result_large_err, reason = "one decision a step is made; the size of it costs nothing")]

pub(crate) mod ages;
mod at_hand;
mod belonging;
mod by_itself;
mod by_type;
mod cards;
mod cells;
mod choosing;
mod clicking;
mod closing;
pub(crate) mod collections;
mod context;
mod drawn;
mod emulating;
mod entering;
mod evidence;
mod explain;
pub(crate) mod find;
pub(crate) mod folding;
pub(crate) mod frame;
mod heads;
mod hinted;
pub(crate) mod kinds;
pub(crate) mod leftover;
pub(crate) mod lines;
pub(crate) mod marks;
pub(crate) mod names;
pub(crate) mod naming;
mod offered;
mod opened;
mod other_readings;
pub(crate) mod paging;
mod performing;
mod pictures;
pub(crate) mod places;
pub(crate) mod results;
mod rivals;
mod standing;
pub(crate) mod states;
pub(crate) mod tables;
pub(crate) mod thresholds;
mod ticking;
mod travelling;
pub(crate) mod view;
pub(crate) mod words;
mod wrapping;

use assay_protocol::{Action, DialogAnswer, DropSide, Scene, ScrollTo, Selector, Verdict};

use crate::{
    Act, Decision, ElementKind, FormProperty, Hints, PlannedAction, ScrollGoal, TabChoice, Target, Toggle,
    WaitGoal, judge,
};
use evidence::Evidence;
use explain::{missing, unclear};
use find::{Search, SearchResult, find, said};
use view::View;

pub use offered::lacks;
pub use travelling::{common_paths, home_hint};

/// The decision about `act` on the current page.
///
/// Waiting is the caller's: `Wait` is answered by `NothingToDo`. `Scroll` until something holds is answered by one
/// step of scrolling, and the act again as what is left, until the claim holds.
pub fn ground(act: &Act, scene: &Scene, hints: &Hints) -> Decision {
    let view = View::new(scene);
    Grounding { view: &view, hints }.decide(act)
}

#[derive(Clone, Copy)]
pub(crate) struct Grounding<'a> {
    pub(crate) view: &'a View<'a>,
    pub(crate) hints: &'a Hints,
}

impl Grounding<'_> {
    pub(crate) fn search(&self, usable: fn(&View, usize) -> f64) -> Search<'_> {
        Search { view: self.view, hints: self.hints, usable, needs_ref: true, to_act: true }
    }

    pub(crate) fn decide(&self, act: &Act) -> Decision {
        if let Some(dialog) = &self.view.scene.dialog
            && !act.form().has(FormProperty::SuitsOpenDialog)
        {
            return Decision::Unclear {
                why: format!("a browser dialog is open: \"{}\"", dialog.message),
                candidates: Vec::new(),
                clearer: "answer it first: Accept the dialog".to_string(),
            };
        }
        if let Some(decision) = self.in_another_window(act) {
            return decision;
        }
        match act {
            Act::Go { to } => self.go(to),
            Act::Back => plain(Action::Back, "back in the history"),
            Act::Forward => plain(Action::Forward, "forward in the history"),
            Act::Reload => plain(Action::Reload, "the page again"),
            Act::Click { target, how } => self.through_closed_menu(act, self.click(target, *how)),
            Act::Open { target } => self.open(target),
            Act::Close { target } => self.close(target),
            Act::Expand { target } => self.fold(target, Toggle::On),
            Act::Collapse { target } => self.fold(target, Toggle::Off),
            Act::Submit { target } => self.submit(target.as_ref()),
            Act::Enter { target, text } => self.enter(target.as_ref(), text),
            Act::Append { target, text } => self.append(target.as_ref(), text),
            Act::Clear { target } => self.on_field(target, |target| Action::Clear { target }),
            Act::Choose { options, from } => {
                self.through_closed_menu(act, self.choose(options, from.as_ref()))
            }
            Act::Check { targets, to } => self.check(targets, *to),
            Act::Press { keys, target } => self.press(keys, target.as_ref()),
            Act::Hover { target } => self.on_any(target, |target| Action::Hover { target }),
            Act::Focus { target } => self.on_any(target, |target| Action::Focus { target }),
            Act::Drag { what, to, side } => self.drag(what, to, *side),
            Act::Sort { by, order, tries } => self.sort(by, *order, *tries),
            Act::Perform(performance) => self.perform(performance),
            Act::Scroll { to } => self.scroll(to),
            Act::Copy { target } => self.press(&["Control+c".to_string()], target.as_ref()),
            Act::Paste { target } => self.press(&["Control+v".to_string()], target.as_ref()),
            Act::Upload { files, target } => self.upload(files, target.as_ref()),
            Act::SwitchTab { to } => self.switch_tab(to),
            Act::CloseTab => plain(Action::TabClose { tab: None }, "the current tab"),
            Act::SwitchFrame { to } => self.switch_frame(to.as_ref()),
            Act::AnswerDialog { accept, text } => self.answer_dialog(*accept, text.clone()),
            Act::Wait { until } => Decision::NothingToDo {
                because: match until {
                    WaitGoal::Seconds(seconds) => format!("the runner waits {seconds} seconds"),
                    WaitGoal::Claim(claim) => format!("the runner waits until {}", claim.said),
                    WaitGoal::Loaded => "the runner waits until the page has loaded".to_string(),
                },
            },
            Act::LogIn { user, password } => self.log_in(user, password.as_deref()),
            Act::LogOut => self.log_out(),
            Act::TakeScreenshot => plain(
                Action::Screenshot { path: String::new(), full_page: false, annotate: false, target: None },
                "a picture of the page",
            ),
            Act::Emulate { change, said, rivals } => self.emulate(change, said, rivals),
            Act::Route { pattern, method, reply, .. } => plain(
                Action::Route { pattern: pattern.clone(), method: method.clone(), reply: reply.clone() },
                "an answer in the server's place",
            ),
            Act::Unroute { pattern, .. } => {
                plain(Action::Unroute { pattern: pattern.clone() }, "the server answers again")
            }
            Act::Sequence(acts) => self.sequence(acts),
        }
    }

    /// `"About" in the Help menu`: where it is not to be seen, the menu is opened first.
    fn through_closed_menu(&self, act: &Act, decision: Decision) -> Decision {
        let menu = match act {
            Act::Choose { from: Some(from), .. } => Some(from),
            Act::Click { target, .. } => {
                target.relations.iter().map(|one| &one.to).find(|to| to.kind == Some(ElementKind::Menu))
            }
            _ => None,
        };
        let is_missing = matches!(decision, Decision::Missing { .. });
        let named = |menu: &&Target| menu.kind == Some(ElementKind::Menu) && !menu.is_nameless();
        let Some(menu) = menu.filter(named).filter(|_| is_missing) else { return decision };
        let opener = Target { kind: None, said: said(menu), ..menu.clone() };
        let SearchResult::One(found) = find(&self.search(clicking::clickable), &opener) else {
            return decision;
        };
        let view = self.view;
        let is_open = view.node(found.at).is("expanded")
            || self.hints.acted.as_ref().is_some_and(|acted| {
                view.node(found.at).reference.as_deref() == Some(acted.reference.as_str())
            });
        let node = view.node(found.at);
        let opens = node.is("collapsed")
            || node.attribute("haspopup").is_some_and(|kind| kind != "false")
            || node.role == "menuitem"
            || kinds::has_class_word(view, found.at, &["dropdown", "menu"]);
        let leads_away =
            node.attribute("href").is_some_and(|href| !href.is_empty() && !href.starts_with('#'));
        if !found.exact || is_open || !opens || leads_away || self.is_committing(found.at) {
            return decision;
        }
        match self.clicked(found.at, Evidence::of(view, &found), crate::ClickKind::Single) {
            Decision::Do(planned) => Decision::Do(PlannedAction { then: Some(act.clone()), ..planned }),
            _ => decision,
        }
    }

    /// "In the pop-up window, …": the tab that a page has opened comes to the front first.
    fn in_another_window(&self, act: &Act) -> Option<Decision> {
        let names =
            |target: &&Target| target.relations.iter().any(|one| places::is_window(self.view, &one.to));
        act.targets().iter().find(|target| names(target))?;
        match self.switch_tab(&TabChoice::New) {
            Decision::Do(planned) => Some(Decision::Do(PlannedAction { then: Some(act.clone()), ..planned })),
            _ => None,
        }
    }

    /// The first act that asks for something; the others are what is left.
    pub(super) fn sequence(&self, acts: &[Act]) -> Decision {
        let mut because = "the step asks for nothing".to_string();
        for (index, act) in acts.iter().enumerate() {
            match self.decide(act) {
                Decision::NothingToDo { because: reason } => because = reason,
                Decision::Do(planned) => {
                    let mut rest: Vec<Act> = planned.then.clone().into_iter().collect();
                    rest.extend_from_slice(&acts[index + 1..]);
                    let then = match rest.len() {
                        0 => None,
                        1 => rest.pop(),
                        _ => Some(Act::Sequence(rest)),
                    };
                    return Decision::Do(PlannedAction { then, ..planned });
                }
                other => return other,
            }
        }
        Decision::NothingToDo { because }
    }

    /// Finds the one element that is meant, or says why there is none.
    pub(crate) fn one(
        &self,
        target: &Target,
        usable: fn(&View, usize) -> f64,
    ) -> Result<(usize, Evidence), Decision> {
        let search = self.search(usable);
        match find(&search, target) {
            SearchResult::One(found) => Ok((found.at, Evidence::of(self.view, &found))),
            SearchResult::Several(several) => Err(unclear(self.view, target, &several)),
            SearchResult::None { why, nearest } => Err(missing(self.view, why, &nearest)),
        }
    }

    pub(crate) fn selector(&self, at: usize) -> Result<Selector, Decision> {
        self.view.selector(at).ok_or_else(|| Decision::Missing {
            why: format!("{} cannot be acted on", self.view.describe(at)),
            nearest: Vec::new(),
        })
    }

    fn on_any(&self, target: &Target, action: fn(Selector) -> Action) -> Decision {
        let found = self.one(target, clicking::clickable);
        done(found.and_then(|(at, because)| Ok((action(self.selector(at)?), because))))
    }

    fn on_field(&self, target: &Target, action: fn(Selector) -> Action) -> Decision {
        let found = self.one(target, entering::takes_text);
        done(found.and_then(|(at, because)| Ok((action(self.selector(at)?), because))))
    }

    fn drag(&self, what: &Target, to: &Target, side: DropSide) -> Decision {
        let ends = || {
            let (from, because) = self.one(what, clicking::clickable)?;
            let (onto, where_to) = match self.one(to, clicking::clickable) {
                Err(decision @ Decision::Missing { .. }) => self.labelled(to).ok_or(decision)?,
                found => found?,
            };
            Ok((
                Action::Drag { from: self.selector(from)?, to: self.selector(onto)?, side },
                because.and(format!("onto {}", where_to.words)),
            ))
        };
        done(ends())
    }

    /// The only box whose text begins with the name and a colon: `accept: all`.
    fn labelled(&self, target: &Target) -> Option<(usize, Evidence)> {
        let view = self.view;
        let name = words::fold(target.quoted.as_deref()?);
        let is_labelled = |at: &usize| {
            view.node(*at).reference.is_some()
                && view.node(*at).role != "text"
                && !view.is_control(*at)
                && !view.is_entry(*at)
                && words::fold(view.text(*at)).split_once(':').is_some_and(|(label, _)| label == name)
        };
        let found: Vec<usize> = view.all().filter(is_labelled).collect();
        match found.as_slice() {
            [only] => Some((*only, format!("{} begins with the name", view.describe(*only)).into())),
            _ => None,
        }
    }

    /// A target to scroll into view need not be a control: its text is enough.
    fn scroll(&self, to: &ScrollGoal) -> Decision {
        let by = |y: f64| Action::Scroll { to: ScrollTo::By { x: 0.0, y, over: None } };
        match to {
            ScrollGoal::Top => plain(Action::Scroll { to: ScrollTo::Top }, "the top of the page"),
            ScrollGoal::Bottom => plain(Action::Scroll { to: ScrollTo::Bottom }, "the bottom of the page"),
            ScrollGoal::Up => plain(by(-600.0), "most of a screen up"),
            ScrollGoal::Down => plain(by(600.0), "most of a screen down"),
            ScrollGoal::Until(claim) => {
                if judge(claim, self.view.scene, self.hints).verdict == Verdict::Passed {
                    return Decision::NothingToDo { because: format!("{}: already true", claim.said) };
                }
                Decision::Do(PlannedAction {
                    action: by(600.0),
                    because: format!("looking further down until {}", claim.said),
                    sureness: None,
                    then: Some(Act::Scroll { to: to.clone() }),
                    commits: false,
                })
            }
            ScrollGoal::To(target) => self.scroll_to(target),
        }
    }

    fn scroll_to(&self, target: &Target) -> Decision {
        match target.kind {
            Some(ElementKind::Footer) if target.is_nameless() => {
                return plain(Action::Scroll { to: ScrollTo::Bottom }, "the footer is at the bottom");
            }
            Some(ElementKind::Header) if target.is_nameless() => {
                return plain(Action::Scroll { to: ScrollTo::Top }, "the header is at the top");
            }
            _ => {}
        }
        let search = Search { needs_ref: false, ..self.search(|_, _| 1.0) };
        let found = match find(&search, target) {
            SearchResult::One(found) => found,
            SearchResult::Several(several) => return unclear(self.view, target, &several),
            SearchResult::None { why, nearest } => return missing(self.view, why, &nearest),
        };
        let view = self.view;
        let named = std::iter::once(found.at)
            .chain(view.inside(found.at))
            .find_map(|at| view.selector(at))
            .or_else(|| Selector::parse(&format!("text={}", view.text(found.at))).ok());
        match named {
            Some(target) => {
                done(Ok((Action::Scroll { to: ScrollTo::Element { target } }, Evidence::of(view, &found))))
            }
            None => missing(view, format!("no command can refer to {}", view.describe(found.at)), &[]),
        }
    }

    /// The scene contains the content of frames, so there is nothing to switch to.
    fn switch_frame(&self, to: Option<&Target>) -> Decision {
        let because = "elements in frames are found without switching".to_string();
        match to {
            None => Decision::NothingToDo { because },
            Some(target) => {
                let search = Search { needs_ref: false, ..self.search(|_, _| 1.0) };
                match find(&search, target) {
                    SearchResult::None { why, nearest } => missing(self.view, why, &nearest),
                    _ => Decision::NothingToDo { because },
                }
            }
        }
    }

    fn answer_dialog(&self, accept: bool, text: Option<String>) -> Decision {
        if self.view.scene.dialog.is_none() {
            return self.answer_page_dialog(accept);
        }
        let answer = if accept { DialogAnswer::Accept { text } } else { DialogAnswer::Dismiss };
        plain(Action::Dialog { answer: Some(answer) }, "the browser dialog")
    }
}

pub(crate) fn plain(action: Action, because: &str) -> Decision {
    done(Ok((action, because.to_string().into())))
}

pub(crate) fn done(found: Result<(Action, Evidence), Decision>) -> Decision {
    match found {
        Ok((action, Evidence { words, sureness })) => {
            Decision::Do(PlannedAction { action, because: words, sureness, then: None, commits: false })
        }
        Err(decision) => decision,
    }
}
