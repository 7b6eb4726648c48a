//! What the headers of an answer say about when to come back.

use std::time::{Duration, SystemTime};

use super::header;
use crate::moment;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Advice {
    /// How long the server asks to wait before the same call.
    pub wait: Option<Duration>,
    /// Whether it says that trying again makes sense. Overrules what the status says.
    pub should_retry: Option<bool>,
    /// Nothing is left of some limit for this long. Said by answers that succeeded, too.
    pub exhausted_for: Option<Duration>,
}

impl Advice {
    pub fn read(headers: &[(String, String)], now: SystemTime) -> Advice {
        let milliseconds = number(headers, "retry-after-ms").map(|it| it / 1000.0);
        let seconds = number(headers, "retry-after");
        let moment = || {
            let moment = moment::read_http_date(header(headers, "retry-after")?)?;
            Some(moment.duration_since(now).unwrap_or_default())
        };
        let length = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
        Advice {
            wait: milliseconds.or(seconds).and_then(length).or_else(moment),
            should_retry: match header(headers, "x-should-retry") {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            },
            exhausted_for: exhausted(headers, now),
        }
    }
}

fn number(headers: &[(String, String)], name: &str) -> Option<f64> {
    header(headers, name)?.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)
}

/// The longest time until a limit that is used up is filled again.
fn exhausted(headers: &[(String, String)], now: SystemTime) -> Option<Duration> {
    let anthropic = ["requests", "tokens", "input-tokens", "output-tokens"].map(|kind| {
        let of = |end: &str| format!("anthropic-ratelimit-{kind}-{end}");
        (of("remaining"), of("reset"))
    });
    let openai = ["requests", "tokens"]
        .map(|kind| (format!("x-ratelimit-remaining-{kind}"), format!("x-ratelimit-reset-{kind}")));
    let reset = |(remaining, reset): (String, String)| {
        if number(headers, &remaining)? > 0.0 {
            return None;
        }
        let text = header(headers, &reset)?;
        moment::read_length(text)
            .or_else(|| Some(moment::read_rfc3339(text)?.duration_since(now).unwrap_or_default()))
    };
    anthropic.into_iter().chain(openai).filter_map(reset).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(headers: &[(&str, &str)], expected: (Option<u64>, Option<bool>, Option<u64>)) {
        let headers: Vec<(String, String)> =
            headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let now = moment::read_rfc3339("2026-11-15T10:00:00Z").unwrap();
        let advice = Advice::read(&headers, now);
        let seconds = |length: Option<Duration>| length.map(|it| it.as_millis() as u64);
        assert_eq!((seconds(advice.wait), advice.should_retry, seconds(advice.exhausted_for)), expected);
    }

    #[test]
    fn waits_in_all_spellings() {
        check(&[("retry-after", "2")], (Some(2000), None, None));
        check(&[("retry-after", "2"), ("retry-after-ms", "150")], (Some(150), None, None));
        check(&[("retry-after", "Sun, 15 Nov 2026 10:00:07 GMT")], (Some(7000), None, None));
        check(&[("retry-after", "Sun, 15 Nov 2026 09:00:00 GMT")], (Some(0), None, None));
        check(&[("retry-after", "-1"), ("x-should-retry", "false")], (None, Some(false), None));
        check(&[("retry-after", "soon")], (None, None, None));
    }

    #[test]
    fn a_limit_that_is_used_up_is_waited_for() {
        check(
            &[
                ("anthropic-ratelimit-requests-remaining", "0"),
                ("anthropic-ratelimit-requests-reset", "2026-11-15T10:00:30Z"),
                ("anthropic-ratelimit-tokens-remaining", "5"),
                ("anthropic-ratelimit-tokens-reset", "2026-11-15T11:00:00Z"),
            ],
            (None, None, Some(30_000)),
        );
        check(
            &[("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "6m0s")],
            (None, None, Some(360_000)),
        );
        check(&[("x-ratelimit-remaining-tokens", "0")], (None, None, None));
    }
}
