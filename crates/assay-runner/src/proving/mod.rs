//! Proof that a test notices defects: it runs again with one fault at a time, and must fail.

mod breakable;
mod observed;
mod trial;
mod varied;
mod worker;

pub(crate) use observed::Observed;
pub(crate) use trial::Trial;
