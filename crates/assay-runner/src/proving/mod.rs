//! Proof that a test notices: it is run again with one thing broken at a time, and must go red.

mod breakable;
mod observed;
mod trial;
mod varied;
mod worker;

pub(crate) use observed::Observed;
pub(crate) use trial::Trial;
