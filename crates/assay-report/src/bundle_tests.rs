use std::fs;
use std::path::PathBuf;

use assay_protocol::Verdict;

use super::*;
use crate::sample::{Story, failed_login};

/// A folder of its own for each test, gone afterwards.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("assay-report-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("run/shots")).unwrap();
        fs::write(path.join("run/shots/last.png"), "picture").unwrap();
        Place(path)
    }

    fn bundles(&self, events: &[assay_protocol::RunEvent]) -> FailureBundles {
        let mut bundles = FailureBundles::new(self.0.join("run"), self.0.join("failures"));
        events.iter().for_each(|event| bundles.event(event));
        bundles
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join("failures").join(file)).unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_failure_leaves_picture_text_address_and_story() {
    let place = Place::new("whole");
    fs::create_dir_all(place.0.join("failures/login_expired_account")).unwrap();
    fs::write(place.0.join("failures/login_expired_account/old.txt"), "of an earlier run").unwrap();
    assert!(place.bundles(&failed_login()).problems().is_empty());
    assert_eq!(place.read("login_expired_account/screenshot.png"), "picture");
    assert_eq!(place.read("login_expired_account/page_text.txt"), "Welcome");
    assert_eq!(place.read("login_expired_account/page_url.txt"), "http://127.0.0.1:1/dashboard\n");
    assert!(place.read("login_expired_account/agent_reasoning.md").contains("builtin chose `click e5`"));
    let count = |folder: &str| fs::read_dir(place.0.join(folder)).unwrap().count();
    assert_eq!((count("failures"), count("failures/login_expired_account")), (1, 4));
}

#[test]
fn a_pass_and_an_attempt_that_is_retried_leave_nothing() {
    let place = Place::new("nothing");
    let events = Story::of(&["a"])
        .start("a", 1)
        .ending("a", 1, Verdict::Failed, "why", true, 10)
        .start("a", 2)
        .ending("a", 2, Verdict::Passed, "", false, 10)
        .finish();
    place.bundles(&events);
    assert!(!place.0.join("failures").exists());
}

#[test]
fn a_missing_picture_does_not_cost_the_rest() {
    let place = Place::new("missing");
    fs::remove_file(place.0.join("run/shots/last.png")).unwrap();
    assert!(place.bundles(&failed_login()).problems().is_empty());
    assert!(place.read("login_expired_account/agent_reasoning.md").contains("The screenshot is missing: "));
}
