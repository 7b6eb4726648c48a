//! Things that move: clicked when they have come to rest.

use crate::conformance::Case;
use crate::conformance::case::{act, case, eval, heard, see, unheard};

pub const CASES: &[Case] = &[
    case(
        "a_button_moved_by_css_is_clicked_at_rest",
        "/animate",
        &[act("click #css"), heard("click css still"), unheard("missed")],
    ),
    case(
        "a_button_moved_by_frames_is_clicked_at_rest",
        "/animate",
        &[act("click #raf"), heard("click raf still"), unheard("missed")],
    ),
    case(
        "a_button_moved_by_a_timer_is_not_missed",
        "/animate",
        &[act("click #timer"), heard("click timer still"), unheard("missed")],
    ),
    case(
        "a_movement_that_begins_again_is_waited_for_again",
        "/animate",
        &[
            act("click #css"),
            act("click 'Start again'"),
            act("click #raf"),
            heard("click raf still"),
            unheard("missed"),
        ],
    ),
    case(
        "a_button_that_fades_in_is_clicked",
        "/animate",
        &[
            eval("document.querySelector('#again').animate([{ opacity: 0 }, { opacity: 1 }], 400); 0"),
            act("click #again"),
            heard("click again"),
        ],
    ),
    case(
        "an_endless_animation_elsewhere_holds_nothing_back",
        "/late",
        &[
            act("click Press").has("Pressed"),
            heard("click press"),
            act("fill Text ahoy"),
            see("document.getElementById('text').value", "ahoy"),
        ],
    ),
    case(
        "a_page_that_scrolls_smoothly_is_clicked_rightly",
        "/scroll",
        &[
            eval("document.documentElement.style.scrollBehavior = 'smooth'; 0"),
            act("click 'Bottom button'"),
            heard("click bottom"),
            unheard("click header"),
        ],
    ),
];
