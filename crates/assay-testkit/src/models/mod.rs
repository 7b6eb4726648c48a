//! Strict stand-ins for the servers of models.
//!
//! A stand-in checks every request by the provider's contract, answers from a script or from the
//! contract's examples, streams in pieces as small as a byte, keeps a cache of prompts as the provider
//! would, and misbehaves on demand. What breaks the contract is refused as the provider would refuse
//! it, and is remembered, so that the test fails.

mod anthropic;
mod asked;
mod chat;
mod contract;
mod gemini;
mod misbehaviour;
mod prompt_cache;
mod responses;
mod screen;
mod script;
mod stand_in;

pub use asked::Asked;
pub use contract::{example, example_json};
pub use misbehaviour::Misbehaviour;
pub use screen::{ScreenAct, ScreenTool};
pub use script::{Act, Said, Turn};
pub use stand_in::{Api, Pieces, StandIn};

use crate::schema;

/// What is wrong with a request or an answer by the schema of this name, a line each.
pub fn schema_problems(name: &str, value: &serde_json::Value) -> Vec<String> {
    schema::problems(contract::schema(name), value)
}

/// What is wrong with the input of a member of Anthropic's toolsets, a line each.
pub fn member_problems(toolset: &str, member: &str, input: &serde_json::Value) -> Vec<String> {
    let root = contract::schema("anthropic-toolset-inputs");
    match root.pointer(&format!("/properties/{toolset}/properties/{member}")) {
        None => vec![format!("`{toolset}` has no member `{member}`")],
        Some(part) => schema::problems_of_part(root, part, input),
    }
}

/// The members of a toolset of Anthropic, `browser` or `computer`.
pub fn members(toolset: &str) -> Vec<&'static str> {
    let members =
        contract::schema("anthropic-toolset-inputs").pointer(&format!("/properties/{toolset}/properties"));
    members
        .and_then(serde_json::Value::as_object)
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect()
}
