//! Shadow roots: seen through when open.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, refused, says, see};

pub const CASES: &[Case] = &[
    case(
        "a_button_in_a_shadow_root_is_clicked",
        "/shadow",
        &[act("click 'Outer button'"), heard("click outer-button")],
    ),
    case(
        "a_button_two_shadow_roots_deep_is_clicked",
        "/shadow",
        &[act("click 'button \"Inner button\"'"), heard("click inner-button"), says("Pressed Inner button")],
    ),
    case(
        "a_field_in_a_shadow_root_is_filled_by_its_label",
        "/shadow",
        &[
            act("fill 'Inner field' deep"),
            heard("input inner-input=deep"),
            act("value #inner-input").is("deep"),
        ],
    ),
    case(
        "css_goes_through_open_shadow_roots",
        "/shadow",
        &[act("click '#card #outer-button'"), heard("click outer-button"), act("count button").has("8")],
    ),
    case(
        "slotted_elements_are_clicked_where_they_are_shown",
        "/shadow",
        &[act("click 'Slotted button'"), heard("click slotted")],
    ),
    case(
        "a_closed_shadow_root_stays_closed",
        "/shadow",
        &[refused(1, "click #closed-button", "no element matches"), see("log.length", "0")],
    ),
    case(
        "the_map_shows_shadow_roots_in_their_place",
        "/shadow",
        &[act("map")
            .has("button \"Light button\"")
            .has("textbox \"Outer field\"")
            .has("button \"Inner button\"")],
    ),
    case(
        "tab_goes_into_shadow_roots",
        "/shadow",
        &[
            act("focus #light"),
            act("press Tab"),
            see("document.getElementById('card').shadowRoot.activeElement.id", "outer-input"),
        ],
    ),
    case(
        "the_heading_of_a_card_is_what_is_slotted",
        "/shadow",
        &[act("find 'heading \"Slotted title\"'").has("heading")],
    ),
    case(
        "a_component_and_the_button_in_it_are_one_thing",
        "/shadow",
        &[act("click 'Hosted button'").has("button \"Hosted button\""), says("Pressed Hosted button")],
    ),
    case(
        "what_names_a_control_is_no_second_thing",
        "/shadow",
        &[act("click Quay").has("combobox \"Quay\""), says("Pressed Quay")],
    ),
    case(
        "a_control_that_names_another_is_a_thing_of_its_own",
        "/shadow",
        &[
            refused(3, "click Berth", "matches 2 elements"),
            refused(3, "click report.pdf", "matches 2 elements"),
            see("log.length", "0"),
        ],
    ),
    case(
        "elements_in_and_around_shadow_roots_are_counted_as_they_are_read",
        "/shadow",
        &[
            act("click 'button >> nth=3'"),
            heard("click inner-button"),
            act("click 'button >> nth=4'"),
            heard("click slotted"),
            act("click 'button >> nth=7'"),
            heard("click framed"),
            act("click 'button >> nth=8'"),
            heard("click behind"),
        ],
    ),
    case(
        "a_shadow_root_that_comes_later_is_seen_through",
        "/grown",
        &[
            act("count .late").has("0"),
            act("click Attach").has("button \"Attached\""),
            act("count .late").has("1"),
            act("click .late"),
            says("Pressed Attached"),
        ],
    ),
    case(
        "a_shadow_root_that_comes_out_of_sight_is_searched",
        "/grown",
        &[
            act("count .late").has("0"),
            act("click 'Attach out of sight'"),
            act("count .late").has("1"),
            refused(1, "click .late --timeout 700", "it is hidden"),
        ],
    ),
    case(
        "a_shadow_root_that_is_cloned_is_seen_through",
        "/grown",
        &[act("count .late").has("0"), act("click Clone"), act("count .late").has("1"), act("click .late")],
    ),
    case(
        "a_shadow_root_made_by_the_means_of_another_window_is_seen_through",
        "/grown",
        &[act("count .late").has("0"), act("click Borrow"), act("count .late").has("1"), act("click .late")],
    ),
];
