//! One user's session: the one `perform` behind every front end, with policy before and observation after.
//!
//! Knows what all kinds of surfaces have in common. `web` knows how to act on a page.

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

    /// Carries out one action. Every front end reaches a surface only through this function.
    pub async fn perform(&mut self, action: &Action, call: &Call) -> Result<Answer, Failure> {
        self.web.begin_action();
        call.policy.check_keys(action)?;
        call.policy.check_files(action)?;
        call.policy.check_consent(action)?;
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

    /// A screenshot of the current page, taken while other queries run. The next change of the page must wait for it,
    /// or the screenshot shows the changed page.
    pub fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure> {
        self.web.picture(deadline)
    }

    /// The first unused ref; kept across restarts, so no ref is used twice.
    pub fn next_ref(&self) -> u32 {
        self.web.next_ref()
    }

    /// Injects a fault. It resolves an element as a click does, but without waiting: a missing element is a failure.
    pub async fn inject(&mut self, fault: &Fault, deadline: Deadline) -> Result<(), Failure> {
        self.web.inject(fault, deadline).await
    }

    /// Ends all faults and restores the pages that are still open.
    pub async fn lift_faults(&mut self, deadline: Deadline) -> Result<(), Failure> {
        self.web.lift_faults(deadline).await
    }

    /// How often faults have taken effect since the first of the current or last group was injected: stopped requests,
    /// ignored input, disabled controls, changed texts. Effects in a page count after the next query to that page.
    pub fn faults_struck(&self) -> u32 {
        self.web.faults_struck()
    }

    /// The blocked requests since the last call, for the record.
    pub fn take_blocked(&mut self) -> Vec<BlockedRequests> {
        self.web.take_blocked()
    }

    /// The emulated settings of the current tab's context.
    pub fn emulation(&mut self) -> Result<Emulation, Failure> {
        self.web.emulation()
    }

    /// Emulates exactly this in open tabs, popups, and after navigations, until the context ends. To change one
    /// setting, change it in the result of `emulation`.
    pub async fn emulate(&mut self, emulation: &Emulation, deadline: Deadline) -> Result<(), Failure> {
        self.web.emulate(emulation, deadline).await
    }

    /// Installs an emulated clock in pages, or moves it.
    pub async fn clock(&mut self, operation: ClockOperation, deadline: Deadline) -> Result<(), Failure> {
        self.web.clock(operation, deadline).await
    }

    /// Answers requests in the server's place. The last route that matches a request answers it.
    pub async fn route(&mut self, route: &Route, deadline: Deadline) -> Result<(), Failure> {
        self.web.route(route, deadline).await
    }

    /// Ends the routes with this pattern, or all of them. Returns their number.
    pub async fn unroute(
        &mut self,
        pattern: Option<&UrlPattern>,
        deadline: Deadline,
    ) -> Result<usize, Failure> {
        self.web.unroute(pattern, deadline).await
    }

    /// The active routes, with the number of answers of each.
    pub fn routes(&mut self) -> Result<Vec<RouteCount>, Failure> {
        self.web.routes()
    }
}
