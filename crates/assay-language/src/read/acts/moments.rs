//! Moments and durations in words: "1 March 2027", "March 1, 2027 at 9:30", "2 hours".

use assay_protocol::read_moment;

use super::super::lexicon::words::number_word;
use super::super::phrase::Phrase;
use super::super::token::TokenKind;
use super::Misread;
use super::verbs::Verb;

/// Milliseconds since 1970, in UTC; a date alone is noon. None for a text that is no date with a year.
///
/// Which of two numbers is the month differs from country to country, so a date in numbers has to begin with its year.
pub(super) fn moment(text: &str) -> Result<Option<i64>, Misread> {
    let words: Vec<String> =
        text.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some(first) = words.first() else { return Ok(None) };
    if is_date_in_numbers(first) && !begins_with_year(first) {
        let why = format!(
            "`{first}` does not say which number is the month; write the month as a word, or 2027-03-04"
        );
        return Err(Misread::new(Verb::Emulate, why));
    }
    let Some((date, time)) = date(&words) else { return Ok(read_whole(text)) };
    let Some(time) = time_of_day(time) else { return Ok(None) };
    match read_moment(&format!("{date}{time}")) {
        Some(moment) => Ok(Some(moment)),
        None => Err(Misread::new(Verb::Emulate, format!("`{text}` is no date of the calendar"))),
    }
}

/// With a zone, or all in one word: `2027-03-01T09:30:00+02:00`.
fn read_whole(text: &str) -> Option<i64> {
    read_moment(text).filter(|_| begins_with_year(text))
}

fn is_date_in_numbers(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['/', '-', '.']).collect();
    parts.len() == 3 && parts.iter().all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
}

fn begins_with_year(text: &str) -> bool {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    digits == 4 && text[digits..].starts_with('-')
}

/// The date as `2027-03-01`, and the words behind it.
fn date<'a>(words: &'a [&'a str]) -> Option<(String, &'a [&'a str])> {
    let (day, month, year, length) = match words {
        [date, ..] if is_date_in_numbers(date) => {
            return begins_with_year(date).then(|| ((*date).to_string(), &words[1..]));
        }
        [day, "of", month, year, ..] => (day, month, year, 4),
        [day, month, year, ..] if month_number(month).is_some() => (day, month, year, 3),
        [month, day, year, ..] => (day, month, year, 3),
        _ => return None,
    };
    let (month, day) = (month_number(month)?, day_number(day)?);
    let is_year = year.len() == 4 && year.chars().all(|c| c.is_ascii_digit());
    is_year.then(|| (format!("{year}-{month:02}-{day:02}"), &words[length..]))
}

/// By its name, whole or as its first three letters.
fn month_number(word: &str) -> Option<usize> {
    const MONTHS: &[&str] = &[
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
    ];
    let word = word.trim_end_matches('.');
    let fits = |month: &&str| *month == word || word.len() == 3 && month.starts_with(word);
    MONTHS.iter().position(fits).map(|at| at + 1)
}

/// "1", "1st".
fn day_number(word: &str) -> Option<u8> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    let is_number = matches!(digits.len(), 1..=2) && digits.chars().all(|c| c.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// `T09:30:00` for "at 9:30", empty for no time at all. None for words that are no time.
fn time_of_day(words: &[&str]) -> Option<String> {
    let words = words.strip_prefix(&["at"]).unwrap_or(words);
    let words = words.strip_suffix(&["utc"]).unwrap_or(words);
    let (clock, half) = match words {
        [] => return Some(String::new()),
        [clock, half @ ("am" | "pm")] => (*clock, Some(*half)),
        [clock] => match clock.strip_suffix("am").map(|clock| (clock, "am")) {
            Some((clock, half)) => (clock, Some(half)),
            None => match clock.strip_suffix("pm") {
                Some(clock) => (clock, Some("pm")),
                None => (*clock, None),
            },
        },
        _ => return None,
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let is_number = |part: &&str| matches!(part.len(), 1..=2) && part.chars().all(|c| c.is_ascii_digit());
    // "9" alone could be anything; "9 am" is a time.
    if !parts.iter().all(is_number) || parts.len() > 3 || parts.len() == 1 && half.is_none() {
        return None;
    }
    if parts[1..].iter().any(|part| part.len() != 2) {
        return None;
    }
    let hour: u8 = parts[0].parse().ok()?;
    let hour = match half {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some("am") => hour % 12,
        Some(_) => hour % 12 + 12,
    };
    let (minute, second) = (parts.get(1).unwrap_or(&"00"), parts.get(2).unwrap_or(&"00"));
    Some(format!("T{hour:02}:{minute}:{second}"))
}

/// "5 minutes", "an hour", "1 hour and 30 minutes", in milliseconds. None for anything else, months and years among
/// them, as they differ in length.
pub(super) fn duration(time: Phrase<'_>) -> Option<u64> {
    let mut all = 0.0;
    for part in time.listed() {
        let [number, unit] = part.tokens else { return None };
        let number = match number.kind {
            TokenKind::Number(number) => number,
            _ if number.is_any(&["a", "an"]) => 1.0,
            _ => number_word(&number.low)?,
        };
        all += number * unit_length(&unit.low)?;
    }
    (1.0..=MOST_MS).contains(&all).then_some(all as u64)
}

/// A hundred years. More is a slip of the pen.
const MOST_MS: f64 = 100.0 * 365.0 * 86_400_000.0;

fn unit_length(unit: &str) -> Option<f64> {
    Some(match unit {
        "millisecond" | "milliseconds" | "ms" => 1.0,
        "second" | "seconds" => 1_000.0,
        "minute" | "minutes" => 60_000.0,
        "hour" | "hours" => 3_600_000.0,
        "day" | "days" => 86_400_000.0,
        "week" | "weeks" => 604_800_000.0,
        _ => return None,
    })
}
