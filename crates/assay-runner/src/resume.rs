//! Continues a test of an interrupted run: repeats its acts in a new browser, but does not judge its earlier claims
//! again.

use std::time::Instant;

use assay_driver::Deadline;
use assay_language::revive;
use assay_protocol::{Action, Failure, Judgement, LastingAct, Part};

use crate::attempt::{Attempt, CommandChoice};
use crate::plan::{PastAct, Plan, PlanStep, Resumed};
use crate::step::StepEnd;

impl Attempt<'_> {
    /// How a step ends that passed before the run was cut off, once its acts are done again; None when the step is to be
    /// taken as always.
    pub(crate) async fn pass_again(&mut self, plan: &Plan, step: &PlanStep) -> Option<StepEnd> {
        let resumed = plan.resumed.as_ref()?;
        if step.part == Part::Teardown {
            return None;
        }
        if self.step.number > resumed.finished_steps {
            return None;
        }
        let deadline = Deadline::after(step.timeout.unwrap_or(plan.timeouts.step));
        Some(self.repeat_step(resumed, deadline).await)
    }

    /// The recorded acts of the current step.
    pub(crate) async fn repeat_step(&mut self, resumed: &Resumed, deadline: Deadline) -> StepEnd {
        let started = Instant::now();
        for act in resumed.acts.get(&self.step.number).into_iter().flatten() {
            if let Err(reason) = self.act_again(act, deadline).await {
                let reason = format!("`{}` could not be carried out again: {reason}", act.command);
                return StepEnd::inconclusive(reason);
            }
        }
        let took = started.elapsed().as_millis();
        self.note(format!("passed before the run was cut off; its acts were carried out again in {took} ms"));
        let judgements: Vec<Judgement> =
            resumed.judgements.get(&self.step.number).cloned().unwrap_or_default();
        if !judgements.is_empty() {
            self.state.history.judging();
        }
        StepEnd { judgements, ..StepEnd::passed() }
    }

    async fn act_again(&mut self, act: &PastAct, deadline: Deadline) -> Result<(), String> {
        let Some(lasting) = &act.lasting else {
            return Err("the record does not say how".to_string());
        };
        let lasting = self.context.secrets.revealed(lasting).map_err(|err| err.to_string())?;
        if act.commits {
            self.note(format!("carried out a second time, and it commits something: {}", act.command));
        }
        let action = self.when_it_is_there(&lasting, deadline).await?;
        let because = "already carried out before the run was cut off";
        let chosen = CommandChoice { commits: act.commits, ..CommandChoice::harmless("resume", because) };
        self.command(&action, chosen, deadline).await.map(drop).map_err(|failure: Failure| failure.message)
    }

    async fn when_it_is_there(&mut self, lasting: &LastingAct, deadline: Deadline) -> Result<Action, String> {
        if lasting.elements.is_empty() {
            // Without a readable page, as before the first address, no claim can already hold.
            if let Ok(scene) = self.look(deadline).await {
                self.state.history.acting(&scene);
            }
            return Ok(lasting.action.clone());
        }
        loop {
            let scene = self.look(deadline).await.map_err(|failure| failure.message)?;
            match revive(lasting, &scene) {
                Ok(action) => {
                    self.state.history.acting(&scene);
                    return Ok(action);
                }
                Err(why) if deadline.is_past() => return Err(why),
                Err(_) => tokio::time::sleep(std::time::Duration::from_millis(100)).await,
            }
        }
    }
}
