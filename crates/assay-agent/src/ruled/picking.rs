//! Which of the offered names an answer means.

/// The candidates that an answer means: by number, by place, by name, or by a part of one name only. Nothing for an answer
/// that is none of these.
pub fn picked<'a>(answer: &str, candidates: &'a [String]) -> Vec<&'a String> {
    let answer = answer.trim().trim_end_matches(['.', '!']).to_lowercase();
    if let Some(one) = candidates.iter().find(|candidate| candidate.to_lowercase() == answer) {
        return vec![one];
    }
    if let ([one], true) = (candidates, AGREES.contains(&answer.as_str())) {
        return vec![one];
    }
    let places = places_in(&answer, candidates.len());
    if !places.is_empty() {
        return places.into_iter().map(|place| &candidates[place]).collect();
    }
    let about = without_filler(&answer);
    let likely: Vec<&String> = candidates
        .iter()
        .filter(|one| !about.is_empty() && one.to_lowercase().contains(about.join(" ").as_str()))
        .collect();
    if likely.len() == 1 { likely } else { Vec::new() }
}

/// Agrees with the only thing that is offered.
const AGREES: &[&str] =
    &["yes", "y", "yes please", "yes, please", "do it", "go ahead", "ok", "okay", "sure", "start it"];

/// Words that stand around an answer and say nothing.
const FILLER: &[&str] = &[
    "the", "a", "one", "ones", "please", "pls", "number", "no", "nr", "option", "test", "script", "take",
    "i", "mean", "meant", "and", "of", "them", "it", "is", "yes",
];

const ORDINALS: &[&str] =
    &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

fn without_filler(answer: &str) -> Vec<&str> {
    let words = answer.split(|letter: char| letter.is_whitespace() || letter == ',');
    words.filter(|word| !word.is_empty() && !FILLER.contains(word)).collect()
}

/// The places that an answer of nothing but places names; nothing if one of them is not offered.
fn places_in(answer: &str, count: usize) -> Vec<usize> {
    let words = without_filler(answer);
    match words.as_slice() {
        ["both"] if count == 2 => return vec![0, 1],
        ["all"] | ["all", "of", "them"] => return (0..count).collect(),
        // `the one`: of several, that is no answer.
        [] => return Vec::new(),
        _ => {}
    }
    let mut places = Vec::new();
    for word in words {
        let Some(place) = place_of(word, count) else { return Vec::new() };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

fn place_of(word: &str, count: usize) -> Option<usize> {
    if word == "last" {
        return count.checked_sub(1);
    }
    let by_word = ORDINALS.iter().position(|ordinal| *ordinal == word);
    let by_number = || {
        let number = word.trim_start_matches('#').trim_end_matches(['.', ')']);
        let digits =
            ["st", "nd", "rd", "th"].iter().find_map(|end| number.strip_suffix(end)).unwrap_or(number);
        digits.parse::<usize>().ok()?.checked_sub(1)
    };
    by_word.or_else(by_number).filter(|place| *place < count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, expected: &[&str]) {
        let offered = ["login_valid", "login_wrong", "checkout"].map(str::to_string);
        assert_eq!(picked(answer, &offered), expected, "{answer}");
    }

    #[test]
    fn an_answer_picks_by_number_place_and_name() {
        check("2", &["login_wrong"]);
        check("2.", &["login_wrong"]);
        check("#2", &["login_wrong"]);
        check("the 2nd", &["login_wrong"]);
        check("The second one, please", &["login_wrong"]);
        check("number 3", &["checkout"]);
        check("the last one", &["checkout"]);
        check("Checkout", &["checkout"]);
        check("the wrong one", &["login_wrong"]);
        check("1 and 3", &["login_valid", "checkout"]);
        check("all of them", &["login_valid", "login_wrong", "checkout"]);
    }

    #[test]
    fn yes_takes_the_only_one() {
        let one = ["reset_demo".to_string()];
        assert_eq!(picked("Yes.", &one), ["reset_demo"]);
        assert!(picked("no", &one).is_empty());
        check("yes", &[]);
    }

    #[test]
    fn what_fits_none_or_several_picks_nothing() {
        check("4", &[]);
        check("0", &[]);
        check("login", &[]);
        check("the one", &[]);
        check("both", &[]);
        check("which devices are free", &[]);
        check("", &[]);
    }
}
