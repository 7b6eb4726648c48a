//! `assay prove`: tests that stay green whatever is broken are called hollow, and no other is.

use assay_testkit::corpora::{CaseSite, ProofCase, Strength, proof_cases};

use crate::context::Context;

/// A part of the corpus, proved: the report, and what was printed.
fn proved(strength: Strength, more: &[&str]) -> (Vec<(ProofCase, CaseSite)>, serde_json::Value, String) {
    let context = Context::new();
    let folder = context.folder().join("tests");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(context.folder().join("assay.yaml"), "timeout:\n  step: 4s\n").unwrap();
    let cases: Vec<(ProofCase, CaseSite)> = proof_cases()
        .unwrap()
        .into_iter()
        .filter(|case| case.strength == strength)
        .map(|case| {
            let site = case.serve();
            let test = case.test_at(site.url("").trim_end_matches('/'));
            std::fs::write(folder.join(format!("{}.yaml", case.name)), test).unwrap();
            (case, site)
        })
        .collect();
    let said = context.run(&[&["prove", "tests", "--workers", "4", "--no-screenshots"], more].concat());
    let report = context.folder().join("assay-results/report.json");
    let report = std::fs::read_to_string(report).unwrap_or_else(|_| panic!("{}\n{}", said.out, said.err));
    (cases, serde_json::from_str(&report).unwrap(), said.out)
}

fn proof_of<'a>(report: &'a serde_json::Value, case: &ProofCase) -> &'a serde_json::Value {
    let file = format!("tests/{}.yaml", case.name);
    let tests = report["tests"].as_array().unwrap();
    let test = tests.iter().find(|test| test["file"] == file.as_str());
    &test.unwrap_or_else(|| panic!("{file} was not run"))["proof"]
}

#[test]
fn hollow_tests_are_found() {
    let (cases, report, said) = proved(Strength::Hollow, &[]);
    let overlooked: Vec<String> = cases
        .iter()
        .filter(|(case, _)| proof_of(&report, case)["judgement"] != "hollow")
        .map(|(case, _)| format!("{}: {}", case.name, proof_of(&report, case)))
        .collect();
    println!("{} of {} hollow tests found\n{said}", cases.len() - overlooked.len(), cases.len());
    assert!(cases.len() >= 20 && overlooked.len() * 20 <= cases.len(), "{}\n{said}", overlooked.join("\n"));
    assert!(report["proofs"]["kill_rate"].as_f64().unwrap() < 100.0, "{}", report["proofs"]);
    // Each says which fault it missed, and what should have caught it.
    for (case, _) in &cases {
        let faults = proof_of(&report, case)["faults"].as_array().unwrap().clone();
        let missed = faults.iter().filter(|fault| fault["outcome"] == "missed");
        assert!(missed.clone().all(|fault| fault["fault"].as_str().is_some_and(|name| !name.is_empty())));
    }
}

#[test]
fn no_sound_test_is_called_hollow() {
    let (cases, report, said) = proved(Strength::Sound, &[]);
    let slandered: Vec<String> = cases
        .iter()
        .filter(|(case, _)| proof_of(&report, case)["judgement"] == "hollow")
        .map(|(case, _)| format!("{}: {}", case.name, proof_of(&report, case)))
        .collect();
    let proved = cases.iter().filter(|(case, _)| proof_of(&report, case)["judgement"] == "proved").count();
    println!("{proved} of {} sound tests proved\n{said}", cases.len());
    assert!(slandered.is_empty(), "{}\n{said}", slandered.join("\n"));
    // Those that delete or count pass only once on the same data: of them nothing can be shown.
    assert!(cases.len() >= 20 && proved * 10 >= cases.len() * 8, "{said}");
}
