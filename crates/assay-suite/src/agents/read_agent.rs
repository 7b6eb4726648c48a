//! The file of an agent, read with its mistakes.

use std::sync::Arc;
use std::time::Duration;

use assay_protocol::{EventPriority, is_event_pattern};

use super::agent::{Agent, AgentConfig, AgentLimits, Approval, EventTrigger};
use crate::keys;
use crate::mistake::Mistake;
use crate::nearest::nearest;
use crate::node::Node;
use crate::problem::Problems;
use crate::reader::Reader;
use crate::source::Source;

const EXPECTED: &str = "an agent with `agent`, `nickname`, `description` and `skills`";
const LONGEST_TURN_S: u64 = 24 * 3600;

/// The agent of a file. Adds mistakes to `problems`.
pub(super) fn read_agent(source: &Arc<Source>, skills: &[&str], problems: &mut Problems) -> Option<Agent> {
    let before = problems.len();
    let document = super::load::only_document(source, EXPECTED, problems)?;
    let mut reader = Reader { source: Arc::clone(source), problems, browsers: &[] };
    let agent = reader.agent(&document, skills)?;
    (reader.problems.len() == before).then_some(agent)
}

impl Reader<'_> {
    fn agent(&mut self, node: &Node, known: &[&str]) -> Option<Agent> {
        let fields = self.fields(node, &keys::names(keys::AGENT), EXPECTED)?;
        let required = ["agent", "nickname", "description", "skills"].map(|key| fields.get(key));
        let [Some(id), Some(nickname), Some(description), Some(skills)] = required else {
            self.lacking(node, EXPECTED);
            return None;
        };
        let id = self.dashed_name(id, "the name of the agent");
        let nickname = self.text(nickname, "what people call the agent");
        let description = self.text(description, "what the agent does");
        let skills = self.agent_skills(skills, known);
        let triggers = match fields.get("triggers") {
            Some(node) => {
                let items = self.list(node, "a list of events");
                items.iter().filter_map(|item| self.event_trigger(item)).collect()
            }
            None => Vec::new(),
        };
        let is_selectable = fields.get("selectable").and_then(|node| self.switch(node));
        let is_default = fields.get("default").and_then(|node| self.switch(node));
        let config = match fields.get("config") {
            Some(node) => self.agent_config(node),
            None => default_config(),
        };
        let suggestions = match fields.get("suggestions") {
            Some(node) => self.texts(node, "a request, as a sentence"),
            None => Vec::new(),
        };
        Some(Agent {
            id: id?,
            nickname: nickname?.value,
            description: description?.value,
            is_selectable: is_selectable.unwrap_or(false),
            is_default: is_default.unwrap_or(false),
            triggers,
            skills,
            config,
            suggestions: suggestions.into_iter().map(|text| text.value).collect(),
            file: None,
        })
    }

    fn agent_skills(&mut self, node: &Node, known: &[&str]) -> Vec<String> {
        const SKILLS: &str = "a list of skills";
        let items = self.list(node, SKILLS);
        if items.is_empty() {
            self.expected(node, SKILLS);
        }
        let mut names: Vec<String> = Vec::new();
        for item in items {
            let Some(text) = self.text(item, "the name of a skill") else { continue };
            if names.contains(&text.value) {
                self.problem(item.span, Mistake::NamedTwice { what: "skill", name: text.value });
                continue;
            }
            if !known.contains(&text.value.as_str()) {
                let nearest = nearest(&text.value, known.iter().copied());
                let valid = known.iter().map(|name| (*name).to_string()).collect();
                let mistake =
                    Mistake::UnknownValue { what: "skill", found: text.value.clone(), nearest, valid };
                self.problem(item.span, mistake);
            }
            names.push(text.value);
        }
        names
    }

    fn event_trigger(&mut self, node: &Node) -> Option<EventTrigger> {
        const TRIGGER: &str = "an event such as `{event: alert.app_crash, priority: critical}`";
        let fields = self.fields(node, &keys::names(keys::AGENT_TRIGGER), TRIGGER)?;
        let Some(event) = fields.get("event") else {
            self.lacking(node, TRIGGER);
            return None;
        };
        let name = self.text(event, "the name of an event")?.value;
        if !is_event_pattern(&name) {
            self.expected(event, "an event such as `alert.app_crash`, or `alert.*`");
            return None;
        }
        let priority = match fields.get("priority") {
            Some(node) => self.one_of(node, "priority", &EventPriority::ALL)?,
            None => EventPriority::Normal,
        };
        Some(EventTrigger { event: name, priority })
    }

    fn agent_config(&mut self, node: &Node) -> AgentConfig {
        let mut config = default_config();
        let Some(fields) = self.fields(node, &keys::names(keys::AGENT_CONFIG), "a mapping of settings")
        else {
            return config;
        };
        if let Some(is_enabled) = fields.get("enabled").and_then(|node| self.switch(node)) {
            config.is_enabled = is_enabled;
        }
        if let Some(number) = fields.get("max_parallel_tasks").and_then(|node| self.whole_number(node, 1, 64))
        {
            config.max_parallel_tasks = u32::try_from(number).unwrap_or(1);
        }
        if let Some(seconds) =
            fields.get("timeout_seconds").and_then(|node| self.whole_number(node, 1, LONGEST_TURN_S))
        {
            config.timeout = Duration::from_secs(seconds);
        }
        if let Some(budget) = fields.get("budget") {
            config.budget = self.agent_limits(budget);
        }
        if let Some(node) = fields.get("approval_required_for") {
            let items = self.list(node, "a list of classes of calls");
            config.approval_required_for =
                items.iter().filter_map(|item| self.one_of(item, "class of calls", &Approval::ALL)).collect();
        }
        config
    }

    fn agent_limits(&mut self, node: &Node) -> AgentLimits {
        let Some(fields) = self.fields(node, &keys::names(keys::AGENT_BUDGET), "a mapping of limits") else {
            return AgentLimits::default();
        };
        let tokens = fields.get("tokens").and_then(|node| self.whole_number(node, 1, u64::from(u32::MAX)));
        let money = fields.get("money").and_then(|node| self.amount(node, "an amount of dollars"));
        let turns = fields.get("turns").and_then(|node| self.whole_number(node, 1, 10_000));
        let usual = AgentLimits::default();
        AgentLimits {
            tokens: tokens.unwrap_or(usual.tokens),
            money: money.unwrap_or(usual.money),
            turns: turns.and_then(|turns| u32::try_from(turns).ok()).unwrap_or(usual.turns),
        }
    }
}

fn default_config() -> AgentConfig {
    AgentConfig {
        is_enabled: true,
        max_parallel_tasks: 1,
        timeout: Duration::from_secs(3600),
        budget: AgentLimits::default(),
        approval_required_for: vec![Approval::Destructive],
    }
}
