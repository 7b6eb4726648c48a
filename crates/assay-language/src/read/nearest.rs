//! Suggests understood sentences for one that is not understood.

use crate::NotUnderstood;

use super::acts::Misread;
use super::acts::verbs::{self, Verb};
use super::phrase::Phrase;

/// The message for a sentence without a known verb.
pub(crate) fn plain(why: impl Into<String>) -> NotUnderstood {
    NotUnderstood { why: why.into(), instead: examples(Verb::Verify) }
}

/// What is said of a clause.
pub(crate) fn to(clause: Phrase<'_>, misread: Misread) -> NotUnderstood {
    let guessed = (misread.verb == Verb::Verify).then(|| guess(clause)).flatten();
    NotUnderstood { why: misread.why, instead: examples(guessed.unwrap_or(misread.verb)) }
}

fn examples(verb: Verb) -> Vec<String> {
    verbs::sentences_with(verb).iter().map(ToString::to_string).collect()
}

/// A verb anywhere in the clause: it is about that.
fn guess(clause: Phrase<'_>) -> Option<Verb> {
    let words = clause.words();
    (0..words.len()).find_map(|at| verbs::verb(&words[at..])).map(|found| found.verb)
}
