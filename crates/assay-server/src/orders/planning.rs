//! Plans and proofs to be carried out: documents of clients, as words of a command line.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::{RunOrder, checked};
use crate::problem::Problem;

/// Where the results of plans are, as seen from the folder of the service.
pub const PLANS_FOLDER: &str = "assay-results/plans";

/// Tests to be written: what `assay plan` takes, without what replaces files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PlanOrder {
    /// What is to be tested, in words; needs a model.
    pub goal: Option<String>,
    /// Page or application to test; the address of the project without it.
    pub url: Option<String>,
    /// A file of the project that describes what the application should do.
    pub requirements: Option<String>,
    /// Also opens the pages that the first page links to. It reads them and sends nothing.
    pub explore: bool,
    /// Folder for the test files; `tests` without it.
    pub folder: Option<String>,
    /// Answers to questions, by the ids of the questions.
    pub answers: BTreeMap<String, String>,
    /// Goes on without the open answers; tests that depend on them are left out.
    pub goes_on: bool,
    /// Also runs tests that press a button that may submit data.
    pub tries: bool,
    pub model: Option<String>,
    /// Spending limits for the model, such as `0.50,20000tokens`.
    pub budget: Option<String>,
}

impl PlanOrder {
    /// The words of the command line after `assay`. What a client says is never taken for a flag.
    pub fn words(&self) -> Result<Vec<String>, Problem> {
        let mut words = vec!["plan".to_string(), "--json".to_string()];
        let mut value = |flag: &str, value: Option<&String>| {
            words.extend(value.map(|value| format!("--{flag}={value}")));
        };
        value("url", self.url.as_ref());
        value("requirements", self.requirements.as_ref());
        value("out", self.folder.as_ref());
        value("model", self.model.as_ref());
        value("budget", self.budget.as_ref());
        for (id, answer) in &self.answers {
            if id.is_empty() || id.contains([':', '\n']) || answer.contains('\n') {
                return Err(Problem::usage("an answer is one line, and belongs to the id of a question"));
            }
            value("answer", Some(&format!("{id}: {answer}")));
        }
        let switches = [("explore", self.explore), ("yes", self.goes_on), ("try", self.tries)];
        words.extend(switches.iter().filter(|(_, is_on)| *is_on).map(|(flag, _)| format!("--{flag}")));
        if let Some(goal) = &self.goal {
            words.extend(["--".to_string(), goal.clone()]);
        }
        checked(words)
    }
}

/// Tests to be proved: what `assay prove` takes, without anything that reaches beyond the project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ProofOrder {
    /// Files, folders and ids of tests; none: all tests.
    pub tests: Vec<String>,
    /// Only tests whose id, name or file contains this.
    pub grep: Option<String>,
    /// Only tests with one of these tags; `!tag` excludes a tag.
    pub tags: Vec<String>,
    /// Tests at the same time.
    pub workers: Option<u32>,
    /// Address of the application, instead of the one in the files.
    pub base_url: Option<String>,
}

impl ProofOrder {
    pub fn words(&self, results: &str) -> Result<Vec<String>, Problem> {
        let run = RunOrder {
            paths: self.tests.clone(),
            grep: self.grep.clone(),
            tags: self.tags.clone(),
            workers: self.workers,
            base_url: self.base_url.clone(),
            ..RunOrder::default()
        };
        let mut words = run.words(results)?;
        words[0] = "prove".to_string();
        if self.tests.is_empty() {
            words.insert(1, "--all".to_string());
        }
        Ok(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_what_a_command_line_says() {
        let order: PlanOrder = serde_json::from_str(
            r#"{"goal": "--force", "url": "http://127.0.0.1/", "answers": {"login": "ada"}, "explore": true}"#,
        )
        .unwrap();
        let expected = "plan --json --url=http://127.0.0.1/ --answer=login: ada --explore -- --force";
        assert_eq!(order.words().unwrap().join(" "), expected);
        let wrong =
            PlanOrder { answers: [("a:b".to_string(), "c".to_string())].into(), ..PlanOrder::default() };
        assert!(wrong.words().is_err());
        assert!(serde_json::from_str::<PlanOrder>(r#"{"force": true}"#).is_err());
    }

    #[test]
    fn a_proof_is_a_run_that_proves() {
        let all = ProofOrder::default().words("r").unwrap();
        assert_eq!(all.join(" "), "prove --all --results=r");
        let one = ProofOrder { tests: vec!["login".to_string()], ..ProofOrder::default() };
        assert_eq!(one.words("r").unwrap().join(" "), "prove --results=r -- login");
    }
}
