//! What people add to a sentence without changing what it asks for: notes in brackets, a kind in quotation marks.

use super::lexicon::nouns;
use super::token::{Token, TokenKind};

/// Words after which a note changes what is asked for.
const DECIDING: &[&str] = &[
    "not", "no", "without", "only", "except", "all", "every", "each", "if", "unless", "or", "must", "should",
    "don't", "never", "but", "when", "until", "and", "then", "before", "after", "times",
];

/// Words that begin a note about what something looks like or where it is explained.
const NOTING: &[&str] = &[
    "optional",
    "optionally",
    "see",
    "the",
    "a",
    "an",
    "aka",
    "icon",
    "three",
    "next",
    "previous",
    "shown",
    "screenshot",
    "screens",
    "as",
    "this",
    "that",
];

/// The tokens without notes in brackets, and with the word for a kind out of its quotation marks.
pub(crate) fn plain(tokens: Vec<Token>) -> Vec<Token> {
    without_notes(kinds_unquoted(tokens))
}

/// `"Save" "button"`: the second quotation is the kind of the first.
fn kinds_unquoted(tokens: Vec<Token>) -> Vec<Token> {
    let mut all: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let follows = all.last().is_some_and(|last| last.is_quoted() && last.to < token.from);
        let low = token.text.to_lowercase().replace('_', " ");
        if !token.is_quoted() || !follows || nouns::noun(&[low.as_str()]).is_none() {
            all.push(token);
            continue;
        }
        for word in low.split(' ') {
            let (text, low) = (word.to_string(), word.to_string());
            all.push(Token { kind: TokenKind::Word, text, low, from: token.from, to: token.to });
        }
    }
    all
}

/// `the "Options" button (three dots icon)`: what the thing looks like. A note that gives a value or a condition stays.
fn without_notes(tokens: Vec<Token>) -> Vec<Token> {
    let mut all: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let close = tokens[at..].iter().position(|token| token.is_mark(')')).map(|length| at + length);
        let note = close.map(|close| &tokens[at + 1..close.max(at + 1)]);
        match (note, close) {
            (Some(note), Some(close)) if tokens[at].is_mark('(') && at > 0 && is_note(note) => at = close + 1,
            _ => {
                all.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    all
}

fn is_note(note: &[Token]) -> bool {
    let is_plain = |token: &Token| {
        matches!(token.kind, TokenKind::Word | TokenKind::Mark('-' | '/')) && !token.is_any(DECIDING)
    };
    // `(leave "Equals" as it is)` asks for nothing.
    let is_left = note.first().is_some_and(|first| first.is_any(&["leave", "keep"]))
        && note.len() > 3
        && note[note.len() - 3].is("as")
        && note[note.len() - 1].is("is");
    is_left
        || note.first().is_some_and(|first| first.is_any(NOTING) && !first.is_any(&["leave", "keep"]))
            && note.iter().all(is_plain)
        || matches!(note, [only] if only.is_any(&["optional", "beta", "required"]))
}
