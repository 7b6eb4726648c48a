//! Slots: how many tests act at the same time.
//!
//! A test whose steps are done only waits for its claims, and sleeps most of that time. It may then free its slot, so
//! another test can act meanwhile.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(crate) struct ActingSlots {
    free: Arc<Semaphore>,
    /// Each slot has a number. The lowest free number is the last.
    numbers: RefCell<Vec<usize>>,
}

/// An occupied slot, until this is dropped.
pub(crate) struct ActingSlot {
    pub number: usize,
    places: Rc<ActingSlots>,
    _permit: OwnedSemaphorePermit,
}

impl ActingSlots {
    pub fn new(count: usize) -> Rc<ActingSlots> {
        Rc::new(ActingSlots {
            free: Arc::new(Semaphore::new(count)),
            numbers: RefCell::new((0..count).rev().collect()),
        })
    }

    /// Waits for a free slot, first come, first served.
    pub async fn take(self: &Rc<Self>) -> ActingSlot {
        let permit = Arc::clone(&self.free).acquire_owned().await.expect("the slots are never closed");
        let number = self.numbers.borrow_mut().pop().expect("there are as many numbers as slots");
        ActingSlot { number, places: Rc::clone(self), _permit: permit }
    }
}

impl Drop for ActingSlot {
    fn drop(&mut self) {
        let mut numbers = self.places.numbers.borrow_mut();
        numbers.push(self.number);
        numbers.sort_unstable_by(|one, other| other.cmp(one));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "current_thread")]
    async fn no_more_are_taken_than_there_are_and_each_has_a_number_of_its_own() {
        let places = ActingSlots::new(2);
        let (first, second) = (places.take().await, places.take().await);
        assert_eq!((first.number, second.number), (0, 1));
        let third = tokio::select! {
            biased;
            third = places.take() => Some(third),
            () = std::future::ready(()) => None,
        };
        assert!(third.is_none(), "there were two places");
        drop(first);
        assert_eq!(places.take().await.number, 0);
        assert_eq!(second.number, 1);
    }
}
