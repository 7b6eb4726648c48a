//! How the service is to be offered.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use crate::log::LogFormat;

/// The port by default.
pub const PORT: u16 = 7357;

#[derive(Debug, Clone, PartialEq)]
pub struct ServeOptions {
    pub address: SocketAddr,
    /// Names besides those of this machine, by which clients call the service.
    pub names: Vec<String>,
    /// Origins of other pages that may call it.
    pub origins: Vec<String>,
    /// So many runs at the same time; the others wait.
    pub runs: usize,
    pub log: LogFormat,
    pub limits: Limits,
}

/// What one client may take.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Bytes of a body.
    pub body: usize,
    /// The time for the headers of a request, and for its body.
    pub reading: Duration,
    pub connections: usize,
    /// Requests of one caller in a second, for long, and at once.
    pub requests_a_second: f64,
    pub requests_at_once: f64,
    /// Calls of tools at the same time: many are processes.
    pub calls: usize,
    /// Followers of runs at the same time.
    pub followers: usize,
    /// Clients of Socket.IO at the same time.
    pub sockets: usize,
    /// How often such a client is asked whether it is there, and how long its answer may take.
    pub ping_every: Duration,
    pub pong_within: Duration,
    /// How long a webhook waits after the first attempt that failed; after each other one twice as long.
    pub first_retry: Duration,
    /// So many attempts are made to send a message.
    pub message_attempts: u32,
    /// How long runs may take to be paused when the service stops.
    pub stopping: Duration,
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT),
            names: Vec::new(),
            origins: Vec::new(),
            runs: 1,
            log: LogFormat::default(),
            limits: Limits::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: 4 * 1024 * 1024,
            reading: Duration::from_secs(20),
            connections: 1024,
            requests_a_second: 200.0,
            requests_at_once: 400.0,
            calls: 16,
            followers: 512,
            sockets: 512,
            ping_every: Duration::from_secs(25),
            pong_within: Duration::from_secs(20),
            first_retry: Duration::from_secs(10),
            message_attempts: 14,
            stopping: Duration::from_secs(30),
        }
    }
}
