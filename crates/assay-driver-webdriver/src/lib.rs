//! Remote browsers over classic WebDriver, and finding out what an address speaks.
//!
//! `protocol/` follows the specification and knows nothing of assay; the other files map it onto the
//! seam. Knows that a session may offer a better protocol, but not who speaks it.

mod browser;
mod cookies;
mod driver;
mod evaluate;
mod exchange;
mod input;
mod look;
mod poll;
mod probe;
mod protocol;
mod session;
mod surface;

pub use driver::WebDriverDriver;
pub use probe::{Spoken, probe};
pub use session::{RemoteSession, Upgrade};
