use std::collections::BTreeSet;
use std::path::Path;

use super::*;

#[test]
fn every_file_of_the_folder_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora/proof");
    let found: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| format!("proof/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    let listed: BTreeSet<String> = FILES.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(found, listed);
}

#[test]
fn both_classes_are_large_enough_to_tell_something() {
    let cases = proof_cases().unwrap_or_else(|mistake| panic!("{mistake}"));
    for strength in [Strength::Hollow, Strength::Sound] {
        let count = cases.iter().filter(|case| case.strength == strength).count();
        assert!(count >= 24, "{count} cases are {strength:?}");
    }
}

#[test]
fn only_hollow_tests_miss_something() {
    for case in proof_cases().unwrap_or_else(|mistake| panic!("{mistake}")) {
        assert_eq!(case.misses.is_empty(), case.strength == Strength::Sound, "{}", case.name);
    }
}

#[test]
fn every_page_is_served() {
    for case in proof_cases().unwrap_or_else(|mistake| panic!("{mistake}")) {
        let version = case.version();
        assert!(version.paths().next().is_some(), "{} has no pages", case.name);
        for path in version.paths() {
            let html = version.shown(path);
            assert!(html.contains("<title>"), "{} {path} has no title", case.name);
            assert!(!html.contains("[["), "{} {path} has a mark left", case.name);
        }
    }
}

#[test]
fn faults_are_read_and_told_in_the_same_words() {
    for line in ["POST /save fails", "\"Save\" is deaf"] {
        assert_eq!(missed(line).map(|missed| missed.to_string()).as_deref(), Some(line));
    }
    assert_eq!(missed("something is wrong"), None);
}
