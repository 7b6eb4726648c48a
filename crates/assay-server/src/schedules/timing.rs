//! When the ticks of a schedule are: a cron text in a time zone. Knows no clock.

use croner::Cron;
use croner::parser::{CronParser, Seconds};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// So many missed ticks are counted; more are told as this many.
const MOST_COUNTED: u64 = 50_000;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TimingError {
    #[error("`{cron}` is no cron text: {why}")]
    Cron { cron: String, why: String },
    #[error("`{zone}` is no time zone: expected a name such as `Europe/Berlin` or `UTC`")]
    Zone { zone: String },
    #[error("`{cron}` has no tick that ever comes")]
    Never { cron: String },
}

#[derive(Debug, Clone)]
pub struct Timing {
    cron: Cron,
    zone: TimeZone,
}

/// The tick to take now, and the earlier ones for which it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    pub at: u64,
    pub missed: u64,
}

impl Timing {
    /// Five fields (minute, hour, day, month, weekday), or six with seconds before them.
    pub fn read(cron: &str, zone: &str) -> Result<Timing, TimingError> {
        let parser = CronParser::builder().seconds(Seconds::Optional).build();
        let wrong = |why: String| TimingError::Cron { cron: cron.to_string(), why };
        let parsed = parser.parse(cron).map_err(|err| wrong(err.to_string()))?;
        let known = TimeZone::get(zone).map_err(|_| TimingError::Zone { zone: zone.to_string() })?;
        Ok(Timing { cron: parsed, zone: known })
    }

    /// The first tick after a moment, both in milliseconds since 1970; none if there is none in years.
    pub fn after(&self, at: u64) -> Option<u64> {
        let next = self.cron.find_next_occurrence(&self.zoned(at)?, false).ok()?;
        // A search that does not go on would take the same tick for ever.
        moment(&next).filter(|next| *next > at)
    }

    /// The next ticks after a moment.
    pub fn following(&self, at: u64, count: usize) -> Vec<u64> {
        std::iter::successors(self.after(at), |tick| self.after(*tick)).take(count).collect()
    }

    /// The newest tick after `settled` that is not in the future.
    pub fn due(&self, settled: u64, now: u64) -> Option<Due> {
        let mut ticks = std::iter::successors(self.after(settled), |tick| self.after(*tick))
            .take_while(|tick| *tick <= now)
            .take(MOST_COUNTED as usize + 1);
        let first = ticks.next()?;
        let (mut newest, mut missed) = (first, 0);
        for tick in ticks {
            newest = tick;
            missed += 1;
        }
        if missed == MOST_COUNTED {
            newest = self.last_up_to(now).filter(|last| *last > newest).unwrap_or(newest);
        }
        Some(Due { at: newest, missed })
    }

    fn last_up_to(&self, now: u64) -> Option<u64> {
        moment(&self.cron.find_previous_occurrence(&self.zoned(now)?, true).ok()?)
    }

    fn zoned(&self, at: u64) -> Option<Zoned> {
        // Ticks are at whole seconds.
        let at = Timestamp::from_second(i64::try_from(at / 1000).ok()?).ok()?;
        Some(at.to_zoned(self.zone.clone()))
    }

    /// A moment as the clock of the zone shows it, such as `2026-03-29T03:00:00+02:00`.
    pub fn shown(&self, at: u64) -> String {
        self.zoned(at).map_or_else(String::new, |at| at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
    }
}

fn moment(at: &Zoned) -> Option<u64> {
    u64::try_from(at.timestamp().as_millisecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> u64 {
        u64::try_from(text.parse::<Timestamp>().unwrap().as_millisecond()).unwrap()
    }

    #[track_caller]
    fn check(cron: &str, zone: &str, from: &str, expected: &[&str]) {
        let timing = Timing::read(cron, zone).unwrap();
        let found: Vec<String> =
            timing.following(at(from), expected.len()).into_iter().map(|tick| timing.shown(tick)).collect();
        assert_eq!(found, expected, "{cron} in {zone} after {from}");
    }

    #[test]
    fn ticks_are_those_of_the_clock_on_the_wall() {
        check(
            "30 7 * * 1-5",
            "Europe/Berlin",
            "2026-11-19T05:00:00Z",
            &["2026-11-19T07:30:00+01:00", "2026-11-20T07:30:00+01:00", "2026-11-23T07:30:00+01:00"],
        );
        check(
            "0 0 L * *",
            "Asia/Tokyo",
            "2028-02-01T00:00:00Z",
            &["2028-02-29T00:00:00+09:00", "2028-03-31T00:00:00+09:00"],
        );
        check("*/20 * * * * *", "UTC", "2026-01-01T00:00:20Z", &["2026-01-01T00:00:40+00:00"]);
    }

    #[test]
    fn a_tick_in_the_gap_of_spring_comes_right_after_it_and_only_once() {
        // In Berlin, 02:00 becomes 03:00 on 2026-03-29.
        check(
            "30 2 * * *",
            "Europe/Berlin",
            "2026-03-28T12:00:00Z",
            &["2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"],
        );
        check(
            "*/30 * * * *",
            "Europe/Berlin",
            "2026-03-29T00:00:00Z",
            &["2026-03-29T01:30:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-29T03:30:00+02:00"],
        );
        check(
            "30 2 * * *",
            "America/New_York",
            "2026-03-08T05:00:00Z",
            &["2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00"],
        );
    }

    #[test]
    fn a_fixed_tick_in_the_double_hour_of_autumn_comes_once_and_an_interval_comes_in_both() {
        // In Berlin, 03:00 becomes 02:00 on 2026-10-25.
        check(
            "30 2 * * *",
            "Europe/Berlin",
            "2026-10-24T12:00:00Z",
            &["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"],
        );
        check(
            "*/30 * * * *",
            "Europe/Berlin",
            "2026-10-25T00:00:00Z",
            &[
                "2026-10-25T02:30:00+02:00",
                "2026-10-25T02:00:00+01:00",
                "2026-10-25T02:30:00+01:00",
                "2026-10-25T03:00:00+01:00",
            ],
        );
    }

    #[test]
    fn missed_ticks_are_counted_and_the_newest_stands_for_them() {
        let timing = Timing::read("0 * * * *", "UTC").unwrap();
        let due = |settled: &str, now: &str| timing.due(at(settled), at(now));
        assert_eq!(due("2026-01-01T00:00:00Z", "2026-01-01T00:59:59Z"), None);
        let one = Some(Due { at: at("2026-01-01T01:00:00Z"), missed: 0 });
        assert_eq!(due("2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z"), one);
        let many = Some(Due { at: at("2026-01-02T03:00:00Z"), missed: 26 });
        assert_eq!(due("2026-01-01T00:00:00Z", "2026-01-02T03:59:00Z"), many);
        assert_eq!(due("2026-01-01T01:00:00Z", "2026-01-01T00:30:00Z"), None, "the clock went back");
    }

    #[test]
    fn a_long_absence_is_caught_up_with_the_newest_tick() {
        let timing = Timing::read("* * * * * *", "UTC").unwrap();
        let now = at("2026-01-03T00:00:00Z");
        let due = timing.due(at("2026-01-01T00:00:00Z"), now).unwrap();
        assert_eq!(due, Due { at: now, missed: MOST_COUNTED });
    }

    #[test]
    fn mistakes_are_told() {
        for (cron, zone) in [
            ("", "UTC"),
            ("* * *", "UTC"),
            ("61 * * * *", "UTC"),
            ("0 0 * * *", "Nowhere/City"),
            ("0 0 * * *", ""),
        ] {
            assert!(Timing::read(cron, zone).is_err(), "{cron} {zone}");
        }
        let never = Timing::read("0 0 30 2 *", "UTC").unwrap();
        assert_eq!(never.after(at("2026-01-01T00:00:00Z")), None);
    }
}
