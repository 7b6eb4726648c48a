//! Every key of a test file.

use std::time::Duration;

use assay_protocol::{Part, Secrets};
use assay_suite::{ClipboardSetting, Instruction, PilotChoice, StandingClaims, ViewportSetting};

use crate::suite_folder::{Folder, path_of, sound, sound_files, text, texts};

const ALL: &str = r##"
test: Everything at once
base_url: https://app.example.com
tags: [smoke, 42]
requirements: REQ-7
browser: [chromium, firefox, chromium]
device: pixel-7
platform: android
viewport: {width: 390, height: 844, scale: 2.5}
timeout: {step: 5s, test: 2m}
pilot: builtin
retries: 2
variables: {who: Ann, pin: 0042}
secrets:
  password: ${APP_PASSWORD}
setup:
  - Sign out
steps:
  - run: click "button[type=submit]"
    timeout: 3
  - step: Wait for ${who}
    timeout: 250ms
  - Enter password "${password}"
expected:
  - run: is visible "#done"
  - claim: "The pin is: ${pin}"
    timeout: 1m
teardown:
  - Close the page
budget: {turns: 20, seconds: 90, tokens: 50000, money: 0.25}
policy:
  allowed_domains: [example.com, "*.example.com"]
  blocked_domains: ads.example.com
  allowed_keys: Ctrl+T
  blocked_keys: [F12]
  clipboard: read
  allowed_safety_checks: [sensitive_domain]
standing: allowed
"##;

#[test]
fn every_key_reaches_the_test() {
    let tests = sound(ALL);
    let [test] = tests.as_slice() else { panic!("{tests:?}") };
    assert_eq!(test.base_url.as_deref(), Some("https://app.example.com"));
    assert_eq!(test.tags, ["smoke", "42"]);
    let codes: Vec<&str> = test.requirements.iter().map(|link| link.code.as_str()).collect();
    assert_eq!(codes, ["REQ-7"]);
    assert_eq!(test.browsers, ["chromium", "firefox"]);
    assert_eq!(test.device.as_deref(), Some("pixel-7"));
    assert_eq!(test.platform.as_deref(), Some("android"));
    assert_eq!(test.viewport, Some(ViewportSetting { width: 390, height: 844, scale: 2.5 }));
    assert_eq!(test.timeouts.step, Some(Duration::from_secs(5)));
    assert_eq!(test.timeouts.test, Some(Duration::from_secs(120)));
    assert_eq!(test.pilot, PilotChoice::Builtin);
    assert_eq!(test.retries, 2);
    assert_eq!(texts(&test.setup), ["Sign out"]);
    assert_eq!(
        texts(&test.steps),
        ["click \"button[type=submit]\"", "Wait for Ann", "Enter password \"hunter2\""]
    );
    assert!(matches!(test.steps[0].instruction, Instruction::Command(_)));
    assert_eq!(test.steps[0].timeout, Some(Duration::from_secs(3)));
    assert_eq!(test.steps[1].timeout, Some(Duration::from_millis(250)));
    assert_eq!(test.steps[2].secrets, Secrets::from_iter(["hunter2"]));
    assert_eq!(test.steps[2].shown(), "Enter password \"•••\"");
    assert_eq!(texts(&test.expected), ["is visible \"#done\"", "The pin is: 0042"]);
    assert_eq!(test.expected[1].timeout, Some(Duration::from_secs(60)));
    assert_eq!(texts(&test.teardown), ["Close the page"]);
    assert_eq!(test.teardown[0].part, Part::Teardown);
    assert_eq!(test.budget.turns, Some(20));
    assert_eq!(test.budget.seconds, Some(Duration::from_secs(90)));
    assert_eq!(test.budget.tokens, Some(50_000));
    assert_eq!(test.budget.money, Some(0.25));
    assert_eq!(
        test.policy.allowed_domains.as_deref(),
        Some(["example.com".to_string(), "*.example.com".to_string()].as_slice())
    );
    assert_eq!(test.policy.blocked_domains, ["ads.example.com"]);
    assert_eq!(test.policy.allowed_safety_checks, ["sensitive_domain"]);
    assert_eq!(
        (&*test.policy.allowed_keys, &*test.policy.blocked_keys),
        (["Ctrl+T".to_string()].as_slice(), ["F12".to_string()].as_slice())
    );
    assert_eq!(test.policy.clipboard, Some(ClipboardSetting::Read));
    assert_eq!(test.standing, StandingClaims::Allowed);
    assert_eq!(test.mask("hunter2!"), "•••!");
    assert!(!format!("{test:?} {:?}", test.steps).contains("hunter2"));
}

#[test]
fn what_is_not_said_has_a_plain_default() {
    let test = sound("steps: [Click it]").remove(0);
    assert_eq!((test.id.as_str(), test.name.as_str()), ("t", "t"));
    assert_eq!(test.pilot, PilotChoice::Auto);
    assert_eq!(test.retries, 0);
    assert_eq!(test.standing, StandingClaims::ProvesNothing);
    assert!(test.browsers.is_empty() && test.viewport.is_none() && test.policy.allowed_domains.is_none());
}

#[test]
fn short_forms_mean_the_same() {
    let test = sound("expected: [It is there]\nviewport: 1280x720\ntimeout: 30s\nbrowser: webkit").remove(0);
    assert_eq!(test.viewport, Some(ViewportSetting { width: 1280, height: 720, scale: 1.0 }));
    assert_eq!(test.timeouts.test, Some(Duration::from_secs(30)));
    assert_eq!(test.timeouts.step, None);
    assert_eq!(test.browsers, ["webkit"]);
}

#[test]
fn documents_are_tests_of_their_own() {
    let tests = sound(
        "---\ntest: One\nsteps: [A a]\n---\n# nothing\n---\ntest: Two\nsteps: [B b]\n---\nsteps: [C c]\n",
    );
    let ids: Vec<&str> = tests.iter().map(|test| test.id.as_str()).collect();
    assert_eq!(ids, ["t_one", "t_two", "t"]);
    assert_eq!(tests[1].line, 7);
}

#[test]
fn ids_are_unique() {
    let same = "test: Same\nsteps: [A]\n";
    let tests = sound_files(&[
        ("a/x.yaml", same),
        ("b/x.yaml", same),
        (
            "x.yaml",
            "test: Same\nsteps: [\"${n}\"]\ndata: [{n: 1}, {n: 2}]\n---\ntest: same\nsteps: [\"${n}\"]\ndata: [{n: 1}]\n",
        ),
    ]);
    let ids: Vec<&str> = tests.iter().map(|test| test.id.as_str()).collect();
    assert_eq!(ids, ["x_same", "x_same_2", "x_same [1]", "x_same [2]", "x_same_2 [1]"]);
}

#[test]
fn a_step_over_several_lines_is_one_sentence() {
    let test = sound("steps:\n  - >\n    Click the\n    button\n  - Enter\n    \"x\"\n").remove(0);
    assert_eq!(texts(&test.steps), ["Click the button", "Enter \"x\""]);
}

#[test]
fn aliases_repeat_what_was_written() {
    let test = sound("setup: &login\n  - Sign in\nsteps: *login\n").remove(0);
    assert_eq!(texts(&test.steps), ["Sign in"]);
}

#[test]
fn rows_of_data_make_one_test_each() {
    let tests = sound(
        "test: Login as ${who}\nvariables: {STAGE: \"${STAGE}\"}\nsteps:\n  - Enter \"${who}\"\n  - Enter ${pin}\ndata:\n  - who: Ann\n    pin: 01\n  - {who: Bob, pin: \"${STAGE}\"}\n",
    );
    let ids: Vec<&str> = tests.iter().map(|test| test.id.as_str()).collect();
    assert_eq!(ids, ["t_login_as_who [1]", "t_login_as_who [2]"]);
    assert_eq!(tests[0].name, "Login as Ann");
    assert_eq!(tests[1].row, Some(2));
    assert_eq!(texts(&tests[0].steps), ["Enter \"Ann\"", "Enter 01"]);
    assert_eq!(texts(&tests[1].steps), ["Enter \"Bob\"", "Enter beta"]);
}

#[test]
fn rows_come_from_files_which_are_no_tests() {
    let test = |file: &str| format!("steps: [\"Enter ${{who}}\"]\ndata: {file}\n");
    let tests = sound_files(&[
        ("a.yaml", &test("data/users.csv")),
        ("b.yaml", &test("data/users.json")),
        ("c.yaml", &test("data/users.yaml")),
        ("data/users.csv", "\u{feff}who,pin\n\"Ann, A\",1\nBob,2\n"),
        ("data/users.json", "[\n\t{\"who\": \"Ann\\u00e4\", \"pin\": 1}\n]\n"),
        ("data/users.yaml", "- who: Cid\n"),
    ]);
    let steps: Vec<&str> = tests.iter().map(|test| text(&test.steps[0])).collect();
    assert_eq!(steps, ["Enter Ann, A", "Enter Bob", "Enter Annä", "Enter Cid"]);
}

#[test]
fn a_folder_gives_its_tests_in_order_and_a_broken_file_stops_no_other() {
    let folder = Folder::new(&[
        ("b.yaml", "steps: [B]"),
        ("a.yml", "steps: [A]"),
        ("a.lock.yaml", "not: a test"),
        (".hidden/x.yaml", "steps: [X]"),
        ("node_modules/x.yaml", "steps: [X]"),
        ("broken.yaml", "stepz: [X]"),
        ("notes.txt", "hello"),
        ("sub/c.yaml", "steps: [C]"),
    ]);
    let loaded = folder.load();
    let steps: Vec<&str> = loaded.tests.iter().map(|test| text(&test.steps[0])).collect();
    assert_eq!(steps, ["A", "B", "C"]);
    assert!(loaded.problems.iter().all(|problem| problem.file.ends_with("broken.yaml")));
    let only = folder.load_only(&["sub/c.yaml", "b.yaml", "sub"]);
    let steps: Vec<&str> = only.tests.iter().map(|test| text(&test.steps[0])).collect();
    assert_eq!(steps, ["C", "B"]);
    assert_eq!(only.tests[0].path, folder.path.join(path_of("sub/c.yaml")));
}

#[test]
fn no_test_of_a_broken_file_runs() {
    let folder = Folder::new(&[("t.yaml", "test: One\nsteps: [A]\n---\ntest: Two\nsteps: 4\n")]);
    assert!(folder.load().tests.is_empty());
}

/// YAML reads such a line as a mapping or a comment, its author as a sentence.
#[test]
fn a_sentence_may_have_a_colon_or_a_hash() {
    let tests = sound(
        "steps:\n  - Verify the text: Hello # greeting\n  - 'Enter the time: 9:30'\n  - Write \"hi\" to \"Room #4\" and press Enter\nexpected:\n  - The header says \"Last entry: 2024\"\n  - The note says: ${who}\nvariables: {who: Ada}\n",
    );
    assert_eq!(
        texts(&tests[0].steps),
        ["Verify the text: Hello", "Enter the time: 9:30", "Write \"hi\" to \"Room #4\" and press Enter"]
    );
    assert_eq!(texts(&tests[0].expected), ["The header says \"Last entry: 2024\"", "The note says: Ada"]);
}
