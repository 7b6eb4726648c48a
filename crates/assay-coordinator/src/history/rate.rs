//! Rates with confidence intervals.

use serde::Serialize;

/// A share with the interval that holds the true one in 95 of 100 cases.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rate {
    pub hits: u64,
    pub of: u64,
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

/// The point that a normal value stays below in 97.5 of 100 cases.
const Z: f64 = 1.959_963_984_540_054;

impl Rate {
    /// By Wilson, which stays sensible with a handful of runs and at the ends, where the usual formula
    /// claims to be certain.
    pub fn new(hits: u64, of: u64) -> Rate {
        if of == 0 {
            return Rate { hits, of, share: 0.0, low: 0.0, high: 1.0 };
        }
        let (count, share) = (of as f64, hits as f64 / of as f64);
        let spread = Z * Z / count;
        let centre = (share + spread / 2.0) / (1.0 + spread);
        let reach = Z * (share * (1.0 - share) / count + spread / (4.0 * count)).sqrt() / (1.0 + spread);
        Rate { hits, of, share, low: (centre - reach).max(0.0), high: (centre + reach).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(hits: u64, of: u64, expected: (f64, f64)) {
        let rate = Rate::new(hits, of);
        let near = |one: f64, other: f64| (one - other).abs() < 0.000_05;
        assert!(near(rate.low, expected.0) && near(rate.high, expected.1), "{rate:?}");
    }

    #[test]
    fn the_interval_is_wilsons() {
        check(5, 10, (0.2366, 0.7634));
        check(0, 10, (0.0, 0.2775));
        check(10, 10, (0.7225, 1.0));
        check(1, 100, (0.0018, 0.0545));
        check(0, 0, (0.0, 1.0));
    }
}
