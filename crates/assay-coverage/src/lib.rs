//! Which requirements tests show.
//!
//! Takes requirements, the tests that exist with their links, and the last result of each test; gives a judgement for
//! each requirement, and the matrix of both as a page. Pure: reads no file, no clock and no state, and does not know how
//! a test runs.

mod coverage;
mod evidence;
mod judge;
mod page;

pub use coverage::{Coverage, CoverageTotals, CoveredRequirement, LinkedTest};
pub use evidence::{Evidence, LastResult, Standing, TestEvidence};
pub use judge::{RequirementInput, TestInput, judge};
pub use page::matrix_page;
