//! Requests of the page that are answered in the server's place: "The request to /api/cart fails with 500".
//!
//! Such a sentence sets up a response and proves nothing. After "verify that", with "should" or with "not" the same
//! words are a claim, and this reader leaves them alone.

use assay_protocol::{RouteReply, UrlPattern};

use crate::Act;

use super::super::phrase::Phrase;
use super::super::token::TokenKind;

const METHODS: &[&str] = &["get", "post", "put", "patch", "delete", "head", "options"];

/// What happens to the requests.
enum Fate {
    Answered(RouteReply),
    LetThrough,
}

pub(super) fn requests(clause: Phrase<'_>) -> Option<Act> {
    let said = clause.text().to_string();
    let is_arranged = clause.starts_any(&["let", "make"]);
    let after = clause.from(usize::from(is_arranged));
    let after_all = after.without_front(&["all"]).without_front(&["the"]);
    if after.starts_any(&["all"]) && after_all.starts_any(&["requests"]) {
        let fate = fate(after_all.from(1), is_arranged);
        if matches!(fate, Some(Fate::LetThrough)) {
            return Some(Act::Unroute { pattern: None, said });
        }
    }
    if clause.starts_any(&["abort", "block"]) {
        let (method, from) = subject(clause.from(1))?;
        let pattern = pattern(clause, 1 + from, clause.len())?;
        return Some(Act::Route { pattern, method, reply: RouteReply::Abort, said });
    }
    let (method, from) = subject(after)?;
    let end = from + after.from(from).find(PREDICATES)?;
    let pattern = pattern(after, from, end)?;
    match fate(after.from(end), is_arranged)? {
        Fate::Answered(reply) => Some(Act::Route { pattern, method, reply, said }),
        Fate::LetThrough if method.is_none() => Some(Act::Unroute { pattern: Some(pattern), said }),
        Fate::LetThrough => None,
    }
}

/// "the POST requests to": the method, and where the pattern begins.
fn subject(phrase: Phrase<'_>) -> Option<(Option<String>, usize)> {
    let plain = phrase.without_front(&["the", "all", "any", "every"]);
    let is_method = plain.starts_any(METHODS);
    let method = plain.first().filter(|_| is_method).map(|token| token.low.to_uppercase());
    let noun = plain.from(usize::from(is_method));
    let names_requests = noun.starts_any(&["request", "requests"]) && noun.word(1) == "to";
    names_requests.then(|| (method, phrase.len() - noun.len() + 2))
}

/// Words that begin what becomes of a request.
const PREDICATES: &[&str] =
    &["fail", "fails", "is", "are", "be", "work", "works", "succeed", "succeeds", "through"];

/// The address between two words, as it was written: a star is no emphasis here.
fn pattern(phrase: Phrase<'_>, start: usize, end: usize) -> Option<String> {
    if let [only] = phrase.part(start, end).tokens
        && only.is_quoted()
    {
        return UrlPattern::new(&only.text).map(|pattern| pattern.as_str().to_string());
    }
    let from = phrase.get(start.checked_sub(1)?)?.to;
    let to = match phrase.get(end) {
        Some(next) => next.from,
        None => {
            let last = phrase.last()?.to;
            last + phrase.sentence[last..].chars().take_while(|c| *c == '*').count()
        }
    };
    let text = phrase.sentence.get(from..to)?.trim();
    let is_address = text.starts_with(['/', '*']) || text.contains("://");
    let is_one = !text.contains(|c: char| c.is_whitespace() || matches!(c, '"' | ',' | ';'));
    let pattern = UrlPattern::new(text).filter(|_| is_address && is_one)?;
    Some(pattern.as_str().to_string())
}

/// `is_arranged`: "let … fail" has the verb as it is.
fn fate(predicate: Phrase<'_>, is_arranged: bool) -> Option<Fate> {
    let words = predicate.words();
    Some(match (words.as_slice(), is_arranged) {
        (["fail", "with", ..], _) | (["fails", "with", ..], false) => {
            Fate::Answered(answer(predicate.from(2), 400)?)
        }
        (["is" | "are", "answered", "with", ..], false) | (["be", "answered", "with", ..], true) => {
            // Answers that are no errors have to be arranged in so many words: they are seen every day.
            Fate::Answered(answer(predicate.from(3), if is_arranged { 200 } else { 400 })?)
        }
        (["is" | "are", "aborted" | "blocked"], false) | (["be", "aborted" | "blocked"], true) => {
            Fate::Answered(RouteReply::Abort)
        }
        (["work" | "succeed", "again"], _)
        | (["works" | "succeeds", "again"], false)
        | (["through", "again"], true) => Fate::LetThrough,
        _ => return None,
    })
}

/// "500", "status 503".
fn answer(words: Phrase<'_>, least: u16) -> Option<RouteReply> {
    let plain = words.without_front(&["a", "an", "the", "http", "status", "code"]);
    let [only] = plain.tokens else { return None };
    let TokenKind::Number(_) = only.kind else { return None };
    let status = only.text.parse::<u16>().ok().filter(|status| (least..=599).contains(status))?;
    Some(RouteReply::Answer { status, body: None, content_type: None })
}
