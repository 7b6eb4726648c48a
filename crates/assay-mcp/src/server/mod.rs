//! The server: one service behind two doors, in both eras at once.

mod ask;
mod drive;
mod follow;
mod guard;
mod handler;
mod http;
mod page;
pub(crate) mod random;
mod session;
mod stdio;
mod tasks;
mod waiting;
mod work;

pub use guard::Token;
pub use http::{HttpEndpoint, HttpError, HttpOptions, HttpServer};
pub use stdio::{StdioError, serve_stdio, serve_streams};
