//! What an engine is known not to do: lines of data, each with its reason.
//!
//! A case with a line here must fail on that engine. The day it passes, the line has to go.

/// A case that is expected to fail on one engine.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    pub engine: &'static str,
    pub case: &'static str,
    pub why: &'static str,
}

/// One engine, one case, one reason a line.
pub const GAPS: &[Gap] = &[];
