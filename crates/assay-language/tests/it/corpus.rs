//! Sentences on pages, with what a careful reader would do and say: the measure of the whole interpreter.

use assay_language::{Hints, Intent, ground, judge, read};
use assay_protocol::{Judgement, Scene};

use crate::grounding::told;
use crate::scene_notation::{folder, page};

/// A file of `steps` is named like its page: `sentence → what is done`. Alternatives stand apart by ` | `; of a sentence
/// that holds several acts, the first are compared, apart by ` ; `.
#[test]
fn sentences_are_grounded_as_a_careful_reader_would() {
    let mut right = 0;
    let mut wrong: Vec<String> = Vec::new();
    let mut acted_wrongly: Vec<String> = Vec::new();
    for file in std::fs::read_dir(folder("steps")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let scene = page(&name);
        for line in std::fs::read_to_string(&path).unwrap().lines().filter(|line| !line.trim().is_empty()) {
            let (sentence, expected) = line.split_once(" → ").unwrap_or_else(|| panic!("{name}: {line}"));
            let got = decided(sentence, &scene);
            let alternatives: Vec<&str> = expected.split(" | ").collect();
            if alternatives.iter().any(|expected| is_as_expected(&got, expected)) {
                right += 1;
                continue;
            }
            let told = format!("{name}: {sentence} → {} (expected {expected})", got.join(" ; "));
            if got.first().is_some_and(|first| is_an_act(first)) {
                acted_wrongly.push(told.clone());
            }
            wrong.push(told);
        }
    }
    let all = right + wrong.len();
    println!("{right} of {all} are right\n{}", wrong.join("\n"));
    assert!(all >= 400, "only {all} sentences");
    assert!(acted_wrongly.is_empty(), "acted wrongly:\n{}", acted_wrongly.join("\n"));
    assert!(right * 100 >= all * 97, "{right} of {all} are right:\n{}", wrong.join("\n"));
}

fn decided(sentence: &str, scene: &Scene) -> Vec<String> {
    match read(sentence, &Hints::default()) {
        Ok(intents) => intents
            .iter()
            .map(|intent| match intent {
                Intent::Act(act) => told(&ground(act, scene, &Hints::default())),
                Intent::Claim(claim) => format!("claim {:?}", claim.about),
            })
            .collect(),
        Err(err) => vec![format!("not understood: {}", err.why)],
    }
}

fn is_as_expected(got: &[String], expected: &str) -> bool {
    let expected: Vec<&str> = expected.split(" ; ").collect();
    got.len() >= expected.len()
        && expected.iter().zip(got).all(|(expected, got)| {
            let got = got.replace(" then more", "");
            // Without `!` it is not said whether it commits.
            got == *expected
                || got.trim_end_matches('!') == *expected
                || (*expected == "scroll" && got.starts_with("scroll to"))
        })
}

fn is_an_act(told: &str) -> bool {
    !matches!(told, "unclear" | "missing" | "nothing")
        && !told.starts_with("not understood")
        && !told.starts_with("claim")
}

/// A file of `claims` is named like its page: `verdict: sentence`.
#[test]
fn claims_are_judged_as_a_careful_reader_would() {
    let mut right = 0;
    let mut wrong: Vec<String> = Vec::new();
    let mut passed_wrongly: Vec<String> = Vec::new();
    for file in std::fs::read_dir(folder("claims")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let scene = page(&name);
        for line in std::fs::read_to_string(&path).unwrap().lines().filter(|line| !line.trim().is_empty()) {
            let (expected, sentence) = line.split_once(": ").unwrap_or_else(|| panic!("{name}: {line}"));
            let (got, why) = judged(sentence, &scene);
            if got == expected {
                right += 1;
                continue;
            }
            let told = format!("{name}: {sentence} → {got} (expected {expected}): {why}");
            if got == "passed" {
                passed_wrongly.push(told.clone());
            }
            wrong.push(told);
        }
    }
    let all = right + wrong.len();
    println!("{right} of {all} are right\n{}", wrong.join("\n"));
    assert!(all >= 150, "only {all} claims");
    assert!(passed_wrongly.is_empty(), "passed wrongly:\n{}", passed_wrongly.join("\n"));
    assert!(right * 100 >= all * 97, "{right} of {all} are right:\n{}", wrong.join("\n"));
}

fn judged(sentence: &str, scene: &Scene) -> (&'static str, String) {
    judged_with(sentence, scene, &Hints::default())
}

/// The worst verdict of what a sentence claims.
pub fn judged_with(sentence: &str, scene: &Scene, hints: &Hints) -> (&'static str, String) {
    let intents = match read(sentence, hints) {
        Ok(intents) => intents,
        Err(err) => return ("not understood", err.why),
    };
    let mut worst: Option<Judgement> = None;
    for intent in intents {
        let Intent::Claim(claim) = intent else { return ("an act", format!("{intent:?}")) };
        let judged = judge(&claim, scene, hints);
        let said = Judgement {
            reason: format!("{} [{:?} negated: {}]", judged.reason, claim.about, claim.negated),
            ..judged
        };
        if worst.as_ref().is_none_or(|known| said.verdict > known.verdict) {
            worst = Some(said);
        }
    }
    worst.map_or(("nothing", String::new()), |judged| (judged.verdict.name(), judged.reason))
}
