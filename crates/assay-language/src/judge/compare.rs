//! Compares values: as versions, moments, times of day, amounts of one unit, or as texts.
//!
//! None wherever two readers could disagree: unknown units, dates without a year or with day and month in an unknown
//! order, words with their own order.

use std::cmp::Ordering;

use crate::ground::words::{fold, stem, words_of};

use super::figures::figures;

const MONTHS: &[&str] = &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: &[&str] = &["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/// Words whose order is not that of the alphabet.
const RANKED: &[&str] = &[
    "low",
    "medium",
    "high",
    "critical",
    "urgent",
    "normal",
    "minor",
    "major",
    "trivial",
    "blocker",
    "lowest",
    "highest",
    "small",
    "large",
    "s",
    "m",
    "l",
    "xl",
    "xs",
    "xxl",
    "new",
    "old",
    "open",
    "closed",
    "today",
    "yesterday",
    "tomorrow",
    "never",
    "none",
    "info",
    "warning",
    "error",
];

/// How each value stands to the next; `by` are the words for what they are sorted by.
pub(super) fn comparisons(texts: &[String], by: &[String]) -> Option<Vec<Ordering>> {
    let is_by = |list: &[&str]| by.iter().any(|word| list.contains(&word.as_str()));
    if is_by(&["version", "release"]) && !is_by(&["date"]) {
        return steps(texts, version);
    }
    if let Some(moments) = by_moment(texts) {
        return moments;
    }
    if let Some(clock) = steps(texts, time_of_day) {
        return Some(clock);
    }
    if is_by(&["date", "deadline", "created", "updated", "modified", "weekday"]) {
        return None;
    }
    let amounts: Vec<Option<Amount>> = texts.iter().map(|text| amount(text)).collect();
    if let Some(amounts) = amounts.iter().cloned().collect::<Option<Vec<_>>>() {
        let unit = &amounts[0].unit;
        return amounts
            .iter()
            .all(|one| one.unit == *unit)
            .then(|| amounts.windows(2).map(|pair| pair[0].value.total_cmp(&pair[1].value)).collect());
    }
    if amounts.iter().any(Option::is_some) {
        return None;
    }
    let alphabetical = is_by(&["name", "title", "alphabet", "alphabetically"]);
    let has_digits = texts.iter().any(|text| text.chars().any(|letter| letter.is_ascii_digit()));
    let plain: Vec<Ordering> = texts.windows(2).map(|pair| fold(&pair[0]).cmp(&fold(&pair[1]))).collect();
    if has_digits {
        // "Lamp 10" and "Lamp 9": only where the alphabet and a reader who counts agree.
        let counted: Vec<Ordering> = texts.windows(2).map(|pair| natural(&pair[0], &pair[1])).collect();
        return (alphabetical && plain == counted).then_some(plain);
    }
    if is_by(&[
        "time",
        "day",
        "month",
        "priority",
        "severity",
        "size",
        "level",
        "rank",
        "importance",
        "grade",
    ]) {
        return None;
    }
    let is_ranked = |text: &String| {
        let word = fold(text);
        RANKED.contains(&word.as_str())
            || DAYS.iter().any(|day| word.starts_with(day) && word.ends_with("day"))
            || is_month(&word)
    };
    if texts.iter().all(is_ranked) && !alphabetical {
        return None;
    }
    Some(plain)
}

fn steps<T: Ord>(texts: &[String], read: impl Fn(&str) -> Option<T>) -> Option<Vec<Ordering>> {
    let read: Option<Vec<T>> = texts.iter().map(|text| read(text)).collect();
    Some(read?.windows(2).map(|pair| pair[0].cmp(&pair[1])).collect())
}

/// `v1.10.2`.
fn version(text: &str) -> Option<Vec<u64>> {
    let text = fold(text);
    let plain = text.trim_start_matches("version").trim().trim_start_matches('v');
    plain.split('.').map(|part| part.parse().ok()).collect()
}

#[derive(Debug, Clone, PartialEq)]
struct Amount {
    value: f64,
    unit: String,
}

/// One figure with nothing around it but its unit.
fn amount(text: &str) -> Option<Amount> {
    const BEFORE: &[&str] =
        &["from", "only", "now", "price", "total", "usd", "eur", "gbp", "chf", "ab", "us"];
    let all = figures(text);
    let [figure] = all.as_slice() else { return None };
    let value = figure.value?;
    let before = words_of(&figure.before);
    if !before.iter().all(|word| BEFORE.contains(&word.as_str())) {
        return None;
    }
    let behind = words_of(&figure.behind);
    let (unit, factor) = match behind.as_slice() {
        [] => (before.iter().find(|word| word.len() == 3).cloned().unwrap_or_default(), 1.0),
        [word] => known_unit(word).unwrap_or((stem(word), 1.0)),
        several => (several.iter().map(|word| stem(word)).collect::<Vec<_>>().join(" "), 1.0),
    };
    let sign = figure.sign.map(String::from).unwrap_or_default();
    Some(Amount { value: value * factor, unit: format!("{sign}{unit}") })
}

fn known_unit(word: &str) -> Option<(String, f64)> {
    let (unit, factor) = match word {
        "b" | "byte" | "bytes" => ("byte", 1.0),
        "kb" | "kib" => ("byte", 1024.0),
        "mb" | "mib" => ("byte", 1024.0 * 1024.0),
        "gb" | "gib" => ("byte", 1024.0 * 1024.0 * 1024.0),
        "tb" | "tib" => ("byte", 1024.0 * 1024.0 * 1024.0 * 1024.0),
        "ms" => ("second", 0.001),
        "s" | "sec" | "secs" | "second" | "seconds" => ("second", 1.0),
        "min" | "mins" | "minute" | "minutes" => ("second", 60.0),
        "h" | "hr" | "hrs" | "hour" | "hours" => ("second", 3600.0),
        "d" | "day" | "days" => ("second", 86400.0),
        "g" => ("gram", 1.0),
        "kg" => ("gram", 1000.0),
        "mm" => ("metre", 0.001),
        "cm" => ("metre", 0.01),
        "km" => ("metre", 1000.0),
        _ => return None,
    };
    Some((unit.to_string(), factor))
}

/// Digits in a text count as numbers.
fn natural(one: &str, other: &str) -> Ordering {
    let parts = |text: &str| {
        let mut parts: Vec<(Option<u64>, String)> = Vec::new();
        for letter in fold(text).chars() {
            match (letter.to_digit(10), parts.last_mut()) {
                (Some(digit), Some((Some(number), _))) => {
                    *number = number.saturating_mul(10) + u64::from(digit)
                }
                (Some(digit), _) => parts.push((Some(u64::from(digit)), String::new())),
                (None, Some((None, text))) => text.push(letter),
                (None, _) => parts.push((None, letter.to_string())),
            }
        }
        parts
    };
    parts(one).cmp(&parts(other))
}

/// How each date stands to the next, where all texts are dates.
pub(crate) fn compare_moments(texts: &[String]) -> Option<Vec<Ordering>> {
    by_moment(texts).flatten()
}

/// Whether a text is a date, with or without a time.
pub(crate) fn is_moment(text: &str) -> bool {
    moment(text, true).or_else(|| moment(text, false)).is_some()
}

/// Dates with or without a time. The outer None: they are not all dates. The inner: they are, but ambiguous.
fn by_moment(texts: &[String]) -> Option<Option<Vec<Ordering>>> {
    let day_first = steps(texts, |text| moment(text, true));
    let month_first = steps(texts, |text| moment(text, false));
    match (day_first, month_first) {
        (None, None) => None,
        (Some(one), Some(other)) => Some((one == other).then_some(one)),
        (one, other) => Some(one.or(other)),
    }
}

/// Year, month, day and the second of the day.
fn moment(text: &str, day_first: bool) -> Option<[i64; 4]> {
    let text = fold(text);
    let (date, second) = split_time(&text)?;
    let words = words_of(&date);
    let figures: Vec<i64> = words.iter().filter_map(|word| ordinal_figure(word)).collect();
    if words.iter().filter(|word| word.chars().any(|letter| letter.is_ascii_digit())).count() != figures.len()
    {
        return None;
    }
    let month = words.iter().find(|word| is_month(word)).and_then(|word| {
        MONTHS.iter().position(|month| word.starts_with(month)).map(|place| place as i64 + 1)
    });
    let (year, month, day) = match (month, figures.as_slice()) {
        (Some(month), [day, year] | [year, day]) if *year > 31 && *day <= 31 => (*year, month, *day),
        (None, [year, month, day]) if *year > 31 => (*year, *month, *day),
        (None, [day, month, year]) if *year > 31 && (day_first || date.contains('.')) => {
            (*year, *month, *day)
        }
        (None, [month, day, year]) if *year > 31 => (*year, *month, *day),
        _ => return None,
    };
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some([year, month, day, second.unwrap_or(0)])
}

/// `3`, `3rd`.
fn ordinal_figure(word: &str) -> Option<i64> {
    let plain = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    plain.parse().ok()
}

pub(crate) fn is_month(word: &str) -> bool {
    const NAMES: &[&str] = &[
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "sept",
    ];
    MONTHS.contains(&word) || NAMES.contains(&word)
}

fn time_of_day(text: &str) -> Option<i64> {
    let text = fold(text);
    let (rest, second) = split_time(&text)?;
    rest.trim().is_empty().then_some(second).flatten()
}

/// What is left of a text without the time in it, and that time in seconds. None when it holds several.
fn split_time(text: &str) -> Option<(String, Option<i64>)> {
    let pattern = r"\b(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s*([ap])\.?m\b\.?)?z?";
    let joined = split_iso(text);
    let regex = regex_lite::Regex::new(pattern).ok()?;
    let mut found = regex.captures_iter(&joined);
    let Some(time) = found.next() else { return Some((text.to_string(), None)) };
    if found.next().is_some() {
        return None;
    }
    let number = |group: usize| time.get(group).and_then(|digits| digits.as_str().parse::<i64>().ok());
    let (hour, minute, second) = (number(1)?, number(2)?, number(3).unwrap_or(0));
    let hour = match time.get(4).map(|half| half.as_str()) {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some("p") => hour % 12 + 12,
        Some(_) => hour % 12,
        None => hour,
    };
    let whole = time.get(0)?;
    let rest = format!("{} {}", &joined[..whole.start()], &joined[whole.end()..]);
    (hour < 24 && minute < 60).then(|| (rest, Some(hour * 3600 + minute * 60 + second)))
}

/// `2024-01-02t23:00` with a blank where the `t` is.
fn split_iso(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    letters
        .iter()
        .enumerate()
        .map(|(at, letter)| {
            let digit = |place: Option<usize>| {
                place.and_then(|place| letters.get(place)).is_some_and(char::is_ascii_digit)
            };
            if *letter == 't' && digit(at.checked_sub(1)) && digit(Some(at + 1)) { ' ' } else { *letter }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn up(list: &[&str], by: &str) -> Option<bool> {
        let texts: Vec<String> = list.iter().map(|text| (*text).to_string()).collect();
        comparisons(&texts, &words_of(by)).map(|steps| steps.iter().all(|step| step.is_le()))
    }

    #[test]
    fn values_are_compared_as_what_they_are() {
        assert_eq!(up(&["$9.99", "$12.00", "$100.00"], "price"), Some(true));
        assert_eq!(up(&["2023-12-31", "2024-01-02"], "date"), Some(true));
        assert_eq!(up(&["31.12.2023", "02.01.2024"], "date"), Some(true));
        assert_eq!(up(&["Mar 3, 2024", "Jan 1, 2024"], "date"), Some(false));
        assert_eq!(up(&["apple", "Banana", "cherry"], "name"), Some(true));
        assert_eq!(up(&["$9", "free"], "price"), None);
        assert_eq!(up(&["1.2 GB", "300 MB"], "size"), Some(false));
        assert_eq!(up(&["300 MB", "1.2 GB"], "size"), Some(true));
        assert_eq!(up(&["10:00 AM", "9:00 AM"], "time"), Some(false));
        assert_eq!(up(&["9:00 AM", "1:00 PM"], "time"), Some(true));
        assert_eq!(up(&["2024-01-02 23:00", "2024-01-02 01:00", "2024-01-03 01:00"], "date"), Some(false));
        assert_eq!(up(&["2024-01-02T01:00", "2024-01-02T23:00"], "date"), Some(true));
        assert_eq!(up(&["Mar 3, 2024 10:00", "Apr 1, 2024 10:00"], "date"), Some(true));
        assert_eq!(up(&["$5", "-$10", "$20"], "balance"), Some(false));
        assert_eq!(up(&["$1.5k", "$2"], "price"), Some(false));
        assert_eq!(up(&["1.10", "1.9"], "version"), Some(false));
        assert_eq!(up(&["1.9", "1.10"], "version"), Some(true));
        assert_eq!(up(&["1 item", "3 items"], "count"), Some(true));
        assert_eq!(up(&["13/01/2024", "14/01/2024"], "date"), Some(true));
    }

    #[test]
    fn what_cannot_be_compared_surely_is_not() {
        assert_eq!(up(&["01/02/2024", "12/01/2023"], "date"), Some(false));
        assert_eq!(up(&["01/02/2024", "02/01/2024"], "date"), None);
        assert_eq!(up(&["Mar 1", "Jan 3"], "date"), None);
        assert_eq!(up(&["$100 $90", "$20 $15"], "price"), None);
        assert_eq!(up(&["1.000 €", "20 €"], "preis"), None);
        assert_eq!(up(&["5 kg", "3 boxes"], "amount"), None);
        assert_eq!(up(&["Friday", "Monday"], "day"), None);
        assert_eq!(up(&["Friday", "Monday"], ""), None);
        assert_eq!(up(&["High", "Low", "Medium"], "priority"), None);
        assert_eq!(up(&["Q1 2024", "Q4 2023"], "quarter"), None);
        assert_eq!(up(&["Lamp 10", "Lamp 9"], "name"), None);
        assert_eq!(up(&["Lamp 1", "Lamp 2"], "name"), Some(true));
    }
}
