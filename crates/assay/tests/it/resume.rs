//! Runs and tasks that are cut off: nothing that was done is lost, nothing is done twice without being said.

use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use assay_testkit::{Request, Response, Server};

use crate::context::Context;

/// A shop that counts its orders, and is slow to open its last page.
struct Shop {
    server: Server,
    orders: Arc<AtomicUsize>,
}

impl Shop {
    fn open() -> Shop {
        let orders = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&orders);
        let server = Server::start(move |request: &Request| match request.path.as_str() {
            "/" => Response::html(
                "<!doctype html><title>Shop</title><h1>Shop</h1><form method=post action=/order><label>Name <input name=name></label>\
                 <button>Place order</button></form>",
            ),
            "/order" => {
                let number = counted.fetch_add(1, Ordering::SeqCst) + 1;
                Response::html(format!(
                    "<!doctype html><title>Thanks</title><h1>Thanks</h1><p>Order {number}</p>\
                     <button onclick=\"out.textContent='Printed'\">Print</button><p id=out></p>"
                ))
            }
            _ => Response::status(404),
        });
        Shop { server, orders }
    }

    fn ordered(&self) -> usize {
        self.orders.load(Ordering::SeqCst)
    }

    /// Three tests that order something; the second takes its time after the order.
    fn suite(&self, context: &Context) {
        let folder = context.folder().join("tests");
        std::fs::create_dir_all(&folder).unwrap();
        for (name, pause) in [("a", ""), ("b", "  - Wait 60 seconds\n"), ("c", "")] {
            let text = format!(
                "test: Order {name}\nsteps:\n  - Open {}\n  - Enter \"Ada\" in the name field\n  - Click the \"Place order\" button\n\
                 {pause}  - Click the \"Print\" button\nexpected:\n  - The text \"Printed\" is shown\n",
                self.server.url("/")
            );
            std::fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
        }
    }
}

/// Starts a run, waits until the journal says `until`, and kills it.
fn cut_off(context: &Context, until: &str) {
    let mut run = start(context);
    let journal = context.folder().join("assay-results/events.jsonl");
    while !std::fs::read_to_string(&journal).is_ok_and(|text| text.contains(until)) {
        std::thread::sleep(Duration::from_millis(30));
    }
    run.kill().unwrap();
    run.wait().unwrap();
}

fn start(context: &Context) -> Child {
    let mut command = context.command(&["run", "tests", "--workers", "1"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn without_the_pause(context: &Context) {
    let file = context.folder().join("tests/b.yaml");
    let text =
        std::fs::read_to_string(&file).unwrap().replace("  - Wait 60 seconds\n", "  - Wait 0.1 seconds\n");
    std::fs::write(file, text).unwrap();
}

fn report(context: &Context) -> serde_json::Value {
    let text = std::fs::read_to_string(context.folder().join("assay-results/report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_run_that_was_killed_goes_on_with_what_is_left() {
    let (context, shop) = (Context::new(), Shop::open());
    shop.suite(&context);
    cut_off(&context, "Wait 60 seconds");
    assert_eq!(shop.ordered(), 2);
    without_the_pause(&context);
    let said = context.run(&["resume", "--again"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(said.out.ends_with("3 tests: 3 passed"), "{}", said.out);
    assert!(!said.out.contains("PASS a_order"), "a test that has its result is not run again: {}", said.out);
    assert_eq!(shop.ordered(), 4, "the second test orders once more, and says so");
    let report = report(&context);
    let notes = report["tests"][1]["notes"].to_string();
    assert!(notes.contains("repeated, and it commits something: `click"), "{notes}");
    assert_eq!(report["tests"][0]["notes"].as_array().unwrap().len(), 0);
    let again = context.run(&["resume"]);
    assert_eq!(again.code, 2, "{}", again.out);
    assert!(again.err.contains("nothing to resume: the last run finished"), "{}", again.err);
}

/// A plain resume repeats nothing that was committed.
#[test]
fn a_test_that_committed_something_is_not_repeated_unasked() {
    for more in [&["resume"][..], &["resume", "--steps"], &["task", "resume"]] {
        let (context, shop) = (Context::new(), Shop::open());
        shop.suite(&context);
        cut_off(&context, "Wait 60 seconds");
        without_the_pause(&context);
        let said = context.run(more);
        assert_eq!(said.code, 3, "{}\n{}", said.out, said.err);
        assert_eq!(shop.ordered(), 3, "the second test does not order again, the third one orders");
        let test = &report(&context)["tests"][1];
        assert_eq!(test["status"], "inconclusive");
        let reason = test["reason"].as_str().unwrap();
        assert!(
            reason.starts_with("not repeated: `click") && reason.contains("` was done before"),
            "{reason}"
        );
        assert_eq!(test["class"], "environment");
        assert!(said.err.contains("`assay resume --again` would repeat it"), "{}", said.err);
        let anew = context.run(&["run", "tests", "--last-failed"]);
        assert_eq!(anew.code, 0, "{}\n{}", anew.out, anew.err);
        assert_eq!(shop.ordered(), 4);
    }
}

/// Nothing was committed, so nothing is asked.
#[test]
fn a_test_that_committed_nothing_starts_again_unasked() {
    let (context, shop) = (Context::new(), Shop::open());
    shop.suite(&context);
    let file = context.folder().join("tests/b.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    let pause = "  - Wait 60 seconds\n";
    let text = text.replace(pause, "").replace("  - Enter", &format!("{pause}  - Enter"));
    std::fs::write(&file, text).unwrap();
    cut_off(&context, "Wait 60 seconds");
    without_the_pause(&context);
    let said = context.run(&["resume"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert_eq!(shop.ordered(), 3);
}

#[test]
fn a_second_life_does_not_forget_the_first() {
    let (context, shop) = (Context::new(), Shop::open());
    shop.suite(&context);
    cut_off(&context, "Wait 60 seconds");
    let mut command = context.command(&["resume", "--again"]);
    let mut second = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while shop.ordered() < 3 {
        std::thread::sleep(Duration::from_millis(30));
    }
    std::thread::sleep(Duration::from_millis(500));
    second.kill().unwrap();
    second.wait().unwrap();
    without_the_pause(&context);
    let said = context.run(&["resume", "--again"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert_eq!(shop.ordered(), 5);
    let report = report(&context);
    let told = report["tests"][1]["notes"].to_string().matches("repeated, and it commits something").count();
    assert_eq!(told, 2, "{}", report["tests"][1]["notes"]);
    assert_eq!(report["totals"]["tests"], 3);
}

#[test]
fn a_test_goes_on_at_the_step_it_had_come_to() {
    let (context, shop) = (Context::new(), Shop::open());
    shop.suite(&context);
    cut_off(&context, "Wait 60 seconds");
    without_the_pause(&context);
    let said = context.run(&["resume", "--steps", "--again"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    let report = report(&context);
    let steps = report["tests"][1]["steps"].as_array().unwrap();
    let commands = steps[2]["commands"].to_string();
    assert!(commands.contains("\"pilot\":\"resume\""), "{commands}");
    let notes = steps[2]["notes"].to_string();
    assert!(notes.contains("carried out a second time, and it commits something"), "{notes}");
    assert_eq!(shop.ordered(), 4);
}

#[test]
fn a_second_run_of_a_session_says_who_holds_it() {
    let (context, shop) = (Context::new(), Shop::open());
    shop.suite(&context);
    let mut first = start(&context);
    let journal = context.folder().join("assay-results/events.jsonl");
    while !std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("run-started")) {
        std::thread::sleep(Duration::from_millis(30));
    }
    let refused = context.fails(4, &["run", "tests", "--grep", "order a"]);
    assert!(refused.contains("`session:default`") && refused.contains("assay run tests"), "{refused}");
    let other =
        context.run(&["run", "tests", "--grep", "order a", "--session", "other", "--results", "more"]);
    assert_eq!(other.code, 0, "{}\n{}", other.out, other.err);
    first.kill().unwrap();
    first.wait().unwrap();
    let after = context.run(&["run", "tests", "--grep", "order a"]);
    assert_eq!(after.code, 0, "a dead owner holds nothing: {}\n{}", after.out, after.err);
    assert!(after.err.contains("was interrupted"), "{}", after.err);
}

#[test]
fn a_paused_run_ends_and_goes_on() {
    let (context, shop) = (Context::new(), Shop::open());
    shop.suite(&context);
    let run = start(&context);
    let journal = context.folder().join("assay-results/events.jsonl");
    while !std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("Wait 60 seconds")) {
        std::thread::sleep(Duration::from_millis(30));
    }
    context.ok(&["task", "pause"]);
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(context.ok(&["task", "list"]).contains("paused"), "{}", context.ok(&["task", "list"]));
    without_the_pause(&context);
    let said = context.run(&["task", "resume", "--again"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(said.out.ends_with("3 tests: 3 passed"), "a pause makes no test flaky: {}", said.out);
    assert!(context.ok(&["flaky"]).contains("no flaky tests"));
    assert_eq!(context.ok(&["history", "b_order_b"]).lines().count(), 1, "a pause is no result");
}

/// A suite of one test that types a secret and then waits, without committing anything. What it depends on is spread
/// over the project file, the test and the environment.
struct Settings<'a> {
    name: &'a str,
    password: &'a str,
    field: &'a str,
    base: String,
    language: &'a str,
    allowed: &'a str,
    pause: &'a str,
}

impl Settings<'_> {
    fn write(&self, context: &Context) {
        let Settings { name, field, base, language, allowed, pause, .. } = self;
        let project = format!(
            "base_url: {base}\npolicy:\n  allowed_domains: [127.0.0.1, localhost, {allowed}]\nemulate:\n  locale: {language}\n"
        );
        std::fs::write(context.folder().join("assay.yaml"), project).unwrap();
        let test = format!(
            "test: Fill\nsecrets: [PASSWORD]\nvariables: {{name: {name}}}\nselectors: {{name_field: \"{field}\"}}\nsteps:\n  - Open /\n  \
             - Enter \"${{name}}\" in the name field\n  - Enter \"${{PASSWORD}}\" in the name field\n  - Wait {pause} seconds\nexpected:\n  - The heading is \"Shop\"\nstanding: allowed\n"
        );
        std::fs::create_dir_all(context.folder().join("tests")).unwrap();
        std::fs::write(context.folder().join("tests/fill.yaml"), test).unwrap();
    }

    fn command(&self, context: &Context, arguments: &[&str]) -> std::process::Command {
        let mut command = context.command(arguments);
        // A project that takes a secret from the environment has to be trusted.
        command.env("PASSWORD", self.password).env("ASSAY_TRUST", "1");
        command
    }
}

/// Cut off in its fourth step, then resumed with `--steps` under other settings: what the test's notes say.
fn resumed_under(change: impl FnOnce(&mut Settings<'_>)) -> (serde_json::Value, String) {
    let (context, shop) = (Context::new(), Shop::open());
    let base = shop.server.url("");
    let mut settings = Settings {
        name: "Ada",
        password: "s3cret-one",
        field: "input",
        base: base.trim_end_matches('/').to_string(),
        language: "en-GB",
        allowed: "one.test",
        pause: "60",
    };
    settings.write(&context);
    let mut command = settings.command(&context, &["run", "tests", "--workers", "1"]);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let journal = context.folder().join("assay-results/events.jsonl");
    while !std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("Wait 60 seconds")) {
        assert!(run.try_wait().unwrap().is_none(), "the run ended before its long step");
        std::thread::sleep(Duration::from_millis(30));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    settings.pause = "0.1";
    change(&mut settings);
    settings.write(&context);
    let said = crate::context::said(settings.command(&context, &["resume", "--steps"]));
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    let events = std::fs::read_to_string(&journal).unwrap();
    assert!(!events.contains("s3cret"), "no secret is on record");
    let test = report(&context)["tests"][0].clone();
    let commands = test["steps"][1]["commands"].to_string();
    let pilot = if commands.contains("\"pilot\":\"resume\"") { "continued" } else { "started over" };
    (test["notes"].clone(), pilot.to_string())
}

#[test]
fn a_test_goes_on_at_its_step_only_if_all_it_depends_on_is_the_same() {
    let (notes, how) = resumed_under(|_| {});
    assert_eq!((notes.to_string().as_str(), how.as_str()), ("[]", "continued"));
    type Change = fn(&mut Settings<'_>);
    let changes: [(&str, Change); 6] = [
        ("steps", |settings| settings.name = "Bob"),
        ("hidden values", |settings| settings.password = "s3cret-two"),
        ("selectors", |settings| settings.field = "[name=name]"),
        ("base_url", |settings| settings.base = settings.base.replace("127.0.0.1", "localhost")),
        ("emulation and routes", |settings| settings.language = "de-DE"),
        ("policy", |settings| settings.allowed = "two.test"),
    ];
    for (named, change) in changes {
        let (notes, how) = resumed_under(change);
        let notes = notes.to_string();
        assert!(notes.contains(&format!("its {named}")) && notes.contains("so it starts over"), "{notes}");
        assert_eq!(how, "started over", "{named}");
    }
}

#[test]
fn a_task_keeps_what_was_done_and_goes_on_in_a_new_browser() {
    let (context, shop) = (Context::new(), Shop::open());
    context.ok(&["task", "start", "Order a lamp", "--by-hand"]);
    context.ok(&["go", &shop.server.url("/")]);
    context.ok(&["fill", "label=Name", "Ada"]);
    let status = context.ok(&["task", "status"]);
    assert!(status.contains("done: fill \"label=Name\" \"Ada\""), "{status}");
    let refused = context.fails(4, &["task", "start", "Another", "--by-hand"]);
    assert!(refused.contains("`session:default`"), "{refused}");
    let daemon: serde_json::Value =
        serde_json::from_str(&context.ok(&["daemon", "status", "--json"])).unwrap();
    let pid = daemon["data"]["pid"].as_i64().unwrap() as libc::pid_t;
    // SAFETY: a plain system call; the process is the daemon of this test.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    std::thread::sleep(Duration::from_millis(500));
    assert!(context.ok(&["task", "list"]).contains("paused"));
    let said = context.run(&["task", "resume"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert_eq!(context.ok(&["value", "label=Name"]), "Ada");
    context.ok(&["click", "button \"Place order\""]);
    let exported: serde_json::Value = serde_json::from_str(&context.ok(&["task", "export"])).unwrap();
    let history = exported["actionHistory"].as_array().unwrap();
    assert_eq!(history.len(), 3, "{exported:#}");
    assert_eq!(history[2]["commits"], true);
    // The order is placed again only with `--again`.
    context.ok(&["task", "pause"]);
    context.ok(&["close"]);
    let refused = context.fails(2, &["task", "resume"]);
    assert!(refused.contains("Place order") && refused.contains("--again"), "{refused}");
    assert_eq!(shop.ordered(), 1);
    context.ok(&["task", "resume", "--again"]);
    assert_eq!(shop.ordered(), 2);
    assert!(exported["taskContext"]["relevantTabs"].to_string().contains("/order"), "{exported:#}");
    context.ok(&["task", "stop"]);
    context.ok(&["go", &shop.server.url("/")]);
    let after: serde_json::Value = serde_json::from_str(&context.ok(&["task", "export"])).unwrap();
    assert_eq!(
        after["actionHistory"].as_array().unwrap().len(),
        3,
        "nothing is on record for a task that is over"
    );
    assert_eq!(shop.ordered(), 2);
}

#[test]
fn a_task_whose_browser_was_lost_is_paused_and_goes_on() {
    let (context, shop) = (Context::new(), Shop::open());
    context.ok(&["task", "start", "Order a lamp", "--by-hand"]);
    context.ok(&["go", &shop.server.url("/")]);
    context.ok(&["fill", "label=Name", "Ada"]);
    let status: serde_json::Value =
        serde_json::from_str(&context.ok(&["daemon", "status", "--json"])).unwrap();
    let browser = status["data"]["browser_pid"].as_i64().unwrap() as libc::pid_t;
    // SAFETY: a plain system call; the process is the browser of this test.
    unsafe { libc::kill(browser, libc::SIGKILL) };
    std::thread::sleep(Duration::from_millis(300));
    let said = context.run(&["click", "button \"Place order\""]);
    assert_ne!(said.code, 0, "{}", said.out);
    assert!(said.err.contains("is paused because its browser was lost"), "{}", said.err);
    let said = context.run(&["task", "resume"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(said.err.contains("repeated: fill") && said.out.contains("in a new browser"), "{}", said.err);
    assert_eq!(context.ok(&["value", "label=Name"]), "Ada");
    assert_eq!(shop.ordered(), 0);
}

#[test]
fn what_cannot_be_put_on_record_is_not_done() {
    let (context, shop) = (Context::new(), Shop::open());
    shop.suite(&context);
    let state = context.folder().join("state");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("state.db"), "this is no database, and must stay as it is".repeat(200))
        .unwrap();
    let before = std::fs::read(state.join("state.db")).unwrap();
    let refused = context.fails(4, &["run", "tests"]);
    assert!(refused.contains("state.db` is damaged"), "{refused}");
    assert_eq!(std::fs::read(state.join("state.db")).unwrap(), before);
    assert_eq!(shop.ordered(), 0);
}

#[test]
fn results_of_all_runs_are_kept() {
    let (context, shop) = (Context::new(), Shop::open());
    shop.suite(&context);
    without_the_pause(&context);
    for _ in 0..2 {
        let said = context.run(&["run", "tests"]);
        assert_eq!(said.code, 0, "{said:?}");
        assert!(said.err.lines().any(|line| line == "report: assay-results/report.html"), "{}", said.err);
    }
    let history = context.ok(&["history", "b_order_b"]);
    assert_eq!(history.lines().count(), 2, "{history}");
    assert!(context.ok(&["stats"]).starts_with("2 runs of 3 tests"), "{}", context.ok(&["stats"]));
    assert!(context.ok(&["flaky"]).contains("no flaky tests"));
    let unknown = context.fails(2, &["history", "b_ordr_b"]);
    assert!(unknown.contains("did you mean b_order_b"), "{unknown}");
    context.ok(&["gc", "--keep-runs", "1"]);
    assert!(context.ok(&["stats"]).starts_with("1 run of 3 tests"));
    assert!(context.folder().join("assay-results/report.json").is_file(), "the kept run needs it");
}
