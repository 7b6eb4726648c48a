//! How an agent is called on the bus, and how much it does at a time.

use assay_coordinator::AgentShare;
use assay_suite::Agent;

/// The name of an agent on the bus. Those that come with assay are called there as people call them.
pub fn subscriber_of(agent: &str) -> String {
    match agent {
        "monitor" => "guardian".to_string(),
        "analyzer" => "sherlock".to_string(),
        other => format!("agent-{other}"),
    }
}

/// What an agent may have under way at a time, turns and events together.
pub fn share_of<'a>(agent: &'a Agent, subscriber: &'a str) -> AgentShare<'a> {
    AgentShare { agent: &agent.id, subscriber, most: agent.config.max_parallel_tasks }
}
