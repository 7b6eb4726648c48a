//! Tests written from a page, a goal or a document.
//!
//! Knows what can be said of a scope before anybody is asked (`triage`), what a page says of itself (`pages`), how a
//! model is asked for tests (`ask`), when a goal is a test already (`spoken`), what makes a proposal worth writing (`review`) and how it looks in a file
//! (`sheet`). Does not open pages, run tests or write files: whoever calls it does, and gives it what was seen.

mod answers;
mod ask;
mod draft;
mod names;
mod pages;
mod review;
mod scope;
mod sheet;
mod spoken;
mod triage;
mod words;

pub use answers::{GivenAnswer, read_answers};
pub use ask::{Brief, PlannedTests, Planner, PlannerError, Refused};
pub use draft::{Draft, DraftTrial};
pub use names::file_stem;
pub use pages::{
    FieldRules, Followable, Landing, LinkRules, Linked, PageSeen, Proposals, followable, propose,
};
pub use review::{DraftFault, Sources, review};
pub use scope::{Ambiguity, Exclusion, OpenQuestion, TestScope};
pub use sheet::{Sheet, write_sheet};
pub use spoken::{NotSpoken, spoken};
pub use triage::{PlanRequest, triage};
