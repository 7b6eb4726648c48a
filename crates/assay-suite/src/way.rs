//! How to establish a precondition: its pattern, and its command, request or steps with values.

use assay_protocol::{Part, Secrets};
use serde_json::{Number, Value as Json};

use crate::case::{Body, PreconditionRequest, ShellCommand, Way};
use crate::expand::Expander;
use crate::mistake::Mistake;
use crate::names::{self, Names, Parameters, Resolved, TextPiece};
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::project::{BodyDraft, PreconditionRule, RequestDraft, WayDraft};
use crate::source::Text;

/// The values of a pattern's holes.
type Captures = Vec<(String, String)>;

impl<'a> Expander<'a> {
    /// None when something is wrong; a problem says what.
    pub(crate) fn way(&mut self, fact: &Text, resolved: &Resolved, names: &Names<'_>) -> Option<Way> {
        let mut parameters = Parameters::default();
        // As it is written first: a value with quotes in it cannot then end too early. A name in the place of a word
        // of the pattern shows only when it is replaced.
        let maker = if let Some((maker, captures)) = self.fitting(fact, &fact.value)? {
            for (name, text) in captures {
                let text = Text { value: text, ..fact.clone() };
                let value = names.resolve(&text, &Parameters::default(), &mut self.problems)?;
                parameters.values.insert(name, value);
            }
            maker
        } else if let Some((maker, captures)) = self.fitting(fact, &resolved.text)? {
            for (name, text) in captures {
                parameters.values.insert(name, Resolved { text, secrets: resolved.secrets.clone() });
            }
            maker
        } else {
            return Some(Way::Assumed);
        };
        match &maker.way {
            WayDraft::Command(command) => self.shell_command(command, names, &parameters).map(Way::Command),
            WayDraft::Request(request) => self.http_request(request, names, &parameters).map(Way::Request),
            WayDraft::Steps(drafts) => {
                let mut steps = Vec::new();
                let trail = &mut vec![maker.text.clone()];
                self.steps(drafts, Part::Precondition, names, &parameters, trail, &mut steps);
                Some(Way::Steps(steps))
            }
        }
    }

    /// The pattern that a sentence fits. The outer none: there are two, and a problem names both.
    fn fitting(&mut self, fact: &Text, sentence: &str) -> Option<Option<(&'a PreconditionRule, Captures)>> {
        let project = self.project;
        let mut fitting =
            project.makers.iter().filter_map(|maker| Some((maker, maker.pattern.captures(sentence)?)));
        let first = fitting.next();
        if let (Some((first, _)), Some((second, _))) = (&first, fitting.next()) {
            let mistake = Mistake::Ambiguous { first: first.text.clone(), second: second.text.clone() };
            self.problems.push(Problem::in_text(fact, mistake));
            return None;
        }
        Some(first)
    }

    /// The command with the values it needs: all that the pattern took, and what else it names in `${…}`. Names that
    /// are the environment's stay the shell's business.
    pub(crate) fn shell_command(
        &mut self,
        command: &Text,
        names: &Names<'_>,
        parameters: &Parameters,
    ) -> Option<ShellCommand> {
        let before = self.problems.len();
        let mut wanted: Vec<&str> = parameters.values.keys().map(String::as_str).collect();
        for piece in names::pieces(&command.value) {
            // `${x:-y}` and its like are the shell's own.
            if let TextPiece::Name { name, .. } = piece
                && !wanted.contains(&name)
            {
                wanted.push(name);
            }
        }
        let mut environment = Vec::new();
        let mut secrets = Secrets::default();
        for name in wanted {
            if !names.is_own(name, parameters) && names.environment_has(name) {
                continue;
            }
            let Some(value) = names.value(name, parameters, command, &mut self.problems) else { continue };
            // A test could otherwise choose another `PATH` for a command that was trusted.
            if names.environment_has(name) && !names.environment_says(name, &value.text) {
                let span = command.place_of(&format!("${{{name}}}"), 0);
                let mistake = Mistake::ReplacesEnvironment { name: name.to_string() };
                self.problems.push(Problem::at(&command.source, span, mistake));
            }
            environment.push((name.to_string(), value.text));
            secrets.merge(&value.secrets);
        }
        (self.problems.len() == before).then(|| ShellCommand {
            command: shell_text(&command.value),
            environment,
            secrets,
        })
    }

    fn http_request(
        &mut self,
        draft: &RequestDraft,
        names: &Names<'_>,
        parameters: &Parameters,
    ) -> Option<PreconditionRequest> {
        let mut secrets = Secrets::default();
        let mut resolve = |text: &Text| {
            let resolved = names.resolve(text, parameters, &mut self.problems)?;
            secrets.merge(&resolved.secrets);
            Some(resolved.text)
        };
        let url = resolve(&draft.url);
        let mut headers = Vec::new();
        for (name, value) in &draft.headers {
            headers.push((name.value.clone(), resolve(value)?));
        }
        let body = match &draft.body {
            None => None,
            Some(BodyDraft::Text(text)) => Some(Body::Text(resolve(text)?)),
            Some(BodyDraft::Json(source, node)) => {
                let mut text = |value: &str, node: &Node| {
                    resolve(&Text { value: value.to_string(), span: node.span, source: source.clone() })
                };
                Some(Body::Json(json(node, &mut text)?))
            }
        };
        Some(PreconditionRequest {
            method: draft.method.to_string(),
            url: url?,
            headers,
            body,
            expect: draft.expect.clone(),
            secrets,
        })
    }
}

impl Way {
    pub(crate) fn secrets(&self) -> Secrets {
        match self {
            Way::Assumed => Secrets::default(),
            Way::Command(command) => command.secrets.clone(),
            Way::Request(request) => request.secrets.clone(),
            Way::Steps(steps) => {
                let mut secrets = Secrets::default();
                steps.iter().for_each(|step| secrets.merge(&step.secrets));
                secrets
            }
        }
    }
}

/// The command as a shell gets it: `$${` stands for `${` here as everywhere.
pub(crate) fn shell_text(command: &str) -> String {
    command.replace("$${", "${")
}

/// The tree as JSON. Names are replaced in text only, so a value can never become structure.
fn json(node: &Node, text: &mut dyn FnMut(&str, &Node) -> Option<String>) -> Option<Json> {
    Some(match &node.value {
        _ if node.is_nothing() => Json::Null,
        Value::Scalar { text: value, plain: true } => match value.as_str() {
            "true" | "True" | "TRUE" => Json::Bool(true),
            "false" | "False" | "FALSE" => Json::Bool(false),
            number => match plain_number(number) {
                Some(number) => Json::Number(number),
                None => Json::String(text(value, node)?),
            },
        },
        Value::Scalar { text: value, .. } => Json::String(text(value, node)?),
        Value::List(items) => {
            let items: Option<Vec<Json>> = items.iter().map(|item| json(item, text)).collect();
            Json::Array(items?)
        }
        Value::Map(entries) => {
            let mut object = serde_json::Map::new();
            for (key, value) in entries {
                object.insert(key.text.clone(), json(value, text)?);
            }
            Json::Object(object)
        }
    })
}

/// A number of JSON. `0123` is none, and stays text.
fn plain_number(text: &str) -> Option<Number> {
    serde_json::from_str::<Number>(text).ok()
}
