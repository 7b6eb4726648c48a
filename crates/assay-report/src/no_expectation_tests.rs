//! A pass that claims nothing, and an attempt that a user stopped: every report says what they are worth.

use assay_protocol::{EffectKind, Healing, LockedEntry, Part, Proof, RunEvent, RunFact, Verdict};
use serde_json::Value;

use crate::ctrf::ctrf_report;
use crate::html::html_report;
use crate::junit::junit_report;
use crate::sample::Story;
use crate::{
    Console, HtmlOptions, JunitDialect, PicturesInHtml, ReportPaths, Reporter, Style, Summary, exit_code,
    json_report,
};

fn console(events: &[RunEvent]) -> String {
    let mut printed = Vec::new();
    let mut console = Console::new(&mut printed, Style { colour: false, progress: None }, None);
    events.iter().for_each(|event| console.event(event));
    console.finish().unwrap();
    String::from_utf8(printed).unwrap()
}

fn paths() -> ReportPaths {
    ReportPaths { project: "/shop".into(), run_folder: "out".into() }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn without_claims() -> Vec<RunEvent> {
    Story::of(&["tour"]).start("tour", 1).passes_without_claims("tour").finish()
}

/// Stopped by a user, and resumed: the second attempt passes.
fn resumed() -> Vec<RunEvent> {
    let story = Story::of(&["login"]).start("login", 1).interrupt("login", 1).start("login", 2);
    let mut story = story.ending("login", 2, Verdict::Passed, "", false, 900).finish();
    if let RunFact::TestFinished { flaky, .. } = &mut story[4].what {
        // The runner counts its own attempts only.
        *flaky = false;
    }
    story
}

#[test]
fn a_pass_without_a_claim_is_told_in_every_report() {
    let events = without_claims();
    let summary = Summary::of(&events);
    assert_eq!(
        console(&events),
        "PASS tour (0.8s, no expectation)\n1 test: 1 passed (1 without an expectation)\n"
    );
    let report = json(&json_report(&summary).unwrap());
    assert_eq!(report["tests"][0]["no_expectation"], true);
    assert_eq!(report["totals"]["no_expectation"], 1);
    let report = json(&ctrf_report(&summary, &paths()).unwrap());
    assert_eq!(report["results"]["tests"][0]["extra"]["noExpectation"], true);
    let strict = junit_report(&summary, &paths(), JunitDialect::Strict);
    assert!(strict.contains("<system-out>no expectation: "), "{strict}");
    let extended = junit_report(&summary, &paths(), JunitDialect::Extended);
    assert!(extended.contains("<property name=\"expectation\" value=\"none\"/>"), "{extended}");
    let options = HtmlOptions { run_folder: "/run".into(), pictures: PicturesInHtml::Linked };
    let page = html_report(&summary, &options, std::path::Path::new("/run/report.html")).unwrap();
    assert!(page.contains("\"no_expectation\":true"));
}

#[test]
fn a_strict_run_does_not_accept_it() {
    let mut events = without_claims();
    assert_eq!(exit_code(&Summary::of(&events)), 0);
    if let RunFact::RunStarted { strict, .. } = &mut events[0].what {
        *strict = true;
    }
    assert_eq!(exit_code(&Summary::of(&events)), 3);
    assert_eq!(json(&json_report(&Summary::of(&events)).unwrap())["exit_code"], 3);
}

#[test]
fn a_proof_without_a_claim_is_hollow() {
    let proof = Proof { hollow: Some("only absence is claimed".into()), ..Proof::default() };
    let events = Story::of(&["tour"])
        .start("tour", 1)
        .passes_without_claims("tour")
        .and(RunFact::Proved { test: "tour".into(), proof: Box::new(proof) })
        .finish();
    let told = console(&events);
    assert!(told.contains("HOLLOW tour — only absence is claimed\n"), "{told}");
    assert_eq!(exit_code(&Summary::of(&events)), 1);
}

#[test]
fn an_attempt_that_a_user_stopped_makes_no_test_flaky() {
    let events = resumed();
    let summary = Summary::of(&events);
    assert!(!summary.tests[0].is_flaky());
    assert_eq!(summary.tests[0].triage(), None);
    let told = console(&events);
    assert!(told.contains("PASS login (0.9s)\n") && told.ends_with("1 test: 1 passed\n"), "{told}");
    let junit = junit_report(&summary, &paths(), JunitDialect::Extended);
    assert!(!junit.contains("flaky"), "{junit}");
    let ctrf = json(&ctrf_report(&summary, &paths()).unwrap());
    assert_eq!(ctrf["results"]["tests"][0]["retries"], 0);
}

#[test]
fn what_changed_in_a_test_that_failed_is_not_called_healed() {
    let entry = LockedEntry {
        part: Part::Step,
        step: "Click \"Pay\"".into(),
        nth: 1,
        acts: Vec::new(),
        effect: EffectKind::default(),
    };
    let healing = Healing { was: entry.clone(), now: entry, found: Vec::new() };
    let story = |verdict: Verdict| {
        Story::of(&["pay"])
            .start("pay", 1)
            .step("pay", 1, "Click \"Pay\"")
            .and(RunFact::Healed { test: "pay".into(), step: 1, healing: Box::new(healing.clone()) })
            .step_ends("pay", 1, verdict, Vec::new())
            .end("pay", verdict, "", 500)
            .finish()
    };
    let passed = console(&story(Verdict::Passed));
    assert!(
        passed.contains(", healed)") && passed.contains("1 step was healed; run `assay heal`"),
        "{passed}"
    );
    let failed = console(&story(Verdict::Failed));
    assert!(!failed.contains("assay heal") && !failed.contains(", healed)"), "{failed}");
    assert!(failed.contains("not healed, because the test did not pass"), "{failed}");
}
