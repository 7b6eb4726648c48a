//! One turn without a model: understand, load a skill, carry out its workflow, answer.

use std::collections::BTreeMap;

use assay_suite::{Agent, Skill, SlotKind};
use serde_json::Value;

use crate::event::{AgentEvent, AgentListener, EventKind};
use crate::library::Library;
use crate::matching::{
    Bound, Given, NameIndex, Question, Understanding, lacks_device, settle_names, understand,
};
use crate::workflow::{CallMade, ToolRunner, carry_out};

pub struct TurnSpec<'a> {
    pub library: &'a Library,
    pub agent: &'a Agent,
    /// Whether the project is trusted: otherwise its own skills stay inside it.
    pub is_trusted: bool,
    pub index: &'a NameIndex,
    /// What an earlier turn has already settled.
    pub given: &'a Given,
    /// Says what would be done, and does nothing.
    pub is_dry: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct TurnEnd {
    pub skill: Option<String>,
    pub slots: BTreeMap<String, Vec<Bound>>,
    pub calls: Vec<CallMade>,
    /// In Markdown.
    pub answer: String,
    pub question: Option<Question>,
    /// 0 done and passed, 1 a test failed, 2 nothing fits or wrong, 3 open, 4 broken.
    pub exit_code: u8,
}

const OPEN: u8 = 3;
const USAGE: u8 = 2;

pub fn turn(
    request: &str,
    spec: &TurnSpec<'_>,
    runner: &dyn ToolRunner,
    listener: &dyn AgentListener,
) -> TurnEnd {
    let agent = spec.agent;
    let tell = |kind, words: &str| listener.event(&AgentEvent::new(kind, &agent.id, words, runner.now_ms()));
    tell(EventKind::AgentStarted, &agent.nickname);
    let end = answered(request, spec, runner, listener);
    match &end.question {
        Some(question) => tell(EventKind::Message, &question.text),
        None => tell(EventKind::Message, &end.answer),
    }
    tell(EventKind::AgentCompleted, &agent.nickname);
    tell(EventKind::SessionEnded, "");
    end
}

fn answered(
    request: &str,
    spec: &TurnSpec<'_>,
    runner: &dyn ToolRunner,
    listener: &dyn AgentListener,
) -> TurnEnd {
    let agent = spec.agent;
    let skills = spec.library.skills_of(agent);
    if !agent.config.is_enabled {
        let answer = format!("{} is switched off in its file.", agent.nickname);
        return TurnEnd { answer, exit_code: USAGE, ..TurnEnd::default() };
    }
    let understood = understand(request, &skills, &spec.library.skills_beside(agent), spec.index, spec.given);
    let understood = match understood {
        Understanding::Do(mut order) => match spec.library.skill(&order.skill).ok() {
            Some(skill) => match settle_names(skill, &mut order.slots, spec.index) {
                Some(question) => Understanding::Ask(question),
                None => Understanding::Do(order),
            },
            None => Understanding::Do(order),
        },
        other => other,
    };
    let order = match understood {
        Understanding::Do(order) => order,
        Understanding::Ask(question) => {
            let skill = question.skill.clone();
            return TurnEnd { skill, question: Some(question), exit_code: OPEN, ..TurnEnd::default() };
        }
        Understanding::Nothing(why) => {
            let answer = nothing_fits(&why, agent, &skills);
            return TurnEnd { answer, exit_code: USAGE, ..TurnEnd::default() };
        }
    };
    let agent = handed_over(&order.skill, spec, runner, listener);
    let skills = spec.library.skills_of(agent);
    let Some(skill) = skills.iter().find(|skill| skill.name == order.skill) else {
        let answer = format!("{} has no skill `{}`.", agent.nickname, order.skill);
        return TurnEnd { answer, exit_code: USAGE, ..TurnEnd::default() };
    };
    let mut end =
        TurnEnd { skill: Some(skill.name.clone()), slots: order.slots.clone(), ..TurnEnd::default() };
    listener.event(&AgentEvent {
        tool_params: Some(Value::from(skill.tools.clone())),
        ..AgentEvent::new(EventKind::SkillLoaded, &agent.id, skill.name.clone(), runner.now_ms())
    });
    if spec.is_dry {
        return end;
    }
    if lacks_device(skill, spec.index) {
        end.answer = no_such_device(skill, spec.index);
        end.exit_code = USAGE;
        return end;
    }
    let done = carry_out(skill, agent, &order, spec.is_trusted, runner, listener);
    end.calls = done.calls;
    end.answer = done.answer;
    end.exit_code = done.exit_code;
    end.question =
        done.question.map(|text| Question { text, skill: end.skill.clone(), ..Question::default() });
    end
}

/// The agent whose skill is needed; if that is another one, it is told.
fn handed_over<'s>(
    skill: &str,
    spec: &TurnSpec<'s>,
    runner: &dyn ToolRunner,
    listener: &dyn AgentListener,
) -> &'s Agent {
    let agent = spec.library.agent_for(skill, spec.agent);
    if agent.id != spec.agent.id {
        let words = format!("{} hands over to {}", spec.agent.nickname, agent.nickname);
        listener.event(&AgentEvent::new(EventKind::AgentDelegated, &spec.agent.id, words, runner.now_ms()));
    }
    agent
}

fn nothing_fits(why: &str, agent: &Agent, skills: &[&Skill]) -> String {
    let mut lines = Vec::new();
    if !why.is_empty() {
        lines.push(why.to_string());
    }
    lines.push(format!("None of my skills does that. {} can:", agent.nickname));
    lines.extend(skills.iter().map(|skill| format!("- {}: {}", skill.name, skill.description)));
    if !agent.suggestions.is_empty() {
        let quoted: Vec<String> = agent.suggestions.iter().map(|text| format!("\"{text}\"")).collect();
        lines.push(format!("For example: {}", quoted.join(", ")));
    }
    lines.join("\n")
}

fn no_such_device(skill: &Skill, index: &NameIndex) -> String {
    let platform = skill.platform.map_or("such", |platform| platform.name());
    let known: Vec<String> = index
        .of(SlotKind::Device)
        .map(|device| format!("{} ({})", device.name, device.facts["platform"].as_str().unwrap_or("web")))
        .collect();
    let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
    format!(
        "No {platform} device is registered, so there is nothing to explore. Registered devices: {known}."
    )
}
