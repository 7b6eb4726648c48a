//! Frames of this and of another origin, early and late.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, heard_last, refused, says, see};

/// Its empty page is replaced while it is being looked at.
const ADD_LATE_FRAME: &str = "eval 'document.body.append(Object.assign(document.createElement(\"iframe\"), { src: \"/frame?name=late&ms=700\" })), 0'";

pub const CASES: &[Case] = &[
    case(
        "a_button_in_a_frame_is_clicked",
        "/frames",
        &[act("click 'Press child'"), act("wait --text 'child: click press'"), heard("child: click press")],
    ),
    case(
        "a_field_in_a_frame_is_filled",
        "/frames",
        &[
            act("fill 'Field child' sail"),
            act("value 'Field child'").is("sail"),
            act("wait --text 'child: input field=sail'"),
        ],
    ),
    case(
        "a_frame_in_a_frame_is_reached",
        "/frames",
        &[
            act("click 'Press inner' --timeout 5000"),
            act("wait --text 'inner: click press'"),
            heard("inner: click press"),
        ],
    ),
    case(
        "a_frame_of_another_origin_is_clicked",
        "/frames",
        &[
            act("click 'Press cross' --timeout 5000"),
            act("wait --text 'cross: click press'"),
            heard("cross: click press"),
        ],
    ),
    case(
        "a_frame_of_another_origin_is_filled",
        "/frames",
        &[
            act("fill 'Field cross' far --timeout 5000"),
            act("value 'Field cross'").is("far"),
            act("wait --text 'cross: input field=far'"),
        ],
    ),
    case(
        "a_frame_that_comes_late_is_waited_for",
        "/frames",
        &[
            act("click 'Press late' --timeout 5000"),
            act("wait --text 'late: click press'"),
            heard("late: click press"),
        ],
    ),
    case(
        "a_frame_is_named_by_its_number",
        "/frames",
        &[
            act("wait 'button \"Press late\"'"),
            act("frames").has("f1").has("name=child"),
            act("click 'f2 >> button'").exit(0),
            act("wait --text ': click press'"),
        ],
    ),
    case(
        "frames_are_numbered_as_they_were_put_in",
        "/frames/order",
        &[
            act("click 'f4 >> button'"),
            act("wait --text 'plain: click press'"),
            act("click 'Add frames'"),
            act("wait 'button \"Press quick\"'"),
            act("click 'f6 >> button'"),
            act("wait --text 'quick: click press'"),
            refused(1, "click 'f5 >> button'", "no element matches"),
            act("click 'f4 >> button'"),
            act("wait --text 'quick: click press plain: click press'"),
            heard_last("plain: click press"),
        ],
    ),
    case(
        "a_frame_that_loads_when_it_comes_into_view_is_clicked",
        "/frames/order",
        &[
            refused(1, "click 'f2 >> button'", "no element matches"),
            act("scroll '#far'"),
            act("click 'f2 >> button' --timeout 5000"),
            act("wait --text 'far: click press'"),
            act("click 'f4 >> button'"),
            act("wait --text 'far: click press plain: click press'"),
            heard_last("plain: click press"),
        ],
    ),
    case(
        "a_frame_that_has_not_begun_to_load_has_its_number",
        "/frame?name=alone",
        &[
            act(
                "eval 'const far = document.createElement(\"iframe\"); far.loading = \"lazy\"; far.style = \"position:absolute;top:30000px\"; far.src = \"/frame?name=far\"; document.body.append(far), 0'",
            ),
            act("frames").has("  f2 "),
            refused(1, "click 'f2 >> button'", "no element matches"),
            act("scroll iframe"),
            act("click 'f2 >> button' --timeout 5000"),
            act("text 'f2 >> #status'").is("Pressed far"),
        ],
    ),
    case(
        "a_frame_in_a_frame_is_numbered_behind_those_around_it",
        "/frames/order",
        &[
            act("frames").has("    f5 inner").has("  f4 plain"),
            act("click 'f5 >> button'"),
            act("wait --text 'inner: click press'"),
            heard_last("inner: click press"),
        ],
    ),
    case(
        "a_frame_is_waited_for_by_its_number",
        "/frames/order",
        &[
            refused(2, "click 'f6 >> button'", "there is no frame f6: the page has 5"),
            act("eval 'setTimeout(() => document.getElementById(\"add\").click(), 400), 0'"),
            act("click 'f6 >> button' --timeout 20000"),
            act("wait --text 'quick: click press'"),
            heard_last("quick: click press"),
        ],
    ),
    case(
        "a_button_is_clicked_once_in_a_frame_whose_page_is_waited_for",
        "/frame?name=alone",
        &[
            act(ADD_LATE_FRAME),
            act("click 'f2 >> button' --timeout 5000"),
            see("document.querySelector('iframe').contentWindow.log.join()", "click press"),
            act("eval \"document.querySelector('iframe').remove()\""),
            act(ADD_LATE_FRAME),
            act("click 'Press late' --timeout 5000"),
            see("document.querySelector('iframe').contentWindow.log.join()", "click press"),
            act("eval \"document.querySelector('iframe').remove()\""),
            act(ADD_LATE_FRAME),
            act("fill 'f2 >> #field' sail --timeout 5000"),
            act("value 'f2 >> #field'").is("sail"),
        ],
    ),
    case(
        "an_element_of_a_frame_that_comes_late_is_found",
        "/frames/order",
        &[
            act("eval 'setTimeout(() => document.getElementById(\"add\").click(), 400), 0'"),
            act("find 'button \"Press quick\"' --timeout 20000").has("Press quick"),
        ],
    ),
    case(
        "the_same_id_in_several_frames_is_not_clicked",
        "/frames",
        &[
            act("wait 'button \"Press late\"'"),
            refused(3, "click #press", "matches 5 elements"),
            see("log.some(line => line.includes('click'))", "false"),
        ],
    ),
    case(
        "the_map_has_the_frames_in_it",
        "/frames",
        &[
            act("wait 'button \"Press late\"'"),
            act("map")
                .has("button \"Press top\"")
                .has("button \"Press inner\"")
                .has("button \"Press cross\""),
        ],
    ),
    case(
        "keys_go_to_the_frame_that_has_the_focus",
        "/frames",
        &[
            act("focus 'Field child'"),
            act("type harbour"),
            act("value 'Field child'").is("harbour"),
            act("press Control+a Backspace"),
            act("value 'Field child'").is(""),
        ],
    ),
    case(
        "keys_go_to_a_frame_of_another_origin",
        "/frames",
        &[
            act("click 'textbox \"Field cross\"' --timeout 5000"),
            act("type away"),
            act("value 'Field cross'").is("away"),
        ],
    ),
    case(
        "a_frame_written_in_the_page_is_clicked",
        "/frames/kinds",
        &[act("click 'Press written'"), act("wait --text 'srcdoc: click true'"), says("Pressed srcdoc")],
    ),
    case(
        "a_frame_without_an_address_is_clicked",
        "/frames/kinds",
        &[act("click 'Press blank'"), heard("blank: click true")],
    ),
    case(
        "a_sandboxed_frame_is_clicked",
        "/frames/kinds",
        &[
            act("click 'Press fenced' --timeout 5000"),
            act("wait --text 'fenced: click press'"),
            heard("fenced: click press"),
        ],
    ),
    case(
        "a_frame_in_a_shadow_root_is_clicked",
        "/frames/kinds",
        &[
            act("click 'Press shadowed' --timeout 5000"),
            act("wait --text 'shadowed: click press'"),
            heard("shadowed: click press"),
        ],
    ),
    case(
        "a_frame_far_down_in_a_scroller_is_clicked",
        "/frames/kinds",
        &[
            act("click 'Press low' --timeout 5000"),
            act("wait --text 'low: click press'"),
            heard("low: click press"),
        ],
    ),
    case(
        "a_frame_that_goes_elsewhere_is_seen_anew",
        "/frames/kinds",
        &[
            act("click 'Press before' --timeout 5000"),
            act("click 'Swap the frame'"),
            act("click 'Press after' --timeout 5000"),
            act("wait --text 'after: click press'"),
            refused(1, "click 'Press before'", "no element matches"),
            heard_last("after: click press"),
        ],
    ),
    case(
        "a_frame_that_is_removed_is_gone",
        "/frames/kinds",
        &[
            act("find 'button \"Press before\"' --timeout 5000"),
            act("click 'Remove the frame'"),
            act("count 'button \"Press before\"'").has("0"),
        ],
    ),
    case(
        "a_slow_frame_is_read_when_it_is_there",
        "/frames/kinds",
        &[act("wait --text 'Answered after 400 ms'"), act("find 'heading \"Slow page\"'").has("heading")],
    ),
    case(
        "a_frame_by_itself_is_a_page",
        "/frame?name=alone&nest=deep",
        &[
            act("click 'Press alone'"),
            says("Pressed alone"),
            act("click 'Press deep' --timeout 5000"),
            act("title").is("Frame alone"),
        ],
    ),
];
