//! Browsers for a run: many at once, each guarded as a session's browser is, none left behind.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assay_actions::{Call, Fault, Policy, Taking};
use assay_driver::{Deadline, Driver};
use assay_protocol::{
    Action, Answer, BlockedRequests, BrowserSettings, ErrorCode, Failure, TabLine, TargetMark,
};

use crate::guard::Guard;
use crate::owned_group::OwnedGroup;
use crate::pool::{Pool, SessionFiles, can_be_shared};
use crate::serve::DaemonSettings;
use crate::session_browser::SessionBrowser;

/// Where browsers are lent. One guard watches over all of them.
pub struct BrowserLender {
    guard: Arc<Mutex<Guard>>,
    pools: Mutex<Vec<Arc<Pool>>>,
}

/// Whether a browser may be used by others at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Where the browser keeps its users apart.
    Allowed,
    Never,
}

impl BrowserLender {
    /// Several lenders may share a guard.
    pub fn guarded_by(guard: Arc<Mutex<Guard>>) -> BrowserLender {
        BrowserLender { guard, pools: Mutex::default() }
    }

    /// Takes charge of a group of processes that was started for the run.
    pub fn own_group(&self, group: u32) -> OwnedGroup {
        OwnedGroup::watched_by(Arc::clone(&self.guard), group)
    }

    /// Starts a browser, or gives a part of one that runs. The session's name in `settings` must be nobody else's. One
    /// that is held to some domains is never shared: others would be held to them too.
    pub async fn lend(
        &self,
        driver: Arc<dyn Driver>,
        settings: DaemonSettings,
        sharing: Sharing,
        policy: &Policy,
    ) -> Result<BrowserLease, Failure> {
        let mut lease = if BrowserLender::is_shared(&*driver, &settings.browser, sharing, policy) {
            let browser = settings.browser.clone();
            let engine = SessionBrowser::sharing(self.pool_for(driver, settings), browser);
            BrowserLease { engine, _entry: None, used: false }
        } else {
            let entry = SessionFiles::make(settings.place, &self.guard)?;
            let guard = Arc::clone(&self.guard);
            let mut engine = SessionBrowser::new(driver, entry.place.clone(), settings.browser, guard);
            engine.hold_to(policy.clone());
            BrowserLease { engine, _entry: Some(entry), used: false }
        };
        lease.engine.start().await?;
        Ok(lease)
    }

    /// Returns when all shared browsers that nobody uses any more have ended.
    pub async fn emptied(&self) {
        let pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for pool in pools {
            pool.emptied().await;
        }
    }

    /// Whether a browser of this kind is one that others use too.
    pub fn is_shared(
        driver: &dyn Driver,
        settings: &BrowserSettings,
        sharing: Sharing,
        policy: &Policy,
    ) -> bool {
        sharing == Sharing::Allowed && !policy.limits_domains() && can_be_shared(driver, settings)
    }

    fn pool_for(&self, driver: Arc<dyn Driver>, settings: DaemonSettings) -> Arc<Pool> {
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = pools.iter().find(|pool| pool.is_for(&settings.browser)) {
            return Arc::clone(pool);
        }
        let pool = Pool::new(driver, settings, Arc::clone(&self.guard));
        pools.push(Arc::clone(&pool));
        pool
    }
}

/// One browser, or a part of one, for as long as it is needed.
pub struct BrowserLease {
    engine: SessionBrowser,
    /// None where the browser is shared, and so not this one's to register.
    _entry: Option<SessionFiles>,
    /// The context that a browser begins with was used.
    used: bool,
}

impl BrowserLease {
    pub async fn perform(&mut self, action: &Action, call: &Call) -> Result<Answer, Failure> {
        self.used = true;
        self.engine.perform(action, call).await
    }

    /// How long the browser was waited for so far.
    pub fn waited(&self) -> Duration {
        self.engine.waited()
    }

    /// Where the target of the last action is on a picture of the page.
    pub fn mark(&self) -> Option<TargetMark> {
        self.engine.mark()
    }

    /// A picture of the page as it is now, taken on its own.
    pub fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure> {
        self.engine.picture(deadline)
    }

    /// Breaks something on purpose.
    pub async fn inject(&mut self, fault: &Fault, deadline: Deadline) -> Result<(), Failure> {
        self.engine.inject(fault, deadline).await
    }

    pub async fn lift_faults(&mut self, deadline: Deadline) -> Result<(), Failure> {
        self.engine.lift_faults(deadline).await
    }

    pub fn faults_struck(&self) -> u32 {
        self.engine.faults_struck()
    }

    /// What the policy held back since this was asked last.
    pub fn take_blocked(&mut self) -> Vec<BlockedRequests> {
        self.engine.take_blocked()
    }

    /// Whether its browser ended by itself, or did not do what it was asked to: it is of no more use.
    pub fn is_gone(&self) -> bool {
        !self.engine.is_good()
    }

    /// It will be renewed soon: what that takes may be prepared beside the work under way.
    pub fn foresee(&mut self) {
        self.engine.foresee();
    }

    /// One empty tab with cookies and storage of its own, and no other.
    pub async fn renew(&mut self, call: &Call) -> Result<(), Failure> {
        if !self.used || self.engine.renew_share().await? {
            return Ok(());
        }
        let before = match self.engine.perform(&Action::Tabs, call).await? {
            Answer::Tabs { tabs } => tabs,
            _ => Vec::new(),
        };
        self.engine.perform(&Action::TabNew { url: None, isolated: true }, call).await?;
        for TabLine { tab, .. } in before {
            // A page that asks before it is left is closed without an answer all the same.
            let closed = self.engine.perform(&Action::TabClose { tab: Some(tab) }, call).await;
            if let Err(failure) = closed
                && failure.code != ErrorCode::NotFound
            {
                return Err(failure);
            }
        }
        Ok(())
    }

    pub async fn end(&mut self) {
        self.engine.stop().await;
    }
}
