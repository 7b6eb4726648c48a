//! A goal that is a test already: sentences that the built-in interpreter reads, in an order that can be carried out.

use assay_language::{About, Act, Claim, Hints, Intent, name_commits, parts_of, read};

use crate::draft::{Draft, DraftTrial};
use crate::names::file_stem;
use crate::sheet::Sheet;
use crate::words::one_line;

/// Words that a page is not called.
const NO_NAMES: &[&str] = &["", "current", "same", "next", "first", "whole", "new", "result", "login", "web"];
const SHOWS: &[&str] = &["shows", "has", "lists", "contains", "displays", "says"];
const LONGEST_NAME: usize = 70;

/// Why a goal is no test in sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotSpoken {
    /// This part is no sentence that is understood without a model.
    Unread(String),
    /// It says what to do, and not what must be seen.
    NoClaim,
}

impl std::fmt::Display for NotSpoken {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotSpoken::Unread(part) => write!(out, "`{part}` is not understood without a model"),
            NotSpoken::NoClaim => out.write_str("it says what to do, but not what must be seen afterwards"),
        }
    }
}

/// The test that a goal spells out. It begins at `start`, unless the goal says where.
pub fn spoken(goal: &str, start: &str) -> Result<Sheet, NotSpoken> {
    let parts: Vec<String> = parts_of(goal).iter().flat_map(|part| opened(part)).collect();
    let mut read_parts = Vec::new();
    for part in parts {
        let Some(kind) = kind_of(&part) else { return Err(NotSpoken::Unread(part)) };
        read_parts.push((capitalised(&part), kind));
    }
    let claims = read_parts.iter().rev().take_while(|(_, kind)| *kind == Kind::Claims).count();
    if claims == 0 {
        return Err(NotSpoken::NoClaim);
    }
    let goes = read_parts.first().is_some_and(|(_, kind)| *kind == Kind::Goes);
    let commits = read_parts.iter().any(|(part, kind)| *kind != Kind::Claims && name_commits(part));
    let expected = read_parts.split_off(read_parts.len() - claims);
    let opening = (!goes).then(|| format!("Go to {start}"));
    let sentences = |parts: Vec<(String, Kind)>| parts.into_iter().map(|(part, _)| part);
    let name = assay_prompt::shortened(&capitalised(one_line(goal).trim_end_matches('.')), LONGEST_NAME);
    let draft = Draft {
        name: name.clone(),
        steps: opening.into_iter().chain(sentences(read_parts)).collect(),
        expected: sentences(expected).collect(),
        trial: if commits { DraftTrial::Sends } else { DraftTrial::Harmless },
        ..Draft::default()
    };
    Ok(Sheet { stem: file_stem(&name), drafts: vec![draft], open: Vec::new() })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Goes,
    Acts,
    Claims,
}

/// What a sentence does; nothing if it is not understood.
fn kind_of(part: &str) -> Option<Kind> {
    let intents = read(part, &Hints::default()).ok()?;
    let is_known =
        |intent: &Intent| !matches!(intent, Intent::Claim(Claim { about: About::Unknown { .. }, .. }));
    if intents.is_empty() || !intents.iter().all(is_known) {
        return None;
    }
    Some(match &intents[0] {
        _ if intents.iter().all(|intent| matches!(intent, Intent::Claim(_))) => Kind::Claims,
        Intent::Act(Act::Go { .. }) => Kind::Goes,
        Intent::Act(_) | Intent::Claim(_) => Kind::Acts,
    })
}

/// `the Journal page shows "Olsen"` is to go to the Journal page, and to look.
fn opened(part: &str) -> Vec<String> {
    let whole = || vec![part.to_string()];
    let words: Vec<&str> = part.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let Some(page) = lower.iter().position(|word| word == "page" || word == "screen") else { return whole() };
    let Some(the) = lower[..page].iter().rposition(|word| word == "the") else { return whole() };
    let leads = ["", "check", "check that", "verify", "verify that", "that", "make sure", "make sure that"];
    let name = words[the + 1..page].join(" ");
    let is_claim = leads.contains(&lower[..the].join(" ").as_str())
        && lower.get(page + 1).is_some_and(|word| SHOWS.contains(&word.as_str()))
        && (1..=4).contains(&(page - the - 1))
        && !NO_NAMES.contains(&name.to_lowercase().as_str())
        && !name.contains('"');
    if !is_claim {
        return whole();
    }
    let shown = words[page + 1..].join(" ");
    vec![format!("Go to the {name} {}", lower[page]), format!("The page {shown}")]
}

fn capitalised(part: &str) -> String {
    let mut letters = part.trim().chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(goal: &str, steps: &[&str], expected: &[&str]) {
        let sheet = spoken(goal, "/shop").unwrap();
        assert_eq!(
            (&*sheet.drafts[0].steps, &*sheet.drafts[0].expected),
            (&*owned(steps), &*owned(expected))
        );
    }

    fn owned(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_string()).collect()
    }

    #[test]
    fn a_goal_in_sentences_is_a_test() {
        check(
            "Open the basket and check that the page shows \"Lamp\"",
            &["Go to /shop", "Open the basket"],
            &["Check that the page shows \"Lamp\""],
        );
        check(
            "the Journal page shows \"Dairy Olsen\"",
            &["Go to the Journal page"],
            &["The page shows \"Dairy Olsen\""],
        );
        check(
            "Go to /login. Fill \"Ada\" into \"Name\", then click \"Next\". The heading is \"Hello\"",
            &["Go to /login", "Fill \"Ada\" into \"Name\"", "Click \"Next\""],
            &["The heading is \"Hello\""],
        );
    }

    #[test]
    fn what_commits_is_not_tried_unasked() {
        let trial = |goal: &str| spoken(goal, "/").unwrap().drafts[0].trial;
        assert_eq!(trial("Click \"Delete all\". The page shows \"Empty\""), DraftTrial::Sends);
        assert_eq!(trial("Click \"Details\". The page shows \"Empty\""), DraftTrial::Harmless);
    }

    #[test]
    fn what_is_no_sentence_needs_a_model() {
        let why = |goal: &str| spoken(goal, "/").unwrap_err();
        assert!(matches!(why("the checkout with every kind of voucher"), NotSpoken::Unread(_)));
        assert_eq!(why("Open the basket"), NotSpoken::NoClaim);
    }
}
