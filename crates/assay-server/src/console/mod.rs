//! The console: its files as they are in the binary, and the page on which one signs in.

mod assets;
mod sign_in;

pub(crate) use assets::routes;
pub(crate) use sign_in::{answer_form, is_form, refusal_page, wants_page};
