//! What drivers share below the seam: processes that cannot outlive us, a virtual display,
//! one connection with ids, pending replies and events, the owner of a local port, and the wait for a change.
//!
//! Knows pipes, websockets and processes. Knows no engine and no command of any protocol.

mod cbor;
mod connection;
mod display;
mod distribution;
mod downloads;
mod headers;
mod outbox;
mod peer;
mod pending;
mod process;
mod program;
mod prompt;
mod reply_id;
mod tls;
mod waiting;
mod websocket;

pub use connection::{Connection, EventHandler, Refusal};
pub use display::VirtualDisplay;
pub use distribution::{Package, install_command};
pub use downloads::Downloads;
pub use headers::Headers;
pub use outbox::{LONGEST_MESSAGE, NotSent, Outbox, OutboxQueue, outbox, size_words};
pub use peer::{Ends, PeerTrouble};
pub use pending::{AwaitsReplies, CommandReply, PendingReply};
pub use process::{BrowserProcess, Spawn};
pub use program::{first_program, is_program};
pub use reply_id::{id_at_end, reply_id};
pub use tls::install_tls_provider;
pub use waiting::wait_until;
pub use websocket::{WebSocket, open_own_websocket, open_websocket};
