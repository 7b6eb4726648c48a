//! The official conformance tests: every scenario that a revision requires of a server and of a client, and those it
//! merely runs.

use crate::context::{Folder, HttpFixtures, installed, node};

const JUDGE: &str = "mcp-packages/node_modules/@modelcontextprotocol/conformance/dist/index.js";

/// What the judge says.
struct Verdict {
    passed: Vec<String>,
    failed: Vec<String>,
    /// Whether all that is required passed.
    is_conforming: bool,
    said: String,
}

fn judge(revision: &str, whom: &str, arguments: &[&str]) -> Verdict {
    let folder = Folder::new(&format!("conformance-{whom}-{revision}"));
    let mut judge = node();
    judge.arg(installed(JUDGE));
    judge.args([whom, "--requirements", revision]).args(arguments);
    let output = judge.current_dir(folder.path()).output().unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let summary = said.split(" SUMMARY ===").nth(1).unwrap_or_else(|| panic!("no summary: {said}"));
    let summary = summary.split("Total:").next().unwrap();
    let named = |mark: char| -> Vec<String> {
        let lines = summary.lines().filter_map(|line| line.strip_prefix(mark));
        lines.filter_map(|line| line.trim().split(": ").next()).map(str::to_string).collect()
    };
    Verdict {
        passed: named('✓'),
        failed: named('✗'),
        is_conforming: output.status.success(),
        said: said.clone(),
    }
}

/// All scenarios of a server pass, also those for extensions.
#[track_caller]
fn check_server(revision: &str, scenarios: usize) {
    let server = HttpFixtures::start();
    let verdict = judge(revision, "server", &["--url", &server.url]);
    assert_eq!((verdict.passed.len(), verdict.failed.len()), (scenarios, 0), "{}", verdict.said);
    assert!(verdict.is_conforming, "{}", verdict.said);
}

#[test]
fn the_server_conforms_to_the_revision_with_a_handshake() {
    check_server("2025-11-25", 33);
}

#[test]
fn the_server_conforms_to_the_stateless_revision() {
    check_server("2026-07-28", 50);
}

/// The judge takes the stream for news, which a client opens beside its calls, for the reconnection that it waits for, if
/// that stream comes late on a busy machine. So this scenario may be judged again, on its own.
const RETRY: &str = "sse-retry";

fn resumes() -> bool {
    let alone = || {
        let mut judge = node();
        judge.arg(installed(JUDGE)).args(["client", "--command", env!("CARGO_BIN_EXE_mcp-judged-client")]);
        judge.args(["--scenario", RETRY, "--spec-version", "2025-11-25"]);
        judge.output().unwrap().status.success()
    };
    (0..5).any(|_| alone())
}

/// All scenarios of a client pass but those for OAuth: our client speaks to servers that it starts, and has no accounts.
#[track_caller]
fn check_client(revision: &str, expected: &[&str]) {
    let mut verdict = judge(revision, "client", &["--command", env!("CARGO_BIN_EXE_mcp-judged-client")]);
    if verdict.failed.iter().any(|scenario| scenario == RETRY) && resumes() {
        verdict.failed.retain(|scenario| scenario != RETRY);
        verdict.passed.push(RETRY.to_string());
    }
    verdict.passed.sort();
    let is_oauth = |scenario: &String| scenario.starts_with("auth/");
    assert!(verdict.failed.iter().all(is_oauth) && !verdict.passed.iter().any(is_oauth), "{}", verdict.said);
    assert_eq!(verdict.passed, expected, "{}", verdict.said);
}

#[test]
fn the_client_conforms_to_the_revision_with_a_handshake() {
    let expected = [
        "elicitation-sep1034-client-defaults",
        "initialize",
        "json-schema-2020-12-preservation",
        "sse-retry",
        "tools_call",
    ];
    check_client("2025-11-25", &expected);
}

#[test]
fn the_client_conforms_to_the_stateless_revision() {
    let expected = [
        "http-custom-headers",
        "http-invalid-tool-headers",
        "http-standard-headers",
        "json-schema-2020-12-preservation",
        "json-schema-ref-no-deref",
        "request-metadata",
        "sep-2322-client-request-state",
        "tools_call",
    ];
    check_client("2026-07-28", &expected);
}
