//! Messages to the coordinator and its replies: tasks, their context, their history, and the holders of locks.
//!
//! The names of the messages are those of the coordination plan, letter for letter, because other
//! programs send them. Nothing in here reads a clock or a process: facts come in, facts go out.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ErrorCode;

/// A task of one project. Numbers increase and are never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(pub i64);

impl fmt::Display for TaskId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

/// A message to the coordinator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "SCREAMING_SNAKE_CASE",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum TaskMessage {
    StartTask {
        goal: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        subtasks: Vec<Subtask>,
        /// Resources for exclusive use while the task runs. The task starts only if it gets all of them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        locks: Vec<LockName>,
        /// The process that carries it out; by default, the process that receives the message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<Owner>,
    },
    GetState {
        /// By default, the newest running task, or else the newest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<TaskId>,
    },
    UpdateTaskContext {
        task: TaskId,
        patch: ContextPatch,
    },
    RecordAction {
        task: TaskId,
        action: ActionRecord,
    },
    TaskAddRelevantTab {
        task: TaskId,
        tab: TaskTab,
    },
    StopTask {
        task: TaskId,
        #[serde(default)]
        reason: String,
    },
    PauseTask {
        task: TaskId,
        #[serde(default)]
        reason: String,
    },
    ResumeTask {
        task: TaskId,
        /// The process that continues it; by default, the process that receives the message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<Owner>,
    },
    ListTasks {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<TaskStatus>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<usize>,
    },
}

/// The coordinator's reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum TaskReply {
    /// The task as it is now, after the message.
    Task { task: Box<Task> },
    /// To `GET_STATE`.
    State(Box<TaskState>),
    /// To `RECORD_ACTION`: the number of its row in the journal.
    Recorded { number: u64 },
    /// To `LIST_TASKS`, newest first.
    Tasks { tasks: Vec<Task> },
}

/// One line about a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub id: TaskId,
    pub kind: TaskKind,
    pub goal: String,
    pub status: TaskStatus,
    /// The reason for a pause or a stop; otherwise empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Milliseconds since 1970, as all times here.
    pub created_at: u64,
    pub updated_at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<u64>,
    /// The process that carries it out, or did so last.
    pub owner: Owner,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<LockName>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskKind {
    /// Started by `START_TASK`: a goal.
    Goal,
    /// A run of a suite.
    Run,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskStatus {
    Running,
    /// It can continue: a user paused it, or its process died.
    Paused,
    /// A user stopped it early.
    Stopped,
    Finished,
}

impl TaskStatus {
    pub fn name(self) -> &'static str {
        match self {
            TaskStatus::Running => "running",
            TaskStatus::Paused => "paused",
            TaskStatus::Stopped => "stopped",
            TaskStatus::Finished => "finished",
        }
    }
}

/// The state of a task as it is exported: `{ "taskContext": …, "actionHistory": … }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskState {
    pub task_context: TaskContext,
    /// In the order in which the acts began.
    pub action_history: Vec<PastAction>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskContext {
    pub task: TaskId,
    pub goal: String,
    pub status: TaskStatus,
    pub subtasks: Vec<Subtask>,
    pub relevant_tabs: Vec<TaskTab>,
    pub collected_data: Map<String, Value>,
    pub errors: Vec<TaskError>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subtask {
    pub text: String,
    #[serde(default)]
    pub status: SubtaskStatus,
    /// How many acts the history had when it was begun: those behind them may belong to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun_after: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SubtaskStatus {
    #[default]
    Pending,
    Running,
    Done,
    Failed,
}

impl SubtaskStatus {
    pub fn name(self) -> &'static str {
        match self {
            SubtaskStatus::Pending => "pending",
            SubtaskStatus::Running => "running",
            SubtaskStatus::Done => "done",
            SubtaskStatus::Failed => "failed",
        }
    }
}

/// A tab that belongs to a task. Two entries with the same id describe one tab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskTab {
    pub id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskError {
    pub at: u64,
    pub text: String,
}

/// A change of a task's context. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContextPatch {
    /// Replaces the old list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtasks: Option<Vec<Subtask>>,
    /// Added; a known tab is updated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relevant_tabs: Vec<TaskTab>,
    /// Added key by key; a key that is there already gets the new value.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub collected_data: Map<String, Value>,
    /// Added at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
}

/// An act, reported before it is carried out or after it ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionRecord {
    pub command: String,
    #[serde(default)]
    pub phase: ActionPhase,
    /// It commits something (submits, pays, deletes): it is never repeated silently.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub commits: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<String>,
    /// Who chose it: `exact`, `builtin`, `replay`, …
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pilot: String,
    /// The lasting description of its element, as the acting process gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Value>,
    #[serde(default)]
    pub ok: bool,
    /// What it changed, or why it failed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionPhase {
    /// It is about to be carried out. The record comes first, so it survives a crash.
    Begun,
    #[default]
    Ended,
}

/// An act in a task's history. For a `begun` act no end was reported: whether it was carried out
/// is unknown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PastAction {
    /// Its last row in the journal.
    pub number: u64,
    pub at: u64,
    #[serde(flatten)]
    pub action: ActionRecord,
}

/// An event of a task, for its followers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum TaskEvent {
    Started { goal: String },
    Paused { reason: String },
    Resumed { owner: Owner },
    Stopped { reason: String },
    ContextUpdated { patch: ContextPatch },
    ActionRecorded { action: ActionRecord },
    TabAdded { tab: TaskTab },
    Finished,
}

/// An event with its position among all events. Numbers increase; there may be gaps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NumberedEvent {
    pub number: u64,
    pub at: u64,
    pub task: TaskId,
    #[serde(flatten)]
    pub event: TaskEvent,
}

/// A process, identified unambiguously, and what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    pub pid: u32,
    /// The start time of the process, in ticks since boot: the system reuses pids.
    pub process_start: u64,
    /// The boot of the machine that it belongs to.
    pub boot: String,
    pub host: String,
    /// The namespace of the pid: each container of a machine counts separately.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pid_namespace: String,
    /// A description for processes that are refused: `assay run tests/`.
    pub doing: String,
    pub since: u64,
}

impl fmt::Display for Owner {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` (pid {} on {})", self.doing, self.pid, self.host)
    }
}

/// A resource that at most one run may use at a time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum LockName {
    /// `session:NAME`
    Session(String),
    /// `device:NAME`
    Device(String),
    /// `agent-session:NUMBER`
    AgentSession(i64),
    /// `task:NUMBER`: held by the process that works on a goal.
    Task(String),
}

impl fmt::Display for LockName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockName::Session(name) => write!(out, "session:{name}"),
            LockName::Device(name) => write!(out, "device:{name}"),
            LockName::AgentSession(number) => write!(out, "agent-session:{number}"),
            LockName::Task(name) => write!(out, "task:{name}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "a lock is named `session:NAME`, `device:NAME`, `agent-session:NUMBER` or `task:NUMBER`, found `{found}`"
)]
pub struct NotALockName {
    pub found: String,
}

impl FromStr for LockName {
    type Err = NotALockName;

    fn from_str(text: &str) -> Result<Self, NotALockName> {
        match text.split_once(':') {
            Some(("session", name)) if !name.is_empty() => Ok(LockName::Session(name.to_owned())),
            Some(("device", name)) if !name.is_empty() => Ok(LockName::Device(name.to_owned())),
            Some(("agent-session", number)) => match number.parse() {
                Ok(number) => Ok(LockName::AgentSession(number)),
                Err(_) => Err(NotALockName { found: text.to_owned() }),
            },
            Some(("task", name)) if !name.is_empty() => Ok(LockName::Task(name.to_owned())),
            _ => Err(NotALockName { found: text.to_owned() }),
        }
    }
}

impl TryFrom<String> for LockName {
    type Error = NotALockName;

    fn try_from(text: String) -> Result<Self, NotALockName> {
        text.parse()
    }
}

impl From<LockName> for String {
    fn from(name: LockName) -> String {
        name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &TaskMessage, expected: &str) {
        let written = serde_json::to_string(message).unwrap();
        assert_eq!(written, expected);
        assert_eq!(&serde_json::from_str::<TaskMessage>(&written).unwrap(), message);
    }

    #[test]
    fn messages_are_named_as_in_the_plan() {
        let task = TaskId(7);
        check(
            &TaskMessage::StartTask {
                goal: "Buy".into(),
                subtasks: vec![],
                locks: vec![LockName::Session("default".into())],
                owner: None,
            },
            r#"{"type":"START_TASK","goal":"Buy","locks":["session:default"]}"#,
        );
        check(&TaskMessage::GetState { task: Some(task) }, r#"{"type":"GET_STATE","task":7}"#);
        check(
            &TaskMessage::UpdateTaskContext {
                task,
                patch: ContextPatch { errors: vec!["no cart".into()], ..ContextPatch::default() },
            },
            r#"{"type":"UPDATE_TASK_CONTEXT","task":7,"patch":{"errors":["no cart"]}}"#,
        );
        check(
            &TaskMessage::RecordAction {
                task,
                action: ActionRecord { command: "click e1".into(), ok: true, ..ActionRecord::default() },
            },
            r#"{"type":"RECORD_ACTION","task":7,"action":{"command":"click e1","phase":"ended","ok":true}}"#,
        );
        check(
            &TaskMessage::TaskAddRelevantTab {
                task,
                tab: TaskTab { id: "t1".into(), url: "http://a".into(), title: String::new() },
            },
            r#"{"type":"TASK_ADD_RELEVANT_TAB","task":7,"tab":{"id":"t1","url":"http://a"}}"#,
        );
        check(
            &TaskMessage::StopTask { task, reason: "enough".into() },
            r#"{"type":"STOP_TASK","task":7,"reason":"enough"}"#,
        );
        check(
            &TaskMessage::PauseTask { task, reason: String::new() },
            r#"{"type":"PAUSE_TASK","task":7,"reason":""}"#,
        );
        check(&TaskMessage::ResumeTask { task, owner: None }, r#"{"type":"RESUME_TASK","task":7}"#);
        check(&TaskMessage::ListTasks { status: None, limit: None }, r#"{"type":"LIST_TASKS"}"#);
    }

    #[test]
    fn a_message_with_a_key_that_nobody_knows_is_refused() {
        let told = serde_json::from_str::<TaskMessage>(r#"{"type":"STOP_TASK","task":7,"resaon":"x"}"#)
            .unwrap_err()
            .to_string();
        assert!(told.contains("unknown field `resaon`"), "{told}");
    }

    #[test]
    fn a_lock_without_a_kind_is_refused() {
        let told = "default".parse::<LockName>().unwrap_err().to_string();
        assert_eq!(
            told,
            "a lock is named `session:NAME`, `device:NAME`, `agent-session:NUMBER` or `task:NUMBER`, found `default`"
        );
        assert!("session:".parse::<LockName>().is_err());
        assert_eq!("device:a:b".parse::<LockName>().unwrap(), LockName::Device("a:b".into()));
    }
}
