//! Lengths and moments, in the spellings that servers use in their headers.

use std::time::{Duration, SystemTime};

/// `12ms`, `1s`, `6m0s`, `1h30m`, `3.5s`.
pub fn read_length(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut seconds = 0.0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|it: char| !it.is_ascii_digit() && it != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let letters = rest.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(rest.len());
        seconds += number
            * match &rest[..letters] {
                "ms" => 0.001,
                "s" => 1.0,
                "m" => 60.0,
                "h" => 3600.0,
                _ => return None,
            };
        rest = &rest[letters..];
    }
    Duration::try_from_secs_f64(seconds).ok()
}

/// `2026-11-15T10:48:52Z`, with fractions and with offsets.
pub fn read_rfc3339(text: &str) -> Option<SystemTime> {
    let (date, time) = text.trim().split_once(['T', 't', ' '])?;
    let mut date = date.splitn(3, '-');
    let (year, month, day) = (number(date.next()?)?, number(date.next()?)?, number(date.next()?)?);
    let (clock, offset) = match time.find(['Z', 'z', '+', '-']) {
        Some(at) => (&time[..at], offset_seconds(&time[at..])?),
        None => return None,
    };
    let clock = clock.split('.').next()?;
    moment(year, month, day, clock, offset)
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form of HTTP that is still sent.
pub fn read_http_date(text: &str) -> Option<SystemTime> {
    let (_, rest) = text.trim().split_once(", ")?;
    let words: Vec<&str> = rest.split(' ').collect();
    let [day, month, year, clock, "GMT"] = words.as_slice() else { return None };
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = MONTHS.iter().position(|name| name == month)? as i64 + 1;
    moment(number(year)?, month, number(day)?, clock, 0)
}

fn number(text: &str) -> Option<i64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

fn offset_seconds(text: &str) -> Option<i64> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = text.get(1..)?.split_once(':')?;
    Some(sign * (number(hours)? * 3600 + number(minutes)? * 60))
}

fn moment(year: i64, month: i64, day: i64, clock: &str, offset: i64) -> Option<SystemTime> {
    let parts: Vec<i64> = clock.split(':').map(number).collect::<Option<_>>()?;
    let [hour, minute, second] = parts.as_slice() else { return None };
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || *hour > 23 || *minute > 59 || *second > 60 {
        return None;
    }
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(seconds).ok()?))
}

/// Years are counted from March, so that the leap day is the last of a year and months need no table.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(moment: Option<SystemTime>) -> Option<u64> {
        Some(moment?.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs())
    }

    #[test]
    fn lengths() {
        for (text, expected) in [
            ("12ms", Some(12)),
            ("1s", Some(1000)),
            ("6m0s", Some(360_000)),
            ("1h30m", Some(5_400_000)),
            ("3.5s", Some(3500)),
            ("", None),
            ("5", None),
            ("soon", None),
            ("1d", None),
        ] {
            assert_eq!(read_length(text).map(|it| it.as_millis()), expected, "{text}");
        }
    }

    #[test]
    fn moments() {
        assert_eq!(seconds(read_http_date("Sun, 06 Nov 1994 08:49:37 GMT")), Some(784_111_777));
        assert_eq!(seconds(read_rfc3339("1994-11-06T08:49:37Z")), Some(784_111_777));
        assert_eq!(seconds(read_rfc3339("1994-11-06T09:49:37.25+01:00")), Some(784_111_777));
        assert_eq!(seconds(read_rfc3339("2024-02-29T00:00:00Z")), Some(1_709_164_800));
        for wrong in ["", "yesterday", "1994-13-06T08:49:37Z", "1994-11-06T08:49Z", "1994-11-06T08:49:37"] {
            assert_eq!(read_rfc3339(wrong), None, "{wrong}");
        }
        assert_eq!(read_http_date("Sunday, 06-Nov-94 08:49:37 GMT"), None);
    }
}
