//! A new document: waiting until it is loaded and quiet, and reporting its most important content.

use assay_dom::{ArrivalWait, Greeting, to_changes};
use assay_driver::{Capability, Deadline, DriverError};
use assay_protocol::{Change, Failure, PageLine};

use crate::web::act::other_frames;
use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::Interrupted;
use crate::web::timing::{LOAD_CAP, MARGIN, REQUEST_CAP, TIMER_CAP_MS};

/// The content of a new document.
pub(crate) struct Arrival {
    pub page: PageLine,
    pub changes: Vec<Change>,
    pub busy: Vec<String>,
}

/// The outcome of waiting for one document.
enum Arrived {
    Here(Arrival),
    /// No document can answer: a dialog, a crash, a closed tab.
    Nowhere,
    /// Another document took its place.
    Replaced,
}

impl WebContext {
    /// Waits until the new document is loaded and quiet, and reports its most important content.
    pub(crate) async fn arrive(
        &mut self,
        tab: &TabHandle,
        greeting: Greeting,
        deadline: Deadline,
    ) -> Result<Option<Arrival>, Failure> {
        let load_cap = deadline.at_most(LOAD_CAP);
        loop {
            let generation = self.with_tab(tab, |known| known.documents).unwrap_or_default();
            match self.arrive_at(tab, generation, greeting, load_cap, deadline).await? {
                Arrived::Here(arrival) => return Ok(Some(arrival)),
                Arrived::Nowhere => return Ok(None),
                // A script sent the page on to another.
                Arrived::Replaced => self.wait_for_next(tab, generation, deadline).await,
            }
        }
    }

    /// The same for one document, the tab's `generation`th.
    async fn arrive_at(
        &mut self,
        tab: &TabHandle,
        generation: u64,
        greeting: Greeting,
        load_cap: Deadline,
        deadline: Deadline,
    ) -> Result<Arrived, Failure> {
        let main = tab.surface.main_frame();
        let since = self.with_tab(tab, |known| known.document_mark).unwrap_or_default();
        let request_cap = deadline.at_most(REQUEST_CAP);
        // A page that answers while it loads waits for the end of loading itself: that saves a round trip.
        let mut wait_here = !self.can(Capability::ConcurrentCalls);
        // The page may have sent requests while it loaded; then its code gets time to process the response.
        let mut requests_seen = 0;
        let mut after_request = false;
        let mut is_repeated = false;
        loop {
            if wait_here {
                if !self.wait_for_load(tab, load_cap).await {
                    return Ok(Arrived::Nowhere);
                }
                requests_seen = self.with_tab(tab, |known| known.fetches_since(since)).unwrap_or_default();
                after_request = requests_seen > 0;
                if after_request {
                    self.wait_for_requests(tab, since, generation, request_cap).await;
                }
            }
            let document = self.document(tab, main.clone());
            let left = deadline.remaining().saturating_sub(MARGIN).as_millis() as u64;
            let wait = ArrivalWait {
                load_ms: load_cap.remaining().as_millis() as u64,
                timers_ms: TIMER_CAP_MS / 2,
                patience_ms: left.min(REQUEST_CAP.as_millis() as u64),
                content_ms: left,
                after_request,
                is_repeated,
            };
            let arrived = document.arrived(&wait, greeting, deadline);
            let report = match self.unless_dialog(tab, deadline, arrived).await {
                Ok(report) => report,
                Err(Interrupted::Driver(DriverError::DocumentGone))
                    if !wait_here && self.is_too_early(tab, generation) =>
                {
                    wait_here = true;
                    continue;
                }
                Err(interrupted) => return self.not_arrived(tab, interrupted, deadline),
            };
            wait_here = false;
            is_repeated = true;
            self.note_refs(tab, &main, report.next);
            let (moving_on, waiting, made, status) = self
                .with_tab(tab, |known| {
                    let moving = known.documents > generation || known.is_navigating();
                    (moving, known.awaited_requests(since), known.fetches_since(since), known.document_status)
                })
                .unwrap_or((false, Vec::new(), requests_seen, None));
            if moving_on && !deadline.is_past() {
                return Ok(Arrived::Replaced);
            }
            if (!waiting.is_empty() || made > requests_seen) && !request_cap.is_past() {
                requests_seen = made;
                after_request = true;
                self.wait_for_requests(tab, since, generation, request_cap).await;
                continue;
            }
            let frames_lack = self.frames_arrive(tab, &wait, request_cap).await;
            let mut busy = waiting;
            if report.loading {
                busy.insert(0, "the page is still loading".to_string());
            } else if !report.lacks.is_empty() {
                busy.insert(0, report.lacks);
            }
            busy.extend(frames_lack);
            let status = status.filter(|status| *status >= 400);
            let page = PageLine { title: report.title, url: report.url, status };
            return Ok(Arrived::Here(Arrival { page, changes: to_changes(report.changes), busy }));
        }
    }

    /// Waits until the frames show their content. Says what they still show of being on their way.
    async fn frames_arrive(&mut self, tab: &TabHandle, wait: &ArrivalWait, most: Deadline) -> Option<String> {
        let mut lacks = None;
        for frame in other_frames(tab, &tab.surface.main_frame()) {
            let left = most.remaining().as_millis() as u64;
            let wait = ArrivalWait { load_ms: left, content_ms: left, is_repeated: false, ..*wait };
            let document = self.document(tab, frame.clone());
            let arrived = document.arrived(&wait, Greeting::Messages, most);
            // A frame that is being replaced, or is late, is not part of what came.
            let Ok(report) = self.unless_dialog(tab, most, arrived).await else { continue };
            self.note_refs(tab, &frame, report.next);
            lacks = lacks.or(Some(report.lacks).filter(|lacks| !lacks.is_empty()));
        }
        lacks
    }

    /// The document is the one that is awaited, and has no script yet.
    fn is_too_early(&self, tab: &TabHandle, generation: u64) -> bool {
        self.with_tab(tab, |known| known.documents == generation && !known.crashed).unwrap_or(false)
    }

    /// Interprets a missing answer of the document.
    fn not_arrived(
        &self,
        tab: &TabHandle,
        interrupted: Interrupted,
        deadline: Deadline,
    ) -> Result<Arrived, Failure> {
        match interrupted {
            Interrupted::Dialog(_) => Ok(Arrived::Nowhere),
            Interrupted::Driver(_) if self.with_tab(tab, |known| known.crashed).unwrap_or(true) => {
                Ok(Arrived::Nowhere)
            }
            Interrupted::Driver(DriverError::DocumentGone) if !deadline.is_past() => Ok(Arrived::Replaced),
            Interrupted::Driver(DriverError::Closed) => Ok(Arrived::Nowhere),
            Interrupted::Driver(DriverError::Timeout) => {
                let url = self.with_tab(tab, |known| known.url.clone()).unwrap_or_default();
                let busy = vec!["scripts that do not end".to_string()];
                let page = PageLine { title: String::new(), url, status: None };
                Ok(Arrived::Here(Arrival { page, changes: Vec::new(), busy }))
            }
            other => Err(other.into_failure("opening the page")),
        }
    }

    /// Waits until the browser says that the document is loaded, or the time for it is over. False when the
    /// document cannot be asked any more.
    async fn wait_for_load(&self, tab: &TabHandle, deadline: Deadline) -> bool {
        self.observer
            .until(deadline, |state| match state.tab(&tab.id) {
                None => Some(false),
                Some(known) if known.loaded => Some(true),
                Some(known) if known.dialog.is_some() || known.crashed => Some(false),
                Some(_) => None,
            })
            .await
            .unwrap_or(true)
    }

    async fn wait_for_next(&self, tab: &TabHandle, generation: u64, deadline: Deadline) {
        self.observer
            .until(deadline, |state| match state.tab(&tab.id) {
                Some(known) => (known.documents > generation || !known.is_navigating()).then_some(()),
                None => Some(()),
            })
            .await;
    }
}
