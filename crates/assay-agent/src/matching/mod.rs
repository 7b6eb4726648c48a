//! What a request means: a skill with its values, a question, or nothing that any skill does. Without a model.
//!
//! Words become concepts, and names that exist become values. The skill that explains most of a request does the work;
//! where two explain the same, or a name fits several things, the answer is a question. Pure.

mod account;
mod browsers;
mod by_meaning;
mod choices;
mod choose;
mod clauses;
mod creation;
mod dates;
mod devices;
mod entities;
mod exclude;
mod fill;
mod fillers;
mod in_doubt;
mod left_out;
mod lexicon;
mod meaning;
mod mend;
mod named_acts;
mod names;
mod naming;
mod params;
mod quantities;
mod reading;
mod said;
mod score;
mod settle;
mod settle_names;
mod synonyms;
mod texts;
mod tokens;
mod unclear;
mod understand;

pub(crate) use fill::{holds, lacks_device};
pub use names::{Name, NameIndex};
pub(crate) use settle_names::settle_names;
pub(crate) use tokens::{stem, words_of};
pub use understand::{Bound, Given, Order, Question, Understanding, understand};

#[cfg(test)]
mod tests;
