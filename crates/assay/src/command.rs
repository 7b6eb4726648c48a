//! What a command line asks for, once it is understood.

use assay_host::{Granularity, HealRequest, Repeats};
use assay_protocol::{Action, BrowserSettings, Format};
use assay_tools::Profile;
use serde_json::{Map, Value};

use crate::agent::AgentWork;
use crate::backup::BackupOperation;
use crate::coverage::CoverageOptions;
use crate::device::DeviceOperation;
use crate::enrol::EnrolOptions;
use crate::event::EventOperation;
use crate::history::HistoryQuestion;
use crate::incident::IncidentOperation;
use crate::mcp::McpOptions;
use crate::models;
use crate::navigation::{ExploreOptions, GotoOptions, TreeOperation};
use crate::plan;
use crate::report;
use crate::requirement::RequirementOperation;
use crate::run::RunOptions;
use crate::script::ScriptOperation;
use crate::serve::ServeOperation;
use crate::task;
use crate::twin;

#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    Act(Action),
    Run(Box<RunOptions>),
    /// A run that was cut off.
    Resume {
        which: Option<String>,
        granularity: Granularity,
        repeats: Repeats,
    },
    /// Two builds compared.
    Twin(Box<twin::TwinOptions>),
    Past(HistoryQuestion),
    /// What is on record, in a file and back.
    Backup(BackupOperation),
    /// Work of agents without a conversation.
    Event(EventOperation),
    Incident(IncidentOperation),
    /// Tests written from a page, a goal or a document.
    Plan(Box<plan::PlanOptions>),
    /// The screens of an application.
    Explore(Box<ExploreOptions>),
    Goto(GotoOptions),
    Tree(Box<TreeOperation>),
    Task(task::TaskOperation),
    Report(report::ReportOperation),
    Heal(HealRequest),
    Init {
        folder: Option<String>,
    },
    Schema(SchemaKind),
    Coverage(CoverageOptions),
    Requirement(RequirementOperation),
    Script(ScriptOperation),
    Agent(AgentWork),
    Trust {
        folder: Option<String>,
    },
    Model(models::ModelOperation),
    /// One sentence of plain language.
    Do {
        sentence: String,
    },
    Batch {
        bail: bool,
    },
    Daemon(DaemonOperation),
    Device(DeviceOperation),
    SessionList,
    SessionStop {
        name: Option<String>,
        all: bool,
    },
    Doctor,
    Setup {
        all: bool,
        dry_run: bool,
    },
    Tools {
        profile: Profile,
    },
    /// A tool that is no verb of the browser.
    Tool {
        name: String,
        arguments: Map<String, Value>,
    },
    Mcp(McpOptions),
    /// The service of a team.
    Serve(ServeOperation),
    Enrol(EnrolOptions),
    Skill(SkillOperation),
    Completions {
        shell: String,
    },
    Reference(ReferencePage),
    Help {
        verb: Option<String>,
    },
    Version,
}

/// A page that `assay reference` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferencePage {
    Verbs,
    Engines,
    Sentences,
}

/// The files that `assay schema` describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaKind {
    Test,
    Project,
    Requirements,
    Script,
}

impl SchemaKind {
    pub const FLAGS: [(&'static str, SchemaKind); 3] = [
        ("project", SchemaKind::Project),
        ("requirements", SchemaKind::Requirements),
        ("script", SchemaKind::Script),
    ];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DaemonOperation {
    Start,
    Status,
    Stop,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkillOperation {
    List,
    Show { name: String },
    Install { agents: Vec<String>, user: bool },
}

/// A command with everything said around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Invocation {
    pub command: Command,
    pub session: String,
    pub format: Format,
    pub timeout_ms: u64,
    /// Whether the caller asked to wait for a target: `--timeout` was given.
    pub wait: bool,
    pub budget: Option<usize>,
    pub browser: BrowserSettings,
    pub allow: Vec<String>,
    /// Whether `--session` was given; in oneshot mode that asks for the daemon after all.
    pub named_session: bool,
}
