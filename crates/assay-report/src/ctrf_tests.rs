use assay_protocol::{RunEvent, Verdict};
use assay_testkit::schema;
use serde_json::{Value, json};

use super::*;
use crate::sample::{self, Story, failed_login};

fn schema_of_ctrf() -> Value {
    serde_json::from_str(include_str!("../tests/schemas/ctrf-0.0.schema.json")).unwrap()
}

#[track_caller]
fn valid(events: &[RunEvent]) -> Value {
    let text = ctrf_report(&Summary::of(events), &ReportPaths::default()).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(schema::problems(&schema_of_ctrf(), &report), Vec::<String>::new());
    report
}

#[test]
fn a_failure_is_told_with_its_class_its_steps_and_its_newest_picture_first() {
    let report = valid(&failed_login());
    let test = &report["results"]["tests"][0];
    for (key, expected) in [
        ("name", json!("login_expired_account")),
        ("status", json!("failed")),
        ("rawStatus", json!("failed")),
        ("duration", json!(5120)),
        ("suite", json!(["demo", "login"])),
        ("message", json!(sample::EXPIRED)),
        ("filePath", json!("login.yaml")),
        ("browser", json!("chromium")),
        ("tags", json!(["smoke"])),
    ] {
        assert_eq!(test[key], expected, "{key}");
    }
    assert_eq!(
        test["steps"][1],
        json!({"name": "Verify the message \"Account expired\"", "status": "failed"})
    );
    assert_eq!(test["attachments"][0]["path"], "shots/last.png");
    assert_eq!(test["extra"]["class"], "product-defect");
    assert_eq!(report["results"]["summary"]["start"], sample::START);
    assert_eq!(report["runId"], "r1");
}

#[test]
fn every_ending_has_its_status_and_nothing_but_a_pass_is_green() {
    let report = valid(&sample::every_ending());
    let tests = report["results"]["tests"].as_array().unwrap();
    let told: Vec<String> = tests
        .iter()
        .map(|it| [&it["name"], &it["status"], &it["rawStatus"]].map(|it| it.as_str().unwrap()).join(" "))
        .collect();
    assert_eq!(
        told,
        [
            "passed passed passed",
            "failed failed failed",
            "unclear failed inconclusive",
            "broken failed error",
            "not_started pending not-started",
            "cut_off failed not-ended",
            "flaky passed passed",
            "twice failed failed",
            "bad.yaml failed rejected",
        ]
    );
    let summary = &report["results"]["summary"];
    assert_eq!(
        (&summary["tests"], &summary["passed"], &summary["failed"]),
        (&json!(9), &json!(2), &json!(6))
    );
    assert_eq!(summary["flaky"], 1);
    assert_eq!(tests[6]["flaky"], true);
    assert_eq!(tests[6]["retryAttempts"][0]["message"], "why");
    assert_eq!(tests[8]["line"], 2);
}

#[test]
fn whatever_a_page_says_the_document_is_valid_and_says_it() {
    let said = format!("\u{0}\u{1b}[31m ]]> \"🦀\" \u{ffff}{}", "x".repeat(1_000_000));
    let events =
        Story::of(&["a"]).start("a", 1).step("a", 1, &said).end("a", Verdict::Failed, &said, 10).finish();
    assert_eq!(valid(&events)["results"]["tests"][0]["message"], said);
}

#[test]
fn a_run_that_is_not_known_is_a_document_too() {
    valid(&[]);
    valid(&Story::of(&[""]).start("", 1).cut_off());
}

#[test]
fn the_checker_finds_what_is_wrong() {
    let good = valid(&failed_login());
    let with = |pointer: &str, value: Value| {
        let mut report = good.clone();
        *report.pointer_mut(pointer).unwrap() = value;
        schema::problems(&schema_of_ctrf(), &report).len()
    };
    assert_eq!(with("/results/tests/0/suite", json!("demo")), 1);
    assert_eq!(with("/results/tests/0/status", json!("error")), 1);
    assert_eq!(with("/results/tests/0/duration", json!(1.5)), 1);
    assert_eq!(with("/results/tests/0/name", json!("")), 1);
    assert_eq!(with("/results/tool", json!({"name": "assay", "colour": "red"})), 1);
    assert_eq!(with("/results/summary", json!({})), 1);
    assert_eq!(with("/reportId", json!("no uuid")), 1);
    assert_eq!(with("/specVersion", json!("1.0")), 1);
}
