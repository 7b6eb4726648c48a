//! Applications that come after their document, and answers that come after an act.

use crate::conformance::Case;
use crate::conformance::case::{act, case, eval, refused, see};

pub const CASES: &[Case] = &[
    case(
        "a_page_has_come_when_its_application_has",
        "/list",
        &[act("go {site}/arriving").lacks("busy"), act("map").has("heading \"Orders\"").lacks("Loading")],
    ),
    case(
        "a_new_page_says_its_message_first",
        "/list",
        &[
            eval("document.body.insertAdjacentHTML('afterbegin', '<a href=/arriving>Arriving</a>')"),
            act("click Arriving").has("Order 17 was saved"),
        ],
    ),
    case(
        "the_answer_of_a_worker_belongs_to_the_act",
        "/arriving",
        // A number that goes on while nobody acts is no effect of the act.
        &[act("wait --text 'Seen: 4'"), act("click More").has("Five more rows").lacks("Seen")],
    ),
    case(
        "the_pictures_of_an_icon_font_are_no_text",
        "/arriving",
        &[
            act("map").has("button \"More\"").lacks("expand_more"),
            act("text").has("More").lacks("expand_more"),
        ],
    ),
    case(
        "an_option_of_a_drawn_list_is_selected",
        "/arriving",
        &[
            act("select Wood Larch").has("Wood is Larch"),
            see("wood.value", "Larch"),
            refused(1, "select Wood Purple", "has no option `Purple`"),
            see("wood.value", "Larch"),
        ],
    ),
    case(
        "candidates_are_named_with_their_place",
        "/arriving",
        &[refused(3, "click Send", "in region \"Draft\""), refused(3, "click Send", "in \"Offer\"")],
    ),
];
