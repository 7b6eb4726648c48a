//! Questions about past runs.

use assay_coordinator::{Coordinator, FlakyStep, Rate};
use assay_protocol::Verdict::{self, Error, Failed, Inconclusive, Passed};

use crate::context::*;

/// A run of one test at a moment, with these attempts.
fn ran(coordinator: &Coordinator, when: u64, browser: &str, fingerprint: &str, attempts: &[Verdict]) {
    let task = begin(coordinator, &format!("r{when}"), std::path::Path::new("/tmp"), me());
    let mut facts = vec![run_started(vec![line("login", browser, fingerprint)])];
    for (number, verdict) in attempts.iter().enumerate() {
        let attempt = number as u32 + 1;
        let last = number + 1 == attempts.len();
        facts.extend([
            test_started("login", attempt),
            step_started("login", 1, "Open the page"),
            step_finished("login", 1, Passed),
            step_started("login", 2, "Click Log in"),
            step_finished("login", 2, *verdict),
            test_finished("login", attempt, *verdict, !last),
        ]);
    }
    facts.push(run_finished(false));
    facts.into_iter().for_each(|fact| coordinator.record(task, &at(when, fact)).unwrap());
}

#[test]
fn a_test_that_ends_now_so_and_now_so_is_flaky() {
    let home = Home::new();
    let coordinator = home.open();
    let endings = [Passed, Failed, Passed, Passed, Error, Passed, Passed, Passed, Passed, Passed];
    for (number, verdict) in endings.into_iter().enumerate() {
        ran(&coordinator, 100 + number as u64, "chromium", "same", &[verdict]);
    }
    let [test] = coordinator.flaky(0).unwrap().try_into().unwrap();
    assert_eq!(test.rate, Rate::new(2, 10));
    assert_eq!((test.first_seen, test.last_seen, test.flips), (101, 104, 4));
    let step = FlakyStep { part: "step".into(), text: "Click Log in".into(), times: 2 };
    assert_eq!(test.steps, [step]);
    assert!(coordinator.flaky(105).unwrap().is_empty());
}

#[test]
fn a_test_that_was_changed_in_between_is_not_flaky() {
    let home = Home::new();
    let coordinator = home.open();
    ran(&coordinator, 1, "chromium", "before", &[Failed]);
    ran(&coordinator, 2, "chromium", "after", &[Passed]);
    assert!(coordinator.flaky(0).unwrap().is_empty());
}

#[test]
fn a_test_of_which_nobody_knows_whether_it_was_changed_is_not_called_flaky() {
    let home = Home::new();
    let coordinator = home.open();
    ran(&coordinator, 1, "chromium", "", &[Failed]);
    ran(&coordinator, 2, "chromium", "", &[Passed]);
    assert!(coordinator.flaky(0).unwrap().is_empty());
}

#[test]
fn a_test_that_fails_in_one_browser_only_is_not_flaky() {
    let home = Home::new();
    let coordinator = home.open();
    ran(&coordinator, 1, "chromium", "same", &[Passed]);
    ran(&coordinator, 2, "firefox", "same", &[Failed]);
    ran(&coordinator, 3, "firefox", "same", &[Inconclusive]);
    assert!(coordinator.flaky(0).unwrap().is_empty());
}

#[test]
fn a_pass_on_a_retry_is_flaky_in_its_browser_and_at_its_step() {
    let home = Home::new();
    let coordinator = home.open();
    ran(&coordinator, 1, "chromium", "", &[Passed]);
    ran(&coordinator, 2, "firefox", "", &[Failed, Passed]);
    let [test] = coordinator.flaky(0).unwrap().try_into().unwrap();
    let engines: Vec<_> = test
        .engines
        .iter()
        .map(|engine| (engine.browser.as_str(), engine.rate.hits, engine.rate.of))
        .collect();
    assert_eq!(engines, [("chromium", 0, 1), ("firefox", 1, 1)]);
    assert_eq!((test.steps[0].text.as_str(), test.steps[0].times), ("Click Log in", 1));
}

#[test]
fn the_last_results_of_a_test_come_newest_first() {
    let home = Home::new();
    let coordinator = home.open();
    for (when, verdict) in [(1, Passed), (2, Failed), (3, Inconclusive)] {
        ran(&coordinator, when, "chromium", "same", &[verdict]);
    }
    let history = coordinator.history("login", 2).unwrap();
    let shown: Vec<_> = history.iter().map(|past| (past.run.as_str(), past.verdict)).collect();
    assert_eq!(shown, [("r3", Inconclusive), ("r2", Failed)]);
    assert!(coordinator.history("logout", 2).unwrap().is_empty());
}

#[test]
fn the_figures_of_all_runs_add_up() {
    let home = Home::new();
    let coordinator = home.open();
    assert_eq!(coordinator.stats(0).unwrap().test_duration, None);
    for (when, attempts) in
        [(1, &[Passed][..]), (2, &[Failed]), (3, &[Inconclusive]), (4, &[Error]), (5, &[Failed, Passed])]
    {
        ran(&coordinator, when, "chromium", "same", attempts);
    }
    let stats = coordinator.stats(0).unwrap();
    assert_eq!((stats.runs, stats.tests), (5, 1));
    assert_eq!((stats.passed, stats.failed, stats.inconclusive, stats.errors, stats.flaky), (2, 1, 1, 1, 1));
    let duration = stats.test_duration.unwrap();
    assert_eq!((duration.count, duration.median_ms, duration.p95_ms), (5, 100, 200));
    assert_eq!(stats.run_duration.unwrap().median_ms, 900);
    assert_eq!((stats.slowest[0].test.as_str(), stats.most_failing[0].rate), ("login", Rate::new(2, 5)));
}
