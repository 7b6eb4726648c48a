//! A request cut into clauses: what each one does, whether it is meant, and which words are left to be names.

use assay_suite::SlotKind;

use super::creation::{lacks, text_of_creation};
use super::entities::Entity;
use super::fillers::{is_filler, is_noise};
use super::lexicon::{concept_at, is_verb};
use super::named_acts::{is_for_information, is_named_act, supposes, tells_of_an_act};
use super::tokens::Token;

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Mark,
    Filler,
    Noise,
    /// The place of its entity.
    Entity(usize),
    Concept(&'static str),
    /// Something else: it may be a part of a name.
    Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    /// Something is wanted.
    Wish,
    /// It says what not to do.
    Negated,
    /// It is about what was, and asks why.
    Past,
    /// It says how things are.
    Statement,
}

#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub from: usize,
    pub to: usize,
    pub verb: Option<&'static str>,
    /// Where the verb is.
    pub verb_at: Option<usize>,
    pub mood: Mood,
    /// Where a text begins that is a value and no request, such as what a new test should check.
    pub text_from: Option<usize>,
}

const PAST_BEGINNINGS: &[&str] = &["did", "was", "were", "why", "has", "had", "ran", "when"];
const PAST_WORDS: &[&str] = &[
    "yesterday",
    "ago",
    "red",
    "green",
    "failed",
    "failing",
    "fail",
    "fails",
    "failure",
    "failures",
    "passed",
    "broke",
    "broken",
    "wrong",
    "crashed",
    "why",
    "history",
    "ran",
];
const NEGATIONS: &[&str] = &["not", "never", "without", "no"];
const DETERMINERS: &[&str] = &[
    "the", "a", "an", "my", "our", "your", "this", "that", "last", "first", "next", "newest", "latest",
    "previous", "recent", "each", "another", "no",
];

pub(super) fn speaks_of_past(word: &str) -> bool {
    PAST_WORDS.contains(&word)
}

/// What each word is, where the whole names are known.
pub(super) fn roles(tokens: &[Token], entities: &[Entity<'_>]) -> Vec<Role> {
    let stems: Vec<String> = tokens.iter().map(Token::stem).collect();
    let mut roles = vec![Role::Word; tokens.len()];
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is_mark {
            roles[at] = Role::Mark;
        } else if let Some(place) = entities.iter().position(|entity| entity.from <= at && at < entity.to) {
            roles[at] = Role::Entity(place);
        } else if tokens[at].quote.is_some() {
            roles[at] = Role::Word;
        } else {
            let is_free = |place: usize| {
                !tokens[place].is_mark
                    && !entities.iter().any(|entity| entity.from <= place && place < entity.to)
            };
            let phrase: Vec<&str> = (at..tokens.len().min(at + 3))
                .take_while(|place| is_free(*place))
                .map(|place| stems[place].as_str())
                .collect();
            // "is webkit ok?"
            let follows_device = at.checked_sub(1).is_some_and(|before| match roles[before] {
                Role::Entity(place) => matches!(entities[place].name.kind, SlotKind::Device | SlotKind::Host),
                Role::Concept(concept) => matches!(concept, "device" | "host"),
                _ => false,
            });
            let found = concept_at(&phrase);
            let is_phrase = found.is_some_and(|(_, length)| length > 1);
            if follows_device
                && !is_phrase
                && matches!(tokens[at].text.as_str(), "ok" | "okay" | "well" | "up")
            {
                roles[at] = Role::Concept("status");
                at += 1;
                continue;
            }
            match found {
                Some((concept, length)) if length > 1 || !is_filler(&tokens[at].text) => {
                    roles[at..at + length].fill(Role::Concept(concept));
                    at += length;
                    continue;
                }
                _ if is_filler(&tokens[at].text) => roles[at] = Role::Filler,
                _ if is_noise(&tokens[at].text) => roles[at] = Role::Noise,
                _ => {}
            }
        }
        at += 1;
    }
    roles
}

pub(super) fn clauses(tokens: &[Token], roles: &[Role], entities: &[Entity<'_>]) -> Vec<Clause> {
    let mut found: Vec<Clause> = Vec::new();
    let mut from = 0;
    while from < tokens.len() {
        if tokens[from].is_mark {
            from += 1;
            continue;
        }
        let sentence_end = (from..tokens.len())
            .find(|at| tokens[*at].is(".") && tokens[*at].is_mark)
            .unwrap_or(tokens.len());
        let mut start = from;
        let sentence = &tokens[from..sentence_end];
        let (is_told, is_supposed) = (is_for_information(sentence), supposes(sentence));
        while start < sentence_end {
            let end = (start + 1..sentence_end)
                .find(|at| begins_clause(tokens, roles, entities, *at))
                .unwrap_or(sentence_end);
            let mut clause = clause(tokens, roles, entities, start, end);
            if is_supposed {
                clause.mood = Mood::Negated;
            } else if is_told && clause.mood != Mood::Negated {
                clause.mood = Mood::Past;
            }
            // What follows a new test or requirement is what it should say.
            if matches!(clause.verb, Some("create"))
                && let Some(text) = text_of_creation(tokens, roles, &clause, sentence_end)
            {
                let said_next = said_next(tokens, roles, entities, text, sentence_end);
                let (text, sentence_end) = said_next.unwrap_or((text, sentence_end));
                let colon = (start..sentence_end)
                    .any(|at| tokens[at].is_mark && (tokens[at].is(":") || tokens[at].is("-")));
                // Behind a colon, everything belongs to the text.
                let end = if colon { tokens.len() } else { sentence_end };
                clause.to = end;
                clause.text_from = Some(text);
                found.push(clause);
                start = end;
                continue;
            }
            found.push(clause);
            start = end;
        }
        from = start.max(sentence_end);
    }
    found
}

/// Where the text of a new test is, if its own sentence only says what it is for: "a test for the quay. It should …".
fn said_next(
    tokens: &[Token],
    roles: &[Role],
    entities: &[Entity<'_>],
    text: usize,
    end: usize,
) -> Option<(usize, usize)> {
    let is_place = |at: usize| match roles[at] {
        Role::Mark | Role::Filler | Role::Noise => true,
        Role::Entity(place) => entities[place].name.kind == SlotKind::Userinterface,
        Role::Concept(concept) => matches!(concept, "application" | "web"),
        Role::Word => false,
    };
    let next = (end..tokens.len()).find(|at| !tokens[*at].is_mark)?;
    let is_it = matches!(tokens[next].text.as_str(), "it" | "this" | "that");
    let is_modal = tokens.get(next + 1).is_some_and(|word| {
        matches!(word.text.as_str(), "should" | "must" | "has" | "needs" | "shall" | "ought")
    });
    let stop = (next..tokens.len()).find(|at| tokens[*at].is_mark && tokens[*at].is("."));
    ((text..end).all(is_place) && is_it && is_modal).then(|| (next, stop.unwrap_or(tokens.len())))
}

/// Whether a new act begins here: behind a comma or an `and`, a verb in its plain form, or a question.
fn begins_clause(tokens: &[Token], roles: &[Role], entities: &[Entity<'_>], at: usize) -> bool {
    let before = &tokens[at - 1];
    let is_joint = before.is_mark && (before.is(",") || before.is(":") || before.is("-"))
        || matches!(before.text.as_str(), "and" | "then" | "but" | "or")
        || matches!(tokens[at].text.as_str(), "and" | "but" | "then") && !tokens[at].is_mark;
    if !is_joint || tokens[at].quote.is_some() {
        return false;
    }
    // "Never mind running, I only need the scripts"
    let is_other_subject = before.is_mark && matches!(tokens[at].text.as_str(), "i" | "we");
    let sentence = || tokens[..at].iter().rev().take_while(|token| !(token.is_mark && token.is(".")));
    if is_other_subject && sentence().any(|token| NEGATIONS.contains(&token.text.as_str())) {
        return true;
    }
    let mut place = at;
    while place < tokens.len() && !tokens[place].is_mark && matches!(roles[place], Role::Filler | Role::Noise)
    {
        place += 1;
    }
    match roles.get(place) {
        Some(Role::Concept(concept)) if is_verb(concept) => is_plain_form(&tokens[place].text),
        Some(Role::Entity(_)) if is_named_act(tokens, roles, entities, at, place) => true,
        _ => says_again(tokens, at),
    }
}

/// "once more", "one more time", "again" at the beginning of something.
fn says_again(tokens: &[Token], at: usize) -> bool {
    let word = |place: usize| tokens.get(place).map(|token| token.text.as_str()).unwrap_or_default();
    matches!((word(at), word(at + 1)), ("once", "more") | ("again", _))
        || (word(at), word(at + 1), word(at + 2)) == ("one", "more", "time")
}

/// `runs` and `ran` are no orders; `run` and `running` may be.
fn is_plain_form(word: &str) -> bool {
    matches!(word, "is" | "names") || (!word.ends_with('s') || word.ends_with("ss")) && !word.ends_with("ed")
}

fn clause(tokens: &[Token], roles: &[Role], entities: &[Entity<'_>], from: usize, to: usize) -> Clause {
    let verb_at = verb_of(tokens, roles, from, to);
    let mut verb = verb_at.and_then(|at| match roles[at] {
        Role::Concept(concept) => Some(concept),
        _ => None,
    });
    if let Some(at) = verb_at
        && matches!(roles[at], Role::Filler | Role::Noise | Role::Word)
    {
        verb = Some("create");
    }
    // "Can somebody still pay?" asks about the application, "can you pay" does not.
    let asks = matches!(verb, Some("foreign"))
        && tokens.get(from).is_some_and(|token| {
            matches!(
                token.text.as_str(),
                "can" | "could" | "does" | "do" | "is" | "are" | "will" | "may" | "must"
            )
        })
        && tokens.get(from + 1).is_some_and(|token| {
            !matches!(token.text.as_str(), "you" | "i" | "me" | "please" | "not" | "atlas" | "assay")
        });
    if asks {
        verb = None;
    }
    // "test the login" is an order.
    if let Some(at) = verb_at
        && tokens[at].is("test")
    {
        verb = Some("run");
    }
    // "refresh the navigation tree" makes it anew.
    if let Some(at) = verb_at
        && verb == Some("foreign")
        && matches!(tokens[at].text.as_str(), "update" | "refresh" | "renew" | "redo")
        && roles[at..to].contains(&Role::Concept("tree"))
    {
        verb = Some("create");
    }
    let first = (from..to).find(|at| !tokens[*at].is_mark);
    let is_small = |at: usize| matches!(roles[at], Role::Filler | Role::Noise | Role::Mark);
    let is_device = |at: usize| match roles[at] {
        Role::Entity(place) => matches!(entities[place].name.kind, SlotKind::Device | SlotKind::Host),
        role => role == Role::Concept("device"),
    };
    let begins_with = (from..to).find(|at| !is_small(*at));
    let is_again = first.is_some_and(|at| says_again(tokens, at))
        && begins_with.is_some()
        && (from..to).all(|at| is_small(at) || is_device(at));
    let is_act =
        begins_with.is_some_and(|at| is_named_act(tokens, roles, entities, from, at)) && verb.is_none();
    let begins_past = first.is_some_and(|at| PAST_BEGINNINGS.contains(&tokens[at].text.as_str()));
    let words = (from..to).filter(|at| !matches!(roles[*at], Role::Entity(_)));
    let speaks_of_past = words.clone().any(|at| speaks_of_past(&tokens[at].text));
    let is_negated = verb_at.is_some_and(|at| {
        (from..at)
            .rev()
            .take_while(|place| {
                matches!(roles[*place], Role::Filler | Role::Noise)
                    || NEGATIONS.contains(&tokens[*place].text.as_str())
            })
            .any(|place| NEGATIONS.contains(&tokens[place].text.as_str()))
    });
    let mood = match verb {
        Some(verb) if is_negated && verb != "list" => Mood::Negated,
        Some("list" | "check") | None if begins_past || speaks_of_past => Mood::Past,
        None if tells_of_an_act(tokens, roles, from, to) => Mood::Past,
        _ if begins_past => Mood::Past,
        Some(_) => Mood::Wish,
        None => Mood::Statement,
    };
    if mood == Mood::Statement && (is_act || is_again) {
        return Clause { from, to, verb: Some("run"), verb_at: None, mood: Mood::Wish, text_from: None };
    }
    Clause { from, to, verb, verb_at, mood, text_from: None }
}

/// The verb: the first word that is no manners, or else the first act that is no noun.
fn verb_of(tokens: &[Token], roles: &[Role], from: usize, to: usize) -> Option<usize> {
    let is_new = |at: usize| tokens[at].is("new");
    // "a new test", "new backoffice test"
    let makes_new = |at: usize| {
        let noun = (at + 1..to.min(at + 4))
            .find(|place| matches!(roles[*place], Role::Concept("testcase" | "requirement")));
        is_new(at)
            && noun.is_some_and(|noun| {
                (at + 1..noun)
                    .all(|place| matches!(roles[place], Role::Entity(_) | Role::Word | Role::Concept(_)))
            })
    };
    if let Some(at) = (from..to).find(|at| lacks(tokens, roles, *at, to)) {
        return Some(at);
    }
    // "please record a new requirement"
    let begins_foreign = (from..to)
        .find(|at| !matches!(roles[*at], Role::Filler | Role::Noise | Role::Mark))
        .is_some_and(|at| {
            roles[at] == Role::Concept("foreign")
                && matches!(tokens[at].text.as_str(), "record" | "open" | "book" | "file")
        });
    if begins_foreign && let Some(at) = (from..to).find(|at| makes_new(*at)) {
        return Some(at);
    }
    // "they had to pay"
    let is_of_others = |at: usize| {
        let before = || tokens[from..at].iter().map(|token| token.text.as_str());
        let is_past = at >= from + 2 && tokens[at - 1].is("to") && tokens[at - 2].is("had");
        roles[at] == Role::Concept("foreign")
            && !before().any(|word| word == "you")
            && (is_past || before().any(|word| matches!(word, "they" | "he" | "she")))
    };
    let is_act = |at: usize| match roles[at] {
        _ if is_of_others(at) => false,
        _ if is_new(at) => makes_new(at),
        Role::Concept(concept) => is_verb(concept),
        _ => false,
    };
    let first = (from..to).find(|at| !matches!(roles[*at], Role::Filler | Role::Noise | Role::Mark));
    if let Some(at) = first {
        let is_noun =
            follows_determiner(tokens, from, at) && !makes_new(at) && roles[at] != Role::Concept("list");
        if is_act(at) && !is_noun && is_plain_form(&tokens[at].text) {
            return Some(at);
        }
        let follows = tokens.get(at + 1).filter(|_| at + 1 < to);
        let is_order = tokens[at].is("test") && follows.is_some_and(|next| !next.is_mark && !next.is("case"));
        let names_something = (at + 1..to).any(|place| matches!(roles[place], Role::Entity(_) | Role::Word));
        let has_act = (at + 1..to).any(|place| is_act(place) && is_plain_form(&tokens[place].text));
        if is_order && names_something && !has_act && !follows_determiner(tokens, from, at) {
            return Some(at);
        }
    }
    (from..to).find(|at| {
        let is_noun =
            follows_determiner(tokens, from, *at) && !makes_new(*at) && roles[*at] != Role::Concept("list");
        // "the seat map": behind another noun, it is one as well.
        let before = at.checked_sub(1).filter(|before| *before >= from).map(|before| roles[before]);
        let is_part = matches!(before, Some(Role::Word | Role::Entity(_) | Role::Concept(_)))
            && !tokens[*at].is("a")
            && !matches!(tokens[*at].text.as_str(), "which" | "what");
        // "by what they do" asks nothing.
        let is_question = |at: usize| {
            !matches!(tokens[at].text.as_str(), "which" | "what")
                || (from..at).all(|place| matches!(roles[place], Role::Filler | Role::Noise | Role::Mark))
                || roles.get(at + 1).is_some_and(|next| matches!(next, Role::Concept(_)))
        };
        let is_relative =
            (from..*at).rev().take_while(|place| matches!(roles[*place], Role::Filler | Role::Noise)).any(
                |place| {
                    matches!(
                        tokens[place].text.as_str(),
                        "that" | "he" | "she" | "they" | "whether" | "because" | "while" | "when"
                    )
                },
            ) && !(from..*at).any(|place| tokens[place].is("you"));
        is_act(*at)
            && is_plain_form(&tokens[*at].text)
            && !is_noun
            && !is_part
            && !is_relative
            && is_question(*at)
    })
}

fn follows_determiner(tokens: &[Token], from: usize, at: usize) -> bool {
    at > from && DETERMINERS.contains(&tokens[at - 1].text.as_str())
}
