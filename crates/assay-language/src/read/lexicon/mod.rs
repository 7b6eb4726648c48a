//! The words that the reader knows, as tables. What is not here is a name.

pub(crate) mod application_verbs;
pub(crate) mod claim_verbs;
pub(crate) mod inflection;
pub(crate) mod keys;
pub(crate) mod nouns;
pub(crate) mod relations;
pub(crate) mod spelling;
pub(crate) mod states;
pub(crate) mod words;
