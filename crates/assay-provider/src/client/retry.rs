//! What follows a try that failed: another one, or an error.

use std::time::{Duration, Instant};

use super::ModelClient;
use super::attempt::{AttemptFailure, Failed};
use crate::backoff;
use crate::error::ProviderError;
use crate::formats::RefusalKind;
use crate::transport::TransportError;

pub enum Next {
    Again { wait: Duration, because: String },
    GiveUp(ProviderError),
}

impl ModelClient {
    pub(super) fn after_failure(
        &self,
        failed: Failed,
        attempt: u32,
        started: Instant,
        deadline: Instant,
    ) -> Next {
        let may_help = match (&failed.what, failed.advice.should_retry) {
            (AttemptFailure::Refused { .. }, Some(advised)) => advised,
            (AttemptFailure::Refused { refusal, .. }, None) => refusal.kind.is_transient(),
            // Asking has no effect but its price, which the budget has counted.
            (
                AttemptFailure::Cut { .. } | AttemptFailure::Transport(TransportError::Unreachable { .. }),
                _,
            ) => true,
            (
                AttemptFailure::Transport(_)
                | AttemptFailure::Unreadable { .. }
                | AttemptFailure::TimedOut { .. },
                _,
            ) => false,
        };
        let asked_to_wait = self.asked_to_wait(&failed);
        let limit = deadline.saturating_duration_since(started);
        let error = |client: &ModelClient, failed| client.error(failed, attempt, limit, asked_to_wait);
        if !may_help || attempt >= self.backoff.attempts {
            return Next::GiveUp(error(self, failed));
        }
        let wait = match asked_to_wait {
            Some(wait) if wait > self.backoff.longest_wait => return Next::GiveUp(error(self, failed)),
            Some(wait) => wait,
            None => self.backoff.wait_after(attempt, backoff::chance()),
        };
        // A try that can only begin after the deadline is none.
        if self.clock.now() + wait >= deadline {
            return Next::GiveUp(error(self, failed));
        }
        Next::Again { wait, because: error(self, failed).to_string() }
    }

    /// The server's own wish, from the headers first.
    fn asked_to_wait(&self, failed: &Failed) -> Option<Duration> {
        let from_body = match &failed.what {
            AttemptFailure::Refused { refusal, .. } => refusal.wait,
            _ => None,
        };
        failed.advice.wait.or(from_body).or(failed.advice.exhausted_for)
    }

    fn error(&self, failed: Failed, attempts: u32, limit: Duration, wait: Option<Duration>) -> ProviderError {
        let provider = self.parts.name.clone();
        match failed.what {
            AttemptFailure::Refused { status, refusal } => {
                let message = self.scrub(&refusal.message);
                match refusal.kind {
                    RefusalKind::RateLimited => ProviderError::RateLimited {
                        provider,
                        wait,
                        until: wait.and_then(|wait| self.clock.wall().checked_add(wait)),
                        message,
                    },
                    RefusalKind::QuotaSpent => ProviderError::QuotaSpent { provider, message },
                    RefusalKind::Overloaded => ProviderError::Overloaded { provider, attempts, message },
                    RefusalKind::ServerBroke => {
                        ProviderError::ServerBroke { provider, status, attempts, message }
                    }
                    RefusalKind::NotAllowed => ProviderError::NotAllowed { provider, status, message },
                    RefusalKind::UnknownModel => {
                        let model = self.parts.model.clone();
                        ProviderError::UnknownModel { provider, model, message }
                    }
                    RefusalKind::BadRequest => {
                        ProviderError::Refused { provider, status, code: refusal.code, message }
                    }
                }
            }
            AttemptFailure::Cut { received } => ProviderError::CutStream { provider, received, attempts },
            AttemptFailure::Unreadable { expected, found } => {
                ProviderError::BadAnswer { provider, expected, found }
            }
            AttemptFailure::TimedOut { awaited, received } => {
                ProviderError::TimedOut { provider, awaited, limit, received }
            }
            AttemptFailure::Transport(TransportError::Unreachable { reason }) => {
                ProviderError::Unreachable { provider, reason: self.scrub(&reason) }
            }
            AttemptFailure::Transport(TransportError::Cut) => {
                ProviderError::CutStream { provider, received: 0, attempts }
            }
            AttemptFailure::Transport(TransportError::Cassette(error)) => ProviderError::Cassette(error),
        }
    }
}
