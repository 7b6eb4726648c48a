//! Check boxes, switches and other controls that are on or off.

use assay_protocol::Action;

use crate::{Act, ClickKind, Decision, ElementKind, PlannedAction, Target, Toggle};

use super::choosing::is_radio;
use super::evidence::Evidence;
use super::explain::missing;
use super::find::{SearchResult, find, said};
use super::view::View;
use super::{Grounding, done};

fn takes_a_tick(view: &View, at: usize) -> f64 {
    let node = view.node(at);
    match node.role.as_str() {
        "checkbox" | "switch" | "radio" | "menuitemcheckbox" | "menuitemradio" => 1.0,
        "button" if node.is("pressed") || node.attribute("aria-pressed").is_some() => 0.9,
        _ => 0.0,
    }
}

impl Grounding<'_> {
    pub(super) fn check(&self, targets: &[Target], to: Toggle) -> Decision {
        let mut because = "the step asks for nothing".to_string();
        for (index, target) in targets.iter().enumerate() {
            match self.check_one(target, to) {
                Decision::NothingToDo { because: reason } => because = reason,
                Decision::Do(planned) => {
                    let rest = &targets[index + 1..];
                    let then = (!rest.is_empty()).then(|| Act::Check { targets: rest.to_vec(), to });
                    return Decision::Do(PlannedAction { then, ..planned });
                }
                other => return other,
            }
        }
        Decision::NothingToDo { because }
    }

    fn check_one(&self, target: &Target, to: Toggle) -> Decision {
        let view = self.view;
        let mut meant = target.clone();
        let ticked = |kind| {
            matches!(
                kind,
                ElementKind::Checkbox | ElementKind::Radio | ElementKind::Switch | ElementKind::Any
            )
        };
        meant.kind = meant.kind.filter(|kind| ticked(*kind));
        // A row or an item is ticked by the box in it.
        let direct = if target.kind.is_some_and(super::kinds::holds_things) {
            Err(missing(view, format!("nothing on the page matches {}", said(target)), &[]))
        } else {
            self.one(&meant, takes_a_tick)
        };
        match direct {
            Ok((at, because)) => self.tick(at, because, to),
            Err(missed @ Decision::Missing { .. }) => {
                let named = meant.quoted.is_some() || !meant.words.is_empty();
                if to == Toggle::On
                    && named
                    && let SearchResult::One(found) =
                        find(&self.search(|view, at| f64::from(view.node(at).role == "button")), &meant)
                    && found.exact
                {
                    // "Turn on subtitles": a button that does not say whether it is pressed.
                    return self.clicked(found.at, self.evidence(&found), ClickKind::Single);
                }
                let search = super::find::Search { needs_ref: false, ..self.search(|_, _| 1.0) };
                let SearchResult::One(found) = find(&search, target) else { return missed };
                let around =
                    if view.has_children(found.at) { Some(found.at) } else { view.entry_of(found.at) };
                let Some(around) = around else { return missed };
                let boxes: Vec<usize> =
                    view.inside(around).filter(|at| takes_a_tick(view, *at) > 0.0).collect();
                // A star that can be pressed is no box where there is one.
                let ticked: Vec<usize> =
                    boxes.iter().copied().filter(|at| takes_a_tick(view, *at) >= 1.0).collect();
                let boxes = if ticked.len() == 1 { ticked } else { boxes };
                match boxes.as_slice() {
                    [only] if view.node(*only).reference.is_some() => self.tick(
                        *only,
                        format!("{}: it is the only one in {}", view.describe(*only), said(target)).into(),
                        to,
                    ),
                    _ => missed,
                }
            }
            Err(decision) => decision,
        }
    }

    pub(super) fn tick(&self, at: usize, because: Evidence, to: Toggle) -> Decision {
        let view = self.view;
        let node = view.node(at);
        let is_on = node.is("checked") || node.is("pressed");
        let wanted = match to {
            Toggle::On => true,
            Toggle::Off => false,
            Toggle::Other => !is_on,
        };
        if is_on == wanted && !node.is("mixed") {
            let state = if is_on { "on" } else { "off" };
            return Decision::NothingToDo { because: format!("{} is {state} already", view.describe(at)) };
        }
        if !wanted && is_radio(view, at) {
            return Decision::Unclear {
                why: format!(
                    "{} cannot be switched off, only replaced by another choice of its group",
                    view.describe(at)
                ),
                candidates: view.lines([at]),
                clearer: "say which one to choose instead".to_string(),
            };
        }
        if node.role == "button" {
            return self.clicked(at, because, ClickKind::Single);
        }
        match self.selector(at) {
            Ok(target) if wanted => done(Ok((Action::Check { target }, because))),
            Ok(target) => done(Ok((Action::Uncheck { target }, because))),
            Err(decision) => decision,
        }
    }
}
