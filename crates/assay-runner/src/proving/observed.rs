//! What a test did when it passed: from this follows what can be broken.

use std::time::Duration;

use assay_language::{Claim, Matcher, MatcherRole, Piece};
use assay_protocol::actions::ActionProperty;
use assay_protocol::{Action, Effect, Judgement, Part, RequestMade, Scene, SceneNode};

use crate::attempt_state::StepState;

#[derive(Debug, Clone, Default)]
pub(crate) struct Observed {
    pub acts: Vec<ObservedAct>,
    pub claims: Vec<ObservedClaim>,
}

#[derive(Debug, Clone)]
pub(crate) struct ObservedAct {
    pub step: usize,
    pub part: Part,
    /// Which act of its step, from 1.
    pub nth: usize,
    /// What was pressed: `button "Save"`. None where nothing was.
    pub pressed: Option<String>,
    /// Something was pressed or chosen: what it leads to is meant.
    pub is_deliberate: bool,
    /// What was entered or chosen.
    pub values: Vec<String>,
    pub requests: Vec<RequestMade>,
    /// The address of the page it was done on.
    pub page: String,
}

#[derive(Debug, Clone)]
pub(crate) struct ObservedClaim {
    pub step: usize,
    pub claim: String,
    /// Texts without which it does not hold.
    pub texts: Vec<String>,
    /// How often they were shown.
    pub shown: usize,
    /// It held before the act, or may.
    pub proves_little: bool,
    pub took: Duration,
}

/// The texts that a claim wants to be shown. One that wants something not to be shown has none.
pub(crate) fn texts_of(claim: &Claim) -> Vec<String> {
    if claim.negated {
        return Vec::new();
    }
    let mut texts = Vec::new();
    claim.about.visit(&mut |piece| {
        if let Piece::Matcher(
            Matcher::Contains(text)
            | Matcher::Equals(text)
            | Matcher::StartsWith(text)
            | Matcher::EndsWith(text),
            MatcherRole::Shown | MatcherRole::Message,
        ) = piece
            && text.trim().chars().count() > 1
        {
            texts.push(text.trim().to_string());
        }
    });
    texts
}

impl Observed {
    /// Whether texts are claimed at this step or later: they can be taken away.
    pub fn claims_texts_from(&self, step: usize) -> bool {
        self.claims.iter().any(|claim| claim.step >= step && !claim.texts.is_empty())
    }

    pub fn observe_act(&mut self, step: &StepState, action: &Action, effect: &Effect, scene: &Scene) {
        self.acts.push(ObservedAct {
            step: step.number,
            part: step.part,
            nth: step.acts_done,
            pressed: pressed(action, scene),
            // Pages save when something is pressed or chosen; the requests of a page that loads or is written in are
            // its own.
            is_deliberate: action.entry().has(ActionProperty::Deliberate),
            values: action.clone().entered_values_mut().into_iter().map(|value| value.clone()).collect(),
            requests: effect.requests.clone(),
            page: effect.from.clone().unwrap_or_else(|| scene.url.clone()),
        });
    }

    pub fn observe_claim(
        &mut self,
        step: usize,
        claim: &Claim,
        judged: &Judgement,
        scene: &Scene,
        took: Duration,
    ) {
        let texts = texts_of(claim);
        let has =
            |node: &&SceneNode| node.role == "text" && texts.iter().any(|text| node.name.contains(text));
        let shown = scene.nodes.iter().filter(has).count();
        self.claims.push(ObservedClaim {
            step,
            claim: claim.said.clone(),
            texts,
            shown,
            proves_little: judged.standing || judged.may_stand,
            took,
        });
    }
}

/// What was pressed, as people call it.
fn pressed(action: &Action, scene: &Scene) -> Option<String> {
    let target = match action {
        Action::Click { target, .. }
        | Action::Dblclick { target }
        | Action::Check { target }
        | Action::Uncheck { target } => target,
        _ => return None,
    };
    let is_it =
        |node: &&SceneNode| node.role != "text" && node.reference.as_deref() == Some(target.source.as_str());
    Some(match scene.nodes.iter().find(is_it) {
        Some(node) => format!("{} \"{}\"", node.role, node.name),
        None => format!("`{}`", target.source),
    })
}
