use std::collections::BTreeSet;
use std::path::Path;

use super::*;

#[test]
fn every_file_of_the_folder_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora/healing");
    let found: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| format!("healing/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    let listed: BTreeSet<String> = FILES.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(found, listed);
}

#[test]
fn both_classes_are_large_enough_to_tell_something() {
    let cases = healing_cases().unwrap_or_else(|mistake| panic!("{mistake}"));
    let count = |change: Change| cases.iter().filter(|case| case.change == change).count();
    let [blind, seen, worded] =
        [Sight::Blind, Sight::Seen, Sight::Worded].map(|sight| count(Change::Defect(sight)));
    assert!(count(Change::Cosmetic) >= 45, "{} cosmetic cases", count(Change::Cosmetic));
    assert!(blind + seen >= 40, "{blind} blind and {seen} seen defects");
    assert!(blind >= seen + worded, "{blind} blind, {seen} seen and {worded} worded defects");
}

#[test]
fn a_defect_is_blind_through_a_wrong_step_and_worded_without_one() {
    for case in healing_cases().unwrap_or_else(|mistake| panic!("{mistake}")) {
        match case.change {
            Change::Defect(Sight::Blind) => {
                assert!(!case.rewordings.is_empty(), "{} needs `healed`", case.name)
            }
            Change::Defect(Sight::Worded) => {
                assert!(case.rewordings.is_empty(), "{} has `healed`", case.name)
            }
            Change::Cosmetic | Change::Defect(Sight::Seen) => {}
        }
    }
}

#[test]
fn every_page_of_every_version_is_served() {
    for case in healing_cases().unwrap_or_else(|mistake| panic!("{mistake}")) {
        for variant in [Variant::Before, Variant::After] {
            let version = case.version(variant);
            assert!(version.paths().next().is_some(), "{} has no pages {variant:?}", case.name);
            for path in version.paths() {
                let html = version.shown(path);
                assert!(html.starts_with("<!doctype html>"), "{} {path}", case.name);
                assert!(html.contains("<title>"), "{} {path} has no title", case.name);
                assert!(!html.contains("[["), "{} {path} has a mark left", case.name);
            }
        }
    }
}

#[test]
fn something_differs_between_the_versions() {
    for case in healing_cases().unwrap_or_else(|mistake| panic!("{mistake}")) {
        let (before, after) = (case.version(Variant::Before), case.version(Variant::After));
        let changed = before.paths().any(|path| before.shown(path) != after.shown(path));
        assert!(changed || before.rule_count() != after.rule_count(), "{} changes nothing", case.name);
    }
}

#[track_caller]
fn check(text: &'static str, expected: &str) {
    let actual = match sections::split("x.txt", text).and_then(|cases| case(&cases[0])) {
        Ok(case) => format!("{:?}", case.change),
        Err(mistake) => mistake.to_string(),
    };
    assert_eq!(actual, expected);
}

#[test]
fn a_broken_case_is_told() {
    check(
        "=== a | odd | b\n",
        "x.txt:1: the class is one of `cosmetic`, `defect blind`, `defect seen` and `defect worded`, found `odd`",
    );
    check(
        "=== a | cosmetic | b\n--- pages\n",
        "x.txt:2: there is no section `pages`; known are test, both, before, after, changed, answers, data and healed",
    );
    check("=== a | cosmetic | b\n--- both /\n", "x.txt:1: `a` has no section `test`");
    check("=== a | cosmetic | b\n--- test\nsteps:\n", "x.txt:2: a test begins with `test:` and has `steps:`");
    check(
        "=== a | cosmetic | b\n--- test\ntest: A\nsteps:\n  - Click \"State: open\"\n",
        "x.txt:5: `: ` and ` #` mean something to YAML, found in `Click \"State: open\"`",
    );
    check(
        "=== a | cosmetic | b\n--- test\ntest: A\nsteps:\n  - Go to /\n--- before /\n<p>\n",
        "x.txt:1: the page / stands in `a`, and the other version of the site lacks it",
    );
    check(
        "=== a | cosmetic | b\n--- test\ntest: A\nsteps:\n  - Go to /\n--- changed /\n- a\n",
        "x.txt:6: nothing to change: there is no page `before /`",
    );
    check(
        "=== a | cosmetic | b\n--- test\ntest: A\nsteps:\n  - Go to /\n--- healed\nGo to /x => Go to /\n",
        "x.txt:7: this step must stand exactly once in the test, found 0 times: `Go to /x`",
    );
    check(
        "=== a | cosmetic | b\n--- test\ntest: A\nsteps:\n  - Go to /\n--- answers\nPOST /a -> page /b\n",
        "x.txt:1: the reply shows the page /b, which is not there",
    );
}

#[test]
fn the_test_is_reworded_for_the_page_after() {
    let text = "=== a | cosmetic | b\n--- test\ntest: A\nsteps:\n  - Click \"X\"\n--- healed\nClick \"X\" => Click \"Y\"\n";
    let case = case(&sections::split("x.txt", text).unwrap()[0]).unwrap();
    assert_eq!(case.touched_steps().collect::<Vec<_>>(), ["Click \"X\""]);
    let expected = "base_url: http://h\ntest: A\nsteps:\n  - Click \"Y\"\n";
    assert_eq!(case.healed_test_at("http://h").as_deref(), Some(expected));
}
