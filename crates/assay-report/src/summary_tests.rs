use assay_protocol::{Part, RunEvent, RunFact, Verdict};

use super::*;
use crate::exit::exit_code;
use crate::sample::{Story, every_ending, failed_login};

#[track_caller]
fn check(events: &[RunEvent], totals: &str, code: u8) {
    let summary = Summary::of(events);
    let Totals {
        tests,
        passed,
        failed,
        inconclusive,
        errors,
        not_run,
        flaky,
        no_expectation: _,
        rejected_files,
    } = summary.totals();
    let actual = format!(
        "{tests}: {passed}p {failed}f {inconclusive}i {errors}e {not_run}n {flaky}~ {rejected_files}r"
    );
    assert_eq!((actual.as_str(), exit_code(&summary)), (totals, code));
}

fn ends(verdicts: &[Verdict]) -> Story {
    let ids: Vec<String> = (0..verdicts.len()).map(|number| format!("t{number}")).collect();
    let mut story = Story::of(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    for (id, verdict) in ids.iter().zip(verdicts) {
        story = story.start(id, 1).end(id, *verdict, "why", 10);
    }
    story
}

fn rejected() -> RunFact {
    RunFact::FileRejected { file: "a.yaml".into(), message: "unknown key".into() }
}

#[test]
fn each_ending_has_its_exit_code_and_the_worst_decides() {
    use Verdict::{Error, Failed, Inconclusive, Passed};
    check(&ends(&[Passed, Passed]).finish(), "2: 2p 0f 0i 0e 0n 0~ 0r", 0);
    check(&ends(&[Passed, Inconclusive]).finish(), "2: 1p 0f 1i 0e 0n 0~ 0r", 3);
    check(&ends(&[Inconclusive, Error]).finish(), "2: 0p 0f 1i 1e 0n 0~ 0r", 4);
    check(&ends(&[Passed, Inconclusive, Error, Failed]).finish(), "4: 1p 1f 1i 1e 0n 0~ 0r", 1);
    check(&ends(&[Passed]).and(rejected()).finish(), "1: 1p 0f 0i 0e 0n 0~ 1r", 2);
    check(&ends(&[Inconclusive]).and(rejected()).finish(), "1: 0p 0f 1i 0e 0n 0~ 1r", 2);
    check(&ends(&[Failed]).interrupted(), "1: 0p 1f 0i 0e 0n 0~ 0r", 130);
}

#[test]
fn a_run_without_tests_is_not_a_pass() {
    check(&Story::of(&[]).finish(), "0: 0p 0f 0i 0e 0n 0~ 0r", 2);
    check(&[], "0: 0p 0f 0i 0e 0n 0~ 0r", 4);
}

#[test]
fn a_test_without_an_end_is_not_a_pass() {
    let events = Story::of(&["a", "b"]).start("a", 1).end("a", Verdict::Passed, "", 10);
    check(&events.finish(), "2: 1p 0f 0i 0e 1n 0~ 0r", 4);
    let events = Story::of(&["a"]).start("a", 1).step("a", 1, "Click");
    check(&events.cut_off(), "1: 0p 0f 0i 0e 1n 0~ 0r", 4);
}

#[test]
fn a_recording_that_stops_before_the_end_of_the_run_is_not_a_pass() {
    check(&ends(&[Verdict::Passed]).cut_off(), "1: 1p 0f 0i 0e 0n 0~ 0r", 4);
}

#[test]
fn a_pass_after_a_retry_is_flaky() {
    let story = Story::of(&["a"]).start("a", 1).ending("a", 1, Verdict::Failed, "why", true, 10);
    let waiting = story.start("a", 2);
    check(&waiting.ending("a", 2, Verdict::Passed, "", false, 20).finish(), "1: 1p 0f 0i 0e 0n 1~ 0r", 0);
}

#[test]
fn an_attempt_that_will_be_retried_does_not_count() {
    let story = Story::of(&["a"]).start("a", 1).ending("a", 1, Verdict::Failed, "why", true, 10);
    check(&story.finish(), "1: 0p 0f 0i 0e 1n 0~ 0r", 4);
}

#[test]
fn a_pass_with_a_failed_step_is_an_error() {
    let story =
        Story::of(&["a"]).start("a", 1).step("a", 1, "Click").step_ends("a", 1, Verdict::Failed, vec![]);
    let events = story.end("a", Verdict::Passed, "", 10).finish();
    check(&events, "1: 0p 0f 0i 1e 0n 0~ 0r", 4);
    assert_eq!(Summary::of(&events).tests[0].reason(), "reported as passed, although step 1 did not pass");
}

#[test]
fn a_picture_after_the_last_step_does_not_spoil_a_pass() {
    let picture = RunFact::Screenshot { test: "a".into(), step: 9, path: "x.png".into(), after: None };
    let events = Story::of(&["a"]).start("a", 1).and(picture).end("a", Verdict::Passed, "", 10).finish();
    check(&events, "1: 1p 0f 0i 0e 0n 0~ 0r", 0);
}

#[test]
fn a_test_that_was_not_announced_counts() {
    let events = Story::of(&[]).start("late", 1).end("late", Verdict::Failed, "why", 10).finish();
    check(&events, "1: 0p 1f 0i 0e 0n 0~ 0r", 1);
}

#[test]
fn steps_are_counted_within_their_part() {
    let step = |step, part| RunFact::StepStarted { test: "a".into(), step, part, text: "x".into() };
    let events = Story::of(&["a"])
        .start("a", 1)
        .and(step(1, Part::Setup))
        .and(step(2, Part::Step))
        .and(step(3, Part::Step))
        .and(step(4, Part::Expected))
        .cut_off();
    let summary = Summary::of(&events);
    let places: Vec<String> = summary.tests[0].attempts[0].steps.iter().map(|it| it.place_words()).collect();
    assert_eq!(places, ["setup step 1", "step 1", "step 2", "expectation 1"]);
}

#[test]
fn everything_that_happened_is_kept() {
    let summary = Summary::of(&failed_login());
    let attempt = &summary.test("login_expired_account").unwrap().attempts[0];
    assert_eq!(attempt.steps[0].commands[0].command, "click e5");
    assert_eq!(attempt.steps[0].recoveries[0].tier, 2);
    assert_eq!(attempt.steps[0].screenshots, ["shots/1.png"]);
    assert_eq!(attempt.decisive_step().unwrap().place_words(), "step 2");
}

#[test]
fn what_is_forgotten_of_a_test_does_not_change_how_it_ended() {
    let contradicted =
        Story::of(&["a"]).start("a", 1).step("a", 1, "Click").step_ends("a", 1, Verdict::Failed, vec![]);
    let contradicted = contradicted.end("a", Verdict::Passed, "", 10).finish();
    for events in [every_ending(), failed_login(), contradicted] {
        let whole = Summary::of(&events);
        let mut short = whole.clone();
        for test in &whole.tests {
            short.keep_the_ending_of(&test.line.id);
        }
        assert_eq!(short.totals(), whole.totals());
        assert_eq!(exit_code(&short), exit_code(&whole));
        for (short, whole) in short.tests.iter().zip(&whole.tests) {
            assert_eq!(short.reason(), whole.reason());
        }
    }
    let mut failed = Summary::of(&failed_login());
    failed.keep_the_ending_of("login_expired_account");
    let attempt = &failed.tests[0].attempts[0];
    assert!(attempt.steps.is_empty() && attempt.ending.as_ref().is_some_and(|it| it.last_page.is_none()));
}

#[test]
fn a_command_has_the_picture_that_was_taken_after_it() {
    let events = failed_login();
    let summary = Summary::of(&events);
    let step = &summary.tests[0].attempts[0].steps[0];
    assert_eq!(step.commands[0].after.as_deref(), Some("shots/1.png"));
    // The same picture once more: the command changed nothing that can be seen, and the film has it once.
    let again = RunFact::Screenshot {
        test: "login_expired_account".into(),
        step: 1,
        path: "shots/1.png".into(),
        after: Some(1),
    };
    let mut summary = summary.clone();
    summary.event(&RunEvent { at: 0, what: again });
    assert_eq!(summary.tests[0].attempts[0].steps[0].screenshots, ["shots/1.png"]);
}
