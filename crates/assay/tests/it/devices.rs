//! Devices from a shell: what there is, and who controls it.

use crate::context::{Context, said};

#[test]
fn a_machine_lists_its_browsers_and_sessions() {
    let context = Context::on("/login");
    let listed = context.json(&["device", "list"]);
    let host = &listed["data"]["hosts"][0];
    assert_eq!(host["host"], "local");
    let devices = host["devices"].as_array().unwrap();
    let names: Vec<&str> = devices.iter().filter_map(|device| device["device"].as_str()).collect();
    assert_eq!(names, ["chromium", "firefox", "webkit", "session:default"]);
    assert_eq!(devices[3]["state"], "open");
    assert_eq!(devices[3]["tabs"], 1);
    assert_eq!(context.json(&["device", "info", "session:default"])["data"], devices[3]);
    let said = context.fails(2, &["device", "info", "opera"]);
    assert!(said.contains("there is no device `opera`") && said.contains("chromium"), "{said}");
    for wrong in [
        &["device", "take"][..],
        &["device", "list", "chromium"],
        &["device", "take", "chromium", "--priority", "top"],
    ] {
        context.fails(2, wrong);
    }
}

#[test]
fn whoever_controls_a_session_drives_it_alone() {
    let context = Context::on("/login");
    let as_ben = |arguments: &[&str]| {
        let mut command = context.command(arguments);
        command.env("ASSAY_OWNER", "ben");
        said(command)
    };
    context.ok(&["device", "take", "session:default", "--owner", "ben", "--purpose", "mend the login"]);
    let refused = context.fails(4, &["click", "Email"]);
    assert!(refused.contains("ben controls `session:default` (mend the login)"), "{refused}");
    assert_eq!(context.json(&["title"])["error"]["code"], "device_busy");
    assert_eq!(as_ben(&["title"]).code, 0);
    let refused = context.fails(4, &["device", "take", "session:default", "--owner", "cem"]);
    assert!(refused.contains("ben controls"), "{refused}");
    context.fails(4, &["device", "release", "session:default", "--owner", "cem"]);
    context.ok(&["device", "release", "session:default", "--owner", "ben"]);
    context.ok(&["title"]);
    context.ok(&["device", "take", "session:default", "--owner", "ben"]);
    context.ok(&["device", "release", "session:default", "--force"]);
    context.ok(&["title"]);
}

#[test]
fn a_run_needs_browsers_that_nobody_else_controls() {
    let context = Context::new();
    let test = format!(
        "test: Login page\nsteps:\n  - Open {}\nexpected:\n  - I should see \"Log in\"\n",
        context.url("/login")
    );
    std::fs::write(context.folder().join("login.yaml"), test).unwrap();
    context.ok(&["device", "take", "chromium", "--owner", "ben", "--minutes", "5"]);
    let refused = context.fails(4, &["run", "login.yaml"]);
    assert!(refused.contains("ben controls `chromium`"), "{refused}");
    let mut command = context.command(&["run", "login.yaml"]);
    command.env("ASSAY_OWNER", "ben");
    assert_eq!(said(command).code, 0);
}
