//! Sherlock: what the results of a finished run mean, by rules on the record.
//!
//! Reads runs of the state and keeps what it found there. Starts nothing, asks nobody. `docs/assistants.md` defines the
//! classes.

mod changes;
mod class;
mod discard;
mod elsewhere;
mod history;
mod html;
mod in_report;
mod judge;
mod known;
mod login;
mod markdown;
mod missing;
mod passes;
mod programs;
mod result;
mod run;
mod sampled;
mod signature;
mod wording;

#[cfg(test)]
mod tests;

pub use changes::{Changes, Look};
pub use class::{INCONCLUSIVE, ResultClass};
pub use discard::{DiscardError, discard};
pub use html::html_page;
pub use in_report::in_report;
pub use markdown::markdown_page;
pub use result::{Depth, ResultAnalysis};
pub use run::{AnalysisError, RunAnalysis, analyse, analyse_result};
