//! The browser's own dialogs: told, answered, never in the way.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, refused, says, see};

pub const CASES: &[Case] = &[
    case(
        "an_alert_is_told_and_closed",
        "/dialogs",
        &[
            act("click 'Show alert'").has("dialog alert \"The tide is high\""),
            act("dialog accept"),
            says("alert: undefined"),
        ],
    ),
    case(
        "a_question_is_answered_with_yes",
        "/dialogs",
        &[
            act("click #confirm").has("dialog confirm \"Cast off?\""),
            act("dialog accept").has("confirm: true"),
            heard("confirm true"),
        ],
    ),
    case(
        "a_question_is_answered_with_no",
        "/dialogs",
        &[act("click #confirm"), act("dialog dismiss"), heard("confirm false")],
    ),
    case(
        "a_prompt_is_answered_with_text",
        "/dialogs",
        &[
            act("click #prompt").has("Name of the ship?"),
            act("dialog accept 'Minke 船'"),
            heard("prompt Minke 船"),
        ],
    ),
    case(
        "a_prompt_is_answered_with_its_default",
        "/dialogs",
        &[act("click #prompt"), act("dialog accept"), heard("prompt Aurora")],
    ),
    case(
        "a_prompt_is_dismissed",
        "/dialogs",
        &[act("click #prompt"), act("dialog dismiss"), heard("prompt null")],
    ),
    case(
        "two_dialogs_come_one_after_the_other",
        "/dialogs",
        &[
            act("click #twice").has("\"First\""),
            act("dialog accept").has("\"Second\""),
            act("dialog accept"),
            says("twice: closed"),
        ],
    ),
    case(
        "an_open_dialog_is_shown_and_blocks_other_acts",
        "/dialogs",
        &[
            act("click #confirm"),
            act("dialog").is("confirm \"Cast off?\""),
            refused(1, "click #alert", "a dialog is open: confirm \"Cast off?\""),
            act("dialog dismiss"),
            see("log.includes('click alert')", "false"),
        ],
    ),
    case("no_dialog_cannot_be_answered", "/dialogs", &[refused(1, "dialog dismiss", "no dialog is open")]),
    case(
        "a_dialog_that_comes_a_little_later_is_told",
        "/dialogs",
        &[act("click #soon").has("Late tide"), act("dialog accept"), says("soon: undefined")],
    ),
    case(
        "a_page_that_greets_while_loading_is_answered",
        "/dialogs",
        &[
            act("click #greets").has("Welcome aboard"),
            act("dialog accept"),
            act("wait --url /dialogs/onload"),
            heard("greeted"),
        ],
    ),
    case(
        "a_page_with_unsaved_text_is_left_by_an_answer",
        "/dialogs/leave",
        &[
            act("type #draft abc"),
            refused(1, "go {site}/list", "beforeunload"),
            act("dialog accept"),
            act("wait --url /list"),
            act("title").is("List"),
        ],
    )
    .untidy(),
    case(
        "a_page_with_unsaved_text_is_kept_by_an_answer",
        "/dialogs/leave",
        &[
            act("type #draft abc"),
            act("click Leave").has("beforeunload"),
            act("dialog dismiss"),
            act("url").is("{site}/dialogs/leave"),
            see("draft.value", "abc"),
            act("click 'Save draft'"),
        ],
    )
    .untidy(),
    case(
        "a_page_with_nothing_unsaved_is_left_without_a_question",
        "/dialogs/leave",
        &[
            act("type #draft abc"),
            act("click 'Save draft'"),
            act("click Leave").has("/list"),
            act("title").is("List"),
        ],
    ),
];
