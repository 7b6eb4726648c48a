//! How facts are made true.

use assay_protocol::Secrets;
use assay_suite::{Body, TestCase, Way};
use serde_json::json;

use crate::suite_folder::{check_problems, sound_files, texts};

const PROJECT: &str = r##"
variables: {host: "https://api.example.com"}
secrets: {token: "${API_TOKEN}"}
preconditions:
  - match: 'User "{email}" exists with password "{password}"'
    run: ./seed.sh --email "$email" --token "${token}" --path ${PATH} $${local} ${x:-y}
  - match: The cart of {who} holds {count} items
    request:
      method: PUT
      url: ${host}/carts/${who}
      headers: {Authorization: "Bearer ${token}"}
      json: {count: "${count}", "nested": [1, 2.5, true, null, 007, "x ${who}"]}
      expect: [200, 201]
  - match: "{who} is signed in"
    steps:
      - Navigate to "/login"
      - Enter name "${who}"
      - run: click "#go"
"##;

fn with(facts: &str) -> TestCase {
    let test =
        format!("preconditions:\n{facts}variables: {{me: 'Ann \"A\" Lee', what: cart}}\nsteps: [Go]\n");
    sound_files(&[("assay.yaml", PROJECT), ("t.yaml", &test)]).remove(0)
}

#[test]
fn a_command_gets_its_values_by_name() {
    let test = with("  - user \"${me}\" exists with password 'p w'.\n");
    let Way::Command(command) = &test.preconditions[0].way else { panic!() };
    assert_eq!(
        command.command,
        r#"./seed.sh --email "$email" --token "${token}" --path ${PATH} ${local} ${x:-y}"#
    );
    let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
    assert_eq!(
        command.environment,
        [pair("email", "Ann \"A\" Lee"), pair("password", "p w"), pair("token", "tok-1")]
    );
    assert_eq!(command.secrets, Secrets::from_iter(["tok-1"]));
    assert_eq!(test.secrets, command.secrets);
    assert!(!format!("{:?}", test.preconditions).contains("tok-1"));
}

#[test]
fn a_request_gets_its_values_in_text_only() {
    let test = with("  - The ${what} of \"Bob\" holds \"3\" items\n");
    let Way::Request(request) = &test.preconditions[0].way else { panic!() };
    assert_eq!(request.method, "PUT");
    assert_eq!(request.url, "https://api.example.com/carts/Bob");
    assert_eq!(request.headers, [("Authorization".to_string(), "Bearer tok-1".to_string())]);
    assert_eq!(request.expect, [200, 201]);
    let expected = json!({ "count": "3", "nested": [1, 2.5, true, null, "007", "x Bob"] });
    assert!(request.body == Some(Body::Json(expected)));
}

#[test]
fn steps_make_a_fact_true_and_other_facts_are_assumed() {
    let test = with("  - Ann is signed in\n  - The moon is full\n");
    let Way::Steps(steps) = &test.preconditions[0].way else { panic!() };
    assert_eq!(texts(steps), ["Navigate to \"/login\"", "Enter name \"Ann\"", "click \"#go\""]);
    assert_eq!(test.preconditions[1].way, Way::Assumed);
}

#[test]
fn two_patterns_for_one_fact_are_refused() {
    check_problems(
        &[
            (
                "assay.yaml",
                "preconditions:\n  - match: User {name} exists\n    run: a\n  - match: User {name} {what}\n    run: b\n",
            ),
            ("t.yaml", "preconditions:\n  - User Ann exists\nsteps: [Go]\n"),
        ],
        r#"
t.yaml:2:5: two patterns match: `User {name} exists` and `User {name} {what}`
  2 | - User Ann exists
    |   ^^^^^^^^^^^^^^^ make one of the patterns more specific
"#,
    );
}

#[test]
fn a_value_may_not_replace_the_environment_of_a_command() {
    check_problems(
        &[
            (
                "assay.yaml",
                "preconditions:\n  - match: It is seeded\n    run: PATH=${PATH}:bin seed ${nope}\n",
            ),
            ("t.yaml", "variables: {PATH: ./evil}\npreconditions: [It is seeded]\nsteps: [Go]\n"),
        ],
        r#"
assay.yaml:3:15: `${PATH}` would replace an environment variable of the command
  3 | run: PATH=${PATH}:bin seed ${nope}
    |           ^^^^^^^ give it another name
assay.yaml:3:32: unknown name `${nope}`
  3 | run: PATH=${PATH}:bin seed ${nope}
    |                            ^^^^^^^ add it to `variables`, or write `$${nope}` for the literal text
"#,
    );
}
