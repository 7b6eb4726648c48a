//! Scrolling: pages, boxes in pages, headers that stay.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard_last, see, unheard};

pub const CASES: &[Case] = &[
    case(
        "a_button_below_the_view_is_scrolled_to_and_clicked",
        "/scroll",
        &[act("click 'Bottom button'"), heard_last("click bottom"), see("scrollY > 1000", "true")],
    ),
    case(
        "a_button_in_a_scrolling_box_is_clicked",
        "/scroll",
        &[act("click 'Nested button'"), heard_last("click nested"), see("box.scrollTop > 0", "true")],
    ),
    case(
        "a_button_two_boxes_deep_is_clicked",
        "/scroll",
        &[
            act("click 'Deep button'"),
            heard_last("click deep"),
            see("document.getElementById('deep-strip').scrollLeft > 0", "true"),
        ],
    ),
    case(
        "a_button_far_to_the_right_is_clicked",
        "/scroll",
        &[act("click 'Right button'"), heard_last("click right")],
    ),
    case(
        "a_sticky_header_gets_no_click_meant_for_others",
        "/scroll",
        &[
            act("scroll bottom"),
            act("click 'Middle button'"),
            heard_last("click middle"),
            unheard("click header"),
        ],
    ),
    case(
        "a_button_just_under_the_header_is_clicked",
        "/scroll",
        &[
            act("scroll #middle"),
            act("click 'Near button'"),
            heard_last("click near"),
            unheard("click header"),
        ],
    ),
    case(
        "a_button_in_the_header_is_clicked_wherever_the_page_is",
        "/scroll",
        &[
            act("scroll bottom"),
            act("click 'Header button'"),
            heard_last("click in-header"),
            see("scrollY > 1000", "true"),
        ],
    ),
    case(
        "a_field_far_away_is_filled",
        "/scroll",
        &[act("fill 'Far field' there"), heard_last("input far-input=there")],
    ),
    case(
        "the_wheel_scrolls_by_so_many_pixels",
        "/scroll",
        &[
            act("scroll down 300"),
            see("Math.round(scrollY)", "300"),
            act("scroll up 100"),
            see("Math.round(scrollY)", "200"),
        ],
    ),
    case(
        "the_ends_of_the_page_are_reached",
        "/scroll",
        &[
            act("scroll bottom").has("at the bottom"),
            see("Math.abs(scrollY + innerHeight - document.documentElement.scrollHeight) <= 1", "true"),
            act("scroll top").has("at the top"),
            see("scrollY", "0"),
        ],
    ),
    case(
        "the_wheel_is_turned_over_a_box",
        "/scroll",
        &[act("scroll down 150 --over #box"), see("Math.round(box.scrollTop) + ' ' + scrollY", "150 0")],
    ),
    case(
        "the_wheel_goes_sideways_over_a_strip",
        "/scroll",
        &[
            act("scroll right 200 --over #strip"),
            see("Math.round(strip.scrollLeft)", "200"),
            act("scroll left 50 --over #strip"),
            see("Math.round(strip.scrollLeft)", "150"),
        ],
    ),
    case(
        "an_element_is_scrolled_into_view",
        "/scroll",
        &[
            act("scroll #bottom"),
            see("const r = bottom.getBoundingClientRect(); r.top >= 0 && r.bottom <= innerHeight", "true"),
        ],
    ),
    case(
        "a_long_list_is_clicked_at_its_end_and_its_beginning",
        "/list",
        &[
            act("click 'Add enamel tray'"),
            heard_last("click add-50"),
            act("click 'Add brass lantern'"),
            heard_last("click add-1"),
            see("count.textContent ?? document.getElementById('count').textContent", "2"),
        ],
    ),
];
