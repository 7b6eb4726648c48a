//! What an agent does, on standard error; the answer is data and goes elsewhere.

use assay_agent::{AgentEvent, AgentListener, EventKind};
use serde_json::Value;

use crate::output::tell;

pub struct Console {
    pub is_silent: bool,
}

impl AgentListener for Console {
    fn event(&self, event: &AgentEvent) {
        if self.is_silent {
            return;
        }
        match event.kind {
            EventKind::SkillLoaded => {
                let tools = event.tool_params.as_ref().and_then(Value::as_array).map_or(0, Vec::len);
                tell(&format!("LOAD SKILL {}", event.content));
                tell(&format!("[{}: {tools} tools]", event.content));
            }
            EventKind::ToolResult => {
                let name = event.tool_name.as_deref().unwrap_or_default();
                let mark = if event.success == Some(false) { "✗" } else { "→" };
                tell(&format!("{name} {mark} {}", event.content));
            }
            _ => {}
        }
    }
}
