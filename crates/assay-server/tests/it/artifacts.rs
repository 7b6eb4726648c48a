//! The files of a run.

use crate::context::{Home, Running};

#[test]
fn files_of_a_run_are_served_whole_and_in_parts_and_nothing_else_is() {
    let home = Home::new();
    let service = Running::start(&home);
    let order = service.post("/server/runs", "{}").with(202).json();
    let run = order["run"].as_str().unwrap();
    service.gate.open(2);
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
    let files = service.get(&format!("/server/runs/{run}/artifacts"));
    assert_eq!(files["items"][0]["path"], "report.html");
    let path = |name: &str| format!("/server/runs/{run}/artifacts/{name}");
    let whole = service.ask("GET", &path("report.html"), &[], "").with(200);
    assert_eq!(whole.text(), "<h1>report</h1>");
    assert_eq!(whole.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(
        whole.header("content-security-policy").unwrap().starts_with("sandbox"),
        "pages of tests reach nothing"
    );
    let part = service.ask("GET", &path("report.html"), &[("Range", "bytes=4-9")], "").with(206);
    assert_eq!((part.text().as_str(), part.header("content-range")), ("report", Some("bytes 4-9/15")));
    service.ask("GET", &path("report.html"), &[("Range", "bytes=99-")], "").with(416);
    std::os::unix::fs::symlink(
        "/etc/passwd",
        home.project().join("assay-results/runs").join(run).join("link"),
    )
    .unwrap();
    for outside in [
        "../../../assay.yaml",
        "..%2f..%2f..%2fassay.yaml",
        "%2e%2e/%2e%2e/x",
        "link",
        "%2fetc%2fpasswd",
        "none",
        "a%00b",
    ] {
        let answer = service.ask("GET", &path(outside), &[], "");
        assert!(matches!(answer.status, 400 | 404), "{outside}: {}", answer.status);
    }
}
