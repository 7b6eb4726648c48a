//! Widgets that pages build themselves, by their roles.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, heard_last, says, see};

pub const CASES: &[Case] = &[
    case(
        "a_combobox_filters_while_typing_and_an_option_is_clicked",
        "/widgets",
        &[
            act("type Harbour br"),
            act("map").has("option \"Bremen\"").lacks("option \"Porto\""),
            act("click 'option \"Bremen\"'"),
            says("Harbour Bremen"),
            see("harbour.value", "Bremen"),
        ],
    ),
    case(
        "a_combobox_is_used_by_keys",
        "/widgets",
        &[act("press ArrowDown ArrowDown ArrowDown Enter --on Harbour"), heard("took Delfzijl")],
    ),
    case(
        "escape_closes_the_list_of_a_combobox",
        "/widgets",
        &[
            act("type Harbour b"),
            act("press Escape"),
            heard("closed list"),
            act("map").has("combobox \"Harbour\"").lacks("option \"Bergen\""),
        ],
    ),
    case(
        "a_tab_is_chosen_and_its_panel_shown",
        "/widgets",
        &[act("click 'tab \"Crew list\"'"), heard("tab tab-list"), act("text #panel").is("Ada and Bram")],
    ),
    case(
        "arrow_keys_move_between_tabs",
        "/widgets",
        &[
            act("press ArrowLeft --on #tab-map"),
            heard("tab tab-log"),
            see("document.activeElement.id", "tab-log"),
        ],
    ),
    case(
        "a_menu_is_opened_and_an_entry_chosen",
        "/widgets",
        &[
            act("click 'button \"File\"'").has("menuitem \"New voyage\""),
            act("click 'menuitem \"Open voyage\"'"),
            says("Chose Open voyage"),
        ],
    ),
    case(
        "a_menu_is_used_by_keys",
        "/widgets",
        &[
            act("press Enter --on #file"),
            act("press ArrowDown Enter"),
            heard("menu open"),
            see("document.activeElement.id", "file"),
        ],
    ),
    case(
        "an_entry_of_a_menu_is_checked",
        "/widgets",
        &[
            act("click #file"),
            act("click 'Show grid'"),
            heard("menu grid"),
            see("grid.getAttribute('aria-checked')", "true"),
        ],
    ),
    case(
        "escape_closes_a_menu",
        "/widgets",
        &[
            act("click #file"),
            act("press Escape"),
            heard("menu escaped"),
            act("is hidden #file-menu").is("true"),
        ],
    ),
    case(
        "a_branch_of_a_tree_is_opened",
        "/widgets",
        &[
            act("click text=Ferries"),
            heard("ferries open"),
            act("click 'treeitem \"Minke\"'"),
            heard_last("ship minke"),
        ],
    ),
    case(
        "a_tree_is_used_by_keys",
        "/widgets",
        &[
            act("press ArrowRight --on #ferries"),
            heard("ferries open"),
            act("press ArrowLeft"),
            heard_last("ferries closed"),
        ],
    ),
    case(
        "a_slider_of_the_page_is_moved_by_keys",
        "/widgets",
        &[
            act("press ArrowRight ArrowRight --on 'slider \"Wind\"'"),
            heard("wind 6"),
            act("press End"),
            see("wind.getAttribute('aria-valuenow')", "12"),
        ],
    ),
    case(
        "a_spin_button_is_moved_by_keys",
        "/widgets",
        &[act("press ArrowUp --on Knots"), heard("knots 11"), act("text #knots").is("11")],
    ),
    case(
        "a_switch_is_turned_on_and_off",
        "/widgets",
        &[
            act("check 'switch \"Lamp\"'"),
            heard("lamp true"),
            act("is checked Lamp").is("true"),
            act("uncheck Lamp"),
            heard_last("lamp false"),
        ],
    ),
    case(
        "a_mixed_checkbox_of_the_page_is_ticked",
        "/widgets",
        &[act("check Mute"), heard("mute true"), act("is checked #mute").is("true")],
    ),
    case(
        "a_toggle_button_is_pressed",
        "/widgets",
        &[act("click Pin"), heard("pin true"), act("map").has("button \"Pin\"")],
    ),
    case(
        "a_radio_of_the_page_is_chosen",
        "/widgets",
        &[act("check 'radio \"Flood\"'"), heard("tide flood"), act("is checked #ebb").exit(1).is("false")],
    ),
    case(
        "details_of_one_name_close_each_other",
        "/widgets",
        &[
            act("click 'When do you sail?'"),
            act("is visible 'text=At dawn'").is("true"),
            act("click 'Who steers?'"),
            act("wait --text 'The mate'"),
            act("is visible 'text=At dawn'").exit(1),
        ],
    ),
    case(
        "states_are_in_the_map",
        "/widgets",
        &[act("map").has("tab \"Chart\" selected").has("collapsed").has("switch \"Lamp\"")],
    ),
];
