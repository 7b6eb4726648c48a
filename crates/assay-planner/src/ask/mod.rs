//! A model is asked twice at most for each of two things: what belongs to the scope, and the tests themselves.
//!
//! Whatever it answers is read strictly and reviewed by rules; what is wrong is told to it once.

mod prompt;
mod reading;

use std::sync::Arc;
use std::time::Instant;

use assay_provider::answer::{ModelAnswer, Stop};
use assay_provider::conversation::{Message, Question, ToolResult};
use assay_provider::{Budget, Event, Provider, ProviderError, Terms};

use crate::draft::Draft;
use crate::pages::PageSeen;
use crate::review::{DraftFault, Sources, mark_unread, review};
use crate::scope::TestScope;
use crate::triage::PlanRequest;

/// A model that plans, and what that may cost.
pub struct Planner {
    pub provider: Arc<dyn Provider>,
    pub budget: Budget,
    /// For all questions together.
    pub deadline: Instant,
}

/// What the model is told.
#[derive(Debug, Clone, Copy)]
pub struct Brief<'a> {
    pub order: &'a PlanRequest,
    /// What rules found, and later what the model itself found.
    pub scope: &'a TestScope,
    pub pages: &'a [PageSeen],
    /// Names of tests that are there already.
    pub existing: &'a [String],
}

#[derive(Debug, thiserror::Error)]
pub enum PlannerError {
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error("the model refused to answer: {0}")]
    Refused(String),
    #[error("the model gave no usable answer: {0}")]
    Unusable(String),
    #[error("expected a document of at most {most} tokens, found {found}")]
    TooLong { found: usize, most: usize },
}

/// The tests of a model that may be written, and those that may not.
#[derive(Debug, Default)]
pub struct PlannedTests {
    pub drafts: Vec<Draft>,
    pub refused: Vec<Refused>,
}

/// A test that is not written, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub name: String,
    pub why: Vec<String>,
}

impl Planner {
    /// What belongs to the scope, in the eyes of the model: exclusions, ambiguities, questions. One small call.
    pub async fn scope(
        &self,
        brief: Brief<'_>,
        tell: &mut (dyn FnMut(String) + Send),
    ) -> Result<TestScope, PlannerError> {
        let mut question = prompt::scope_question(brief)?;
        let mut fault = String::new();
        for _ in 0..2 {
            let answer = self.ask(&question, tell).await?;
            match only_call(&answer, prompt::SCOPE).and_then(reading::scope) {
                Ok(scope) => return Ok(scope),
                Err(why) => fault = why,
            }
            push_correction(
                &mut question,
                &answer,
                &format!("This cannot be used: {fault}. Call `{}` once more.", prompt::SCOPE),
            );
        }
        Err(PlannerError::Unusable(fault))
    }

    /// The tests. Those with a fault are sent back once, with the reasons; what still has one is not written.
    pub async fn write(
        &self,
        brief: Brief<'_>,
        sources: &Sources,
        tell: &mut (dyn FnMut(String) + Send),
    ) -> Result<PlannedTests, PlannerError> {
        let mut question = prompt::tests_question(brief)?;
        let mut written = PlannedTests::default();
        for try_number in 1..=2 {
            let answer = self.ask(&question, tell).await?;
            let drafts = match only_call(&answer, prompt::TESTS).and_then(reading::tests) {
                Ok(drafts) => drafts,
                Err(why) if try_number == 1 => {
                    let text = format!("This cannot be used: {why}. Call `{}` once more.", prompt::TESTS);
                    push_correction(&mut question, &answer, &text);
                    continue;
                }
                Err(why) if written.refused.is_empty() => return Err(PlannerError::Unusable(why)),
                Err(_) => break,
            };
            let mut refused = Vec::new();
            for draft in drafts {
                let mut faults: Vec<String> =
                    review(&draft, sources).iter().map(DraftFault::to_string).collect();
                if written.drafts.iter().any(|known| known.name == draft.name) {
                    faults.push("another test has the same name".to_string());
                }
                if faults.is_empty() {
                    written.drafts.push(mark_unread(draft, sources));
                } else {
                    refused.push(Refused { name: crate::words::one_line(&draft.name), why: faults });
                }
            }
            written.refused = refused;
            if written.refused.is_empty() {
                break;
            }
            push_correction(&mut question, &answer, &prompt::faults(&written.refused));
        }
        Ok(written)
    }

    async fn ask(
        &self,
        question: &Question,
        tell: &mut (dyn FnMut(String) + Send),
    ) -> Result<ModelAnswer, PlannerError> {
        let mut listen = |event: Event| match event {
            Event::CacheCreated { .. }
            | Event::CacheRead { .. }
            | Event::Retrying { .. }
            | Event::Pacing { .. }
            | Event::Note(_) => tell(event.to_string()),
            Event::Taken { .. }
            | Event::Text(_)
            | Event::Thinking(_)
            | Event::CallBegun { .. }
            | Event::Used { .. } => {}
        };
        let terms = Terms { budget: &self.budget, deadline: self.deadline };
        let answer = self.provider.ask(question, terms, &mut listen).await?;
        match &answer.stop {
            Stop::Refused { explanation, .. } => Err(PlannerError::Refused(
                explanation.clone().unwrap_or_else(|| "no reason given".to_string()),
            )),
            Stop::ContextFull => {
                Err(PlannerError::Unusable("the question is longer than the model can hold".to_string()))
            }
            _ => Ok(answer),
        }
    }
}

/// The arguments of the one call that was asked for.
fn only_call<'a>(answer: &'a ModelAnswer, name: &str) -> Result<&'a serde_json::Value, String> {
    let mut calls = answer.function_calls().filter(|call| call.name == name);
    let call = calls.next().ok_or_else(|| match answer.stop {
        Stop::OutputLimit => format!("the answer was cut off before `{name}` was called"),
        _ => format!("there was no call of `{name}`"),
    })?;
    if calls.next().is_some() {
        return Err(format!("there was more than one call of `{name}`"));
    }
    call.input.json().ok_or_else(|| "the arguments are no JSON".to_string())
}

fn push_correction(question: &mut Question, answer: &ModelAnswer, text: &str) {
    question.messages.push(answer.turn());
    let calls = answer.calls();
    question.messages.push(if calls.is_empty() {
        Message::user(text)
    } else {
        let results = calls.into_iter().map(|call| ToolResult::failed(call, text)).collect();
        Message::Results { results, remarks: Vec::new() }
    });
}
