//! Counts the o200k_base tokens of a text, exactly and from the first call on.
//!
//! The vocabulary is a part of the binary and is looked up in place: nothing is
//! built at start-up, and only the pages that are really read become resident.
//! Page text is data, so the special tokens of the encoding are not known here:
//! `<|endoftext|>` is counted like any other run of characters.

mod categories;
mod classes;
mod count;
mod layout;
mod merge;
mod pieces;
mod vocabulary;

pub use count::{count, fits};
