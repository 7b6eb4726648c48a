//! One question to a model, on record and within its budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use assay_driver::Deadline;
use assay_prompt::{harmless, shortened};
use assay_protocol::{CallUsage, ErrorCode, Failure, ModelCall};
use assay_provider::answer::{CallInput, Item, ModelAnswer, Stop};
use assay_provider::conversation::{Message, Part, Question, Tool};
use assay_provider::{Budget, Event, Provider, ProviderError, Terms, Usage};
use assay_runner::Controls;

/// A model to ask, for one test, and what that may cost.
#[derive(Clone)]
pub struct Asking {
    pub provider: Arc<dyn Provider>,
    pub budget: Budget,
    pub sight: Sight,
}

/// Whether the model takes pictures, as far as is known. All questions of a run share it.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    is_blind: Arc<AtomicBool>,
}

impl Sight {
    /// Of a model that takes none.
    pub fn none() -> Sight {
        Sight { is_blind: Arc::new(AtomicBool::new(true)) }
    }

    fn is_blind(&self) -> bool {
        self.is_blind.load(Ordering::Relaxed)
    }

    fn lost(&self) {
        self.is_blind.store(true, Ordering::Relaxed);
    }
}

/// Why there is no answer that can be used.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// Nobody may ask any more: the step is not clear, and no more.
    Spent(String),
    /// The model could not be asked: assay's surroundings broke.
    Broken(Failure),
    /// The provider does not take the question as it is: in another form it might.
    Rejected(Failure),
    /// There is one, and nothing may be made of it.
    Unusable(String),
}

impl Asking {
    /// `anthropic/claude-sonnet-5-5`.
    pub(crate) fn model(&self) -> String {
        format!("{}/{}", self.provider.name(), self.provider.model())
    }

    /// Asks for a pilot: the turn is on record in its controls.
    pub(crate) async fn ask_for(
        &self,
        pilot: &str,
        question: &Question,
        deadline: Deadline,
        controls: &mut dyn Controls,
    ) -> Result<ModelAnswer, NoAnswer> {
        let has_picture = question.messages.iter().any(shows_a_picture);
        if has_picture && self.sight.is_blind() {
            return Err(NoAnswer::Unusable("the model takes no pictures".to_string()));
        }
        controls.asking().await;
        let (call, answer) = self.ask(pilot, question, deadline).await;
        controls.called(call);
        let answer = match answer {
            // A model that cannot see is of use all the same: pilots without pictures follow.
            Err(NoAnswer::Rejected(failure)) if has_picture && !uses_a_computer(question) => {
                if is_about_pictures(&failure.message) {
                    self.sight.lost();
                }
                let why = format!("the question with a picture was not accepted: {}", failure.message);
                return Err(NoAnswer::Unusable(why));
            }
            answer => answer?,
        };
        // It would go back to the server with the next question.
        if controls.repeats_a_secret(&serde_json::Value::from(answer.raw.clone()).to_string()) {
            let why = "the model wrote a secret of the test that it was never given".to_string();
            return Err(NoAnswer::Unusable(why));
        }
        Ok(answer)
    }

    /// Asks, and gives the record of it whatever came of it.
    pub(crate) async fn ask(
        &self,
        pilot: &str,
        question: &Question,
        deadline: Deadline,
    ) -> (ModelCall, Result<ModelAnswer, NoAnswer>) {
        let begun = Instant::now();
        let mut lines = Vec::new();
        let mut request_id = None;
        let mut listen = |event: Event| {
            if let Event::Taken { request_id: id } = &event {
                // Of the tries the last one counts.
                request_id = Some(id.clone());
            } else if matches!(
                event,
                Event::CacheCreated { .. }
                    | Event::CacheRead { .. }
                    | Event::Retrying { .. }
                    | Event::Pacing { .. }
                    | Event::Note(_)
            ) {
                lines.push(event.to_string());
            }
        };
        let terms = Terms { budget: &self.budget, deadline: deadline.instant().into_std() };
        let asked = self.provider.ask(question, terms, &mut listen).await;
        let mut call = ModelCall {
            pilot: pilot.to_string(),
            model: self.model(),
            request_id,
            lines,
            duration_ms: begun.elapsed().as_millis() as u64,
            ..ModelCall::default()
        };
        let answer = match asked {
            Ok(answer) => answer,
            Err(error) => {
                call.failure = Some(error.to_string());
                return (call, Err(no_answer(&error)));
            }
        };
        call.answer_id = answer.id.clone();
        call.decided = in_one_line(&answer);
        call.usage = usage_of(answer.usage.unwrap_or_default(), &answer);
        if let Some(why) = unusable(&answer) {
            call.failure = Some(why.clone());
            let failure = Failure::new(ErrorCode::ModelFailed, format!("{}: {why}", self.model()));
            return (call, Err(NoAnswer::Broken(failure)));
        }
        (call, Ok(answer))
    }
}

fn shows_a_picture(message: &Message) -> bool {
    let is_picture = |part: &Part| matches!(part, Part::Picture(_));
    match message {
        Message::User(parts) => parts.iter().any(is_picture),
        Message::Results { results, remarks } => {
            remarks.iter().any(is_picture) || results.iter().any(|result| result.parts.iter().any(is_picture))
        }
        _ => false,
    }
}

/// Whether a provider says that it is the picture that it does not take.
fn is_about_pictures(message: &str) -> bool {
    let message = message.to_lowercase();
    ["image", "picture", "vision", "multimodal", "mmproj"].iter().any(|word| message.contains(word))
}

/// Whether the question declares the computer tool of a provider, which may be what it does not accept.
fn uses_a_computer(question: &Question) -> bool {
    question.tools.iter().any(|tool| !matches!(tool, Tool::Function(_)))
}

fn no_answer(error: &ProviderError) -> NoAnswer {
    match error {
        ProviderError::Budget(_) => NoAnswer::Spent(error.to_string()),
        _ => {
            let mut failure = Failure::new(ErrorCode::ModelFailed, error.to_string());
            if let Some(hint) = error.hint() {
                failure = failure.hint(hint);
            }
            match error {
                ProviderError::Refused { .. } | ProviderError::Unaskable(_) => NoAnswer::Rejected(failure),
                _ => NoAnswer::Broken(failure),
            }
        }
    }
}

/// Why what came is no answer to work with.
fn unusable(answer: &ModelAnswer) -> Option<String> {
    match &answer.stop {
        Stop::Refused { category, explanation } => {
            let category = category.as_deref().unwrap_or("no category given");
            let explanation = explanation.as_deref().unwrap_or("no reason given");
            Some(format!("the model will not answer this ({category}): {explanation}"))
        }
        Stop::ContextFull => Some("the conversation is longer than the model can hold".to_string()),
        Stop::Finished
        | Stop::Calls
        | Stop::OutputLimit
        | Stop::Paused
        | Stop::MalformedCall
        | Stop::Unknown(_) => None,
    }
}

fn usage_of(usage: Usage, answer: &ModelAnswer) -> CallUsage {
    CallUsage {
        input: usage.input,
        cache_read: usage.cache_read,
        cache_written: usage.cache_written + usage.cache_written_long,
        output: usage.output,
        money: answer.cost.map(|cost| cost.as_dollars()),
    }
}

/// What was answered, short enough for a line of a report.
fn in_one_line(answer: &ModelAnswer) -> String {
    let parts: Vec<String> = answer
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Call(call) => Some(match &call.input {
                CallInput::Json(input) => format!("{} {input}", call.name),
                CallInput::Malformed(text) => format!("{} with what is no JSON: {text}", call.name),
            }),
            Item::Computer(call) => Some(crate::computer::in_few_words(call)),
            Item::Text(text) if !text.trim().is_empty() => Some(format!("said: {text}")),
            Item::Refusal(text) => Some(format!("refused: {text}")),
            Item::Unknown(_) => Some("something of an unknown kind".to_string()),
            Item::Text(_) | Item::Thinking(_) => None,
        })
        .collect();
    shortened(&harmless(&parts.join("; ")), 300)
}
