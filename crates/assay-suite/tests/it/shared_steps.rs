//! `use`: steps of the project or of another file.

use std::time::Duration;

use crate::suite_folder::{Folder, check_problems, sound_files, texts};

#[test]
fn steps_of_the_project_and_of_files_are_used_with_values() {
    let project = "steps:\n  sign in:\n    - Enter ${email}\n    - use: parts/submit\n      with: {button: \"Sign in as ${email}\"}\n";
    let test = "test: T\nvariables: {STAGE: \"${STAGE}\"}\nsteps:\n  - use: sign in\n    with:\n      email: ann@${STAGE}\n    timeout: 7s\n  - use: parts/submit.yaml\n    with: {button: OK}\nteardown:\n  - use: out\n";
    let tests = sound_files(&[
        ("assay.yaml", project),
        ("tests/t.yaml", test),
        ("parts/submit.yaml", "steps:\n  - Click ${button}\n  - step: Wait\n    timeout: 1s\n"),
        ("tests/out.yaml", "test: Sign out\nsteps: [Sign out]\n"),
    ]);
    let ids: Vec<&str> = tests.iter().map(|test| test.id.as_str()).collect();
    assert_eq!(ids, ["out_sign_out", "t"]);
    let test = &tests[1];
    assert_eq!(
        texts(&test.steps),
        ["Enter ann@beta", "Click Sign in as ann@beta", "Wait", "Click OK", "Wait"]
    );
    assert_eq!(test.steps[0].timeout, Some(Duration::from_secs(7)));
    assert_eq!(test.steps[2].timeout, Some(Duration::from_secs(1)));
    assert!(test.steps[1].file.ends_with("parts/submit.yaml"));
    assert_eq!(test.steps[1].position.to_string(), "2:5");
    assert_eq!(texts(&test.teardown), ["Sign out"]);
}

#[test]
fn steps_that_use_themselves_are_refused() {
    check_problems(
        &[
            ("a.yaml", "test: A\nsteps:\n  - use: b\n"),
            ("b.yaml", "test: B\nsteps:\n  - use: a\n"),
            ("c.yaml", "test: C\nsteps:\n  - use: c\n"),
        ],
        r#"
a.yaml:3:10: steps use each other in a circle: b.yaml → a.yaml → b.yaml
  3 | - use: b
    |        ^
b.yaml:3:10: steps use each other in a circle: a.yaml → b.yaml → a.yaml
  3 | - use: a
    |        ^
c.yaml:3:10: steps use each other in a circle: c.yaml → c.yaml
  3 | - use: c
    |        ^
"#,
    );
}

#[test]
fn eight_levels_are_enough() {
    let mut project = "steps:\n  s0: [Done]\n".to_string();
    for level in 1..9 {
        project += &format!("  s{level}:\n    - use: s{}\n", level - 1);
    }
    let deep = |level: usize| format!("steps:\n  - use: s{level}\n");
    let tests = sound_files(&[("assay.yaml", &project), ("t.yaml", &deep(7))]);
    assert_eq!(texts(&tests[0].steps), ["Done"]);
    let folder = Folder::new(&[("assay.yaml", &project), ("t.yaml", &deep(8))]);
    let shown = folder.problems(&folder.load());
    assert!(shown.contains("expected `use` to nest at most 8 levels deep, found more"), "{shown}");
}

#[test]
fn what_cannot_be_used_is_told() {
    check_problems(
        &[
            ("assay.yaml", "steps:\n  login: ['Enter ${email}']\n"),
            (
                "t.yaml",
                "steps:\n  - use: logn\n  - use: claims\n  - use: two\n  - use: bad\n  - use: ../../x\n  - use: /etc/passwd.yaml\n",
            ),
            ("u.yaml", "steps:\n  - use: login\n    with: {email: a, emial: b}\n  - use: login\n"),
            ("claims.yaml", "expected: [It is there]\n"),
            ("two.yaml", "steps: [A]\n---\nsteps: [B]\n"),
            ("bad.yaml", "steps: [42]\n"),
        ],
        r#"
bad.yaml:1:9: a step is a sentence, found the number 42
  1 | steps: [42]
    |         ^^
t.yaml:2:10: unknown steps `logn`
  2 | - use: logn
    |        ^^^^ did you mean `login`?
t.yaml:3:10: `claims.yaml` has no steps to use
  3 | - use: claims
    |        ^^^^^^
t.yaml:4:10: `two.yaml` contains several tests
  4 | - use: two
    |        ^^^ move the steps to a file of their own
t.yaml:5:10: `bad.yaml` has mistakes of its own
  5 | - use: bad
    |        ^^^
t.yaml:6:10: `../../x` is outside the suite
  6 | - use: ../../x
    |        ^^^^^^^ assay reads only files inside the suite
t.yaml:7:10: `/etc/passwd.yaml` is outside the suite
  7 | - use: /etc/passwd.yaml
    |        ^^^^^^^^^^^^^^^^ assay reads only files inside the suite
u.yaml:3:22: `login` has no `${emial}`
  3 | with: {email: a, emial: b}
    |                  ^^^^^ did you mean `email`?
u.yaml:4:10: `login` needs a value for `${email}`
  4 | - use: login
    |        ^^^^^ pass it under `with`: `email: …`
"#,
    );
}
