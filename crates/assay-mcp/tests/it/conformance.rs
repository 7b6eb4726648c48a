//! The official conformance tests: every scenario that a revision requires of a server, and those it merely runs.

use crate::context::{Folder, HttpFixtures, installed, node};

/// Scenarios that the requirements of a revision run, but that do not pass. They are expected to fail, so that we notice
/// the day they pass.
struct Gap {
    scenario: &'static str,
    #[expect(dead_code, reason = "the reason is for whoever reads the list")]
    why: &'static str,
}

#[track_caller]
fn check(revision: &str, scenarios: usize, gaps: &[Gap]) {
    let server = HttpFixtures::start();
    let folder = Folder::new(&format!("conformance-{revision}"));
    let mut judge = node();
    judge.arg(installed("mcp-packages/node_modules/@modelcontextprotocol/conformance/dist/index.js"));
    judge.args(["server", "--url", &server.url, "--requirements", revision]);
    let output = judge.current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let summary = said.split("=== SUMMARY ===").nth(1).unwrap_or_else(|| panic!("no summary: {said}"));
    let summary = summary.split("Total:").next().unwrap();
    let named = |mark: char| -> Vec<&str> {
        let lines = summary.lines().filter_map(|line| line.strip_prefix(mark));
        lines.filter_map(|line| line.trim().split(':').next()).collect()
    };
    let (passed, failed) = (named('✓'), named('✗'));
    let expected: Vec<&str> = gaps.iter().map(|gap| gap.scenario).collect();
    assert_eq!(failed, expected, "{said}");
    assert_eq!(passed.len() + failed.len(), scenarios, "{summary}");
    assert!(output.status.success(), "{said}");
}

#[test]
fn the_revision_with_a_handshake_is_conformed_to() {
    check("2025-11-25", 33, &[]);
}

#[test]
fn the_stateless_revision_is_conformed_to() {
    let why = "the extension for tasks is not offered";
    let tasks = [
        "tasks-lifecycle",
        "tasks-capability-negotiation",
        "tasks-wire-fields",
        "tasks-request-state-removal",
        "tasks-mrtr-input",
        "tasks-request-headers",
        "tasks-dispatch-and-envelope",
        "tasks-required-task-error",
        "tasks-mrtr-composition",
    ];
    check("2026-07-28", 50, &tasks.map(|scenario| Gap { scenario, why }));
}
