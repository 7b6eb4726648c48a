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

/// A witness at work: who has begun an act ends it, even when another takes the seat meanwhile.
pub(crate) type SharedWitness = Arc<Mutex<Box<dyn Witness>>>;

/// The place of the session's witness, which may be empty.
#[derive(Clone, Default)]
pub(crate) struct WitnessSeat(Arc<Mutex<Option<SharedWitness>>>);

impl WitnessSeat {
    pub fn put(&self, witness: Option<Box<dyn Witness>>) {
        *locked(&self.0) = witness.map(|witness| Arc::new(Mutex::new(witness)));
    }

    pub fn leave(&self) -> Option<SharedWitness> {
        locked(&self.0).take()
    }

    pub fn who(&self) -> Option<SharedWitness> {
        locked(&self.0).clone()
    }
}

pub(crate) fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
