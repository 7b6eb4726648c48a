//! When a claim that something is not so may be believed.
//!
//! A reader who finds nothing has proved nothing: the place may not be there, the value may be drawn in a way that is
//! not read, the kind of thing may be one that is not known. So what was not found to be so is denied only when it was
//! really looked at. Everything that turns a finding round goes through here.

use super::Truth;

/// What it rests on that something was found not to be so.
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
