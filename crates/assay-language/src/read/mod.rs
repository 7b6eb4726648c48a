//! Reads an English sentence into intents.
//!
//! Knows words and grammar, and the names that the author gave in `selectors`. Knows no page: grounding decides later
//! which element a noun phrase means. The stages: tokens, clauses, the opening of a clause (who, where, when), then a
//! verb phrase that acts or a claim.

mod accounted;
mod acts;
mod claims;
mod clauses;
mod head;
mod letter_case;
mod lexicon;
mod looking;
mod means;
mod nearest;
mod notes;
mod noun;
mod opening;
mod phrase;
mod setting;
mod swallowed;
mod token;
mod vague;

pub use looking::only_looks;

use crate::{
    About, Act, Claim, Destination, ElementKind, Hints, Intent, Matcher, NotUnderstood, Target, WaitGoal,
};

use acts::Misread;
use acts::verbs::{self, FoundVerb, Verb};
use lexicon::inflection::Inflection;
use lexicon::words::DETERMINERS;
use noun::Nouns;
use opening::{Ability, Opening};
use phrase::Phrase;

pub(crate) use claims::facts::EVENTS;
pub(crate) use lexicon::nouns::is_sort_of_thing;
pub(crate) use token::tokens;

/// What a sentence asks for, in order. A claim that cannot be judged is among them as unknown; an act that is not
/// understood makes the whole sentence not understood, as half a step is worse than none.
pub fn read(sentence: &str, hints: &Hints) -> Result<Vec<Intent>, NotUnderstood> {
    let tokens = token::tokens(sentence)
        .map_err(|unclosed| nearest::plain(format!("the quotation mark {} is not closed", unclosed.mark)))?;
    let tokens = letter_case::with_letter_case(notes::plain(tokens));
    let whole = opening::without_number(Phrase { sentence, tokens: &tokens });
    if whole.trimmed().is_empty() {
        return Err(nearest::plain("it says nothing to do or to check"));
    }
    let mut nouns = Nouns { hints, antecedent: None };
    let mut intents: Vec<Intent> = Vec::new();
    let mut place = None;
    // "http://shop.example - log in as …": the address is where it begins.
    let (first, rest) = led_by_address(whole);
    intents.extend(first.map(|to| Intent::Act(Act::Go { to })));
    let clauses = clauses::split(rest, &nouns);
    for (index, clause) in clauses.iter().copied().enumerate() {
        let mut opening = opening::open(clause, &nouns);
        opening.follows |= index > 0;
        if index + 1 < clauses.len() && only_introduces(opening.rest) {
            continue;
        }
        let mut own = match read_clause(&opening, &nouns) {
            Ok(own) => own,
            Err(misread) => {
                let performed = acts::perform(clause, &nouns)
                    .map(|act| vec![Intent::Act(act)])
                    .or_else(|| clicked_too(intents.last(), clause, &nouns));
                performed.ok_or_else(|| nearest::to(clause, misread))?
            }
        };
        if opening.place.is_some() {
            place = opening.place.clone();
        }
        if let Some(place) = &place {
            setting::put(&mut own, place, nouns.antecedent.as_ref()).map_err(nearest::plain)?;
        }
        // A click may lead elsewhere; after it, the place that was named no longer holds.
        if own.iter().any(setting::may_leave) {
            place = None;
        }
        if let Some(target) = own.iter().rev().find_map(acts::main_target) {
            nouns.antecedent = Some(target);
        }
        intents.extend(own);
    }
    if intents.is_empty() {
        return Err(nearest::plain("it says nothing to do or to check"));
    }
    let mut intents = answered_prompts(intents);
    if let Some(name) = swallowed::refuse(whole, &mut intents) {
        return Err(nearest::plain(format!("`{name}` is not the name of one thing")));
    }
    if let Some(words) = vague::refuse(whole, &mut intents) {
        return Err(nearest::plain(format!("`{words}` leaves open which one is meant")));
    }
    match accounted::dropped(whole, &intents) {
        Some(name) => Err(nearest::plain(format!("it is not clear what `{name}` has to do with it"))),
        None => Ok(intents),
    }
}

/// An address in front of what is done there.
fn led_by_address(whole: Phrase<'_>) -> (Option<Destination>, Phrase<'_>) {
    let leads = whole.len() > 2
        && matches!(whole.tokens[1].kind, token::TokenKind::Mark('-' | ',' | ':'))
        && !whole.tokens[0].is_quoted();
    match acts::address(whole.until(1)).filter(|_| leads) {
        Some(to) => (Some(to), whole.from(2).trimmed()),
        None => (None, whole),
    }
}

/// `Click "A", then "B"`: the verb is said once.
fn clicked_too(before: Option<&Intent>, clause: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<Intent>> {
    let Some(Intent::Act(Act::Click { how, .. })) = before else { return None };
    let rest = clause.trimmed().without_front(&["and", "then", "also"]);
    let plain = rest.without_front(&["on"]);
    let is_thing = plain.len() < rest.len()
        || matches!(plain.tokens, [only] if only.is_quoted() || only.kind == token::TokenKind::File)
        || plain.starts_any(&["the"]);
    let target = nouns.target(plain).filter(|_| is_thing && !claims::has_verb(plain))?;
    Some(vec![Intent::Act(Act::Click { target, how: *how })])
}

/// What a sentence is about, for the one after it; none where that is not one thing.
///
/// Only what is called by a name stays the same thing when the page changes; "the first row" does not. A sentence that
/// speaks of the thing `before` ("click Pause in it") leaves it as what is spoken of.
pub fn mentioned(intents: &[Intent], before: Option<&Target>) -> Option<Target> {
    if let Some(Intent::Claim(Claim { about: About::Only { texts, .. }, .. })) = intents.last()
        && let [only] = texts.as_slice()
    {
        return Some(Target { said: format!("\"{only}\""), quoted: Some(only.clone()), ..Target::default() });
    }
    let target = intents.iter().rev().find_map(acts::main_target)?;
    let refers = target.words == ["same"]
        || target.relations.iter().any(|one| one.to.words == ["same"] || Some(&one.to) == before);
    if refers {
        return before.cloned();
    }
    // "The milestone Spring refit": a name in capitals.
    let has_name = target.kind.is_none_or(ElementKind::is_entry)
        && target.relations.is_empty()
        && !target.words.is_empty()
        && target.said.split(' ').skip(1).any(|word| word.starts_with(char::is_uppercase));
    let is_named = target.quoted.is_some()
        || has_name
        || target
            .relations
            .iter()
            .any(|relation| relation.to.quoted.is_some() && relation.to.ordinal.is_none());
    (is_named && target.ordinal.is_none() && target.state.is_none()).then_some(target)
}

/// "Navigate through the file tree.": no place to go to, but what the acts behind it are about.
fn only_introduces(rest: Phrase<'_>) -> bool {
    verbs::verb(&rest.words()).is_some_and(|found| {
        found.verb == Verb::Go && rest.from(found.length).starts_any(&["through", "around"])
    })
}

fn read_clause(opening: &Opening<'_>, nouns: &Nouns<'_>) -> Result<Vec<Intent>, Misread> {
    let rest = opening
        .rest
        .trimmed()
        .without_end(&["again", "please", "now", "afterwards", "too", "directly", "itself"])
        .trimmed();
    let repeated = [&["once", "more"][..], &["one", "more", "time"], &["a", "second", "time"]];
    let again =
        repeated.iter().find(|end| rest.len() > end.len() && rest.from(rest.len() - end.len()).is(end));
    let rest = again.map_or(rest, |end| rest.until(rest.len() - end.len())).trimmed();
    let rest = without_readiness(rest);
    if let Some(word) = rest.first().filter(|first| first.is_any(opening::CONDITIONS)) {
        let why = format!("a step with `{}` has no single meaning; write one test for each case", word.text);
        return Err(Misread::new(Verb::Verify, why));
    }
    if opening.given
        && let Some(intents) = given(rest, opening, nouns)
    {
        return intents;
    }
    if opening.waits
        && let Some(until) = awaited(rest, nouns)
    {
        return Ok(vec![Intent::Act(Act::Wait { until })]);
    }
    if opening.place.is_none()
        && opening.ability.is_none()
        && let Some(acts) = acts::world(opening.rest, nouns)
        && !((opening.waits || opening.follows) && tells_of_requests(opening.rest, &acts))
    {
        return to_intents(acts);
    }
    let rest = without_omission(rest)?;
    if let Some(act) = acts::show_entries(rest) {
        return Ok(vec![Intent::Act(act)]);
    }
    if let Some((aim, by)) = means::by_doing(rest) {
        let object =
            verbs::verb(&aim.words()).map(|found| aim.from(found.length).without_front(&["into", "to"]));
        let antecedent = object.and_then(|object| nouns.target(object)).or(nouns.antecedent.clone());
        let about = Nouns { antecedent, ..nouns.clone() };
        let own = read_clause(&Opening { rest: by, place: None, ..opening.clone() }, &about)?;
        return means::aimed(own, aim, nouns);
    }
    if let Some(act) = means::with_control(rest, nouns) {
        return Ok(vec![Intent::Act(act)]);
    }
    if opening.place.is_some()
        && let [it, says, text] = rest.tokens
        && it.is("it")
        && says.is_any(&["says", "reads", "shows", "states"])
        && text.is_quoted()
    {
        // "Below the table it says …": whatever stands there.
        let about = About::Text { text: Matcher::Contains(text.text.clone()), place: None };
        let said = rest.text().to_string();
        return Ok(vec![Intent::Claim(Claim { said, negated: false, stays: false, about })]);
    }
    // "Should see 2 rows": nobody is named.
    if rest.starts(&["should", "see"]) {
        return Ok(verified(rest.from(2), nouns));
    }
    if rest.starts(&["should", "not", "see"]) {
        return Ok(to_claims(claims::absent(rest.from(3), nouns)));
    }
    let words = rest.words();
    let Some(found) = verbs::verb(&words).filter(|found| found.form != Inflection::Past) else {
        return no_verb(rest, nouns);
    };
    let after = rest.from(found.length).without_front(&["also"]);
    if let Some(ability) = opening.ability {
        return Ok(able(ability, found, rest, nouns));
    }
    match found.verb {
        Verb::Verify if let Some(act) = told_to_act(after, nouns) => read_clause(&act, nouns),
        Verb::See if rest.starts_any(&["view", "views", "viewing"]) && !is_rather_claim(rest, found) => {
            viewed(after, nouns)
        }
        Verb::Verify | Verb::See if !is_rather_claim(rest, found) => Ok(verified(after, nouns)),
        Verb::Find if nouns.target(after).is_some_and(|target| target.kind.is_some()) => {
            Ok(verified(after, nouns))
        }
        Verb::Find => {
            let why = format!("`{}` could mean to search for it or to look at it; say which", after.text());
            Err(Misread::new(Verb::Find, why))
        }
        Verb::CheckOrVerify | Verb::Confirm if is_to_verify(after, nouns) => Ok(verified(after, nouns)),
        _ if is_rather_claim(rest, found) => no_verb(rest, nouns),
        Verb::Confirm | Verb::Dismiss if let Some(act) = acts::commanded(rest) => Ok(vec![Intent::Act(act)]),
        // "Insert the 4 columns pattern" is about a thing; what is typed stands in quotation marks or goes into a field.
        Verb::Enter
            if rest.starts_any(&["insert", "inserts"])
                && !after.has_quoted()
                && !after.has_any(&["into", "in"]) =>
        {
            Err(Misread::new(Verb::Enter, format!("`{}` is not a value", after.text())))
        }
        Verb::Named | Verb::Delete => to_intents(verbs::acts(found.verb, rest, nouns)),
        Verb::LogIn => to_intents(verbs::acts(Verb::LogIn, after, nouns).map(|acts| acts_of(acts, opening))),
        verb => to_intents(verbs::acts(verb, after.without_end(&["instead"]), nouns)),
    }
}

/// `The user "ada" logs in with the password "x"`: who that is stands in front.
fn acts_of(mut acts: Vec<Act>, opening: &Opening<'_>) -> Vec<Act> {
    for act in &mut acts {
        if let (Act::LogIn { user, .. }, Some(who)) = (act, &opening.who)
            && user.is_empty()
        {
            *user = who.clone();
        }
    }
    acts
}

/// "Click Save when you are done": the tester alone knows that moment.
fn without_readiness(rest: Phrase<'_>) -> Phrase<'_> {
    let ready = ["finished", "done", "ready"];
    let is_ready = |end: Phrase<'_>| {
        end.len() == 4
            && end.starts_any(&["when", "once"])
            && matches!((end.word(1), end.word(2)), ("you", "are"))
            && ready.contains(&end.word(3))
    };
    let end = rest.from(rest.len().saturating_sub(4));
    if rest.len() > 5 && is_ready(end) { rest.until(rest.len() - 4).trimmed() } else { rest }
}

/// "When the request to /api/cart fails with 500, …" could wait for it as well as bring it about.
/// "The request to /api/cart fails with 500": behind an act, it may tell what was seen instead of arranging it. "Let the
/// request … fail" cannot.
fn tells_of_requests(rest: Phrase<'_>, acts: &acts::Acts) -> bool {
    let answers = |act: &Act| matches!(act, Act::Route { .. } | Act::Unroute { .. });
    let is_arranged = rest.starts_any(&["let", "make", "abort", "block"]);
    !is_arranged && acts.as_ref().is_ok_and(|acts| acts.iter().any(answers))
}

/// "Submit the form without filling in anything": what is not done needs no doing. That a certain field is left alone
/// says something about what it holds, which the words before do not.
fn without_omission(rest: Phrase<'_>) -> Result<Phrase<'_>, Misread> {
    const ANYTHING: &[&str] =
        &["anything", "any", "fields", "field", "data", "values", "value", "it", "text", "form"];
    let Some(at) = rest.find(&["without"]).filter(|at| *at > 0) else { return Ok(rest) };
    let omitted = rest.from(at + 1);
    let Some(found) = verbs::verb(&omitted.words()).filter(|found| found.form == Inflection::Gerund) else {
        return Ok(rest);
    };
    let object = omitted.from(found.length).without_front(DETERMINERS);
    if object.tokens.iter().all(|token| token.is_any(ANYTHING) || token.is_any(&["in", "out"])) {
        return Ok(rest.until(at));
    }
    let why =
        format!("`{}` says what not to do; leave it out, or say what the field contains", omitted.text());
    Err(Misread::new(Verb::Verify, why))
}

fn to_intents(acts: acts::Acts) -> Result<Vec<Intent>, Misread> {
    acts.map(|acts| acts.into_iter().map(Intent::Act).collect())
}

fn to_claims(claims: Vec<Claim>) -> Vec<Intent> {
    claims.into_iter().map(Intent::Claim).collect()
}

/// No verb that acts: a claim, or nothing that is understood.
fn no_verb(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Vec<Intent>, Misread> {
    // "I show the section" does something; "the user shows" as well.
    let person = rest.without_front(&["the", "a"]);
    if person.starts_any(&["i", "we", "user", "admin"]) && person.from(1).starts_any(&["show", "shows"]) {
        return Err(Misread::new(Verb::See, "it does not say how it is shown"));
    }
    if claims::has_verb(rest)
        && let Some(claims) = claims::claims(rest, nouns)
    {
        return Ok(to_claims(claims));
    }
    if let Some(path) = menu_path(rest) {
        return to_intents(verbs::acts(Verb::Go, path, nouns));
    }
    // A text alone is what should be shown.
    if let [only] = rest.trimmed().tokens
        && only.is_quoted()
        && only.from == 0
    {
        return Ok(to_claims(claims::claims_or_presence(rest, nouns)));
    }
    // "No error message", "3 rows", "Error message: …" in a list of expectations.
    let is_absence = rest.starts_any(&["no"]) && rest.len() > 1;
    if is_absence || claims::is_counted(rest, nouns) {
        return Ok(to_claims(claims::claims_or_presence(rest, nouns)));
    }
    Err(Misread::new(
        Verb::Verify,
        format!("`{}` says neither what to do nor what should be true", rest.text()),
    ))
}

/// "Settings > Profile" is a way through menus, said without its verb; where it begins is no entry. "Total > 100" compares.
fn menu_path(rest: Phrase<'_>) -> Option<Phrase<'_>> {
    let is_arrow = |token: &token::Token| token.is_mark('>');
    let begins_in_a_part =
        rest.starts_any(&["sidebar", "menu", "navigation", "header"]) && rest.get(1).is_some_and(is_arrow);
    let path = if begins_in_a_part { rest.from(2) } else { rest };
    let parts: Vec<&[token::Token]> = path.tokens.split(is_arrow).collect();
    let is_entry = |part: &[token::Token]| {
        part.first().is_some_and(|first| first.is_quoted() || first.is_capital())
            && part.iter().all(|token| token.is_quoted() || token.kind == token::TokenKind::Word)
    };
    (parts.len() > 1 && parts.into_iter().all(is_entry)).then_some(path)
}

/// "I view the orders page" goes there. What else is viewed is opened or looked at, and nobody knows which.
fn viewed(after: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Vec<Intent>, Misread> {
    let is_page = nouns
        .target(after)
        .is_some_and(|target| target.kind == Some(ElementKind::Page) && target.relations.is_empty())
        || after
            .trimmed()
            .tokens
            .iter()
            .any(|token| matches!(token.kind, token::TokenKind::Url | token::TokenKind::Path));
    if is_page {
        return to_intents(verbs::acts(Verb::Go, after, nouns));
    }
    let why = format!("`{}` could be opened or looked at; say which", after.text());
    Err(Misread::new(Verb::See, why))
}

/// "Make sure that you click Save", "make sure to click Save".
fn told_to_act<'a>(after: Phrase<'a>, nouns: &Nouns<'_>) -> Option<Opening<'a>> {
    let after = after.trimmed().without_front(&["that"]);
    let told = if after.starts_any(&["to"]) { after.from(1) } else { opening::open(after, nouns).rest };
    let found = verbs::verb(&told.words())
        .filter(|found| found.form == Inflection::Base && found.verb != Verb::See)?;
    let is_told = told.len() < after.len() && after.starts_any(&["to", "you", "i", "we"]);
    (is_told && !is_rather_claim(told, found)).then(|| opening::open(told, nouns))
}

fn verified(after: Phrase<'_>, nouns: &Nouns<'_>) -> Vec<Intent> {
    let after = after.trimmed();
    if after.starts(&["to", "not", "see"]) || after.starts(&["not", "to", "see"]) {
        return to_claims(claims::absent(after.from(3), nouns));
    }
    let after = if after.starts(&["to", "see"]) { after.from(2) } else { after };
    let after = after.without_front(&["that", "if", "whether", "for"]);
    to_claims(claims::claims_or_presence(after, nouns))
}

/// "Check" and "confirm" look at something when a clause follows, or something that can only be looked at.
fn is_to_verify(after: Phrase<'_>, nouns: &Nouns<'_>) -> bool {
    if after.starts_any(&["with"]) {
        return false;
    }
    if after.starts_any(&["that", "if", "whether", "for"]) || claims::claims(after, nouns).is_some() {
        return true;
    }
    let plain = after.without_front(DETERMINERS);
    if plain.is(&["title"]) || plain.is(&["url"]) || plain.is(&["page", "title"]) {
        return true;
    }
    // A box is there to be ticked.
    if plain.has("box") && !plain.has_any(&["text", "search", "input", "dialog"]) {
        return false;
    }
    let target = nouns.target(after);
    // Of messages that are counted, one is ticked: "Check the first message".
    if target
        .as_ref()
        .is_some_and(|target| target.kind == Some(ElementKind::Message) && target.ordinal.is_some())
    {
        return false;
    }
    let kind = target.and_then(|target| target.kind);
    matches!(
        kind,
        Some(
            ElementKind::Message
                | ElementKind::ErrorMessage
                | ElementKind::SuccessMessage
                | ElementKind::WarningMessage
                | ElementKind::Text
                | ElementKind::Heading
                | ElementKind::Page
                | ElementKind::Table
                | ElementKind::Button
                | ElementKind::Link
                | ElementKind::Image
                | ElementKind::Icon
                | ElementKind::Field
                | ElementKind::PasswordField
                | ElementKind::SearchField
                | ElementKind::Figure
                | ElementKind::Header
                | ElementKind::Footer
        )
    ) && !plain.starts_any(&["alert"])
}

/// A word that could be a verb is the beginning of a subject: "Search results are shown", "Login is refused".
fn is_rather_claim(rest: Phrase<'_>, found: FoundVerb) -> bool {
    let after = rest.from(found.length);
    let always_acts = matches!(found.verb, Verb::Wait | Verb::Scroll | Verb::Verify | Verb::Leave);
    let has_object = after.first().is_some_and(|next| {
        next.is_any(DETERMINERS)
            || !next.low.is_empty() && lexicon::relations::relation(&[&next.low]).is_some()
            || next.is_any(&["to", "into", "onto", "over", "as", "it"])
            || next.is_value()
            // "Click Save changes": nothing but a click is meant.
            || next.is_capital() && matches!(found.verb, Verb::Click | Verb::DoubleClick | Verb::RightClick)
                && found.form != Inflection::Gerund
    });
    !always_acts && !has_object && !after.is_empty() && claims::has_verb(rest)
}

/// "Given I am on the login page" is a way to begin, not a check.
fn given(rest: Phrase<'_>, opening: &Opening<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<Intent>, Misread>> {
    // "I have https://shop.example open", "the overview at https://shop.example is open".
    if rest.last().is_some_and(|last| last.is_any(&["open", "opened", "loaded"])) {
        let mut urls = rest.tokens.iter().filter(|token| token.kind == token::TokenKind::Url);
        if let (Some(url), None) = (urls.next(), urls.next()) {
            let to = Destination::Url(url.text.clone());
            return Some(Ok(vec![Intent::Act(Act::Go { to })]));
        }
    }
    if let Some(at) = rest.find(&["logged", "signed"]).filter(|at| rest.word(at + 1) == "in") {
        let acts = verbs::acts(Verb::LogIn, rest.from(at + 2), nouns);
        return Some(to_intents(acts.map(|acts| acts_of(acts, opening))));
    }
    let claims = claims::claims(rest, nouns)?;
    let [Claim { negated: false, about, .. }] = claims.as_slice() else { return None };
    let to = match about {
        About::Page { name } if name == "home" || name == "homepage" => Destination::Home,
        About::Page { name } => Destination::Page(name.clone()),
        About::Url { text: Matcher::Address(path) } if path == "/" => Destination::Home,
        About::Url { text: Matcher::Address(path) } if path.starts_with('/') => {
            Destination::Path(path.clone())
        }
        About::Url { text: Matcher::Address(url) } => Destination::Url(url.clone()),
        _ => return None,
    };
    Some(Ok(vec![Intent::Act(Act::Go { to })]))
}

/// "When the dialog appears", "Once the page has loaded".
fn awaited(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<WaitGoal> {
    claims::claims(rest, nouns)?;
    match verbs::acts(Verb::Wait, rest, nouns) {
        Ok(acts) => acts.into_iter().find_map(|act| match act {
            Act::Wait { until } => Some(until),
            _ => None,
        }),
        Err(_) => claims::single(rest, nouns).map(|claim| WaitGoal::Claim(Box::new(claim))),
    }
}

/// "The user can click Save": that it could be done. Only of a click this can be seen.
fn able(ability: Ability, found: FoundVerb, rest: Phrase<'_>, nouns: &Nouns<'_>) -> Vec<Intent> {
    let after = rest.from(found.length).without_front(&["on"]);
    let said = rest.text().to_string();
    let negated = ability == Ability::Not;
    let clicked = matches!(found.verb, Verb::Click | Verb::Press);
    if let Some(abouts) = offered(found.verb, rest.from(found.length), nouns).filter(|_| !negated) {
        let claim = |about| Claim { said: said.clone(), negated: false, stays: false, about };
        return to_claims(abouts.into_iter().map(claim).collect());
    }
    let about = match nouns.target(after).filter(|_| clicked) {
        Some(target) => About::State { target, state: crate::StateWord::Enabled },
        None if found.verb == Verb::See => {
            let mut claims = claims::claims_or_presence(after, nouns);
            for claim in &mut claims {
                claim.negated ^= negated && !matches!(claim.about, About::Unknown { .. });
            }
            return to_claims(claims);
        }
        None => About::Unknown {
            why: "assay cannot check that something can be done; write a step that does it".to_string(),
        },
    };
    let negated = negated && !matches!(about, About::Unknown { .. });
    vec![Intent::Claim(Claim { said, negated, stays: false, about })]
}

/// `The user can choose "Express" under "Shipping"`, "the user can type in the name field": that the list offers it, that
/// the box is usable, that the field takes something.
fn offered(verb: Verb, after: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<About>> {
    let enabled = |target: Target| About::State { target, state: crate::StateWord::Enabled };
    let option = |name: &String, list: &Target| {
        let target = Target {
            said: format!("\"{name}\""),
            quoted: Some(name.clone()),
            kind: Some(ElementKind::Option),
            relations: vec![crate::Relation { how: crate::Nearness::Inside, to: list.clone() }],
            ..Target::default()
        };
        About::State { target, state: crate::StateWord::Exists }
    };
    if verb == Verb::Enter {
        let place = after.trimmed().without_front(&["text", "something", "anything"]);
        let place = place.without_front(&["in", "into"]);
        let target = nouns.target(place).filter(|_| place.starts_any(&["the"]) && !place.has("in"))?;
        let is_field = matches!(
            target.kind,
            Some(ElementKind::Field | ElementKind::SearchField | ElementKind::PasswordField)
        );
        return is_field.then(|| vec![About::State { target, state: crate::StateWord::Editable }]);
    }
    let acts = match verb {
        Verb::Choose | Verb::Check | Verb::Uncheck => verbs::acts(verb, after, nouns).ok()?,
        _ => return None,
    };
    match acts.as_slice() {
        [Act::Choose { options, from: Some(list) }] => {
            Some(options.iter().map(|name| option(name, list)).collect())
        }
        [Act::Check { targets, .. }] => Some(targets.iter().cloned().map(enabled).collect()),
        _ => None,
    }
}

/// A dialog of the browser takes its text and its answer at once.
fn answered_prompts(intents: Vec<Intent>) -> Vec<Intent> {
    let mut answered: Vec<Intent> = Vec::with_capacity(intents.len());
    for intent in intents {
        match (&intent, answered.last()) {
            (Intent::Act(Act::Enter { target: Some(target), text }), _) if acts::is_prompt(target) => {
                answered.push(Intent::Act(Act::AnswerDialog { accept: true, text: Some(text.clone()) }));
            }
            (
                Intent::Act(Act::AnswerDialog { accept: true, text: None }),
                Some(Intent::Act(Act::AnswerDialog { accept: true, text: Some(_) })),
            ) => {}
            (
                Intent::Act(Act::Click { target, .. }),
                Some(Intent::Act(Act::AnswerDialog { accept: true, text: Some(_) })),
            ) if acts::is_yes(target) == Some(true) => {}
            _ => answered.push(intent),
        }
    }
    answered
}
