//! Dragging, by the browser's own drag and drop and by pointer events.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, says, see};

pub const CASES: &[Case] = &[
    case(
        "an_item_is_dropped_into_a_basket",
        "/drag",
        &[
            act("drag Buoy 'region \"Basket\"'"),
            heard("dragstart item-b"),
            heard("drop item-b on target"),
            says("Basket: Buoy"),
        ],
    ),
    case(
        "a_list_is_put_in_another_order",
        "/drag",
        &[
            act("drag #item-a #item-c"),
            heard("drop item-a on item-c"),
            see("order.firstElementChild.textContent", "Buoy"),
        ],
    ),
    case(
        "an_end_of_dragging_is_told_to_the_page",
        "/drag",
        &[act("drag #item-d #item-a"), heard("dragend item-d")],
    ),
    case(
        "the_page_hears_that_something_is_dragged_over_it",
        "/drag",
        &[act("drag Anchor #target"), heard("dragenter target")],
    ),
    case(
        "a_box_follows_the_pointer",
        "/drag",
        &[act("drag #box #field"), heard("pointerup box after several moves"), says("Box at 170,70")],
    ),
    case(
        "a_slider_is_pulled_along_its_track",
        "/drag",
        &[act("drag #thumb #track"), heard("pointerdown thumb"), says("Speed: 50")],
    ),
    case(
        "a_slider_follows_the_arrow_keys",
        "/drag",
        &[act("press ArrowRight ArrowRight ArrowRight ArrowLeft --on Speed"), says("Speed: 20")],
    ),
    case(
        "something_is_dragged_twice",
        "/drag",
        &[
            act("drag #item-a #target"),
            act("drag #item-c #target"),
            see("target.textContent", "Drop here Anchor Compass"),
        ],
    ),
];
