//! Puts an MCP server into the configuration files of coding agents, by merging, and takes it out again.
//!
//! Knows where each agent keeps its servers and how an entry looks there, in JSON with comments, TOML and YAML. What
//! it does not add stays byte for byte. Does not know what the server does, reads no environment and prints nothing:
//! the caller passes the folders and shows the [`Change`] before it is applied.

mod braces;
mod catalogue;
mod change;
mod diff;
mod edit;
mod entry;
mod error;
mod json;
mod json_parser;
mod memory;
mod merge;
#[cfg(test)]
mod merge_tests;
mod places;
mod render;
#[cfg(test)]
mod roundtrip_tests;
mod toml;
mod tree;
mod write;
mod yaml;
mod yaml_parser;

pub use catalogue::{Client, Format};
pub use change::{Change, What, plan, remove};
pub use entry::{Server, manual};
pub use error::{EnrolError, Refusal};
pub use memory::Memory;
pub use places::{Places, Platform, Scope, detect, file};
pub use write::apply;
