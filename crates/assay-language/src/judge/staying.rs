//! Claims that something stays as it was.

use crate::Claim;
use crate::ground::words::words_of;

/// Whether a claim says of what is there that it still is: "the total stays 9", "the login page is still displayed".
///
/// Such a claim is false when it did not hold before the acts it follows, whatever the page shows now. What held before
/// is the caller's to know.
pub fn must_have_held(claim: &Claim) -> bool {
    const STAYING: &[&str] = &[
        "still",
        "stays",
        "stay",
        "remains",
        "remain",
        "keeps",
        "keep",
        "continues",
        "continue",
        "unchanged",
    ];
    let says_so = words_of(&claim.said).iter().any(|word| STAYING.contains(&word.as_str()));
    claim.stays && !claim.negated && says_so
}
