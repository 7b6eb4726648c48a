//! One small conversation that shows whether a model can be used: a call, its result, and a last word.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::answer::{ModelAnswer, Stop};
use crate::conversation::{Caching, FunctionTool, Message, Part, Question, Tool, ToolChoice, ToolResult};
use crate::error::ProviderError;
use crate::event::{Event, ReplyListener};
use crate::money::Money;
use crate::provider::{Provider, Terms};
use crate::usage::Usage;

/// What a round trip took.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundTrip {
    /// As the provider names the model that answered.
    pub model: String,
    /// From the question to the first piece of the answer, where it was streamed.
    pub first_piece: Option<Duration>,
    /// Until the call was there.
    pub call: Duration,
    /// Until the last word was there, the call included.
    pub whole: Duration,
    pub usage: Usage,
    /// Nothing where the price is not known.
    pub cost: Option<Money>,
    /// What the model said at the end.
    pub said: String,
}

#[derive(Debug, thiserror::Error)]
pub enum RoundTripError {
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// A model that cannot call a tool is of no use to us.
    #[error("expected a call of `lookup_word`, but the model stopped ({stop:?}) and said `{said}`")]
    NoCall { stop: Stop, said: String },
    #[error("expected a call of `lookup_word` with the number 7, found {found}")]
    WrongCall { found: String },
    #[error("expected the word `{WORD}` in the answer, found `{said}`")]
    WrongWord { said: String },
}

/// No model says it without having been told.
const WORD: &str = "halyard";

/// Makes one round trip, for `assay model test`.
pub async fn round_trip(
    provider: &dyn Provider,
    terms: Terms<'_>,
    listener: &mut dyn ReplyListener,
) -> Result<RoundTrip, RoundTripError> {
    let mut question = question();
    let begin = Instant::now();
    let mut first_piece = None;
    let mut timed = |event: Event| {
        if matches!(event, Event::Text(_) | Event::Thinking(_) | Event::CallBegun { .. }) {
            first_piece.get_or_insert_with(|| begin.elapsed());
        }
        listener.hear(event);
    };
    let first = provider.ask(&question, terms, &mut timed).await?;
    let call_after = begin.elapsed();
    let call = expected_call(&first)?;

    question.messages.push(first.turn());
    question.messages.push(Message::Results {
        results: vec![ToolResult::done(call, vec![Part::Text(WORD.to_string())])],
        remarks: Vec::new(),
    });
    let last = provider.ask(&question, terms, &mut timed).await?;
    let said = last.text();
    if !said.to_lowercase().contains(WORD) {
        return Err(RoundTripError::WrongWord { said });
    }

    let mut usage = first.usage.unwrap_or_default();
    usage += last.usage.unwrap_or_default();
    Ok(RoundTrip {
        model: if last.model.is_empty() { provider.model().to_string() } else { last.model.clone() },
        first_piece,
        call: call_after,
        whole: begin.elapsed(),
        usage,
        cost: first.cost.zip(last.cost).map(|(first, last)| first + last),
        said,
    })
}

fn question() -> Question {
    let mut question = Question::new("You answer with one word. Use the tool to find it.", 1024);
    // Asked once: marks would only cost.
    question.caching = Caching::Unmarked;
    question.tool_choice = ToolChoice::Auto;
    question.tools.push(Tool::Function(FunctionTool {
        name: "lookup_word".to_string(),
        description: "Gives the word that belongs to a number.".to_string(),
        schema: json!({
            "type": "object",
            "properties": {"number": {"type": "integer", "description": "The number."}},
            "required": ["number"],
            "additionalProperties": false,
        }),
        strict: false,
    }));
    question.messages.push(Message::user("Which word belongs to the number 7?"));
    question
}

fn expected_call(answer: &ModelAnswer) -> Result<crate::conversation::CallRef, RoundTripError> {
    let Some(call) = answer.function_calls().find(|call| call.name == "lookup_word") else {
        return Err(RoundTripError::NoCall { stop: answer.stop.clone(), said: answer.text() });
    };
    let number = call.input.json().map(|input| &input["number"]);
    // Small models write numbers as text; that is good enough to go on with.
    if number.is_some_and(|number| number == 7 || number == "7") {
        return Ok(call.call_ref());
    }
    Err(RoundTripError::WrongCall { found: format!("{:?}", call.input) })
}
