//! Widgets that act on the press, before the click: lists that choose and close, and widgets that only lose the click.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, refused, see, unheard};

pub const CASES: &[Case] = &[
    case(
        "an_option_that_is_chosen_by_the_press_counts_as_clicked",
        "/presses",
        &[
            act("click Color"),
            act("click 'option \"Blue\"'").has("clicked").has("reacted to the press itself"),
            heard("took Blue"),
            see("color.value", "Blue"),
        ],
    ),
    case(
        "the_option_that_was_chosen_before_is_chosen_by_the_press_again",
        "/presses",
        &[act("click Color"), act("click 'option \"Red\"'"), heard("took Red")],
    ),
    case(
        "an_option_that_is_chosen_when_the_pointer_goes_up_counts_as_clicked",
        "/presses",
        &[act("click Size"), act("click 'option \"Large\"'"), heard("took Large")],
    ),
    case(
        "a_list_that_the_press_opens_over_its_button_is_open",
        "/presses",
        &[
            act("click Month").has("option \"May\""),
            heard("opened months"),
            act("click 'option \"June\"'").has("clicked"),
        ],
    ),
    case(
        "an_option_whose_list_closes_with_the_focus_is_not_clicked",
        "/presses",
        &[
            act("click Shape"),
            refused(1, "click 'option \"Square\"'", "no click followed"),
            unheard("took Square"),
            see("shape.value", "Round"),
        ],
    ),
    case(
        "an_option_whose_list_closes_without_choosing_is_not_clicked",
        "/presses",
        &[
            act("click Taste"),
            refused(1, "click 'option \"Sour\"'", "no click followed"),
            unheard("took Sour"),
            see("taste.value", "Sweet"),
        ],
    ),
    case(
        "a_button_that_is_drawn_anew_by_the_press_is_not_clicked",
        "/presses",
        &[refused(1, "click Redrawn", "no click followed"), unheard("click redrawn")],
    ),
    case(
        "a_button_that_the_press_disables_is_not_clicked",
        "/presses",
        &[refused(1, "click Once", "no click followed"), unheard("click once")],
    ),
    case(
        "select_chooses_in_a_list_that_acts_on_the_press",
        "/presses",
        &[act("select Color Blue").has("the page reacted to the press itself"), see("color.value", "Blue")],
    ),
    case(
        "a_sentence_chooses_in_a_list_that_acts_on_the_press",
        "/presses",
        &[
            act("do 'Pick Blue in the Color dropdown'"),
            see("color.value", "Blue"),
            act("do 'Pick Large in the Size dropdown'"),
            see("size.value", "Large"),
        ],
    ),
];
