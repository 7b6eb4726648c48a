//! A provider over a transport: one format, one address, one key.

mod attempt;
mod retry;
mod turn;

use std::sync::Arc;

use crate::answer::{ModelAnswer, Note};
use crate::backoff::Backoff;
use crate::budget::Reservation;
use crate::clock::{Clock, SystemClock};
use crate::conversation::Question;
use crate::error::ProviderError;
use crate::estimate;
use crate::event::{Event, ReplyListener};
use crate::formats::{Delivery, Format, FormatName};
use crate::money::Money;
use crate::price::{Price, PriceList};
use crate::provider::{Provider, Terms};
use crate::transport::{Credentials, HttpRequest, Reply, Transport};
use crate::usage::Usage;

use retry::Next;
use turn::Turn;

/// What a client needs to know.
pub struct ClientParts {
    /// For messages.
    pub name: String,
    pub model: String,
    pub format: Box<dyn Format>,
    /// Without a slash at the end.
    pub base: String,
    pub credentials: Option<(&'static str, Credentials)>,
    pub transport: Arc<dyn Transport>,
    /// Whether it runs on a machine of one's own, and costs nothing.
    pub is_free: bool,
}

/// The one implementation of [`Provider`]. Providers differ by format and address, not by code.
pub struct ModelClient {
    parts: ClientParts,
    clock: Arc<dyn Clock>,
    prices: Arc<PriceList>,
    backoff: Backoff,
    delivery: Delivery,
    turn: Turn,
}

impl ModelClient {
    pub fn new(parts: ClientParts) -> ModelClient {
        ModelClient {
            parts,
            clock: Arc::new(SystemClock),
            prices: Arc::new(PriceList::built_in()),
            backoff: Backoff::default(),
            delivery: Delivery::Streamed,
            turn: Turn::default(),
        }
    }

    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> ModelClient {
        self.clock = clock;
        self
    }

    #[must_use]
    pub fn with_prices(mut self, prices: PriceList) -> ModelClient {
        self.prices = Arc::new(prices);
        self
    }

    #[must_use]
    pub fn with_backoff(mut self, backoff: Backoff) -> ModelClient {
        self.backoff = backoff;
        self
    }

    /// For servers that cannot stream a call.
    #[must_use]
    pub fn with_delivery(mut self, delivery: Delivery) -> ModelClient {
        self.delivery = delivery;
        self
    }

    async fn answer(
        &self,
        question: &Question,
        terms: Terms<'_>,
        listener: &mut dyn ReplyListener,
    ) -> Result<ModelAnswer, ProviderError> {
        let wire = self.parts.format.write(question, &self.parts.model, self.delivery)?;
        let tokens = estimate::question_tokens(question, &wire.body);
        let least_tokens = estimate::least_question_tokens(&wire.body);
        let request = HttpRequest {
            base: self.parts.base.clone(),
            path: wire.path,
            headers: wire.headers,
            credentials: self.parts.credentials.clone(),
            body: wire.body.to_string().into_bytes(),
        };
        let started = self.clock.now();
        let mut attempt = 1;
        loop {
            self.turn.wait(&*self.clock, terms.deadline, &self.parts.name, listener).await?;
            let reservation = self.reserve(terms, tokens, question)?;
            let failed = match self.attempt(request.clone(), question, terms.deadline, listener).await {
                Ok(answer) => {
                    let answer = self.settle(answer, least_tokens, reservation, listener);
                    return self.without_key(answer);
                }
                Err(failed) => failed,
            };
            self.turn.note(&failed.advice, self.clock.now());
            if failed.was_free() {
                reservation.release();
            } else {
                // Nobody knows what it cost, so it cost what was set aside.
                drop(reservation);
            }
            match self.after_failure(failed, attempt, started, terms.deadline) {
                Next::GiveUp(error) => return Err(error),
                Next::Again { wait, because } => {
                    attempt += 1;
                    listener.hear(Event::Retrying { attempt, wait, because });
                    self.clock.sleep(wait).await;
                }
            }
        }
    }

    fn reserve(
        &self,
        terms: Terms<'_>,
        question_tokens: u64,
        question: &Question,
    ) -> Result<Reservation, ProviderError> {
        let output = u64::from(question.max_output_tokens);
        let money = self.price(question_tokens).map(|price| price.at_most(question_tokens, output));
        Ok(terms.budget.reserve(question_tokens + output, money, &self.parts.model)?)
    }

    fn price(&self, question_tokens: u64) -> Option<Price> {
        if self.parts.is_free {
            return Some(Price::FREE);
        }
        self.prices.of(&self.parts.model, question_tokens)
    }

    fn settle(
        &self,
        mut answer: ModelAnswer,
        least_tokens: u64,
        reservation: Reservation,
        listener: &mut dyn ReplyListener,
    ) -> ModelAnswer {
        let counted = answer.usage.map(|usage| usage.question());
        if let (FormatName::Chat, Some(counted)) = (answer.format, counted)
            && counted < least_tokens
        {
            answer.notes.push(Note::QuestionCut { counted, sent_at_least: least_tokens });
        }
        for note in &answer.notes {
            listener.hear(Event::Note(note.clone()));
        }
        let Some(usage) = answer.usage else {
            // A server that does not say what it used: what was set aside counts.
            drop(reservation);
            return answer;
        };
        let price = self.price(usage.question());
        answer.cost = price.map(|price| price.cost(&usage));
        reservation.settle(&usage, answer.cost);
        tell(&usage, price, answer.cost, listener);
        answer
    }

    /// An answer that quotes our key is not used: it would go on into reports, and back to the server as text.
    fn without_key(&self, answer: ModelAnswer) -> Result<ModelAnswer, ProviderError> {
        let Some((_, credentials)) = &self.parts.credentials else { return Ok(answer) };
        let said = format!("{}{}", serde_json::Value::from(answer.raw.clone()), answer.text());
        if credentials.key().is_in(said.as_bytes()) {
            return Err(ProviderError::KeyInAnswer { provider: self.parts.name.clone() });
        }
        Ok(answer)
    }

    /// A text from the other side, without the key that it may quote.
    fn scrub(&self, text: &str) -> String {
        match &self.parts.credentials {
            Some((_, credentials)) => credentials.key().scrub(text),
            None => text.to_string(),
        }
    }
}

fn tell(usage: &Usage, price: Option<Price>, cost: Option<Money>, listener: &mut dyn ReplyListener) {
    let created = usage.cache_written + usage.cache_written_long;
    if created > 0 {
        listener.hear(Event::CacheCreated { tokens: created });
    }
    if usage.cache_read > 0 {
        let percent_cheaper = price.and_then(|price| price.cache_discount_percent());
        listener.hear(Event::CacheRead { tokens: usage.cache_read, percent_cheaper });
    }
    listener.hear(Event::Used { usage: *usage, cost });
}

impl Provider for ModelClient {
    fn name(&self) -> &str {
        &self.parts.name
    }

    fn model(&self) -> &str {
        &self.parts.model
    }

    fn format(&self) -> FormatName {
        self.parts.format.name()
    }

    fn ask<'a>(
        &'a self,
        question: &'a Question,
        terms: Terms<'a>,
        listener: &'a mut dyn ReplyListener,
    ) -> Reply<'a, Result<ModelAnswer, ProviderError>> {
        Box::pin(self.answer(question, terms, listener))
    }
}
