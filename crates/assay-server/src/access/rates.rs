//! How often somebody may ask: a bucket that fills with time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// More are not remembered at once; the fullest are forgotten first, since they stand for nobody who hurries.
const MOST: usize = 4096;

struct Bucket {
    drops: f64,
    at: Instant,
}

/// One bucket for each name.
pub struct Rates {
    each_second: f64,
    burst: f64,
    buckets: Mutex<HashMap<String, Bucket>>,
}

impl Rates {
    pub fn new(each_second: f64, burst: f64) -> Rates {
        Rates { each_second, burst, buckets: Mutex::default() }
    }

    /// Takes a drop; without one, says how long to wait for the next.
    pub fn take(&self, name: &str) -> Result<(), Duration> {
        self.take_at(name, Instant::now())
    }

    fn take_at(&self, name: &str, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST && !buckets.contains_key(name) {
            let (each_second, burst) = (self.each_second, self.burst);
            buckets.retain(|_, bucket| filled(bucket, now, each_second, burst) < burst);
            if buckets.len() >= MOST {
                return Err(Duration::from_secs(1));
            }
        }
        let bucket = buckets.entry(name.to_string()).or_insert(Bucket { drops: self.burst, at: now });
        bucket.drops = filled(bucket, now, self.each_second, self.burst);
        bucket.at = now;
        if bucket.drops < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.drops) / self.each_second));
        }
        bucket.drops -= 1.0;
        Ok(())
    }

    /// Whether the next `take` would succeed; takes nothing.
    pub fn has(&self, name: &str) -> bool {
        let buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        buckets.get(name).is_none_or(|bucket| filled(bucket, now, self.each_second, self.burst) >= 1.0)
    }
}

fn filled(bucket: &Bucket, now: Instant, each_second: f64, burst: f64) -> f64 {
    let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
    (bucket.drops + passed * each_second).min(burst)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_a_rate() {
        let rates = Rates::new(10.0, 2.0);
        let begin = Instant::now();
        assert_eq!(rates.take_at("a", begin), Ok(()));
        assert_eq!(rates.take_at("a", begin), Ok(()));
        assert_eq!(rates.take_at("a", begin), Err(Duration::from_millis(100)));
        assert_eq!(rates.take_at("b", begin), Ok(()), "everybody has a bucket of their own");
        assert_eq!(rates.take_at("a", begin + Duration::from_millis(100)), Ok(()));
        assert!(rates.take_at("a", begin + Duration::from_millis(150)).is_err());
    }

    #[test]
    fn strangers_do_not_fill_the_memory() {
        let rates = Rates::new(1.0, 2.0);
        let begin = Instant::now();
        for number in 0..MOST {
            assert_eq!(rates.take_at(&number.to_string(), begin), Ok(()));
        }
        assert!(rates.take_at("one more", begin).is_err());
        assert_eq!(rates.take_at("one more", begin + Duration::from_secs(2)), Ok(()));
    }
}
