//! Scripts: found by name, run with parameters, ended in time, put on record as tests are.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assay_testkit::{Request, Response, Server};
use serde_json::Value;

use crate::context::{Context, Said};

struct Desk {
    context: Context,
}

impl Desk {
    /// A trusted project with these files. Those that begin with `#!` can be run.
    fn new(files: &[(&str, &str)]) -> Desk {
        let desk = Desk::untrusted(files);
        desk.context.ok(&["trust"]);
        desk
    }

    fn untrusted(files: &[(&str, &str)]) -> Desk {
        let desk = Desk { context: Context::new() };
        desk.write("assay.yaml", "suite: shop\n");
        files.iter().for_each(|(path, text)| desk.write(path, text));
        desk
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.context.folder().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        if text.starts_with("#!") {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    fn say(&self, line: &[&str]) -> Said {
        self.context.run(line)
    }

    /// The folder of the only run of a script.
    fn results(&self) -> PathBuf {
        let mut runs: Vec<PathBuf> = std::fs::read_dir(self.context.folder().join("assay-results/scripts"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert_eq!(runs.len(), 1, "{runs:?}");
        runs.remove(0)
    }
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}

const SEED: &str = "script: Seed the shop\nrun: ./seed.sh\nrequirements: [REQ-7: partial]\nparameters:\n  count: {type: integer, required: true, description: How many}\n  \
                    size: {default: small, allowed: [small, large]}\n  token: {secret: true}\ntimeout: 20s\n";
const SEED_PROGRAM: &str = "#!/bin/sh\nfor word in \"$@\"; do echo \"arg <$word>\"; done\necho \"token $ASSAY_PARAM_TOKEN\"\n\
                            echo made > \"$ASSAY_ARTIFACTS/orders.txt\"\necho careful >&2\nexit ${ASSAY_PARAM_COUNT}\n";

#[test]
fn a_program_gets_its_parameters_and_its_result_is_that_of_a_test() {
    let desk = Desk::new(&[("scripts/seed.yaml", SEED), ("scripts/seed.sh", SEED_PROGRAM)]);
    let said = desk.say(&[
        "script",
        "run",
        "seed",
        "--param",
        "count=0",
        "--param",
        "size=large",
        "--param",
        "token=hush$(id);x",
        "--junit",
        "j.xml",
    ]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.out.contains("PASS script:seed (") && said.out.ends_with("1 test: 1 passed"),
        "{}",
        said.out
    );
    let results = desk.results();
    assert_eq!(text(&results.join("stdout.txt")), "arg <--count=0>\narg <--size=large>\ntoken •••\n");
    assert_eq!(text(&results.join("stderr.txt")), "careful\n");
    assert_eq!(text(&results.join("artifacts/orders.txt")), "made\n");
    for file in ["events.jsonl", "report.json", "report.html"] {
        assert!(!text(&results.join(file)).contains("hush"), "{file} tells the secret");
    }
    let report: Value = serde_json::from_str(&text(&results.join("report.json"))).unwrap();
    assert_eq!(
        (&report["tests"][0]["status"], &report["tests"][0]["title"]),
        (&"passed".into(), &"Seed the shop".into())
    );
    assert!(text(&desk.context.folder().join("j.xml")).contains("script:seed"));
    let failed = desk.say(&["script", "run", "seed", "--params", r#"{"count": 3}"#, "--json"]);
    assert_eq!(failed.code, 1, "{failed:?}");
    let report: Value = serde_json::from_str(&failed.out).unwrap();
    assert_eq!(report["tests"][0]["reason"], "exit code 3: careful");
    assert_eq!(report["tests"][0]["requirements"], serde_json::json!(["REQ-7"]));
    let history = desk.context.ok(&["history", "script:seed"]);
    assert_eq!(history.lines().count(), 2, "{history}");
    assert!(desk.context.ok(&["report", "show"]).contains("FAIL script:seed"));
    let coverage = desk.say(&["coverage"]);
    assert_eq!(coverage.code, 1);
    assert!(
        coverage.out.contains("REQ-7 (not on file)  partial  1 test, last run failed"),
        "{}",
        coverage.out
    );
}

#[test]
fn wrong_parameters_and_names_are_refused_before_anything_runs() {
    let desk = Desk::new(&[
        ("scripts/seed.yaml", SEED),
        ("scripts/seed.sh", SEED_PROGRAM),
        ("scripts/loose.sh", "#!/bin/sh\n"),
        ("scripts/bad.yaml", "run: ./nothing.sh\nparamters: {}\n"),
    ]);
    for (line, parts) in [
        (
            &["script", "run", "seed"][..],
            &["expected a value for the parameter `count`, found none", "--param count=…"][..],
        ),
        (
            &["script", "run", "seed", "--param", "count=two"],
            &["expected a whole number for the parameter `count`, found `two`"],
        ),
        (
            &["script", "run", "seed", "--param", "count=1", "--param", "sise=x"],
            &["unknown parameter `sise`", "did you mean `size`?"],
        ),
        (
            &["script", "run", "seed", "--param", "count=1", "--param", "size=huge"],
            &["unknown value `huge`", "`small`, `large`"],
        ),
        (&["script", "run", "seed", "--param", "count"], &["expected --param NAME=VALUE, found `count`"]),
        (&["script", "run", "sed"], &["there is no script `sed`", "did you mean `seed`?"]),
        (&["script", "run", "loose"], &["declare scripts/loose.sh in scripts/loose.yaml: `run: ./loose.sh`"]),
        (&["script", "run", "bad"], &["unknown key `paramters`", "did you mean `parameters`?"]),
        (
            &["script", "run", "seed", "--param", "count=1", "--host", "farm"],
            &["there is no host `farm`", "hosts: local"],
        ),
        (
            &["script", "run", "seed", "--param", "count=1", "--device", "tv"],
            &["there is no device `tv`", "chromium"],
        ),
        (&["run", "--list", "--host", "farm"], &["there is no host `farm`", "hosts: local"]),
    ] {
        let said = desk.context.fails(2, line);
        parts.iter().for_each(|part| assert!(said.contains(part), "{line:?}: {said}"));
    }
    assert!(!desk.context.folder().join("assay-results").exists());
    let checked = desk.say(&["script", "check"]);
    assert_eq!(checked.code, 2);
    assert!(checked.err.contains("scripts/bad.yaml:2:1: unknown key `paramters`"), "{}", checked.err);
    assert_eq!(desk.context.ok(&["script", "check", "seed"]), "1 script can be run");
}

#[test]
fn a_script_of_a_stranger_does_not_run() {
    let desk = Desk::untrusted(&[("scripts/seed.yaml", SEED), ("scripts/seed.sh", SEED_PROGRAM)]);
    let said = desk.context.fails(2, &["script", "run", "seed", "--param", "count=0"]);
    assert!(said.contains("is not trusted") && said.contains("it would run: scripts/seed.sh"), "{said}");
    assert!(desk.context.ok(&["script", "list"]).contains("seed  Seed the shop"));
    assert!(
        desk.context.ok(&["script", "show", "seed"]).contains("--param count=…  integer, required: How many")
    );
}

const SLOW: &str = "#!/bin/sh\nsleep 300 &\necho $! > \"$ASSAY_ARTIFACTS/child\"\necho begun\nsleep 300\n";

#[test]
fn the_end_of_its_time_ends_all_that_it_started() {
    let desk = Desk::new(&[("scripts/slow.yaml", "run: ./slow.sh\n"), ("scripts/slow.sh", SLOW)]);
    let begun = Instant::now();
    let said = desk.say(&["script", "run", "slow", "--timeout", "700"]);
    assert_eq!(said.code, 4, "{said:?}");
    assert!(said.out.contains("the script did not finish within 0.7 s"), "{}", said.out);
    assert!(begun.elapsed() < Duration::from_secs(60));
    assert_eq!(text(&desk.results().join("stdout.txt")), "begun\n");
    assert!(is_gone(&text(&desk.results().join("artifacts/child"))));
}

#[test]
fn a_killed_assay_leaves_no_process_of_a_script() {
    let desk = Desk::new(&[("scripts/slow.yaml", "run: ./slow.sh\n"), ("scripts/slow.sh", SLOW)]);
    let mut running = desk.context.command(&["script", "run", "slow"]);
    running.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut running = running.spawn().unwrap();
    let child = until(|| {
        let runs = std::fs::read_dir(desk.context.folder().join("assay-results/scripts")).ok()?;
        let file = runs.flatten().next()?.path().join("artifacts/child");
        std::fs::read_to_string(file).ok().filter(|pid| pid.ends_with('\n'))
    });
    assert!(!is_gone(&child));
    running.kill().unwrap();
    running.wait().unwrap();
    until(|| is_gone(&child).then_some(()));
    // The record says so, and nothing is continued by mistake.
    let resumed = desk.context.fails(2, &["resume"]);
    assert!(resumed.contains("a script that was cut off is not continued"), "{resumed}");
}

fn is_gone(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    // One that nobody has taken away yet has ended as well.
    status.map_or(true, |stat| stat.contains(") Z "))
}

fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "it did not happen in time");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn shop(request: &Request) -> Response {
    match request.path.as_str() {
        "/" => Response::html(
            "<title>Shop</title><h1>Shop</h1><label>Name <input id=n></label><button onclick=\"out.textContent='Hello '+n.value\">Greet</button><p id=out></p>",
        ),
        _ => Response::status(404),
    }
}

#[test]
fn a_script_of_steps_runs_in_a_browser_with_its_values() {
    let server = Server::start(shop);
    let desk = Desk::untrusted(&[(
        "scripts/greet.yaml",
        "script: Greet somebody\nparameters:\n  name: {required: true}\nsteps:\n  - Go to /\n  - Enter \"${name}\" in the \"Name\" field\n  \
         - Click the \"Greet\" button\nexpected:\n  - The text \"Hello ${name}\" is shown\n",
    )]);
    let url = server.url("/");
    let said = desk.say(&["script", "run", "greet", "--param", "name=Ada \"B\"", "--base-url", &url]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.out.contains("PASS script:greet ("), "{}", said.out);
    assert!(desk.results().join("report.html").is_file());
    assert_eq!(desk.say(&["run", "--list"]).out, "0 tests", "a script is no test");
}

#[test]
fn agents_run_scripts_and_load_tests_by_name_and_host() {
    let desk = Desk::new(&[
        ("scripts/seed.yaml", SEED),
        ("scripts/seed.sh", SEED_PROGRAM),
        ("tests/till.yaml", "test: Coupon\nsteps:\n  - Go to /\nexpected:\n  - The text \"x\" is shown\n"),
    ]);
    let call = |tool: &str, arguments: &str| -> Value {
        desk.context.json(&["tool", tool, arguments])["data"]["value"].clone()
    };
    let listed = call("list_scripts", "{}");
    assert_eq!(listed["scripts"][0]["parameters"][0]["type"], "integer", "{listed}");
    assert_eq!(call("get_script", r#"{"script": "seed"}"#)["timeout_ms"], 20_000);
    let run = call(
        "execute_script",
        r#"{"script": "seed", "parameters": {"count": 0, "size": "large"}, "host": "local"}"#,
    );
    assert_eq!(run["tests"][0]["status"], "passed", "{run}");
    let notes = run["tests"][0]["notes"].to_string();
    assert!(notes.contains("last line: token") && notes.contains("count=0, size=large"), "{run}");
    let report = run["report"].as_str().unwrap();
    assert!(desk.context.folder().join(report).is_file(), "{run}");
    let loaded = call("load_testcase", r#"{"testcase": "till_coupon", "host": "local"}"#);
    assert_eq!(loaded["path"], "tests/till.yaml", "{loaded}");
    assert_eq!(call("list_testcases", r#"{"host": "local"}"#)["tests"][0]["id"], "till_coupon");
    for (tool, arguments) in [
        ("execute_script", r#"{"script": "seed", "host": "farm"}"#),
        ("execute_testcase", r#"{"testcase": "till_coupon", "host": "farm"}"#),
        ("list_testcases", r#"{"host": "farm"}"#),
        ("load_testcase", r#"{"testcase": "till_coupon", "host": "farm"}"#),
        ("save_testcase", r#"{"path": "tests/new.yaml", "text": "x", "host": "farm"}"#),
    ] {
        let said = desk.say(&["tool", tool, arguments]);
        assert_ne!(said.code, 0, "{tool}");
        let whole = format!("{}{}", said.out, said.err);
        assert!(whole.contains("there is no host `farm`") && whole.contains("local"), "{tool}: {whole}");
    }
}

#[test]
fn going_to_a_screen_is_a_script_of_each_project_with_a_tree() {
    let server = Server::start(|request: &Request| match request.path.as_str() {
        "/" => Response::html("<title>Home</title><h1>Home</h1><a href=/orders>Orders</a>"),
        "/orders" => Response::html("<title>Orders</title><h1>Orders</h1>"),
        _ => Response::status(404),
    });
    let base = server.url("");
    let tree = format!(
        "navigation: 1\nbase_url: {}\nscreens:\n  Home:\n    address: /\n    heading: Home\n  Orders:\n    address: /orders\n    \
         heading: Orders\n",
        base.trim_end_matches('/')
    );
    let desk = Desk::new(&[("navigation/shop.yaml", &tree)]);
    let listed = desk.say(&["script", "list"]);
    assert!(listed.out.contains("goto"), "{listed:?}");
    let ran = desk.say(&["script", "run", "goto", "--param", "screen=Orders"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("PASS script:goto"), "{ran:?}");
    assert!(desk.results().join("report.html").exists());
    let unknown = desk.say(&["script", "run", "goto", "--param", "screen=Refunds"]);
    assert_eq!(unknown.code, 3, "{unknown:?}");
    let without = desk.say(&["script", "run", "goto"]);
    assert_eq!(without.code, 2, "{without:?}");
}
