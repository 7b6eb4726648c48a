//! How long a step took, in gross classes: a busy machine must not look like a slower build.

use crate::finding::{Aspect, Change, Finding, Place};

/// The upper ends of the classes, in milliseconds.
const ENDS: [u64; 4] = [100, 1000, 10_000, 60_000];
/// A step of the next class must also take so many times as long, and so much longer.
const TIMES: u64 = 3;
const MARGIN_MS: u64 = 700;

pub(crate) fn class_of(ms: u64) -> &'static str {
    const NAMES: [&str; 5] = ["up to 0.1 s", "up to 1 s", "up to 10 s", "up to 1 min", "over 1 min"];
    NAMES[ENDS.iter().position(|end| ms <= *end).unwrap_or(ENDS.len())]
}

pub(crate) fn compare_times(old_ms: u64, new_ms: u64) -> Option<Finding> {
    let (less, more) = (old_ms.min(new_ms), old_ms.max(new_ms));
    let is_other_class = class_of(less) != class_of(more) && more >= less * TIMES && more - less >= MARGIN_MS;
    is_other_class.then(|| {
        let place = Place {
            page: String::new(),
            key: "#time".to_string(),
            new_key: "#time".to_string(),
            shown: "time".to_string(),
        };
        let said = |ms: u64| format!("{} ({ms} ms)", class_of(ms));
        Finding::new(Aspect::Timing, Change::Took, place, &said(old_ms), &said(new_ms))
    })
}

/// The milliseconds in the words of a finding.
pub(crate) fn milliseconds(said: &str) -> Option<u64> {
    said.rsplit_once('(')?.1.strip_suffix(" ms)")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old_ms: u64, new_ms: u64, is_other: bool) {
        let found = compare_times(old_ms, new_ms);
        assert_eq!(found.is_some(), is_other, "{old_ms} and {new_ms}: {found:?}");
    }

    #[test]
    fn only_a_class_with_a_margin_is_another_time() {
        check(90, 2000, true);
        check(2000, 90, true);
        check(90, 400, false);
        check(900, 1600, false);
        check(400, 1100, false);
        check(350, 1100, true);
        check(1200, 9000, false);
        check(3000, 15_000, true);
    }

    #[test]
    fn a_finding_gives_its_times_back() {
        let found = compare_times(90, 2000).unwrap();
        assert_eq!((milliseconds(&found.old), milliseconds(&found.new)), (Some(90), Some(2000)));
        assert_eq!(found.words(), "time: `up to 0.1 s (90 ms)` → `up to 10 s (2000 ms)`");
    }
}
