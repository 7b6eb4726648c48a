//! `assay run`: the sample suite with the verdicts it must come to, and how a run behaves.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use assay_testkit::{Request, Response, Server};

use crate::context::{Context, Said};

fn demo_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo")
}

/// The sample application on a port of its own.
struct Demo {
    _server: Server,
    url: String,
}

impl Demo {
    fn start() -> Demo {
        let server = assay_demo::start(0).unwrap();
        let url = server.url("");
        Demo { url: url.trim_end_matches('/').to_string(), _server: server }
    }
}

fn report(context: &Context) -> serde_json::Value {
    let text = std::fs::read_to_string(context.folder().join("assay-results/report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn statuses(report: &serde_json::Value) -> Vec<(String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    report["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| (text(&test["title"]), text(&test["status"])))
        .collect()
}

#[test]
fn the_sample_suite_comes_to_the_right_verdicts() {
    let (context, demo) = (Context::new(), Demo::start());
    let folder = demo_folder();
    let said = context.run(&["run", folder.to_str().unwrap(), "--base-url", &demo.url, "--workers", "2"]);
    assert_eq!(said.code, 1, "{}\n{}", said.out, said.err);
    let wanted: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("verdicts.json")).unwrap()).unwrap();
    let report = report(&context);
    let mut wrong = Vec::new();
    for (title, status) in statuses(&report) {
        if wanted[&title] != status.as_str() {
            wrong.push(format!("{title}: {status}, not {}", wanted[&title]));
        }
    }
    assert!(wrong.is_empty(), "{}\n\n{}", wrong.join("\n"), said.out);
    let not_passed = statuses(&report).iter().filter(|(_, status)| status != "passed").count();
    assert!(statuses(&report).len() >= 40 && not_passed >= 10);
    for name in ["screenshot.png", "page_text.txt", "page_url.txt", "agent_reasoning.md"] {
        let failures = context.folder().join("assay-results/failures");
        let first = std::fs::read_dir(&failures).unwrap().next().unwrap().unwrap().path();
        assert!(first.join(name).is_file(), "{}", first.display());
    }
}

#[test]
fn the_example_of_the_format_runs_on_every_engine() {
    let (context, demo) = (Context::new(), Demo::start());
    let text = format!(
        r#"test: Login with valid credentials
preconditions:
  - User "test@example.com" exists with password "secret123"
steps:
  - Navigate to the login page
  - Enter email "test@example.com"
  - Enter password "secret123"
  - Click the login button
  - Verify the dashboard loads with welcome message
expected:
  - Dashboard page is displayed
  - Welcome message contains "test@example.com"
selectors:                 # optional hints; ignored with a note when stale
  login_page: {}/login
  email_input: "input[name=email]"
  submit_button: "button[type=submit]"
"#,
        demo.url
    );
    std::fs::write(context.folder().join("login.yaml"), text).unwrap();
    let said = context.run(&["run", "login.yaml", "--browser", "chromium,firefox,webkit"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(said.out.ends_with("3 tests: 3 passed"), "{}", said.out);
    assert!(said.out.contains("PASS login_valid_credentials (firefox) ("), "{}", said.out);
}

fn little_site(request: &Request) -> Response {
    match request.path.as_str() {
        "/" => Response::html(
            "<title>Home</title><h1>Home</h1><button onclick=\"out.textContent='Done'\">Go on</button><p id=out></p>",
        ),
        "/never" => Response::html("<title>Never</title><h1>Never</h1>"),
        _ => Response::status(404),
    }
}

/// A folder with tests of the little site: one that passes, one that fails, one that is not clear.
fn suite_of_three(context: &Context, server: &Server) {
    let folder = context.folder().join("tests");
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    let go = format!("steps:\n  - Navigate to {}\n  - Click the \"Go on\" button\n", server.url("/"));
    write("a.yaml", format!("test: Good\ntags: [quick]\n{go}expected:\n  - The text \"Done\" is shown\n"));
    write("b.yaml", format!("test: Bad\n{go}expected:\n  - The text \"Gone\" is shown\n"));
    write("c.yaml", format!("test: Unclear\n{go}expected:\n  - The page looks nice\n"));
}

fn run_in(context: &Context, more: &[&str]) -> Said {
    let mut arguments = vec!["run", "tests"];
    arguments.extend(more);
    context.run(&arguments)
}

#[test]
fn tests_are_chosen_listed_and_told_in_advance() {
    let (context, server) = (Context::new(), Server::start(little_site));
    suite_of_three(&context, &server);
    let listed = run_in(&context, &["--list"]);
    assert_eq!(listed.code, 0);
    assert!(listed.out.ends_with("3 tests"), "{}", listed.out);
    assert!(run_in(&context, &["--list", "--tag", "quick"]).out.ends_with("1 test"));
    assert!(run_in(&context, &["--list", "--tag", "!quick"]).out.ends_with("2 tests"));
    assert!(run_in(&context, &["--list", "--grep", "unclear"]).out.ends_with("1 test"));
    assert!(run_in(&context, &["--list", "--shard", "1/2"]).out.ends_with("2 tests"));
    assert!(run_in(&context, &["--list", "--repeat", "3"]).out.ends_with("9 tests"));
    let told = run_in(&context, &["--dry-run", "--grep", "good"]);
    assert_eq!(told.code, 0, "{}", told.out);
    assert!(told.out.contains("→ click (single) button \"Go on\""), "{}", told.out);
    assert!(!context.folder().join("assay-results").exists(), "nothing was run");
}

#[test]
fn a_run_ends_with_the_code_of_its_worst_test() {
    let (context, server) = (Context::new(), Server::start(little_site));
    suite_of_three(&context, &server);
    assert_eq!(run_in(&context, &["--grep", "good"]).code, 0);
    assert_eq!(run_in(&context, &["--grep", "unclear"]).code, 3);
    let all = run_in(&context, &["--workers", "1"]);
    assert_eq!(all.code, 1, "{}", all.out);
    assert!(all.out.contains("FAIL b_bad ("), "{}", all.out);
    assert!(all.out.ends_with("3 tests: 1 passed, 1 failed, 1 inconclusive"), "{}", all.out);
    let again = run_in(&context, &["--last-failed"]);
    assert!(again.out.ends_with("2 tests: 1 failed, 1 inconclusive"), "{}", again.out);
    let fast = run_in(&context, &["--fail-fast", "--workers", "1", "--tag", "!quick"]);
    assert!(fast.out.contains("not run"), "{}", fast.out);
    assert_eq!(run_in(&context, &["--grep", "nothing-is-called-so"]).code, 2);
}

#[test]
fn a_broken_file_does_not_stop_the_others() {
    let (context, server) = (Context::new(), Server::start(little_site));
    suite_of_three(&context, &server);
    std::fs::write(context.folder().join("tests/d.yaml"), "test: Broken\nstep:\n  - x\n").unwrap();
    let said = run_in(&context, &["--grep", "good"]);
    let all = format!("{}{}", said.out, said.err);
    assert!(all.contains("d.yaml:2:1: unknown key `step`"), "{all}");
    assert!(all.contains("PASS a_good"), "{all}");
    assert_eq!(said.code, 2, "{all}");
}

#[test]
fn a_pass_after_a_failure_is_marked_flaky() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let context = Context::new();
    let server = Server::start(|_| {
        let times = ASKED.fetch_add(1, Ordering::Relaxed);
        Response::html(format!("<title>T</title><h1>{}</h1>", if times == 0 { "Broken" } else { "Ready" }))
    });
    let text = format!(
        "test: Flaky\nretries: 2\nsteps:\n  - Go to {}\nexpected:\n  - The text \"Ready\" is shown\n",
        server.url("/x")
    );
    std::fs::write(context.folder().join("flaky.yaml"), text).unwrap();
    let said = context.run(&["run", "flaky.yaml"]);
    assert_eq!(said.code, 0, "{}", said.out);
    assert!(said.out.contains("flaky"), "{}", said.out);
    assert_eq!(report(&context)["tests"][0]["flaky"], true);
}

#[test]
fn commands_of_a_project_need_trust() {
    let context = Context::new();
    context.ok(&["init", "project"]);
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let file = context.folder().join("project/assay.yaml");
    let text = std::fs::read_to_string(&file).unwrap().replace("8080", &port.to_string());
    std::fs::write(&file, text).unwrap();
    let refused = context.fails(2, &["run", "project"]);
    assert!(refused.contains("is not trusted") && refused.contains("http.server"), "{refused}");
    context.ok(&["trust", "project"]);
    let said = context.run(&["run", "project"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(said.out.ends_with("2 tests: 2 passed"), "{}", said.out);
    let still_there = std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
    assert!(!still_there, "the server that the run started must end with it");
}

#[test]
fn an_interrupted_run_tells_what_ran_and_leaves_nothing() {
    let (context, server) = (Context::new(), Server::start(little_site));
    suite_of_three(&context, &server);
    let slow = format!("test: Slow\nsteps:\n  - Go to {}\n  - Wait 60 seconds\n", server.url("/"));
    std::fs::write(context.folder().join("tests/z.yaml"), slow).unwrap();
    let mut command = context.command(&["run", "tests", "--workers", "1"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let journal = context.folder().join("assay-results/events.jsonl");
    let begun = || std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("Wait 60 seconds"));
    while !begun() {
        std::thread::sleep(Duration::from_millis(50));
    }
    // SAFETY: a plain system call; the child is ours and not yet waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("PASS a_good"), "{said}");
    let report = report(&context);
    assert_eq!(report["interrupted"], true);
    let left = std::fs::read_dir("/dev/shm").unwrap().flatten().filter(|entry| {
        entry.file_name().to_string_lossy().contains(&format!("run-{}", output_pid(&report)))
    });
    assert_eq!(left.count(), 0);
}

fn output_pid(report: &serde_json::Value) -> String {
    report["run"].as_str().unwrap_or_default().rsplit('-').next().unwrap_or_default().to_string()
}

#[test]
fn secrets_are_told_nowhere() {
    let (context, demo) = (Context::new(), Demo::start());
    let text = format!(
        "test: Secret\nsecrets:\n  pass: ${{THE_PASS}}\nsteps:\n  - Go to {}/login\n  - Enter email \"test@example.com\"\n  - Enter password \"${{pass}}\"\nexpected:\n  - The text \"no such ${{pass}}\" is shown\n",
        demo.url
    );
    std::fs::write(context.folder().join("secret.yaml"), text).unwrap();
    let mut command = context.command(&["run", "secret.yaml", "--trust"]);
    let output = command.env("THE_PASS", "hush-hush-4711").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let mut told = String::from_utf8_lossy(&output.stdout).to_string();
    for name in ["report.json", "events.jsonl", "failures/secret/agent_reasoning.md"] {
        let file = context.folder().join("assay-results").join(name);
        told.push_str(
            &std::fs::read_to_string(&file).unwrap_or_else(|err| panic!("{}: {err}", file.display())),
        );
    }
    assert!(!told.contains("hush-hush-4711"));
    assert!(told.contains("•••"));
}
