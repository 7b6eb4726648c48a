//! Going from page to page: by links, addresses, history, and without loading.

use crate::conformance::Case;
use crate::conformance::case::{act, case, eval, heard, heard_last, refused, see};

pub const CASES: &[Case] = &[
    case(
        "back_and_forward_go_through_the_history",
        "/list",
        &[
            act("go {site}/table"),
            act("back").has("/list"),
            act("title").is("List"),
            act("forward").has("/table"),
            act("title").is("Table"),
        ],
    ),
    case(
        "a_page_that_lets_no_other_near_is_opened_and_left",
        "/list",
        &[
            act("go {site}/alone").has("Alone"),
            act("click Count").has("counted 1"),
            act("go {site}/list").has("List"),
            see("document.title", "List"),
            act("go {site}/alone?code=404").has("404"),
            act("click Count").has("counted 1"),
        ],
    ),
    case(
        "links_lead_to_and_from_a_page_that_lets_no_other_near",
        "/alone",
        &[
            act("click List").has("→ List · /list"),
            eval(
                "const way = document.createElement('a'); way.href = '/alone'; way.textContent = 'Way back'; document.body.prepend(way); 0",
            ),
            act("click 'Way back'").has("→ Alone · /alone"),
            act("click Count").has("counted 1"),
            act("back").has("/list"),
        ],
    ),
    case(
        "a_form_that_is_sent_to_a_page_that_lets_no_other_near_is_sent_once",
        "/list",
        &[
            eval(
                "const form = document.createElement('form'); form.method = 'post'; form.action = '/alone'; form.innerHTML = '<button>Send</button>'; document.body.prepend(form); 0",
            ),
            act("click Send").has("→ Alone · /alone"),
            act("network").has("200 POST {site}/alone").lacks("cancelled").lacks("pending"),
            act("click Count").has("counted 1"),
        ],
    ),
    case(
        "a_page_is_loaded_again",
        "/list",
        &[
            eval("window.mark = 1; 0"),
            act("reload"),
            see("typeof window.mark", "undefined"),
            act("url").is("{site}/list"),
        ],
    ),
    case(
        "a_link_leads_to_its_page",
        "/dialogs/leave",
        &[act("click Leave").has("→ List · /list"), act("url").is("{site}/list")],
    ),
    case(
        "a_redirect_is_followed",
        "/redirect?to=/table",
        &[act("url").is("{site}/table"), act("title").is("Table")],
    ),
    case(
        "a_login_leads_to_the_next_page",
        "/login",
        &[
            act("fill Email test@example.com"),
            act("fill Password secret123"),
            act("click 'button \"Log in\"'").has("→ Welcome").has("heading \"Welcome, test@example.com\""),
        ],
    ),
    case(
        "a_wrong_password_stays_and_says_so",
        "/login",
        &[
            act("fill Email test@example.com"),
            act("fill Password wrong"),
            act("click 'button \"Log in\"'").has("Wrong email or password"),
            act("url").is("{site}/login"),
        ],
    ),
    case(
        "a_page_without_loading_is_told_with_its_heading",
        "/spa",
        &[
            act("click Orders").has("/spa/orders").has("heading \"Orders\""),
            act("url").is("{site}/spa/orders"),
            heard_last("shown Orders"),
        ],
    ),
    case(
        "back_works_within_one_page",
        "/spa",
        &[
            act("click Orders"),
            act("click About"),
            act("back"),
            act("url").is("{site}/spa/orders"),
            heard("popstate"),
            heard_last("shown Orders"),
        ],
    ),
    case(
        "a_part_that_comes_lazily_is_in_the_answer",
        "/spa",
        &[act("click Lazy").has("heading \"Lazy\""), heard_last("shown Lazy")],
    ),
    case(
        "a_replaced_address_is_no_step_of_the_history",
        "/list",
        &[
            act("go {site}/spa"),
            act("click 'Replace by about'"),
            act("url").is("{site}/spa/about"),
            act("back"),
            act("title").is("List"),
        ],
    ),
    case(
        "a_hash_changes_the_address_only",
        "/spa",
        &[
            act("click 'Section one'"),
            act("url").is("{site}/spa#one"),
            act("wait --text 'hashchange #one'"),
            heard("hashchange #one"),
            act("click 'Section two'"),
            act("back"),
            act("url").is("{site}/spa#one"),
        ],
    ),
    case(
        "an_address_with_another_hash_is_opened_without_loading",
        "/spa",
        &[eval("window.mark = 1; 0"), act("go {site}/spa#two"), see("window.mark + location.hash", "1#two")],
    ),
    case(
        "a_deep_address_of_an_application_is_loaded",
        "/spa/orders",
        &[act("text h1").is("Orders"), act("reload"), act("text h1").is("Orders")],
    ),
    case(
        "the_other_origin_is_another_page",
        "/list",
        &[act("go {other}/list"), act("url").is("{other}/list"), act("back"), act("url").is("{site}/list")],
    ),
    case(
        "a_page_of_trouble_is_still_a_page",
        "/list",
        &[
            act("go {site}/status?code=404").has("404"),
            act("text h1").is("Trouble at the quay"),
            act("go {site}/status?code=503").has("503"),
            act("title").is("Trouble"),
        ],
    ),
    case(
        "an_address_where_nobody_listens_is_an_error",
        "/list",
        &[refused(1, "go http://127.0.0.1:3/", "127.0.0.1:3")],
    )
    .untidy(),
    case(
        "an_address_of_another_kind_is_refused",
        "/list",
        &[refused(2, "go file:///etc/passwd", "file"), act("title").is("List")],
    ),
    case(
        "a_script_that_goes_elsewhere_is_followed",
        "/list",
        &[
            eval("setTimeout(() => { location.href = '/table' }, 50); 0"),
            act("wait --url /table"),
            act("title").is("Table"),
        ],
    ),
    case(
        "each_tab_has_a_history_of_its_own",
        "/list",
        &[
            act("tab-new {site}/table"),
            act("go {site}/crash"),
            act("back").has("/table"),
            act("tab-close"),
            act("url").is("{site}/list"),
        ],
    ),
];
