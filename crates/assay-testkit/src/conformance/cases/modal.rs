//! The dialogs of HTML: what is behind them is out of reach.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, heard_last, refused, says, see, unheard};

pub const CASES: &[Case] = &[
    case(
        "a_modal_dialog_is_filled_in_and_closed",
        "/modal",
        &[
            act("click 'Open the dialog'").has("dialog \"Book a berth\""),
            act("fill Ship Aurora"),
            act("click 'button \"Book\"'"),
            heard("close book"),
            says("Dialog: book Aurora"),
        ],
    ),
    case(
        "what_is_behind_a_modal_dialog_is_not_clicked",
        "/modal",
        &[
            act("click #open"),
            refused(1, "click #behind --timeout 700", "it is covered by dialog"),
            unheard("click behind"),
            act("click #cancel"),
            act("click #behind"),
            says("Pressed behind"),
        ],
    ),
    case(
        "escape_cancels_a_modal_dialog",
        "/modal",
        &[act("click #open"), act("press Escape"), heard("cancel"), heard_last("close ")],
    ),
    case(
        "a_dialog_over_a_dialog_is_answered_first",
        "/modal",
        &[
            act("click #open"),
            act("click 'Ask again'"),
            act("click Sure"),
            heard_last("close second sure"),
            act("click #book"),
            heard_last("close book"),
        ],
    ),
    case(
        "the_first_field_of_a_dialog_has_the_focus",
        "/modal",
        &[
            act("click #open"),
            see("document.activeElement.id", "ship"),
            act("type Minke"),
            act("press Enter"),
            says("Dialog: book Minke"),
        ],
    ),
    case(
        "a_dialog_that_is_not_modal_blocks_nothing",
        "/modal",
        &[
            act("click 'Show the note'"),
            act("click 'Close the note'"),
            heard_last("click note-close"),
            act("is hidden #note").is("true"),
        ],
    ),
    case(
        "an_inert_button_is_refused",
        "/modal",
        &[
            refused(1, "click #inert-button --timeout 700", "cannot be clicked"),
            unheard("click inert-button"),
        ],
    ),
    case(
        "a_popover_opens_and_closes",
        "/modal",
        &[
            act("click 'button \"Hint\"'").has("Understood"),
            act("click Understood"),
            heard("popover open"),
            act("is hidden #pop").is("true"),
        ],
    ),
    case(
        "a_popover_closes_when_something_else_is_clicked",
        "/modal",
        &[act("click #hint"), act("click #behind"), act("wait #pop --state hidden"), heard("popover closed")],
    ),
];
