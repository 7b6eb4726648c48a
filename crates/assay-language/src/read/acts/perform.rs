//! Verbs of the application at hand: "Archive the channel", `Create a project named "Alpha"`. The page shows how that is
//! done; here only the parts of the sentence are told apart.

use crate::{Act, Performance, Target};

use super::super::lexicon::application_verbs::{application_verb, verb_of_person};
use super::super::lexicon::inflection::{Inflection, form_of};
use super::super::lexicon::nouns::noun;
use super::super::lexicon::words::{DETERMINERS, FIELD_NAMES, GHERKIN, NOISE, PEOPLE, number_word, ordinal};
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::verbs::{self, Verb};

/// Words that end what is acted on.
const AFTER_OBJECT: &[&str] = &[
    "with", "using", "named", "called", "titled", "as", "for", "to", "from", "in", "into", "on", "onto",
    "at", "by", "without", "via", "through", "until", "when", "while", "if", "because", "so", "before",
    "after", "and", "or", "that", "which", "who", "where", "between", "inside", "within", "under", "over",
    "next", "than", "instead", "but", "not", "whose", "via", "during", "across", "until", "unless", "about",
    "against", "like", "such",
];

/// Words that say where something is or goes.
const OF_PLACE: &[&str] =
    &["for", "to", "from", "in", "into", "on", "onto", "at", "inside", "within", "under", "through", "via"];

/// Words that say how many or which of several.
const QUANTITIES: &[&str] = &[
    "all",
    "every",
    "each",
    "any",
    "some",
    "both",
    "multiple",
    "several",
    "few",
    "many",
    "different",
    "various",
    "random",
    "couple",
    "only",
];

/// Words for a thing or value that the sentence does not give.
const VAGUE: &[&str] = &["valid", "invalid", "correct", "incorrect", "wrong", "same", "unique", "certain"];

/// Verbs of two words.
const PAIRS: &[(&str, &str, &str)] = &[
    ("sign", "up", "sign up"),
    ("zoom", "in", "zoom in"),
    ("zoom", "out", "zoom out"),
    ("set", "up", "set up"),
    ("check", "out", "check out"),
    ("opt", "in", "opt in"),
    ("opt", "out", "opt out"),
];

/// What a clause asks an application to do; none where it has no such verb.
pub(crate) fn perform(clause: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Act> {
    let (verb, rest) = verb_and_rest(clause)?;
    if rest.has_any(&["should", "must", "shall", "will", "can", "cannot", "is", "it's", "are", "isn't"]) {
        return None;
    }
    let mut act = Performance { verb, said: clause.text().to_string(), ..Performance::default() };
    let end = |phrase: Phrase<'_>| {
        let ends = |token: &Token| {
            token.is_any(AFTER_OBJECT)
                || matches!(token.kind, TokenKind::Mark(mark) if mark != '-' && mark != '/')
        };
        phrase.tokens.iter().position(ends).unwrap_or(phrase.len())
    };
    let head = rest.until(end(rest));
    object(head, &mut act)?;
    let mut tail = rest.from(head.len());
    while let Some(word) = tail.first() {
        // "Add to cart": two words of place in a row are one.
        let after = tail.from(1);
        let part = after
            .until(end(after).max(usize::from(after.first().is_some_and(|next| next.is_any(AFTER_OBJECT)))));
        detail(word, part, &mut act, nouns);
        tail = after.from(part.len());
    }
    // "… by typing it and pressing Enter": that is how a field without a button is sent.
    const TYPING: &[&str] = &[
        "by", "typing", "entering", "writing", "it", "and", "pressing", "hitting", "enter", "in", "into",
        "the", "field", "input", "box", "return", "then", "name",
    ];
    let is_typing = act.manner.first().is_some_and(|first| first.starts_with("by "))
        && act
            .manner
            .iter()
            .flat_map(|words| words.split(' '))
            .all(|word| TYPING.contains(&word.to_lowercase().as_str()));
    if is_typing {
        act.manner.clear();
    }
    let says_nothing = act.object.is_empty() && act.name.is_none() && act.fields.is_empty();
    if says_nothing && act.manner.is_empty() && act.place.is_none() && application_verb(&act.verb).is_none() {
        return None;
    }
    Some(Act::Perform(Box::new(act)))
}

/// The verb in its base form, and what follows it.
fn verb_and_rest(clause: Phrase<'_>) -> Option<(String, Phrase<'_>)> {
    let plain = clause.trimmed().without_front(GHERKIN).without_front(NOISE).trimmed();
    let person = plain.without_front(&["the", "a", "an"]);
    let acting = person.starts_any(PEOPLE).then(|| {
        let rest = person.from(1);
        let rest =
            rest.without_front(&["then", "now", "also", "again", "just", "successfully", "next", "manually"]);
        match (rest.word(0), rest.word(1)) {
            ("try" | "tries" | "attempt" | "attempts" | "chooses" | "decides", "to") => rest.from(2),
            _ => rest,
        }
    });
    let rest = acting.unwrap_or(plain);
    let rest = if rest.starts_any(&["try"]) && rest.word(1) == "to" { rest.from(2) } else { rest };
    if let Some((_, _, verb)) = PAIRS.iter().find(|(one, two, _)| {
        form_of(rest.word(0), one).is_some_and(|form| form != Inflection::Past) && rest.word(1) == *two
    }) {
        return Some((verb.to_string(), rest.from(2)));
    }
    let first = rest.first().filter(|first| first.kind == TokenKind::Word)?;
    let known = verbs::verb(&rest.words());
    if let Some(found) = known {
        if !matches!(found.form, Inflection::Base | Inflection::Third) {
            return None;
        }
        // A verb that enters something needs its value: that is refused before a page is opened.
        let falls_back = matches!(
            found.verb,
            Verb::Named
                | Verb::Delete
                | Verb::Mark
                | Verb::Filter
                | Verb::Move
                | Verb::Submit
                | Verb::Expand
                | Verb::Collapse
                | Verb::Screenshot
                | Verb::Switch
        );
        // "Insert the image block" and "update it" are about things, where no value is given.
        let object = rest.from(found.length);
        let names_a_thing = object.starts_any(DETERMINERS)
            || object.first().is_some_and(|next| next.kind == TokenKind::Word && !next.is_any(AFTER_OBJECT));
        let about_a_thing = first.is_any(&["insert", "inserts", "update", "updates"])
            && names_a_thing
            && !object.has_any(&["to", "into", "in", "with"]);
        if !falls_back && !about_a_thing {
            return None;
        }
        let base = verb_of_person(&first.low).unwrap_or_else(|| first.low.clone());
        return Some((base, rest.from(found.length)));
    }
    let speaks = person.starts_any(&["i", "we", "you", "they", "he", "she"]);
    let is_noun = noun(&[first.low.as_str()]).is_some() || first.is_any(FIELD_NAMES);
    let base = match acting {
        // "The user menu", "the customer name": what belongs to somebody is no verb.
        Some(_) if is_noun || !speaks && !first.low.ends_with('s') => {
            application_verb(&first.low)?.to_string()
        }
        Some(_) => verb_of_person(&first.low)?,
        None => application_verb(&first.low).filter(|base| *base == first.low)?.to_string(),
    };
    Some((base, rest.from(1)))
}

/// "the first post", `a zone "North America"`.
fn object(head: Phrase<'_>, act: &mut Performance) -> Option<()> {
    for token in head.tokens {
        match token.kind {
            TokenKind::Quoted if act.name.is_none() => act.name = Some(token.text.clone()),
            TokenKind::Quoted => return None,
            _ if token.is_any(QUANTITIES)
                || number_word(&token.low).is_some()
                || matches!(token.kind, TokenKind::Number(_) | TokenKind::Amount) =>
            {
                act.manner.push(token.text.clone());
            }
            _ if token.is_any(VAGUE) => act.manner.push(token.text.clone()),
            _ if ordinal(&token.low).is_some() && act.ordinal.is_none() => act.ordinal = ordinal(&token.low),
            _ if token.is_any(&[
                "the", "a", "an", "my", "your", "our", "another", "new", "this", "that", "these", "those",
                "its", "their", "his", "her",
            ]) =>
            {
                if token.is_any(&["this", "that", "these", "those", "its", "their"]) {
                    act.refers = true;
                }
            }
            _ if token.is_any(&["it", "them", "one"]) => act.refers = true,
            _ => act.object.push(token.low.clone()),
        }
    }
    Some(())
}

/// What one word after the object adds.
fn detail(word: &Token, part: Phrase<'_>, act: &mut Performance, nouns: &Nouns<'_>) {
    let whole = || {
        let joined = format!("{} {}", word.text, part.text());
        joined.trim().to_string()
    };
    if part.is_empty() && matches!(word.kind, TokenKind::Mark('.' | ',' | ';' | '!')) {
        return;
    }
    if word.is_any(&["named", "called", "titled"]) && act.name.is_none() && !part.is_empty() {
        act.name = Some(match part.tokens {
            [only] => only.text.clone(),
            _ => part.text().to_string(),
        });
        return;
    }
    let continues_fields = word.is("and") || word.is_mark(',');
    if (word.is_any(&["with", "using"]) || continues_fields && !act.fields.is_empty())
        && let Some(field) = field(part)
    {
        act.fields.push(field);
        return;
    }
    if word.is_any(OF_PLACE) && act.place.is_none() && act.manner.is_empty() {
        let named = nouns.target(part).filter(|target: &Target| !super::has_article(target));
        if let Some(place) = named {
            act.place = Some(place);
            act.preposition = word.low.clone();
            return;
        }
    }
    act.manner.push(whole());
}

/// `title "A"`, `the title "A"`, `"A"`.
fn field(part: Phrase<'_>) -> Option<(String, String)> {
    let plain = part.trimmed().without_front(DETERMINERS);
    let (value, label) = plain.tokens.split_last().filter(|(value, _)| value.is_value())?;
    let label = Phrase { tokens: label, ..plain }.without_end(&["of", "is", "set", "to"]);
    let is_label = label.tokens.iter().all(|token| token.kind == TokenKind::Word);
    is_label.then(|| (label.words().join(" "), value.text.clone()))
}
