//! When to believe a claim that something is not so.
//!
//! A search without a result proves nothing: the place may be missing, the value may be drawn in an unreadable way, the
//! kind of thing may be unknown. So a denial holds only if the thing itself was really examined. Every negation of a
//! finding goes through this module.

use super::Truth;

/// The basis of a negative finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looked {
    /// The thing, the place or the value that the claim speaks of was found and read.
    Read,
    /// The whole page was searched for a text or a thing that is named exactly.
    Searched,
    /// Neither. The claim fails, and its denial is not proved.
    Nowhere,
}

/// The truth of the opposite.
pub(crate) fn denied(truth: Truth, looked: Looked) -> Truth {
    match (truth, looked) {
        (Truth::Yes, _) => Truth::No,
        (Truth::No, Looked::Read | Looked::Searched) => Truth::Yes,
        (Truth::No, Looked::Nowhere) | (Truth::NotQuite | Truth::Unsure, _) => Truth::Unsure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_looked_at_is_not_denied() {
        assert_eq!(denied(Truth::No, Looked::Read), Truth::Yes);
        assert_eq!(denied(Truth::No, Looked::Searched), Truth::Yes);
        assert_eq!(denied(Truth::No, Looked::Nowhere), Truth::Unsure);
        assert_eq!(denied(Truth::NotQuite, Looked::Read), Truth::Unsure);
        assert_eq!(denied(Truth::Yes, Looked::Nowhere), Truth::No);
    }
}
