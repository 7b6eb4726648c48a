//! The books of a service: what it accepted, what it answered, who asked, what is begun when, and whom it tells.
//!
//! An order is on the disk before the service says that it was accepted, so a service that dies carries it out once or
//! says what became of it. A key makes a repeated request the same request. The audit log tells who changed what. Ticks of
//! schedules and deliveries of other systems are on record together with what they begin.

mod audit;
mod hook_messages;
mod incoming_hooks;
mod keys;
mod orders;
mod outgoing_hooks;
mod schedules;
mod tables;
mod telling;
mod work;

pub use audit::{AuditEntry, NewAuditEntry};
pub use hook_messages::{Attempted, HookMessage, MessagePage, MessageStatus};
pub use incoming_hooks::{HookDelivery, IncomingHook, NewDelivery};
pub use keys::{KeptAnswer, KeyState, RequestKey};
pub use orders::{NewOrder, Order, OrderPage, OrderStatus};
pub use outgoing_hooks::{MessageKind, OutgoingHook, OutgoingSettings};
pub use schedules::{NewTick, Schedule, ScheduleSettings, Tick};
pub use work::{BegunWork, NewWork};

pub(crate) use tables::SCHEDULES_AND_HOOKS;
