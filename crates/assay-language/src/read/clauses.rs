//! Cuts a sentence into clauses: at full stops, semicolons and "then", and at "and" and commas where a verb follows.
//!
//! Nothing is cut inside quotation marks, as they are single tokens, nor inside names such as "Terms and Conditions"
//! or "Save and Close".

use super::acts;
use super::acts::verbs::{self, Verb};
use super::claims;
use super::lexicon::application_verbs::application_verb;
use super::lexicon::inflection::Inflection;
use super::lexicon::nouns;
use super::lexicon::states;
use super::lexicon::words::{DETERMINERS, NOISE, PEOPLE};
use super::noun::Nouns;
use super::phrase::Phrase;
use super::token::Token;

pub(crate) fn split<'a>(phrase: Phrase<'a>, nouns: &Nouns<'_>) -> Vec<Phrase<'a>> {
    let mut clauses = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < phrase.len() {
        let token = &phrase.tokens[at];
        let left = phrase.part(start, at).trimmed();
        let joint = joint_length(phrase, at);
        if joint == 0 || left.is_empty() || left.tokens.iter().all(|token| token.is_any(NOISE)) {
            // "and" inside "drag and drop" is part of the verb.
            let verb = verbs::verb(&phrase.from(at).words());
            at += verb
                .filter(|found| found.length > 1 && found.form != Inflection::Past)
                .map_or(1, |found| found.length);
            continue;
        }
        let right = phrase.from(at + joint);
        let is_strong = token.is_mark(';') || token.is_mark('.') || phrase.part(at, at + joint).has("then");
        let cuts = match is_strong {
            true => {
                !right.trimmed().is_empty()
                    && !continues(left, right)
                    && (!is_lone_opening(left, nouns) || has_lead_verb(left))
            }
            false => begins_clause(left, right, token, has_actor(phrase), nouns),
        };
        if cuts {
            clauses.push(phrase.part(start, at));
            start = at + joint;
        }
        at += joint;
    }
    clauses.push(phrase.from(start));
    clauses.into_iter().map(Phrase::trimmed).filter(|clause| !clause.is_empty()).collect()
}

/// How many tokens join two clauses here: ",", "and", ", and then".
fn joint_length(phrase: Phrase<'_>, at: usize) -> usize {
    let is_joint = |token: &Token| {
        token.is_mark(',')
            || token.is_mark(';')
            || token.is_mark('.')
            || token.is_any(&["and", "then", "but"])
    };
    phrase.from(at).tokens.iter().take_while(|token| is_joint(token)).count()
}

/// "Press Tab, then Enter" and "drag A, then drop it on B" go on.
fn continues(left: Phrase<'_>, right: Phrase<'_>) -> bool {
    let first = first_verb(left);
    let keys = first == Some(Verb::Press) && acts::key_like(right.until(clause_end(right)));
    keys || first == Some(Verb::Drag) && acts::is_drop_of_drag(right)
}

fn first_verb(left: Phrase<'_>) -> Option<Verb> {
    let left = without_actor(left.trimmed().without_front(NOISE).trimmed());
    verbs::verb(&left.words()).map(|found| found.verb)
}

/// Whether a verb that acts begins these words.
fn first_act(left: Phrase<'_>) -> bool {
    let left = without_actor(left.trimmed().without_front(NOISE).trimmed());
    let only_looks = |verb: Verb| {
        matches!(
            verb,
            Verb::Verify
                | Verb::CheckOrVerify
                | Verb::See
                | Verb::Confirm
                | Verb::Wait
                | Verb::Scroll
                | Verb::Find
        )
    };
    if left.has_any(&["can", "cannot", "should", "must", "that", "able"]) {
        return false;
    }
    let is_plain = verbs::verb(&left.words())
        .is_some_and(|found| found.form != Inflection::Past && !only_looks(found.verb));
    is_plain || left.first().is_some_and(|verb| application_verb(&verb.low).is_some())
}

/// Until the next word that joins.
fn clause_end(phrase: Phrase<'_>) -> usize {
    phrase
        .tokens
        .iter()
        .position(|token| {
            token.is_mark(',') || token.is_mark(';') || token.is_mark('.') || token.is_any(&["and", "then"])
        })
        .unwrap_or(phrase.len())
}

/// "In the header": no verb, so what follows the comma belongs to it.
fn is_lone_opening(left: Phrase<'_>, nouns: &Nouns<'_>) -> bool {
    first_verb(left).is_none()
        && !claims::has_verb(left)
        && gerund(left).is_none()
        && !acts::is_about_world(left, nouns)
}

fn gerund(left: Phrase<'_>) -> Option<Verb> {
    let left = left.without_front(&["after", "when", "by", "once", "upon"]);
    verbs::verb(&left.words()).filter(|found| found.form == Inflection::Gerund).map(|found| found.verb)
}

fn without_actor(phrase: Phrase<'_>) -> Phrase<'_> {
    let plain = phrase
        .without_front(&["given", "when", "then", "and", "after", "once"])
        .without_front(&["the", "a", "an"]);
    if plain.starts_any(PEOPLE) {
        plain.from(1).without_front(&["then", "now", "also", "again"])
    } else {
        phrase
    }
}

fn has_actor(phrase: Phrase<'_>) -> bool {
    without_actor(phrase.trimmed()).len() < phrase.trimmed().len()
}

/// Whether a new clause begins behind "and" or a comma.
fn begins_clause(left: Phrase<'_>, right: Phrase<'_>, joint: &Token, acted: bool, nouns: &Nouns<'_>) -> bool {
    if is_lone_opening(left, nouns) && !has_lead_verb(left) || continues(left, right) {
        return false;
    }
    let own = right.without_front(&["please", "also", "now", "finally", "again", "immediately", "lastly"]);
    let acting = without_actor(own);
    let next_end = acting.len().min(clause_end(acting.from(1)) + 1);
    let here = acting.until(next_end);
    let words = acting.words();
    if acts::is_about_world(here, nouns) || acts::is_about_world(acting, nouns) {
        return true;
    }
    let Some(found) = verbs::verb(&words) else {
        let is_act = acting.first().is_some_and(|verb| {
            !verb.is_capital() && application_verb(&verb.low).is_some_and(|base| base == verb.low)
        });
        let has_object = acting.get(1).is_some_and(|next| next.is_any(DETERMINERS) || next.is_quoted());
        return is_act && has_object && first_act(left) || begins_claim(left, own);
    };
    if found.verb == Verb::See
        && acting.len() == own.len()
        && found.form == Inflection::Base
        && claims::has_verb(left)
    {
        return false;
    }
    let fits = match found.form {
        Inflection::Base => true,
        Inflection::Third => acting.len() < own.len() || acted,
        Inflection::Gerund => gerund(left).is_some(),
        Inflection::Past => false,
    };
    // "is focused and empty" goes on with a state.
    let is_state = states::state(&words).is_some() && here.len() == 1 && claims::has_verb(left);
    if !fits || is_state {
        return begins_claim(left, own);
    }
    let Some(verb) = acting.first() else { return false };
    // "Save and Close" is a name; behind a comma, or with an object of its own, a capital is only emphasis.
    let has_object = here.get(found.length).is_some_and(|next| next.is_any(DETERMINERS) || next.is_value());
    if verb.is_capital() && !joint.is_mark(',') && !has_object {
        return false;
    }
    if is_second_half_of_name(left, here, found.length, nouns) {
        return false;
    }
    // "and close buttons are visible" goes on with a subject.
    let is_subject = claims::has_verb(here)
        && !has_object
        && !matches!(
            found.verb,
            Verb::Verify | Verb::CheckOrVerify | Verb::Wait | Verb::Confirm | Verb::Scroll | Verb::See
        );
    !is_subject || begins_claim(left, own)
}

fn has_lead_verb(left: Phrase<'_>) -> bool {
    // "On the login page enter "x"": the verb is behind a place.
    (1..left.len()).any(|at| {
        let words = left.from(at).words();
        !left.tokens[at - 1].is_any(DETERMINERS)
            && !left.tokens[at].is_capital()
            && left.get(at + 1).is_some()
            && verbs::verb(&words)
                .is_some_and(|found| matches!(found.form, Inflection::Base | Inflection::Third))
            && nouns::noun(&[left.word(at + 1)]).is_none()
    })
}

/// "the save and close button": one name, with its noun at the end.
fn is_second_half_of_name(
    left: Phrase<'_>,
    right: Phrase<'_>,
    verb_length: usize,
    nouns: &Nouns<'_>,
) -> bool {
    let after = right.from(verb_length).trimmed();
    let is_bare_noun = after.len() == 1 && nouns::noun(&[after.word(0)]).is_some();
    let start = left.find_last(DETERMINERS);
    let has_noun =
        start.is_some_and(|start| nouns.target(left.from(start)).is_some_and(|target| target.kind.is_some()));
    let is_shared = first_verb(left) == Some(Verb::Verify)
        && after.len() > 1
        && nouns::noun(&[after.word(0)]).is_some_and(|noun| noun.plural);
    (is_bare_noun && !has_noun || is_shared) && !left.has_quoted()
}

/// `Click "Save" and the dialog closes`: an act, and what comes of it.
fn begins_claim(left: Phrase<'_>, right: Phrase<'_>) -> bool {
    let acts = first_verb(left).or_else(|| gerund(left)).is_some_and(|verb| {
        !matches!(
            verb,
            Verb::Verify | Verb::CheckOrVerify | Verb::See | Verb::Confirm | Verb::Wait | Verb::Scroll
        )
    });
    let waits = left.starts_any(&["when", "once", "after", "given", "as"]) && claims::has_verb(left);
    let sees = left.starts_any(&["when"]) && has_actor(left);
    let person = right.without_front(&["the"]).starts_any(PEOPLE);
    let has_subject = right.first().is_some_and(|first| {
        first.is_quoted()
            || first.is_any(DETERMINERS)
            || first.is("no")
            || first.is("there")
            || first.is_capital()
    });
    let end = claim_end(right);
    (acts && !claims::has_verb(left) || waits || sees || acts && person)
        && (has_subject || person)
        && claims::has_verb(right.until(end))
}

fn claim_end(right: Phrase<'_>) -> usize {
    right
        .tokens
        .iter()
        .position(|token| token.is_mark('.') || token.is_mark(';') || token.is_any(&["then"]))
        .unwrap_or(right.len())
}
