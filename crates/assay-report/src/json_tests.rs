use assay_protocol::Verdict;
use serde_json::{Value, json};

use super::*;
use crate::sample::{Story, failed_login};

fn report(events: &[assay_protocol::RunEvent]) -> Value {
    serde_json::from_str(&json_report(&Summary::of(events)).unwrap()).unwrap()
}

#[test]
fn the_contract_and_more_beside_it() {
    let report = report(&failed_login());
    assert_eq!(report["suite"], "demo");
    assert_eq!(report["started_at"], "2026-11-15T10:48:52.123Z");
    assert_eq!(report["exit_code"], 1);
    assert_eq!(report["classes"], json!({ "product-defect": 1 }));
    let test = &report["tests"][0];
    assert_eq!(test["name"], "login_expired_account");
    assert_eq!(test["status"], "failed");
    assert_eq!(test["duration_ms"], 5120);
    assert_eq!(test["class"], "product-defect");
    assert_eq!(test["class_reason"], "step 2 found \"Welcome\"; every earlier step was fine");
    assert_eq!(test["commands"], json!(["click e5"]));
    assert_eq!(test["screenshots"], json!(["shots/1.png", "shots/last.png"]));
    assert_eq!(test["title"], "login expired account");
    assert_eq!(test["recovered_tiers"], json!([2]));
    assert_eq!(test["steps"][0]["commands"][0]["pilot"], "builtin");
    assert_eq!(test["steps"][1]["part"], "step");
    assert_eq!(test["steps"][1]["judgements"][0]["found"], "Welcome");
}

#[test]
fn earlier_attempts_keep_their_story() {
    let events = Story::of(&["a"])
        .start("a", 1)
        .step("a", 1, "Click")
        .ending("a", 1, Verdict::Failed, "why", true, 10)
        .start("a", 2)
        .ending("a", 2, Verdict::Passed, "", false, 20)
        .finish();
    let report = report(&events);
    let test = &report["tests"][0];
    assert_eq!(
        (&test["status"], &test["flaky"], &test["attempts"]),
        (&json!("passed"), &json!(true), &json!(2))
    );
    assert_eq!(test["earlier_attempts"][0]["reason"], "why");
    assert_eq!(test["earlier_attempts"][0]["steps"][0]["text"], "Click");
}

#[test]
fn what_did_not_end_is_not_run() {
    let report = report(&Story::of(&["a", "b"]).start("a", 1).cut_off());
    assert_eq!(report["finished"], false);
    assert_eq!(report["tests"][0]["status"], "not-run");
    assert_eq!(report["tests"][0]["reason"], "the test did not finish");
    assert_eq!(report["tests"][0]["class_reason"], "probably: the record stops; the test did not finish");
    assert_eq!(report["tests"][1]["reason"], "the test did not start");
}

#[test]
fn the_file_is_replaced_whole() {
    let folder = std::env::temp_dir().join(format!("assay-report-json-{}", std::process::id()));
    let path = folder.join("deep/report.json");
    let summary = Summary::of(&failed_login());
    write_json_report(&summary, &path).unwrap();
    write_json_report(&summary, &path).unwrap();
    let names: Vec<_> =
        std::fs::read_dir(path.parent().unwrap()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, ["report.json"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), json_report(&summary).unwrap());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let told = write_json_report(&Summary::default(), Path::new("/proc/nowhere/report.json")).unwrap_err();
    assert!(told.to_string().starts_with("cannot write the report `/proc/nowhere/report.json`: "), "{told}");
}
