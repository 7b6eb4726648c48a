//! Somebody who puts acts on record before they are carried out, and may refuse them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use assay_protocol::{Action, Answer, Failure, FollowOrder, Scene};

/// Told of each act that changes a page, before it and after it.
pub trait Witness: Send {
    /// Returns when it is on record. What cannot be put on record is not carried out.
    fn begin(&mut self, action: &Action, seen: Option<&Scene>) -> Result<(), Failure>;

    /// The browser is gone, and with it what was done in it. A note comes back for whoever asks next.
    fn lost(&mut self) -> String;

    /// A note comes back when the end could not be put on record.
    fn end(&mut self, action: &Action, result: &Result<Answer, Failure>) -> Option<String>;
}

/// Calls a witness for a task.
pub type CallWitness = Box<dyn Fn(&FollowOrder) -> Result<Box<dyn Witness>, Failure> + Send + Sync>;

/// The place of the session's witness, which may be empty.
#[derive(Clone, Default)]
pub(crate) struct Seat(Arc<Mutex<Option<Box<dyn Witness>>>>);

impl Seat {
    pub fn take(&self) -> MutexGuard<'_, Option<Box<dyn Witness>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_taken(&self) -> bool {
        self.take().is_some()
    }
}
