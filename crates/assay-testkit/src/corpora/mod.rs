//! Two corpora of small sites with tests: pages that changed, and tests that prove too little.
//!
//! A case is text: pages, what the server answers, and a test in plain language. Knows how such a text is
//! read and served. Does not know how assay heals or proves, so that the exam is not written by its pupil.

mod answers;
mod fields;
mod healing;
mod memory;
mod mistake;
mod pages;
mod proof;
mod received;
mod sections;
mod site;
mod template;

pub use healing::{Change, HealingCase, Sight, Variant, healing_cases};
pub use mistake::{Complaint, CorpusMistake};
pub use proof::{Missed, ProofCase, Strength, proof_cases};
pub use received::Received;
pub use site::{CaseSite, SiteVersion};
