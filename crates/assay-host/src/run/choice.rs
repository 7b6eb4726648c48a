//! Chooses the tests of a suite to run.

use std::path::Path;

use assay_protocol::{ErrorCode, Failure};
use assay_runner::Plan;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TestChoice {
    /// By their ids; all when there are none.
    pub ids: Vec<String>,
    /// Part of the id, the name or the file.
    pub grep: Option<String>,
    pub tags: Vec<String>,
    /// The first of four: (1, 4).
    pub shard: Option<(usize, usize)>,
    pub last_failed: bool,
    pub repeat: u32,
}

pub fn parse_shard(text: &str) -> Result<(usize, usize), Failure> {
    let wrong = || Failure::new(ErrorCode::Usage, format!("expected --shard like 1/4, found `{text}`"));
    let (part, of) = text.split_once('/').ok_or_else(wrong)?;
    let (part, of) = (part.parse::<usize>().map_err(|_| wrong())?, of.parse::<usize>().map_err(|_| wrong())?);
    if part == 0 || part > of { Err(wrong()) } else { Ok((part, of)) }
}

impl TestChoice {
    pub fn of(&self, mut plans: Vec<Plan>, results: &Path) -> Result<Vec<Plan>, Failure> {
        for id in &self.ids {
            if !plans.iter().any(|plan| is_called(plan, id)) {
                return Err(unknown(id, &plans));
            }
        }
        if !self.ids.is_empty() {
            plans.retain(|plan| self.ids.iter().any(|id| is_called(plan, id)));
        }
        if let Some(words) = &self.grep {
            let words = words.to_lowercase();
            let has = |text: &str| text.to_lowercase().contains(&words);
            plans.retain(|plan| has(&plan.line.id) || has(&plan.line.name) || has(&plan.line.file));
        }
        if !self.tags.is_empty() {
            // A tag with `!` in front is one that the test must not have.
            plans.retain(|plan| {
                self.tags.iter().all(|tag| match tag.strip_prefix('!') {
                    Some(tag) => !plan.line.tags.iter().any(|own| own == tag),
                    None => true,
                }) && (self.tags.iter().all(|tag| tag.starts_with('!'))
                    || self.tags.iter().any(|tag| plan.line.tags.contains(tag)))
            });
        }
        if self.last_failed {
            let failed = failed_before(results)?;
            plans.retain(|plan| failed.contains(&plan.line.id));
        }
        if let Some((part, of)) = self.shard {
            let mut at = 0;
            plans.retain(|_| {
                at += 1;
                (at - 1) % of == part - 1
            });
        }
        if self.repeat > 1 {
            plans = plans
                .into_iter()
                .flat_map(|plan| {
                    (1..=self.repeat).map(move |time| {
                        let mut plan = plan.clone();
                        plan.line.id = format!("{} #{time}", plan.line.id);
                        plan
                    })
                })
                .collect();
        }
        Ok(plans)
    }
}

/// By its id, with or without the browser and the row of data, or by its name.
fn is_called(plan: &Plan, id: &str) -> bool {
    let own = plan.line.id.as_str();
    own == id || own.split([' ', '[']).next() == Some(id) || plan.line.name == id
}

fn unknown(id: &str, plans: &[Plan]) -> Failure {
    let failure = Failure::new(ErrorCode::Usage, format!("`{id}` is neither a path nor a test of the suite"));
    let alike = |plan: &&Plan| (strsim::jaro(&plan.line.id, id) * 1000.0) as u32;
    match plans.iter().max_by_key(alike) {
        Some(plan) => {
            failure.hint(format!("did you mean {}? `assay run --list` lists all tests", plan.line.id))
        }
        None => failure.hint("assay run --list lists all tests"),
    }
}

/// The ids that did not pass in the last run, by its report.
fn failed_before(results: &Path) -> Result<Vec<String>, Failure> {
    let file = results.join("report.json");
    let text = std::fs::read_to_string(&file).map_err(|err| {
        Failure::new(ErrorCode::Usage, format!("--last-failed: could not read {}: {err}", file.display()))
            .hint("run the suite once without --last-failed")
    })?;
    let report: serde_json::Value = serde_json::from_str(&text).map_err(|err| {
        Failure::new(ErrorCode::Io, format!("--last-failed: {} is not a report: {err}", file.display()))
    })?;
    let tests = report["tests"].as_array().cloned().unwrap_or_default();
    Ok(tests
        .iter()
        .filter(|test| test["status"] != "passed")
        .filter_map(|test| test["id"].as_str().map(str::to_string))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_a_part_of_a_whole() {
        assert_eq!(parse_shard("2/4").unwrap(), (2, 4));
        for wrong in ["0/4", "5/4", "2", "a/b", ""] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
    }
}
