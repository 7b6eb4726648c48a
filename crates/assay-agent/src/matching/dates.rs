//! Days in words, for parameters that ask for the form YYYY-MM-DD: `14 March 2027` is `2027-03-14`.

use super::tokens::Token;

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

pub(super) fn asks_for_iso_date(about: &str) -> bool {
    about.to_lowercase().contains("yyyy-mm-dd")
}

/// `2027-03-14`, and no other form.
pub(super) fn is_iso_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, length: usize| -> Option<u32> {
        (part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| part.parse().ok())?
    };
    match parts.as_slice() {
        [year, month, day] => {
            number(year, 4).is_some()
                && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
                && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
        }
        _ => false,
    }
}

fn month(word: &str) -> Option<usize> {
    let is_it = |name: &str| name == word || word.len() == 3 && name.starts_with(word);
    MONTHS.iter().position(|name| is_it(name)).map(|at| at + 1)
}

/// `14`, `14th`
fn day(word: &str) -> Option<u32> {
    let ending = ["st", "nd", "rd", "th"].into_iter().find_map(|ending| word.strip_suffix(ending));
    ending.unwrap_or(word).parse().ok().filter(|day| (1..=31).contains(day))
}

/// The first day with its year, and its words.
pub(super) fn date_in(tokens: &[Token], is_free: &dyn Fn(usize) -> bool) -> Option<(Vec<usize>, String)> {
    let words: Vec<usize> =
        (0..tokens.len()).filter(|at| !matches!(tokens[*at].text.as_str(), "," | "of" | "the")).collect();
    let year = |word: &str| word.parse::<u32>().ok().filter(|year| (1900..=2200).contains(year));
    words.windows(3).find_map(|span| {
        let [one, two, three] = [0, 1, 2].map(|at| tokens[span[at]].text.as_str());
        let (day, month) = match (day(one), month(two)) {
            (Some(day), Some(month)) => (day, month),
            _ => (day(two)?, month(one)?),
        };
        let year = year(three)?;
        let places: Vec<usize> = (span[0]..=span[2]).collect();
        places.iter().all(|at| is_free(*at)).then(|| (places, format!("{year:04}-{month:02}-{day:02}")))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: Option<&str>) {
        let found = date_in(&tokens(request), &|_| true).map(|(_, date)| date);
        assert_eq!(found.as_deref(), expected, "{request}");
    }

    #[test]
    fn days_in_words_are_dates() {
        check("the timetable of 14 March 2027", Some("2027-03-14"));
        check("for the 3rd of May 2026, please", Some("2026-05-03"));
        check("March 1st, 2027", Some("2027-03-01"));
        check("of 14 March", None);
        check("2 days in 2027", None);
        assert!(is_iso_date("2027-03-14") && !is_iso_date("14-03-2027") && !is_iso_date("2027-13-01"));
    }
}
