//! Whether a text denies the words that it has in it: "Order not confirmed" does not say that the order is confirmed.

use crate::ground::words::{run_at, same_word, words_of};

/// Words that turn what stands in the same clause behind them.
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "nothing", "none", "nobody", "neither", "nor", "without", "cannot", "hardly",
    "non", "unable", "cant", "wont", "dont", "didnt", "isnt", "wasnt", "couldnt", "hasnt", "havent",
];

/// Whether the words, which stand together in the text, are denied wherever they stand.
pub(crate) fn denies_run(words: &[String], text: &str) -> bool {
    let mut clauses =
        clauses(text).filter_map(|clause| run_at(words, &clause).map(|at| (clause, at))).peekable();
    if clauses.peek().is_none() {
        // They go over the end of a clause.
        let all = words_of(text);
        let Some(at) = run_at(words, &all) else { return false };
        return all[at.saturating_sub(3)..at].iter().any(|word| turns(word));
    }
    clauses.all(|(clause, at)| turned_before(&clause, at, words))
}

/// Whether the words, which stand in this order in the text, are denied, or have a denial between them.
pub(crate) fn denies_words(words: &[String], text: &str) -> bool {
    let mut found = clauses(text).filter(|clause| words.iter().all(|word| has(clause, word))).peekable();
    if found.peek().is_none() {
        let all = words_of(text);
        return all.iter().any(|word| turns(word) && !has(words, word));
    }
    found.all(|clause| {
        let last = words.last().and_then(|last| clause.iter().rposition(|word| same_word(word, last)));
        clause[..last.unwrap_or(clause.len())].iter().any(|word| turns(word) && !has(words, word))
            || failed_to(&clause)
    })
}

fn turned_before(clause: &[String], at: usize, words: &[String]) -> bool {
    clause[..at].iter().any(|word| turns(word) && !has(words, word)) || failed_to(&clause[..at])
}

fn has(words: &[String], word: &str) -> bool {
    words.iter().any(|other| same_word(other, word))
}

fn turns(word: &str) -> bool {
    NEGATIONS.contains(&word) || word.ends_with("n't")
}

/// "Failed to save", "could fail to send".
fn failed_to(clause: &[String]) -> bool {
    clause.windows(2).any(|pair| matches!(pair[0].as_str(), "failed" | "fails" | "fail") && pair[1] == "to")
}

fn clauses(text: &str) -> impl Iterator<Item = Vec<String>> {
    text.split(['.', ',', ';', '!', '?', ':', '\n', '–', '—', '|', '•'])
        .map(words_of)
        .filter(|words| !words.is_empty())
}
