//! What people add to a sentence without changing what it asks for: notes in brackets, a kind in quotation marks.

use super::acts::verbs::{self, Verb};
use super::lexicon::nouns;
use super::token::{Token, TokenKind};

/// Words after which a note changes what is asked for.
const DECIDING: &[&str] = &[
    "not", "no", "without", "only", "except", "all", "every", "each", "if", "unless", "or", "must", "should",
    "don't", "never", "but", "when", "until", "and", "then", "before", "after", "times",
];

/// Short forms that are written with a stop.
const SHORTENED: &[&str] = &["e.g", "i.e", "eg", "ie", "etc", "resp", "approx", "incl"];

/// Who acts, and other words in front of a verb.
const BEFORE_VERB: &[&str] = &[
    "i", "we", "you", "user", "users", "the", "a", "admin", "customer", "then", "and", "when", "now",
    "please", "step",
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
    let passes = [
        without_stops,
        names_bare,
        times_bare,
        kinds_unquoted,
        signs_named,
        with_examples,
        without_notes,
        without_reason,
    ];
    passes.into_iter().fold(tokens, |tokens, pass: fn(Vec<Token>) -> Vec<Token>| pass(tokens))
}

/// "Unfold the section again, as it has been closed": why, and not what.
fn without_reason(mut tokens: Vec<Token>) -> Vec<Token> {
    let is_reason = |three: &[Token]| {
        three[0].is_mark(',')
            && three[1].is_any(&["as", "because", "since"])
            && three[2].is_any(&["it", "they", "this", "there"])
    };
    if let Some(at) = tokens.windows(3).position(is_reason).filter(|at| *at > 1)
        && !tokens[at..].iter().any(Token::is_value)
    {
        tokens.truncate(at);
    }
    tokens
}

/// `the bug icon ("Debug messages")`, `the gear button (tooltip "Settings")`: what it is called.
fn names_bare(mut tokens: Vec<Token>) -> Vec<Token> {
    const CONTROLS: &[&str] = &["icon", "button", "link", "tab", "symbol"];
    const CALLED: &[&str] = &["tooltip", "title", "label", "labelled", "labeled", "named", "called"];
    for at in 1..tokens.len() {
        let is_open = tokens[at].is_mark('(') && tokens[at - 1].is_any(CONTROLS);
        let word = usize::from(tokens.get(at + 1).is_some_and(|next| next.is_any(CALLED)));
        let is_name = tokens.get(at + 1 + word).is_some_and(Token::is_quoted)
            && tokens.get(at + 2 + word).is_some_and(|close| close.is_mark(')'));
        if is_open && is_name {
            tokens.remove(at + 2 + word);
            tokens.drain(at..=at + word);
            break;
        }
    }
    tokens
}

/// "Press Escape (twice)": how often, in brackets or not.
fn times_bare(mut tokens: Vec<Token>) -> Vec<Token> {
    let often = |token: &Token| token.is_any(&["twice", "thrice", "times"]);
    let open = tokens.iter().position(|token| token.is_mark('('));
    let close =
        open.and_then(|at| tokens[at..].iter().position(|token| token.is_mark(')')).map(|end| at + end));
    if let (Some(open), Some(close)) = (open, close)
        && (2..=3).contains(&(close - open))
        && often(&tokens[close - 1])
    {
        tokens.remove(close);
        tokens.remove(open);
    }
    tokens
}

/// "the (+) button": what is written on it.
fn signs_named(tokens: Vec<Token>) -> Vec<Token> {
    let mut all: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if let [open, sign, close, next, ..] = &tokens[at..]
            && open.is_mark('(')
            && close.is_mark(')')
            && nouns::noun(&[next.low.as_str()]).is_some()
            && sign.text.chars().count() == 1
            && !sign.text.chars().all(char::is_alphanumeric)
        {
            let (text, low) = (sign.text.clone(), String::new());
            all.push(Token { kind: TokenKind::Quoted, text, low, from: open.from, to: close.to });
            at += 3;
            continue;
        }
        all.push(tokens[at].clone());
        at += 1;
    }
    all
}

/// The stop of "e.g." ends no sentence, nor does the backslash that ends a line of a list.
fn without_stops(tokens: Vec<Token>) -> Vec<Token> {
    let mut all: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let shortens = all.last().is_some_and(|last| last.is_any(SHORTENED) && last.to == token.from);
        if !(token.is_mark('.') && shortens || token.text == "\\") {
            all.push(token);
        }
    }
    all
}

/// `Enter a name (e.g. "Ada")`, `Type a title such as "Kim"`: the value that the words before only describe. Only where
/// something is entered or chosen; in a claim an example stays what it is, one of many.
fn with_examples(mut tokens: Vec<Token>) -> Vec<Token> {
    let first = tokens.iter().position(|token| token.kind == TokenKind::Word && !token.is_any(BEFORE_VERB));
    let enters = first.and_then(|at| verbs::verb(&[tokens[at].low.as_str()])).is_some_and(|found| {
        matches!(found.verb, Verb::Enter | Verb::Fill | Verb::Choose | Verb::Set | Verb::Search)
    });
    let Some(at) = tokens.iter().position(|token| token.is_any(&["e.g", "eg", "such"])) else {
        return tokens;
    };
    let is_given = tokens[..at].iter().any(Token::is_value);
    if !enters || is_given || at == 0 {
        return tokens;
    }
    let is_bracket = tokens[at - 1].is_mark('(');
    let leads =
        |token: &Token| token.is_any(&["as", "like"]) || matches!(token.kind, TokenKind::Mark(',' | ':'));
    let start = at + 1 + tokens[at + 1..].iter().take_while(|token| leads(token)).count();
    let end = match is_bracket {
        true => tokens[start..].iter().position(|token| token.is_mark(')')).map(|length| start + length),
        false => Some(start + 1).filter(|end| *end <= tokens.len()),
    };
    let Some(end) = end.filter(|end| *end > start) else { return tokens };
    let (from, to) = (tokens[start].from, tokens[end - 1].to);
    let text = match &tokens[start..end] {
        [only] if only.is_value() || is_bracket && only.kind == TokenKind::Word => only.text.clone(),
        _ => return tokens,
    };
    let value = Token { kind: TokenKind::Quoted, text, low: String::new(), from, to };
    let close = end + usize::from(is_bracket);
    // "a code with four digits (e.g. 1234)": what it is like, which the example shows.
    let described = tokens[..at].iter().position(|token| token.is_any(&["with", "longer"]));
    let start = described.filter(|with| *with > 2).unwrap_or(at - usize::from(is_bracket));
    tokens.splice(start..close.min(tokens.len()), [value]);
    tokens
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
        || matches!(note, [only] if only.is_any(&["optional", "required"]) || is_ticket(&only.text))
        // `(gear icon in the user list)`: what it looks like. `(you can open it with F12)`: a way to do it.
        || note.iter().all(is_plain)
            && note.iter().any(|token| token.is_any(&["icon", "screenshot"]))
            && !note.iter().skip(1).any(|token| token.is_capital() || token.is_any(&["row", "entry", "first", "last"]))
        || note.first().is_some_and(|first| first.is("you"))
            && (note.get(1).is_some_and(|next| next.is_any(&["can", "may", "might"]))
                || note.get(2).is_some_and(|next| next.is_any(&["probably", "perhaps"])))
}

/// `#1234`: where something was reported.
fn is_ticket(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|digits| digits.len() > 2 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
