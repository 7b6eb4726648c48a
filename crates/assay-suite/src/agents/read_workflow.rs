//! The workflow and the answer of a skill: calls with arguments, and texts with placeholders.

use super::skill::{AnswerPart, Argument, Skill, WorkflowStep};
use super::tool_shape::ToolShape;
use super::words::{Template, ValuePath};
use crate::keys;
use crate::mistake::Mistake;
use crate::nearest::nearest;
use crate::node::{Key, Node, Value};
use crate::reader::{Fields, Reader};

/// What a placeholder means inside a list.
const ITEM: &str = "item";

impl Reader<'_> {
    pub(super) fn workflow(&mut self, node: &Node, skill: &Skill, tools: &[ToolShape]) -> Vec<WorkflowStep> {
        let items = self.list(node, "a list of calls");
        let mut steps: Vec<WorkflowStep> = Vec::new();
        for item in items {
            let before: Vec<String> = steps.iter().map(|step| step.tool.clone()).collect();
            steps.extend(self.workflow_step(item, skill, &before, tools));
        }
        steps
    }

    fn workflow_step(
        &mut self,
        node: &Node,
        skill: &Skill,
        before: &[String],
        tools: &[ToolShape],
    ) -> Option<WorkflowStep> {
        const STEP: &str = "a call such as `{tool: list_hosts}`";
        let fields = self.fields(node, &keys::names(keys::SKILL_STEP), STEP)?;
        let Some(tool) = fields.get("tool") else {
            self.lacking(node, STEP);
            return None;
        };
        let name = self.text(tool, "the name of a tool")?.value;
        if !skill.tools.contains(&name) {
            let nearest = nearest(&name, skill.tools.iter().map(String::as_str));
            let (found, valid) = (name.clone(), skill.tools.clone());
            self.problem(
                tool.span,
                Mistake::UnknownValue { what: "tool of the skill", found, nearest, valid },
            );
        }
        let each = fields.get("each").and_then(|node| self.way(node, skill, before));
        let mut roots = before.to_vec();
        if each.is_some() {
            roots.push(ITEM.to_string());
        }
        if let Some(shape) = tools.iter().find(|shape| shape.name == name) {
            self.check_arguments(shape, node, fields.get("with"));
        }
        let arguments = match fields.get("with") {
            Some(node) => {
                let entries = self.entries(node, "a mapping of arguments");
                let arguments = entries.iter().filter_map(|(key, value)| {
                    Some((key.text.clone(), self.argument(value, skill, &roots)?))
                });
                arguments.collect()
            }
            None => Vec::new(),
        };
        let when = self.conditions_of(&fields, skill);
        let needs = match (fields.get("needs"), fields.get("otherwise")) {
            (Some(way), Some(text)) => {
                let way = self.way(way, skill, before);
                let text = self.template(text, skill, before);
                way.zip(text)
            }
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                self.lacking(node, "`needs` and `otherwise` together");
                None
            }
        };
        let may_fail = fields.get("may_fail").and_then(|node| self.switch(node)).unwrap_or(false);
        let is_always = fields.get("always").and_then(|node| self.switch(node)).unwrap_or(false);
        Some(WorkflowStep { tool: name, arguments, when, each, needs, may_fail, is_always })
    }

    /// The tool takes each argument, and each that it needs has a source.
    fn check_arguments(&mut self, shape: &ToolShape, step: &Node, with: Option<&Node>) {
        let given: &[(Key, Node)] = match with.map(|node| &node.value) {
            Some(Value::Map(entries)) => entries,
            // What is no mapping is told of where it is read.
            Some(_) => return,
            None => &[],
        };
        for (key, _) in given {
            if let Some(takes) = shape.takes.as_ref().filter(|takes| !takes.contains(&key.text)) {
                let nearest = nearest(&key.text, takes.iter().map(String::as_str));
                let (found, valid) = (key.text.clone(), takes.clone());
                let what = "argument of the tool";
                self.problem(key.span, Mistake::UnknownValue { what, found, nearest, valid });
            }
        }
        for needed in &shape.needs {
            if !given.iter().any(|(key, _)| key.text == *needed) {
                let expected = format!("`with` with the argument `{needed}`, which `{}` needs", shape.name);
                self.lacking(with.unwrap_or(step), &expected);
            }
        }
    }

    fn conditions_of(&mut self, fields: &Fields<'_>, skill: &Skill) -> Vec<super::skill::Condition> {
        let Some(node) = fields.get("when") else { return Vec::new() };
        let conditions = self.conditions(node);
        self.check_conditions(&conditions, node, skill);
        conditions
    }

    fn argument(&mut self, node: &Node, skill: &Skill, roots: &[String]) -> Option<Argument> {
        match &node.value {
            Value::List(items) => Some(Argument::List(
                items.iter().filter_map(|item| self.argument(item, skill, roots)).collect(),
            )),
            Value::Map(_) => {
                self.expected(node, "a value, or a list of values");
                None
            }
            Value::Scalar { text, plain: true } if !node.is_worded() => {
                Some(Argument::Fixed(plain_value(text)))
            }
            Value::Scalar { .. } => self.template(node, skill, roots).map(Argument::Text),
        }
    }

    /// One text, or a list of parts.
    pub(super) fn answer(&mut self, node: &Node, skill: &Skill) -> Vec<AnswerPart> {
        let results: Vec<String> = skill.workflow.iter().map(|step| step.tool.clone()).collect();
        match &node.value {
            Value::List(items) => {
                items.iter().filter_map(|item| self.answer_part(item, skill, &results)).collect()
            }
            _ => self.answer_part(node, skill, &results).into_iter().collect(),
        }
    }

    fn answer_part(&mut self, node: &Node, skill: &Skill, results: &[String]) -> Option<AnswerPart> {
        if !matches!(node.value, Value::Map(_)) {
            let say = self.template(node, skill, results)?;
            return Some(AnswerPart { when: Vec::new(), each: None, only: Vec::new(), say, none: None });
        }
        const PART: &str = "a text, or a part with `say`";
        let fields = self.fields(node, &keys::names(keys::SKILL_ANSWER), PART)?;
        let Some(say) = fields.get("say") else {
            self.lacking(node, PART);
            return None;
        };
        let each = fields.get("each").and_then(|node| self.way(node, skill, results));
        let mut roots = results.to_vec();
        if each.is_some() {
            roots.push(ITEM.to_string());
        }
        let mut only = Vec::new();
        if let Some(node) = fields.get("only") {
            for (key, value) in self.entries(node, "a mapping of fields to values") {
                let Some(way) = ValuePath::parse(&key.text) else {
                    self.expected(value, "a field of the entry");
                    continue;
                };
                only.extend(self.argument(value, skill, &roots).map(|wanted| (way, wanted)));
            }
        }
        let when = self.conditions_of(&fields, skill);
        let none = fields.get("none").and_then(|node| self.template(node, skill, results));
        let say = self.template(say, skill, &roots)?;
        Some(AnswerPart { when, each, only, say, none })
    }

    /// A text whose placeholders begin with a slot, a tool of an earlier call, or one of `more`.
    fn template(&mut self, node: &Node, skill: &Skill, more: &[String]) -> Option<Template> {
        let text = self.text(node, "a text")?;
        let template = match Template::parse(&text.value) {
            Ok(template) => template,
            Err(found) => {
                let expected = "a placeholder such as `{testcase}` or `{item.name|upper}`".to_string();
                let found = format!("`{found}`");
                self.problem(text.span, Mistake::Expected { expected, found, hint: None });
                return None;
            }
        };
        for way in template.ways() {
            self.check_way(way, node, skill, more);
        }
        Some(template)
    }

    fn way(&mut self, node: &Node, skill: &Skill, more: &[String]) -> Option<ValuePath> {
        let text = self.text(node, "a slot, or a part of an earlier answer")?;
        let Some(way) = ValuePath::parse(&text.value) else {
            self.expected(node, "a slot, or a part of an earlier answer such as `list_hosts.hosts`");
            return None;
        };
        self.check_way(&way, node, skill, more);
        Some(way)
    }

    fn check_way(&mut self, way: &ValuePath, node: &Node, skill: &Skill, more: &[String]) {
        let mut known: Vec<String> = skill.slots.iter().map(|slot| slot.name.clone()).collect();
        known.extend(more.iter().cloned());
        known.dedup();
        if !known.contains(&way.root) {
            let nearest = nearest(&way.root, known.iter().map(String::as_str));
            let found = way.root.clone();
            self.problem(
                node.span,
                Mistake::UnknownValue { what: "placeholder", found, nearest, valid: known },
            );
        }
    }
}

/// A number or a boolean as it is written.
fn plain_value(text: &str) -> serde_json::Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => serde_json::Value::Null,
        "true" | "True" | "TRUE" => serde_json::Value::Bool(true),
        "false" | "False" | "FALSE" => serde_json::Value::Bool(false),
        _ => serde_json::from_str(text).unwrap_or_else(|_| serde_json::Value::String(text.to_string())),
    }
}
