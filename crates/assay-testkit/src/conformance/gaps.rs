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
#[rustfmt::skip] // One gap, one line.
pub const GAPS: &[Gap] = &[
    gap("firefox", "an_item_is_dropped_into_a_basket", NO_DROP),
    gap("firefox", "a_list_is_put_in_another_order", NO_DROP),
    gap("firefox", "an_end_of_dragging_is_told_to_the_page", NO_DROP),
    gap("firefox", "something_is_dragged_twice", NO_DROP),
    gap("firefox", "back_ends_at_the_empty_page_of_a_tab", "the empty page a tab begins with is no entry of its history"),
    gap("firefox", "clicks_hit_in_a_small_view", "a scroller in a page that is scrolled by half a pixel moves by a pixel and a half after it was measured"),
];

const NO_DROP: &str =
    "Firefox's actions begin a drag, but no command ends it: `drop` and `dragend` never come";

const fn gap(engine: &'static str, case: &'static str, why: &'static str) -> Gap {
    Gap { engine, case, why }
}
