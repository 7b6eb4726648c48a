//! The words before the verb: step numbers, Gherkin words, courtesy, who acts, where and when.

use crate::{ElementKind, Nearness, Relation};

use super::acts::verbs::{self, Verb};
use super::claims;
use super::lexicon::inflection::Inflection;
use super::lexicon::relations;
use super::lexicon::words::{DETERMINERS, GHERKIN, NOISE, PEOPLE};
use super::noun::{Nouns, relation};
use super::phrase::Phrase;
use super::token::{Token, TokenKind};

/// Words that make a step depend on something.
pub(crate) const CONDITIONS: &[&str] =
    &["if", "unless", "otherwise", "else", "repeat", "while", "maybe", "optionally", "whenever", "depending"];

/// "The user can …", "the user cannot …".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ability {
    Can,
    Not,
}

#[derive(Debug, Clone)]
pub(crate) struct Opening<'a> {
    /// From the verb on, or all of a claim.
    pub rest: Phrase<'a>,
    /// "Given …": a way to begin.
    pub given: bool,
    /// "When …", "once …", "after …": what follows is awaited, if it is a claim.
    pub waits: bool,
    /// It stands behind another clause, or begins with "then", "and" or "but": it may tell what came of something.
    pub follows: bool,
    pub ability: Option<Ability>,
    /// "In the header, …".
    pub place: Option<Relation>,
    /// Who logs in, if the sentence begins with that.
    pub who: Option<String>,
}

/// "1.", "3)", "Step 4:", "- ".
pub(crate) fn without_number(phrase: Phrase<'_>) -> Phrase<'_> {
    let is_mark = |token: &Token| matches!(token.kind, TokenKind::Mark(_));
    let phrase =
        phrase.from(phrase.tokens.iter().take_while(|token| is_mark(token) && !token.is_mark('(')).count());
    let named = phrase.from(usize::from(phrase.starts_any(&["step", "steps"])));
    let is_number = |at: usize| matches!(named.get(at).map(|token| token.kind), Some(TokenKind::Number(_)));
    let mut at = 0;
    if named.first().is_some_and(|token| token.is_mark('(')) {
        at = 1;
    }
    let closes =
        named.get(at + 1).is_some_and(|token| matches!(token.kind, TokenKind::Mark('.' | ')' | ':' | '-')));
    if is_number(at) && closes {
        return named.from(at + 2);
    }
    if named.len() < phrase.len() && named.first().is_some_and(|token| token.is_mark(':')) {
        return named.from(1);
    }
    phrase
}

pub(crate) fn open<'a>(phrase: Phrase<'a>, nouns: &Nouns<'_>) -> Opening<'a> {
    let mut opening = Opening {
        rest: phrase.trimmed(),
        given: false,
        waits: false,
        follows: false,
        ability: None,
        place: None,
        who: None,
    };
    opening.rest = without_label(opening.rest);
    opening.follows = opening.rest.starts_any(&["then", "and", "but"]);
    opening.rest = gherkin(&mut opening);
    opening.rest = without_noise(opening.rest);
    // `Now "Autumn" should be there`: the word only leads on.
    let next = opening.rest.get(1);
    if opening.rest.word(0) == "now"
        && next
            .is_some_and(|next| next.is_quoted() || next.is_any(&["the", "a", "an", "there", "only", "no"]))
    {
        opening.rest = opening.rest.from(1);
    }
    opening.rest = time(&mut opening);
    opening.rest = place(&mut opening, nouns);
    // "When back on the cart page, …": a place, and nothing to wait for.
    opening.waits &= opening.place.is_none();
    opening.rest = without_noise(opening.rest);
    opening.rest = actor(&mut opening);
    opening.rest = without_noise(opening.rest);
    opening
}

/// "Expected result: …", "Expected behaviour: …".
fn without_label(rest: Phrase<'_>) -> Phrase<'_> {
    let after = rest.without_front(&["expected", "actual"]).without_front(&[
        "behaviour",
        "behavior",
        "result",
        "results",
        "outcome",
    ]);
    let is_label = after.len() < rest.len() && after.first().is_some_and(|next| next.is_mark(':'));
    if is_label && !rest.starts_any(&["actual"]) { after.from(1).trimmed() } else { rest }
}

fn gherkin<'a>(opening: &mut Opening<'a>) -> Phrase<'a> {
    let rest = opening.rest;
    if !rest.starts_any(GHERKIN) || rest.len() < 2 {
        return rest;
    }
    opening.given = rest.starts_any(&["given"]);
    opening.waits = rest.starts_any(&["when"]);
    let rest = rest.from(1).trimmed();
    if rest.starts_any(&["that"]) && opening.given { rest.from(1) } else { rest }
}

fn without_noise(mut rest: Phrase<'_>) -> Phrase<'_> {
    loop {
        rest = rest.trimmed();
        let Some(first) = rest.first() else { return rest };
        if rest.starts(&["be", "sure", "to"]) || rest.starts(&["in", "order", "to"]) {
            rest = rest.from(3);
            continue;
        }
        // "Back in the form, …".
        if first.is("back") && matches!(rest.word(1), "in" | "on" | "at") {
            rest = rest.from(1);
            continue;
        }
        let tries = first.is_any(&[
            "try", "tries", "attempt", "attempts", "need", "needs", "want", "wants", "chooses", "decides",
        ]);
        if tries && rest.word(1) == "to" {
            rest = rest.from(2);
            continue;
        }
        // "Try adding the lamp".
        let doing = verbs::verb(&rest.from(1).words()).is_some_and(|found| found.form == Inflection::Gerund);
        if first.is_any(&["try", "tries"]) && doing {
            rest = rest.from(1);
            continue;
        }
        if !first.is_any(NOISE) || rest.len() < 2 {
            return rest;
        }
        // "First name is required", "Next page" and "Now playing" are names; "First, click" and "now click" are not.
        let always =
            first.is_any(&["please", "kindly", "then", "and", "also", "finally", "afterwards", "but", "so"]);
        let before_comma = rest.get(1).is_some_and(|next| next.is_mark(','));
        let words = rest.from(1).words();
        let before_verb = verbs::verb(&words)
            .is_some_and(|found| matches!(found.form, Inflection::Base | Inflection::Third))
            && !claims::has_verb(rest.from(1))
            || rest
                .get(1)
                .is_some_and(|next| next.is_any(PEOPLE) || next.is_any(NOISE) || next.is_any(&["the"]));
        if !always && !before_comma && !before_verb {
            return rest;
        }
        rest = rest.from(1);
    }
}

fn time<'a>(opening: &mut Opening<'a>) -> Phrase<'a> {
    let rest = opening.rest;
    let length = if rest.starts(&["as", "soon", "as"]) {
        3
    } else if rest.starts_any(&["when", "once", "after", "upon", "by"]) && rest.len() > 1 {
        1
    } else {
        return rest;
    };
    let after = rest.from(length);
    let is_gerund = verbs::verb(&after.words()).is_some_and(|found| found.form == Inflection::Gerund);
    if is_gerund || claims::has_verb(after) || starts_with_person(after) {
        opening.waits = true;
        return after;
    }
    rest
}

fn starts_with_person(phrase: Phrase<'_>) -> bool {
    phrase.without_front(&["the", "a", "an"]).starts_any(PEOPLE)
}

/// A place in front of the verb, with or without a comma behind it.
fn place<'a>(opening: &mut Opening<'a>, nouns: &Nouns<'_>) -> Phrase<'a> {
    let rest = opening.rest;
    let Some((how, length)) = relations::relation(&rest.words()) else { return rest };
    if matches!(how, Nearness::Containing | Nearness::After | Nearness::Before | Nearness::Between) {
        return rest;
    }
    let comma = rest.tokens.iter().position(|token| token.is_mark(','));
    let mut best = None;
    for at in length + 1..rest.len() {
        let is_comma = comma == Some(at);
        // `Under "To order" the list contains …`: after a whole name another thing begins.
        let is_next_thing = at == length + 1
            && rest.tokens[length].is_quoted()
            && rest.tokens[at].is_any(&["the", "a", "an"]);
        if !is_comma && !is_next_thing && !is_verb_here(rest, at) {
            continue;
        }
        let Some(target) = nouns.target(rest.part(length, at)) else { continue };
        let has_kind = target.kind.is_some();
        if is_comma || is_next_thing || has_kind || best.is_none() {
            best = Some((target, if is_comma { at + 1 } else { at }));
        }
        if is_comma || is_next_thing || has_kind {
            break;
        }
    }
    let Some((target, at)) = best else { return rest };
    // "On sale items are shown" has no place in front; a place is followed by somebody or by a verb.
    opening.place =
        Some(if how == Nearness::Inside { relation(how, target) } else { Relation { how, to: target } });
    // "In one of them": nothing that could be found. `In the filter "Status"` is a place with a name.
    let is_nothing = |place: &Relation| place.to.kind == Some(ElementKind::Any) && place.to.is_nameless();
    if opening.place.as_ref().is_some_and(is_nothing) {
        opening.place = None;
    }
    rest.from(at).trimmed()
}

/// A verb in lower case that can begin the main part of a sentence.
fn is_verb_here(rest: Phrase<'_>, at: usize) -> bool {
    let token = &rest.tokens[at];
    let words = rest.from(at).words();
    let is_verb =
        verbs::verb(&words).is_some_and(|found| matches!(found.form, Inflection::Base | Inflection::Third));
    let speaks = token.is("it") && matches!(rest.word(at + 1), "says" | "reads" | "shows" | "states");
    let is_someone =
        speaks || token.is_any(&["i", "we", "you"]) || token.is("the") && PEOPLE.contains(&rest.word(at + 1));
    // "in the search field": the noun is not the verb.
    let is_noun = at > 0 && rest.tokens[at - 1].is_any(DETERMINERS);
    (is_verb && !token.is_capital() && !is_noun) || is_someone
}

/// "Hanne clicks": a name, and what only people do.
fn is_person_called(rest: Phrase<'_>) -> bool {
    const OF_PEOPLE: &[&str] = &[
        "clicks",
        "enters",
        "signs",
        "logs",
        "chooses",
        "selects",
        "picks",
        "presses",
        "navigates",
        "fills",
        "ticks",
        "unticks",
        "taps",
    ];
    const NO_NAMES: &[&str] = &[
        "double",
        "triple",
        "right",
        "left",
        "middle",
        "never",
        "always",
        "nobody",
        "nothing",
        "everything",
        "everybody",
        "everyone",
        "somebody",
        "someone",
        "no",
        "only",
        "start",
        "end",
        "next",
        "previous",
    ];
    let is_name = |token: &Token| {
        token.kind == TokenKind::Word
            && token.is_capital()
            && super::lexicon::nouns::noun(&[token.low.as_str()]).is_none()
            && verbs::verb(&[token.low.as_str()]).is_none()
            && super::lexicon::application_verbs::application_verb(&token.low).is_none()
            && !token.is_any(DETERMINERS)
            && !token.is_any(NO_NAMES)
    };
    // "Status goes to 3" tells of a value.
    let goes_to_a_page = rest.word(1) == "goes"
        && rest.word(2) == "to"
        && (rest.last().is_some_and(|last| last.is("page"))
            || rest.tokens.iter().any(|token| matches!(token.kind, TokenKind::Url | TokenKind::Path)));
    rest.len() > 2
        && rest.first().is_some_and(is_name)
        && (OF_PEOPLE.contains(&rest.word(1)) || goes_to_a_page)
}

/// "The user clicks", "I should click", "you can click".
fn actor<'a>(opening: &mut Opening<'a>) -> Phrase<'a> {
    let rest = opening.rest;
    let plain = rest.without_front(&["the", "a", "an", "that"]);
    if is_person_called(rest) {
        return rest.from(1);
    }
    // `The user "ada" logs in`, `"ada" signs in`.
    let named = plain.from(usize::from(plain.starts_any(PEOPLE)));
    if let Some(name) = named.first().filter(|name| name.is_quoted()) {
        let does = named.from(1).without_front(&["has"]);
        if verbs::verb(&does.words()).is_some_and(|found| found.verb == Verb::LogIn) {
            opening.who = Some(name.text.clone());
            return does;
        }
    }
    if !plain.starts_any(PEOPLE) {
        return rest;
    }
    let mut after = plain.from(1);
    // "the admin user", "logged in user".
    if after.starts_any(&["user"]) {
        after = after.from(1);
    }
    let mut ability = None;
    let mut obliged = false;
    loop {
        let length = match (after.word(0), after.word(1), after.word(2)) {
            ("can" | "could", "not", _) => {
                ability = Some(Ability::Not);
                2
            }
            ("cannot" | "can't" | "couldn't", _, _) => {
                ability = Some(Ability::Not);
                1
            }
            ("can" | "could", _, _) => {
                ability = ability.or(Some(Ability::Can));
                1
            }
            ("is" | "am" | "are" | "be", "not", "able") if after.word(3) == "to" => {
                ability = Some(Ability::Not);
                4
            }
            ("is" | "am" | "are" | "be", "able", "to") => {
                ability = ability.or(Some(Ability::Can));
                3
            }
            ("should" | "shall", "not", "be") if after.word(3) == "able" => {
                ability = Some(Ability::Not);
                2
            }
            ("should" | "must" | "will" | "shall", _, _) => {
                obliged = true;
                1
            }
            (
                "has" | "have" | "needs" | "need" | "wants" | "want" | "tries" | "try" | "attempts"
                | "attempt" | "chooses" | "decides",
                "to",
                _,
            ) => 2,
            (
                "then" | "now" | "also" | "again" | "just" | "first" | "next" | "finally" | "still"
                | "successfully",
                _,
                _,
            ) => 1,
            _ => break,
        };
        after = after.from(length);
    }
    let Some(found) = verbs::verb(&after.words()) else { return rest };
    let says_where = found.verb == Verb::Go && obliged;
    let views = after.starts_any(&["view", "views"]) && !obliged;
    let sees = found.verb == Verb::See && ability.is_none() && !views
        || obliged && after.starts_any(&["hit", "reach", "get", "receive"]);
    let is_act = matches!(found.form, Inflection::Base | Inflection::Third) && !sees && !says_where;
    if !is_act {
        return rest;
    }
    opening.ability = ability;
    opening.waits = false;
    after
}
