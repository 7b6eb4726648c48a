//! Subject, verb and object of one clause, with "not" and "still" taken out.

use super::super::lexicon::claim_verbs::{ClaimVerb, FoundClaimVerb, claim_verb, helper, is_being};
use super::super::lexicon::inflection::Inflection;
use super::super::lexicon::states;
use super::super::lexicon::words::OPINIONS;
use super::super::phrase::Phrase;
use super::is_person;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Clause<'a> {
    pub said: Phrase<'a>,
    pub subject: Phrase<'a>,
    pub verb: ClaimVerb,
    pub negated: bool,
    /// It was so before and is to be so still.
    pub stays: bool,
    /// "can be …": not that it is so, but that it could be.
    pub can: bool,
    /// A word that makes the claim a matter of taste: "correctly".
    pub opinion: Option<&'a str>,
    pub object: Phrase<'a>,
}

/// Adverbs that change nothing about what is claimed.
const FILLERS: &[&str] = &[
    "also",
    "now",
    "then",
    "successfully",
    "immediately",
    "automatically",
    "again",
    "fully",
    "already",
    "currently",
    "directly",
    "finally",
    "clearly",
    "completely",
    "actually",
    "indeed",
    "therefore",
];

/// Where the verb of a clause is, "to be" after "expect" among them.
pub(crate) fn main_verb(phrase: Phrase<'_>) -> Option<usize> {
    let infinitive = (1..phrase.len()).find(|at| phrase.word(*at) == "to" && is_infinitive(phrase, *at));
    match (finite_verb(phrase), infinitive) {
        (Some(finite), Some(infinitive)) => Some(finite.min(infinitive)),
        (finite, infinitive) => finite.or(infinitive),
    }
}

/// The first word that can be nothing but a verb, or the likeliest one.
pub(crate) fn finite_verb(phrase: Phrase<'_>) -> Option<usize> {
    // "Listed as open": no verb stands right after "as".
    let places = || (1..phrase.len()).filter(|at| phrase.word(at - 1) != "as");
    let sure = places().find(|at| is_sure_verb(phrase, *at));
    let plural = || places().find(|at| is_plural_verb(phrase, *at));
    let without_helper = || places().find(|at| is_reduced(phrase, *at));
    sure.or_else(plural).or_else(without_helper)
}

/// "is disabled", "shows 2": the subject is the one of the clause before.
pub(crate) fn begins_with_verb(phrase: Phrase<'_>) -> bool {
    let Some(first) = phrase.first() else { return false };
    if helper(&first.low).is_some() {
        return true;
    }
    claim_verb(&first.low).is_some_and(|found| found.form == Inflection::Third)
}

fn is_sure_verb(phrase: Phrase<'_>, at: usize) -> bool {
    let word = phrase.word(at);
    let before = phrase.word(at - 1);
    // "the row that has …" is still the subject.
    if word.is_empty() || matches!(before, "that" | "which" | "who" | "whose" | "to") {
        return false;
    }
    if helper(word).is_some() {
        return !matches!(word, "do" | "will" | "can" | "may") || at + 1 < phrase.len();
    }
    if phrase.starts_any(&["there"]) && at == 1 {
        return claim_verb(word).is_some();
    }
    match claim_verb(word) {
        Some(found) if found.form == Inflection::Third => !is_plural_noun(phrase, at),
        Some(found) if found.verb == ClaimVerb::See && found.form == Inflection::Base => {
            is_person(phrase.until(at))
        }
        // "The total increased by 10".
        Some(found) if found.verb == ClaimVerb::Change && found.form == Inflection::Past => {
            matches!(phrase.word(at + 1), "by" | "from") && !is_being(before)
        }
        Some(found) => found.form == Inflection::Base && !found.doubtful,
        None => false,
    }
}

/// "to be visible", "not to contain": what is waited for or expected.
fn is_infinitive(phrase: Phrase<'_>, at: usize) -> bool {
    let next = phrase.word(at + 1);
    let next = if next == "not" { phrase.word(at + 2) } else { next };
    let known = is_being(next) || claim_verb(next).is_some_and(|found| found.form == Inflection::Base);
    // "Back to top", "go to list": a place, not a verb.
    known && (at + 2 < phrase.len() || !matches!(next, "list" | "display" | "present" | "start" | "end"))
}

/// "the search matches are shown", "the lists contain": a plural before the real verb.
fn is_plural_noun(phrase: Phrase<'_>, at: usize) -> bool {
    let is_noun = matches!(
        phrase.word(at),
        "lists"
            | "matches"
            | "shows"
            | "displays"
            | "reads"
            | "views"
            | "states"
            | "updates"
            | "changes"
            | "works"
            | "functions"
            | "looks"
            | "ends"
            | "starts"
            | "loads"
            | "costs"
    );
    let later = (at + 1..phrase.len()).any(|later| helper(phrase.word(later)).is_some());
    is_noun && later && phrase.get(at + 1).is_some_and(|next| helper(&next.low).is_some())
}

/// "the messages show": the base form behind a plural.
fn is_plural_verb(phrase: Phrase<'_>, at: usize) -> bool {
    let before = phrase.word(at - 1);
    let plural = before.ends_with('s') && !before.ends_with("ss") || is_person(phrase.until(at));
    // "the colours list" ends with a noun.
    let is_verb =
        |found: FoundClaimVerb| found.form == Inflection::Base && !(found.doubtful && at + 1 == phrase.len());
    plural && claim_verb(phrase.word(at)).is_some_and(is_verb)
}

/// "error message displayed", "button not visible".
fn is_reduced(phrase: Phrase<'_>, at: usize) -> bool {
    let rest = phrase.from(at).without_front(&["not", "is", "still"]);
    let words = rest.words();
    let Some(stated) = states::state(&words) else { return false };
    let after = rest.from(stated.length);
    let is_end =
        after.is_empty() || after.starts_any(&["in", "on", "with", "under", "below", "above", "and", "at"]);
    let is_predicate =
        !matches!(words[0], "on" | "off" | "open" | "there" | "present" | "in" | "active" | "the");
    let has_subject = phrase.until(at).tokens.iter().any(|token| !token.is_any(&["not", "still", "also"]));
    let is_infinitive = matches!(phrase.word(at - 1), "be" | "to");
    has_subject
        && !is_infinitive
        && is_end
        && (is_predicate || after.is_empty() && matches!(words[0], "present" | "open"))
}

pub(crate) fn clause(phrase: Phrase<'_>) -> Option<Clause<'_>> {
    let starts_bare =
        begins_with_verb(phrase) || phrase.starts_any(&["not", "no"]) && phrase.word(1) == "longer";
    let at = if starts_bare && main_verb(phrase).is_none_or(|at| at > 0) && helper_or_third(phrase) {
        0
    } else {
        main_verb(phrase)?
    };
    let mut subject = phrase.until(at);
    let mut clause = Clause {
        said: phrase,
        subject,
        verb: ClaimVerb::Be,
        negated: false,
        stays: false,
        can: false,
        opinion: None,
        object: phrase.from(phrase.len()),
    };
    // "the banner no longer appears", "the button still works", "expect X not to be".
    loop {
        if subject.len() >= 2 && subject.from(subject.len() - 2).is(&["no", "longer"]) {
            clause.negated = true;
            clause.stays = true;
            subject = subject.until(subject.len() - 2);
        } else if subject.last().is_some_and(|last| last.is("still")) && subject.len() > 1 {
            clause.stays = true;
            subject = subject.until(subject.len() - 1);
        } else if subject.last().is_some_and(|last| last.is_any(&["not", "never"])) && subject.len() > 1 {
            clause.negated = true;
            subject = subject.until(subject.len() - 1);
        } else if subject.last().is_some_and(|last| last.is_any(FILLERS)) && subject.len() > 1 {
            subject = subject.until(subject.len() - 1);
        } else {
            break;
        }
    }
    clause.subject = subject.without_front(&["that"]);
    let (verb, object) = helpers(phrase.from(at), &mut clause)?;
    clause.verb = verb;
    clause.object = trailing(object, &mut clause);
    const REFUSED: &[&str] = &[
        "refused",
        "rejected",
        "denied",
        "blocked",
        "prevented",
        "unchanged",
        "forbidden",
        "prohibited",
        "unaffected",
    ];
    let is_denied =
        clause.negated && clause.object.starts_any(&["allowed", "accepted", "permitted", "changed"]);
    clause.stays |= clause.verb == ClaimVerb::Be && clause.object.starts_any(REFUSED) || is_denied;
    Some(clause)
}

fn helper_or_third(phrase: Phrase<'_>) -> bool {
    let word = phrase.word(0);
    helper(word).is_some() || claim_verb(word).is_some() || matches!(word, "not" | "no")
}

/// Runs over helping verbs to the one that counts.
fn helpers<'a>(phrase: Phrase<'a>, clause: &mut Clause<'a>) -> Option<(ClaimVerb, Phrase<'a>)> {
    let mut at = 0;
    let mut is_be = false;
    while at < phrase.len() {
        let word = phrase.word(at);
        if matches!(word, "remains" | "remain" | "stays" | "stay" | "keeps" | "keep") {
            clause.stays = true;
        }
        clause.can |= matches!(word, "can" | "cannot" | "can't" | "could" | "couldn't");
        if is_being(word) {
            is_be = true;
            clause.negated ^= helper(word) == Some(true);
        } else if let Some(denies) = helper(word) {
            clause.negated ^= denies;
        } else if word == "not" || word == "never" {
            // "not more than 3" compares.
            let comparing = matches!(phrase.word(at + 1), "more" | "less") && phrase.word(at + 2) == "than";
            if comparing {
                break;
            }
            clause.negated = !clause.negated;
        } else if word == "no" && phrase.word(at + 1) == "longer" {
            clause.negated = !clause.negated;
            clause.stays = true;
            at += 1;
        } else if matches!(word, "still" | "continue" | "continues") {
            clause.stays = true;
        } else if says_nothing(phrase, at, is_be) {
            // It only stands between the verbs.
        } else if matches!(
            word,
            "correctly" | "properly" | "nicely" | "perfectly" | "quickly" | "appropriately"
        ) {
            clause.opinion = Some(word);
        } else if word == "able" && phrase.word(at + 1) == "to" {
            at += 1;
            is_be = false;
        } else {
            break;
        }
        at += 1;
    }
    let rest = phrase.from(at);
    if is_be {
        return Some((ClaimVerb::Be, rest));
    }
    let found = rest.first().and_then(|token| claim_verb(&token.low));
    match found {
        Some(found) => Some((found.verb, rest.from(1))),
        // "the error message (is) displayed".
        None if states::state(&rest.words()).is_some() => Some((ClaimVerb::Be, rest)),
        None => None,
    }
}

/// "to" of "expect it to be", "has" of "has loaded", adverbs.
fn says_nothing(phrase: Phrase<'_>, at: usize, is_be: bool) -> bool {
    let word = phrase.word(at);
    word == "to" && !is_be
        || matches!(word, "has" | "have" | "had") && is_perfect(phrase.from(at + 1))
        || FILLERS.contains(&word)
}

/// "has been …", "has loaded", "has not changed".
fn is_perfect(after: Phrase<'_>) -> bool {
    let after = after.without_front(FILLERS);
    if after.starts_any(&["been", "not", "never", "become"]) || after.starts(&["no", "longer"]) {
        return true;
    }
    after.first().and_then(|token| claim_verb(&token.low)).is_some_and(|found| found.form == Inflection::Past)
        || after.starts_any(&["gone"])
}

/// Adverbs at the end: "anymore", "again", "correctly".
fn trailing<'a>(mut object: Phrase<'a>, clause: &mut Clause<'a>) -> Phrase<'a> {
    loop {
        object = object.trimmed();
        let Some(last) = object.last() else { return object };
        if last.is_any(&["anymore", "longer", "more"]) && clause.negated {
            clause.stays = true;
            let without = object.until(object.len() - 1);
            object = without.without_end(&["any"]);
            if object.len() == without.len() && !last.is("anymore") {
                return object;
            }
        } else if last.is("expected") && object.len() >= 2 && object.word(object.len() - 2) == "as" {
            clause.opinion = Some("as expected");
            return object;
        } else if last.is_any(&[
            "correctly",
            "properly",
            "nicely",
            "perfectly",
            "appropriately",
            "accordingly",
        ]) {
            clause.opinion = Some(last.low.as_str());
            return object;
        } else if last.is("total") && object.len() > 2 && object.word(object.len() - 2) == "in" {
            object = object.until(object.len() - 2);
        } else if last.is("there") && object.len() > 1 {
            // "9 rows are listed there".
            object = object.until(object.len() - 1);
        } else if last.is_any(FILLERS) || last.is_any(&["yet", "altogether"]) {
            object = object.until(object.len() - 1);
        } else {
            return object;
        }
    }
}

/// The first word of an object that is a matter of taste.
pub(crate) fn opinion_in<'a>(object: Phrase<'a>) -> Option<&'a str> {
    object
        .tokens
        .iter()
        .map(|token| token.low.as_str())
        .find(|word| !word.is_empty() && OPINIONS.contains(word))
}
