use std::io::Write;
use std::process::{Command, Stdio};

use assay_protocol::{RunFact, Verdict};

use super::*;
use crate::sample::{self, Story, failed_login};

/// Asks xmllint, so that our own idea of XML is not what decides.
#[track_caller]
fn xmllint(arguments: &[&str], document: &str) -> String {
    let mut child = Command::new("xmllint")
        .args(arguments)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("this test needs xmllint; on Debian: apt-get install libxml2-utils");
    child.stdin.take().unwrap().write_all(document.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}\n{document}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn valid(events: &[assay_protocol::RunEvent]) -> String {
    let report = junit_report(&Summary::of(events), &ReportPaths::default(), JunitDialect::Strict);
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/junit-10.xsd");
    xmllint(&["--noout", "--huge", "--schema", schema], &report);
    report
}

/// What a reader of the document gets for an expression.
fn read(document: &str, expression: &str) -> String {
    xmllint(&["--huge", "--xpath", expression], document)
}

#[test]
fn a_failure_is_told_with_its_file_its_class_and_its_newest_picture_first() {
    assert_eq!(
        valid(&failed_login()),
        r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="demo" tests="1" failures="1" errors="0" time="9.000">
<testsuite name="login" tests="1" failures="1" errors="0" skipped="0" time="5.120" timestamp="2026-11-15T10:48:52" file="login.yaml">
<testcase name="login_expired_account" classname="demo.login" time="5.120">
<failure message="Expected &quot;Account expired&quot;, got &quot;Welcome&quot;" type="product-defect">login.yaml
Expected "Account expired", got "Welcome"
product defect: step 2 found "Welcome"; every earlier step was fine
at step 2: Verify the message "Account expired"
expected: Account expired
found: Welcome</failure>
<system-out>step 1: Click the login button → passed
step 2: Verify the message "Account expired" → failed
[[ATTACHMENT|shots/last.png]]
[[ATTACHMENT|shots/1.png]]
</system-out>
</testcase>
</testsuite>
</testsuites>
"#
    );
}

#[test]
fn every_ending_has_its_element_and_counts_once() {
    let report = valid(&sample::every_ending());
    for (expression, expected) in [
        ("string(/testsuites/@tests)", "9"),
        ("string(/testsuites/@failures)", "2"),
        ("string(/testsuites/@errors)", "4"),
        ("count(//testcase[@name='passed'][not(*)])", "1"),
        ("count(//testcase[@name='failed']/failure)", "1"),
        ("count(//testcase[@name='unclear']/error[@message='2 candidates'])", "1"),
        ("count(//testcase[@name='broken']/error[@type='environment'])", "1"),
        ("count(//testcase[@name='not_started']/skipped)", "1"),
        ("count(//testcase[@name='cut_off']/error[@message='the test did not finish'])", "1"),
        ("count(//testcase[@name='flaky']/flakyFailure[@message='why']/stackTrace)", "1"),
        ("count(//testcase[@name='flaky']/failure)", "0"),
        ("count(//testcase[@name='twice']/rerunFailure)", "1"),
        ("count(//testcase[@name='twice']/failure)", "1"),
        ("string(//testcase[@classname='demo.rejected']/error/@message)", "unknown key `stepz`"),
    ] {
        assert_eq!(read(&report, expression).trim(), expected, "{expression}");
    }
}

#[test]
fn whatever_a_page_says_the_document_is_valid_and_says_it() {
    let long = "long ".repeat(200_000);
    let said = format!("\u{0}\u{8}\u{1b}[31mred\u{1b}[0m ]]> <![CDATA[ & \"quoted\" 🦀 日本 \u{fffe}{long}");
    let events = Story::of(&["</testcase> \"x\" & \u{7}🦀"])
        .start("</testcase> \"x\" & \u{7}🦀", 1)
        .step("</testcase> \"x\" & \u{7}🦀", 1, &said)
        .end("</testcase> \"x\" & \u{7}🦀", Verdict::Failed, &said, 10)
        .and(RunFact::FileRejected { file: "<b>.yaml".into(), message: said.clone() })
        .and(RunFact::FileRejected { file: "<b>.yaml".into(), message: said.clone() })
        .finish();
    let report = valid(&events);
    assert_eq!(read(&report, "string(//failure/../@name)").trim(), "</testcase> \"x\" & 🦀");
    let told = read(&report, "string(//failure)");
    assert!(told.contains(&format!("red ]]> <![CDATA[ & \"quoted\" 🦀 日本 {}", long.trim_end())));
    assert_eq!(read(&report, "string((//testcase)[last()]/@name)").trim(), "<b>.yaml (2)");
}

#[test]
fn the_extended_dialect_says_more_of_each_case() {
    let paths = ReportPaths { project: "/shop".into(), run_folder: "out".into() };
    let report = junit_report(&Summary::of(&failed_login()), &paths, JunitDialect::Extended);
    assert_eq!(read(&report, "string(//testcase/@file)").trim(), "login.yaml");
    assert_eq!(read(&report, "string(//property[@name='class']/@value)").trim(), "product-defect");
    assert!(report.contains("\n[[ATTACHMENT|out/shots/last.png]]\n"));
}

#[test]
fn a_pass_without_a_claim_is_told_in_both_dialects() {
    let report = valid(&Story::of(&["tour"]).start("tour", 1).passes_without_claims("tour").finish());
    assert!(read(&report, "string(//testcase/system-out)").starts_with("no expectation: "), "{report}");
}

#[test]
fn a_run_without_tests_is_a_document_too() {
    assert_eq!(read(&valid(&Story::of(&[]).finish()), "string(/testsuites/@tests)").trim(), "0");
}
