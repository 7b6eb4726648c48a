//! WebKit over its own remote-inspector socket.

mod driver;

pub use driver::{WebKitDriver, missing_packages};
