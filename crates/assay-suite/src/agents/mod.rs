//! Agents and their skills as files: read with positions, and checked as far as a file alone can be.
//!
//! Does not know which tools there are: the caller names them.

mod agent;
mod load;
mod read_agent;
mod read_skill;
mod read_workflow;
mod skill;
mod tool_shape;
mod words;

pub use agent::{Agent, AgentConfig, AgentLimits, Approval, EventTrigger};
pub(crate) use load::{AGENTS_FOLDER, SKILLS_FOLDER};
pub use load::{LoadedAgents, NamedSkills, load_agents, parse_agent, parse_skill};
pub use skill::{
    AnswerPart, Argument, Condition, Skill, SkillPlatform, Slot, SlotKind, Wanted, WorkflowStep,
};
pub use tool_shape::ToolShape;
pub use words::{Template, TemplatePart, ValuePath};

#[cfg(test)]
mod tests;
