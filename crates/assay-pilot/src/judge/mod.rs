//! The judge: a fresh conversation for every claim, which sees what was observed and nothing else.

mod prompt;
mod ruling;

use assay_driver::Deadline;
use assay_protocol::{Failure, ModelCall};
use assay_provider::answer::{Item, ModelAnswer};
use assay_provider::conversation::{Message, ToolResult};
use assay_runner::{Judge, LocalFuture, ModelVerdict, Observation, Ruling, TestSentence, fault_in};

use crate::asking::{Asking, NoAnswer};

/// The name under which its questions stand in the reports.
const NAME: &str = "judge";

/// Asks a model about a claim: once, and once more if the answer cannot be believed.
pub struct ModelJudge {
    asking: Asking,
}

impl ModelJudge {
    pub fn new(asking: Asking) -> ModelJudge {
        ModelJudge { asking }
    }

    async fn rule(
        &self,
        claim: &str,
        test: &[TestSentence],
        observations: &[Observation],
        called: &dyn Fn(ModelCall),
        deadline: Deadline,
    ) -> Result<ModelVerdict, Failure> {
        let mut question = prompt::question(claim, test, observations);
        let mut fault = String::new();
        for _ in 0..2 {
            let (call, answer) = self.asking.ask(NAME, &question, deadline).await;
            called(call);
            let answer = match answer {
                Ok(answer) => answer,
                Err(NoAnswer::Spent(why) | NoAnswer::Unusable(why)) => return Ok(cannot_tell(why)),
                Err(NoAnswer::Broken(failure) | NoAnswer::Rejected(failure)) => return Err(failure),
            };
            match believable(&answer, observations) {
                Ok(verdict) => return Ok(verdict),
                Err(why) => fault = why,
            }
            let is_strange = answer.items.iter().any(|item| matches!(item, Item::Unknown(_)));
            if is_strange && answer.calls().is_empty() {
                break;
            }
            question.messages.push(answer.turn());
            question.messages.push(correction(&answer, &fault));
        }
        Ok(cannot_tell(format!("the judge gave no credible verdict: {fault}")))
    }
}

impl Judge for ModelJudge {
    fn judge<'a>(
        &'a mut self,
        claim: &'a str,
        test: &'a [TestSentence],
        observations: &'a [Observation],
        called: &'a dyn Fn(ModelCall),
        deadline: Deadline,
    ) -> LocalFuture<'a, Result<ModelVerdict, Failure>> {
        Box::pin(self.rule(claim, test, observations, called, deadline))
    }
}

fn believable(answer: &ModelAnswer, observations: &[Observation]) -> Result<ModelVerdict, String> {
    let mut calls = answer.function_calls().filter(|call| call.name == prompt::VERDICT);
    let call = calls.next().ok_or("there was no call of `verdict`")?;
    if calls.next().is_some() {
        return Err("there was more than one call of `verdict`".to_string());
    }
    let verdict = ruling::read(&call.input)?;
    match fault_in(&verdict, observations) {
        Some(fault) => Err(fault),
        None => Ok(verdict),
    }
}

fn correction(answer: &ModelAnswer, fault: &str) -> Message {
    let text =
        format!("This cannot be believed: {fault}. Call `verdict` once more, with evidence that is there.");
    let calls = answer.calls();
    if calls.is_empty() {
        return Message::user(text);
    }
    let results = calls.into_iter().map(|call| ToolResult::failed(call, text.clone())).collect();
    Message::Results { results, remarks: Vec::new() }
}

fn cannot_tell(reason: String) -> ModelVerdict {
    ModelVerdict { ruling: Ruling::CannotTell, reason, evidence: Vec::new() }
}
