//! What drivers share below the seam: processes that cannot outlive us, a virtual display,
//! and one connection with ids, pending replies and events.
//!
//! Knows pipes, websockets and processes. Knows no engine and no command of any protocol.

mod cbor;
mod connection;
mod display;
mod distribution;
mod downloads;
mod process;
mod program;
mod prompt;
mod tls;
mod websocket;

pub use connection::{Connection, EventHandler, PendingReply, Refusal};
pub use display::VirtualDisplay;
pub use distribution::{Package, install_command};
pub use downloads::Downloads;
pub use process::{BrowserProcess, Spawn};
pub use program::{first_program, is_program};
pub use tls::install_tls_provider;
pub use websocket::{WebSocket, open_websocket};
