//! What a request means: a skill with its values, a question, or nothing that any skill does. Without a model.
//!
//! Words become concepts, and names that exist become values. The skill that explains most of a request does the work;
//! where two explain the same, or a name fits several things, the answer is a question. Pure.

mod clauses;
mod entities;
mod lexicon;
mod names;
mod params;
mod score;
mod slots;
mod tokens;
mod understand;

pub use names::{Name, NameIndex};
pub(crate) use slots::{holds, lacks_device};
pub use understand::{Bound, Given, Order, Question, Understanding, understand};

#[cfg(test)]
mod tests;
