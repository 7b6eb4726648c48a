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
    gap("webkit", "an_item_is_dropped_into_a_basket", GTK_DRAGS),
    gap("webkit", "a_list_is_put_in_another_order", GTK_DRAGS),
    gap("webkit", "an_end_of_dragging_is_told_to_the_page", GTK_DRAGS),
    gap("webkit", "the_page_hears_that_something_is_dragged_over_it", GTK_DRAGS),
    gap("webkit", "something_is_dragged_twice", GTK_DRAGS),
    gap("webkit", "clicks_hit_the_corners_of_the_view_at_ratio_1_5", NO_RATIO),
    gap("webkit", "clicks_hit_the_corners_of_the_view_at_ratio_2", NO_RATIO),
    gap("webkit", "clicks_hit_small_and_uneven_targets_at_ratio_1_5", NO_RATIO),
    gap("webkit", "clicks_hit_small_and_uneven_targets_at_ratio_2", NO_RATIO),
    gap("webkit", "clicks_hit_in_scrolled_places_at_ratio_1_5", NO_RATIO),
    gap("webkit", "clicks_hit_in_scrolled_places_at_ratio_2", NO_RATIO),
    gap("webkit", "clicks_hit_in_a_frame_at_ratio_1_5", NO_RATIO),
    gap("webkit", "clicks_hit_in_a_frame_at_ratio_2", NO_RATIO),
    gap("webkit", "a_picture_at_ratio_2_has_twice_the_size", NO_RATIO),
    gap("webkit", "a_picture_at_ratio_one_and_a_half_has_its_size", NO_RATIO),
    gap("webkit", "clicks_hit_in_a_small_view", NO_NARROW),
    gap("webkit", "a_picture_of_a_phone_has_its_size", NO_NARROW),
    gap("webkit", "a_picture_is_taken_as_jpeg", "its inspector gives pictures as PNG only"),
    gap("webkit", "a_picture_is_taken_as_webp", "its inspector gives pictures as PNG only"),
    gap("webkit", "a_page_is_printed", "its inspector cannot print"),
    gap("webkit", "a_tab_of_its_own_shares_nothing", "its unit of isolation is the process: a session of its own does it"),
    gap("webkit", "a_page_with_unsaved_text_is_left_by_an_answer", NEVER_ASKS),
    gap("webkit", "a_page_with_unsaved_text_is_kept_by_an_answer", NEVER_ASKS),
    gap("webkit", "a_week_is_filled", "it shows a week as an empty field, without parts that could take keys"),
    gap("webkit", "a_frame_of_another_origin_is_filled", "a field in a frame of another site does not take the focus from a script"),
    gap("webkit", "a_frame_in_a_shadow_root_is_clicked", "the inspector does not tell which element of a shadow tree a frame belongs to"),
    gap("webkit", "alt_is_held_during_a_click", "Alt arrives as Meta in pointer events"),
    gap("webkit", "an_element_with_css_zoom_is_hit", CSS_ZOOM),
    gap("webkit", "a_whole_page_that_is_zoomed_is_clicked", CSS_ZOOM),
    gap("webkit", "objects_in_the_console_are_readable", "the inspector names a null an object"),
    gap("webkit", "a_link_clicked_with_control_opens_a_tab", "Control does not open a link in a tab of MiniBrowser"),
    gap("webkit", "an_edit_can_be_undone", "Control+z is not passed on to the editor"),
];

const NO_DROP: &str =
    "Firefox's actions begin a drag, but no command ends it: `drop` and `dragend` never come";

const GTK_DRAGS: &str = "the toolkit takes a drag over once it has begun, and the page hears no more of it";
const NO_RATIO: &str = "the device pixel ratio cannot be set";
const NO_NARROW: &str = "the window of MiniBrowser is never narrower than 447 pixels";
const NEVER_ASKS: &str = "under automation a page is left without asking";
const CSS_ZOOM: &str = "where an element is and what is under a point are counted differently with CSS zoom";

const fn gap(engine: &'static str, case: &'static str, why: &'static str) -> Gap {
    Gap { engine, case, why }
}
