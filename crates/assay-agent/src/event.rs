//! What an agent does, as it happens: the events that consoles, records and services get.

use assay_protocol::write_moment;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something that an agent did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentEvent {
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// The name of the agent.
    pub agent: String,
    /// In words.
    pub content: String,
    /// ISO 8601, in UTC.
    pub timestamp: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_params: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_result: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<EventProgress>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalAsked>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metrics: Option<EventMetrics>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    Thinking,
    ToolCall,
    ToolResult,
    Message,
    Result,
    SkillLoaded,
    Progress,
    ApprovalRequired,
    ApprovalReceived,
    AgentStarted,
    AgentDelegated,
    AgentCompleted,
    SessionStarted,
    /// Always the last event of a turn.
    SessionEnded,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventProgress {
    pub current: u64,
    pub total: u64,
}

/// What a person is asked to agree to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalAsked {
    pub id: String,
    pub options: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventMetrics {
    pub duration_ms: u64,
    #[serde(default)]
    pub input_tokens: u64,
    #[serde(default)]
    pub output_tokens: u64,
    #[serde(default)]
    pub cache_read_tokens: u64,
    #[serde(default)]
    pub cache_write_tokens: u64,
}

impl AgentEvent {
    /// An event at a moment, in milliseconds since 1970.
    pub fn new(kind: EventKind, agent: &str, content: impl Into<String>, at_ms: u64) -> AgentEvent {
        AgentEvent {
            kind,
            agent: agent.to_string(),
            content: content.into(),
            timestamp: write_moment(i64::try_from(at_ms).unwrap_or(i64::MAX)),
            tool_name: None,
            tool_params: None,
            tool_result: None,
            success: None,
            error: None,
            progress: None,
            approval: None,
            metrics: None,
        }
    }
}

/// Hears of what an agent does.
pub trait AgentListener {
    fn event(&self, event: &AgentEvent);
}

/// Nobody listens.
impl AgentListener for () {
    fn event(&self, _: &AgentEvent) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_the_form_that_clients_know() {
        let event = AgentEvent {
            tool_name: Some("list_hosts".to_string()),
            tool_params: Some(serde_json::json!({})),
            ..AgentEvent::new(EventKind::ToolCall, "assistant", "list_hosts", 1_794_739_732_123)
        };
        assert_eq!(
            serde_json::to_string(&event).unwrap(),
            r#"{"type":"tool_call","agent":"assistant","content":"list_hosts","timestamp":"2026-11-15T10:48:52.123Z","tool_name":"list_hosts","tool_params":{}}"#
        );
    }
}
