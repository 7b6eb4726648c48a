//! Durations and moments, as people read them.

use assay_protocol::write_moment;

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
    let moment = write_moment(i64::try_from(milliseconds).unwrap_or(i64::MAX));
    match moment.strip_suffix('Z') {
        Some(whole) if !whole.contains('.') => format!("{whole}.000Z"),
        _ => moment,
    }
}

/// `2026-11-15 10:48:52`, in UTC.
pub fn moment_words(milliseconds: u64) -> String {
    let whole = rfc3339(milliseconds);
    whole.get(..19).unwrap_or(&whole).replace('T', " ")
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
