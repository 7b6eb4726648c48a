//! The two questions that can be asked about a text.
//!
//! Knows the order of the steps: cut the text into pieces, then count each piece.
//! Does not know how a piece is cut or merged.

use crate::layout::LONGEST_TOKEN;
use crate::merge::Merger;
use crate::pieces::Pieces;

/// How many o200k_base tokens `text` has.
pub fn count(text: &str) -> usize {
    let mut merger = Merger::default();
    Pieces::of(text).map(|piece| merger.count(piece.as_bytes())).sum()
}

/// Whether `text` has at most `budget` o200k_base tokens.
///
/// Stops as soon as the answer is known, so a text far above its budget costs no
/// more than one that just exceeds it.
pub fn fits(text: &str, budget: usize) -> bool {
    // A token has at least one byte and at most `LONGEST_TOKEN`, so the length alone
    // often decides.
    if text.len() <= budget {
        return true;
    }
    if text.len().div_ceil(LONGEST_TOKEN) > budget {
        return false;
    }
    let mut merger = Merger::default();
    let mut total = 0;
    Pieces::of(text).all(|piece| {
        total += merger.count(piece.as_bytes());
        total <= budget
    })
}
