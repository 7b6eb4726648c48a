//! Durations and moments, as people read them.

/// `0.4s`, `12.3s`, `2m 05s`, `1h 02m`.
pub fn duration_words(milliseconds: u64) -> String {
    // Rounded to tenths first, so that 59.96 seconds become a minute and not `60.0s`.
    let tenths = milliseconds.saturating_add(50) / 100;
    if tenths < 600 {
        return format!("{}.{}s", tenths / 10, tenths % 10);
    }
    let seconds = milliseconds.saturating_add(500) / 1000;
    if seconds < 3600 {
        return format!("{}m {:02}s", seconds / 60, seconds % 60);
    }
    format!("{}h {:02}m", seconds / 3600, seconds % 3600 / 60)
}

/// `2026-11-15T10:48:52.123Z` for milliseconds since 1970.
pub fn rfc3339(milliseconds: u64) -> String {
    let (days, within) = (milliseconds / 86_400_000, milliseconds % 86_400_000);
    let (year, month, day) = civil_date(days);
    let (hour, minute) = (within / 3_600_000, within / 60_000 % 60);
    let (second, fraction) = (within / 1000 % 60, within % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z")
}

/// The Gregorian date of a day since 1970. Years are counted from March, so that
/// the leap day is the last of a year and months need no table.
fn civil_date(days_since_1970: u64) -> (u64, u64, u64) {
    let days = days_since_1970 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        for (milliseconds, expected) in [
            (0, "0.0s"),
            (49, "0.0s"),
            (350, "0.4s"),
            (12_345, "12.3s"),
            (59_949, "59.9s"),
            (59_950, "1m 00s"),
            (125_000, "2m 05s"),
            (3_599_499, "59m 59s"),
            (3_720_000, "1h 02m"),
        ] {
            assert_eq!(duration_words(milliseconds), expected);
        }
    }

    #[test]
    fn moments_are_dates_in_utc() {
        for (milliseconds, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
            (1_794_739_732_123, "2026-11-15T10:48:52.123Z"),
        ] {
            assert_eq!(rfc3339(milliseconds), expected);
        }
    }
}
