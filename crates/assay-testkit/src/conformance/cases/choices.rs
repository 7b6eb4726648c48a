//! Boxes, radios and lists of options.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, heard_last, refused, see, unheard};

pub const CASES: &[Case] = &[
    case(
        "a_box_is_ticked_and_unticked",
        "/forms",
        &[
            act("check #terms"),
            see("terms.checked", "true"),
            heard("change terms=true"),
            act("uncheck #terms"),
            heard_last("change terms=false"),
        ],
    ),
    case(
        "a_ticked_box_is_left_alone",
        "/forms",
        &[
            act("check #news").has("was already checked"),
            unheard("change news=true"),
            unheard("change news=false"),
        ],
    ),
    case(
        "a_box_is_ticked_by_its_label",
        "/forms",
        &[act("click 'label[for=terms]'"), see("terms.checked", "true"), heard("change terms=true")],
    ),
    case(
        "a_box_of_which_only_the_label_is_seen_is_ticked",
        "/inputs",
        &[act("check #fancy"), see("fancy.checked", "true"), heard("change fancy=true")],
    ),
    case(
        "a_box_that_is_neither_becomes_ticked",
        "/inputs",
        &[
            see("some.indeterminate", "true"),
            act("check 'Some of them'"),
            see("some.checked + ' ' + some.indeterminate", "true false"),
            heard("change some=true"),
        ],
    ),
    case(
        "a_disabled_box_is_not_unticked",
        "/inputs",
        &[refused(1, "uncheck #kept --timeout 700", "it is disabled"), see("kept.checked", "true")],
    ),
    case(
        "a_radio_is_chosen_and_the_others_are_not",
        "/forms",
        &[
            act("check First"),
            see("first.checked + ' ' + second.checked", "true false"),
            heard("change first=true"),
            act("is checked #second").exit(1).is("false"),
        ],
    ),
    case(
        "a_radio_cannot_be_unticked",
        "/forms",
        &[refused(1, "uncheck #second", "radio"), see("second.checked", "true")],
    ),
    case(
        "an_option_is_chosen_by_its_label",
        "/forms",
        &[act("select Country Norway"), see("country.value", "no"), heard("change country=no")],
    ),
    case(
        "an_option_is_chosen_by_its_value",
        "/forms",
        &[act("select #country pt"), see("country.selectedOptions[0].label", "Portugal")],
    ),
    case(
        "a_choice_is_one_change_for_the_page",
        "/forms",
        &[
            act("select #country Portugal"),
            see("log.filter(line => line.startsWith('change country')).length", "1"),
            see("log.filter(line => line.startsWith('input country')).length", "1"),
        ],
    ),
    case(
        "an_option_that_is_not_there_is_refused_with_those_that_are",
        "/forms",
        &[
            refused(1, "select #country Atlantis", "has no option `Atlantis`"),
            refused(1, "select #country Atlantis", "Norway"),
            see("country.value", ""),
        ],
    ),
    case(
        "a_disabled_option_is_refused",
        "/forms",
        &[refused(1, "select #country Nowhere --timeout 700", "disabled"), see("country.value", "")],
    ),
    case(
        "an_option_in_a_group_is_chosen",
        "/inputs",
        &[act("select Berth 'North 2'"), see("berth.value", "n2"), heard("change berth=n2")],
    ),
    case(
        "an_option_is_chosen_by_its_label_attribute",
        "/inputs",
        &[act("select Berth 'East one'"), see("berth.value", "e1")],
    ),
    case(
        "an_option_of_a_disabled_group_is_refused",
        "/inputs",
        &[refused(1, "select Berth 'South 1' --timeout 700", "disabled"), see("berth.value", "n1")],
    ),
    case(
        "two_options_of_the_same_label_are_told_apart_by_value",
        "/inputs",
        &[act("select Twin b"), see("twin.selectedIndex", "1")],
    ),
    case(
        "several_options_are_chosen_at_once",
        "/forms",
        &[
            act("select Extras Meal Dog"),
            see("[...extras.selectedOptions].map(o => o.value).join()", "meal,dog"),
            heard("change extras=meal,dog"),
        ],
    ),
    case(
        "choosing_several_options_replaces_those_before",
        "/inputs",
        &[
            act("select Cargo Tea Wool"),
            see("[...cargo.selectedOptions].map(o => o.value).join()", "tea,wool"),
        ],
    ),
    case(
        "what_is_no_list_is_not_selected_from",
        "/forms",
        &[
            refused(1, "select #text x", "not a list of choices"),
            refused(1, "check #text", "no checked state"),
            refused(1, "fill #terms x", "it is a checkbox, not a text field"),
        ],
    ),
    case(
        "arrow_keys_move_through_a_group_of_radios",
        "/keyboard",
        &[
            act("press ArrowDown --on #upper"),
            see("middle.checked + ' ' + document.activeElement.id", "true middle"),
            act("press ArrowDown ArrowUp"),
            see("middle.checked + ' ' + lower.checked", "true false"),
        ],
    ),
    case(
        "arrow_keys_move_through_a_list",
        "/keyboard",
        &[
            act("press ArrowDown ArrowDown --on #meal"),
            see("meal.value", "bread"),
            heard("change meal=bread"),
        ],
    ),
    case("a_letter_chooses_in_a_list", "/keyboard", &[act("press s --on #meal"), see("meal.value", "soup")]),
    case(
        "the_space_bar_ticks_a_box",
        "/keyboard",
        &[act("press Space --on #agree"), see("agree.checked", "true"), heard("change agree=true")],
    ),
];
