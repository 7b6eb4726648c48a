//! One suite for all browsers: what a user types, and what the page must have seen of it.
//!
//! Knows the fixture site and the command line as words. Does not know which engine is underneath, nor
//! how a browser is started: a case is run through [`Hands`], which the caller brings.

mod case;
mod cases;
mod gaps;
mod hands;
mod run;
mod verdict;
mod words;

pub use case::{Case, Check, Step};
pub use cases::{GROUPS, Group, Topic, all_cases, group};
pub use gaps::{GAPS, Gap};
pub use hands::{Hands, Reply};
pub use run::{Outcome, Problem, run};
pub use verdict::{Verdict, judge};
