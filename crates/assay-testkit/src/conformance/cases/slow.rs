//! Slow pages and things that come later: waited for as long as was said.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, refused, says, see};

pub const CASES: &[Case] = &[
    case("a_slow_page_is_waited_for", "/slow?ms=500", &[act("text #ms").is("500"), heard("loaded")]),
    case(
        "a_page_that_never_answers_ends_in_time",
        "/list",
        &[
            refused(1, "go {site}/never --timeout 500", "did not respond in time"),
            act("go {site}/list"),
            act("title").is("List"),
        ],
    ),
    case(
        "a_button_that_is_enabled_later_is_waited_for",
        "/delayed",
        &[
            act("click #again"),
            act("click #later"),
            see("log.indexOf('enabled') < log.indexOf('click later')", "true"),
            says("Done: later"),
        ],
    ),
    case(
        "an_element_that_appears_is_waited_for",
        "/delayed",
        &[act("click #again"), act("wait #appears"), act("click #appears"), heard("click appears")],
    ),
    case(
        "an_element_that_vanishes_is_waited_for",
        "/delayed",
        &[
            act("click #again"),
            act("wait #vanishes --gone"),
            see("!!document.getElementById('vanishes')", "false"),
        ],
    ),
    case(
        "what_comes_after_a_promise_is_in_the_answer",
        "/delayed",
        &[act("click #promise").has("\"Done: promise\""), act("click #raf").has("\"Done: raf\"")],
    ),
    case(
        "what_comes_after_a_timer_is_in_the_answer",
        "/delayed",
        &[act("click #t300").has("\"Done: t300\"")],
    ),
    case(
        "what_comes_after_a_request_is_in_the_answer",
        "/delayed",
        &[act("click #fetch").has("\"Done: fetch\"")],
    ),
    case(
        "what_comes_after_two_requests_is_in_the_answer",
        "/delayed",
        &[act("click #fetch-fetch").has("\"Done: fetch-fetch\""), heard("done fetch-fetch")],
    ),
    case(
        "a_text_is_waited_for",
        "/delayed",
        &[
            act("click #t50"),
            act("wait --text 'Done: t50'"),
            refused(1, "wait --text 'no such words' --timeout 700", "did not appear"),
        ],
    ),
    case(
        "an_address_is_waited_for",
        "/spa",
        &[
            act("click Orders"),
            act("wait --url '/spa/*'"),
            refused(1, "wait --url '*/elsewhere' --timeout 700", "it is http"),
        ],
    ),
    case(
        "a_wait_in_vain_says_what_it_last_saw",
        "/delayed",
        &[refused(1, "wait #never --timeout 1000", "nothing matches it")],
    ),
    case(
        "a_target_that_comes_later_is_clicked_when_time_was_given",
        "/crash",
        &[
            act(
                "eval \"setTimeout(() => { const b = document.createElement('button'); b.textContent = 'Newcomer'; b.onclick = e => record('newcomer ' + e.isTrusted); document.body.append(b) }, 300); 0\"",
            ),
            refused(1, "click Newcomer", "no element matches"),
            act("click Newcomer --timeout 5000"),
            heard("newcomer true"),
        ],
    ),
    case(
        "a_page_that_is_never_idle_answers_all_the_same",
        "/late",
        &[act("click 'Press and wait'").has("Pressed slowly"), heard("click slow")],
    ),
    case(
        "a_script_that_pauses_the_page_is_outlasted",
        "/wedge",
        &[act("click 'Block for one second'").has("Awake again")],
    ),
    case(
        "a_script_that_blocks_for_ever_can_be_left",
        "/wedge",
        &[
            act("tab-new {site}/wedge").keep("tab", ""),
            act("eval 'while (true) {}' --timeout 500").exit(3),
            act("tabs").has("/wedge"),
            act("tab-close"),
            act("go {site}/list"),
            act("title").is("List"),
        ],
    )
    .untidy(),
];
