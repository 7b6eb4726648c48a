//! Following runs: every event once, in order, from wherever a client was.

mod feed;
mod sse;

pub use feed::Feeds;
pub use sse::stream;
