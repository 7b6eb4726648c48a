//! Page text in questions to models: one fence and one list of a page's elements for every prompt.
//!
//! Knows scenes and tokens. Does not know who asks, which provider answers, or what a model may do.

mod fence;
mod map;

pub use fence::{FENCE_RULE, fenced, harmless, shortened};
pub use map::{element_line, page_changes, page_map};
