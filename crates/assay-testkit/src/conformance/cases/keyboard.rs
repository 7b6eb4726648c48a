//! Keys: where they go, in which order, with which others held.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, refused, says, see, unheard};

pub const CASES: &[Case] = &[
    case(
        "tab_follows_the_order_of_the_page",
        "/keyboard",
        &[
            act("press Tab"),
            see("document.activeElement.id", "first"),
            act("press Tab Tab"),
            see("document.activeElement.id", "third"),
            act("press Tab"),
            see("document.activeElement.id", "natural"),
        ],
    ),
    case(
        "shift_and_tab_go_back",
        "/keyboard",
        &[act("focus #third"), act("press Shift+Tab"), see("document.activeElement.id", "second")],
    ),
    case(
        "focus_is_given_without_a_click",
        "/keyboard",
        &[
            act("focus #skipped"),
            see("document.activeElement.id", "skipped"),
            heard("focus skipped"),
            unheard("click skipped"),
        ],
    ),
    case(
        "enter_presses_the_button_that_has_the_focus",
        "/keyboard",
        &[act("press Enter --on #natural"), heard("click natural")],
    ),
    case(
        "space_presses_the_button_that_has_the_focus",
        "/keyboard",
        &[act("press Space --on #first"), heard("click first")],
    ),
    case(
        "enter_follows_a_link",
        "/keyboard",
        &[act("press Enter --on #link"), see("location.hash", "#anchor"), heard("click link")],
    ),
    case(
        "enter_in_a_field_sends_its_form",
        "/keyboard",
        &[act("fill #name Ada"), act("press Enter --on #name").has("Sent Ada"), heard("submit form")],
    ),
    case(
        "enter_in_a_text_area_does_not_send_the_form",
        "/keyboard",
        &[
            act("press a Enter b --on #lines"),
            see("JSON.stringify(lines.value)", "\"a\\nb\""),
            unheard("submit form"),
        ],
    ),
    case(
        "a_shortcut_with_control_reaches_the_page",
        "/keyboard",
        &[act("press Control+s"), says("shortcut Control+s")],
    ),
    case(
        "a_shortcut_with_two_modifiers_reaches_the_page",
        "/keyboard",
        &[act("press Control+Shift+S"), says("shortcut Control+Shift+S")],
    ),
    case("a_shortcut_with_alt_reaches_the_page", "/keyboard", &[act("press Alt+n"), says("shortcut Alt+n")]),
    case("function_keys_reach_the_page", "/keyboard", &[act("press F2"), says("shortcut F2")]),
    case(
        "a_sign_that_needs_shift_is_one_key",
        "/keyboard",
        &[
            act("press ?"),
            see("/shortcut (Shift\\+)?\\?/.test(document.getElementById('status').textContent)", "true"),
        ],
    ),
    case(
        "keys_have_names_and_places",
        "/keyboard",
        &[
            act("press a Enter ArrowLeft PageDown --on #keys"),
            heard("keydown a KeyA"),
            heard("keydown Enter Enter"),
            heard("keydown ArrowLeft ArrowLeft"),
            heard("keyup PageDown PageDown"),
        ],
    ),
    case(
        "modifiers_go_down_before_and_up_after",
        "/keyboard",
        &[
            act("press Control+Shift+k --on #keys"),
            see(
                "log.filter(l => l.startsWith('key')).map(l => l.split(' ')[0] + ' ' + l.split(' ')[2]).join()",
                "keydown ControlLeft,keydown ShiftLeft,keydown KeyK,keyup KeyK,keyup ShiftLeft,keyup ControlLeft",
            ),
        ],
    ),
    case(
        "escape_closes_a_panel_and_gives_the_focus_back",
        "/keyboard",
        &[
            act("click 'Show the panel'"),
            see("document.activeElement.id", "inside"),
            act("press Escape").has("Panel closed"),
            see("panel.hidden + ' ' + document.activeElement.id", "true toggle"),
        ],
    ),
    case(
        "keys_delete_before_and_after_the_caret",
        "/keyboard",
        &[
            act("fill #name abcdef"),
            act("press Home Delete End Backspace --on #name"),
            see("document.getElementById('name').value", "bcde"),
        ],
    ),
    case(
        "all_of_a_field_is_selected_and_deleted",
        "/keyboard",
        &[
            act("fill #name abcdef"),
            act("press Control+a Delete --on #name"),
            see("document.getElementById('name').value", ""),
        ],
    ),
    case(
        "letters_typed_by_keys_are_in_the_case_that_was_asked_for",
        "/keyboard",
        &[act("press a B c --on #name"), see("document.getElementById('name').value", "aBc")],
    ),
    case(
        "a_key_that_does_not_exist_is_refused",
        "/keyboard",
        &[refused(2, "press Arrow", "did you mean ArrowUp")],
    ),
    case(
        "page_keys_scroll_the_page",
        "/list",
        &[
            act("press End"),
            act("wait 'text=Chosen' --state attached"),
            see("new Promise(done => setTimeout(() => done(scrollY > 300), 300))", "true"),
        ],
    ),
];
