//! Who is told what happens in a run.

use assay_protocol::{Failure, RunFact};

/// Puts on record what it is told, and passes it on to whoever reports.
pub trait Listener {
    /// Returns when it is on record.
    fn event(&self, fact: RunFact);

    /// Why nothing can be put on record any more. Then nothing that changes a page is begun.
    fn trouble(&self) -> Option<Failure>;
}

/// One who only listens.
impl<F: Fn(RunFact)> Listener for F {
    fn event(&self, fact: RunFact) {
        self(fact);
    }

    fn trouble(&self) -> Option<Failure> {
        None
    }
}
