//! A client: of a server that it starts as a process, or that it finds at an address, in whichever era the server speaks.

mod answering;
mod connection;
mod error;
mod process;
mod transport;

pub use answering::User;
pub use connection::{CalledTool, Client, ClientOptions, Opening, ToolOffer};
pub use error::ClientError;
pub use process::ServerProcess;
