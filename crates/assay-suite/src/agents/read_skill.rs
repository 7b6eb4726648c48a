//! The file of a skill, read with its mistakes.

use std::sync::Arc;
use std::time::Duration;

use super::skill::{Condition, Skill, SkillPlatform, Slot, SlotKind, Wanted};
use super::tool_shape::ToolShape;
use crate::keys;
use crate::mistake::Mistake;
use crate::nearest::nearest;
use crate::node::{Key, Node, Value};
use crate::problem::Problems;
use crate::reader::Reader;
use crate::source::Source;

const EXPECTED: &str = "a skill with `name`, `description`, `triggers`, `system_prompt` and `tools`";
const LONGEST_S: u64 = 24 * 3600;
const USUAL_S: u64 = 1800;

/// The skill of a file. Adds mistakes to `problems`.
pub(super) fn read_skill(
    source: &Arc<Source>,
    tools: &[ToolShape],
    problems: &mut Problems,
) -> Option<Skill> {
    let before = problems.len();
    let document = super::load::only_document(source, EXPECTED, problems)?;
    let mut reader = Reader { source: Arc::clone(source), problems, browsers: &[] };
    let skill = reader.skill(&document, tools)?;
    (reader.problems.len() == before).then_some(skill)
}

impl Reader<'_> {
    fn skill(&mut self, node: &Node, known: &[ToolShape]) -> Option<Skill> {
        let fields = self.fields(node, &keys::names(keys::SKILL), EXPECTED)?;
        let required =
            ["name", "description", "triggers", "system_prompt", "tools"].map(|key| fields.get(key));
        let [Some(name), Some(description), Some(triggers), Some(system_prompt), Some(tools)] = required
        else {
            self.lacking(node, EXPECTED);
            return None;
        };
        let name = self.dashed_name(name, "the name of the skill");
        let version = match fields.get("version") {
            Some(node) => self.skill_version(node),
            None => Some("1.0.0".to_string()),
        };
        let description = self.text(description, "what the skill does");
        let triggers = self.skill_triggers(triggers);
        let system_prompt = self.text(system_prompt, "what a model should know of its work");
        let tools = self.skill_tools(tools, known);
        let platform = match fields.get("platform") {
            Some(node) if !node.is_nothing() => self.one_of(node, "platform", &SkillPlatform::ALL),
            _ => None,
        };
        let requires_device = fields.get("requires_device").and_then(|node| self.switch(node));
        let seconds = fields.get("timeout_seconds").and_then(|node| self.whole_number(node, 1, LONGEST_S));
        let slots = match fields.get("slots") {
            Some(node) => {
                let entries = self.entries(node, "a mapping of slots");
                entries.iter().filter_map(|(key, value)| self.slot(key, value)).collect()
            }
            None => Vec::new(),
        };
        let mut skill = Skill {
            name: name?,
            version: version?,
            description: description?.value,
            triggers,
            system_prompt: system_prompt?.value,
            tools,
            platform,
            requires_device: requires_device.unwrap_or(false),
            timeout: Duration::from_secs(seconds.unwrap_or(USUAL_S)),
            slots,
            workflow: Vec::new(),
            answer: Vec::new(),
            file: None,
        };
        self.check_slot_conditions(&skill, fields.get("slots"));
        if let Some(node) = fields.get("workflow") {
            skill.workflow = self.workflow(node, &skill, known);
        }
        if let Some(node) = fields.get("answer") {
            skill.answer = self.answer(node, &skill);
        }
        Some(skill)
    }

    /// Lower-case letters, digits and `-`: the name is typed, and it is the name of a file.
    pub(super) fn dashed_name(&mut self, node: &Node, what: &str) -> Option<String> {
        let text = self.text(node, what)?.value;
        let fits = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if !text.chars().all(fits) || text.starts_with('-') || text.ends_with('-') || text.len() > 64 {
            self.expected(node, "a name of at most 64 lower-case letters, digits and `-`");
            return None;
        }
        Some(text)
    }

    fn skill_version(&mut self, node: &Node) -> Option<String> {
        let text = self.text(node, "a version such as `1.0.0`")?.value;
        let parts: Vec<&str> = text.split('.').collect();
        if parts.len() != 3 || parts.iter().any(|part| part.parse::<u32>().is_err()) {
            self.expected(node, "a version such as `1.0.0`");
            return None;
        }
        Some(text)
    }

    fn skill_triggers(&mut self, node: &Node) -> Vec<String> {
        const TRIGGERS: &str = "a list of phrases, such as `run testcase`";
        let items = self.list(node, TRIGGERS);
        if items.is_empty() && matches!(node.value, Value::List(_)) {
            self.expected(node, TRIGGERS);
        }
        let mut phrases: Vec<String> = Vec::new();
        for item in items {
            let Some(text) = self.text(item, "a phrase") else { continue };
            if phrases.iter().any(|known| known.eq_ignore_ascii_case(&text.value)) {
                self.problem(item.span, Mistake::NamedTwice { what: "trigger", name: text.value });
                continue;
            }
            phrases.push(text.value);
        }
        phrases
    }

    fn skill_tools(&mut self, node: &Node, known: &[ToolShape]) -> Vec<String> {
        let items = self.list(node, "a list of tools");
        let mut names: Vec<String> = Vec::new();
        for item in items {
            let Some(text) = self.text(item, "the name of a tool") else { continue };
            if names.contains(&text.value) {
                self.problem(item.span, Mistake::NamedTwice { what: "tool", name: text.value });
                continue;
            }
            if !known.iter().any(|tool| tool.name == text.value) {
                let nearest = nearest(&text.value, known.iter().map(|tool| tool.name.as_str()));
                self.problem(item.span, Mistake::UnknownTool { name: text.value.clone(), nearest });
            }
            names.push(text.value);
        }
        let (least, most) = Skill::TOOLS;
        if matches!(node.value, Value::List(_)) && !(least..=most).contains(&items.len()) {
            self.problem(node.span, Mistake::ToolCount { found: items.len() });
        }
        names
    }

    fn slot(&mut self, key: &Key, node: &Node) -> Option<Slot> {
        const SLOT: &str = "a slot such as `{kind: testcase, required: true}`";
        let name = self.name(key, crate::reader::Naming::Replaceable)?.value;
        let fields = self.fields(node, &keys::names(keys::SKILL_SLOT), SLOT)?;
        let Some(kind) = fields.get("kind") else {
            self.lacking(node, SLOT);
            return None;
        };
        let kind = self.one_of(kind, "kind", &SlotKind::ALL)?;
        let choices = match (fields.get("values"), kind) {
            (Some(node), SlotKind::Choice) => self.choices(node),
            (Some(_), _) => {
                let key = fields.key("values")?;
                self.only_with(key, "`kind: choice`", kind.name());
                return None;
            }
            (None, SlotKind::Choice) => {
                self.lacking(node, "a choice with `values`");
                return None;
            }
            (None, _) => Vec::new(),
        };
        let (is_required, required_when) = match fields.get("required") {
            Some(node) if matches!(node.value, Value::Map(_)) => (false, self.conditions(node)),
            Some(node) => (self.switch(node)?, Vec::new()),
            None => (false, Vec::new()),
        };
        let is_many = fields.get("many").and_then(|node| self.switch(node)).unwrap_or(false);
        let default = fields.get("default").and_then(|node| self.text(node, "a value"));
        let after = match fields.get("after") {
            Some(node) => self.texts(node, "words that stand before the value"),
            None => Vec::new(),
        };
        let ask = fields.get("ask").and_then(|node| self.text(node, "a question"));
        if let (Some(text), false) = (&default, choices.is_empty())
            && !choices.iter().any(|(value, _)| *value == text.value)
        {
            let valid: Vec<String> = choices.iter().map(|(value, _)| value.clone()).collect();
            let nearest = nearest(&text.value, valid.iter().map(String::as_str));
            let mistake = Mistake::UnknownValue { what: "value", found: text.value.clone(), nearest, valid };
            self.problem(text.span, mistake);
            return None;
        }
        Some(Slot {
            name,
            kind,
            is_required,
            required_when,
            is_many,
            choices,
            default: default.map(|text| text.value),
            after: after.into_iter().map(|text| text.value).collect(),
            ask: ask.map(|text| text.value),
        })
    }

    fn choices(&mut self, node: &Node) -> Vec<(String, Vec<String>)> {
        let entries = self.entries(node, "a mapping of values to their words");
        let mut choices = Vec::new();
        for (key, value) in entries {
            let words = if value.is_nothing() { Vec::new() } else { self.texts(value, "a word") };
            let words = words.into_iter().map(|text| text.value).collect();
            choices.push((key.text.clone(), words));
        }
        choices
    }

    fn only_with(&mut self, key: &Key, expected: &str, found: &str) {
        let found = format!("`{}` with the kind `{found}`", key.text);
        self.problem(key.span, Mistake::Expected { expected: expected.to_string(), found, hint: None });
    }

    /// `{act: link, requirement: any}`.
    pub(super) fn conditions(&mut self, node: &Node) -> Vec<Condition> {
        let entries = self.entries(node, "a mapping of slots to values");
        let mut conditions = Vec::new();
        for (key, value) in entries {
            let words: Vec<String> =
                self.texts(value, "a value, `any` or `none`").into_iter().map(|text| text.value).collect();
            let wanted = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["any"] => Wanted::Any,
                ["none"] => Wanted::Nothing,
                _ => Wanted::OneOf(words),
            };
            conditions.push(Condition { slot: key.text.clone(), wanted });
        }
        conditions
    }

    fn check_slot_conditions(&mut self, skill: &Skill, node: Option<&Node>) {
        let Some(Node { value: Value::Map(entries), .. }) = node else { return };
        for (key, value) in entries {
            let Value::Map(fields) = &value.value else { continue };
            let required = fields.iter().find(|(field, _)| field.text == "required");
            if let (Some(slot), Some((_, node))) = (skill.slot(&key.text), required) {
                self.check_conditions(&slot.required_when.clone(), node, skill);
            }
        }
    }

    /// Conditions name slots of the skill, and values that these can have.
    pub(super) fn check_conditions(&mut self, conditions: &[Condition], node: &Node, skill: &Skill) {
        let Value::Map(entries) = &node.value else { return };
        for (condition, (key, value)) in conditions.iter().zip(entries) {
            let Some(slot) = skill.slot(&condition.slot) else {
                let known: Vec<String> = skill.slots.iter().map(|slot| slot.name.clone()).collect();
                let nearest = nearest(&condition.slot, known.iter().map(String::as_str));
                let found = condition.slot.clone();
                let mistake = Mistake::UnknownValue { what: "slot", found, nearest, valid: known };
                self.problem(key.span, mistake);
                continue;
            };
            if let (Wanted::OneOf(words), false) = (&condition.wanted, slot.choices.is_empty()) {
                let valid: Vec<String> = slot.choices.iter().map(|(value, _)| value.clone()).collect();
                for word in words.iter().filter(|word| !valid.contains(word)) {
                    let nearest = nearest(word, valid.iter().map(String::as_str));
                    let (found, valid) = (word.clone(), valid.clone());
                    self.problem(value.span, Mistake::UnknownValue { what: "value", found, nearest, valid });
                }
            }
        }
    }
}
