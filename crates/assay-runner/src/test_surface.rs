//! What a run needs from outside: browsers, and ways to make facts true.

use std::pin::Pin;
use std::time::Duration;

use assay_actions::{Call, Fault, Policy, Taking};
use assay_driver::Deadline;
use assay_protocol::{Action, Answer, BlockedRequests, ErrorCode, Failure, TargetMark};

use crate::neighbours::Neighbours;

/// Work under way. It stays on the thread of the run.
pub type LocalFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A browser at hand, with one user in front of it.
pub trait TestSurface {
    fn perform<'a>(
        &'a mut self,
        action: &'a Action,
        call: &'a Call,
    ) -> LocalFuture<'a, Result<Answer, Failure>>;

    /// A picture of the page as it is now, taken while other questions are asked. Nothing may change the page before it
    /// is there.
    fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure>;

    /// Breaks something on purpose, on a surface where that can be done.
    fn inject<'a>(
        &'a mut self,
        _fault: &'a Fault,
        _deadline: Deadline,
    ) -> LocalFuture<'a, Result<(), Failure>> {
        Box::pin(async {
            Err(Failure::new(ErrorCode::Unsupported, "this surface cannot cause faults on purpose"))
        })
    }

    /// Ends all that was broken on purpose.
    fn lift_faults(&mut self, _deadline: Deadline) -> LocalFuture<'_, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }

    /// How often what was broken has made a difference.
    fn faults_struck(&self) -> u32 {
        0
    }

    /// What the policy kept from being reached since this was asked last.
    fn take_blocked(&mut self) -> Vec<BlockedRequests> {
        Vec::new()
    }

    /// How long its browser was waited for so far, where that is measured.
    fn waited(&self) -> Duration {
        Duration::ZERO
    }

    /// Where the target of the last action is on a picture of the page, as far as that is known without a question.
    fn mark(&self) -> Option<TargetMark> {
        None
    }

    /// Where others can attach to its browser, where that was asked for when it was opened.
    fn endpoint(&self) -> Option<String> {
        None
    }

    /// Whether its browser is of no more use, as far as that is known without a question.
    fn is_gone(&self) -> bool {
        false
    }

    /// It will be renewed soon: what that takes may be prepared beside the work under way.
    fn foresee(&mut self) {}

    /// Makes it as new for the next test: no page, no cookies, no storage of the one before. An error means that this
    /// surface is of no more use.
    fn renew(&mut self) -> LocalFuture<'_, Result<(), Failure>>;

    /// Ends it, with all it started.
    fn close(self: Box<Self>) -> LocalFuture<'static, ()>;
}

/// Opens surfaces.
pub trait SurfaceSource {
    /// A surface whose pages are held to the domains of the policy from the first one on, where the browser can do that.
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

/// Makes facts true by commands and requests.
pub trait Preconditions {
    /// `way` is the number that the plan gave.
    fn make_true(&self, way: usize) -> LocalFuture<'_, Result<String, Failure>>;
}
