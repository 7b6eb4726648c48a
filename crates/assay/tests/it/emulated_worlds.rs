//! Tests that change the world around the page by sentences: its clock, its network, the answers of its server.

use assay_testkit::{Request, Response, Server};

use crate::context::Context;

const SHOP: &str = "<!doctype html><title>Shop</title><h1>Shop</h1>
<p id=net>Connected</p><p id=cart>No cart yet</p><p id=day></p>
<button id=load>Load the cart</button><button id=sign>Sign in</button>
<script>
    addEventListener('offline', () => { net.textContent = 'Connection lost'; });
    addEventListener('online', () => { net.textContent = 'Connection restored'; });
    load.onclick = async () => {
        cart.textContent = 'Loading';
        try {
            const answer = await fetch('/api/cart');
            cart.textContent = answer.ok ? await answer.text() : 'The shop said ' + answer.status;
        } catch {
            cart.textContent = 'The shop cannot be reached';
        }
    };
    sign.onclick = () => {
        day.textContent = 'Signed in on ' + new Date().toISOString().slice(0, 10);
        setTimeout(() => { day.textContent = 'Your session has expired'; }, 30 * 60 * 1000);
    };
</script>";

const STATUS: &str = "<!doctype html><title>Chat</title><h1>Chat</h1><button>Go offline</button>
<label>Time zone <input></label>";

fn site() -> Server {
    Server::start(|request: &Request| match request.path.as_str() {
        "/" => Response::html(SHOP),
        "/chat" => Response::html(STATUS),
        "/api/cart" => Response::bytes("text/plain", "2 lamps"),
        _ => Response::status(404),
    })
}

/// The verdict of a test with these steps, and all that is reported of it. It runs twice: the second time by its lock,
/// where it has one.
fn run(steps: &[&str], expected: &str) -> [(String, String); 2] {
    let server = site();
    let context = Context::new();
    let steps: String = steps.iter().map(|step| format!("  - '{step}'\n")).collect();
    let base = server.url("");
    let test = format!("test: World\nbase_url: {base}\nsteps:\n{steps}expected:\n  - '{expected}'\n");
    std::fs::write(context.folder().join("world.yaml"), test).unwrap();
    ["first", "second"].map(|_| {
        let said = context.run(&["run", "world.yaml", "--lock", "--browser", "chromium", "--no-screenshots"]);
        let report = std::fs::read_to_string(context.folder().join("assay-results/report.json"));
        let report: serde_json::Value = serde_json::from_str(&report.expect(&said.err)).unwrap();
        let test = &report["tests"][0];
        (test["status"].as_str().unwrap_or_default().to_string(), test.to_string())
    })
}

#[track_caller]
fn check(steps: &[&str], expected: &str, verdict: &str, part: &str) {
    for (status, told) in run(steps, expected) {
        assert_eq!(status, verdict, "{told}");
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn a_page_lives_at_the_time_that_a_sentence_sets() {
    let steps = [
        "Go to /",
        "Set the clock to 1 March 2027",
        "Click \"Sign in\"",
        "The text \"Signed in on 2027-03-01\" is shown",
        "Advance the clock by 30 minutes",
    ];
    check(&steps, "The text \"Your session has expired\" is shown", "passed", "");
}

#[test]
fn a_clock_that_was_never_set_is_not_advanced_and_the_way_to_set_one_is_named() {
    let claim = "The heading \"Shop\" is shown";
    let [(status, told), _] = run(&["Go to /", "Advance the clock by 30 minutes"], claim);
    assert_eq!(status, "error", "{told}");
    assert!(told.contains("in a test with `Set the clock to 1 March 2027`"), "{told}");
    let (context, server) = (Context::new(), site());
    context.ok(&["go", &server.url("/")]);
    let said = context.fails(2, &["emulate", "clock", "advance", "60000"]);
    let hint = said.lines().find_map(|line| line.strip_prefix("hint: assay ")).expect(&said);
    context.ok(&hint.split(' ').collect::<Vec<_>>());
    context.ok(&["emulate", "clock", "advance", "60000"]);
}

#[test]
fn a_page_loses_its_network_and_gets_it_back() {
    let steps = [
        "Go to /",
        "Go offline",
        "The text \"Connection lost\" is shown",
        "Click \"Load the cart\"",
        "The text \"The shop cannot be reached\" is shown",
        "Go back online",
        "The text \"Connection restored\" is shown",
        "Click \"Load the cart\"",
    ];
    check(&steps, "The text \"2 lamps\" is shown", "passed", "");
}

#[test]
fn a_request_fails_until_it_works_again() {
    let steps = [
        "Go to /",
        "The request to /api/cart fails with 503",
        "Click \"Load the cart\"",
        "The text \"The shop said 503\" is shown",
        "Requests to /api/cart work again",
        "Click \"Load the cart\"",
    ];
    check(&steps, "The text \"2 lamps\" is shown", "passed", "");
}

#[test]
fn a_failing_request_that_is_expected_is_neither_arranged_nor_believed() {
    let steps = ["Go to /", "Click \"Load the cart\"", "The text \"2 lamps\" is shown"];
    check(
        &steps,
        "The request to /api/cart fails with 500",
        "inconclusive",
        "says what to do, not what should be true",
    );
}

#[test]
fn a_control_of_the_same_name_makes_the_sentence_unclear() {
    let claim = "The heading \"Chat\" is shown";
    check(&["Go to /chat", "Go offline"], claim, "inconclusive", "Go offline in the browser");
    let zone = "Set the time zone to Europe/Madrid";
    check(&["Go to /chat", zone], claim, "inconclusive", "Set the time zone to Europe/Madrid in the browser");
}
