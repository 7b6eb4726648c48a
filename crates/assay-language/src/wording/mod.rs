//! Words for what somebody does to a page by hand: the sentences of a test that is recorded.
//!
//! A wording counts only if the interpreter, on the page before the act, reads exactly one act or claim in it and means
//! exactly that element. The caller tries the wordings in their order: the plainest comes first.

mod claims;
mod deeds;
mod phrase;

pub use claims::{claims_about, claims_at, is_true_of};
pub use deeds::{Deed, is_said_by, wordings};
pub use phrase::exact_selectors;
