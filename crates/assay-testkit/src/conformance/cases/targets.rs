//! Naming one element: by role, text, place, relation, or not at all.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, heard_last, refused, see};

pub const CASES: &[Case] = &[
    case(
        "an_element_is_found_by_css",
        "/forms",
        &[act("find 'form button[type=submit]'").has("button \"Save\"")],
    ),
    case(
        "an_element_is_found_by_xpath",
        "/forms",
        &[act("find \"//button[@id='submit']\"").has("button \"Save\"")],
    ),
    case("an_element_is_found_by_its_text", "/forms", &[act("find text=Save").has("button \"Save\"")]),
    case(
        "an_element_is_found_by_plain_words",
        "/forms",
        &[act("find 'the full name field'").has("textbox \"Full name\"")],
    ),
    case(
        "an_element_is_found_inside_another",
        "/table",
        &[act("click '#row-7 >> button \"Edit\"'"), heard_last("click edit-7")],
    ),
    case(
        "the_third_of_many_is_named_by_its_number",
        "/table",
        &[act("click 'button \"Edit\" >> nth=3'"), heard("click edit-3")],
    ),
    case(
        "what_matches_many_is_never_clicked",
        "/table",
        &[refused(3, "click Edit", "matches 100 elements"), see("log.length", "0")],
    ),
    case(
        "what_matches_nothing_is_refused_with_the_nearest",
        "/list",
        &[refused(1, "click 'Add brass latern'", "\"Add brass lantern\""), see("log.length", "0")],
    ),
    case(
        "a_ref_of_the_map_is_clicked",
        "/list",
        &[act("find 'Add oak kettle'").keep("ref", ""), act("click {ref}"), heard("click add-23")],
    ),
    case(
        "a_ref_of_an_earlier_page_is_refused",
        "/list",
        &[
            act("find 'Add brass lantern'").keep("ref", ""),
            act("go {site}/table"),
            refused(3, "click {ref}", "earlier page"),
            see("log.length", "0"),
        ],
    ),
    case(
        "elements_are_counted",
        "/list",
        &[act("count 'li'").has("50"), act("count 'li' --json").field("/data/count/count", "50")],
    ),
    case(
        "all_that_match_are_listed",
        "/keyboard",
        &[act("find-all 'button'").has("button \"First\"").has("button \"Natural\"").lacks("link")],
    ),
    case(
        "names_come_from_what_labels_them",
        "/names",
        &[
            act("find #labelledby-two").has("button \"Delete invoice 7\""),
            act("find #label-around").has("textbox \"Send in days\""),
            act("find #svg-button").has("button \"Refresh\""),
            act("find #generated").has("button \"Before text\""),
        ],
    ),
    case(
        "hidden_text_is_no_part_of_a_name",
        "/names",
        &[
            act("find #hidden-inside").has("button \"Save\""),
            act("find #away-inside").has("button \"Edit row 3\""),
            act("find #aria-hidden-inside").has("button \"Next\""),
        ],
    ),
    case(
        "a_name_by_its_icon_is_clicked",
        "/names",
        &[act("click 'button \"Settings\"'"), heard("click icon")],
    ),
];
