//! Whether a test may run in a browser that other tests use at the same time.
//!
//! Contexts separate cookies, storage and permissions, but a browser process has one clipboard. What one test copies,
//! another would paste. Only a test that pastes can notice, so such a test has its browser to itself.

use assay_language::{Act, FormProperty, Hints, Intent, Piece, TextRole, read};
use assay_protocol::Action;

use crate::plan::{Plan, PlanStep, PreconditionMeans, StepBody};

/// Which other tests may use the browser of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbours {
    Others,
    Nobody,
}

pub(crate) fn neighbours_of(plan: &Plan) -> Neighbours {
    let by_preconditions = plan.preconditions.iter().flat_map(|fact| match &fact.made {
        PreconditionMeans::Steps(steps) => steps.as_slice(),
        PreconditionMeans::Assumed | PreconditionMeans::ByHost(_) => &[],
    });
    let own = [&plan.setup, &plan.steps, &plan.expected, &plan.teardown].into_iter().flatten();
    let is_pasting = by_preconditions.chain(own).any(pastes);
    if is_pasting { Neighbours::Nobody } else { Neighbours::Others }
}

fn pastes(step: &PlanStep) -> bool {
    match &step.what {
        StepBody::Exact(Action::Press { keys, .. }) => keys.iter().any(|key| is_paste(key)),
        StepBody::Exact(_) => false,
        StepBody::Sentence(sentence) => read(sentence, &Hints::default()).is_ok_and(|intents| {
            intents.iter().any(|intent| match intent {
                Intent::Act(act) => act_pastes(act),
                Intent::Claim(_) => false,
            })
        }),
    }
}

fn act_pastes(act: &Act) -> bool {
    let mut pastes = act.form().has(FormProperty::Pastes);
    act.visit(&mut |piece| {
        pastes |= match piece {
            Piece::Text(key, TextRole::Key) => is_paste(key),
            Piece::Act(act) => act_pastes(act),
            Piece::Text(..)
            | Piece::Target(..)
            | Piece::MaybeTarget(..)
            | Piece::Words(_)
            | Piece::Matcher(..)
            | Piece::Number(_)
            | Piece::Claim(_) => false,
        };
    });
    pastes
}

fn is_paste(chord: &str) -> bool {
    let chord = chord.to_lowercase();
    chord.ends_with("+v") || chord.ends_with("+insert")
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_protocol::Part;

    #[track_caller]
    fn check(what: StepBody, expected: bool) {
        let step = PlanStep { part: Part::Step, text: String::new(), what, timeout: None };
        assert_eq!(pastes(&step), expected, "{step:?}");
    }

    #[test]
    fn a_step_that_pastes_is_known_by_its_keys() {
        let sentence = |text: &str| StepBody::Sentence(text.to_string());
        let keys = |key: &str| StepBody::Exact(Action::Press { keys: vec![key.to_string()], target: None });
        check(sentence("Press Ctrl+V"), true);
        check(sentence("Press Ctrl+C, then Ctrl+V"), true);
        check(sentence("Press Ctrl+C"), false);
        check(sentence("Paste it into the \"Search\" field"), true);
        check(sentence("Copy the \"Code\" field and paste it into the \"Search\" field"), true);
        check(sentence("Copy the \"Code\" field"), false);
        check(sentence("Press v"), false);
        check(keys("Control+v"), true);
        check(keys("Shift+Insert"), true);
        check(keys("Control+c"), false);
    }
}
