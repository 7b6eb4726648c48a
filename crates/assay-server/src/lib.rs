//! The service of a team: REST, Socket.IO and MCP over runs, tests, tools and agents, schedules, and webhooks in both directions.
//!
//! Knows who may ask, what each route takes and answers, and that work is on record before it is accepted. Translates, and
//! decides nothing: runs, tools and conversations are carried out by what its program passes as [`Seams`]. Prints nothing,
//! reads no environment, and names no concrete driver.

mod access;
mod api;
mod clock;
mod console;
mod files;
mod follow;
mod hooks;
mod live;
mod live_task;
mod log;
mod mcp;
mod names;
mod numbers;
mod openapi;
mod options;
mod orders;
mod paging;
mod private_files;
mod problem;
mod route;
mod schedules;
mod seams;
mod server;
mod service;
mod sessions;
mod shown;
mod sockets;

pub use access::{NewToken, Role, TokenError, TokenInfo, TokenStore};
pub use log::{Log, LogFormat, LogSink};
pub use mcp::role_of;
pub use openapi::document;
pub use options::{Limits, PORT, ServeOptions};
pub use seams::{CallerSessions, LiveCarrier, LiveTest, Resume, RunCarrier, RunWork, Seams};
pub use server::Server;
