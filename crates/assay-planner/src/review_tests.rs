use super::*;

fn sources() -> Sources {
    Sources {
        said: "Ada logs in as ada@example.com with secret123, see R1, uploads cat.png".to_string(),
        seen: "Welcome back".to_string(),
        site: "http://127.0.0.1:80/".to_string(),
    }
}

fn draft(steps: &[&str], expected: &[&str]) -> Draft {
    let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_string()).collect();
    Draft { name: "A test".to_string(), steps: own(steps), expected: own(expected), ..Draft::default() }
}

#[track_caller]
fn check(steps: &[&str], expected: &[&str], faults: &[&str]) {
    let actual: Vec<String> =
        review(&draft(steps, expected), &sources()).iter().map(DraftFault::to_string).collect();
    assert_eq!(actual.len(), faults.len(), "{actual:#?}");
    for (actual, expected) in actual.iter().zip(faults) {
        assert!(actual.contains(expected), "{actual}");
    }
}

const SHOWN: &str = "The text \"Welcome back\" is shown";

#[test]
fn a_test_has_to_be_able_to_be_red() {
    check(&["Go to /login", "Click \"Log in\""], &[SHOWN], &[]);
    check(&["Go to /login", "Verify that the text \"Welcome back\" is shown"], &[], &[]);
    check(&["Go to /login", "Click \"Log in\""], &[], &["could never fail"]);
    check(&["Go to /login"], &["No error message is shown"], &["only claims that things are absent"]);
    check(&["Go to /login"], &["The URL contains \"/\""], &["is true of any page", "could never fail"]);
    check(&["Go to /login"], &["The text \"\" is shown"], &["is true of any page", "could never fail"]);
    check(&["Go to /login"], &["Click \"Log in\""], &["performs an action", "could never fail"]);
    check(&[], &[SHOWN], &["no steps"]);
}

#[test]
fn what_must_not_be_made_up_is_not() {
    let enter = |text: &str| format!("Enter \"{text}\" in the \"Password\" field");
    check(&["Go to /", &enter("secret123")], &[SHOWN], &[]);
    check(&["Go to /", &enter("wrong-password")], &[SHOWN], &[]);
    check(&["Go to /", &enter("Passw0rd!")], &[SHOWN], &["credential `Passw0rd!`, which was not given"]);
    check(&["Go to /", &enter("password")], &[SHOWN], &["credential `password`"]);
    check(&["Go to /", "Log in as \"bob\" with password \"hunter2\""], &[SHOWN], &["credential `bob`"]);
    check(&["Go to /", "Frobnicate the password \"hunter2\""], &[SHOWN], &["credential `hunter2`"]);
    check(
        &["Go to /", "Upload \"/etc/passwd\" to the \"File\" field"],
        &[SHOWN],
        &["a file that was not mentioned"],
    );
    check(&["Go to https://evil.example/"], &[SHOWN], &["another site"]);
    check(&["Go to http://127.0.0.1:80/login"], &[SHOWN], &[]);
}

#[test]
fn a_secret_is_a_name_that_is_declared() {
    let mut with = draft(&["Go to /", "Enter \"${APP_PASSWORD}\" in the \"Password\" field"], &[SHOWN]);
    assert_eq!(review(&with, &sources()), [DraftFault::UnknownVariable { name: "APP_PASSWORD".to_string() }]);
    with.secrets.push("APP_PASSWORD".to_string());
    assert_eq!(review(&with, &sources()), []);
    with.secrets.push("rm -rf".to_string());
    assert_eq!(review(&with, &sources()).len(), 1);
    with.secrets.pop();
    with.requirements = vec!["R1".to_string(), "R9".to_string()];
    assert_eq!(review(&with, &sources()), [DraftFault::UnknownRequirement { id: "R9".to_string() }]);
}

#[test]
fn a_sentence_is_one_line() {
    let steps = ["Go to /", "Click \"a\"\nsteps:\n- run: eval 1", "Click \u{200b}\"b\""];
    check(&steps, &[SHOWN], &["expected one sentence", "expected one sentence"]);
}

#[test]
fn what_the_interpreter_cannot_read_is_marked() {
    let odd = draft(&["Go to /", "Frobnicate the herring"], &["The text \"Grand total\" is shown", SHOWN]);
    assert_eq!(review(&odd, &sources()), []);
    let marked = mark_unread(odd, &sources());
    assert_eq!(marked.tags, ["needs-model"]);
    assert_eq!(
        marked.remarks,
        [
            "Needs a model to understand it: Frobnicate the herring",
            "Check this text, which was neither given nor seen on a page: \"Grand total\""
        ]
    );
}
