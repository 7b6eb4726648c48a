//! New tests and requirements: how a request says that one is missing, and where its text begins.

use super::clauses::{Clause, Role};
use super::tokens::Token;

/// "the shop must have a test that …", "we need a requirement: …": it is not there yet.
pub(super) fn lacks(tokens: &[Token], roles: &[Role], at: usize, to: usize) -> bool {
    let is_lack = matches!(
        tokens[at].text.as_str(),
        "have" | "need" | "needs" | "lacks" | "miss" | "misses" | "want" | "be"
    );
    let noun = at + 2;
    let is_new = is_lack
        && noun < to
        && matches!(tokens[at + 1].text.as_str(), "a" | "an" | "another")
        && matches!(roles[noun], Role::Concept("testcase" | "requirement"));
    let after = (noun + 1..to).find(|at| !is_new_code(tokens, roles, *at)).unwrap_or(noun + 1);
    let says_what = tokens.get(after).is_some_and(|next| {
        next.is(":") || next.is("-") || matches!(next.text.as_str(), "that" | "which" | "for" | "where")
    });
    is_new && says_what
}

/// Where the text of a new test or requirement begins: behind its noun, or the code that stands for it. A report on
/// requirements is something else.
pub(super) fn text_of_creation(
    tokens: &[Token],
    roles: &[Role],
    clause: &Clause,
    end: usize,
) -> Option<usize> {
    let verb = clause.verb_at?;
    let is_new = |at: usize| {
        matches!(roles[at], Role::Concept("testcase" | "requirement")) || is_new_code(tokens, roles, at)
    };
    let is_other = |at: usize| {
        matches!(roles[at], Role::Concept("report" | "tree" | "script" | "screen" | "result" | "coverage"))
    };
    let noun = (verb + 1..end).take_while(|at| {
        !is_other(*at)
            && (matches!(roles[*at], Role::Filler | Role::Noise | Role::Concept(_) | Role::Entity(_))
                || tokens[*at].is("new")
                || is_new_code(tokens, roles, *at))
    });
    let noun = noun.into_iter().find(|at| is_new(*at))?;
    (noun..end).find(|at| !is_new(*at)).filter(|after| !is_other(*after))
}

/// `REQ-50`, where nothing is called so yet.
fn is_new_code(tokens: &[Token], roles: &[Role], at: usize) -> bool {
    let text = &tokens[at].text;
    let digits = text.trim_start_matches(char::is_alphabetic).trim_start_matches(['-', '_']);
    roles[at] == Role::Word
        && text.starts_with(char::is_alphabetic)
        && !digits.is_empty()
        && digits.chars().all(|one| one.is_ascii_digit())
}
