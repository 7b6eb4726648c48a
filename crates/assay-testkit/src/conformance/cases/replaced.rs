//! Nodes that are exchanged between being looked at and being acted on.

use crate::conformance::Case;
use crate::conformance::case::{act, case, eval, heard, heard_last, refused, see, unheard};

pub const CASES: &[Case] = &[
    case(
        "a_ref_follows_its_element_when_the_page_draws_it_anew",
        "/replace",
        &[
            act("map"),
            act("find 'Sell Elm'").keep("ref", ""),
            eval("draw(['Oak', 'Elm', 'Ash'])"),
            act("click {ref}"),
            heard("sold Elm"),
        ],
    ),
    case(
        "a_ref_follows_its_element_to_another_place",
        "/replace",
        &[
            act("find 'Sell Oak'").keep("ref", ""),
            eval("document.getElementById('place').append(document.querySelector('.row'))"),
            act("click {ref}"),
            heard("sold Oak"),
        ],
    ),
    case(
        "a_ref_is_not_given_to_a_neighbour",
        "/replace",
        &[
            act("find 'Sell Elm'").keep("ref", ""),
            eval("draw(['Oak', 'Ash'])"),
            refused(3, "click {ref}", "is gone from the page"),
            see("log.length", "0"),
        ],
    ),
    case(
        "a_ref_is_not_given_to_one_of_two_twins",
        "/replace",
        &[
            act("find 'Sell Elm'").keep("ref", ""),
            eval("draw(['Elm', 'Oak', 'Elm'])"),
            refused(3, "click {ref}", "no element is clearly the same"),
            see("log.length", "0"),
        ],
    ),
    case(
        "a_ref_survives_a_neighbour_that_comes_or_goes",
        "/replace",
        &[
            act("find 'Sell Ash'").keep("ref", ""),
            eval("document.querySelector('.row').remove()"),
            act("click {ref}"),
            heard("sold Ash"),
        ],
    ),
    case(
        "a_click_lands_on_a_page_that_keeps_drawing_itself",
        "/replace",
        &[eval("restless(150)"), act("click 'Sell Elm'"), heard("sold Elm"), unheard("sold Oak")],
    ),
    case(
        "a_row_that_is_swapped_keeps_its_ref",
        "/mutate",
        &[
            act("find '[data-key=k3].row >> button \"Edit\"'").keep("ref", ""),
            eval("mutate(3, 'reorder')"),
            act("click {ref}"),
            see("hits.join()", "k3 edit"),
        ],
    ),
    case(
        "a_row_that_is_renamed_keeps_its_ref_or_refuses",
        "/mutate",
        &[
            act("find '[data-key=k5].row >> button \"Delete\"'").keep("ref", ""),
            eval("mutate(7, 'banner')"),
            eval("mutate(8, 'wrap')"),
            act("click {ref}"),
            see("hits.join()", "k5 delete"),
        ],
    ),
    case(
        "a_covered_row_is_not_clicked_through_its_cover",
        "/mutate",
        &[
            act("find '[data-key=k1].row >> button \"Edit\"'").keep("ref", ""),
            eval(
                "const v = document.createElement('div'); v.className = 'veil'; const r = document.querySelector('[data-key=k1]'); r.parentNode.insertBefore(v, r); 0",
            ),
            refused(1, "click {ref} --timeout 700", "covered"),
            see("hits.length", "0"),
        ],
    ),
    case(
        "an_element_that_flees_the_pointer_is_not_called_clicked",
        "/replace",
        &[eval("draw(['Bait'])"), refused(1, "click 'Sell Bait'", "Sell Bait"), unheard("sold Bait")],
    ),
    case(
        "the_map_after_a_change_has_the_new_and_not_the_old",
        "/replace",
        &[
            act("map").has("Sell Oak"),
            eval("draw(['Fir'])"),
            act("map").has("Sell Fir").lacks("Sell Oak"),
            act("click 'Sell Fir'"),
            heard_last("sold Fir"),
        ],
    ),
    case(
        "an_element_that_is_gone_is_counted_as_gone",
        "/replace",
        &[act("count 'button'").has("3"), eval("draw([])"), act("count 'button'").has("0")],
    ),
];
