//! Canvases, and elements that are zoomed, scaled, turned.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, heard_last, says, see, unheard};

pub const CASES: &[Case] = &[
    case(
        "a_canvas_is_clicked_in_its_middle",
        "/canvas",
        &[act("click #chart"), heard("click chart green"), says("green")],
    ),
    case(
        "a_canvas_with_its_own_pixels_is_clicked_in_its_middle",
        "/canvas",
        &[act("click 'Sharp chart'"), heard("click sharp green")],
    ),
    case(
        "a_canvas_gets_right_and_double_clicks",
        "/canvas",
        &[
            act("click #chart --button right"),
            heard_last("contextmenu chart green"),
            act("dblclick #chart"),
            heard_last("dblclick chart green"),
        ],
    ),
    case(
        "a_line_is_drawn_on_a_canvas",
        "/canvas",
        &[
            act("drag #sketch #chart"),
            heard("pen down"),
            heard("pen up after several moves"),
            see("inked() > 60", "true"),
        ],
    ),
    case("a_canvas_has_a_name_in_the_map", "/canvas", &[act("map").has("button \"Sharp chart\"")]),
    case(
        "an_element_with_css_zoom_is_hit",
        "/zoom",
        &[
            act("click Zoomed"),
            heard("click zoomed"),
            act("click Shrunk"),
            heard_last("click shrunk"),
            unheard("missed"),
        ],
    ),
    case(
        "a_scaled_element_is_hit",
        "/zoom",
        &[act("click Scaled"), heard("click scaled"), unheard("missed")],
    ),
    case(
        "a_turned_element_is_hit",
        "/zoom",
        &[act("click Turned"), heard("click turned"), unheard("missed")],
    ),
    case(
        "a_skewed_element_is_hit",
        "/zoom",
        &[act("click Skewed"), heard("click skewed"), unheard("missed")],
    ),
    case(
        "a_flipped_element_is_hit",
        "/zoom",
        &[act("click Flipped"), heard("click flipped"), unheard("missed")],
    ),
    case(
        "an_element_in_a_scaled_part_is_hit",
        "/zoom",
        &[act("click Nested"), heard("click nested"), unheard("missed")],
    ),
    case(
        "an_element_in_a_scaled_frame_is_hit",
        "/zoom",
        &[
            act("click 'Press small' --timeout 5000"),
            act("wait --text 'small: click press'"),
            heard("small: click press"),
        ],
    ),
    case(
        "a_whole_page_that_is_zoomed_is_clicked",
        "/zoom",
        &[
            act("eval \"document.documentElement.style.zoom = '1.25'; 0\""),
            act("click Nested"),
            heard("click nested"),
            act("click Turned"),
            heard_last("click turned"),
            unheard("missed"),
        ],
    ),
];
