//! A skill as its file declares it: a handful of tools, the words that call for it, and its workflow.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::words::{Template, ValuePath};

#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    pub name: String,
    pub version: String,
    pub description: String,
    /// Phrases; a request that says what one of them says calls for the skill.
    pub triggers: Vec<String>,
    /// For a model that works with the skill.
    pub system_prompt: String,
    /// Names of two to eight tools.
    pub tools: Vec<String>,
    /// The kind of device that it works on; any without it.
    pub platform: Option<SkillPlatform>,
    /// It works only where such a device is registered.
    pub requires_device: bool,
    pub timeout: Duration,
    /// What its workflow takes from a request, in the order of the file.
    pub slots: Vec<Slot>,
    pub workflow: Vec<WorkflowStep>,
    pub answer: Vec<AnswerPart>,
    /// As it is shown; none for one that is built in.
    pub file: Option<PathBuf>,
}

impl Skill {
    /// The fewest and the most tools that a skill may have.
    pub const TOOLS: (usize, usize) = (2, 8);

    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.name == name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SkillPlatform {
    Web,
    Mobile,
    Stb,
}

impl SkillPlatform {
    pub const ALL: [(&'static str, SkillPlatform); 3] =
        [("web", SkillPlatform::Web), ("mobile", SkillPlatform::Mobile), ("stb", SkillPlatform::Stb)];

    /// As devices name it.
    pub fn name(self) -> &'static str {
        SkillPlatform::ALL.iter().find(|(_, known)| *known == self).map_or("web", |(name, _)| name)
    }
}

/// A value that a request gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    pub name: String,
    pub kind: SlotKind,
    pub is_required: bool,
    /// When it is required only in a case.
    pub required_when: Vec<Condition>,
    /// It takes several values.
    pub is_many: bool,
    /// The words of each value, of a choice; in their order, the first that is said counts.
    pub choices: Vec<(String, Vec<String>)>,
    pub default: Option<String>,
    /// Words after which the value stands, such as `called`; a name of a project is found without them.
    pub after: Vec<String>,
    /// The question for it.
    pub ask: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotKind {
    // Names that exist.
    Script,
    Testcase,
    Device,
    Host,
    Userinterface,
    Requirement,
    Tree,
    Run,
    Tag,
    // Said in the request.
    Choice,
    Address,
    /// A code such as `REQ-12`, which nothing needs to have yet.
    Code,
    Text,
    Number,
    /// Values of a script's parameters by their names.
    Parameters,
}

impl SlotKind {
    pub const ALL: [(&'static str, SlotKind); 15] = [
        ("script", SlotKind::Script),
        ("testcase", SlotKind::Testcase),
        ("device", SlotKind::Device),
        ("host", SlotKind::Host),
        ("userinterface", SlotKind::Userinterface),
        ("requirement", SlotKind::Requirement),
        ("tree", SlotKind::Tree),
        ("run", SlotKind::Run),
        ("tag", SlotKind::Tag),
        ("choice", SlotKind::Choice),
        ("address", SlotKind::Address),
        ("code", SlotKind::Code),
        ("text", SlotKind::Text),
        ("number", SlotKind::Number),
        ("parameters", SlotKind::Parameters),
    ];

    pub fn name(self) -> &'static str {
        SlotKind::ALL.iter().find(|(_, known)| *known == self).map_or("text", |(name, _)| name)
    }
}

/// A call of the workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowStep {
    pub tool: String,
    /// Arguments by name. One whose placeholders have no value is left out.
    pub arguments: Vec<(String, Argument)>,
    /// All of them must hold, or the step is left out.
    pub when: Vec<Condition>,
    /// The call is made for each value of a list; `item` is the value.
    pub each: Option<ValuePath>,
    /// Something that must be there for the step: what, and the answer where it is not.
    pub needs: Option<(ValuePath, Template)>,
    /// A failure of the step does not end the work.
    pub may_fail: bool,
    /// It is carried out even where an earlier step failed.
    pub is_always: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// As it is written.
    Fixed(Value),
    Text(Template),
    List(Vec<Argument>),
}

/// A condition on a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub slot: String,
    pub wanted: Wanted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// It has a value.
    Any,
    /// It has none.
    Nothing,
    OneOf(Vec<String>),
}

/// A part of the answer: a text, or a text for each entry of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerPart {
    pub when: Vec<Condition>,
    /// The list.
    pub each: Option<ValuePath>,
    /// Only entries whose fields have these values; a value without a value holds for all.
    pub only: Vec<(ValuePath, Argument)>,
    pub say: Template,
    /// What is said of an empty list.
    pub none: Option<Template>,
}
