//! The file of a script, read with its mistakes.

use std::sync::Arc;

use super::bind::mistake_in;
use super::parameter::{ParameterKind, ScriptParameter};
use crate::keys;
use crate::mistake::Mistake;
use crate::node::{Key, Node, Value};
use crate::problem::{Problem, Problems};
use crate::reader::{Fields, Naming, Reader};
use crate::source::{Source, Text};
use crate::test_file::{NeedsSteps, TestDraft};
use crate::yaml;

/// A script as it is written.
#[derive(Debug)]
pub(super) struct ScriptDraft {
    pub description: Option<Text>,
    pub parameters: Vec<ScriptParameter>,
    pub body: BodyDraft,
    /// Its settings and links, and of a list of steps the steps.
    pub test: TestDraft,
}

#[derive(Debug)]
pub(super) enum BodyDraft {
    Program(Vec<Text>),
    Steps,
}

/// The script of a file. Adds mistakes to `problems`.
pub(super) fn read_script(
    source: &Arc<Source>,
    browsers: &[&str],
    problems: &mut Problems,
) -> Option<ScriptDraft> {
    let before = problems.len();
    let documents = yaml::documents(source, problems);
    let [document] = documents.as_slice() else {
        if problems.len() == before {
            let span = source.span(0, 0);
            let found = if documents.is_empty() { "nothing" } else { "several documents" };
            let mistake =
                Mistake::Expected { expected: EXPECTED.to_string(), found: found.to_string(), hint: None };
            problems.push(Problem::at(source, span, mistake));
        }
        return None;
    };
    let mut reader = Reader { source: Arc::clone(source), problems, browsers };
    let script = reader.script(document)?;
    (reader.problems.len() == before).then_some(script)
}

const EXPECTED: &str = "a script with `run` or `steps`";

impl Reader<'_> {
    fn script(&mut self, node: &Node) -> Option<ScriptDraft> {
        let has_program = matches!(&node.value, Value::Map(entries)
            if entries.iter().any(|(key, _)| key.text == "run"));
        let known: Vec<&'static str> = if has_program {
            keys::names(keys::PROGRAM_SCRIPT)
        } else {
            let of_test = keys::names(keys::TEST).into_iter().filter(|key| !matches!(*key, "test" | "data"));
            keys::names(keys::STEPS_SCRIPT).into_iter().chain(of_test).collect()
        };
        let fields = self.fields(node, &known, EXPECTED)?;
        let needs = if has_program { NeedsSteps::No } else { NeedsSteps::Yes };
        let test = self.test_of(node, &fields, "script", needs);
        let body = match fields.get("run") {
            Some(run) => BodyDraft::Program(self.program_words(run)?),
            None => BodyDraft::Steps,
        };
        let parameters = match fields.get("parameters") {
            Some(node) => self.parameters(node),
            None => Vec::new(),
        };
        let description = fields.get("description").and_then(|node| self.text(node, "what the script does"));
        Some(ScriptDraft { description, parameters, body, test })
    }

    /// One word, or a list of words: no shell reads them.
    fn program_words(&mut self, node: &Node) -> Option<Vec<Text>> {
        if let Value::List(items) = &node.value {
            let words: Vec<Text> =
                items.iter().filter_map(|item| self.scalar(item, "a word of the command")).collect();
            if words.is_empty() {
                self.expected(node, "a program and its arguments");
                return None;
            }
            return Some(words);
        }
        let word = self.text(node, "a program, such as `./seed.py`, or a list of words")?;
        if word.value.contains(char::is_whitespace) {
            let words: Vec<&str> = word.value.split_whitespace().collect();
            let mistake = Mistake::Expected {
                expected: "one program, or a list of words".to_string(),
                found: format!("the text `{}`", word.value),
                hint: Some(format!("no shell reads it; write [{}]", words.join(", "))),
            };
            self.problem(node.span, mistake);
            return None;
        }
        Some(vec![word])
    }

    fn parameters(&mut self, node: &Node) -> Vec<ScriptParameter> {
        let entries = self.entries(node, "a mapping of parameters");
        entries.iter().filter_map(|(key, value)| self.parameter(key, value)).collect()
    }

    fn parameter(&mut self, key: &Key, node: &Node) -> Option<ScriptParameter> {
        let name = self.name(key, Naming::Replaceable)?.value;
        let mut parameter = ScriptParameter {
            name,
            kind: ParameterKind::Text,
            is_required: false,
            default: None,
            description: None,
            allowed: Vec::new(),
            is_secret: false,
        };
        if node.is_nothing() {
            return Some(parameter);
        }
        let fields =
            self.fields(node, &keys::names(keys::PARAMETER), "a mapping such as `{type: integer}`")?;
        if let Some(node) = fields.get("type") {
            parameter.kind = self.one_of(node, "type", &ParameterKind::ALL)?;
        }
        if let Some(node) = fields.get("required") {
            parameter.is_required = self.switch(node)?;
        }
        if let Some(node) = fields.get("secret") {
            parameter.is_secret = self.switch(node)?;
        }
        if let Some(node) = fields.get("description") {
            parameter.description = Some(self.text(node, "what the parameter is for")?.value);
        }
        if let Some(node) = fields.get("allowed") {
            for value in self.list(node, "a list of values") {
                let text = self.scalar(value, "a value")?;
                if !parameter.kind.fits(&text.value) {
                    self.expected(value, parameter.kind.expected());
                    return None;
                }
                parameter.allowed.push(text.value);
            }
        }
        if let Some(node) = fields.get("default") {
            self.check_default(&fields, &parameter)?;
            let text = self.scalar(node, "a value")?;
            if let Some(mistake) = mistake_in(&parameter, &text.value) {
                let expected = match parameter.allowed.as_slice() {
                    [] => parameter.kind.expected().to_string(),
                    _ => "one of the allowed values".to_string(),
                };
                let hint = mistake.hint();
                self.problem(node.span, Mistake::Expected { expected, found: node.found(), hint });
                return None;
            }
            parameter.default = Some(text.value);
        }
        Some(parameter)
    }

    /// A parameter with a default always has a value, and a secret does not stand in a file.
    fn check_default(&mut self, fields: &Fields<'_>, parameter: &ScriptParameter) -> Option<()> {
        let key = fields.key("default")?;
        if parameter.is_secret {
            self.problem(key.span, Mistake::SecretInFile { secret: parameter.name.clone() });
            return None;
        }
        if parameter.is_required {
            let mistake = Mistake::Expected {
                expected: "`required: true` or `default`".to_string(),
                found: "both".to_string(),
                hint: Some("a parameter with a default always has a value".to_string()),
            };
            self.problem(key.span, mistake);
            return None;
        }
        Some(())
    }
}
