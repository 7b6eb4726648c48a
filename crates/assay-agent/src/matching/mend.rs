//! Slips of the finger: a word that nobody knows, near to one word that is known.

use std::collections::HashSet;

use assay_suite::SlotKind;

use super::fillers::{is_noise, is_story};
use super::lexicon;
use super::names::NameIndex;
use super::synonyms;
use super::texts::{is_address, is_code};
use super::tokens::{Token, stem, words_of};

pub(super) fn mend(words: &mut [Token], index: &NameIndex) {
    let mut known: Vec<String> = lexicon::words_to_mend().map(str::to_string).collect();
    let of_names = index.names.iter().flat_map(|name| std::iter::once(&name.name).chain(&name.also));
    known.extend(of_names.flat_map(|text| words_of(text)));
    let parameters =
        index.of(SlotKind::Script).filter_map(|script| script.facts["parameters"].as_array()).flatten();
    known.extend(parameters.flat_map(|one| words_of(&one.to_string())));
    known.extend(synonyms::words().map(str::to_string));
    known.sort();
    known.dedup();
    let stems: HashSet<String> = known.iter().map(|word| stem(word)).collect();
    for token in words.iter_mut().filter(|token| !token.is_mark) {
        if is_address(&token.text) || token.text.contains('.') {
            continue;
        }
        let parts: Vec<&str> = token.text.split('_').collect();
        let mended: Vec<String> = parts.iter().map(|part| mended(part, &known, &stems)).collect();
        token.text = mended.join("_");
    }
}

/// `REQ 15` is `REQ-15`, where codes begin so.
pub(super) fn join_codes(words: &mut Vec<Token>, index: &NameIndex) {
    let mut at = 0;
    while at + 1 < words.len() {
        let joined = format!("{}-{}", words[at].raw, words[at + 1].raw);
        let is_number = words[at + 1].text.chars().all(|letter| letter.is_ascii_digit());
        let is_short = words[at].text.len() <= 4 && !words[at].is_mark;
        if is_number && is_short && is_code(&joined.to_lowercase(), index) {
            let next = words.remove(at + 1);
            words[at].text = joined.to_lowercase();
            words[at].raw = joined;
            words[at].end = next.end;
        }
        at += 1;
    }
}

/// Words that compare, and are no slips: "older" is not "order".
const COMPARISONS: &[&str] =
    &["older", "younger", "newer", "longer", "shorter", "larger", "smaller", "fewer"];

/// Words that say nothing of what is wanted.
fn is_small(word: &str) -> bool {
    is_noise(word) || is_story(&stem(word))
}

/// Whether two words have the same letters in another order.
fn is_exchange(one: &str, other: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(one) == sorted(other)
}

fn mended(word: &str, known: &[String], stems: &HashSet<String>) -> String {
    let letters = word.chars().count();
    let is_word = word.chars().all(char::is_alphabetic);
    if lexicon::is_word(word) || COMPARISONS.contains(&word) {
        return word.to_string();
    }
    if !is_word || letters < 4 || stems.contains(&stem(word)) || known.iter().any(|one| one == word) {
        return word.to_string();
    }
    let most = if letters >= 8 { 2 } else { 1 };
    let first = word.chars().next();
    let mut near: Vec<(usize, &String)> = known
        .iter()
        .filter(|one| one.chars().next() == first && one.chars().count() >= 4)
        .map(|one| (strsim::damerau_levenshtein(word, one), one))
        .filter(|(distance, _)| *distance <= most)
        // A short word that is one letter away from a small one may mean itself, and would be lost.
        .filter(|(_, one)| letters >= 6 || !is_small(one) || is_exchange(word, one))
        .collect();
    near.sort();
    match near.as_slice() {
        [(_, one)] => (*one).clone(),
        [(nearest, one), (next, other), ..] if nearest < next || stem(one) == stem(other) => (*one).clone(),
        _ => word.to_string(),
    }
}
