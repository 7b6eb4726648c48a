//! What lies over something else: waited for, refused, or seen through.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, heard_last, refused, see, unheard};

pub const CASES: &[Case] = &[
    case(
        "an_overlay_that_goes_away_is_waited_for",
        "/overlay",
        &[act("click 'Under the overlay'"), heard_last("click under"), unheard("click overlay")],
    ),
    case(
        "what_stays_covered_is_refused_and_the_cover_named",
        "/overlay",
        &[
            act("wait #overlay --state hidden"),
            refused(1, "click #whole --timeout 700", "it is covered by"),
            unheard("click whole-cover"),
            unheard("click whole"),
        ],
    ),
    case(
        "a_half_covered_button_is_clicked_where_it_is_free",
        "/overlay",
        &[act("click #half"), heard_last("click half"), unheard("click half-cover")],
    ),
    case(
        "a_button_with_a_covered_corner_is_clicked",
        "/overlay",
        &[act("click #corner"), heard_last("click corner")],
    ),
    case(
        "glass_that_lets_clicks_through_is_no_cover",
        "/overlay",
        &[act("click 'Covered by glass'"), heard_last("click through")],
    ),
    case(
        "a_banner_is_dismissed_and_what_was_behind_it_clicked",
        "/overlay",
        &[
            act("wait #overlay --state hidden"),
            refused(1, "click #covered --timeout 700", "covered"),
            act("click Accept").has("Cookies accepted"),
            act("click #covered"),
            heard_last("click covered"),
        ],
    ),
    case(
        "an_overlay_that_is_shown_again_is_waited_for_again",
        "/overlay",
        &[
            act("wait #overlay --state hidden"),
            act("click #again"),
            act("click #under"),
            heard("click under"),
            see("log.filter(l => l === 'overlay gone').length", "2"),
        ],
    ),
    case(
        "an_invisible_button_is_refused",
        "/names",
        &[
            refused(1, "click #invisible --timeout 700", "it is hidden"),
            refused(1, "click #hidden-text --timeout 700", "it is hidden"),
        ],
    ),
];
