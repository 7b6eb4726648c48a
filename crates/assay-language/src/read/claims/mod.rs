//! Claims: what should be true.
//!
//! A sentence is cut into clauses of subject, verb and object; the verb determines the claim. A clause that cannot be
//! judged becomes `About::Unknown` with the reason. No word is dropped to make a sentence fit: an unknown word makes
//! the claim unknown, because a weaker claim could be true.

mod among;
mod amount;
mod arrival;
mod attributes;
mod being;
mod changes;
mod clause;
mod content;
mod every;
mod existence;
pub(crate) mod facts;
mod neither;
mod order;
mod place;
mod properties;
mod records;
mod subject;
mod told;

use crate::positions::{is_plain_side, is_position};
use crate::{About, Claim, ElementKind, Matcher, StateWord, Target};

use super::lexicon::claim_verbs::ClaimVerb;
use super::lexicon::words::{DETERMINERS, PEOPLE};
use super::noun::{self, Nouns};
use super::phrase::Phrase;
use super::token::{Token, TokenKind};
use clause::Clause;

/// A claim without the words that say it, and whether it is denied once more by its own words ("no error").
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BareClaim {
    pub about: About,
    pub negated: bool,
}

impl BareClaim {
    pub fn plainly(about: About) -> BareClaim {
        BareClaim { about, negated: false }
    }
}

/// Why a clause is not understood as a claim.
pub(crate) type Unclear = String;

/// What a phrase claims, when it has the form of a claim: a verb that says that something is so.
pub(crate) fn claims(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<Claim>> {
    let phrase = stripped(phrase);
    clause::main_verb(phrase)?;
    Some(read(phrase, nouns))
}

/// As `claims`, but a thing alone is claimed to be there: "Verify the welcome message".
pub(crate) fn claims_or_presence(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Vec<Claim> {
    let phrase = stripped(phrase);
    match claims(phrase, nouns) {
        Some(claims) => claims,
        None => match told::unquoted_message(phrase, nouns) {
            Some(said) => finish(phrase, false, false, Ok(vec![BareClaim::plainly(said)])),
            None => presence(phrase, nouns),
        },
    }
}

/// "Expect not to see the banner".
pub(crate) fn absent(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Vec<Claim> {
    let phrase = phrase.trimmed().without_front(&["any"]);
    if clause::finite_verb(phrase).is_some() {
        return vec![unknown(phrase, false, "say what should not be shown, without a verb of its own")];
    }
    finish(phrase, true, false, existence::all_present(phrase, nouns))
}

/// The one claim that a phrase makes, for waiting and scrolling.
pub(crate) fn single(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Claim> {
    let mut all = claims_or_presence(phrase, nouns);
    let only = all.pop()?;
    let is_understood = !matches!(only.about, About::Unknown { .. });
    (all.is_empty() && is_understood).then_some(only)
}

/// "the user", "I": who sees and is led somewhere.
fn is_person(phrase: Phrase<'_>) -> bool {
    let plain = phrase.trimmed().without_front(DETERMINERS);
    plain.len() == 1 && plain.starts_any(PEOPLE)
}

/// Whether a phrase has the form of a claim by itself, without "expect" or "wait for" in front.
pub(crate) fn has_verb(phrase: Phrase<'_>) -> bool {
    clause::finite_verb(stripped(phrase)).is_some()
}

/// "2 items in the cart".
pub(crate) fn is_counted(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> bool {
    matches!(existence::counted(phrase, nouns, None), Some(Ok(About::Count { target, .. })) if target.kind.is_some())
}

fn stripped(phrase: Phrase<'_>) -> Phrase<'_> {
    let phrase = phrase.trimmed().without_front(&["that", "if", "whether", "for", "also"]);
    let phrase = if phrase.starts(&["the", "presence", "of"]) { phrase.from(3) } else { phrase };
    let end = phrase.len().saturating_sub(2);
    let phrase = if end > 1 && phrase.from(end).is(&["as", "well"]) { phrase.until(end) } else { phrase };
    phrase.without_end(&["too", "again", "now"])
}

fn presence(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Vec<Claim> {
    let absence = phrase.without_front(&["the", "a"]);
    if absence.starts_any(&["absence", "lack"]) && absence.word(1) == "of" {
        let rest = absence.from(2);
        let said = existence::present(rest, nouns);
        return finish(phrase, true, false, said);
    }
    if let Some(neither) = neither::neither(phrase, nouns) {
        return neither;
    }
    if let Some(why) = unjudgeable(phrase) {
        return vec![unknown(phrase, false, why)];
    }
    finish(phrase, false, false, existence::all_present(phrase, nouns))
}

fn read(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Vec<Claim> {
    if let Some(said) = told::unquoted_message(phrase, nouns) {
        return finish(phrase, false, false, Ok(vec![BareClaim::plainly(said)]));
    }
    if let Some(said) = told::message_that(phrase, nouns) {
        return finish(phrase, false, false, Ok(vec![said]));
    }
    if let Some(said) = among::among(phrase, nouns) {
        return finish(phrase, false, false, said);
    }
    if let Some(all) = every::every(phrase, nouns) {
        return finish(phrase, false, false, Ok(all));
    }
    if let Some(said) = responded(phrase) {
        return finish(phrase, false, false, Ok(vec![BareClaim::plainly(said)]));
    }
    if let Some(neither) = neither::neither(phrase, nouns) {
        return neither;
    }
    if let Some(why) = unjudgeable(phrase) {
        return vec![unknown(phrase, false, why)];
    }
    let phrase = without_both(phrase);
    let mut claims = Vec::new();
    let mut before: Option<Clause<'_>> = None;
    for group in groups(phrase) {
        let own = clause::clause(group).or_else(|| before.and_then(|before| elided(&before, group)));
        let Some(mut clause) = own else {
            claims.push(unknown(group, false, "it has no verb that says what should be true"));
            continue;
        };
        if let Some(before) = before {
            if clause.subject.is_empty() {
                clause.subject = before.subject;
            }
            // `"A" is shown but "B" is not`.
            if clause.object.is_empty() && clause.verb == ClaimVerb::Be && before.verb == ClaimVerb::Be {
                clause.object = before.object;
            }
        }
        before = Some(clause);
        claims.extend(of_clause(&clause, nouns));
    }
    // "Appears and disappears": both cannot be so at one moment.
    let contradicts = |one: &Claim| {
        claims.iter().any(|other| {
            other.about == one.about
                && other.negated != one.negated
                && !matches!(one.about, About::Unknown { .. })
        })
    };
    if claims.iter().any(contradicts) {
        return vec![unknown(
            phrase,
            false,
            "it says that something is so and is not; write one expectation for each moment",
        )];
    }
    claims
}

/// "Both the name and the email field are empty": what is claimed of each of the two.
fn without_both(phrase: Phrase<'_>) -> Phrase<'_> {
    let is_pair = clause::finite_verb(phrase).is_some_and(|at| {
        let two = phrase.part(1, at);
        let parts = two.listed();
        parts.len() == 2 && (noun::is_enumeration(&parts) || two.tokens.iter().all(Token::is_quoted))
    });
    if phrase.starts_any(&["both"]) && is_pair { phrase.from(1) } else { phrase }
}

/// "The server responds with code 200": what the page shows as the code of the response.
fn responded(phrase: Phrase<'_>) -> Option<About> {
    let plain = phrase.trimmed().without_front(DETERMINERS);
    let after = plain.without_front(&["server", "api", "service"]);
    let verb = &["responds", "answers", "replies", "returns"];
    if after.len() == plain.len() || !after.starts_any(verb) {
        return None;
    }
    let code = after.from(1).without_front(&["with"]).without_front(DETERMINERS);
    let number = code.without_front(&["http", "response", "status", "code"]);
    let [only] = number.tokens else { return None };
    let TokenKind::Number(value) = only.kind else { return None };
    let words = vec!["response".to_string(), "code".to_string()];
    let target = Target { said: "the response code".to_string(), words, ..Target::default() };
    let text = Matcher::Number(crate::NumberIs::Exactly(value));
    (number.len() < code.len()).then_some(About::Value { target, text })
}

fn of_clause(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Vec<Claim> {
    if let Some(word) = clause.opinion {
        let why = format!("assay cannot check whether something is `{word}`");
        return vec![unknown(clause.said, clause.stays, why)];
    }
    finish(clause.said, clause.negated, clause.stays, content::of_clause(clause, nouns))
}

fn finish(
    said: Phrase<'_>,
    negated: bool,
    stays: bool,
    result: Result<Vec<BareClaim>, Unclear>,
) -> Vec<Claim> {
    let on_screen = |one: &BareClaim| somewhere_on_screen(&one.about, negated || one.negated);
    let result = result.and_then(|all| match all.iter().find_map(on_screen) {
        Some(place) => Err(format!("assay does not check positions on the screen, such as `{place}`")),
        None => Ok(all),
    });
    // `No link to the "Show" page`: it may be called otherwise and lead there all the same.
    let denies = |one: &BareClaim| {
        one.negated != negated
            && matches!(&one.about, About::State { target, .. } if target.kind == Some(ElementKind::Link))
    };
    let leads = said.tokens.windows(4).any(|four| {
        four[0].is_any(&["link", "links"]) && four[1].is("to") && four[2].is_quoted() && four[3].is("page")
    });
    let result = result.and_then(|all| match leads && all.iter().any(denies) {
        true => Err("give the text of the link".to_string()),
        false => Ok(all),
    });
    let result = result.and_then(|all| match all.iter().any(|one| is_hidden_and_seen(&one.about)) {
        true => Err("something hidden is never visible; quote its name".to_string()),
        false => Ok(all),
    });
    match result {
        // Denied together, they would be claimed each: "A and B are not shown" is meant so, but "A and B are not
        // both shown" is not, and was refused before.
        Ok(all) => all
            .into_iter()
            .map(|one| Claim {
                said: said.text().to_string(),
                negated: one.negated != negated,
                stays,
                about: match one.negated != negated {
                    true => denied_thing(said, one.about),
                    false => one.about,
                },
            })
            .collect(),
        Err(why) => vec![unknown(said, stays, why)],
    }
}

/// "Navigation arrows are not shown": that no text says so proves nothing about a thing that is only described. A text in
/// capitals is what the page would say.
fn denied_thing(said: Phrase<'_>, about: About) -> About {
    let is_described = said.tokens.iter().skip(1).all(|token| !token.is_capital() && !token.is_quoted());
    match about {
        About::Text { text: Matcher::Words(words), place: None } if is_described && words.len() > 1 => {
            let target = Target { said: words.join(" "), words, ..Target::default() };
            About::State { target, state: StateWord::Visible }
        }
        about => about,
    }
}

/// "Hidden items are not shown": true of everything that is hidden, whatever the page does.
fn is_hidden_and_seen(about: &About) -> bool {
    matches!(
        about,
        About::State {
            target: Target { state: Some(StateWord::Hidden), .. },
            state: StateWord::Visible | StateWord::Hidden
        }
    )
}

/// "At the top right": a place that no part of a page is called by. That something is there can be seen; that it is not
/// has no sharp edge, and neither have the middle and the sides of a part.
fn somewhere_on_screen(about: &About, denied: bool) -> Option<String> {
    let is_seen = matches!(
        about,
        About::Text { .. } | About::State { state: StateWord::Visible | StateWord::Exists, .. }
    );
    let is_vague = |place: &Target| is_position(place) && (denied || !is_seen || !is_plain_side(place));
    let target = match about {
        About::State { target, .. } | About::Value { target, .. } | About::Count { target, .. } => {
            Some(target)
        }
        About::Text { place, .. } => place.as_ref(),
        _ => None,
    }?;
    // Where that place is only says which place is meant.
    let of_text = matches!(about, About::Text { .. });
    let places = target.relations.iter().map(|relation| &relation.to);
    std::iter::once(target)
        .filter(|_| of_text)
        .chain(places.filter(|_| !of_text))
        .find(|target| is_vague(target))
        .map(|target| target.said.clone())
}

fn unknown(phrase: Phrase<'_>, stays: bool, why: impl Into<String>) -> Claim {
    Claim {
        said: phrase.text().to_string(),
        negated: false,
        stays,
        about: About::Unknown { why: why.into() },
    }
}

/// Words that change what is claimed in a way that cannot be judged.
fn unjudgeable(phrase: Phrase<'_>) -> Option<String> {
    const CONDITIONS: &[&str] = &[
        "or", "unless", "if", "when", "whenever", "while", "except", "either", "neither", "none", "nothing",
    ];
    const FINE_AFTER_OR: &[&str] = &["equal", "more", "less", "fewer", "higher", "lower", "greater"];
    let condition = phrase.tokens.iter().enumerate().find(|(at, token)| {
        token.is_any(CONDITIONS) && !(token.is("or") && FINE_AFTER_OR.contains(&phrase.word(at + 1)))
    });
    if let Some((_, token)) = condition {
        return Some(format!(
            "a claim with `{}` cannot be checked; say one by one what should be true",
            token.text
        ));
    }
    let phrase = without_both(phrase);
    if let Some(first) = phrase.first().filter(|first| {
        first.is_any(&["all", "each", "every", "both", "any", "most", "almost", "few", "half"])
    }) {
        return Some(format!("`{}` cannot be checked here; write one expectation per item", first.text));
    }
    const ELSEWHERE: &[&str] = &["console", "api", "database", "backend", "server", "log", "logs", "network"];
    let of_browser = |at: usize| {
        at > 0
            && phrase.tokens[at - 1].is_any(&["browser", "browser's", "js", "javascript", "dev", "developer"])
    };
    let is_beside = |at: usize| {
        let token = &phrase.tokens[at];
        token.is_any(&["devtools"]) || token.is_any(&["console", "tools"]) && of_browser(at)
    };
    // "Errors in /var/log/app.log".
    let is_file =
        |at: usize| at > 1 && phrase.tokens[at - 1].is("in") && phrase.tokens[at].text.ends_with(".log");
    if (0..phrase.len()).any(|at| is_beside(at) || is_file(at)) {
        return Some("assay checks only what the page shows".to_string());
    }
    let subject = clause::finite_verb(phrase).map(|at| phrase.until(at));
    if subject.and_then(Phrase::last).is_some_and(|last| last.is_any(ELSEWHERE)) {
        return Some("assay checks only what the page shows".to_string());
    }
    let is_time = |at: usize| {
        let number = matches!(phrase.get(at + 1).map(|token| token.kind), Some(TokenKind::Number(_)));
        let unit = ["second", "seconds", "s", "ms", "milliseconds", "minute", "minutes", "sec"];
        number && unit.contains(&phrase.word(at + 2))
    };
    let limit = (0..phrase.len()).any(|at| {
        phrase.tokens[at].is_any(&["within", "in", "after", "under", "than", "for", "every"]) && is_time(at)
    });
    limit.then(|| "assay does not check how long something takes; leave the time out".to_string())
}

/// Cuts at "and", "but" and commas wherever a clause of its own begins.
fn groups(phrase: Phrase<'_>) -> Vec<Phrase<'_>> {
    let mut groups = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < phrase.len() {
        if phrase.tokens[at].is("between") {
            at += 4;
            continue;
        }
        if is_joint(&phrase.tokens[at]) && at > start {
            let next =
                (at..phrase.len()).find(|next| !is_joint(&phrase.tokens[*next])).unwrap_or(phrase.len());
            let end = next_joint(phrase, next);
            let own = phrase.part(start, at);
            let has_verb =
                clause::main_verb(own).is_some() || !groups.is_empty() && clause::begins_with_verb(own);
            let begins = clause::main_verb(phrase.part(next, end)).is_some()
                || is_elided(phrase.from(next)) && is_located(own)
                || clause::begins_with_verb(phrase.from(next));
            if has_verb && begins {
                groups.push(phrase.part(start, at));
                start = next;
                at = next;
                continue;
            }
        }
        at += 1;
    }
    groups.push(phrase.from(start));
    // "…, so "A" comes before "B"".
    let plain = groups.into_iter().map(|group| group.trimmed().without_front(&["so"]));
    plain.filter(|group| !group.is_empty()).collect()
}

/// `"A" is in the first row and "B" in the last`: the verb is said once.
fn is_elided(group: Phrase<'_>) -> bool {
    let is_place = |token: &Token| token.is_any(&["in", "on", "under", "above", "below", "at", "next"]);
    group.first().is_some_and(Token::is_quoted) && group.get(1).is_some_and(is_place)
}

/// `"A" is in the first row`: with no other name in the place.
fn is_located(own: Phrase<'_>) -> bool {
    clause::clause(own).is_some_and(|clause| {
        clause.verb == ClaimVerb::Be
            && clause.object.starts_any(&["in", "on", "at"])
            && !clause.object.has_quoted()
            && clause.subject.first().is_some_and(Token::is_quoted)
    })
}

fn elided<'a>(before: &Clause<'a>, group: Phrase<'a>) -> Option<Clause<'a>> {
    let is_so = is_elided(group) && before.verb == ClaimVerb::Be;
    is_so.then(|| Clause { said: group, subject: group.until(1), object: group.from(1), ..*before })
}

fn is_joint(token: &Token) -> bool {
    token.is_mark(',') || token.is_mark(';') || token.is_any(&["and", "but"])
}

/// The end of what begins here: a verb after the next "and" belongs to what follows it, unless only names stand
/// before.
fn next_joint(phrase: Phrase<'_>, from: usize) -> usize {
    let mut at = from;
    while at < phrase.len() {
        let joint = phrase.tokens[at].is_mark(',') || phrase.tokens[at].is_any(&["and", "but"]);
        if joint && clause::main_verb(phrase.part(from, at)).is_some() {
            return at;
        }
        at += 1;
    }
    phrase.len()
}
