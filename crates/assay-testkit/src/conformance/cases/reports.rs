//! What the page logs, requests and fails at.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, refused, see};

pub const CASES: &[Case] = &[
    case(
        "an_error_in_the_console_is_in_the_answer",
        "/errors",
        &[act("click #console-error").has("! The hold is leaking")],
    ),
    case("an_uncaught_exception_is_in_the_answer", "/errors", &[act("click #exception").has("Mast broken")]),
    case(
        "an_unhandled_rejection_is_in_the_console",
        "/errors",
        &[
            act("click #rejection"),
            // The page notes it only after the task that made it.
            see("new Promise(done => setTimeout(done, 50, 'noted'))", "noted"),
            act("console").has("Anchor lost"),
        ],
    ),
    case(
        "a_warning_is_in_the_console",
        "/errors",
        &[act("click #console-warn"), act("console").has("The tide turns")],
    ),
    case(
        "the_console_can_be_cleared",
        "/errors",
        &[
            act("click #console-error"),
            act("console --clear").has("The hold is leaking"),
            act("console").lacks("The hold is leaking"),
        ],
    ),
    case(
        "objects_in_the_console_are_readable",
        "/errors",
        &[
            act("eval \"console.log('berth', 4, true, null, { deck: 2 }); 0\""),
            act("console").has("berth 4 true null"),
        ],
    ),
    case(
        "a_failed_request_is_in_the_answer",
        "/errors",
        &[act("click #status-500").has("! GET /api/status?code=500 500"), heard("answer 500")],
    ),
    case(
        "a_refused_connection_is_in_the_answer",
        "/errors",
        &[act("click #refused").has("! GET /"), heard("refused TypeError")],
    ),
    case(
        "a_missing_picture_is_in_the_answer",
        "/errors",
        &[
            act("click #image"),
            act("wait --text 'Image failed'"),
            act("network --failed").has("404 GET").has("/missing.png"),
            heard("image failed"),
        ],
    ),
    case(
        "requests_are_listed",
        "/delayed",
        &[act("click #fetch"), act("network").has("/api/slow?ms=200").has("200 GET")],
    ),
    case(
        "failed_requests_are_listed_apart",
        "/errors",
        &[act("click #status-500"), act("network --failed").has("500 GET").lacks("/errors")],
    ),
    case(
        "a_request_that_a_route_answers_with_an_error_is_a_failed_one",
        "/errors",
        &[
            act("route **/api/status --status 503"),
            // The page reads the status and nothing else of the answer.
            act("click #status-500").has("! GET /api/status?code=500 503"),
            heard("answer 503"),
            act("network --failed").has("503 GET"),
            act("unroute"),
        ],
    ),
    case(
        "a_request_that_a_route_breaks_is_a_failed_one",
        "/delayed",
        &[
            act("route **/api/slow --abort"),
            act("click #fetch").has("! GET /api/slow?ms=200 "),
            act("network --failed").has("/api/slow?ms=200"),
            act("unroute"),
        ],
    ),
    case(
        "the_list_of_requests_can_be_cleared",
        "/delayed",
        &[act("click #fetch"), act("network --clear"), act("network").lacks("/api/slow")],
    ),
    case(
        "what_a_request_sends_is_what_the_server_gets",
        "/list",
        &[
            see(
                "fetch('/api/echo', { method: 'POST', body: 'cargo' }).then(r => r.json()).then(j => j.method + ' ' + j.body)",
                "POST cargo",
            ),
            act("network").has("POST"),
        ],
    ),
    case(
        "the_kind_of_an_error_is_data",
        "/list",
        &[
            act("click #nothing-like-this --json")
                .exit(1)
                .field("/ok", "false")
                .field("/error/code", "\"not_found\""),
            refused(2, "clik", "clik"),
        ],
    ),
];
