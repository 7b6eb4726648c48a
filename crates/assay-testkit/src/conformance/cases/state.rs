//! Cookies and storage: set, sent, saved, restored.

use crate::conformance::Case;
use crate::conformance::case::{act, case, eval, says, see};

pub const CASES: &[Case] = &[
    case(
        "a_cookie_that_is_set_is_sent",
        "/state",
        &[
            act("cookies set tide high"),
            act("reload"),
            act("text #sent").has("tide=high"),
            act("cookies clear"),
        ],
    ),
    case(
        "a_cookie_of_the_page_is_listed",
        "/state",
        &[
            act("click Remember"),
            act("cookies").has("berth=4"),
            act("cookies clear"),
            see("document.cookie", ""),
        ],
    ),
    case(
        "a_cookie_of_the_server_is_listed_even_when_scripts_cannot_read_it",
        "/state?set=watch=dog",
        &[
            act("cookies").has("watch=dog"),
            see("document.cookie.includes('watch')", "false"),
            act("cookies clear"),
        ],
    ),
    case(
        "cleared_cookies_are_not_sent",
        "/state?set=watch=dog",
        &[act("cookies clear"), act("go {site}/state"), act("text #sent").is(""), act("cookies").is("")],
    ),
    case(
        "a_cookie_stays_from_page_to_page",
        "/state",
        &[
            act("cookies set tide low"),
            act("go {site}/list"),
            see("document.cookie", "tide=low"),
            act("cookies clear"),
        ],
    ),
    case(
        "the_storage_of_the_page_stays",
        "/state",
        &[
            act("click Remember"),
            act("go {site}/list"),
            act("go {site}/state"),
            see("localStorage.getItem('ship') + sessionStorage.getItem('trip')", "Auroraone"),
            act("click Forget"),
            says("Forgotten"),
        ],
    ),
    case(
        "a_state_is_saved_and_restored",
        "/state",
        &[
            act("click Remember"),
            act("storage save state.json"),
            act("cookies clear"),
            eval("localStorage.clear(); 0"),
            act("storage load state.json"),
            act("cookies").has("berth=4"),
            see("localStorage.getItem('ship')", "Aurora"),
            act("click Forget"),
            act("cookies clear"),
        ],
    ),
    case(
        "a_tab_of_its_own_shares_nothing",
        "/state",
        &[
            act("cookies set tide high"),
            act("tab-new {site}/state --isolated"),
            act("text #sent").is(""),
            act("cookies").is(""),
            act("tab-close"),
            act("cookies").has("tide=high"),
            act("cookies clear"),
        ],
    ),
    case(
        "a_second_tab_shares_cookies",
        "/state",
        &[
            act("cookies set tide high"),
            act("tab-new {site}/state"),
            act("text #sent").has("tide=high"),
            act("tab-close"),
            act("cookies clear"),
        ],
    ),
];
