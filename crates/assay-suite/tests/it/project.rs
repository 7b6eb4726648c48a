//! The project file.

use std::time::Duration;

use assay_suite::{ClipboardSetting, PilotChoice, ViewportSetting};

use crate::suite_folder::{Folder, check_problems};

const ALL: &str = r#"
suite: Shop
base_url: http://127.0.0.1:${port}
browsers: [chromium, webkit]
workers: 3
strict: true
start:
  - command: ./server --port ${port}
    url: http://127.0.0.1:${port}/ready
    timeout: 20s
    cwd: server
  - {command: ./mail, url: "http://127.0.0.1:2525"}
preconditions:
  - match: The database is empty
    run: ./reset
  - match: The database is fresh
    run: ./reset
selectors: {home_page: /, title: h1}
steps:
  login: [Sign in]
policy: {allowed_domains: example.com, blocked_domains: [ads.example.com], blocked_keys: [F12], clipboard: none}
budget: {turns: 5, tokens: 100}
variables: {port: 8080}
secrets: [APP_PASSWORD]
timeout: {step: 9s}
retries: 1
pilot: replay
viewport: 800x600
tests: [tests/**/*.yaml]
exclude: tests/drafts
"#;

#[test]
fn every_key_reaches_the_project_and_its_tests() {
    let folder = Folder::new(&[
        ("assay.yaml", ALL),
        ("server/x", ""),
        ("tests/a.yaml", "steps: [A]"),
        (
            "tests/b.yaml",
            "base_url: http://b\nbrowser: firefox\nretries: 0\npilot: auto\nviewport: 1x1\ntimeout: 1m\nselectors: {title: h2}\nbudget: {turns: 9}\npolicy: {blocked_domains: [x.y], blocked_keys: [F1], clipboard: read}\nsteps: [B]",
        ),
        ("tests/drafts/c.yaml", "nonsense"),
        ("other/d.yaml", "nonsense"),
    ]);
    let loaded = folder.load_only(&["tests"]);
    assert_eq!(folder.problems(&loaded), "");
    let project = &loaded.project;
    assert_eq!(project.root, folder.path);
    assert_eq!(project.file.as_deref(), Some(folder.path.join("assay.yaml").as_path()));
    assert_eq!(project.suite, "Shop");
    assert!(project.strict);
    assert_eq!(project.base_url.as_deref(), Some("http://127.0.0.1:8080"));
    assert_eq!(project.browsers, ["chromium", "webkit"]);
    assert_eq!(project.workers, Some(3));
    assert_eq!(project.start[0].command.command, "./server --port ${port}");
    assert_eq!(project.start[0].command.environment, [("port".to_string(), "8080".to_string())]);
    assert_eq!(project.start[0].url, "http://127.0.0.1:8080/ready");
    assert_eq!(project.start[0].timeout, Some(Duration::from_secs(20)));
    assert_eq!(project.start[0].cwd, folder.path.join("server"));
    assert_eq!(project.start[1].cwd, folder.path);
    assert_eq!(project.commands(), ["./server --port ${port}", "./mail", "./reset"]);

    let [a, b] = loaded.tests.as_slice() else { panic!("{:?}", loaded.tests) };
    assert_eq!(a.base_url.as_deref(), Some("http://127.0.0.1:8080"));
    assert_eq!(a.browsers, ["chromium", "webkit"]);
    assert_eq!((a.retries, a.pilot), (1, PilotChoice::Replay));
    assert_eq!(a.viewport, Some(ViewportSetting { width: 800, height: 600, scale: 1.0 }));
    assert_eq!((a.timeouts.step, a.timeouts.test), (Some(Duration::from_secs(9)), None));
    assert_eq!(a.selectors["title"], "h1");
    assert_eq!((a.budget.turns, a.budget.tokens), (Some(5), Some(100)));
    assert_eq!(a.policy.blocked_domains, ["ads.example.com"]);

    assert_eq!(b.base_url.as_deref(), Some("http://b"));
    assert_eq!(b.browsers, ["firefox"]);
    assert_eq!((b.retries, b.pilot), (0, PilotChoice::Auto));
    assert_eq!(b.viewport, Some(ViewportSetting { width: 1, height: 1, scale: 1.0 }));
    assert_eq!(b.timeouts.step, Some(Duration::from_secs(9)));
    assert_eq!(b.timeouts.test, Some(Duration::from_secs(60)));
    assert_eq!((b.selectors["title"].as_str(), b.selectors["home_page"].as_str()), ("h2", "/"));
    assert_eq!((b.budget.turns, b.budget.tokens), (Some(9), Some(100)));
    assert_eq!(b.policy.blocked_domains, ["ads.example.com", "x.y"]);
    assert_eq!(b.policy.blocked_keys, ["F12", "F1"]);
    assert_eq!(
        (a.policy.clipboard, b.policy.clipboard),
        (Some(ClipboardSetting::None), Some(ClipboardSetting::Read))
    );
    assert_eq!(b.policy.allowed_domains.as_deref(), Some(["example.com".to_string()].as_slice()));
}

#[test]
fn without_a_project_file_the_folder_is_the_suite() {
    let folder = Folder::new(&[("shop/a.yaml", "steps: [A]")]);
    let loaded = folder.load_only(&["shop/a.yaml"]);
    assert_eq!(loaded.project.suite, "shop");
    assert_eq!(loaded.project.file, None);
    assert_eq!(loaded.tests.len(), 1);
}

#[test]
fn the_project_file_stands_for_its_folder() {
    let folder = Folder::new(&[("shop/assay.yml", "suite: S"), ("shop/tests/a.yaml", "steps: [A]")]);
    let loaded = folder.load_only(&["shop/assay.yml"]);
    assert_eq!(folder.problems(&loaded), "");
    assert_eq!((loaded.project.suite.as_str(), loaded.tests.len()), ("S", 1));
}

#[test]
fn a_broken_project_lets_no_test_run() {
    let folder =
        Folder::new(&[("assay.yaml", "retris: 1\n"), ("a.yaml", "steps: [A]"), ("b.yaml", "stps: [A]")]);
    let loaded = folder.load();
    assert!(loaded.tests.is_empty());
    let files: Vec<_> = loaded.problems.iter().map(|problem| problem.file.file_name().unwrap()).collect();
    assert_eq!(files, ["assay.yaml", "b.yaml", "b.yaml"]);
}

#[test]
fn two_projects_are_not_run_as_one() {
    let folder = Folder::new(&[
        ("one/assay.yaml", ""),
        ("one/a.yaml", "steps: [A]"),
        ("two/assay.yaml", ""),
        ("two/b.yaml", "steps: [B]"),
    ]);
    let loaded = folder.load_only(&["one", "two", "three"]);
    assert_eq!(loaded.tests.len(), 1);
    assert_eq!(
        folder.problems(&loaded).replace(&folder.path.display().to_string(), "."),
        "three: there is no such file or folder\ntwo: is not part of the same project as `one`\n  run each project separately"
    );
}

#[test]
fn mistakes_of_the_project_file_are_told_together() {
    check_problems(
        &[(
            "assay.yaml",
            r#"suite: [x]
browser: chromium
workers: 0
start: npm start
start2: 1
preconditions:
  - match: User {a b}
    run: x
  - match: User exists
  - match: User exists
    run: x
    steps: [y]
  - run: x
  - match: Seeded
    request: {method: FETCH, url: x, expect: 42, body: a, json: {}}
steps: [a]
"#,
        )],
        r#"
assay.yaml:1:8: expected the name of the suite, found a list
  1 | suite: [x]
    |        ^
assay.yaml:2:1: unknown key `browser`
  2 | browser: chromium
    | ^^^^^^^ did you mean `browsers`?
assay.yaml:3:10: expected a whole number from 1 to 256, found the number 0
  3 | workers: 0
    |          ^
assay.yaml:4:8: expected `command` and `url`, found the text `npm start`
  4 | start: npm start
    |        ^^^^^^^^^
assay.yaml:5:1: unknown key `start2`
  5 | start2: 1
    | ^^^^^^ did you mean `start`?
assay.yaml:7:12: expected a sentence with placeholders such as `{name}`, found `{a b}`, which is not a name
  7 | - match: User {a b}
    |          ^^^^^^^^^^
assay.yaml:9:5: expected `match` with one of `run`, `request`, `steps`, found `match`
  9 | - match: User exists
    |   ^^^^^
assay.yaml:10:5: expected one of `run`, `request`, `steps`, found `run`, `steps`
  10 | - match: User exists
     |   ^^^^^
assay.yaml:13:5: expected `match` with one of `run`, `request`, `steps`, found `run`
  13 | - run: x
     |   ^^^
assay.yaml:15:15: expected one of `body`, `json`, found both
  15 | request: {method: FETCH, url: x, expect: 42, body: a, json: {}}
     |           ^^^^^^
assay.yaml:15:23: unknown method `FETCH`
  15 | request: {method: FETCH, url: x, expect: 42, body: a, json: {}}
     |                   ^^^^^ valid: `GET`, `POST`, `PUT`, `PATCH`, `DELETE`, `HEAD`, `OPTIONS`
assay.yaml:15:46: expected a whole number from 100 to 599, found the number 42
  15 | request: {method: FETCH, url: x, expect: 42, body: a, json: {}}
     |                                          ^^
assay.yaml:16:8: expected a mapping of names to lists of steps, found a list
  16 | steps: [a]
     |        ^
"#,
    );
}

#[test]
fn a_server_starts_inside_the_suite() {
    check_problems(
        &[("assay.yaml", "start: {command: ./x, url: \"http://x\", cwd: ../..}\n")],
        r#"
assay.yaml:1:45: `../..` is outside the suite
  1 | start: {command: ./x, url: "http://x", cwd: ../..}
    |                                             ^^^^^ assay reads only files inside the suite
"#,
    );
}
