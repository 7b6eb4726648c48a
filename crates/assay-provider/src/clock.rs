//! Time, as an argument: tests drive it, so that no test waits.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime};

pub trait Clock: Send + Sync {
    fn now(&self) -> Instant;
    /// The time of day, for servers that name a moment rather than a length.
    fn wall(&self) -> SystemTime;
    fn sleep<'a>(&'a self, length: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;
}

/// The real one.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn wall(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep<'a>(&'a self, length: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(tokio::time::sleep(length))
    }
}
