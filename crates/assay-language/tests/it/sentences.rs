//! Sentences as testers write them, with what a careful reader takes them to mean.

use assay_language::{Act, Hints, Intent, read};

use crate::notation;

/// A sentence, then `=>` and its intents on the next line; `!!` when it is not understood.
const TABLE: &str = include_str!("sentences.txt");

struct Example {
    line: usize,
    sentence: String,
    expected: String,
}

fn examples() -> (Hints, Vec<Example>) {
    let mut hints = Hints::default();
    let mut examples = Vec::new();
    let mut sentence: Option<(usize, String)> = None;
    for (index, line) in TABLE.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with("##") {
            continue;
        }
        if let Some(key) = trimmed.strip_prefix("@page ") {
            hints.pages.insert(key.to_string(), "https://app.example.com".to_string());
        } else if let Some(key) = trimmed.strip_prefix("@element ") {
            hints.elements.insert(key.to_string(), Vec::new());
        } else if let Some(expected) = trimmed.strip_prefix("=>") {
            let (line, sentence) = sentence.take().expect("a sentence stands before its meaning");
            examples.push(Example { line, sentence, expected: expected.trim().to_string() });
        } else {
            assert!(sentence.is_none(), "line {}: the sentence before has no meaning", index + 1);
            sentence = Some((index + 1, line.to_string()));
        }
    }
    (hints, examples)
}

#[test]
fn sentences_mean_what_a_careful_reader_takes_them_to_mean() {
    let (hints, examples) = examples();
    let mut wrong = Vec::new();
    for example in &examples {
        let actual = match read(&example.sentence, &hints) {
            Ok(intents) => notation::intents(&intents).trim_end().to_string(),
            Err(_) => "!!".to_string(),
        };
        if actual != example.expected {
            let Example { line, sentence, expected } = example;
            wrong.push(format!("line {line}: {sentence}\n  expected {expected}\n  found    {actual}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} are misread:\n{}", wrong.len(), examples.len(), wrong.join("\n"));
    assert!(examples.len() >= 1000, "only {} sentences are left", examples.len());
}

#[test]
fn no_sentence_is_given_twice() {
    let (_, mut examples) = examples();
    examples.sort_by(|one, other| one.sentence.cmp(&other.sentence));
    for pair in examples.windows(2) {
        assert_ne!(pair[0].sentence, pair[1].sentence, "line {}", pair[1].line);
    }
}

#[test]
fn what_is_not_understood_says_why_and_what_would_be() {
    let error = read("Frobnicate the widget", &Hints::default()).unwrap_err();
    assert!(!error.why.is_empty() && !error.instead.is_empty());
    let error = read("Enter a valid email", &Hints::default()).unwrap_err();
    assert_eq!(error.why, "`a valid email` does not say which value goes where");
    assert!(error.instead[0].starts_with("Enter "), "{:?}", error.instead);
}

/// Where two numbers could be the month, the message asks for one that says so.
#[test]
fn a_date_in_numbers_has_to_begin_with_its_year() {
    let error = read("Set the clock to 03/04/2027", &Hints::default()).unwrap_err();
    assert_eq!(
        error.why,
        "`03/04/2027` does not say which number is the month; write the month as a word, or 2027-03-04"
    );
    assert_eq!(error.instead[0], "Set the clock to 1 March 2027");
    let error = read("Set the clock to 30 February 2027", &Hints::default()).unwrap_err();
    assert_eq!(error.why, "`30 February 2027` is no date of the calendar");
    let error = read("Emulate a Nokia 3310", &Hints::default()).unwrap_err();
    assert!(error.why.starts_with("`Nokia 3310` cannot be emulated; devices are iPhone SE"), "{}", error.why);
}

/// What people mistype must be understood or refused, and never break the reader.
#[test]
fn sentences_with_a_word_missing_or_cut_short_are_read_or_refused() {
    let (hints, examples) = examples();
    for example in examples {
        let words: Vec<&str> = example.sentence.split(' ').collect();
        for at in 0..words.len() {
            let without: Vec<&str> = [&words[..at], &words[at + 1..]].concat();
            for broken in [without.join(" "), words[..at].join(" "), words[at..].join(" ")] {
                if let Err(error) = read(&broken, &hints) {
                    assert!(!error.why.is_empty() && !error.instead.is_empty(), "{broken}");
                }
            }
        }
    }
}

#[test]
fn what_was_said_is_kept_for_messages() {
    let intents = read("Click the second Edit button in the row of \"Ada\"", &Hints::default()).unwrap();
    let [Intent::Act(Act::Click { target, .. })] = intents.as_slice() else { panic!("{intents:?}") };
    assert_eq!(target.said, "the second Edit button in the row of \"Ada\"");
    let intents =
        read("Verify that \"A\" is shown and the Save button is disabled", &Hints::default()).unwrap();
    let said: Vec<&str> = intents
        .iter()
        .map(|intent| match intent {
            Intent::Claim(claim) => claim.said.as_str(),
            Intent::Act(act) => panic!("{act:?}"),
        })
        .collect();
    assert_eq!(said, ["\"A\" is shown", "the Save button is disabled"]);
}
