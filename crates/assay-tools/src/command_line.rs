//! The whole command line as one tool: the cheapest list there is.

use serde_json::json;

use crate::browser::object;
use crate::tool::{Cost, Does, Effects, Group, Tool};

pub(crate) fn tool() -> Tool {
    Tool {
        name: "assay",
        title: "assay's command line",
        description: "Run an assay command line, such as: click 'button \"Log in\"'. Begin with: --help",
        input: object(json!({
            "type": "object",
            "properties": { "arguments": { "type": "string" } },
            "required": ["arguments"],
        })),
        output: None,
        effects: Effects { destroys: true, ..Effects::RUNS },
        group: Group::CommandLine,
        cost: Cost::Long,
        says: None,
        shows_first: None,
        does: Does::CommandLine,
    }
}
