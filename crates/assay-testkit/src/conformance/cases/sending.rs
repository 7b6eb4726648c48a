//! Forms that are sent: the answer takes the place of the page, or the page stays and tells what changed in it.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, see};

pub const CASES: &[Case] = &[
    case("a_form_that_is_sent_leads_to_its_answer", "/sending", &[act("click Send").has("Welcome, Ada")]),
    case(
        "a_page_that_was_left_by_a_form_takes_all_input_when_it_is_back",
        "/sending",
        &[act("click Send").has("Welcome, Ada"), act("back"), act("drag #keep #go"), heard("mousedown keep")],
    ),
    case("a_form_is_sent_where_its_button_says", "/sending", &[act("click 'Send elsewhere'").has("/list")]),
    case(
        "a_form_that_nobody_answers_leaves_the_page_with_its_changes",
        "/sending",
        &[
            act("click 'Send to nobody'").has("Nobody answers"),
            heard("submit unanswered"),
            see("location.pathname", "/sending"),
        ],
    ),
    case(
        "a_form_sent_into_a_frame_leaves_the_page_with_its_changes",
        "/sending",
        &[act("click 'Send into the frame'").has("On its way"), see("location.pathname", "/sending")],
    ),
    case(
        "a_form_that_a_page_keeps_changes_the_page",
        "/sending",
        &[act("click Keep").has("Kept here"), heard("submit kept")],
    ),
    case(
        "a_form_answered_with_a_file_leaves_the_page_with_its_changes",
        "/sending",
        &[act("click 'Send for a file'").has("report.csv").has("A file is coming")],
    ),
];
