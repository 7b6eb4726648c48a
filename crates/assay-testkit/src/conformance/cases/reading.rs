//! What can be read: text, HTML, values, attributes, states, maps.

use crate::conformance::Case;
use crate::conformance::case::{act, case, eval, refused, see};

pub const CASES: &[Case] = &[
    case("the_text_of_an_element_is_read", "/list", &[act("text h1").is("Stores")]),
    case(
        "hidden_text_is_not_read",
        "/names",
        &[act("text")
            .lacks("This text is hidden")
            .lacks("This text is invisible")
            .has("Sailing times today")],
    ),
    case(
        "the_html_of_an_element_is_read",
        "/list",
        &[act("html #item-1").has("<button id=\"add-1\" type=\"button\">Add brass lantern</button>")],
    ),
    case(
        "attributes_are_read",
        "/popup",
        &[act("attr #blank href").has("/popup/child?by=link"), act("attr #blank rel").is("opener")],
    ),
    case(
        "the_value_of_each_kind_of_field_is_read",
        "/inputs",
        &[
            act("value #fine").is("0.5"),
            act("value #colour").is("#336699"),
            act("value #berth").is("n1"),
            act("value #story").is("Once"),
        ],
    ),
    case(
        "visible_and_hidden_are_told_apart",
        "/names",
        &[
            act("is visible #heading").is("true"),
            act("is visible #invisible").exit(1).is("false"),
            act("is hidden #hidden-text").is("true"),
        ],
    ),
    case(
        "enabled_and_disabled_are_told_apart",
        "/forms",
        &[
            act("is enabled #submit").is("true"),
            act("is disabled #blocked").is("true"),
            act("is enabled #inside").exit(1).is("false"),
            act("is disabled #aria-blocked").is("true"),
        ],
    ),
    case(
        "editable_and_fixed_are_told_apart",
        "/forms",
        &[
            act("is editable #text").is("true"),
            act("is editable #note").is("true"),
            act("is editable #readonly").exit(1).is("false"),
        ],
    ),
    case(
        "what_is_not_there_is_not_visible",
        "/list",
        &[act("is visible #nothing").exit(1).is("false"), act("is hidden #nothing").is("true")],
    ),
    case(
        "the_map_tells_roles_names_and_states",
        "/forms",
        &[act("map")
            .has("textbox \"Email address\"")
            .has("checkbox \"Send me news\" checked")
            .has("radio \"Second\" checked")
            .has("combobox \"Country\"")],
    ),
    case("the_map_tells_what_is_disabled", "/forms", &[act("map").has("button \"Not now\" disabled")]),
    case(
        "the_map_of_a_part_is_only_that_part",
        "/forms",
        &[act("map #class").has("radio \"First\"").lacks("textbox")],
    ),
    case(
        "the_map_of_a_table_has_a_line_a_row",
        "/table",
        &[act("map '#row-7'").has("Greta Visser"), act("map").has("Ada Visser")],
    ),
    case(
        "the_map_as_data_has_typed_fields",
        "/login",
        &[act("map --json")
            .field("/ok", "true")
            .field("/data/map/nodes/1/role", "\"textbox\"")
            .field("/data/map/nodes/1/name", "\"Email\"")],
    ),
    case(
        "what_changed_since_the_map_is_told",
        "/list",
        &[
            act("map"),
            act("diff").is("no changes"),
            eval("document.querySelector('h1').textContent = 'Changed'; 0"),
            act("diff").has("heading \"Changed\""),
        ],
    ),
    case("the_title_and_address_are_read", "/list", &[act("title").is("List"), act("url").is("{site}/list")]),
    case(
        "values_of_scripts_come_back_typed",
        "/list",
        &[
            see("1 + 1", "2"),
            see("'ab'.repeat(2)", "abab"),
            see("Promise.resolve('later')", "later"),
            act("eval '({ a: [1, null, \"x\"] })' --json")
                .field("/data/json/value", "{\"a\": [1, null, \"x\"]}"),
        ],
    ),
    case("an_error_of_a_script_is_told", "/list", &[refused(1, "eval 'nowhere.to.be.found'", "nowhere")]),
];
