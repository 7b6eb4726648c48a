//! An agent as its file declares it.

use std::path::PathBuf;
use std::time::Duration;

use assay_protocol::EventPriority;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agent {
    /// The key `agent` of the file.
    pub id: String,
    pub nickname: String,
    pub description: String,
    /// People can talk to it.
    #[serde(rename = "selectable")]
    pub is_selectable: bool,
    /// It answers where nobody names an agent.
    #[serde(rename = "default")]
    pub is_default: bool,
    /// The events that wake it.
    pub triggers: Vec<EventTrigger>,
    /// Names of skills.
    pub skills: Vec<String>,
    pub config: AgentConfig,
    /// Requests that a person could begin with.
    pub suggestions: Vec<String>,
    /// As it is shown; none for one that is built in.
    pub file: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EventTrigger {
    /// Such as `alert.app_crash`.
    pub event: String,
    pub priority: EventPriority,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentConfig {
    #[serde(rename = "enabled")]
    pub is_enabled: bool,
    pub max_parallel_tasks: u32,
    /// How long one turn may take.
    #[serde(rename = "timeout_seconds", serialize_with = "as_seconds")]
    pub timeout: Duration,
    pub budget: AgentLimits,
    /// Calls that a person has to agree to.
    pub approval_required_for: Vec<Approval>,
}

/// What one conversation may use of a model. What a file does not say is as of the agents that are built in.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentLimits {
    pub tokens: u64,
    /// In dollars.
    pub money: f64,
    /// Calls of a model in one turn.
    pub turns: u32,
}

impl AgentLimits {
    /// No more than either allows.
    pub fn at_most(&self, other: &AgentLimits) -> AgentLimits {
        AgentLimits {
            tokens: self.tokens.min(other.tokens),
            money: self.money.min(other.money),
            turns: self.turns.min(other.turns),
        }
    }
}

impl Default for AgentLimits {
    fn default() -> AgentLimits {
        AgentLimits { tokens: 200_000, money: 1.00, turns: 30 }
    }
}

/// A class of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Approval {
    /// Calls that remove something for good.
    Destructive,
    /// Calls that change files of the project or control of a device.
    Writes,
    /// Calls that act on applications.
    Runs,
}

impl Approval {
    pub const ALL: [(&'static str, Approval); 3] =
        [("destructive", Approval::Destructive), ("writes", Approval::Writes), ("runs", Approval::Runs)];
}

fn as_seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.as_secs())
}
