//! What a test claims at all, known before it runs.

use assay_language::{About, Act, Claim, Hints, Intent, NumberIs, StateWord, WaitGoal, read};
use assay_protocol::actions::ActionProperty;
use assay_protocol::{Action, ElementState, Part, WaitFor, WaitState};

use crate::plan::{Plan, PlanStep, StepBody};

/// How much a test could notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claimed {
    /// It only shows that its steps can be carried out.
    Nothing,
    /// A page that shows nothing at all would do.
    OnlyAbsence,
    Something,
}

impl Plan {
    /// What its steps and expectations claim. Setup and teardown are no part of the test's purpose.
    pub fn claimed(&self) -> Claimed {
        self.steps.iter().chain(&self.expected).map(claimed_by).max().unwrap_or(Claimed::Nothing)
    }
}

fn claimed_by(step: &PlanStep) -> Claimed {
    match &step.what {
        StepBody::Exact(action) => claimed_by_command(action, step.part),
        StepBody::Sentence(sentence) => match read(sentence, &Hints::default()) {
            Ok(intents) => {
                intents.iter().filter_map(claim_of).map(of_claim).max().unwrap_or(Claimed::Nothing)
            }
            // An expectation that only a judge can read is one all the same.
            Err(_) if step.part == Part::Expected => Claimed::Something,
            Err(_) => Claimed::Nothing,
        },
    }
}

fn claim_of(intent: &Intent) -> Option<&Claim> {
    match intent {
        Intent::Claim(claim) => Some(claim),
        Intent::Act(Act::Wait { until: WaitGoal::Claim(claim) }) => Some(claim),
        Intent::Act(_) => None,
    }
}

fn of_claim(claim: &Claim) -> Claimed {
    let is_absence = match &claim.about {
        About::State { state: StateWord::Hidden, .. } => !claim.negated,
        About::State { state: StateWord::Visible | StateWord::Exists, .. }
        | About::Text { .. }
        | About::Message { .. }
        | About::Title { .. }
        | About::Url { .. }
        | About::Page { .. }
        | About::BrowserDialog { .. } => claim.negated,
        About::Count { count: NumberIs::Exactly(number), .. } => *number == 0.0,
        _ => false,
    };
    if is_absence { Claimed::OnlyAbsence } else { Claimed::Something }
}

fn claimed_by_command(action: &Action, part: Part) -> Claimed {
    let is_claim = action.entry().has(ActionProperty::Claims)
        // A script in a step is there for its effect.
        && (part == Part::Expected || !matches!(action, Action::Eval { .. }));
    match action {
        _ if !is_claim => Claimed::Nothing,
        Action::Is { state: ElementState::Hidden, .. }
        | Action::Wait {
            until:
                WaitFor::Text { gone: true, .. }
                | WaitFor::Element { state: WaitState::Hidden | WaitState::Detached, .. },
        } => Claimed::OnlyAbsence,
        _ => Claimed::Something,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_protocol::Selector;

    fn sentence(part: Part, text: &str) -> PlanStep {
        step(part, StepBody::Sentence(text.to_string()))
    }

    fn step(part: Part, what: StepBody) -> PlanStep {
        PlanStep { part, text: String::new(), what, timeout: None }
    }

    #[track_caller]
    fn check(step: PlanStep, expected: Claimed) {
        assert_eq!(claimed_by(&step), expected, "{step:?}");
    }

    #[test]
    fn sentences_claim_something_or_absence_or_nothing() {
        check(sentence(Part::Step, "Click the \"Save\" button"), Claimed::Nothing);
        check(sentence(Part::Step, "Wait 2 seconds"), Claimed::Nothing);
        check(sentence(Part::Step, "Wait until the text \"Saved\" is shown"), Claimed::Something);
        check(sentence(Part::Expected, "The text \"Saved\" is shown"), Claimed::Something);
        check(sentence(Part::Expected, "Frobnicate the whole"), Claimed::Something);
        check(sentence(Part::Step, "Frobnicate the whole"), Claimed::Nothing);
        check(sentence(Part::Expected, "The text \"Saved\" is not shown"), Claimed::OnlyAbsence);
        check(sentence(Part::Expected, "The \"Save\" button is not visible"), Claimed::OnlyAbsence);
        check(sentence(Part::Expected, "The \"Save\" button is not enabled"), Claimed::Something);
    }

    #[test]
    fn exact_commands_that_ask_are_claims() {
        let target = || Selector::parse("#out").unwrap();
        let is = |state| StepBody::Exact(Action::Is { state, target: target() });
        check(step(Part::Step, is(ElementState::Visible)), Claimed::Something);
        check(step(Part::Expected, is(ElementState::Hidden)), Claimed::OnlyAbsence);
        check(step(Part::Step, StepBody::Exact(Action::Count { target: target() })), Claimed::Something);
        let eval = || StepBody::Exact(Action::Eval { expression: "1".to_string() });
        check(step(Part::Step, eval()), Claimed::Nothing);
        check(step(Part::Expected, eval()), Claimed::Something);
        check(step(Part::Step, StepBody::Exact(Action::Reload)), Claimed::Nothing);
    }
}
