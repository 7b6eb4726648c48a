//! Waiting for one's turn: a provider that said it has nothing left is not asked until it has.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::clock::Clock;
use crate::error::ProviderError;
use crate::event::{Event, ReplyListener};
use crate::transport::Advice;

/// Shared by all questions of one client, however many are asked at once.
#[derive(Debug, Default)]
pub struct Turn {
    not_before: Mutex<Option<Instant>>,
}

impl Turn {
    pub fn note(&self, advice: &Advice, now: Instant) {
        let Some(length) = advice.exhausted_for else { return };
        let mut not_before = self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        let until = now + length;
        if not_before.is_none_or(|moment| moment < until) {
            *not_before = Some(until);
        }
    }

    pub async fn wait(
        &self,
        clock: &dyn Clock,
        deadline: Instant,
        provider: &str,
        listener: &mut dyn ReplyListener,
    ) -> Result<(), ProviderError> {
        let until = *self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        let now = clock.now();
        let Some(until) = until.filter(|until| *until > now) else { return Ok(()) };
        let wait = until - now;
        if until > deadline {
            return Err(ProviderError::RateLimited {
                provider: provider.to_string(),
                wait: Some(wait),
                until: clock.wall().checked_add(wait),
                message: "the rate limit is used up until then".to_string(),
            });
        }
        listener.hear(Event::Pacing { wait });
        clock.sleep(wait).await;
        Ok(())
    }
}
