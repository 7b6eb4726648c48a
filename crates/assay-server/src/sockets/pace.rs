//! How many packets may be on their way to a client at once.
//!
//! A client that polls reads at most 16 packets of an answer (python-engineio), and a queue that is full would take a
//! ping for a client that is gone. So a few packets are allowed, and then the client has to take them: a poll that begins
//! or a websocket that was written out says that it did. Twice as many, an answer and a ping stay below both limits.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

const AT_ONCE: usize = 6;

pub struct Pace {
    left: AtomicUsize,
    refilled: Notify,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { left: AtomicUsize::new(AT_ONCE), refilled: Notify::new() }
    }
}

impl Pace {
    /// The client took what was there.
    pub fn refill(&self) {
        self.left.store(AT_ONCE, Ordering::Relaxed);
        self.refilled.notify_waiters();
    }

    /// Waits until a packet may go out.
    pub async fn take(&self) {
        loop {
            let mut refilled = pin!(self.refilled.notified());
            // Before the look: what happens in between is not missed.
            refilled.as_mut().enable();
            let one_less = |left: usize| left.checked_sub(1);
            if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok() {
                return;
            }
            refilled.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn a_client_that_takes_nothing_is_sent_no_more() {
        let pace = Arc::new(Pace::default());
        for _ in 0..AT_ONCE {
            pace.take().await;
        }
        let waiting = Arc::clone(&pace);
        let next = tokio::spawn(async move { waiting.take().await });
        tokio::task::yield_now().await;
        assert!(!next.is_finished());
        pace.refill();
        next.await.unwrap();
    }
}
