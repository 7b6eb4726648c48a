//! One user's session: the one `perform` that every entrance ends in, with policy before and observation after.
//!
//! Knows what is the same whatever is acted on. How a page is acted on is known in `web`.

use std::sync::Arc;

use assay_driver::{Browser, Deadline};
use assay_protocol::{
    Action, Answer, BlockedRequests, ClockOperation, Emulation, Failure, Route, RouteCount, TargetMark,
    UrlPattern,
};

use crate::call::{Call, Taking};
use crate::web::{self, Fault, Observer, WebContext};

pub struct Session {
    web: WebContext,
}

impl Session {
    pub fn new(browser: Arc<dyn Browser>, observer: Arc<Observer>, first_ref: u32) -> Session {
        Session { web: WebContext::new(browser, observer, first_ref) }
    }

    /// Carries out one action. The only way from any entrance to a surface.
    pub async fn perform(&mut self, action: &Action, call: &Call) -> Result<Answer, Failure> {
        self.web.begin_action();
        call.policy.check_keys(action)?;
        if !matches!(action, Action::Go { .. }) {
            self.web.have_tab(call.deadline).await?;
        }
        let result = web::dispatch(&mut self.web, action, call).await;
        self.web.hold_to_domains(&call.policy).await?;
        result.map(|answer| self.web.with_blocked(answer, &call.policy))
    }

    /// Where the target of the last action is on a picture of the page.
    pub fn mark(&self) -> Option<TargetMark> {
        self.web.mark()
    }

    /// A picture of the page as it is now, taken while other questions are asked. Whoever changes the page next waits
    /// for it first, or it shows what came after.
    pub fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure> {
        self.web.picture(deadline)
    }

    /// The first ref that was never given out; kept across restarts so that none is given twice.
    pub fn next_ref(&self) -> u32 {
        self.web.next_ref()
    }

    /// Brings a fault about. An element is looked for as for a click, at once: one that is not there is a failure.
    pub async fn inject(&mut self, fault: &Fault, deadline: Deadline) -> Result<(), Failure> {
        self.web.inject(fault, deadline).await
    }

    /// Ends all faults; what they took away from pages that are still open is there again.
    pub async fn lift_faults(&mut self, deadline: Deadline) -> Result<(), Failure> {
        self.web.lift_faults(deadline).await
    }

    /// How often faults have struck since the first of those that are, or were last, injected together: requests
    /// that were held back, input that was not heard, controls that were disabled, texts that were changed. What
    /// happened in a page counts once the page has been asked anything after it.
    pub fn faults_struck(&self) -> u32 {
        self.web.faults_struck()
    }

    /// What was held back since this was asked last, for the record.
    pub fn take_blocked(&mut self) -> Vec<BlockedRequests> {
        self.web.take_blocked()
    }

    /// What the pages of the current tab's context are made to believe.
    pub fn emulation(&mut self) -> Result<Emulation, Failure> {
        self.web.emulation()
    }

    /// Makes them believe this and nothing else: in open tabs, popups, and after navigations, until the context ends.
    /// To change one thing, change it in what `emulation` gives.
    pub async fn emulate(&mut self, emulation: &Emulation, deadline: Deadline) -> Result<(), Failure> {
        self.web.emulate(emulation, deadline).await
    }

    /// Gives pages a clock of their own, or moves the one they have.
    pub async fn clock(&mut self, operation: ClockOperation, deadline: Deadline) -> Result<(), Failure> {
        self.web.clock(operation, deadline).await
    }

    /// Answers requests in the server's place. The last route that matches a request answers it.
    pub async fn route(&mut self, route: &Route, deadline: Deadline) -> Result<(), Failure> {
        self.web.route(route, deadline).await
    }

    /// Ends the routes with this pattern, or all of them. Gives back how many there were.
    pub async fn unroute(
        &mut self,
        pattern: Option<&UrlPattern>,
        deadline: Deadline,
    ) -> Result<usize, Failure> {
        self.web.unroute(pattern, deadline).await
    }

    /// The routes there are, with what each has answered.
    pub fn routes(&mut self) -> Result<Vec<RouteCount>, Failure> {
        self.web.routes()
    }
}
