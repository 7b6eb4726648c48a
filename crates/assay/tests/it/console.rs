//! The console of the service, tested by assay itself and looked at for barriers, with a service and a project of its own.

use std::path::Path;
use std::process::{Command, Stdio};

/// `scripts/console-tests` with the binary of this build and the sample application in this process.
#[track_caller]
fn console_tests(arguments: &[&str]) {
    let app = assay_demo::start(0).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Path::new(env!("CARGO_BIN_EXE_assay")).parent().unwrap();
    let results = std::env::temp_dir().join(format!("assay-console-results-{}", std::process::id()));
    let mut command = Command::new(root.join("scripts/console-tests"));
    command
        .args(arguments)
        .env("ASSAY_BIN", folder)
        .env("CONSOLE_APP", app.url("").trim_end_matches('/'))
        .env("RESULTS", &results)
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    let _removed = std::fs::remove_dir_all(&results);
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "scripts/console-tests {}: {said}", arguments.join(" "));
}

#[test]
fn the_console_passes_its_smoke_tests_and_no_page_has_a_barrier() {
    console_tests(&["--and-axe", "--tag", "smoke", "--workers", "2"]);
}

#[test]
fn every_test_of_the_console_passes_in_every_browser() {
    console_tests(&["--browser", "chromium,firefox", "--workers", "2"]);
    // WebKitGTK has no window as narrow as a phone.
    console_tests(&["--browser", "webkit", "--workers", "2", "--tag", "!phone"]);
}

#[test]
fn every_page_of_the_console_is_without_barriers_in_each_size_and_scheme() {
    console_tests(&["--axe"]);
}
