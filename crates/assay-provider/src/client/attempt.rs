//! One try: send, receive, read.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::ModelClient;
use crate::answer::ModelAnswer;
use crate::conversation::Question;
use crate::event::{Event, ReplyListener};
use crate::formats::{Progress, ReadError, Refusal, beginning};
use crate::sse::SseReader;
use crate::transport::{Advice, HttpAnswer, HttpRequest, TransportError, header};

/// No answer of a model is longer.
const LONGEST_BODY: usize = 64 * 1024 * 1024;

/// How long to look for the end of a stream after the end of the answer. A connection that is read to
/// its end can be used again; one that is not ended then is not worth waiting for.
const LAST_LOOK: Duration = Duration::from_millis(100);

pub struct Failed {
    pub what: AttemptFailure,
    pub advice: Advice,
}

pub enum AttemptFailure {
    /// The provider said no. `status` is 200 when it said so inside an answer.
    Refused {
        status: u16,
        refusal: Refusal,
    },
    Cut {
        received: usize,
    },
    Unreadable {
        expected: &'static str,
        found: String,
    },
    TimedOut {
        awaited: &'static str,
        received: usize,
    },
    Transport(TransportError),
}

impl Failed {
    /// Whether the provider certainly took nothing for it.
    pub fn was_free(&self) -> bool {
        match &self.what {
            AttemptFailure::Refused { status, .. } => *status != 200,
            // Without a connection nothing was asked.
            AttemptFailure::Transport(_) => true,
            AttemptFailure::Cut { .. }
            | AttemptFailure::Unreadable { .. }
            | AttemptFailure::TimedOut { .. } => false,
        }
    }
}

impl From<AttemptFailure> for Failed {
    fn from(what: AttemptFailure) -> Failed {
        Failed { what, advice: Advice::default() }
    }
}

/// Every provider has its own name for it.
fn request_id(headers: &[(String, String)]) -> Option<&str> {
    ["request-id", "x-request-id"].into_iter().find_map(|name| header(headers, name))
}

impl ModelClient {
    pub(super) async fn attempt(
        &self,
        request: HttpRequest,
        question: &Question,
        deadline: Instant,
        listener: &mut dyn ReplyListener,
    ) -> Result<ModelAnswer, Failed> {
        let left = deadline.saturating_duration_since(self.clock.now());
        let sent = tokio::time::timeout(left, self.parts.transport.send(request)).await;
        let mut answer = match sent {
            Err(_) => return Err(AttemptFailure::TimedOut { awaited: "an answer", received: 0 }.into()),
            Ok(Err(TransportError::Cut)) => return Err(AttemptFailure::Cut { received: 0 }.into()),
            Ok(Err(err)) => return Err(AttemptFailure::Transport(err).into()),
            Ok(Ok(answer)) => answer,
        };
        if let Some(id) = request_id(&answer.headers) {
            listener.hear(Event::Taken { request_id: self.scrub(id) });
        }
        let advice = Advice::read(&answer.headers, self.clock.wall());
        let outcome = self.receive(&mut answer, question, deadline, listener).await;
        if outcome.is_ok() {
            self.turn.note(&advice, self.clock.now());
        }
        outcome.map_err(|what| Failed { what, advice })
    }

    async fn receive(
        &self,
        answer: &mut HttpAnswer,
        question: &Question,
        deadline: Instant,
        listener: &mut dyn ReplyListener,
    ) -> Result<ModelAnswer, AttemptFailure> {
        if !(200..300).contains(&answer.status) {
            // What cannot be read of a refusal does not change that it is one.
            let body = self.whole_body(answer, deadline).await.unwrap_or_default();
            let refusal = self.parts.format.read_refusal(answer.status, &body);
            return Err(AttemptFailure::Refused { status: answer.status, refusal });
        }
        // By what is sent, not by what was asked for: not every server streams when it is told to.
        let is_stream =
            header(&answer.headers, "content-type").is_some_and(|kind| kind.contains("event-stream"));
        let whole = if is_stream {
            self.stream(answer, deadline, listener).await?
        } else {
            let body = self.whole_body(answer, deadline).await?;
            serde_json::from_slice(&body).map_err(|_| AttemptFailure::Unreadable {
                expected: "JSON",
                found: self.scrub(&beginning(&String::from_utf8_lossy(&body))),
            })?
        };
        self.parts.format.read(whole, question).map_err(|err| self.failure(err, 0))
    }

    async fn stream(
        &self,
        answer: &mut HttpAnswer,
        deadline: Instant,
        listener: &mut dyn ReplyListener,
    ) -> Result<Value, AttemptFailure> {
        let mut reader = SseReader::default();
        let mut assembler = self.parts.format.assembler();
        let mut received = 0;
        while !assembler.is_complete() {
            let piece = match self.next_piece(answer, deadline, received).await {
                Ok(Some(piece)) => piece,
                // Whether the end came too early, the assembler knows.
                Ok(None) | Err(AttemptFailure::Transport(TransportError::Cut)) => break,
                Err(failure) => return Err(failure),
            };
            received += piece.len();
            let events = reader.read(&piece).map_err(|_| AttemptFailure::Unreadable {
                expected: "events below the size limit",
                found: "a larger event".to_string(),
            })?;
            for event in events {
                for progress in assembler.take(&event).map_err(|err| self.failure(err, received))? {
                    listener.hear(told(progress));
                }
            }
        }
        if assembler.is_complete() {
            let last = tokio::time::timeout(LAST_LOOK, answer.body.next()).await;
            drop(last);
        }
        assembler.finish().map_err(|err| self.failure(err, received))
    }

    async fn whole_body(
        &self,
        answer: &mut HttpAnswer,
        deadline: Instant,
    ) -> Result<Vec<u8>, AttemptFailure> {
        let mut body = Vec::new();
        loop {
            match self.next_piece(answer, deadline, body.len()).await {
                Ok(Some(piece)) => body.extend_from_slice(&piece),
                Ok(None) => return Ok(body),
                Err(AttemptFailure::Transport(TransportError::Cut)) => {
                    return Err(AttemptFailure::Cut { received: body.len() });
                }
                Err(failure) => return Err(failure),
            }
            if body.len() > LONGEST_BODY {
                let found = "a larger answer".to_string();
                return Err(AttemptFailure::Unreadable { expected: "an answer below the size limit", found });
            }
        }
    }

    async fn next_piece(
        &self,
        answer: &mut HttpAnswer,
        deadline: Instant,
        received: usize,
    ) -> Result<Option<Vec<u8>>, AttemptFailure> {
        let left = deadline.saturating_duration_since(self.clock.now());
        match tokio::time::timeout(left, answer.body.next()).await {
            Err(_) => Err(AttemptFailure::TimedOut { awaited: "the rest of an answer", received }),
            Ok(piece) => piece.map_err(AttemptFailure::Transport),
        }
    }

    fn failure(&self, err: ReadError, received: usize) -> AttemptFailure {
        match err {
            ReadError::Unreadable { expected, found } => {
                AttemptFailure::Unreadable { expected, found: self.scrub(&found) }
            }
            ReadError::Refused(refusal) => AttemptFailure::Refused { status: 200, refusal },
            ReadError::Cut => AttemptFailure::Cut { received },
        }
    }
}

fn told(progress: Progress) -> Event {
    match progress {
        Progress::Text(text) => Event::Text(text),
        Progress::Thinking(text) => Event::Thinking(text),
        Progress::Call { name } => Event::CallBegun { name },
        Progress::Note(note) => Event::Note(note),
    }
}
