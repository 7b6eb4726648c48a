//! Moments as people write them, as milliseconds since 1970.

/// `2027-03-01`, `2027-03-01T09:30`, `2027-03-01T09:30:15.250Z`, `…+02:00`, or milliseconds since 1970. A moment without a
/// zone is in UTC. A date alone is noon: then it is that date in every zone from -12 to +11 hours.
pub fn read_moment(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(milliseconds) = text.parse::<i64>() {
        return Some(milliseconds);
    }
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=days_in(year, month)).contains(&day)
    {
        return None;
    }
    let of_day = match time {
        None => 12 * HOUR,
        Some(time) => time_of_day(time)?,
    };
    Some(days_since_1970(year, month, day) * 24 * HOUR + of_day)
}

/// The moment in UTC, as `read_moment` reads it back.
pub fn write_moment(milliseconds: i64) -> String {
    let days = milliseconds.div_euclid(24 * HOUR);
    let of_day = milliseconds.rem_euclid(24 * HOUR);
    let (year, month, day) = civil(days);
    if !(1..=9999).contains(&year) {
        return milliseconds.to_string();
    }
    let (hour, minute) = (of_day / HOUR, of_day / MINUTE % 60);
    let (second, thousandth) = (of_day / 1000 % 60, of_day % 1000);
    let fraction = if thousandth == 0 { String::new() } else { format!(".{thousandth:03}") };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

/// Milliseconds since midnight in UTC; less than none or more than a day where the zone makes it so.
fn time_of_day(text: &str) -> Option<i64> {
    let (time, zone) = match text.find(['Z', '+', '-']) {
        Some(at) => (&text[..at], &text[at..]),
        None => (text, "Z"),
    };
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = clock.split(':').map(|part| part.parse::<i64>().ok().filter(|_| part.len() == 2));
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 || hour < 0 {
        return None;
    }
    let thousandths = format!("{fraction:0<3}").get(..3)?.parse::<i64>().ok()?;
    let offset = match zone {
        "Z" => 0,
        signed => {
            let (hours, minutes) = signed[1..].split_once(':')?;
            let minutes = hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?;
            if signed.starts_with('-') { -minutes } else { minutes }
        }
    };
    Some(hour * HOUR + (minute - offset) * MINUTE + second * 1000 + thousandths)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Howard Hinnant's `days_from_civil`.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Howard Hinnant's `civil_from_days`.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(read_moment(text).map(write_moment).as_deref(), expected, "{text}");
    }

    #[test]
    fn moments_are_read_and_written() {
        check("1970-01-01T00:00:00Z", Some("1970-01-01T00:00:00Z"));
        check("2027-03-01", Some("2027-03-01T12:00:00Z"));
        check("2027-03-01T09:30", Some("2027-03-01T09:30:00Z"));
        check("2027-03-01T00:30:15.25+02:00", Some("2027-02-28T22:30:15.250Z"));
        check("2024-02-29 23:59:59-01:00", Some("2024-03-01T00:59:59Z"));
        check("86400000", Some("1970-01-02T00:00:00Z"));
        assert_eq!(read_moment("1970-01-01T00:00Z"), Some(0));
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for wrong in
            ["", "tomorrow", "2027-13-01", "2023-02-29", "2027-03-01T25:00", "2027-03-01T9:30", "2027-03"]
        {
            check(wrong, None);
        }
    }
}
