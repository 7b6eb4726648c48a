//! Tests, requirements, scripts and project files as text: parsed, checked, edited, with positions.
//!
//! Takes text; returns tests that are ready to run, and all mistakes with their positions. Knows the formats and the
//! folder of a suite. Runs nothing, and does not know the meaning of a command or a sentence.

mod agents;
mod case;
mod data;
mod expand;
mod files;
mod glob;
mod keys;
mod load;
mod lock;
mod mistake;
mod names;
mod nearest;
mod node;
mod options;
mod pattern;
mod problem;
mod project;
mod quotes;
mod reader;
mod requirements;
mod reuse;
mod schema;
mod scripts;
mod search;
mod settings;
mod slug;
mod source;
mod step_draft;
mod surroundings;
mod template;
mod test_file;
mod tree_file;
mod user;
mod way;
mod world;
mod yaml;
mod yaml_edit;

pub use agents::{
    Agent, AgentConfig, AgentLimits, AnswerPart, Approval, Argument, Condition, EventTrigger, LoadedAgents,
    NamedSkills, Skill, SkillPlatform, Slot, SlotKind, Template, TemplatePart, ToolShape, ValuePath, Wanted,
    WorkflowStep, load_agents, parse_agent, parse_skill,
};
pub use case::{
    Body, Instruction, PreconditionRequest, ShellCommand, TestCase, TestStep, Way, WrittenPrecondition,
    lock_beside,
};
pub use load::{Loaded, load, load_in, project_of};
pub use lock::LockFile;
pub use mistake::Mistake;
pub use options::{
    BrowserName, ClipboardSetting, PilotChoice, PolicySettings, StandingClaims, TestBudget, TimeoutSettings,
    ViewportSetting,
};
pub use problem::{Excerpt, Problem};
pub use project::{McpCommand, Project, RecoverySettings, ServerStart};
pub use requirements::{
    CannotEdit, ImportMistake, ImportedRequirement, ProjectRequirements, RequirementChange,
    RequirementOnFile, RequirementTable, WrittenRequirements, link_requirement, project_requirements,
    read_requirement_table, unlink_requirement, write_requirements,
};
pub use schema::{schema, schema_project, schema_requirements, schema_script};
pub use scripts::{
    LoadedScripts, ParameterKind, ParameterMistake, ProgramCall, ReadyScript, Script, ScriptBody,
    ScriptParameter, ScriptTrouble, ScriptWork, load_scripts, ready_script,
};
pub use search::folders_above;
pub use source::Position;
pub use template::template;
pub use tree_file::{TREE_FOLDER, TreeFile};
pub use user::{CacheTime, UserSettings, read_user_settings};
