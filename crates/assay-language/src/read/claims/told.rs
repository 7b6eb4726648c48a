//! What an application tells about things: by a message, or by a word that it marks a record with.

use crate::{About, ElementKind, Matcher, Nearness, Relation, StateWord, Target, Tone};

use super::super::lexicon::claim_verbs;
use super::super::lexicon::words::{COLOURS, DETERMINERS};
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::clause::{Clause, opinion_in};
use super::{BareClaim, Unclear, is_person};

/// "I should be notified that the name is too long": a message says so, in these words.
pub(crate) fn notified(clause: &Clause<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    const TOLD: &[&str] = &[
        "notified", "informed", "told", "warned", "alerted", "advised", "reminded", "prompted", "asked",
        "welcomed", "greeted",
    ];
    const UNTOLD: &[&str] = &["if", "whether", "or", "either", "neither", "unless"];
    let object = clause.object.trimmed();
    if !is_person(clause.subject) || !object.starts_any(TOLD) {
        return None;
    }
    let what = object.from(1).without_front(&["with", "by", "message", "the", "a"]);
    if let [text] = what.tokens
        && text.is_quoted()
    {
        let text = Matcher::Contains(text.text.clone());
        let greets = object.starts_any(&["welcomed", "greeted"]);
        let shown = BareClaim::plainly(About::Text { text: text.clone(), place: None });
        return Some(Ok(vec![if greets { shown } else { message(text) }]));
    }
    let what = object.from(1).trimmed();
    if what.word(0) != "that" || clause.negated || what.has_any(UNTOLD) {
        return None;
    }
    // "that it has been created": which thing the message names is left open.
    let what = what.from(1);
    let told = if what.starts_any(&["it", "they"]) {
        what.from(1).without_front(&["has", "have", "been", "is", "was", "are", "were"])
    } else {
        what
    };
    (!told.is_empty()).then(|| Ok(vec![message(Matcher::Sentence(told.text().to_string()))]))
}

fn message(text: Matcher) -> BareClaim {
    BareClaim::plainly(About::Message { tone: Tone::Any, text: Some(text), topic: Vec::new() })
}

/// `"A" is an option of "B"`: the list offers it.
pub(crate) fn option_of(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let [option] = clause.subject.trimmed().tokens else { return None };
    let plain = clause.object.trimmed().without_front(DETERMINERS);
    let is_option =
        plain.starts_any(&["option", "choice"]) && matches!(plain.word(1), "for" | "of" | "in" | "under");
    if !option.is_quoted() || !is_option {
        return None;
    }
    let list = nouns.target(plain.from(2))?;
    let target = Target {
        said: clause.said.text().to_string(),
        quoted: Some(option.text.clone()),
        kind: Some(ElementKind::Option),
        relations: vec![Relation { how: Nearness::Inside, to: list }],
        ..Target::default()
    };
    Some(Ok(vec![BareClaim::plainly(About::State { target, state: StateWord::Exists })]))
}

/// "The order "A-7" is archived", `is marked as "shared"`: a word of the application that its record bears.
pub(crate) fn marked(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    /// How something looks; no text tells.
    const LOOKS: &[&str] = &[
        "highlighted",
        "dimmed",
        "dim",
        "bold",
        "italic",
        "centered",
        "centred",
        "aligned",
        "underlined",
        "coloured",
        "colored",
        "grayed",
        "greyed",
        "animated",
        "blurred",
        "rounded",
        "wrapped",
        "long",
        "wide",
        "big",
        "small",
        "bigger",
        "smaller",
        "larger",
        "responsive",
        "working",
        "functional",
        "ready",
        "set",
        "taken",
        "successful",
        "same",
        "different",
    ];
    const AS: &[&str] = &[
        "marked",
        "labelled",
        "labeled",
        "tagged",
        "flagged",
        "listed",
        "described",
        "shown",
        "displayed",
        "categorised",
        "categorized",
    ];
    /// Things of which a page keeps no record.
    const ELSEWHERE: &[&str] = &[
        "request",
        "cookie",
        "email",
        "mail",
        "session",
        "server",
        "screenshot",
        "video",
        "audio",
        "login",
        "file",
    ];
    let is_told = clause.subject.starts_any(&["the", "this", "my"])
        || clause.subject.has_quoted()
        || clause.subject.first().is_some_and(Token::is_capital) && clause.subject.len() <= 4
        || is_bare_name(clause.subject);
    if is_person(clause.subject)
        || clause.can
        || clause.stays
        || !is_told
        || clause.subject.has_any(ELSEWHERE)
    {
        return None;
    }
    let object = clause.object.trimmed();
    const BEYOND: &[&str] = &[
        "to", "into", "from", "by", "on", "in", "at", "with", "without", "for", "of", "after", "before",
        "as", "than", "and", "or", "where", "that", "via", "over", "under", "between",
    ];
    let outright = object.starts_any(AS) && object.word(1) == "as";
    let word = if outright { object.from(2) } else { object };
    let word = word.trimmed().without_front(&["being"]);
    let is_plain = |token: &Token| token.kind == TokenKind::Word && !token.is_capital();
    let said = match word.tokens {
        [only] if outright && only.is_quoted() => only.text.clone(),
        tokens
            if (1..=4).contains(&tokens.len())
                && tokens.iter().all(is_plain)
                && !word.starts_any(DETERMINERS)
                && !word.has_any(BEYOND)
                && !word.tokens.iter().any(|token| token.low.ends_with("ing"))
                && !word.has_any(LOOKS)
                && !word.has_any(COLOURS)
                && opinion_in(word).is_none() =>
        {
            word.text().to_string()
        }
        _ => return None,
    };
    let target = nouns.target(clause.subject)?;
    // "The status of the order is shipped": what is written there.
    let is_field =
        target.words.last().is_some_and(|last| matches!(last.as_str(), "status" | "state" | "stage"));
    if is_field && target.kind.is_none() && target.quoted.is_none() {
        return Some(Ok(vec![BareClaim::plainly(About::Value { target, text: Matcher::Said(said) })]));
    }
    let is_record = matches!(
        target.kind,
        None | Some(ElementKind::Item | ElementKind::Row | ElementKind::ListItem | ElementKind::Node)
    );
    let is_thing = target.quoted.is_some() || !target.words.is_empty() || target.ordinal.is_some();
    let is_bound = is_record && is_thing && target.words != ["it"];
    is_bound.then(|| Ok(vec![BareClaim::plainly(About::Marked { target, word: said })]))
}

/// "Berth was reserved is shown": that it is shown is said of the message, not by it.
fn without_showing(text: Phrase<'_>) -> Phrase<'_> {
    let shown = text.without_end(&["shown", "displayed", "visible"]);
    let plain = shown.without_end(&["is", "be", "should", "will"]);
    // "Your profile is visible" is the message itself; only what still is a sentence was shown.
    if shown.len() < text.len() && plain.len() < shown.len() {
        return if has_verb(plain) { plain } else { text };
    }
    let appearing = text.without_end(&["appears", "appear"]);
    let plain = appearing.without_end(&["should", "will"]);
    if appearing.len() < text.len() && has_verb(plain) { plain } else { text }
}

fn has_verb(text: Phrase<'_>) -> bool {
    text.tokens
        .iter()
        .skip(1)
        .any(|token| claim_verbs::is_being(&token.low) || claim_verbs::helper(&token.low).is_some())
}

/// "A confirmation that the item has been inserted appears": a message says so, in these words.
pub(crate) fn message_that(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<BareClaim> {
    const SHOWN: &[&str] = &["shown", "displayed", "visible"];
    let at = phrase.find(&["that"]).filter(|at| (1..=4).contains(at))?;
    let about = nouns.target(phrase.until(at).without_front(DETERMINERS))?;
    let is_confirmation = about.kind.is_none() && about.words == ["confirmation"];
    let tone = match is_confirmation {
        true => Tone::Any,
        false => super::existence::tone(about.kind).filter(|_| about.is_nameless())?,
    };
    let appearing =
        phrase.without_end(&["up"]).without_end(&["appears", "appear", "pops", "pop", "comes", "come"]);
    let shown = phrase.without_end(SHOWN).without_end(&["is", "be"]);
    let statement = match (appearing.len() < phrase.len(), shown.len() + 1 < phrase.len()) {
        (true, _) => appearing,
        (_, true) => shown,
        _ => return None,
    };
    let told = statement.without_end(&["should", "must", "will"]).from(at + 1);
    let is_plain = !told.has_any(&["not", "no", "or", "if", "whether"]) && has_verb(told);
    let text = Some(Matcher::Sentence(told.text().to_string()));
    is_plain.then(|| BareClaim::plainly(About::Message { tone, text, topic: Vec::new() }))
}

/// "order draft is archived": a thing without its article, in a few plain words.
fn is_bare_name(subject: Phrase<'_>) -> bool {
    const NO_THINGS: &[&str] = &[
        "it",
        "they",
        "there",
        "nothing",
        "something",
        "everything",
        "everyone",
        "no",
        "only",
        "other",
        "another",
        "some",
        "many",
        "few",
        "more",
        "less",
        "and",
        "or",
        "to",
        "what",
        "which",
        "who",
        "that",
        "so",
        "if",
        "when",
        "then",
        "not",
        "user",
        "you",
    ];
    let is_word = |token: &Token| {
        token.kind == TokenKind::Word && !token.low.ends_with("ing") && !token.is_any(NO_THINGS)
    };
    (1..=3).contains(&subject.len())
        && subject.tokens.iter().all(is_word)
        && !subject.starts_any(DETERMINERS)
        && subject
            .last()
            .is_some_and(|last| !last.low.ends_with('s') || last.low.ends_with("ss") || last.is("status"))
}

/// `a message that says Your name is too long`, `the notification: Saved`: the words of a message without quotation
/// marks, to the end of the sentence.
pub(crate) fn unquoted_message(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<About> {
    const SAYING: &[&str] = &["says", "saying", "states", "stating", "reads", "reading"];
    let at = phrase
        .tokens
        .iter()
        .position(|token| token.is_any(SAYING) || token.is_mark(':'))
        .filter(|at| *at > 0)?;
    let text = without_showing(phrase.from(at + 1).trimmed());
    let is_sentence = text.len() > 1 && text.first().is_some_and(Token::is_capital) && !text.has_quoted();
    if !is_sentence {
        return None;
    }
    let front = phrase
        .until(at)
        .without_end(&["that", "which", "text"])
        .without_front(&["should", "can", "i", "we", "user", "see", "sees"]);
    let front = front.without_front(DETERMINERS).without_front(&["following"]);
    let target =
        nouns.target(front).filter(|target| target.quoted.is_none() && target.relations.is_empty())?;
    let tone = super::existence::tone(target.kind)?;
    let text = Some(Matcher::Sentence(text.text().to_string()));
    // "A snackbar alert saying …": what sort of message it is.
    const SORTS: &[&str] =
        &["snackbar", "toast", "flash", "popup", "pop-up", "validation", "banner", "status", "confirmation"];
    let is_sort = |word: &String| SORTS.contains(&word.as_str());
    target.words.iter().all(is_sort).then(|| About::Message { tone, text, topic: Vec::new() })
}
