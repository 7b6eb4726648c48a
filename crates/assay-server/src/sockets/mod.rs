//! Socket.IO: conversations and runs live, for clients that are events rather than requests.
//!
//! The library speaks the protocol. What is before it lets requests in as everywhere else, binds each session to its
//! caller, and refuses in the words that clients know. What an event asks for is asked of the routes, and what clients
//! are told comes from the record.

mod agent;
mod bound;
mod door;
mod events;
mod flushes;
mod handshake;
mod member;
mod pace;
mod refusal;
mod runs;

pub(crate) use bound::Bound;
pub(crate) use door::{Sockets, is_socket};
pub(crate) use flushes::{Flushes, Watched};
