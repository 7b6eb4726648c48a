//! Pages that invite a wrong verdict, written by people who do not know how assay judges: no claim that is false
//! passes, none that is true fails.
//!
//! `TRAPS=components/dialog-of-divs cargo nextest run traps::chromium --no-capture --profile long` runs some of them
//! and prints each verdict.

use std::collections::BTreeMap;

use assay_testkit::traps::{ClaimTruth, Trap, TrapTest, serve_trap, traps};

use crate::context::Context;

/// True claims that assay still calls false, each with its cause. A false claim that passes is never among them.
const KNOWN_BLAME: &[&str] = &[
    // A range of two dates in one field is filled as one date.
    "libraries/antd-leave-request:11",
];

/// One test of a trap, with its verdict.
struct TrapResult {
    id: String,
    test: TrapTest,
    status: String,
    reason: String,
}

/// The traps that `TRAPS` names, or all; of those, every `nth`.
fn chosen(nth: usize) -> Vec<Trap> {
    let wanted = std::env::var("TRAPS").unwrap_or_default();
    let named = |trap: &Trap| {
        let id = format!("{}/{}", trap.set, trap.name);
        wanted.split(',').any(|part| id.contains(part))
    };
    let all = traps().unwrap_or_else(|err| panic!("{err}"));
    all.into_iter().filter(named).step_by(nth).collect()
}

fn yaml_of(id: &str, trap: &Trap, test: &TrapTest, base_url: &str) -> String {
    let quoted = |text: &str| serde_json::Value::String(text.to_string()).to_string();
    let mut yaml = format!("test: {}\nbase_url: {base_url}\n", quoted(id));
    // What the page shows from the start is all there is to judge.
    if test.steps.is_empty() {
        yaml.push_str("standing: allowed\n");
    }
    yaml.push_str(&format!("steps:\n  - run: {}\n", quoted(&format!("go {base_url}{}", trap.page.opened))));
    for step in &test.steps {
        yaml.push_str(&format!("  - {}\n", quoted(step)));
    }
    if let Some(claim) = &test.claim {
        yaml.push_str(&format!("expected:\n  - {}\n", quoted(&claim.sentence)));
    }
    yaml
}

fn run(traps: &[Trap], browser: &str) -> Vec<TrapResult> {
    let context = Context::new();
    let folder = context.folder().join("tests");
    std::fs::create_dir_all(&folder).unwrap();
    let mut sites = Vec::new();
    let mut results: BTreeMap<String, TrapResult> = BTreeMap::new();
    for trap in traps {
        let site = serve_trap(trap);
        let base_url = site.url("");
        let documents: Vec<String> = trap
            .tests
            .iter()
            .map(|test| {
                let id = format!("{}/{}:{}", trap.set, trap.name, test.line);
                let yaml = yaml_of(&id, trap, test, &base_url);
                let result = TrapResult {
                    id: id.clone(),
                    test: test.clone(),
                    status: String::new(),
                    reason: String::new(),
                };
                results.insert(id, result);
                yaml
            })
            .collect();
        std::fs::write(folder.join(format!("{}--{}.yaml", trap.set, trap.name)), documents.join("---\n"))
            .unwrap();
        sites.push(site);
    }
    let said = context.run(&[
        "run",
        "tests",
        "--browser",
        browser,
        "--workers",
        "12",
        "--no-screenshots",
        "--retries",
        "0",
    ]);
    let report = context.folder().join("assay-results/report.json");
    let report = std::fs::read_to_string(report).unwrap_or_else(|_| panic!("{}\n{}", said.out, said.err));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    for test in report["tests"].as_array().unwrap() {
        let text = |key: &str| test[key].as_str().unwrap_or_default().to_string();
        if let Some(result) = results.get_mut(&text("title")) {
            result.status = text("status");
            result.reason = text("reason");
        }
    }
    results.into_values().collect()
}

/// Prints the table, and every verdict where only some traps were asked for.
fn tell(results: &[TrapResult]) {
    let mut table: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for result in results {
        let truth = match result.test.claim.as_ref().map(|claim| claim.truth) {
            Some(ClaimTruth::True) => "true",
            Some(ClaimTruth::False) => "false",
            Some(ClaimTruth::Unclear) => "unclear",
            None => "impossible step",
        };
        *table.entry((truth, result.status.as_str())).or_default() += 1;
    }
    for ((truth, status), count) in &table {
        println!("{truth:<16} {status:<14} {count}");
    }
    if let Ok(file) = std::env::var("TRAPS_TABLE") {
        let lines: Vec<String> = results
            .iter()
            .map(|result| {
                let claim = result.test.claim.as_ref();
                let sentence =
                    claim.map_or_else(|| result.test.steps.last().cloned(), |one| Some(one.sentence.clone()));
                let truth = claim.map_or("do-fails".to_string(), |claim| format!("{:?}", claim.truth));
                let wrong = if result.test.is_wrong(&result.status) { "WRONG" } else { "" };
                let reason = result.reason.replace(['\n', '\t'], " ");
                format!(
                    "{wrong}\t{}\t{truth}\t{}\t{}\t{reason}",
                    result.id,
                    result.status,
                    sentence.unwrap_or_default()
                )
            })
            .collect();
        std::fs::write(file, lines.join("\n")).unwrap();
    }
}

fn check(nth: usize, browser: &str) {
    let traps = chosen(nth);
    assert!(!traps.is_empty(), "no trap is called so");
    let results = run(&traps, browser);
    tell(&results);
    let wrong: Vec<String> = results
        .iter()
        .filter(|result| result.test.is_wrong(&result.status) || result.status.is_empty())
        .filter(|result| result.status != "failed" || !KNOWN_BLAME.contains(&result.id.as_str()))
        .map(|result| format!("{} {}: {}", result.id, result.status, result.reason))
        .collect();
    assert!(wrong.is_empty(), "{} wrong verdicts of {}:\n{}", wrong.len(), results.len(), wrong.join("\n"));
}

#[test]
fn sample_chromium() {
    check(9, "chromium");
}

#[test]
fn all_chromium() {
    check(1, "chromium");
}

#[test]
fn all_firefox() {
    check(1, "firefox");
}

#[test]
fn all_webkit() {
    check(1, "webkit");
}
