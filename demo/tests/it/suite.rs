//! The sample suite and its list of verdicts say the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The expected verdict of each test, as the tags of the suite say it.
fn tagged() -> BTreeMap<String, &'static str> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut tests = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the suite is beside this test") {
        let path = entry.expect("the folder can be listed").path();
        if path.extension().is_none_or(|ending| ending != "yaml") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("the file is text");
        for document in text.split("\n---\n") {
            let value =
                |key: &str| document.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
            let (name, tags) = (value("test: "), value("tags: "));
            let verdict = match (tags.contains("must-fail"), tags.contains("must-be-inconclusive")) {
                (false, false) => "passed",
                (true, false) => "failed",
                (false, true) => "inconclusive",
                (true, true) => panic!("{name} has two verdicts"),
            };
            assert!(!name.is_empty(), "a test without a name in {}", path.display());
            // Whoever reads the suite learns why it is red.
            assert!(
                verdict == "passed" || document.trim_start().starts_with(&format!("# {verdict}: ")),
                "{name} does not say why it is {verdict}"
            );
            assert!(tests.insert(name.to_owned(), verdict).is_none(), "{name} is there twice");
        }
    }
    tests
}

#[test]
fn every_test_has_its_expected_verdict() {
    let listed = include_str!("../../verdicts.json");
    let tests = tagged();
    for (name, verdict) in &tests {
        let line = format!("  \"{name}\": \"{verdict}\"");
        assert!(
            listed.lines().any(|known| known.trim_end_matches(',') == line),
            "verdicts.json lacks {line}"
        );
    }
    assert_eq!(listed.lines().count(), tests.len() + 2, "verdicts.json has tests that the suite lacks");
}

#[test]
fn the_suite_is_large_enough_to_measure_by() {
    let tests = tagged();
    let red = tests.values().filter(|verdict| **verdict != "passed").count();
    assert!(tests.len() >= 42 && red >= 10, "{} tests, {red} of them red", tests.len());
}
