//! Pages that invite a wrong pass. Each trap has a twin where the application does what the test says: the trap must
//! not pass, the twin must.

use std::time::Duration;

use assay_testkit::{Request, Response, Server};

use crate::context::Context;

/// A test, and whether it may pass.
pub struct Trap<'a> {
    name: &'a str,
    page: &'a str,
    steps: &'a [&'a str],
    expected: &'a [&'a str],
    verdict: &'static [&'static str],
}

pub const NOT_PASSED: &[&str] = &["failed", "inconclusive"];
pub const FAILED: &[&str] = &["failed"];
pub const INCONCLUSIVE: &[&str] = &["inconclusive"];
pub const PASSED: &[&str] = &["passed"];

pub const fn trap<'a>(
    name: &'a str,
    page: &'a str,
    steps: &'a [&'a str],
    expected: &'a [&'a str],
    verdict: &'static [&'static str],
) -> Trap<'a> {
    Trap { name, page, steps, expected, verdict }
}

const TRAPS: &[Trap] = &[
    trap(
        "a form that is not submitted",
        "/order?works=no",
        &["Enter \"Ada\" in the name field", "Click the \"Order\" button"],
        &["The text \"Thank you\" is shown"],
        INCONCLUSIVE,
    ),
    trap(
        "a form that is submitted",
        "/order?works=yes",
        &["Enter \"Ada\" in the name field", "Click the \"Order\" button"],
        &["The text \"Order 7 is on its way\" is shown"],
        PASSED,
    ),
    trap(
        "an update that is taken back",
        "/like?works=no",
        &["Click the \"Like\" button"],
        &["The text \"Liked by you\" is shown"],
        FAILED,
    ),
    trap(
        "an update that stays",
        "/like?works=yes",
        &["Click the \"Like\" button"],
        &["The text \"Liked by you\" is shown"],
        PASSED,
    ),
    trap("the same text in another row", "/users", &[], &["The row of \"Ada\" shows \"Active\""], FAILED),
    trap("the text in its own row", "/users", &[], &["The row of \"Bob\" shows \"Active\""], PASSED),
    trap(
        "the text of the page before",
        "/first",
        &["Click the \"Next\" link"],
        &["The text \"Welcome to the first page\" is shown"],
        FAILED,
    ),
    trap(
        "the text of the page after",
        "/first",
        &["Click the \"Next\" link"],
        &["The text \"This is the second page\" is shown"],
        PASSED,
    ),
    trap(
        "a control that is disabled",
        "/pay",
        &["Click the \"Pay\" button"],
        &["The text \"Paid\" is shown"],
        FAILED,
    ),
    trap(
        "a text in another tab",
        "/tabs",
        &["Click the \"Open the receipt\" link", "Click the \"Reload totals\" button"],
        &["The text \"Receipt number 12\" is shown"],
        NOT_PASSED,
    ),
    trap(
        "an error page that repeats what was entered",
        "/search",
        &["Enter \"lantern\" in the search field", "Click the \"Search\" button"],
        &["The results list contains \"lantern\""],
        NOT_PASSED,
    ),
    trap(
        "a text that stands only in a field",
        "/field",
        &["Enter \"Ada Lovelace\" in the name field"],
        &["The text \"Ada Lovelace\" is shown"],
        FAILED,
    ),
    trap(
        "a text that is hidden",
        "/hidden",
        &["Click the \"Save\" button"],
        &["The text \"Saved\" is shown"],
        FAILED,
    ),
    trap(
        "a text under a dialog",
        "/under",
        &["Click the \"Save\" button"],
        &["The text \"All is saved\" is shown"],
        FAILED,
    ),
    trap(
        "a text in a template",
        "/template",
        &["Click the \"Save\" button"],
        &["The text \"Saved\" is shown"],
        FAILED,
    ),
    trap(
        "a message of an earlier step",
        "/toast",
        &[
            "Click the \"Save name\" button",
            "Verify the message \"Saved\" is shown",
            "Click the \"Save address\" button",
        ],
        &["The message \"Saved\" is shown"],
        NOT_PASSED,
    ),
    trap(
        "a link that is named like the page",
        "/first",
        &["Click the \"Next\" link"],
        &["The settings page is displayed"],
        FAILED,
    ),
    trap(
        "a page that was there before",
        "/settings",
        &["Click the \"Save\" button"],
        &["The settings page is displayed"],
        INCONCLUSIVE,
    ),
    trap("rows that cannot be seen", "/rows", &[], &["The table has 3 rows"], FAILED),
    trap("rows that can be seen", "/rows", &[], &["The table has 2 rows"], PASSED),
    trap(
        "a message that says the opposite",
        "/payment",
        &["Click the \"Pay now\" button"],
        &["A success message is shown"],
        NOT_PASSED,
    ),
    trap(
        "nothing in a place that there is not",
        "/users",
        &[],
        &["The text \"Error\" is not shown in the \"Invoices\" section"],
        NOT_PASSED,
    ),
    trap(
        "two buttons of one name",
        "/users",
        &["Click the \"Delete\" button"],
        &["The text \"Deleted\" is shown"],
        INCONCLUSIVE,
    ),
    trap(
        "the button of one row",
        "/users",
        &["Click the \"Delete\" button in the row of \"Bob\""],
        &["The text \"Deleted Bob\" is shown"],
        PASSED,
    ),
    trap(
        "what nobody can judge",
        "/first",
        &["Click the \"Next\" link"],
        &["The page looks nice"],
        INCONCLUSIVE,
    ),
    trap(
        "a page that is not found",
        "/dashboard-link",
        &["Click the \"Dashboard\" link"],
        &["The dashboard page is displayed"],
        NOT_PASSED,
    ),
    trap(
        "an address that only begins so",
        "/go-done",
        &["Click the \"Finish\" link"],
        &["The url ends with \"/done\""],
        FAILED,
    ),
    trap("a number inside of another", "/total", &[], &["The total is 12"], FAILED),
    trap("the number itself", "/total", &[], &["The total is 112"], PASSED),
    trap(
        "the value of another field",
        "/two-fields",
        &["Enter \"ada@example.com\" in the backup email field"],
        &["The \"Email\" field contains \"ada@example.com\""],
        FAILED,
    ),
    trap(
        "what comes a little later",
        "/late",
        &["Click the \"Load\" button"],
        &["The text \"Here it is\" is shown"],
        PASSED,
    ),
];

fn site(request: &Request) -> Response {
    let works = request.param("works") == Some("yes");
    let page = |title: &str, body: String| {
        Response::html(format!(
            "<!doctype html><title>{title}</title><body style='font: 16px sans-serif'>{body}"
        ))
    };
    match request.path.as_str() {
        "/order" if works => page("Order", "<h1>Order</h1><form action=/ordered><label>Name <input name=n></label><button>Order</button></form>".into()),
        "/order" => page("Order", "<h1>Order</h1><p>Thank you for your visit</p><form onsubmit='return false'><label>Name <input name=n></label><button type=button>Order</button></form>".into()),
        "/ordered" => page("Ordered", "<h1>Done</h1><p>Order 7 is on its way</p>".into()),
        "/like" => page("Like", format!("<h1>Photo</h1><button onclick=\"out.textContent='Liked by you'; fetch('/slow?works={}').then(r => {{ if (!r.ok) out.textContent = 'Could not be saved'; }})\">Like</button><p id=out></p>", if works { "yes" } else { "no" })),
        "/slow" => if works { Response::text("ok").delay(Duration::from_millis(700)) } else { Response::text("no").with_status(500).delay(Duration::from_millis(700)) },
        "/users" => page("Users", "<h1>Users</h1><table><tr><th>Name<th>State<th>Act</tr><tr><td>Ada<td>Locked<td><button onclick=\"out.textContent='Deleted Ada'\">Delete</button></tr><tr><td>Bob<td>Active<td><button onclick=\"out.textContent='Deleted Bob'\">Delete</button></tr></table><p id=out></p>".into()),
        "/first" => page("First", "<nav><a href=/settings>Settings</a></nav><h1>First</h1><p>Welcome to the first page</p><a href=/second>Next</a>".into()),
        "/second" => page("Second", "<nav><a href=/settings>Settings</a></nav><h1>Second</h1><p>This is the second page</p>".into()),
        "/settings" => page("Settings", "<h1>Settings</h1><button type=button>Save</button>".into()),
        "/pay" => page("Pay", "<h1>Pay</h1><button disabled onclick=\"out.textContent='Paid'\">Pay</button><p id=out></p>".into()),
        "/tabs" => page("Tabs", "<h1>Orders</h1><a target=_blank href=/receipt>Open the receipt</a> <button type=button onclick=\"out.textContent='Totals are fresh'\">Reload totals</button><p id=out></p>".into()),
        "/receipt" => page("Receipt", "<h1>Receipt</h1><p>Receipt number 12</p>".into()),
        "/search" if request.param("q").is_some() => page("Search", format!("<h1>Search</h1><p role=alert>Nothing was found for \"{}\"</p>", request.param("q").unwrap_or_default())),
        "/search" => page("Search", "<h1>Search</h1><form><input type=search name=q aria-label=Search><button>Search</button></form>".into()),
        "/field" => page("Field", "<h1>Profile</h1><label>Name <input></label>".into()),
        "/hidden" => page("Hidden", "<h1>Profile</h1><button onclick=\"out.textContent='Saved'\">Save</button><p id=out style='display:none'></p>".into()),
        "/under" => page("Under", "<h1>Profile</h1><button onclick=\"out.textContent='All is saved'; box.showModal()\">Save</button><p id=out></p><dialog id=box aria-label=Terms style='width: 90%; height: 90%'><p>Please agree first</p></dialog>".into()),
        "/template" => page("Template", "<h1>Profile</h1><button type=button>Save</button><template>Saved</template>".into()),
        "/toast" => page("Toast", "<h1>Profile</h1><button onclick=\"out.textContent='Saved'\">Save name</button><button type=button>Save address</button><p id=out role=status></p>".into()),
        "/rows" => page("Rows", "<h1>List</h1><table><tr><th>Name</tr><tr><td>One</tr><tr style='display:none'><td>Two</tr><tr><td>Three</tr></table>".into()),
        "/payment" => page("Payment", "<h1>Payment</h1><button onclick=\"out.className='error'; out.textContent='The payment was not successful'\">Pay now</button><p id=out role=alert></p>".into()),
        "/dashboard-link" => page("Start", "<h1>Start</h1><a href=/dashboard>Dashboard</a>".into()),
        "/dashboard" => page("404 Not Found", "<h1>Not found</h1><p>/dashboard was not found</p>".into()).with_status(404),
        "/go-done" => page("Finish", "<h1>Finish</h1><a href=/done-failed>Finish</a>".into()),
        "/total" => page("Total", "<h1>Cart</h1><p>Total: <span id=total>112</span></p>".into()),
        "/two-fields" => page("Fields", "<h1>Contact</h1><label>Email <input></label><label>Backup email <input></label>".into()),
        "/late" => page("Late", "<h1>Late</h1><button onclick=\"setTimeout(() => out.textContent='Here it is', 1600)\">Load</button><p id=out></p>".into()),
        other => page("Page", format!("<h1>Page</h1><p>{other}</p>")),
    }
}

#[test]
fn no_trap_passes_and_every_twin_does() {
    assert_eq!(check(TRAPS, site), 1);
}

/// Runs each trap as a test of its own, and tells all that came out otherwise; gives the exit code.
#[track_caller]
pub fn check(traps: &[Trap], site: fn(&Request) -> Response) -> i32 {
    let context = Context::new();
    let server = Server::start(site);
    let folder = context.folder().join("suite");
    std::fs::create_dir_all(&folder).unwrap();
    for (at, trap) in traps.iter().enumerate() {
        let list = |lines: &[&str]| lines.iter().map(|line| format!("  - '{line}'\n")).collect::<String>();
        let mut text = format!(
            "test: {}\nsteps:\n  - Navigate to {}\n{}",
            trap.name,
            server.url(trap.page),
            list(trap.steps)
        );
        text.push_str(&format!("expected:\n{}", list(trap.expected)));
        std::fs::write(folder.join(format!("trap{at:02}.yaml")), text).unwrap();
    }
    let said = context.run(&["run", "suite", "--workers", "2", "--no-screenshots"]);
    let report = std::fs::read_to_string(context.folder().join("assay-results/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let tests = report["tests"].as_array().unwrap();
    assert_eq!(tests.len(), traps.len(), "{}\n{}", said.out, said.err);
    let mut wrong = Vec::new();
    for trap in traps {
        let test = tests.iter().find(|test| test["title"] == trap.name).unwrap();
        let status = test["status"].as_str().unwrap();
        if !trap.verdict.contains(&status) {
            wrong.push(format!("{}: {status}, not {:?} ({})", trap.name, trap.verdict, test["reason"]));
        }
    }
    assert!(wrong.is_empty(), "{}\n\n{}", wrong.join("\n"), said.out);
    said.code
}
