//! After the input: waiting until the page has finished its reaction to an act, and collecting the changes.

use std::time::Duration;

use assay_dom::{Greeting, SettleReport, SettleStatus, to_changes};
use assay_driver::{Deadline, DriverError, FrameId};
use assay_protocol::{Change, ErrorCode, Failure, PageLine};

use crate::web::act::{Ready, other_frames};
use crate::web::context::{TabHandle, WebContext};
use crate::web::effect::Settled;
use crate::web::failures::{Interrupted, from_driver};
use crate::web::timing::{DEPARTURE_CAP, FRAME_DEPARTURE, REQUEST_CAP, TIMER_CAP_MS};

/// Observations since the input.
#[derive(Default)]
struct Observed {
    report: Option<SettleReport>,
    changes: Vec<Change>,
    /// The page that took the place of the old one.
    page: Option<PageLine>,
    busy: Vec<String>,
    /// A response has come that the page's code may still be processing.
    after_request: bool,
    /// Requests of page code that have been waited for.
    requests: usize,
}

impl WebContext {
    /// Sends input and settles in one step: the page script itself sees the input arrive.
    pub(crate) async fn give_and_settle(
        &mut self,
        ready: &mut Ready,
        deadline: Deadline,
        input: impl Future<Output = Result<(), DriverError>>,
    ) -> Result<Settled, Failure> {
        let settling = ready.settling.take();
        let tab = &ready.tab;
        let Some(settling) = settling else {
            self.give(tab, deadline, input).await?;
            return self.settle_from(tab, &ready.frame, None, deadline).await;
        };
        let (first, given) =
            tokio::join!(self.unless_dialog(tab, deadline, settling), self.give(tab, deadline, input));
        given?;
        // The page waited in vain until the browser confirmed the input. A new query gets the answer.
        let first = match first {
            Ok(SettleReport { status: SettleStatus::NoInput, .. }) => None,
            other => Some(other),
        };
        self.settle_from(tab, &ready.frame, first, deadline).await
    }

    /// Waits until the page has finished its reaction to the act, and collects the changes.
    pub(crate) async fn settle(
        &mut self,
        tab: &TabHandle,
        frame: &FrameId,
        deadline: Deadline,
    ) -> Result<Settled, Failure> {
        self.settle_from(tab, frame, None, deadline).await
    }

    async fn settle_from(
        &mut self,
        tab: &TabHandle,
        frame: &FrameId,
        mut first: Option<Result<SettleReport, Interrupted>>,
        deadline: Deadline,
    ) -> Result<Settled, Failure> {
        let mut seen = Observed::default();
        let request_cap = deadline.at_most(REQUEST_CAP);
        loop {
            if self.is_moving_on(tab).unwrap_or(true) {
                // The first report belongs to the old document, but says who received the input.
                if let Some(Ok(report)) = first.take() {
                    self.note_refs(tab, frame, report.next);
                    seen.report = Some(report);
                }
                if self.wait_for_navigation(tab, deadline).await {
                    if let Some(arrival) = self.arrive(tab, Greeting::Whole, deadline).await? {
                        seen.page = Some(arrival.page);
                        seen.changes = arrival.changes;
                        seen.busy = arrival.busy;
                    }
                    break;
                }
                // It was cancelled or became a download, which is announced a moment later.
                self.wait_for_download(tab, deadline).await;
            }
            let told = match first.take() {
                // A page that was about to leave and is still here is queried again, because its report was incomplete.
                Some(Ok(report)) if report.leaving => {
                    seen.report = Some(report);
                    None
                }
                other => other,
            };
            let settled = match told {
                Some(settled) => settled,
                None => {
                    let document = self.document(tab, frame.clone());
                    let patience = request_cap.remaining().as_millis() as u64;
                    let settled = document.settle(TIMER_CAP_MS, patience, seen.after_request, deadline);
                    self.unless_dialog(tab, deadline, settled).await
                }
            };
            match settled {
                Ok(report) => self.take_in(tab, frame, report, &mut seen, deadline).await,
                Err(Interrupted::Dialog(_) | Interrupted::Driver(DriverError::Closed)) => break,
                Err(Interrupted::Driver(DriverError::DocumentGone)) => {
                    if self.is_between_documents(tab, frame, deadline).await {
                        continue;
                    }
                    break;
                }
                Err(Interrupted::Driver(err)) => return Err(no_outcome(err)),
            }
            if self.is_moving_on(tab).unwrap_or(false) {
                continue;
            }
            if !self.wait_for_more(tab, &mut seen, request_cap).await {
                break;
            }
        }
        if seen.page.is_none() && self.with_tab(tab, |known| known.dialog.is_none()) == Some(true) {
            seen.changes.extend(self.settle_others(tab, frame, deadline).await);
        }
        let Observed { report, changes, page, busy, .. } = seen;
        self.aim.settle(report.as_ref().filter(|_| page.is_none()));
        let effect = self.gather(tab, page, changes, busy, deadline).await;
        Ok(Settled { effect, report })
    }

    /// Whether the document that was acted on has been replaced, or is about to be. None when the tab has gone.
    fn is_moving_on(&self, tab: &TabHandle) -> Option<bool> {
        self.with_tab(tab, |known| known.documents > tab.mark.documents || known.is_navigating())
    }

    /// Processes the page script's report on the act, and gives the browser time to follow a link.
    async fn take_in(
        &mut self,
        tab: &TabHandle,
        frame: &FrameId,
        mut report: SettleReport,
        seen: &mut Observed,
        deadline: Deadline,
    ) {
        let in_main = *frame == tab.surface.main_frame();
        self.note_refs(tab, frame, report.next);
        // A newer document does not know who received the input.
        if let Some(before) = seen.report.take().filter(|before| before.guarded && !report.guarded) {
            (report.guarded, report.received, report.blocked) = (true, before.received, before.blocked);
            report.deed = before.deed;
        }
        if report.busy {
            seen.busy = vec!["timers".to_string()];
        }
        if !report.lacks.is_empty() {
            seen.busy = vec![report.lacks.clone()];
        }
        seen.changes = to_changes(report.changes.clone());
        let leads = report.leads && !report.moved;
        if report.moved && in_main {
            self.observer.note_address(&tab.id, &report.url);
            seen.page = Some(PageLine { title: report.title.clone(), url: report.url.clone(), status: None });
        }
        seen.report = Some(report);
        if leads {
            // The browser follows the link in its own time: to a page, a file or a new tab.
            let patience = if in_main { DEPARTURE_CAP } else { FRAME_DEPARTURE };
            self.wait_for_departure(tab, deadline.at_most(patience)).await;
        }
    }

    /// The document did not answer because it is gone. Whether to query another one: not if only a frame is gone.
    async fn is_between_documents(&self, tab: &TabHandle, frame: &FrameId, deadline: Deadline) -> bool {
        if self.is_moving_on(tab) != Some(false) {
            return true;
        }
        if *frame != tab.surface.main_frame() {
            return false;
        }
        // The events that say so are on their way.
        tokio::time::sleep(Duration::from_millis(10)).await;
        !deadline.is_past()
    }

    /// Waits for requests of page code since the last look. False if there were none, or no time was left.
    async fn wait_for_more(&self, tab: &TabHandle, seen: &mut Observed, request_cap: Deadline) -> bool {
        let since = tab.mark.network;
        let (waiting, made) = self
            .with_tab(tab, |known| (known.awaited_requests(since), known.fetches_since(since)))
            .unwrap_or_default();
        // A response that came meanwhile may not have reached the page's code at the time of the look.
        let unannounced =
            waiting.is_empty() && seen.report.as_ref().is_some_and(|report| report.requests > 0);
        if waiting.is_empty() && made == seen.requests && !unannounced {
            return false;
        }
        seen.requests = made;
        if request_cap.is_past() {
            seen.busy = waiting;
            return false;
        }
        seen.after_request = true;
        if unannounced {
            // The page knows of a request that the browser has not reported yet.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self.wait_for_requests(tab, since, tab.mark.documents, request_cap).await;
        true
    }

    /// Releases the other documents, and collects their changes.
    async fn settle_others(&mut self, tab: &TabHandle, frame: &FrameId, deadline: Deadline) -> Vec<Change> {
        let mut changes = Vec::new();
        for other in other_frames(tab, frame) {
            let document = self.document(tab, other.clone());
            let seen = document.settle(TIMER_CAP_MS, 0, true, deadline);
            if let Ok(seen) = self.unless_dialog(tab, deadline, seen).await {
                self.note_refs(tab, &other, seen.next);
                changes.extend(to_changes(seen.changes));
            }
        }
        changes
    }

    /// Waits until a navigation has brought a new document. False when it did not.
    async fn wait_for_navigation(&self, tab: &TabHandle, deadline: Deadline) -> bool {
        self.observer
            .until(deadline, |state| match state.tab(&tab.id) {
                None => Some(false),
                Some(known) if known.documents > tab.mark.documents => Some(true),
                Some(known) if known.dialog.is_some() || known.crashed || !known.is_navigating() => {
                    Some(false)
                }
                Some(_) => None,
            })
            .await
            .unwrap_or(false)
    }

    /// Waits until the requests of page code since `since` are answered, or the page moves on.
    pub(crate) async fn wait_for_requests(
        &self,
        tab: &TabHandle,
        since: u64,
        generation: u64,
        deadline: Deadline,
    ) {
        self.observer
            .until(deadline, |state| match state.tab(&tab.id) {
                Some(known) => (known.awaited_requests(since).is_empty()
                    || known.is_navigating()
                    || known.dialog.is_some()
                    || known.documents > generation)
                    .then_some(()),
                None => Some(()),
            })
            .await;
    }

    async fn wait_for_departure(&self, tab: &TabHandle, deadline: Deadline) {
        self.observer
            .until(deadline, |state| {
                let left = state.tab(&tab.id).is_none_or(|known| {
                    known.is_navigating()
                        || known.dialog.is_some()
                        || known.documents > tab.mark.documents
                        || known.moves > tab.mark.moves
                });
                let opened = state.tabs.iter().any(|known| known.number > tab.mark.tabs);
                (left || opened || state.downloads.total() > tab.mark.downloads).then_some(())
            })
            .await;
    }

    async fn wait_for_download(&self, tab: &TabHandle, deadline: Deadline) {
        const MOMENT: Duration = Duration::from_millis(300);
        self.observer
            .until(deadline.at_most(MOMENT), |state| {
                let moved_on =
                    state.tab(&tab.id).is_none_or(|known| known.is_navigating() || known.dialog.is_some());
                (moved_on || state.downloads.total() > tab.mark.downloads).then_some(())
            })
            .await;
    }
}

/// Why the outcome of an act is unknown.
fn no_outcome(err: DriverError) -> Failure {
    match err {
        DriverError::Timeout => Failure::new(
            ErrorCode::OutcomeUnknown,
            "the page did not respond after the action, so the result is unknown",
        )
        .hint("assay map shows the page as it is now"),
        other => from_driver(other, "after the action"),
    }
}
