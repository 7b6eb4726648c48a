//! Two builds of an application compared by the same tests, side by side.
//!
//! `carry_out.rs` runs rounds of both builds until each test is clear, `side.rs` is one run of one build, `report.rs`
//! the result, `html.rs` its page. What a difference is, and what is noise, is decided in `assay-twin`.

mod builds;
mod carry_out;
mod html;
mod lines;
mod report;
mod side;
mod spec;

pub use carry_out::TwinEnd;
pub(crate) use carry_out::carry_out;
pub use report::{TwinReport, twin_words};
pub use spec::TwinSpec;
