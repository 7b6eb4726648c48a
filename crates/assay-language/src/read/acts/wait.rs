//! Waiting for a time, for a claim, for the page.

use crate::{About, Act, WaitGoal};

use super::super::claims;
use super::super::lexicon::words::{DETERMINERS, number_word};
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::TokenKind;
use super::verbs::Verb;
use super::{Acts, Misread};

pub(super) fn wait(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let rest = without_limit(rest);
    let body = rest.without_front(&["for", "until", "till", "that", "about", "approximately"]);
    let (body, waited) = match seconds(body) {
        Some((seconds, length)) if length == body.len() => {
            return Ok(vec![Act::Wait { until: WaitGoal::Seconds(seconds) }]);
        }
        // "Wait 5 seconds for the page to load": the claim is what counts.
        Some((_, length)) => (body.from(length).without_front(&["for", "until", "till", "and"]), true),
        None => (body, false),
    };
    if body.is_empty() {
        return Err(Misread::new(Verb::Wait, "it does not say for what or how long"));
    }
    if is_loading(body) {
        return Ok(vec![Act::Wait { until: WaitGoal::Loaded }]);
    }
    let has_reason = waited || rest.starts_any(&["for", "until", "till"]);
    let all = claims::claims_or_presence(body, nouns);
    let is_clear = has_reason && !all.iter().any(|claim| matches!(claim.about, About::Unknown { .. }));
    match is_clear {
        true => {
            let waits = all.into_iter().map(|claim| Act::Wait { until: WaitGoal::Claim(Box::new(claim)) });
            Ok(waits.collect())
        }
        false => Err(Misread::new(Verb::Wait, format!("assay cannot wait for `{}`", body.text()))),
    }
}

/// "up to 10 seconds", "at most 5 seconds": a wait has a limit anyway.
fn without_limit(rest: Phrase<'_>) -> Phrase<'_> {
    // "… for at most 10 seconds", "… within 10 seconds".
    let ends =
        [&["for", "at", "most"][..], &["for", "up", "to"], &["at", "most"], &["up", "to"], &["within"]];
    for at in 1..rest.len() {
        let limit = ends.iter().find(|words| rest.from(at).starts(words));
        if let Some(words) = limit
            && let Some((_, length)) = seconds(rest.from(at + words.len()))
            && at + words.len() + length == rest.len()
        {
            return rest.until(at);
        }
    }
    let after = if rest.starts(&["up", "to"]) || rest.starts(&["at", "most"]) {
        rest.from(2)
    } else if rest.starts(&["a", "maximum", "of"]) {
        rest.from(3)
    } else {
        return rest;
    };
    match seconds(after) {
        Some((_, length)) if length < after.len() => after.from(length),
        _ => rest,
    }
}

/// A time at the front, and how many tokens it takes.
fn seconds(body: Phrase<'_>) -> Option<(f64, usize)> {
    let first = body.first()?;
    let number = match first.kind {
        TokenKind::Number(number) => number,
        _ if first.is_any(&["a", "an"]) => 1.0,
        TokenKind::Quoted => first.text.trim().parse().ok()?,
        _ if joined(&first.low).is_some() => return joined(&first.low).map(|seconds| (seconds, 1)),
        _ => number_word(&first.low)?,
    };
    Some((number * unit(body.word(1))?, 2))
}

/// "500ms", "5s".
fn joined(low: &str) -> Option<f64> {
    let end = low.find(|c: char| !c.is_ascii_digit() && c != '.').filter(|end| *end > 0)?;
    let number: f64 = low[..end].parse().ok()?;
    Some(number * unit(&low[end..])?)
}

fn unit(word: &str) -> Option<f64> {
    match word {
        "second" | "seconds" | "sec" | "secs" | "s" => Some(1.0),
        "minute" | "minutes" | "min" | "mins" => Some(60.0),
        "millisecond" | "milliseconds" | "ms" => Some(0.001),
        _ => None,
    }
}

/// "the page to load", "the page is fully loaded", "loading to finish".
fn is_loading(body: Phrase<'_>) -> bool {
    let plain = body.without_front(DETERMINERS);
    let plain = if plain.len() > 3 && plain.from(plain.len() - 2).is(&["when", "ready"]) {
        plain.until(plain.len() - 2)
    } else {
        plain
    };
    let plain_page = plain.starts_any(&["page", "navigation", "website", "site", "loading", "load"]);
    let rest = plain.from(1);
    const LOADS: &[&str] = &[
        "to",
        "is",
        "has",
        "be",
        "fully",
        "completely",
        "load",
        "loads",
        "loaded",
        "loading",
        "finish",
        "finishes",
        "finished",
        "complete",
        "completes",
        "completed",
        "been",
        "reload",
        "reloads",
        "ready",
    ];
    plain_page && rest.tokens.iter().all(|token| token.is_any(LOADS))
}
