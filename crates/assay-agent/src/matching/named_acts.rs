//! Names that are acts themselves: "cancel sailing A-12" runs the script of that name, and "I cancelled it" tells of it.

use assay_suite::SlotKind;

use super::clauses::Role;
use super::entities::{Entity, stems_of};
use super::lexicon::{concept_at, is_verb};
use super::tokens::{Token, words_of};

/// Words in front of an act that make it no order.
const NO_ORDER: &[&str] = &[
    "i", "we", "they", "he", "she", "it", "who", "somebody", "someone", "nobody", "people", "if", "when",
    "whether", "while", "after", "before", "because", "since", "that", "how", "why", "did", "do", "does",
    "was", "were", "has", "had", "have", "not", "never", "whenever", "until", "unless",
];
/// Words that make it one all the same: "I want you to …", "would you …".
const WISHES: &[&str] = &["want", "need", "like", "love", "please", "let", "lets"];
/// Verbs in the past that tell of a wish, not of an act.
const WISHED: &[&str] = &["wanted", "needed", "wondered", "hoped", "liked", "asked", "promised", "tried"];
const IRREGULAR: &[&str] = &[
    "ran", "sent", "made", "did", "told", "gave", "took", "wrote", "bought", "paid", "sold", "built",
    "began", "sold",
];

/// Whether the name that begins at this place is an order: a script, or a test that is called by an act.
pub(super) fn is_named_act(
    tokens: &[Token],
    roles: &[Role],
    entities: &[Entity<'_>],
    from: usize,
    at: usize,
) -> bool {
    let Role::Entity(place) = roles[at] else { return false };
    let entity = &entities[place];
    let length = entity.to - entity.from;
    if entity.from != at || tokens[at].quote.is_some() || length < 2 {
        return false;
    }
    let Some(first) = stems_of(&tokens[at]).into_iter().next() else { return false };
    let titles = std::iter::once(&entity.name.name).chain(&entity.name.also);
    let begins = titles.filter_map(|title| words_of(title).into_iter().next()).any(|word| {
        // "cancelled" is not "cancel".
        tokens[at].text == word
    });
    let is_act = match entity.name.kind {
        SlotKind::Script => true,
        SlotKind::Testcase => concept_at(&[first.as_str()]).is_some_and(|(concept, _)| is_verb(concept)),
        _ => false,
    };
    let before = || tokens[from..at].iter().filter(|token| !token.is_mark).map(|token| token.text.as_str());
    let is_order =
        !before().any(|word| NO_ORDER.contains(&word)) || before().any(|word| WISHES.contains(&word));
    begins && is_act && is_order
}

/// "I cancelled sailing 310", "we sent the timetable": what somebody did.
pub(super) fn tells_of_an_act(tokens: &[Token], roles: &[Role], from: usize, to: usize) -> bool {
    let is_subject = |at: usize| {
        matches!(tokens[at].text.as_str(), "i" | "we" | "they" | "he" | "she" | "somebody" | "someone")
    };
    let Some(subject) = (from..to).find(|at| is_subject(*at)) else { return false };
    let is_small = |at: usize| matches!(roles[at], Role::Filler | Role::Noise | Role::Mark);
    let Some(at) = (subject + 1..to).find(|at| !is_small(*at)) else { return false };
    let word = tokens[at].text.as_str();
    let is_past =
        word.len() > 4 && word.ends_with("ed") && !WISHED.contains(&word) || IRREGULAR.contains(&word);
    (from..subject).all(is_small) && is_past
}

/// "just so you know": what stands beside it is told, not wanted.
pub(super) fn is_for_information(tokens: &[Token]) -> bool {
    let says = |words: &[&str]| {
        tokens.windows(words.len()).any(|span| span.iter().zip(words).all(|(token, word)| token.is(word)))
    };
    says(&["so", "you", "know"]) || says(&["fyi"]) || says(&["for", "your", "information"])
}

/// "what would happen if …" asks what an act does, and wants none.
pub(super) fn supposes(tokens: &[Token]) -> bool {
    let at = |word: &str| tokens.iter().position(|token| token.is(word));
    at("if").is_some() && at("would").zip(at("happen")).is_some_and(|(would, happen)| would < happen)
}

/// "how do I run …" asks for the way.
pub(super) fn asks_how(tokens: &[Token]) -> bool {
    let words: Vec<&str> =
        tokens.iter().filter(|token| !token.is_mark).map(|token| token.text.as_str()).collect();
    words.windows(3).any(|span| {
        span[0] == "how"
            && matches!(span[1], "do" | "can" | "could" | "would" | "should" | "must")
            && matches!(span[2], "i" | "we" | "one")
    }) || words.windows(2).any(|span| span == ["how", "to"])
}
