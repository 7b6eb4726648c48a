//! Editable elements that are no fields: notes, letters, editors that draw themselves.

use crate::conformance::Case;
use crate::conformance::case::{act, case, eval, heard, see};

pub const CASES: &[Case] = &[
    case(
        "an_editable_element_is_filled",
        "/forms",
        &[act("fill Note 'rich text'"), see("note.textContent", "rich text"), heard("input note=rich text")],
    ),
    case(
        "an_editable_element_is_cleared",
        "/forms",
        &[act("clear #note"), see("note.textContent.trim()", "")],
    ),
    case(
        "typing_adds_to_an_editable_element",
        "/forms",
        &[act("type #note ' please'"), see("note.textContent.replace(/\\u00a0/g, ' ')", "Edit me please")],
    ),
    case(
        "a_plain_text_editor_is_filled",
        "/editors",
        &[
            act("fill 'Plain note' 'no <b>tags</b>'"),
            see("plain.textContent", "no <b>tags</b>"),
            heard("input plain"),
        ],
    ),
    case(
        "the_text_of_a_letter_is_read_in_lines",
        "/editors",
        &[
            act("text #rich").has("Dear captain,").has("the sea is calm."),
            act("value #rich").has("Dear captain,"),
        ],
    ),
    case(
        "a_letter_is_replaced_as_a_whole",
        "/editors",
        &[
            act("fill Letter 'Ahoy there'"),
            see("rich.textContent", "Ahoy there"),
            heard("beforeinput insertText"),
        ],
    ),
    case(
        "a_letter_takes_two_lines",
        "/editors",
        &[
            act("fill Letter 'one\ntwo'"),
            see("rich.innerText.split('\\n').filter(Boolean).join('|')", "one|two"),
        ],
    ),
    case(
        "typing_goes_to_the_end_of_a_letter",
        "/editors",
        &[
            act("type #rich ' Yours, Ada'"),
            see("rich.innerText.trim().replace(/\\u00a0/g, ' ').endsWith('calm. Yours, Ada')", "true"),
        ],
    ),
    case(
        "a_selection_is_made_bold_by_a_button",
        "/editors",
        &[
            act("fill #rich word"),
            act("press Control+a --on #rich"),
            act("click Bold"),
            see("!!rich.querySelector('b, strong, [style*=bold]')", "true"),
            see("rich.textContent", "word"),
        ],
    ),
    case(
        "an_edit_can_be_undone",
        "/editors",
        &[
            act("type #plain abc"),
            act("press Control+z --on #plain"),
            see("plain.textContent.length < 3", "true"),
        ],
    ),
    case(
        "an_island_in_an_editor_stays_when_text_is_added",
        "/editors",
        &[
            act("type #island hello"),
            see("!!document.getElementById('chip')", "true"),
            see("island.textContent.replace(/\\u00a0/g, ' ').trim().endsWith('hello')", "true"),
        ],
    ),
    case(
        "an_editor_that_refuses_digits_keeps_the_letters",
        "/editors",
        &[act("type #guarded a1b2"), see("guarded.textContent", "ab")],
    ),
    case(
        "an_editor_that_draws_itself_is_typed_into",
        "/editors",
        &[act("type Managed ahoy"), see("managed.textContent", "ahoy"), heard("model ahoy")],
    ),
    case(
        "backspace_deletes_in_an_editor",
        "/editors",
        &[act("type #plain abc"), act("press Backspace --on #plain"), see("plain.textContent", "ab")],
    ),
    case(
        "what_is_cut_from_one_field_is_pasted_into_another",
        "/editors",
        &[
            act("fill #area cargo"),
            act("press Control+a Control+x --on #area"),
            see("area.value", ""),
            act("press Control+v --on #plain"),
            see("plain.textContent", "cargo"),
            heard("paste"),
        ],
    ),
    case(
        "a_selection_made_by_keys_is_replaced_by_typing",
        "/editors",
        &[
            act("fill #area 'red sails'"),
            act("press Home Shift+ArrowRight Shift+ArrowRight Shift+ArrowRight --on #area"),
            see("area.selectionStart + '-' + area.selectionEnd", "0-3"),
            act("press b"),
            see("area.value", "b sails"),
        ],
    ),
    case(
        "the_caret_is_moved_by_words",
        "/editors",
        &[
            act("fill #area 'red sails'"),
            act("press End Control+ArrowLeft --on #area"),
            act("type X"),
            see("area.value", "red Xsails"),
        ],
    ),
    case(
        "an_element_made_editable_later_is_filled",
        "/editors",
        &[
            eval("document.querySelector('h1').contentEditable = 'true'; 0"),
            act("fill h1 'New heading'"),
            see("document.querySelector('h1').textContent", "New heading"),
        ],
    ),
];
