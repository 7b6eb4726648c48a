//! "No errors or warnings": neither the one nor the other.

use crate::{About, Claim};

use super::super::lexicon::claim_verbs::{claim_verb, helper};
use super::super::lexicon::relations;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::Token;

/// What is denied of one thing or another is denied of both. None where nothing denies, or more than two are named.
pub(crate) fn neither(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<Claim>> {
    let mut alternatives = (0..phrase.len()).filter(|at| phrase.word(*at) == "or");
    let or = alternatives.next().filter(|_| alternatives.next().is_none())?;
    let is_joint = |token: &Token| token.is_mark(',') || token.is_any(&["and", "but", "either", "neither"]);
    if phrase.tokens.iter().any(is_joint) || or + 1 >= phrase.len() {
        return None;
    }
    let first = behind_denial(phrase.until(or))?;
    let tail = (or + 2..phrase.len())
        .find(|at| {
            let words = phrase.from(*at).words();
            relations::relation(&words).is_some() || helper(words[0]).is_some()
        })
        .unwrap_or(phrase.len());
    let is_short = |from: usize, to: usize| (1..=4).contains(&to.saturating_sub(from));
    if !is_short(first, or) || !is_short(or + 1, tail) {
        return None;
    }
    let (front, tokens) = (phrase.until(first), phrase.tokens);
    let with = |from: usize, to: usize| [front.tokens, &tokens[from..to], &tokens[tail..]].concat();
    let mut claims = Vec::new();
    for tokens in [with(first, or), with(or + 1, tail)] {
        let own = super::claims_or_presence(Phrase { tokens: &tokens, ..phrase }, nouns);
        let [claim] = own.as_slice() else { return None };
        // What is not denied in the end would be claimed.
        let is_none = matches!(claim.about, About::Count { count: crate::NumberIs::Exactly(0.0), .. });
        if matches!(claim.about, About::Unknown { .. }) || !claim.negated && !is_none {
            return None;
        }
        claims.extend(own);
    }
    Some(claims)
}

/// Where the first of the things that are denied begins: behind "no", or behind the verb that is denied.
fn behind_denial(front: Phrase<'_>) -> Option<usize> {
    if let Some(at) = front.find(&["no"]) {
        return Some(at + 1).filter(|next| *next < front.len());
    }
    let denies = (0..front.len()).find(|at| {
        let word = front.word(*at);
        word == "not" || helper(word) == Some(true)
    })?;
    let verb = (denies + 1..front.len()).find(|at| claim_verb(front.word(*at)).is_some())?;
    let next = verb + 1 + usize::from(front.get(verb + 1).is_some_and(|token| token.is_any(&["any"])));
    Some(next).filter(|next| *next < front.len())
}
