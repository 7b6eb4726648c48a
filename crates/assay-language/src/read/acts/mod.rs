//! Verb phrases: the acts.
//!
//! Each verb has a function that reads the words after it. It never invents values that the sentence does not give:
//! "Enter a valid email" is not understood.

mod check;
mod choose;
mod click;
mod dialog;
mod enter;
mod fill;
mod keyboard;
mod moments;
mod navigate;
mod perform;
mod pointer;
mod requests;
mod session;
mod tabs;
pub(crate) mod verbs;
mod wait;
mod world;

use crate::{
    Act, ElementKind, FormProperty, Intent, Matcher, Nearness, Piece, Relation, Target, TargetRole, Toggle,
};

use super::lexicon::words::{DETERMINERS, NAMING_VERBS};
use super::noun::{Nouns, has_article};
use super::phrase::Phrase;
use verbs::Verb;

/// Why the words behind a verb were not understood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Misread {
    /// The verb, so that sentences with it can be offered.
    pub verb: Verb,
    pub why: String,
}

impl Misread {
    pub fn new(verb: Verb, why: impl Into<String>) -> Misread {
        Misread { verb, why: why.into() }
    }
}

pub(crate) type Acts = Result<Vec<Act>, Misread>;

/// "Select all messages", "Mark all as complete": the box or button that is called so, verb and all.
fn box_for_all(verb: &str, rest: Phrase<'_>) -> Act {
    let words = std::iter::once(verb).chain(rest.words()).filter(|word| *word != "the");
    let words = words.map(str::to_string).collect();
    let said = format!("{verb} {}", rest.text());
    let text = Some(Matcher::Contains("all".to_string()));
    Act::Check { targets: vec![Target { said, words, text, ..Target::default() }], to: Toggle::On }
}

/// The target of a verb that needs one.
fn needed(phrase: Phrase<'_>, verb: Verb, nouns: &Nouns<'_>) -> Result<Target, Misread> {
    let phrase = phrase.trimmed();
    if phrase.is_empty() {
        return Err(Misread::new(verb, "it does not say what is meant"));
    }
    // What a sentence before has named; in a claim, "it" could be anything that came of the acts.
    if phrase.is(&["it"])
        && nouns.antecedent.is_none()
        && let Some(mentioned) = &nouns.hints.mentioned
    {
        return Ok(mentioned.clone());
    }
    nouns
        .target(phrase)
        .filter(|target| !is_everything(target) && !is_sentence(target, phrase))
        .ok_or_else(|| Misread::new(verb, format!("`{}` is not the name of one thing", phrase.text())))
}

/// "the first suggestion", to be chosen: an entry of the list that a field has opened. In a claim the word stays a
/// word, as the page cannot always say which of its entries are suggestions.
fn suggestion(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Target> {
    let target = nouns.target(phrase).filter(|target| target.kind.is_none() && target.quoted.is_none())?;
    let is_suggestion = match target.words.as_slice() {
        [only] => only == "suggestion",
        [sort, last] => matches!(sort.as_str(), "search" | "autocomplete") && last == "suggestion",
        _ => false,
    };
    is_suggestion.then(|| Target { kind: Some(ElementKind::Option), words: Vec::new(), ..target })
}

/// A name in small letters with an article in it is rather a sentence that was not understood.
fn is_sentence(target: &Target, phrase: Phrase<'_>) -> bool {
    let plain = phrase.without_front(DETERMINERS);
    let is_name = plain.first().is_some_and(|first| first.is_capital() || first.is_any(NAMING_VERBS));
    !is_name && has_article(target)
}

/// "all checkboxes" are several, and an act is on one.
fn is_everything(target: &Target) -> bool {
    let said = target.said.to_lowercase();
    target.quoted.is_none()
        && ["all ", "every ", "each ", "all the "].iter().any(|word| said.starts_with(word))
}

/// What an act or a claim is on, so that "it" can be understood in the next clause.
pub(crate) fn main_target(intent: &Intent) -> Option<Target> {
    if !intent.form().has(FormProperty::Antecedent) {
        return None;
    }
    // What was chosen, not what it was chosen from.
    if let Intent::Act(Act::Choose { options, from }) = intent {
        return options.last().map(|option| {
            let relation = from.clone().map(|to| Relation { how: Nearness::Inside, to });
            Target {
                said: option.clone(),
                quoted: Some(option.clone()),
                kind: Some(ElementKind::Option),
                relations: relation.into_iter().collect(),
                ..Target::default()
            }
        });
    }
    let mut main = None;
    intent.visit(&mut |piece| match piece {
        Piece::Target(target, TargetRole::Main) => main = Some(target),
        Piece::MaybeTarget(target, _) => main = target.as_ref().or(main),
        Piece::Target(_, TargetRole::Other)
        | Piece::Text(..)
        | Piece::Words(_)
        | Piece::Matcher(..)
        | Piece::Number(_)
        | Piece::Claim(_)
        | Piece::Act(_) => {}
    });
    main.cloned()
}

/// Text goes into these, or something is chosen in them.
fn holds_a_value(target: &Target) -> bool {
    target.kind.is_none_or(|kind| {
        kind.takes_a_value()
            || matches!(
                kind,
                ElementKind::FileField
                    | ElementKind::Cell
                    | ElementKind::List
                    | ElementKind::Dialog
                    | ElementKind::Label
                    | ElementKind::Radio
                    | ElementKind::Figure
            )
    })
}

pub(crate) use choose::show_entries;
pub(crate) use click::{commanded, is_yes, key_like};
pub(crate) use enter::is_prompt;
pub(crate) use navigate::address;
pub(crate) use perform::perform;
pub(crate) use pointer::is_drop_of_drag;
pub(crate) use world::{is_about_world, world};

/// Whether a target is one that a value can be put into; for places that stand in front of the verb.
pub(crate) fn takes_a_value(target: &Target) -> bool {
    holds_a_value(target)
}
