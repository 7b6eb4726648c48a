//! Text fields of forms: what is typed is what they hold, or it is said why not.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, refused, says, see, unheard};

pub const CASES: &[Case] = &[
    case(
        "filling_replaces_what_a_field_holds",
        "/forms",
        &[
            act("fill #text 'Ada Lovelace'"),
            act("fill #text 'Grace Hopper'"),
            see("text.value", "Grace Hopper"),
            heard("input text=Grace Hopper"),
        ],
    ),
    case(
        "typing_goes_key_by_key_after_what_is_there",
        "/forms",
        &[
            act("fill #text Ada"),
            act("type #text ' L.'"),
            see("text.value", "Ada L."),
            heard("input text=Ada "),
            heard("input text=Ada L"),
        ],
    ),
    case(
        "typing_without_a_target_goes_to_the_focus",
        "/forms",
        &[act("focus #email"), act("type a@b.example"), see("email.value", "a@b.example")],
    ),
    case(
        "clearing_empties_a_field",
        "/forms",
        &[act("fill #text Ada"), act("clear #text"), see("text.value", ""), heard("input text=")],
    ),
    case(
        "filling_with_nothing_empties_a_field",
        "/forms",
        &[act("fill #remarks something"), act("fill #remarks ''"), see("remarks.value", "")],
    ),
    case(
        "leaving_a_field_tells_the_page_of_its_change",
        "/forms",
        &[act("fill #text Ada"), act("fill #email ada@example.com"), heard("change text=Ada")],
    ),
    case(
        "a_password_is_entered_and_is_not_in_the_map",
        "/forms",
        &[
            act("fill Password 's3cret!'"),
            see("password.value", "s3cret!"),
            act("map #form").has("textbox \"Password\"").lacks("s3cret"),
        ],
    ),
    case(
        "a_password_can_be_revealed_by_the_page",
        "/inputs",
        &[
            act("fill #secret hush"),
            act("click Reveal"),
            see("secret.type + ' ' + secret.value", "text hush"),
            act("value #secret").is("hush"),
        ],
    ),
    case(
        "a_number_field_takes_decimals_and_signs",
        "/inputs",
        &[act("fill Price -3.25"), see("price.valueAsNumber", "-3.25")],
    ),
    case(
        "a_number_field_that_takes_no_letters_is_told",
        "/forms",
        &[refused(1, "fill #number many", "did not take `many`"), see("number.value", "")],
    ),
    case(
        "a_length_limit_of_the_page_holds_and_is_told",
        "/forms",
        &[act("fill #limited 'too long'").has("= \"too l\""), see("limited.value", "too l")],
    ),
    case(
        "a_length_limit_holds_for_typing",
        "/forms",
        &[act("type #limited abcdefgh"), see("limited.value", "abcde")],
    ),
    case(
        "a_value_that_the_page_rewrites_is_told",
        "/forms",
        &[act("fill #upper quiet").has("= \"QUIET\""), see("upper.value", "QUIET")],
    ),
    case(
        "a_field_that_groups_digits_is_typed_into",
        "/inputs",
        &[act("type 'Card number' 4242424242424242"), see("card.value", "4242 4242 4242 4242")],
    ),
    case(
        "a_field_that_refuses_letters_keeps_the_digits",
        "/inputs",
        &[act("type #digits 1a2b3"), see("digits.value", "123")],
    ),
    case(
        "a_field_that_keeps_its_own_value_is_told_with_it",
        "/inputs",
        &[act("fill #stubborn moves").has("= \"stays\""), see("stubborn.value", "stays")],
    ),
    case(
        "a_read_only_field_is_refused",
        "/forms",
        &[refused(1, "fill #readonly x --timeout 700", "it is read-only"), see("readonly.value", "HT-1")],
    ),
    case(
        "a_disabled_field_is_refused",
        "/forms",
        &[refused(1, "fill #disabled x --timeout 700", "it is disabled"), see("disabled.value", "closed")],
    ),
    case(
        "a_field_in_a_disabled_group_is_refused",
        "/forms",
        &[
            refused(1, "fill #inside x --timeout 700", "it is disabled"),
            refused(1, "click #inside-button --timeout 700", "it is disabled"),
        ],
    ),
    case(
        "a_read_only_text_area_is_refused",
        "/inputs",
        &[refused(1, "fill #fixed x --timeout 700", "it is read-only"), see("fixed.value", "As it is")],
    ),
    case(
        "a_field_with_autofocus_is_typed_into_at_once",
        "/inputs",
        &[see("document.activeElement.id", "auto"), act("type ahoy"), see("auto.value", "ahoy")],
    ),
    case(
        "a_label_that_is_clicked_gives_its_field_the_focus",
        "/forms",
        &[act("click 'label[for=text]'"), see("document.activeElement.id", "text")],
    ),
    case(
        "fields_are_found_by_every_kind_of_label",
        "/forms",
        &[
            act("fill 'Search by harbour' Bergen"),
            act("fill 'Phone number' 123"),
            act("fill City Porto"),
            act("fill Website http://a.example"),
            act("fill 'Street and house number' 'Quay 4'"),
            see(
                "[search, phone, city, website, twice].map(e => e.value).join()",
                "Bergen,123,Porto,http://a.example,Quay 4",
            ),
        ],
    ),
    case(
        "a_form_is_sent_by_its_button",
        "/forms",
        &[
            act("fill 'Full name' Ada"),
            act("click Save").has("status \"Saved: text=Ada"),
            heard("submit form"),
        ],
    ),
    case(
        "a_form_is_reset_by_its_button",
        "/forms",
        &[
            act("fill #text Ada"),
            act("check #terms"),
            act("click Clear"),
            see("text.value + terms.checked", "false"),
            heard("click reset"),
        ],
    ),
    case(
        "a_form_that_lacks_something_is_not_sent",
        "/inputs",
        &[
            act("click #send"),
            heard("invalid needed"),
            says(""),
            act("fill Needed this"),
            act("click #send"),
            says("Sent"),
        ],
    ),
    case(
        "a_field_with_suggestions_takes_other_text",
        "/inputs",
        &[act("fill #port Delfzijl"), see("port.value", "Delfzijl"), heard("input port=Delfzijl")],
    ),
    case(
        "a_text_area_takes_several_lines",
        "/forms",
        &[
            act("fill #remarks 'one\ntwo\n\nfour'"),
            see("JSON.stringify(remarks.value)", "\"one\\ntwo\\n\\nfour\""),
            act("value #remarks").is("one\ntwo\n\nfour"),
        ],
    ),
    case(
        "typing_a_line_break_into_a_text_area_makes_one",
        "/forms",
        &[
            act("type #remarks 'a\nb'"),
            see("JSON.stringify(remarks.value)", "\"a\\nb\""),
            unheard("submit form"),
        ],
    ),
    case(
        "a_text_area_keeps_its_length_limit",
        "/inputs",
        &[
            act("fill #story 'Twelve sailors went to sea and none of them came back'"),
            see("story.value.length", "40"),
        ],
    ),
    case(
        "a_long_text_is_filled_whole",
        "/editors",
        &[
            act(
                "fill #area 'The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog.'",
            ),
            see("area.value.length", "359"),
        ],
    ),
];
