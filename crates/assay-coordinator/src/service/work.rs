//! Work that nobody asks for at the moment: it begins at a time, or because another system says so.

use rusqlite::Transaction;

use super::orders::{self, NewOrder};
use crate::bus::{self, NewEvent};
use crate::error::StateTrouble;

#[derive(Debug, Clone)]
pub enum NewWork<'a> {
    Order(NewOrder<'a>),
    Event(&'a NewEvent),
}

/// What the work became.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BegunWork {
    pub order: Option<u64>,
    pub event: Option<u64>,
}

/// In the transaction of its cause: there is never one without the other.
pub(super) fn begin(
    transaction: &Transaction<'_>,
    work: &NewWork<'_>,
    host: &str,
) -> Result<BegunWork, StateTrouble> {
    Ok(match work {
        NewWork::Order(new) => BegunWork { order: Some(orders::accept(transaction, new)?), event: None },
        NewWork::Event(event) => {
            BegunWork { order: None, event: Some(bus::publish(transaction, event, host)?.number) }
        }
    })
}
