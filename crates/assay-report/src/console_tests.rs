use std::path::PathBuf;

use assay_protocol::{BlockedRequests, Judgement, RunEvent, RunFact, Verdict};

use super::*;
use crate::sample::{EXPIRED, Story, element, failed_login, judged};

fn shown(events: &[RunEvent], style: Style) -> String {
    let mut output = Vec::new();
    let mut console = Console::new(&mut output, style, Some(PathBuf::from("failures")));
    events.iter().for_each(|event| console.event(event));
    console.finish().unwrap();
    String::from_utf8(output).unwrap()
}

#[track_caller]
fn check(events: &[RunEvent], expected: &str) {
    assert_eq!(shown(events, Style::PLAIN), expected);
}

#[test]
fn passed_and_failed_tests_are_lines_and_a_count() {
    let (good, bad) = ("login_valid_credentials", "login_expired_account");
    let events = Story::of(&[good, bad])
        .start(good, 1)
        .start(bad, 1)
        .end(good, Verdict::Passed, "", 2_300)
        .end(bad, Verdict::Failed, EXPIRED, 5_100)
        .finish();
    check(
        &events,
        "PASS login_valid_credentials (2.3s)\n\
         FAIL login_expired_account (5.1s) — Expected \"Account expired\", got \"Welcome\"\n  \
         probably product defect: there is no evidence beyond the reason given by the test\n  \
         see failures/login_expired_account\n\
         2 tests: 1 passed, 1 failed\n",
    );
}

#[test]
fn the_step_that_failed_is_named() {
    check(
        &failed_login(),
        "FAIL login_expired_account (5.1s) — Expected \"Account expired\", got \"Welcome\"\n  \
         product defect: step 2 found \"Welcome\"; every earlier step was fine\n  \
         at step 2: Verify the message \"Account expired\"\n  \
         see failures/login_expired_account\n\
         1 test: 1 failed\n",
    );
}

#[test]
fn an_inconclusive_step_names_its_candidates() {
    let judgement = Judgement {
        elements: (1..=7).map(|number| element(&format!("e{number}"), "button", "Delete")).collect(),
        ..judged("Click Delete", Verdict::Inconclusive, "7 buttons are named `Delete`")
    };
    let events = Story::of(&["a"])
        .start("a", 1)
        .step("a", 1, "Click Delete")
        .step_ends("a", 1, Verdict::Inconclusive, vec![judgement])
        .end("a", Verdict::Inconclusive, "7 buttons are named `Delete`", 1_000)
        .finish();
    check(
        &events,
        "INCONCLUSIVE a (1.0s) — 7 buttons are named `Delete`\n  \
         test defect: step 1 does not say which of 7 elements it means\n  \
         at step 1: Click Delete\n  \
         could be: button \"Delete\" e1\n  \
         could be: button \"Delete\" e2\n  \
         could be: button \"Delete\" e3\n  \
         could be: button \"Delete\" e4\n  \
         could be: button \"Delete\" e5\n  \
         and 2 more\n  \
         see failures/a\n\
         1 test: 1 inconclusive\n",
    );
}

#[test]
fn an_error_has_no_duration() {
    let events =
        Story::of(&["a"]).start("a", 1).end("a", Verdict::Error, "the browser did not start", 9).finish();
    check(
        &events,
        "ERROR a — the browser did not start\n  \
         environment: an error occurred before the first step\n  \
         see failures/a\n1 test: 1 error\n",
    );
}

#[test]
fn a_flaky_pass_is_marked_and_tells_what_failed_before() {
    let events = Story::of(&["a"])
        .start("a", 1)
        .ending("a", 1, Verdict::Failed, "Expected 2, got 1", true, 1_500)
        .start("a", 2)
        .ending("a", 2, Verdict::Passed, "", false, 2_300)
        .finish();
    check(
        &events,
        "PASS a (2.3s, flaky: passed on attempt 2)\n  \
         attempt 1: failed (1.5s) — Expected 2, got 1\n\
         1 test: 1 passed (1 flaky)\n",
    );
}

#[test]
fn a_claim_that_stood_before_is_marked_even_under_a_pass() {
    let judgement = Judgement { standing: true, ..judged("The title is \"Shop\"", Verdict::Passed, "") };
    let events = Story::of(&["a"])
        .start("a", 1)
        .step("a", 1, "The title is \"Shop\"")
        .step_ends("a", 1, Verdict::Passed, vec![judgement])
        .end("a", Verdict::Passed, "", 100)
        .finish();
    check(
        &events,
        "PASS a (0.1s)\n  standing: \"The title is \"Shop\"\" was already true before the action\n1 test: 1 passed\n",
    );
}

#[test]
fn what_the_policy_blocked_is_told_under_a_pass_each_host_once() {
    let blocked = |step: usize, host: &str, requests: u32| RunFact::Blocked {
        test: "a".into(),
        step,
        blocked: vec![BlockedRequests { host: host.into(), requests }],
    };
    let events = Story::of(&["a"])
        .start("a", 1)
        .step("a", 1, "Open the shop")
        .and(blocked(1, "ads.example", 2))
        .step_ends("a", 1, Verdict::Passed, Vec::new())
        .step("a", 2, "Click Pay")
        .and(blocked(2, "ads.example", 1))
        .and(blocked(2, "log.example", 1))
        .step_ends("a", 2, Verdict::Passed, Vec::new())
        .end("a", Verdict::Passed, "", 1_000)
        .finish();
    check(
        &events,
        "PASS a (1.0s)\n  \
         blocked: 3 requests to ads.example by policy\n  \
         blocked: 1 request to log.example by policy\n\
         1 test: 1 passed\n",
    );
}

#[test]
fn a_rejected_file_and_an_interruption_are_told() {
    let message = "line 3, column 5: unknown key `step`\nnearest: `steps`";
    let events = Story::of(&["a"])
        .and(RunFact::FileRejected { file: "tests/bad.yaml".into(), message: message.into() })
        .interrupted();
    check(
        &events,
        "REJECTED tests/bad.yaml — line 3, column 5: unknown key `step`\n  nearest: `steps`\n\
         1 test: 1 not run; 1 file rejected; interrupted\n",
    );
}

#[test]
fn a_run_without_tests_says_so() {
    check(&Story::of(&[]).finish(), "0 tests: nothing was run\n");
}

#[test]
fn a_page_cannot_write_to_the_terminal() {
    let events = Story::of(&["a"])
        .start("a", 1)
        .end("a", Verdict::Failed, "got \"\u{1b}[2J\r\nPASS a (0.1s)\"", 10)
        .finish();
    check(
        &events,
        "FAIL a (0.0s) — got \"\\u{1b}[2J PASS a (0.1s)\"\n  \
         probably product defect: there is no evidence beyond the reason given by the test\n  \
         see failures/a\n1 test: 1 failed\n",
    );
}

#[test]
fn on_a_terminal_a_progress_line_is_rewritten_below_coloured_lines() {
    let events = Story::of(&["a", "b"])
        .start("a", 1)
        .step("a", 1, "Click")
        .step_ends("a", 1, Verdict::Passed, Vec::new())
        .end("a", Verdict::Passed, "", 400)
        .start("b", 1)
        .end("b", Verdict::Failed, "why", 500)
        .finish();
    let screen = shown(&events, Style { colour: true, progress: Some(40) });
    assert_eq!(
        screen.replace("\u{1b}[K", "<erase>").replace('\u{1b}', "^").replace('\r', "<back>"),
        "0/2\
         <back><erase>0/2 · 1 running: a\
         <back><erase>0/2 · 1 running: a (step 1)\
         <back><erase>^[32mPASS^[0m a (0.4s)\n1/2\
         <back><erase>1/2 · 1 running: b\
         <back><erase>^[31mFAIL^[0m b (0.5s) — why\n  ^[2mprobably product defect: there is no evidence beyond the reason given by the test^[0m\n  \
         ^[2msee failures/b^[0m\n2/2 · 1 failed\
         <back><erase>2 tests: 1 passed, 1 failed\n"
    );
}

#[test]
fn the_progress_line_fits_the_terminal() {
    let ids: Vec<String> = (0..9).map(|number| format!("a_rather_long_name_{number}")).collect();
    let mut story = Story::of(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    for id in &ids {
        story = story.start(id, 1);
    }
    let screen = shown(&story.cut_off(), Style { colour: false, progress: Some(30) });
    for line in screen.split("\r\u{1b}[K") {
        assert!(line.chars().count() < 30, "{line}");
    }
    assert!(screen.ends_with("…\r\u{1b}[K"), "{screen:?}");
}
