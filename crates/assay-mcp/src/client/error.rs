//! Why a server could not be used.

use std::io;

#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error("the command of the MCP server is empty")]
    NoCommand,
    #[error("the MCP server `{program}` did not start: {source}")]
    NotStarted { program: String, source: io::Error },
    #[error("the MCP server `{program}` has no streams")]
    NoStreams { program: String },
    #[error("the MCP server did not answer `{method}` in time")]
    TooSlow { method: &'static str },
    #[error("the MCP server ended before it answered `{method}`")]
    Ended { method: &'static str },
    #[error("lost the connection to the MCP server: {0}")]
    Lost(String),
    #[error("the MCP server sent a message of more than {mebibytes} MiB")]
    TooLong { mebibytes: usize },
    #[error("the MCP server sent what is no message: {0}")]
    NoMessage(String),
    #[error("the MCP server speaks protocol revision `{0}`, which assay does not support")]
    Revision(String),
    #[error("the MCP server refused `{method}`: {why}")]
    Refused { method: &'static str, why: String },
    #[error("the MCP server answered `{method}` with something else")]
    Unfitting { method: &'static str },
    #[error("the MCP server has more than {0} pages of tools")]
    TooManyPages(usize),
}
