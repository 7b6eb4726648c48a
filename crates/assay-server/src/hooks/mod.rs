//! Webhooks: what other systems tell this project, and what it tells them.

mod incoming;
mod letter;
mod outgoing;
mod reading;
mod secrets;
mod signature;
mod target;

pub use incoming::{IncomingSettings, PATH, is_delivery, prove, receive};
pub use outgoing::{OutgoingHookSettings, policy_of, send_messages};
pub use secrets::HookSecrets;
pub use target::check_target;
