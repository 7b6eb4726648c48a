//! What clients can read by address: reports, failures and screenshots of runs, tests, and the texts of the skill.

use std::path::{Component, Path, PathBuf};

use assay_coordinator::{Coordinator, RunRecord};
use assay_host::{applications, newest_run, project_tests, run_called, state_failure};
use assay_mcp::{
    Completion, CompletionOf, CompletionQuestion, Contents, RequestError, Resource, ResourceTemplate,
};
use assay_protocol::{Failure, Verdict};
use assay_report::{AttemptSummary, Summary, json_report, rfc3339};

use super::PAGE_DATA;
use crate::environment::Environment;
use crate::{host, skill, state};

const SCHEME: &str = "assay://";
const NEWEST: &str = "latest";
const MOST_RUNS: usize = 10;

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";
const YAML: &str = "application/yaml";

/// The files and the state of the project in the folder at hand.
#[derive(Clone)]
pub struct Library {
    environment: Environment,
}

/// What an address names.
#[derive(Debug, PartialEq)]
enum Named {
    Report(String),
    Failures(String),
    Screenshot(String, String),
    Test(String),
    Skill(String),
}

fn named(uri: &str) -> Option<Named> {
    let path = decoded(uri.strip_prefix(SCHEME)?)?;
    let (kind, rest) = path.split_once('/').unwrap_or((&path, ""));
    match (kind, rest) {
        ("skill", "") => Some(Named::Skill(skill::MAIN.to_string())),
        ("skill", topic) => Some(Named::Skill(topic.to_string())),
        ("test", path) if !path.is_empty() => Some(Named::Test(path.to_string())),
        ("run", rest) => {
            let (run, what) = rest.split_once('/')?;
            let run = run.to_string();
            match what.split_once('/') {
                None if what == "report" => Some(Named::Report(run)),
                None if what == "failures" => Some(Named::Failures(run)),
                Some(("screenshot", file)) => Some(Named::Screenshot(run, file.to_string())),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A path as part of an address.
fn encoded(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(char::from(byte))
            }
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        bytes.push(match byte {
            b'%' => u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

pub fn templates() -> Vec<ResourceTemplate> {
    let template = |pattern: &str, name: &str, description: &str, kind: &str| ResourceTemplate {
        title: Some(name.to_string()),
        description: Some(description.to_string()),
        mime_type: Some(kind.to_string()),
        ..ResourceTemplate::new(format!("{SCHEME}{pattern}"), name)
    };
    vec![
        template(
            "run/{run}/report",
            "Report of a run",
            "Every test with its steps; `latest` is the newest run",
            JSON,
        ),
        template(
            "run/{run}/failures",
            "Failures of a run",
            "Tests that did not pass, with reasons",
            "text/plain",
        ),
        template(
            "run/{run}/screenshot/{+file}",
            "Screenshot of a run",
            "A picture that the report names",
            "image/png",
        ),
        template("test/{+path}", "Test", "A test file of the project", YAML),
        template("skill/{topic}", "Skill topic", "How to use assay", MARKDOWN),
    ]
}

impl Library {
    pub fn new(environment: &Environment) -> Library {
        Library { environment: environment.clone() }
    }

    pub fn list(&self) -> Result<Vec<Resource>, RequestError> {
        let mut found: Vec<Resource> = skill::topics().map(|(name, purpose)| topic(name, purpose)).collect();
        for file in self.test_files() {
            let uri = format!("{SCHEME}test/{}", encoded(&file));
            found.push(Resource { mime_type: Some(YAML.to_string()), ..Resource::new(uri, file) });
        }
        for run in self.runs().into_iter().take(MOST_RUNS) {
            let uri = format!("{SCHEME}run/{}/report", run.task.0);
            let description = format!("{}, {}", run.suite, rfc3339(run.started_at));
            found.push(Resource {
                mime_type: Some(JSON.to_string()),
                description: Some(description),
                ..Resource::new(uri, format!("Report of run {}", run.task.0))
            });
        }
        Ok(found)
    }

    pub fn read(&self, uri: &str) -> Result<Contents, RequestError> {
        let unknown = || RequestError::UnknownResource(uri.to_string());
        // Whatever the reason, a client cannot read it.
        let missing = |_: Failure| unknown();
        match named(uri).ok_or_else(unknown)? {
            Named::Skill(topic) => {
                let text = skill::topic(&topic).ok_or_else(unknown)?;
                Ok(Contents::text(uri, MARKDOWN, text))
            }
            Named::Test(path) => {
                let known = self.test_files();
                let file = known.iter().find(|known| **known == path).ok_or_else(unknown)?;
                let text = std::fs::read_to_string(file).map_err(|_| unknown())?;
                Ok(Contents::text(uri, YAML, text))
            }
            Named::Report(run) => {
                let report = json_report(&self.summary(&run).map_err(missing)?);
                let report = report.map_err(|err| RequestError::Internal(err.to_string()))?;
                Ok(Contents::text(uri, JSON, report))
            }
            Named::Failures(run) => {
                Ok(Contents::text(uri, "text/plain", self.failures(&run).map_err(missing)?))
            }
            Named::Screenshot(run, file) => {
                let path = self.picture(&run, &file).map_err(missing)?.ok_or_else(unknown)?;
                let kind = media_type(&path).ok_or_else(unknown)?;
                Ok(Contents::bytes(uri, kind, std::fs::read(&path).map_err(|_| unknown())?))
            }
        }
    }

    pub fn complete(&self, question: &CompletionQuestion) -> Completion {
        let values = match (&question.of, question.argument.as_str()) {
            (_, "run") => std::iter::once(NEWEST.to_string())
                .chain(self.runs().iter().map(|run| run.task.0.to_string()))
                .collect(),
            (CompletionOf::Prompt(_), "testcase") => self.test_ids(),
            (CompletionOf::Prompt(_), "url") => self.addresses(),
            (CompletionOf::Template(_), "path") => self.test_files(),
            (CompletionOf::Template(_), "topic") => {
                skill::topics().map(|(name, _)| name.to_string()).collect()
            }
            (CompletionOf::Template(_), "file") => {
                question.known.get("run").map(|run| self.pictures(run)).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        let typed = question.typed.to_lowercase();
        Completion {
            values: values.into_iter().filter(|value| value.to_lowercase().starts_with(&typed)).collect(),
        }
    }

    fn coordinator(&self) -> Result<Coordinator, Failure> {
        state::ask_here(&self.environment)
    }

    fn runs(&self) -> Vec<RunRecord> {
        // Without a record there is no run.
        self.coordinator().and_then(|state| state.runs().map_err(state_failure)).unwrap_or_default()
    }

    fn run(&self, which: &str) -> Result<(Coordinator, RunRecord), Failure> {
        let coordinator = self.coordinator()?;
        let run = if which == NEWEST { newest_run(&coordinator)? } else { run_called(&coordinator, which)? };
        Ok((coordinator, run))
    }

    fn summary(&self, which: &str) -> Result<Summary, Failure> {
        let (coordinator, run) = self.run(which)?;
        Ok(Summary::of(&coordinator.events_of(run.task).map_err(state_failure)?))
    }

    /// Of each test that did not pass: its verdict, where and why, and its last picture.
    fn failures(&self, which: &str) -> Result<String, Failure> {
        let (_, run) = self.run(which)?;
        let summary = self.summary(which)?;
        let failed = summary.tests.iter().filter(|test| test.verdict() != Some(Verdict::Passed));
        let lines: Vec<String> = failed
            .map(|test| {
                let verdict = test.verdict().map_or("not run", Verdict::name);
                let mut text = format!("{verdict}: {}\n  {}\n", test.line.id, test.line.file);
                let step = test.last_attempt().and_then(AttemptSummary::decisive_step);
                text.extend(step.map(|step| format!("  at {}: {}\n", step.place_words(), step.text)));
                text += &format!("  {}\n", test.reason());
                let picture = test
                    .pictures()
                    .last()
                    .map(|file| format!("  {SCHEME}run/{}/screenshot/{}\n", run.task.0, encoded(file)));
                text.extend(picture);
                text
            })
            .collect();
        Ok(if lines.is_empty() {
            "every test passed\n".to_string()
        } else {
            format!("{PAGE_DATA}{}", lines.join("\n"))
        })
    }

    fn pictures(&self, run: &str) -> Vec<String> {
        let summary = self.summary(run);
        let tests = summary.map(|summary| summary.tests).unwrap_or_default();
        tests.iter().flat_map(|test| test.pictures()).map(str::to_string).collect()
    }

    /// A picture that the record of a run names, where the project may use it.
    fn picture(&self, which: &str, file: &str) -> Result<Option<PathBuf>, Failure> {
        let (_, run) = self.run(which)?;
        let is_plain = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
        if !is_plain || !self.pictures(which).iter().any(|known| known == file) {
            return Ok(None);
        }
        let path = run.results.join(file);
        state::limits_here(&self.environment)?.check_path("a picture", &path)?;
        Ok(Some(path))
    }

    /// The tests of the project, by id and file as seen from here.
    fn tests(&self) -> Vec<(String, String)> {
        let tests = host::here().and_then(|here| {
            let context = host::context(&self.environment)?;
            Ok(project_tests(&context, &here))
        });
        tests.unwrap_or_default()
    }

    fn test_files(&self) -> Vec<String> {
        let mut files: Vec<String> = self.tests().into_iter().map(|(_, file)| file).collect();
        files.sort();
        files.dedup();
        files
    }

    fn test_ids(&self) -> Vec<String> {
        self.tests().into_iter().map(|(id, _)| id).collect()
    }

    fn addresses(&self) -> Vec<String> {
        let known = host::here().and_then(|here| Ok(applications(&host::context(&self.environment)?, &here)));
        known.unwrap_or_default().into_iter().map(|application| application.base_url).collect()
    }
}

fn topic(name: &str, purpose: &str) -> Resource {
    Resource {
        mime_type: Some(MARKDOWN.to_string()),
        description: Some(purpose.to_string()),
        ..Resource::new(format!("{SCHEME}skill/{name}"), format!("Skill: {name}"))
    }
}

fn media_type(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "png" => Some("image/png"),
        "jpg" | "jpeg" => Some("image/jpeg"),
        "webp" => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_files_whatever_letters_they_have() {
        for path in ["tests/login.yaml", "tests/a b.yaml", "tests/löschen #1.yaml", "100%.yaml"] {
            let uri = format!("{SCHEME}test/{}", encoded(path));
            assert!(!uri.contains([' ', '#']), "{uri}");
            assert_eq!(named(&uri), Some(Named::Test(path.to_string())));
        }
        assert_eq!(
            named("assay://test/tests%2Flogin.yaml"),
            Some(Named::Test("tests/login.yaml".to_string()))
        );
        for broken in
            ["assay://test/%", "assay://test/%zz", "assay://test/%ff", "assay://test/", "file:///etc/passwd"]
        {
            assert_eq!(named(broken), None, "{broken}");
        }
    }
}
