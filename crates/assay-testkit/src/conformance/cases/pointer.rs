//! The mouse: its buttons, what it passes over, what is held meanwhile.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, heard_last, refused, says, see, unheard};

pub const CASES: &[Case] = &[
    case(
        "a_click_is_a_whole_sequence_of_trusted_events",
        "/pointer",
        &[
            act("click Pad"),
            see("log.map(l => l.split(' ')[0]).join()", "pointerdown,mousedown,pointerup,mouseup,click"),
            heard("click 0 1"),
        ],
    ),
    case(
        "a_double_click_is_two_clicks_and_one_more",
        "/pointer",
        &[act("dblclick Pad"), heard("click 0 1"), heard("click 0 2"), heard_last("dblclick 0 2")],
    ),
    case(
        "a_double_click_selects_a_word",
        "/pointer",
        &[
            act("dblclick #words"),
            see("['Lighthouse', 'keeper'].includes(getSelection().toString().trim())", "true"),
        ],
    ),
    case(
        "the_right_button_opens_a_menu_of_the_page",
        "/pointer",
        &[
            act("click Pad --button right"),
            see("log.some(line => line.startsWith('contextmenu 2'))", "true"),
            act("click 'Copy the berth'"),
            says("Copied"),
        ],
    ),
    case(
        "the_middle_button_is_not_a_click",
        "/pointer",
        &[
            act("click Pad --button middle"),
            heard("auxclick 1 1"),
            see("log.some(l => l.startsWith('click'))", "false"),
        ],
    ),
    case(
        "keys_are_held_during_a_click",
        "/pointer",
        &[
            act("click Pad --hold Control+Shift"),
            heard("click 0 1 Control Shift"),
            act("click Pad"),
            see("/Control|Shift/.test(log.filter(line => line.startsWith('click')).pop())", "false"),
        ],
    ),
    case(
        "two_clicks_in_a_row_are_no_double_click",
        "/pointer",
        &[
            act("click Pad"),
            act("click Pad"),
            see("log.filter(line => line.startsWith('click')).join()", "click 0 1,click 0 1"),
            unheard("dblclick 0 2"),
        ],
    ),
    case("alt_is_held_during_a_click", "/pointer", &[act("click Pad --hold Alt"), heard("click 0 1 Alt")]),
    case(
        "a_key_that_cannot_be_held_is_refused",
        "/pointer",
        &[refused(2, "click Pad --hold Hyper", "expected Control"), see("log.length", "0")],
    ),
    case(
        "hovering_shows_what_the_page_shows_on_hover",
        "/pointer",
        &[
            act("hover Help").has("Ask the harbour master"),
            heard("mouseover help"),
            see("tip.hidden", "false"),
        ],
    ),
    case(
        "the_pointer_leaves_what_it_was_over",
        "/pointer",
        &[act("hover Help"), act("hover Pad"), heard("mouseleave help"), see("tip.hidden", "true")],
    ),
    case(
        "a_menu_that_opens_on_hover_is_used",
        "/pointer",
        &[act("hover #north"), act("click Tromso"), says("Sail to Tromso")],
    ),
    case(
        "an_entry_of_a_closed_menu_is_not_clicked",
        "/pointer",
        &[refused(1, "click #porto --timeout 700", "it is hidden"), says("")],
    ),
    case(
        "a_press_and_its_release_reach_the_same_element",
        "/pointer",
        &[act("click 'Hold me'"), says("Held"), heard("mousedown press")],
    ),
    case(
        "a_button_that_disables_itself_is_clicked_once",
        "/pointer",
        &[
            act("click 'Only once'").has("Done once"),
            refused(1, "click 'Only once' --timeout 700", "it is disabled"),
            see("log.filter(l => l === 'click once').length", "1"),
        ],
    ),
    case(
        "things_that_only_listen_are_clicked",
        "/clickable",
        &[
            act("click #listener"),
            heard_last("click listener"),
            act("click #delegated"),
            heard_last("click delegated"),
            act("click #attribute"),
            heard_last("click attribute"),
        ],
    ),
    case(
        "things_with_a_role_are_clicked_by_role",
        "/clickable",
        &[
            act("click 'button \"Role button\"'"),
            heard_last("click role-button"),
            act("click 'link \"Role link\"'"),
            heard_last("click role-link"),
        ],
    ),
    case(
        "a_label_passes_its_click_on",
        "/clickable",
        &[act("click #label"), heard("change check=true"), see("check.checked", "true")],
    ),
    case(
        "a_summary_opens_its_details",
        "/clickable",
        &[
            act("is visible #more").exit(1),
            act("click More").has("Hidden until opened"),
            heard("toggle details=true"),
            act("is visible #more").is("true"),
        ],
    ),
];
