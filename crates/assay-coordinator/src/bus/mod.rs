//! Events between processes: published once, delivered at least once.
//!
//! An event is a row; publishing it is one transaction, alone or together with what it tells of. A subscriber has a
//! name, and everything that was published is delivered to it until it acknowledges it, whichever process asks in its
//! name. A process that takes an event has it as long as it lives and gives signs; after that the event is delivered
//! again. What a subscriber does must therefore bear to be begun twice.

mod delivery;
mod list;
mod of_runs;
mod publish;
mod retention;
mod rules;

pub use delivery::{Delivery, LEASE, Subscription, Trigger};
pub use list::{DeliveryState, ListedEvent, LostEvent};
pub use publish::{EventKey, NewEvent, Published};
pub use rules::{EventError, check_event_type};

pub(crate) use delivery::held_by_the_living;
pub(crate) use of_runs::publish_of;
pub(crate) use publish::{after, newest, publish};
pub(crate) use retention::trim;
