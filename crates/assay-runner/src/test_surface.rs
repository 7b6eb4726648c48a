//! The traits that a run needs from outside: browsers, and preconditions.

use std::pin::Pin;
use std::time::Duration;

use assay_actions::{Call, Fault, Policy, Taking};
use assay_driver::Deadline;
use assay_protocol::{Action, Answer, BlockedRequests, ErrorCode, Failure, TargetMark};

use crate::neighbours::Neighbours;

/// Work in progress. It stays on the thread of the run.
pub type LocalFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A browser with one user.
pub trait TestSurface {
    fn perform<'a>(
        &'a mut self,
        action: &'a Action,
        call: &'a Call,
    ) -> LocalFuture<'a, Result<Answer, Failure>>;

    /// A screenshot of the current page, taken while other queries run. Nothing may change the page before it is taken.
    fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure>;

    /// Injects a fault, on a surface that supports it.
    fn inject<'a>(
        &'a mut self,
        _fault: &'a Fault,
        _deadline: Deadline,
    ) -> LocalFuture<'a, Result<(), Failure>> {
        Box::pin(async {
            Err(Failure::new(ErrorCode::Unsupported, "this surface cannot cause faults on purpose"))
        })
    }

    /// Ends all faults.
    fn lift_faults(&mut self, _deadline: Deadline) -> LocalFuture<'_, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }

    /// How often faults have taken effect.
    fn faults_struck(&self) -> u32 {
        0
    }

    /// The requests blocked by the policy since the last call.
    fn take_blocked(&mut self) -> Vec<BlockedRequests> {
        Vec::new()
    }

    /// The time spent so far waiting for its browser, if measured.
    fn waited(&self) -> Duration {
        Duration::ZERO
    }

    /// The position of the last action's target on a screenshot, if known without a query.
    fn mark(&self) -> Option<TargetMark> {
        None
    }

    /// The address at which other programs can attach to its browser, if requested at the start.
    fn endpoint(&self) -> Option<String> {
        None
    }

    /// Whether its browser is no longer usable, as far as that is known without a query.
    fn is_gone(&self) -> bool {
        false
    }

    /// It will be reset soon, so the reset can be prepared in the background.
    fn foresee(&mut self) {}

    /// Resets it for the next test: no page, no cookies, no storage of the previous one. After an error, the surface
    /// is no longer usable.
    fn renew(&mut self) -> LocalFuture<'_, Result<(), Failure>>;

    /// Ends it, with all it started.
    fn close(self: Box<Self>) -> LocalFuture<'static, ()>;
}

/// Opens surfaces.
pub trait SurfaceSource {
    /// A surface whose pages are restricted to the domains of the policy from the first one on, if the browser can do
    /// that.
    fn open<'a>(
        &'a self,
        browser: &'a str,
        neighbours: Neighbours,
        policy: &'a Policy,
    ) -> LocalFuture<'a, Result<Box<dyn TestSurface>, Failure>>;

    /// Whether one more such surface is a part of a browser that runs already.
    fn is_shared(&self, _browser: &str, _neighbours: Neighbours, _policy: &Policy) -> bool {
        false
    }
}

/// Establishes preconditions with commands and requests.
pub trait Preconditions {
    /// `way` is the number from the plan.
    fn make_true(&self, way: usize) -> LocalFuture<'_, Result<String, Failure>>;
}
