//! Listeners for the events of a run.

use assay_protocol::{Failure, RunFact};

/// Records events and passes them on to reports.
pub trait Listener {
    /// Returns when the event is recorded.
    fn event(&self, fact: RunFact);

    /// Why recording is no longer possible. Then nothing that changes a page may begin.
    fn trouble(&self) -> Option<Failure>;
}

/// A listener that records nothing.
impl<F: Fn(RunFact)> Listener for F {
    fn event(&self, fact: RunFact) {
        self(fact);
    }

    fn trouble(&self) -> Option<Failure> {
        None
    }
}
