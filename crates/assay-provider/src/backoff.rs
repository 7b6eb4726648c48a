//! How long to wait before the same call is tried again, and how often.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// The waits double from `first` to `ceiling`, each less up to a quarter by chance, so that many
/// clients that were refused together do not come back together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// All tries, the first included.
    pub attempts: u32,
    pub first: Duration,
    pub ceiling: Duration,
    /// A server that asks for a longer wait than this is told to the caller instead of waited for.
    pub longest_wait: Duration,
}

impl Default for Backoff {
    fn default() -> Backoff {
        Backoff {
            attempts: 4,
            first: Duration::from_millis(500),
            ceiling: Duration::from_secs(8),
            longest_wait: Duration::from_secs(120),
        }
    }
}

impl Backoff {
    /// The wait after the failed try number `attempt`, counted from 1. `chance` is from 0 to 1.
    pub fn wait_after(&self, attempt: u32, chance: f64) -> Duration {
        let doubled =
            self.first.saturating_mul(1_u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX));
        doubled.min(self.ceiling).mul_f64(1.0 - 0.25 * chance.clamp(0.0, 1.0))
    }
}

/// A number from 0 to 1 that nobody can foresee. The keys of std's hash maps are random enough for waits.
pub(crate) fn chance() -> f64 {
    let bits = RandomState::new().build_hasher().finish();
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_ceiling() {
        let backoff = Backoff::default();
        let waits: Vec<u128> = (1..=7).map(|attempt| backoff.wait_after(attempt, 0.0).as_millis()).collect();
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 8000, 8000]);
        assert_eq!(backoff.wait_after(200, 0.0), backoff.ceiling);
    }

    #[test]
    fn chance_takes_away_up_to_a_quarter() {
        let backoff = Backoff::default();
        assert_eq!(backoff.wait_after(1, 1.0).as_millis(), 375);
        for _ in 0..100 {
            assert!((0.0..1.0).contains(&chance()));
        }
    }
}
