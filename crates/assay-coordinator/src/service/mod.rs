//! The books of a service: what it accepted, what it answered, and who asked.
//!
//! An order is on the disk before the service says that it was accepted, so a service that dies carries it out once or
//! says what became of it. A key makes a repeated request the same request. The audit log tells who changed what.

mod audit;
mod keys;
mod orders;

pub use audit::{AuditEntry, NewAuditEntry};
pub use keys::{KeptAnswer, KeyState, RequestKey};
pub use orders::{NewOrder, Order, OrderPage, OrderStatus};
