//! A test whose steps come one at a time: somebody watches the page, and says what is taken next.
//!
//! The road is that of a run: preconditions, waits, policy, claims and their weighing. Between two steps the page may be
//! used by hand. Nothing of it is a result: the stepper hears what happened, and no record does.

use std::rc::Rc;
use std::time::Duration;

use assay_actions::{Call, Policy};
use assay_driver::Deadline;
use assay_language::Hints;
use assay_protocol::{Action, Answer, Failure, Part, Scene, Verdict};
use tokio::sync::watch;

use crate::attempt::{Attempt, CommandChoice};
use crate::listener::Listener;
use crate::locking::LockCursor;
use crate::pilots::AvailablePilots;
use crate::plan::{Plan, PlanStep};
use crate::screens::Screens;
use crate::step::StepEnd;
use crate::test::{JudgedTest, arrive, end_of_teardown, hold_to_the_end, run_steps, take_step, weigh_test};
use crate::test_context::TestContext;
use crate::test_surface::{LocalFuture, Preconditions, TestSurface};

/// The name for commands of somebody who uses the page.
const BY_HAND: &str = "hand";

/// Says what a test that is stepped through does next.
pub trait Stepper {
    /// Everything before the first step is done, or not.
    fn arrived(&self, end: &StepEnd);

    /// What comes next. Until it is known, the page may be looked at and used through the attempt.
    fn next<'s, 'a: 's>(&'s self, attempt: &'s mut Attempt<'a>) -> LocalFuture<'s, NextStep>;

    /// How the step that was taken ended.
    fn taken(&self, end: &StepEnd);

    /// What the claims of the steps that were taken come to.
    fn concluded(&self, end: &StepEnd);
}

pub enum NextStep {
    Take(Box<PlanStep>),
    /// The last step is taken: all expectations have to hold together.
    Conclude,
    End,
}

/// A test to be stepped through, and what it needs.
pub struct SteppedTest<'a> {
    pub plan: &'a Plan,
    pub surface: &'a mut dyn TestSurface,
    pub listener: &'a dyn Listener,
    pub preconditions: &'a dyn Preconditions,
    pub pilots: AvailablePilots,
    pub screens: Option<Rc<dyn Screens>>,
    /// The page of somebody else: it is taken as it is, without preconditions and without a way to it.
    pub is_as_it_is: bool,
}

/// Takes the steps that the stepper names, until it ends or `stop` becomes true. The teardown runs in either case.
pub async fn step_through(test: SteppedTest<'_>, stepper: &dyn Stepper, stop: &mut watch::Receiver<bool>) {
    let SteppedTest { plan, surface, listener, preconditions, pilots, screens, is_as_it_is } = test;
    let context = TestContext::of(plan).with_screens(screens);
    let mut attempt = Attempt::new(surface, listener, context).with_pilots(pilots);
    attempt.state.lock = plan.lock.clone().map(LockCursor::new);
    let body = async {
        if !is_as_it_is {
            stepper.arrived(&arrive(&mut attempt, plan, preconditions).await);
        }
        take_steps(&mut attempt, plan, stepper).await;
    };
    tokio::select! {
        biased;
        _ = stop.wait_for(|stop| *stop) => {}
        () = body => {}
    }
    if !plan.teardown.is_empty() && !is_as_it_is {
        tokio::select! {
            biased;
            _ = run_steps(&mut attempt, plan, &plan.teardown) => {}
            () = end_of_teardown(stop) => attempt.note("the teardown was cut off"),
        }
    }
}

async fn take_steps(attempt: &mut Attempt<'_>, plan: &Plan, stepper: &dyn Stepper) {
    let mut judged = JudgedTest::default();
    let mut expected: Vec<PlanStep> = Vec::new();
    let mut mentioned_by_steps = None;
    loop {
        match stepper.next(attempt).await {
            NextStep::End => return,
            NextStep::Take(step) => {
                let is_expected = step.part == Part::Expected;
                if !is_expected {
                    mentioned_by_steps = None;
                } else if expected.is_empty() {
                    mentioned_by_steps = attempt.state.mentioned.clone();
                }
                let entries = attempt.state.lock.clone();
                let end = take_step(attempt, plan, &step).await;
                if end.verdict != Verdict::Passed {
                    // Somebody may take it again.
                    attempt.state.lock = entries;
                }
                if attempt.step.acts_done > 0 {
                    judged.since_act.clear();
                }
                if end.verdict == Verdict::Passed {
                    let since = end.judgements.iter().skip(end.before_act).cloned();
                    match is_expected {
                        true => judged.expected.extend(end.judgements.iter().cloned()),
                        false => judged.steps.extend(end.judgements.iter().cloned()),
                    }
                    if is_expected {
                        expected.push(*step);
                    } else {
                        judged.since_act.extend(since);
                    }
                }
                stepper.taken(&end);
            }
            NextStep::Conclude => {
                let time = plan.timeouts.step;
                let held = hold_to_the_end(attempt, &expected, time, mentioned_by_steps.clone()).await;
                let end = match held.verdict {
                    Verdict::Passed => weigh_test(
                        attempt,
                        std::mem::take(&mut judged),
                        !expected.is_empty(),
                        plan.standing_allowed,
                    ),
                    _ => held,
                };
                expected.clear();
                stepper.concluded(&end);
            }
        }
    }
}

/// What a stepper may do with the page between two steps.
impl Attempt<'_> {
    /// Everything that is visible now.
    pub async fn see(&mut self, time: Duration) -> Result<Rc<Scene>, Failure> {
        self.look(Deadline::after(time)).await
    }

    /// Carries out an act of somebody who uses the page. The claims behind it count it as an act.
    pub async fn by_hand(&mut self, action: &Action, time: Duration) -> Result<Answer, Failure> {
        let deadline = Deadline::after(time);
        if action.changes_the_page()
            && let Ok(scene) = self.look(deadline).await
        {
            self.state.history.acting(&scene);
        }
        let chosen = CommandChoice::harmless(BY_HAND, "somebody did it by hand");
        self.command(action, chosen, deadline).await
    }

    /// Asks the page something that is no part of the test, such as for a picture.
    pub async fn ask_surface(&mut self, question: &Action, time: Duration) -> Result<Answer, Failure> {
        let call = Call { deadline: Deadline::after(time), wait: false, policy: Policy::default() };
        self.surface.perform(question, &call).await
    }

    /// Takes a sentence that is no step of the test, as if it were the next one.
    pub async fn try_step(&mut self, plan: &Plan, step: &PlanStep) -> StepEnd {
        // The lock has nothing for it, and keeps its entries for the steps of the test.
        let lock = self.state.lock.take();
        let end = take_step(self, plan, step).await;
        self.state.lock = lock;
        end
    }

    /// What a sentence would be read and understood against now.
    pub async fn hints_for(&mut self, sentence: &str, time: Duration) -> Hints {
        let mentioned = self.state.mentioned.clone();
        Hints { mentioned, ..self.hints(sentence, Deadline::after(time)).await }
    }
}
