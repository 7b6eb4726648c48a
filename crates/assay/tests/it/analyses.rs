//! Sherlock: runs with known causes in a real browser, and what their analysis says.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use assay_testkit::{Request, Response, Server};
use serde_json::Value;

use crate::context::{Context, Said};

const SHOP: &str = "<!doctype html><title>Shop</title><h1>Shop</h1>
<button id=add>Add to cart</button> <button id=pay>Pay</button><p role=status id=out>Nothing yet</p>
<script>
add.onclick = () => { out.textContent = 'Cart: 12 €' };
pay.onclick = async () => {
  const answer = await fetch('/api/pay', { method: 'POST' });
  out.textContent = answer.ok ? 'Paid' : 'That did not work';
};
</script>";

/// What is wrong with the shop.
const FINE: u32 = 0;
const WRONG_PRICE: u32 = 1;
const SERVER_ERROR: u32 = 2;
const RENAMED: u32 = 3;
const NO_BUTTON: u32 = 4;
const SCRIPT_ERROR: u32 = 5;
const TWICE: u32 = 6;
const CAPTCHA: u32 = 7;

fn shop(fault: u32, request: &Request) -> Response {
    match (request.path.as_str(), fault) {
        ("/", WRONG_PRICE) => Response::html(SHOP.replace("12 €", "13 €")),
        ("/", RENAMED) => Response::html(SHOP.replace("Add to cart", "Add to basket")),
        ("/", NO_BUTTON) => Response::html(SHOP.replace("<button id=pay>Pay</button>", "<button id=pay hidden></button>")),
        ("/", SCRIPT_ERROR) => Response::html(SHOP.replace("out.textContent = 'Cart", "missing.total(); out.textContent = 'Cart")),
        ("/", TWICE) => Response::html(SHOP.replace("<button id=pay>", "<button>Pay</button> <button id=pay>")),
        ("/", CAPTCHA) => Response::html("<!doctype html><title>Check</title><h1>Please verify you are human</h1>"),
        ("/", _) => Response::html(SHOP),
        ("/login", _) => Response::html(
            "<!doctype html><title>Log in</title><h1>Log in</h1><label>Email <input id=mail></label>
             <button onclick=\"out.textContent = 'Invalid username or password'\">Log in</button><p role=alert id=out></p>",
        ),
        ("/api/pay", SERVER_ERROR) => Response::status(500),
        ("/api/pay", _) => Response::html("{}"),
        _ => Response::status(404),
    }
}

struct Suite {
    context: Context,
    server: Server,
    fault: Arc<AtomicU32>,
}

impl Suite {
    fn new() -> Suite {
        let fault = Arc::new(AtomicU32::new(FINE));
        let current = Arc::clone(&fault);
        let server = Server::start(move |request: &Request| shop(current.load(Ordering::Relaxed), request));
        let suite = Suite { context: Context::new(), server, fault };
        let url = suite.server.url("");
        suite.file(
            "assay.yaml",
            &format!("suite: shop\nbase_url: {}\ntimeout: {{step: 10s}}\n", url.trim_end_matches('/')),
        );
        suite
    }

    fn file(&self, name: &str, text: &str) {
        let path = self.context.folder().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn test(&self, name: &str, body: &str) {
        self.file(&format!("tests/{name}.yaml"), &format!("test: {name}\n{body}"));
    }

    fn cart(&self) {
        self.test(
            "cart",
            "steps:\n  - Navigate to /\n  - Click \"Add to cart\"\nexpected:\n  - I should see \"Cart: 12 €\"\n",
        );
    }

    fn pay(&self) {
        self.test(
            "pay",
            "steps:\n  - Navigate to /\n  - Click \"Pay\"\nexpected:\n  - I should see \"Paid\"\n",
        );
    }

    /// Runs with this fault and analyses the run.
    fn analysed(&self, fault: u32) -> Value {
        self.fault.store(fault, Ordering::Relaxed);
        let said = self.context.run(&["run", "tests"]);
        assert_ne!(said.code, 2, "{said:?}");
        self.analysis()
    }

    fn analysis(&self) -> Value {
        let analysis = self.context.json(&["agent", "analyze"]);
        assert_eq!(analysis["ok"], true, "{analysis}");
        analysis["data"].clone()
    }

    #[track_caller]
    fn check(&self, fault: u32, test: &str, class: &str) -> Value {
        let analysis = self.analysed(fault);
        let result = result_of(&analysis, test);
        assert_eq!(class_of(&result), class, "{result:#}");
        result
    }
}

fn result_of(analysis: &Value, test: &str) -> Value {
    let results = analysis["results"].as_array().unwrap();
    results.iter().find(|result| result["test_id"] == test).unwrap_or_else(|| panic!("{analysis:#}")).clone()
}

fn class_of(result: &Value) -> &str {
    result["class"].as_str().unwrap_or("INCONCLUSIVE")
}

#[test]
fn a_pass_with_proof_is_valid_and_defects_of_the_application_are_bugs() {
    let suite = Suite::new();
    suite.cart();
    suite.pay();
    let fine = suite.analysed(FINE);
    assert_eq!(fine["classes"], serde_json::json!({ "VALID_PASS": 2 }));
    let price = suite.check(WRONG_PRICE, "cart", "BUG");
    assert!(price["evidence"].to_string().contains("13"), "{price:#}");
    let server = suite.check(SERVER_ERROR, "pay", "BUG");
    assert!(server["evidence"].to_string().contains("500"), "{server:#}");
    suite.check(SCRIPT_ERROR, "cart", "BUG");
    suite.check(NO_BUTTON, "pay", "BUG");
}

#[test]
fn no_defect_is_called_an_issue_of_the_script_when_the_test_has_never_passed() {
    let suite = Suite::new();
    suite.cart();
    suite.pay();
    for (fault, test) in
        [(WRONG_PRICE, "cart"), (SERVER_ERROR, "pay"), (SCRIPT_ERROR, "cart"), (NO_BUTTON, "pay")]
    {
        let result = result_of(&suite.analysed(fault), test);
        assert!(matches!(class_of(&result), "BUG" | "INCONCLUSIVE"), "{result:#}");
    }
}

#[test]
fn tests_that_cannot_work_are_issues_of_the_script() {
    let suite = Suite::new();
    suite.test(
        "nonsense",
        "steps:\n  - Navigate to /\n  - Frobnicate the wibble\nexpected:\n  - I should see \"Paid\"\n",
    );
    suite.check(FINE, "nonsense", "SCRIPT_ISSUE");
    suite.pay();
    suite.check(TWICE, "pay", "SCRIPT_ISSUE");
    suite.cart();
    suite.check(RENAMED, "cart", "SCRIPT_ISSUE");
}

#[test]
fn what_was_clear_before_is_no_issue_of_the_script() {
    let suite = Suite::new();
    suite.pay();
    suite.check(FINE, "pay", "VALID_PASS");
    let twice = suite.check(TWICE, "pay", "INCONCLUSIVE");
    assert_eq!(twice["candidates"], serde_json::json!(["BUG", "SCRIPT_ISSUE"]));
    assert!(twice["missing"].as_str().unwrap().contains("change"), "{twice:#}");
}

#[test]
fn what_comes_from_outside_blocks() {
    let suite = Suite::new();
    suite.cart();
    suite.test(
        "orders",
        "steps:\n  - Navigate to /login\n  - Enter \"ada@example.test\" in Email\n  - Click \"Log in\"\nexpected:\n  - I should see \"Your orders\"\n",
    );
    let blocked = suite.analysed(CAPTCHA);
    assert_eq!(class_of(&result_of(&blocked, "cart")), "EXTERNAL_BLOCK", "{blocked:#}");
    assert_eq!(class_of(&result_of(&blocked, "orders")), "EXTERNAL_BLOCK", "{blocked:#}");
    // A port that was free a moment ago; nobody listens there now.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    suite.file("assay.yaml", &format!("suite: shop\nbase_url: http://127.0.0.1:{port}\n"));
    let away = suite.check(FINE, "cart", "EXTERNAL_BLOCK");
    assert_ne!(away["verdict"], "failed");
}

#[test]
fn a_browser_that_is_killed_is_trouble_of_the_system_and_an_alert() {
    let suite = Suite::new();
    suite.test(
        "slow",
        "timeout: {step: 30s}\nsteps:\n  - Navigate to /\n  - run: wait \"#never\" --timeout 20000\nexpected:\n  - I should see \"Paid\"\n",
    );
    let mut run = suite
        .context
        .command(&["run", "tests"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let browser = browser_of(&mut run);
    // It is in the wait, or about to be: in both cases the browser is lost under it.
    std::thread::sleep(Duration::from_secs(2));
    // SAFETY: a plain system call; the browser was started by the run that this test started.
    unsafe { libc::kill(browser, libc::SIGKILL) };
    run.wait().unwrap();
    let result = result_of(&suite.analysis(), "slow");
    assert_eq!(class_of(&result), "SYSTEM_ISSUE", "{result:#}");
    let events = suite.context.json(&["event", "list", "--type", "alert.app_crash"]);
    assert_eq!(events["data"]["events"][0]["device"], "chromium", "{events:#}");
    let said = suite.context.ok(&["agent", "discard", "1/slow"]);
    assert!(said.contains("SYSTEM_ISSUE"), "{said}");
    assert_eq!(suite.context.json(&["stats"])["data"]["errors"], 0);
}

#[test]
fn a_browser_that_does_not_start_is_trouble_of_the_system_and_an_alert() {
    let suite = Suite::new();
    suite.pay();
    suite.context.fails(4, &["run", "tests", "--browser-path", "/bin/false"]);
    let result = result_of(&suite.analysis(), "pay");
    assert_eq!(class_of(&result), "SYSTEM_ISSUE", "{result:#}");
    let events = suite.context.json(&["event", "list", "--type", "alert.no_signal"]);
    let events = events["data"]["events"].as_array().unwrap();
    assert_eq!((events.len(), &events[0]["device"]), (1, &"chromium".into()), "{events:#?}");
}

#[test]
fn a_run_that_was_killed_can_be_analysed() {
    let suite = Suite::new();
    suite.test(
        "slow",
        "timeout: {step: 30s}\nsteps:\n  - Navigate to /\n  - run: wait \"#never\" --timeout 20000\nexpected:\n  - I should see \"Paid\"\n",
    );
    let mut run = suite
        .context
        .command(&["run", "tests"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    browser_of(&mut run);
    run.kill().unwrap();
    run.wait().unwrap();
    let result = result_of(&suite.analysis(), "slow");
    assert_eq!((class_of(&result), &result["rule"]), ("SYSTEM_ISSUE", &"not-run".into()), "{result:#}");
}

/// The browser among the descendants of a process, once there is one.
fn browser_of(run: &mut std::process::Child) -> i32 {
    loop {
        assert!(run.try_wait().unwrap().is_none(), "the run ended before it had a browser");
        let mut family = vec![run.id()];
        let mut at = 0;
        while at < family.len() {
            // Each thread has the children that it started.
            for thread in
                std::fs::read_dir(format!("/proc/{}/task", family[at])).into_iter().flatten().flatten()
            {
                let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
                family.extend(children.split_whitespace().filter_map(|pid| pid.parse::<u32>().ok()));
            }
            at += 1;
        }
        let is_browser = |pid: &&u32| {
            let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            words.contains("--user-data-dir") && !words.contains("--type=")
        };
        if let Some(pid) = family.iter().skip(1).find(is_browser) {
            return i32::try_from(*pid).unwrap();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn only_results_that_say_nothing_about_the_application_are_discarded() {
    let suite = Suite::new();
    suite.cart();
    suite.test(
        "nonsense",
        "steps:\n  - Navigate to /\n  - Frobnicate the wibble\nexpected:\n  - I should see \"Paid\"\n",
    );
    suite.analysed(WRONG_PRICE);
    let refused = suite.context.fails(2, &["agent", "discard", "1/cart"]);
    assert!(refused.contains("is BUG, and only SCRIPT_ISSUE and SYSTEM_ISSUE"), "{refused}");
    suite.context.ok(&["agent", "discard", "1/nonsense"]);
    assert_eq!(result_of(&suite.analysis(), "nonsense")["discarded"], true);
    for wrong in ["1", "/cart", "1/"] {
        suite.context.fails(2, &["agent", "discard", wrong]);
    }
    suite.context.fails(2, &["agent", "discard", "1/no_such_test"]);
    suite.context.fails(2, &["agent", "analyze", "99"]);
}

#[test]
fn known_failures_repeats_and_changes_are_told() {
    let suite = Suite::new();
    suite.cart();
    suite.pay();
    suite.analysed(FINE);
    let first = suite.analysed(WRONG_PRICE);
    assert_eq!(first["changes"]["broken"], serde_json::json!(["cart"]));
    assert_eq!(first["first_look"][0]["tests"], serde_json::json!(["cart"]));
    assert!(first["first_look"][0]["why"].as_str().unwrap().contains("new"), "{first:#}");
    let second = suite.analysed(WRONG_PRICE);
    assert_eq!(second["changes"]["same_error"], serde_json::json!(["cart"]));
    let repeat = result_of(&second, "cart");
    assert_eq!(
        (&repeat["depth"], &repeat["times"], &repeat["since"]),
        (&"repeat".into(), &2.into(), &2.into())
    );
    suite.test(
        "cart",
        "tags: [known-failure]\nsteps:\n  - Navigate to /\n  - Click \"Add to cart\"\nexpected:\n  - I should see \"Cart: 12 €\"\n",
    );
    suite.check(WRONG_PRICE, "cart", "VALID_FAIL");
    let fixed = suite.analysed(FINE);
    assert_eq!(fixed["changes"]["fixed"], serde_json::json!(["cart"]));
    assert!(result_of(&fixed, "cart")["notes"].to_string().contains("remove its tag"), "{fixed:#}");
}

#[test]
fn runs_of_single_tests_are_compared_with_the_last_result_of_each_test() {
    let suite = Suite::new();
    suite.cart();
    suite.pay();
    suite.analysed(FINE);
    // Another test alone, then this one, broken meanwhile.
    assert_eq!(suite.context.run(&["run", "tests/pay.yaml"]).code, 0);
    suite.fault.store(WRONG_PRICE, Ordering::Relaxed);
    assert_eq!(suite.context.run(&["run", "tests/cart.yaml"]).code, 1);
    let changes = suite.analysis()["changes"].clone();
    assert_eq!(changes["broken"], serde_json::json!(["cart"]), "{changes:#}");
    assert_eq!(
        (&changes["added"], &changes["gone"]),
        (&serde_json::json!([]), &serde_json::json!([])),
        "{changes:#}"
    );
    // It came back: the same error is no news, although the run before it passed.
    suite.analysed(FINE);
    let back = suite.analysed(WRONG_PRICE);
    assert_eq!(back["changes"]["broken"], serde_json::json!(["cart"]), "{back:#}");
    assert_eq!(result_of(&back, "cart")["times"], 2, "{back:#}");
    assert!(
        back["first_look"][0]["why"].as_str().unwrap().contains("it is back: run 3 had it first"),
        "{back:#}"
    );
}

#[test]
fn an_act_on_something_that_was_never_there_blames_nobody() {
    let suite = Suite::new();
    suite.test(
        "never",
        "steps:\n  - Navigate to /\n  - run: 'click \"#bookit\"'\nexpected:\n  - I should see \"Paid\"\n",
    );
    let result = suite.check(FINE, "never", "INCONCLUSIVE");
    assert_eq!(result["candidates"], serde_json::json!(["BUG", "SCRIPT_ISSUE"]), "{result:#}");
    // What a check expects and the page lacks is a defect all the same.
    suite.pay();
    suite.check(NO_BUTTON, "pay", "INCONCLUSIVE");
}

#[test]
fn the_report_is_one_page_that_shows_text_as_text() {
    let suite = Suite::new();
    suite.cart();
    suite.test(
        "evil",
        "steps:\n  - Navigate to /\nexpected:\n  - I should see \"<img src=x onerror=alert(1)>\"\n",
    );
    suite.analysed(WRONG_PRICE);
    let Said { out, .. } = suite.context.run(&["agent", "analyze", "--html", "out/analysis.html"]);
    assert_eq!(out, "out/analysis.html");
    let page = std::fs::read_to_string(suite.context.folder().join("out/analysis.html")).unwrap();
    assert!(page.contains("data:image/png;base64,"), "the picture is in the page");
    assert!(!page.contains("<img src=x") && !page.contains("<script"), "{page}");
    let markdown = suite.context.ok(&["agent", "analyze", "--markdown"]);
    assert!(markdown.contains("## Look at this first") && markdown.contains("**BUG** `cart`"), "{markdown}");
    suite.context.fails(2, &["agent", "analyze", "--markdown", "--html", "x.html"]);
}
