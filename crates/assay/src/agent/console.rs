//! What an agent does, line by line, for people at a terminal. It is talk: the answer alone is data.

use assay_agent::{AgentEvent, AgentListener, EventKind};
use assay_report::one_line;
use serde_json::Value;

use crate::output::tell;

/// How many characters of the arguments of a call are shown.
const MOST_OF_ARGUMENTS: usize = 80;

pub struct Console {
    pub is_silent: bool,
}

impl AgentListener for Console {
    fn event(&self, event: &AgentEvent) {
        if self.is_silent {
            return;
        }
        let tool = event.tool_name.as_deref().unwrap_or_default();
        match event.kind {
            EventKind::SkillLoaded => {
                let listed =
                    event.tool_params.as_ref().and_then(Value::as_array).map(|tools| tools.len() as u64);
                let counted = event.tool_result.as_ref().and_then(|result| result["tools"].as_u64());
                let count = listed.or(counted).unwrap_or_default();
                tell(&format!("LOAD SKILL {}\n[{}: {count} tools]", event.content, event.content));
            }
            EventKind::ToolResult => {
                let arguments = event.tool_params.as_ref().map(words).unwrap_or_default();
                let mark = if event.success == Some(false) { "✗" } else { "→" };
                tell(&format!("{tool}{arguments} {mark} {}", one_line(&event.content)));
            }
            EventKind::Thinking | EventKind::AgentDelegated => tell(&one_line(&event.content)),
            EventKind::Error => tell(&format!("error: {}", one_line(&event.content))),
            EventKind::ApprovalReceived => tell(&format!("{tool}: {}", event.content)),
            _ => {}
        }
    }
}

/// The values of arguments, as far as they are short.
fn words(arguments: &Value) -> String {
    let values = arguments.as_object().into_iter().flatten().filter_map(|(_, value)| match value {
        Value::String(text) => Some(text.clone()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
        other => Some(other.to_string()),
    });
    let text: String = values.map(|value| format!(" {}", one_line(&value))).collect();
    match text.chars().count() > MOST_OF_ARGUMENTS {
        true => format!("{}…", text.chars().take(MOST_OF_ARGUMENTS).collect::<String>()),
        false => text,
    }
}
