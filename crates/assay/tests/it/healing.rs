//! Pages that changed under a locked test: what only looks different is found again, what is broken is never hidden.

use assay_testkit::corpora::{CaseSite, Change, HealingCase, Variant, healing_cases};

use crate::context::{Context, Said};

/// All sites of the corpus, with a test each in the folder of the context.
struct Corpus {
    context: Context,
    sites: Vec<(HealingCase, CaseSite)>,
}

impl Corpus {
    fn new() -> Corpus {
        let context = Context::new();
        let folder = context.folder().join("tests");
        std::fs::create_dir_all(&folder).unwrap();
        // What is gone is waited for in vain: that is tested elsewhere.
        std::fs::write(context.folder().join("assay.yaml"), "timeout:\n  step: 4s\n").unwrap();
        let sites: Vec<(HealingCase, CaseSite)> = healing_cases()
            .unwrap()
            .into_iter()
            .map(|case| {
                let site = case.serve(Variant::Before);
                let test = case.test_at(site.url("").trim_end_matches('/'));
                std::fs::write(folder.join(format!("{}.yaml", case.name)), test).unwrap();
                (case, site)
            })
            .collect();
        Corpus { context, sites }
    }

    fn run(&self, more: &[&str]) -> (Said, serde_json::Value) {
        let arguments = [&["run", "tests", "--workers", "4", "--no-screenshots"], more].concat();
        let said = self.context.run(&arguments);
        let report = self.context.folder().join("assay-results/report.json");
        let report = std::fs::read_to_string(report).unwrap_or_else(|_| panic!("{}\n{}", said.out, said.err));
        (said, serde_json::from_str(&report).unwrap())
    }

    fn change(&self) {
        for (case, site) in &self.sites {
            site.deploy(case.version(Variant::After));
        }
    }
}

fn test_of<'a>(report: &'a serde_json::Value, case: &HealingCase) -> &'a serde_json::Value {
    let file = format!("tests/{}.yaml", case.name);
    let tests = report["tests"].as_array().unwrap();
    tests.iter().find(|test| test["file"] == file.as_str()).unwrap_or_else(|| panic!("{file} was not run"))
}

#[test]
fn what_looks_different_is_healed_and_what_is_broken_is_not_hidden() {
    let corpus = Corpus::new();
    let (said, report) = corpus.run(&["--lock"]);
    let red: Vec<&str> = corpus
        .sites
        .iter()
        .filter(|(case, _)| test_of(&report, case)["status"] != "passed")
        .map(|(case, _)| case.name.as_str())
        .collect();
    assert!(red.is_empty(), "not green before the change: {red:?}\n{}", said.out);
    corpus.change();
    let (_, report) = corpus.run(&[]);
    let (mut cosmetic, mut healed, mut refused, mut hidden) = (0, 0, Vec::new(), Vec::new());
    for (case, _) in &corpus.sites {
        let test = test_of(&report, case);
        let passed = test["status"] == "passed";
        let by_heal = test["healed"].as_array().is_some_and(|healed| !healed.is_empty());
        let line = format!("{}: {} {}", case.name, test["status"], test["reason"]);
        println!("{:?} {line}{}", case.change, if by_heal { ", healed" } else { "" });
        match case.change {
            Change::Cosmetic => {
                cosmetic += 1;
                if passed { healed += 1 } else { refused.push(line) }
            }
            Change::Defect(_) if passed && by_heal => hidden.push(line),
            Change::Defect(_) => {}
        }
    }
    println!("{healed} of {cosmetic} cosmetic changes passed");
    assert!(hidden.is_empty(), "hidden by a heal:\n{}", hidden.join("\n"));
    assert!(cosmetic >= 30 && healed * 100 >= cosmetic * 95, "{}", refused.join("\n"));
}
