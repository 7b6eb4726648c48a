//! Tabs and windows: opened by the page or by hand, switched, closed.

use crate::conformance::Case;
use crate::conformance::case::{act, case, heard, refused, says, see};

pub const CASES: &[Case] = &[
    case(
        "a_window_opened_by_a_script_is_told",
        "/popup",
        &[
            act("click 'Open a window'").has("/popup/child?by=script").keep("tab", "new tab "),
            act("tab-switch {tab}"),
            heard("opened by script"),
            act("tab-close"),
            act("url").is("{site}/popup"),
        ],
    ),
    case(
        "a_link_to_a_new_tab_is_told",
        "/popup",
        &[
            act("click 'Open in a new tab'").keep("tab", "new tab "),
            act("tab-switch {tab}"),
            act("url").is("{site}/popup/child?by=link"),
            act("tab-close"),
        ],
    ),
    case(
        "a_window_without_opener_is_told",
        "/popup",
        &[
            act("click #noopener").keep("tab", "new tab "),
            act("tab-switch {tab}"),
            act("eval 'String(window.opener)'").is("null"),
            act("tab-close"),
        ],
    ),
    case(
        "a_window_talks_to_its_opener",
        "/popup",
        &[
            act("click #open").keep("tab", "new tab "),
            act("tab-switch {tab}"),
            act("click 'Answer the opener'"),
            act("tab-close"),
            act("wait --text 'popup answered'"),
            heard("popup answered"),
        ],
    ),
    case(
        "a_window_that_closes_itself_by_a_click_is_gone",
        "/popup",
        &[
            act("tabs").keep("home", "*"),
            act("click #open").keep("tab", "new tab "),
            act("tab-switch {tab}"),
            act("click 'Close this window'"),
            act("tab-switch {home}"),
            see("new Promise(done => setInterval(() => child.closed && done('closed'), 20))", "closed"),
            act("tabs").lacks("/popup/child"),
            act("wait --text 'popup closing'"),
            says("popup closing"),
        ],
    ),
    case(
        "a_window_that_closes_by_itself_leaves_nothing",
        "/popup",
        &[
            act("click #brief"),
            act("wait --text 'brief popup closing'"),
            act("wait #open"),
            act("tabs").lacks("/popup/closing"),
        ],
    ),
    case(
        "a_window_that_opens_a_little_later_is_told",
        "/popup",
        &[act("click #later").keep("tab", "new tab "), act("tab-close {tab}"), act("url").is("{site}/popup")],
    ),
    case(
        "a_tab_is_opened_by_hand_and_is_the_current_one",
        "/list",
        &[
            act("tab-new {site}/table"),
            act("title").is("Table"),
            act("tabs").has("/list").has("/table"),
            act("tab-close"),
            act("title").is("List"),
        ],
    ),
    case(
        "an_empty_tab_is_opened",
        "/list",
        &[
            act("tab-new"),
            act("url").is("about:blank"),
            act("go {site}/table"),
            act("title").is("Table"),
            act("tab-close"),
        ],
    ),
    case(
        "each_tab_keeps_its_page",
        "/forms",
        &[
            act("fill #text first"),
            act("tab-new {site}/forms"),
            act("fill #text second"),
            act("tab-close"),
            act("value #text").is("first"),
        ],
    ),
    case(
        "a_tab_that_does_not_exist_is_refused",
        "/list",
        &[refused(1, "tab-switch t999", "there is no tab `t999`"), act("title").is("List")],
    ),
    case(
        "a_tab_in_the_background_is_closed",
        "/popup",
        &[
            act("click #open").keep("tab", "new tab "),
            act("tab-close {tab}"),
            act("tabs").lacks("/popup/child"),
            act("click #blank").has("new tab"),
        ],
    )
    .untidy(),
    case(
        "a_link_clicked_with_control_opens_a_tab",
        "/dialogs/leave",
        &[act("click Leave --hold Control").has("new tab"), act("url").is("{site}/dialogs/leave")],
    )
    .untidy(),
    case(
        "a_link_clicked_with_the_middle_button_opens_a_tab",
        "/dialogs/leave",
        &[act("click Leave --button middle").has("new tab"), act("url").is("{site}/dialogs/leave")],
    )
    .untidy(),
];
