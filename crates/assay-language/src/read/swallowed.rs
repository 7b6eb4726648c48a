//! Names that have swallowed a part of the sentence: "the file to install", "the page content to settle". A name in small
//! letters has no such words in it; where one does, the sentence was not understood.

use crate::{About, Act, Claim, Destination, Intent, Nearness, Piece, Relation, Target};

use super::acts::verbs::{self, FoundVerb};
use super::lexicon::application_verbs::application_verb;
use super::lexicon::inflection::Inflection;
use super::lexicon::words::{NAMING_VERBS, number_word};
use super::phrase::Phrase;
use super::token::Token;

/// Words that join parts of a sentence and are in no name in small letters.
const JOINING: &[&str] = &[
    "such",
    "when",
    "after",
    "before",
    "until",
    "till",
    "it",
    "that",
    "should",
    "be",
    "being",
    "been",
    "as",
    "via",
    "using",
    "so",
    "also",
    "some",
    "again",
    "has",
    "have",
    "was",
    "were",
    "will",
    "than",
    "then",
    "where",
    "who",
    "how",
    "what",
    "if",
    "while",
    "into",
    "you",
    "i",
    "them",
    "including",
    "instead",
    "because",
    "or",
    "either",
    "targeting",
    "asking",
    "following",
    "gets",
    "already",
    "initially",
    "all",
    "every",
    "each",
    "both",
    "e.g",
    "i.e",
    "eg",
    "etc",
];

/// Words that may be inside the name of a button, which begins with a verb: "add to cart", "save and close".
const IN_BUTTONS: &[&str] = &["to", "from", "and", "by", "with", "as", "the", "a", "an", "me", "all"];

/// Words that no name ends with.
const BEFORE_MORE: &[&str] = &[
    "with",
    "from",
    "for",
    "of",
    "between",
    "there",
    "here",
    "inside",
    "displayed",
    "shown",
    "based",
    "as",
    "like",
    "and",
    "or",
    "titled",
    "named",
    "called",
    "first",
    "the",
    "a",
    "an",
];

/// Words that begin no name.
const OPENING: &[&str] = &["of", "to", "from", "with", "by", "and", "or", "for", "till", "than"];

/// Nouns that end the name of a control.
const CONTROLS: &[&str] = &["button", "checkbox", "dropdown"];

/// Words that leave open which one is meant.
const ALTERNATIVES: &[&str] = &["or", "either", "when", "until", "if"];

/// Words that begin the name of a pair: "terms and conditions".
const PAIRS: &[&str] = &["terms", "drag", "copy", "questions", "privacy"];

/// Unnamed choices: which one is meant is left open.
const OPEN: &[&str] =
    &["some", "several", "multiple", "few", "various", "couple", "either", "whichever", "whatever"];

/// Makes claims about such names unknown; an act with one is answered with the name.
pub(crate) fn refuse(sentence: Phrase<'_>, intents: &mut [Intent]) -> Option<String> {
    for intent in intents {
        match intent {
            Intent::Act(act) => {
                let mut found = match act {
                    Act::Go { to: Destination::Page(name) } => in_name(sentence, name),
                    Act::Choose { options, .. } => options.iter().find_map(|option| {
                        let first = option.split(' ').next().unwrap_or_default();
                        let is_open = OPEN.contains(&first) && option.contains(' ');
                        in_name(sentence, option).or_else(|| is_open.then(|| option.clone()))
                    }),
                    _ => None,
                };
                act.visit(&mut |piece| found = found.take().or_else(|| in_piece(sentence, &piece, true)));
                if found.is_some() {
                    return found;
                }
            }
            Intent::Claim(claim) => {
                if let Some(name) = in_claim(sentence, claim) {
                    let why = format!("`{name}` is not the name of one thing");
                    claim.negated = false;
                    claim.about = About::Unknown { why };
                }
            }
        }
    }
    None
}

fn in_claim(sentence: Phrase<'_>, claim: &Claim) -> Option<String> {
    let mut found = match &claim.about {
        About::Page { name } | About::Cell { column: name, .. } => in_name(sentence, name),
        _ => None,
    };
    claim.about.visit(&mut |piece| found = found.take().or_else(|| in_piece(sentence, &piece, false)));
    found
}

/// The name of a page or a column.
fn in_name(sentence: Phrase<'_>, name: &str) -> Option<String> {
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    has_swallowed(sentence, &words).then(|| name.to_string())
}

fn in_piece(sentence: Phrase<'_>, piece: &Piece<'_>, acts: bool) -> Option<String> {
    match piece {
        Piece::Target(target, _) => in_target(sentence, target, acts),
        Piece::MaybeTarget(Some(target), _) => in_target(sentence, target, acts),
        Piece::Claim(claim) => in_claim(sentence, claim),
        _ => None,
    }
}

fn in_target(sentence: Phrase<'_>, target: &Target, acts: bool) -> Option<String> {
    let is_open = acts && target.words.first().is_some_and(|first| OPEN.contains(&first.as_str()));
    let is_counted = acts && is_quantity(target);
    // "the add file - uploads OK": a remark behind a dash.
    let has_remark =
        target.quoted.is_none() && [" - ", " – ", " — "].iter().any(|dash| target.said.contains(dash));
    let is_instead = matches!(target.words.as_slice(), [only] if matches!(only.as_str(), "place" | "couple" | "number"))
        && !acts
        && target.kind.is_none()
        && target.relations.iter().any(|relation| relation.how == Nearness::Inside);
    // "the archive to unpack", "the export job to finish": with an article, the first word is no verb.
    let said = target.said.to_lowercase();
    let has_article = said.starts_with("the ") || said.starts_with("a ");
    let is_small = !target.said.chars().any(char::is_uppercase) || target.said.starts_with("The ");
    let is_for = target.kind.is_none()
        && target.quoted.is_none()
        && has_article
        && is_small
        && target.words.len() > 2
        && target.words[1..].iter().any(|word| word == "to");
    if has_swallowed(sentence, &target.words) || is_open || is_counted || has_remark || is_instead || is_for {
        return Some(target.said.clone());
    }
    // "After the event ends" says when.
    let is_moment = |relation: &&Relation| {
        let is_time = matches!(relation.how, Nearness::After | Nearness::Before);
        is_time && !acts && relation.to.kind.is_none() && relation.to.quoted.is_none()
    };
    if let Some(moment) = target.relations.iter().find(is_moment) {
        return Some(moment.to.said.clone());
    }
    target.relations.iter().find_map(|relation| in_target(sentence, &relation.to, acts))
}

/// "3 products", "two cards": an act is on one thing.
fn is_quantity(target: &Target) -> bool {
    let mut said = target.said.split_whitespace();
    let is_number = |word: &str| {
        word.parse::<u32>().is_ok_and(|number| number > 1)
            || number_word(word).is_some_and(|number| number > 1.0)
    };
    let (Some(first), Some(second)) = (said.next(), said.next()) else { return false };
    is_number(&first.to_lowercase())
        && second.ends_with('s')
        && second.len() > 3
        && target.words.first().is_some_and(|word| *word == first.to_lowercase())
}

fn has_swallowed(sentence: Phrase<'_>, words: &[String]) -> bool {
    let (Some(first), true) = (words.first(), words.len() > 1) else { return false };
    // In capitals it is a label, which may say anything. A quotation inside the name does not part it.
    let plain: Vec<&Token> = sentence.tokens.iter().filter(|token| !token.is_quoted()).collect();
    let starts = |at: &usize| {
        words.len() <= plain.len() - at
            && words.iter().enumerate().all(|(index, word)| plain[at + index].low == *word)
    };
    let Some(run) = (0..plain.len()).find(starts).map(|at| &plain[at..at + words.len()]) else {
        return words.iter().any(|word| ALTERNATIVES.contains(&word.as_str()) || word == "and");
    };
    let ends_open = run.last().is_some_and(|last| last.is_any(BEFORE_MORE) && !last.is_capital());
    if run[0].is_capital() && (run[0].from > 0 || run[1].is_capital()) {
        let goes_on = run
            .windows(2)
            .any(|pair| pair[0].is_any(CONTROLS) && !pair.iter().any(|token| token.is_capital()));
        return goes_on
            || ends_open && !run.last().is_some_and(|last| last.is_any(&["from", "for", "as", "like"]));
    }
    let is_base = |found: FoundVerb| found.form == Inflection::Base;
    let is_verb = NAMING_VERBS.contains(&first.as_str())
        || verbs::verb(&[first.as_str()]).is_some_and(is_base)
        || application_verb(first).is_some_and(|base| base == first)
        || matches!(first.as_str(), "log" | "sign" | "back" | "thank");
    let is_joined = |word: &String| {
        let word = word.as_str();
        JOINING.contains(&word) && !(is_verb && IN_BUTTONS.contains(&word) || first == "thank")
    };
    let begins_open = OPENING.contains(&first.as_str());
    // "the button unfollows the thread": the noun of a control ends its name.
    let goes_on = words[..words.len() - 1].iter().any(|word| CONTROLS.contains(&word.as_str()));
    let has_purpose = !is_verb && words.iter().any(|word| word == "to");
    let is_pair = words.len() == 3 && PAIRS.contains(&first.as_str());
    let has_two = !is_verb && !is_pair && words.iter().any(|word| word == "and");
    words.iter().any(is_joined) || ends_open || begins_open || goes_on || has_purpose || has_two
}
