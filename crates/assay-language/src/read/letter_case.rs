//! Values with the case of their letters said apart: `"ada" in all upper case letters` is `"ADA"`.

use super::token::{Token, TokenKind};

/// The tokens with such values written as they are meant.
pub(super) fn with_letter_case(mut tokens: Vec<Token>) -> Vec<Token> {
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].kind == TokenKind::Quoted
            && let Some((is_upper, length)) = said_case(&tokens[at + 1..])
        {
            let text = &tokens[at].text;
            tokens[at].text = if is_upper { text.to_uppercase() } else { text.to_lowercase() };
            tokens.drain(at + 1..at + 1 + length);
        }
        at += 1;
    }
    tokens
}

/// "in all upper case letters", "in lowercase", "in capital letters": whether upper case is meant, and how many tokens say
/// it.
fn said_case(tokens: &[Token]) -> Option<(bool, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    if word(0) != "in" {
        return None;
    }
    let at = 1 + usize::from(word(1) == "all");
    let ends_in_letters = |at: usize| usize::from(matches!(word(at), "letters" | "characters"));
    match (word(at), word(at + 1)) {
        ("upper" | "lower", "case") => Some((word(at) == "upper", at + 2 + ends_in_letters(at + 2))),
        ("uppercase" | "lowercase", _) => Some((word(at) == "uppercase", at + 1 + ends_in_letters(at + 1))),
        ("capitals", _) => Some((true, at + 1)),
        ("capital" | "small", "letters") => Some((word(at) == "capital", at + 2)),
        _ => None,
    }
}
