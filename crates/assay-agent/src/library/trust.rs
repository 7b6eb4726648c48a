//! What an agent may do without more words: skills of strangers stay inside their project, and some calls need a person.

use super::built_in::built_in_skill_texts;
use assay_suite::{Agent, AgentLimits, Approval, Skill};
use assay_tools::{Group, Tool};

/// Whether a tool does something beyond the files of its project: pages, programs, devices, any command. Finding out
/// what there is harms nobody.
pub fn acts_outside(tool: &Tool) -> bool {
    match tool.group {
        Group::CommandLine | Group::Browser => true,
        Group::Devices => !tool.effects.reads_only,
        _ => tool.effects.is_open_world,
    }
}

/// The tools that a skill may not have here: the skill or its agent came with a project that is not trusted.
pub fn refused_tools<'a>(skill: &'a Skill, agent: &Agent, is_trusted: bool) -> Vec<&'a str> {
    let is_of_project = skill.file.is_some() || agent.file.is_some();
    if !is_of_project || is_trusted {
        return Vec::new();
    }
    // Under the name of a built-in skill, it would be taken for that one.
    let poses = skill.file.is_some() && built_in_skill_texts().iter().any(|(name, _)| *name == skill.name);
    if poses {
        return skill.tools.iter().map(String::as_str).collect();
    }
    let is_refused = |name: &&String| assay_tools::find_tool(name).is_none_or(acts_outside);
    skill.tools.iter().filter(is_refused).map(String::as_str).collect()
}

/// What a conversation with an agent may use of a model. One of a project that is not trusted may say less than usual,
/// and no more.
pub fn budget_of(agent: &Agent, is_trusted: bool) -> AgentLimits {
    match agent.file.is_some() && !is_trusted {
        true => agent.config.budget.at_most(&AgentLimits::default()),
        false => agent.config.budget.clone(),
    }
}

/// Whether a person has to agree before an agent calls a tool.
pub fn needs_approval(tool: &Tool, agent: &Agent) -> bool {
    agent.config.approval_required_for.iter().any(|class| match class {
        Approval::Destructive => tool.effects.destroys,
        Approval::Writes => !tool.effects.reads_only,
        Approval::Runs => tool.effects.is_open_world && !tool.effects.reads_only,
    })
}
