//! Text of all scripts, read and written: right to left, emoji, combining signs.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, says, see};

pub const CASES: &[Case] = &[
    case(
        "an_arabic_button_is_found_by_its_name",
        "/rtl",
        &[act("click 'إرسال الطلب'"), heard("click arabic")],
    ),
    case(
        "a_hebrew_button_is_found_by_role_and_name",
        "/rtl",
        &[act("click 'button \"שמור שינויים\"'"), heard("click hebrew")],
    ),
    case(
        "arabic_text_is_filled_and_read_back",
        "/rtl",
        &[
            act("fill 'الاسم الكامل' 'ليلى أحمد'"),
            see("document.getElementById('arabic-input').value", "ليلى أحمد"),
            act("value #arabic-input").is("ليلى أحمد"),
        ],
    ),
    case(
        "typing_adds_to_right_to_left_text_in_reading_order",
        "/rtl",
        &[
            act("type #arabic-input سلام"),
            act("type #arabic-input ' 42'"),
            see("document.getElementById('arabic-input').value", "سلام 42"),
        ],
    ),
    case(
        "text_of_mixed_directions_is_read_in_logical_order",
        "/rtl",
        &[act("text #mixed").is("הזמנה 42 של Harbor Tickets")],
    ),
    case("emoji_are_typed", "/rtl", &[act("type #any '🚢👩‍👩‍👧‍👦🇳🇴'"), see("any.value", "🚢👩‍👩‍👧‍👦🇳🇴")]),
    case(
        "emoji_are_filled_and_counted_rightly",
        "/rtl",
        &[act("fill Anything 'a🚢b'"), see("[...any.value].length", "3"), heard("input any=a🚢b")],
    ),
    case(
        "a_button_with_an_emoji_is_clicked",
        "/rtl",
        &[act("click '🚢 Board'"), says("🚢 Board"), act("click 'button \"👩‍👩‍👧‍👦 Family\"'"), says("👩‍👩‍👧‍👦 Family")],
    ),
    case(
        "combining_signs_stay_as_they_are_typed",
        "/rtl",
        &[act("fill #any 'e\u{301}le\u{300}ve'"), see("any.value.length", "7")],
    ),
    case(
        "composed_and_decomposed_names_are_both_found",
        "/rtl",
        &[
            act("click 'button \"Café\"'"),
            heard("click composed"),
            act("click #decomposed"),
            says("Cafe\u{301} noir"),
        ],
    ),
    case(
        "chinese_japanese_and_korean_text_is_filled",
        "/rtl",
        &[
            act("fill #any '提交订单 カタカナ 한국어'"),
            see("any.value", "提交订单 カタカナ 한국어"),
            act("click 提交订单"),
            heard("click chinese"),
        ],
    ),
    case(
        "text_that_needs_an_input_method_is_typed_as_input",
        "/rtl",
        &[act("type #any 日本語"), heard("input any=日本語")],
    ),
    case(
        "a_no_break_space_in_a_name_is_a_space",
        "/rtl",
        &[act("click 'button \"Two words\"'"), heard("click nbsp")],
    ),
    case(
        "quotes_and_backslashes_in_a_name_are_told",
        "/rtl",
        &[act("click #quotes"), says("Say \"ahoy\" \\ 'now'")],
    ),
    case(
        "letters_beyond_the_keyboard_are_typed",
        "/forms",
        &[act("type #text 'Ærøskøbing ß ñ € ¿?'"), see("text.value", "Ærøskøbing ß ñ € ¿?")],
    ),
];
