//! The moment by which an operation must end.

use std::time::Duration;

use tokio::time::Instant;

/// Every operation takes one. It is a moment, not a duration, so it can be passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    pub fn after(length: Duration) -> Deadline {
        Deadline(Instant::now() + length)
    }

    pub fn instant(self) -> Instant {
        self.0
    }

    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    pub fn is_past(self) -> bool {
        Instant::now() >= self.0
    }

    /// As much later.
    #[must_use]
    pub fn later(self, by: Duration) -> Deadline {
        Deadline(self.0 + by)
    }

    /// The earlier of this deadline and `length` from now.
    pub fn at_most(self, length: Duration) -> Deadline {
        Deadline(self.0.min(Instant::now() + length))
    }
}
