//! What is told while a question is being answered. Nothing is printed in here: whoever listens decides.

use std::fmt;
use std::time::Duration;

use crate::answer::Note;
use crate::money::Money;
use crate::usage::Usage;

#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A piece of text. Pieces that came before a `Retrying` belong to a try that is void.
    Text(String),
    Thinking(String),
    CallBegun {
        name: String,
    },
    /// The server took the request, and calls it so.
    Taken {
        request_id: String,
    },
    /// The same call is made again after a wait.
    Retrying {
        attempt: u32,
        wait: Duration,
        because: String,
    },
    /// The last answer said that there is nothing left for now; the call waits before it is sent.
    Pacing {
        wait: Duration,
    },
    CacheCreated {
        tokens: u64,
    },
    /// `percent_cheaper` is nothing where the price is not known.
    CacheRead {
        tokens: u64,
        percent_cheaper: Option<u8>,
    },
    Note(Note),
    /// The call has been paid for. `cost` is nothing where the price is not known.
    Used {
        usage: Usage,
        cost: Option<Money>,
    },
}

impl fmt::Display for Event {
    /// A line for a log.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Text(text) | Event::Thinking(text) => out.write_str(text),
            Event::CallBegun { name } => write!(out, "calls `{name}`"),
            Event::Taken { request_id } => write!(out, "request {request_id}"),
            Event::Retrying { attempt, wait, because } => {
                write!(out, "try {attempt} in {:.1}s: {because}", wait.as_secs_f64())
            }
            Event::Pacing { wait } => write!(out, "waiting {:.1}s for the rate limit", wait.as_secs_f64()),
            Event::CacheCreated { tokens } => write!(out, "[CACHE] Created cache with {tokens} tokens"),
            Event::CacheRead { tokens, percent_cheaper: Some(percent) } => {
                write!(out, "[CACHE] Read {tokens} tokens from cache ({percent}% cheaper)")
            }
            Event::CacheRead { tokens, percent_cheaper: None } => {
                write!(out, "[CACHE] Read {tokens} tokens from cache")
            }
            Event::Note(Note::UnknownItem { kind }) => write!(out, "an item of the unknown kind `{kind}`"),
            Event::Note(Note::UnknownEvent { kind }) => write!(out, "an event of the unknown kind `{kind}`"),
            Event::Note(Note::ToolCallAsText) => out
                .write_str("the server prints tool calls as text: it needs a parser for this model's calls"),
            Event::Note(Note::QuestionCut { counted, sent_at_least }) => write!(
                out,
                "the server read {counted} tokens of at least {sent_at_least}: its context is too small for the question"
            ),
            Event::Note(Note::MadeUpCallId { id }) => {
                write!(out, "a call without a unique id, now called `{id}`")
            }
            Event::Used { usage, cost } => {
                write!(out, "{} tokens in, {} out", usage.question(), usage.output)?;
                match cost {
                    Some(cost) => write!(out, ", {cost}"),
                    None => out.write_str(", at an unknown price"),
                }
            }
        }
    }
}

/// Whoever wants to know.
pub trait ReplyListener: Send {
    fn hear(&mut self, event: Event);
}

/// Nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silence;

impl ReplyListener for Silence {
    fn hear(&mut self, _event: Event) {}
}

impl<F: FnMut(Event) + Send> ReplyListener for F {
    fn hear(&mut self, event: Event) {
        self(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_told_in_these_words() {
        let created = Event::CacheCreated { tokens: 1200 };
        let read = Event::CacheRead { tokens: 1200, percent_cheaper: Some(90) };
        assert_eq!(created.to_string(), "[CACHE] Created cache with 1200 tokens");
        assert_eq!(read.to_string(), "[CACHE] Read 1200 tokens from cache (90% cheaper)");
    }
}
