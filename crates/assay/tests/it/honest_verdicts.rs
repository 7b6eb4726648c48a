//! Verdicts that claim no more than was seen, and name the right culprit.

use std::process::Stdio;
use std::time::Duration;

use assay_testkit::{Request, Response, Server};

use crate::context::{Context, Said};

const GREETER: &str = "<!doctype html><title>Greeter</title><h1>Greeter</h1>
<label>Name <input id=name></label> <button id=greet>Greet</button><p id=out></p>
<script>greet.onclick = () => { out.textContent = 'Hello, ' + name.value }</script>";

fn site(request: &Request) -> Response {
    match request.path.as_str() {
        "/" => Response::html(GREETER),
        // The script that would make the list fails.
        "/broken" => Response::html(
            "<!doctype html><title>Records</title><h1>Records</h1><div id=list></div><script>
             const record = undefined; list.innerHTML = '<button>' + record.title + '</button>'</script>",
        ),
        // It loads, and then says nothing for longer than anybody waits.
        "/stuck" => Response::html(
            "<!doctype html><title>Stuck</title><h1>Stuck</h1><script>
             setTimeout(() => { const begun = Date.now(); while (Date.now() - begun < 60000); }, 2500)</script>",
        ),
        "/form" => Response::html(
            "<!doctype html><title>Book</title><h1>Book</h1><button onclick=\"open('/window', '', 'width=400')\">New author</button>
             <button onclick=\"out.textContent = 'Cleared'\">Reset</button><p role=status id=out>No author</p>",
        ),
        // It reports to its opener and closes long after the click has had its effect.
        "/window" => Response::html(
            "<!doctype html><title>Author</title><h1>Author</h1><button id=save>Save</button><script>
             save.onclick = () => setTimeout(() => { opener.out.textContent = 'Author saved'; close() }, 1500)</script>",
        ),
        _ => Response::status(404),
    }
}

struct Suite {
    context: Context,
    server: Server,
}

impl Suite {
    fn new() -> Suite {
        Suite { context: Context::new(), server: Server::start(site) }
    }

    fn write(&self, name: &str, steps: &str) {
        let folder = self.context.folder().join("tests");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.yaml")), format!("test: {name}\n{steps}")).unwrap();
        let project =
            format!("base_url: {}\ntimeout: {{step: 4s}}\n", self.server.url("").trim_end_matches('/'));
        std::fs::write(self.context.folder().join("assay.yaml"), project).unwrap();
    }

    fn run(&self, code: i32, arguments: &[&str]) -> (Said, serde_json::Value) {
        let said = self.context.run(arguments);
        assert_eq!(said.code, code, "{}\n{}", said.out, said.err);
        let report =
            std::fs::read_to_string(self.context.folder().join("assay-results/report.json")).unwrap();
        (said, serde_json::from_str(&report).unwrap())
    }
}

#[test]
fn a_test_without_an_expectation_says_so_and_is_hollow() {
    let suite = Suite::new();
    suite.write("tour", "steps:\n  - Navigate to /\n  - Click the \"Greet\" button\n");
    let (said, report) = suite.run(0, &["run", "tests"]);
    assert!(said.out.contains(", no expectation)"), "{}", said.out);
    assert_eq!(report["tests"][0]["no_expectation"], true);
    let (_, report) = suite.run(3, &["run", "tests", "--strict"]);
    assert_eq!(report["exit_code"], 3);
    let project = suite.context.folder().join("assay.yaml");
    let text = std::fs::read_to_string(&project).unwrap();
    std::fs::write(&project, format!("{text}strict: true\n")).unwrap();
    suite.run(3, &["run", "tests"]);
    let (said, report) = suite.run(1, &["prove", "tests"]);
    assert!(said.out.contains("HOLLOW tour — no expectation: nothing is claimed"), "{}", said.out);
    assert_eq!(report["tests"][0]["proof"]["judgement"], "hollow");
    let dry = suite.context.ok(&["run", "tests", "--dry-run"]);
    assert!(dry.contains("no expectation: the test is hollow"), "{dry}");
}

#[test]
fn exact_commands_that_ask_are_expectations() {
    let suite = Suite::new();
    suite.write("exact", "steps:\n  - Navigate to /\nexpected:\n  - run: is visible \"#greet\"\n");
    suite.write("counted", "steps:\n  - Navigate to /\n  - run: count button\n");
    suite.write("scripted", "steps:\n  - Navigate to /\nexpected:\n  - run: eval \"document.title\"\n");
    let (said, _) = suite.run(0, &["run", "tests", "--strict"]);
    assert!(!said.out.contains("no expectation"), "{}", said.out);
}

#[test]
fn a_test_that_only_claims_absence_is_hollow() {
    let suite = Suite::new();
    suite.write(
        "absent",
        "steps:\n  - Navigate to /\n  - Click the \"Greet\" button\nexpected:\n  - The text \"Goodbye\" is not shown\n",
    );
    let (said, report) = suite.run(1, &["prove", "tests"]);
    assert!(said.out.contains("HOLLOW absent — only absence is claimed"), "{}", said.out);
    assert_eq!(report["proofs"]["hollow"], 1);
}

#[test]
fn a_script_that_comes_to_nothing_is_no_pass() {
    let suite = Suite::new();
    let values = [
        ("zero", "document.querySelectorAll('li').length"),
        ("empty", "document.querySelector('#out').textContent"),
        ("missing", "document.querySelector('#out').nothing"),
        ("no_number", "0 / 0"),
        ("no_list", "[]"),
    ];
    for (name, script) in values {
        suite.write(name, &format!("steps:\n  - Navigate to /\nexpected:\n  - run: eval \"{script}\"\n"));
    }
    suite.write("effect", "steps:\n  - Navigate to /\n  - run: eval \"window.count = 0\"\nexpected:\n  - run: eval \"window.count === 0\"\n");
    let (_, report) = suite.run(1, &["run", "tests"]);
    for test in report["tests"].as_array().unwrap() {
        let expected = if test["title"] == "effect" { "passed" } else { "failed" };
        assert_eq!(test["status"], expected, "{}", test["title"]);
    }
}

#[test]
fn a_page_that_does_not_answer_is_not_judged() {
    let suite = Suite::new();
    suite.write(
        "silent",
        "steps:\n  - Navigate to /stuck\n  - Wait 3 seconds\nexpected:\n  - The text \"Done\" is shown\n",
    );
    let (said, report) = suite.run(4, &["run", "tests"]);
    let test = &report["tests"][0];
    assert_eq!((&test["status"], &test["class"]), (&"error".into(), &"environment".into()), "{}", said.out);
    assert!(test["reason"].as_str().unwrap().contains("did not respond in time"), "{test}");
}

#[test]
fn a_broken_script_of_the_page_is_no_defect_of_the_test() {
    let suite = Suite::new();
    suite.write(
        "record",
        "steps:\n  - Navigate to /broken\n  - Click the first record\nexpected:\n  - The text \"Details\" is shown\n",
    );
    let said = suite.context.run(&["run", "tests"]);
    let report = std::fs::read_to_string(suite.context.folder().join("assay-results/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let test = &report["tests"][0];
    assert_ne!(test["status"], "passed", "{}", said.out);
    assert_eq!(test["class"], "product-defect", "{}", said.out);
    assert!(test["class_reason"].as_str().unwrap().contains("the page's script failed: "), "{test}");
}

#[test]
fn an_interrupt_ends_a_teardown_soon_and_makes_no_test_flaky() {
    let suite = Suite::new();
    suite.write(
        "slow",
        "timeout: {step: 90s}\nsteps:\n  - Navigate to /\n  - Wait 60 seconds\nexpected:\n  - The heading is \"Greeter\"\n\
         standing: allowed\nteardown:\n  - Click the \"Log out\" button\n",
    );
    let mut command = suite.context.command(&["run", "tests"]);
    let run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let journal = suite.context.folder().join("assay-results/events.jsonl");
    while !std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("Wait 60 seconds")) {
        std::thread::sleep(Duration::from_millis(30));
    }
    // SAFETY: a plain system call; the child is ours and not yet waited for.
    unsafe { libc::kill(run.id() as libc::pid_t, libc::SIGINT) };
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stdout));
    let events = std::fs::read_to_string(&journal).unwrap();
    assert!(events.contains("the teardown was cut off: the run was stopped before its end"), "{events}");
    let file = suite.context.folder().join("tests/slow.yaml");
    let text = std::fs::read_to_string(&file).unwrap().replace("Wait 60", "Wait 0.1").replace("90s", "1s");
    std::fs::write(&file, text.replace("  - Click the \"Log out\" button", "  - Navigate to /")).unwrap();
    let (said, report) = suite.run(0, &["resume"]);
    assert!(said.out.ends_with("1 test: 1 passed"), "{}", said.out);
    assert_eq!(report["tests"][0]["flaky"], false);
    assert!(suite.context.ok(&["flaky"]).contains("no flaky tests"));
}

/// The window that a claim is looked for in may close meanwhile: its opener is then in front.
#[test]
fn a_window_that_closes_while_it_is_looked_at_leaves_its_opener() {
    let suite = Suite::new();
    suite.write(
        "window",
        "steps:\n  - Go to /form\n  - Click \"New author\"\n  - Switch to the new tab\n  - Click \"Save\"\n  - The page shows \"Author saved\"\n",
    );
    suite.run(0, &["run"]);
}

/// What fails on the page before may be about the tab that the last act has opened: that is no evidence.
#[test]
fn nobody_is_blamed_while_a_new_tab_was_not_looked_at() {
    let suite = Suite::new();
    let opens = "steps:\n  - Go to /form\n  - Click \"New author\"\n";
    suite.write("act", &format!("{opens}  - Click \"Save\"\n"));
    suite.write("claim", &format!("{opens}expected:\n  - The heading is \"Author\"\n"));
    suite.write("later", &format!("{opens}  - Click \"Reset\"\n  - The heading is \"Author\"\n"));
    suite
        .write("opener", &format!("{opens}  - Click \"Reset\"\nexpected:\n  - The page shows \"Cleared\"\n"));
    suite.write(
        "switched",
        &format!("{opens}  - Switch to the new tab\nexpected:\n  - The heading is \"Author\"\n"),
    );
    let (said, report) = suite.run(1, &["run"]);
    let verdicts: Vec<(&str, &str)> = report["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| (test["title"].as_str().unwrap(), test["status"].as_str().unwrap()))
        .collect();
    let expected = [
        ("act", "inconclusive"),
        ("claim", "inconclusive"),
        ("later", "failed"),
        ("opener", "passed"),
        ("switched", "passed"),
    ];
    assert_eq!(verdicts, expected, "{}", said.out);
    assert!(said.out.contains("Switch to the new tab"), "{}", said.out);
}
