//! The service from outside: a real server on a free loopback port, a real project, and runs that are made up.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod access;
mod artifacts;
mod attacks;
mod client;
mod console;
mod context;
mod document;
mod incoming_hooks;
mod kills;
mod live;
mod mcp;
mod operating;
mod orders;
mod outgoing_hooks;
mod plans;
mod receiver;
mod restart;
mod run_events;
mod schedules;
mod socket_client;
mod sockets;
mod tests_and_tools;
