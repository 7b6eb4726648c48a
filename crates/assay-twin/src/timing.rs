//! How long a step took, in gross classes: a busy machine must not look like a slower build.

use crate::finding::{Aspect, Change, Finding, Place};

/// The upper ends of the classes, in milliseconds.
const ENDS: [u64; 4] = [100, 1000, 10_000, 60_000];
/// A step of the next class must also take so many times as long, and so much longer.
const TIMES: u64 = 3;
const MARGIN_MS: u64 = 700;

fn class_of(ms: u64) -> &'static str {
    const NAMES: [&str; 5] = ["up to 0.1 s", "up to 1 s", "up to 10 s", "up to 1 min", "over 1 min"];
    NAMES[ENDS.iter().position(|end| ms <= *end).unwrap_or(ENDS.len())]
}

/// The times of one step in all rounds. What the machine does besides only adds to them, so the shortest are compared; and
/// no round of one build may have been as long as any of the other.
pub(crate) fn compare_times(old: &[u64], new: &[u64]) -> Option<Finding> {
    let (least_old, least_new) = (*old.iter().min()?, *new.iter().min()?);
    let (most_old, most_new) = (*old.iter().max()?, *new.iter().max()?);
    let (less, more) = (least_old.min(least_new), least_old.max(least_new));
    let is_apart = most_old < least_new || most_new < least_old;
    let is_other_class = class_of(less) != class_of(more) && more >= less * TIMES && more - less >= MARGIN_MS;
    (is_apart && is_other_class).then(|| {
        let key = "#time".to_string();
        let place = Place { page: String::new(), new_key: key.clone(), key, shown: "time".to_string() };
        let said = |least: u64, most: u64| {
            let times = if least == most { format!("{least} ms") } else { format!("{least} to {most} ms") };
            format!("{} ({times})", class_of(least))
        };
        Finding::new(
            Aspect::Timing,
            Change::Took,
            place,
            &said(least_old, most_old),
            &said(least_new, most_new),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &[u64], new: &[u64], expected: Option<&str>) {
        assert_eq!(compare_times(old, new).map(|found| found.words()).as_deref(), expected);
    }

    #[test]
    fn only_a_class_with_a_margin_is_another_time() {
        check(&[90], &[2000], Some("time: `up to 0.1 s (90 ms)` → `up to 10 s (2000 ms)`"));
        check(&[2000], &[90], Some("time: `up to 10 s (2000 ms)` → `up to 0.1 s (90 ms)`"));
        check(&[90], &[400], None);
        check(&[900], &[1600], None);
        check(&[400], &[1100], None);
        check(&[1200], &[9000], None);
        check(&[], &[9000], None);
    }

    #[test]
    fn slow_moments_of_the_machine_are_no_slow_build() {
        check(
            &[90, 1200, 100],
            &[2600, 2700, 4000],
            Some("time: `up to 0.1 s (90 to 1200 ms)` → `up to 10 s (2600 to 4000 ms)`"),
        );
        check(&[90, 2700, 100], &[2600, 2700, 4000], None);
        check(&[90, 100], &[2600, 120], None);
    }
}
