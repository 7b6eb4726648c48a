//! Restricts the pages of a session to the domains of its policy, and reports blocked requests.
//!
//! A gate below the browser refuses connections; this module learns only their hosts. The browser reports which pages a
//! tab requested. Neither source is enough alone: the gate does not know which page made a connection, and a browser
//! that assay did not start may have no gate.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use assay_driver::{Capability, Deadline, WebPage};
use assay_protocol::{Answer, BlockedRequests, Failure};

use crate::policy::{Policy, has_host};
use crate::web::context::WebContext;
use crate::web::observer::{BrowserState, Tab};

const EMPTY: &str = "about:blank";

/// How much of what was held back is known to whom.
#[derive(Default)]
pub(crate) struct HeldBack {
    /// Pages that tabs asked for, up to here, have been looked at.
    checked: u64,
    /// So have tabs up to this number.
    checked_tabs: u32,
    /// And refused connections.
    checked_refused: u64,
    /// Refused connections up to here stand in an effect.
    told: u64,
    /// And up to here on record.
    recorded: u64,
}

impl WebContext {
    /// A page may navigate on its own. If a tab requested or shows a page of a forbidden domain, it gets an empty page,
    /// and the act fails.
    pub(crate) async fn hold_to_domains(&mut self, policy: &Policy) -> Result<(), Failure> {
        if !policy.limits_domains() {
            return Ok(());
        }
        if !self.can(Capability::PopupRequests) {
            self.wait_for_new_tabs().await;
        }
        let outside = self.outside(policy);
        let mut first = Ok(());
        for (surface, failure) in outside {
            self.empty(&*surface).await;
            first = first.and(Err(failure));
        }
        first
    }

    /// Opens an empty page in the tab. If the browser's own error page comes in between, it tries once more. The
    /// failure is reported in either case.
    async fn empty(&self, surface: &dyn WebPage) {
        const TRIES: usize = 2;
        let id = surface.id();
        let is_empty = |state: &BrowserState| {
            state.tab(&id).is_none_or(|tab| tab.url == EMPTY && !tab.is_navigating()).then_some(())
        };
        for _ in 0..TRIES {
            let soon = Deadline::after(Duration::from_secs(1));
            let _left = surface.navigate(EMPTY.to_string(), soon).await;
            if self.observer.until(soon, is_empty).await.is_some() {
                return;
            }
        }
    }

    /// A tab that a page opened and whose first request is not reported either becomes a page or is refused. This
    /// waits a moment for the outcome.
    async fn wait_for_new_tabs(&self) {
        let (tabs, refused) = (self.held_back.checked_tabs, self.held_back.checked_refused);
        let is_clear = |state: &BrowserState| {
            let is_waiting = state.tabs.iter().any(|tab| is_new_and_empty(tab, tabs));
            (!is_waiting || state.refused.total() > refused).then_some(())
        };
        // A tab that stays empty and requests nothing is empty on purpose.
        let _clear = self.observer.until(Deadline::after(Duration::from_secs(1)), is_clear).await;
    }

    /// The tabs that show or requested a forbidden page.
    fn outside(&mut self, policy: &Policy) -> Vec<(Arc<dyn WebPage>, Failure)> {
        let is_told = self.can(Capability::PopupRequests);
        let state = self.observer.state();
        // If the first request of a new tab is unknown, and the tab is empty while something was refused, the tab
        // counts as refused: a false failure is better than a false pass.
        let refused = state.refused.since(self.held_back.checked_refused).last().filter(|_| !is_told);
        let suspect = refused.and_then(|host| policy.check_host(host).err());
        let checked_tabs = self.held_back.checked_tabs;
        let asked: Vec<_> = state.asked.since(self.held_back.checked).collect();
        let outside = state.tabs.iter().filter_map(|tab| {
            let own = asked.iter().filter(|(surface, _)| *surface == tab.id).map(|(_, url)| url);
            let known = own.chain([&tab.url]).find_map(|url| policy.check_domain(url).err());
            let failure =
                known.or_else(|| suspect.clone().filter(|_| is_new_and_empty(tab, checked_tabs)))?;
            Some((Arc::clone(&tab.surface), failure))
        });
        let outside = outside.collect();
        self.held_back.checked = state.asked.total();
        self.held_back.checked_refused = state.refused.total();
        self.held_back.checked_tabs = state.tabs.iter().map(|tab| tab.number).max().unwrap_or(checked_tabs);
        outside
    }

    /// Adds the requests blocked since the last effect. A blocked request is not a failure of the application.
    pub(crate) fn with_blocked(&mut self, answer: Answer, policy: &Policy) -> Answer {
        match answer {
            Answer::Effect(mut effect) if policy.limits_domains() => {
                effect.failed_requests.retain(|failed| policy.check_domain(&failed.url).is_ok());
                let state = self.observer.state();
                effect.blocked = by_host(state.refused.since(self.held_back.told));
                self.held_back.told = state.refused.total();
                Answer::Effect(effect)
            }
            other => other,
        }
    }

    /// The blocked requests since the last call, for the record.
    pub fn take_blocked(&mut self) -> Vec<BlockedRequests> {
        let state = self.observer.state();
        let blocked = by_host(state.refused.since(self.held_back.recorded));
        self.held_back.recorded = state.refused.total();
        // A request recorded with one step is not reported again with an act of a later step.
        self.held_back.told = self.held_back.recorded;
        blocked
    }
}

fn is_new_and_empty(tab: &Tab, checked: u32) -> bool {
    tab.number > checked && tab.opener.is_some() && !has_host(&tab.url)
}

fn by_host<'a>(hosts: impl Iterator<Item = &'a String>) -> Vec<BlockedRequests> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for host in hosts {
        *counts.entry(host).or_default() += 1;
    }
    counts.into_iter().map(|(host, requests)| BlockedRequests { host: host.to_string(), requests }).collect()
}
