//! The example that the format was designed with, as written.

use assay_protocol::Part;
use assay_suite::{Instruction, Way};

use crate::suite_folder::{Folder, texts};

const LOGIN: &str = r#"test: Login with valid credentials
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
  login_page: https://app.example.com/login
  email_input: "input[name=email]"
  submit_button: "button[type=submit]"
"#;

#[test]
fn the_example_of_the_design_loads_as_written() {
    let folder = Folder::new(&[("tests/login.yaml", LOGIN)]);
    let loaded = folder.load();
    assert_eq!(folder.problems(&loaded), "");
    let [test] = loaded.tests.as_slice() else { panic!("{:?}", loaded.tests) };
    assert_eq!(test.id, "login_valid_credentials");
    assert_eq!(test.name, "Login with valid credentials");
    assert_eq!(test.line, 1);
    assert_eq!(test.lock_path(), folder.path.join("tests/login.lock.yaml"));
    assert_eq!(test.preconditions.len(), 1);
    assert_eq!(test.preconditions[0].way, Way::Assumed);
    assert_eq!(test.preconditions[0].step.part, Part::Precondition);
    assert_eq!(
        texts(&test.steps),
        [
            "Navigate to the login page",
            "Enter email \"test@example.com\"",
            "Enter password \"secret123\"",
            "Click the login button",
            "Verify the dashboard loads with welcome message",
        ]
    );
    assert_eq!(test.steps[1].position.to_string(), "6:5");
    assert!(matches!(test.steps[1].instruction, Instruction::Sentence(_)));
    assert_eq!(
        texts(&test.expected),
        ["Dashboard page is displayed", "Welcome message contains \"test@example.com\""]
    );
    assert_eq!(test.expected[0].part, Part::Expected);
    assert_eq!(test.selectors["login_page"], "https://app.example.com/login");
    assert_eq!(test.selectors["submit_button"], "button[type=submit]");
}

#[test]
fn the_example_with_lists_at_the_margin_loads_as_well() {
    let folder = Folder::new(&[("login.yaml", &LOGIN.replace("  - ", "- "))]);
    let loaded = folder.load();
    assert_eq!(folder.problems(&loaded), "");
    assert_eq!(loaded.tests[0].steps.len(), 5);
}
