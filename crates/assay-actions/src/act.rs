//! The shape of every act: find and guard the target, give real input, settle, tell the effect.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use assay_dom::{
    Answered, BeginArguments, Begun, Document, ElementReport, Greeting, Readiness, SettleReport,
    SettleStatus, TargetRefusal, to_changes, to_element_line,
};
use assay_driver::{Capability, Deadline, DriverError, FrameId, Point};
use assay_protocol::{Change, Did, Effect, ErrorCode, Failure, NewTab, PageLine, Selector};
use tokio::time::Instant;

use crate::aim::Scale;
use crate::session::{Call, Interrupted, Session, TabHandle, from_driver};
use crate::target::{PATIENCE, Pinned, named, not_actionable, refusal};

/// Timers of the page that are awaited after an act, at most.
const TIMER_CAP_MS: u64 = 1100;
/// Requests of the page that are awaited after an act, at most.
const REQUEST_CAP: Duration = Duration::from_millis(2500);
/// A page that is loading is awaited so long before its answer is given without its last parts.
const LOAD_CAP: Duration = Duration::from_secs(15);
/// Waits inside the page end so long before the deadline, so that their answer is still in time.
pub(crate) const MARGIN: Duration = Duration::from_millis(80);
const DOWNLOAD_CAP: Duration = Duration::from_secs(3);
/// A browser that follows a link says so within this time, or asks whether the page may be left.
const DEPARTURE_CAP: Duration = Duration::from_secs(3);
/// A link in a frame mostly leads the frame on, and of that the page is not told.
const FRAME_DEPARTURE: Duration = Duration::from_millis(250);

/// A target that is ready for input and shut off from mistakes.
pub(crate) struct Ready {
    pub tab: TabHandle,
    pub frame: FrameId,
    pub begun: Begun,
    /// Where to point, in pixels of the surface.
    pub at: Point,
    /// The page script awaits the input and will tell what came of it.
    settling: Option<Settling>,
}

type Settling = Pin<Box<dyn Future<Output = Result<SettleReport, DriverError>> + Send>>;

/// What is to be done with the target.
pub(crate) struct TargetedAct<'a> {
    pub target: &'a Selector,
    /// The page script's name for the act.
    pub kind: &'static str,
    /// Past tense, for messages: `clicked`.
    pub planned: &'static str,
    pub text: Option<&'a str>,
    pub options: &'a [String],
    pub guard: bool,
    /// The event that ends the input, where the page script can see it: then settling begins
    /// without waiting for the browser to confirm the input first.
    pub last: Option<&'static str>,
}

impl<'a> TargetedAct<'a> {
    pub fn new(target: &'a Selector, kind: &'static str, planned: &'static str) -> TargetedAct<'a> {
        TargetedAct { target, kind, planned, text: None, options: &[], guard: true, last: None }
    }

    /// How the page script narrows plain words for this act.
    fn words_kind(&self) -> &'static str {
        match self.kind {
            "fill" | "type" | "clear" => "edit",
            "select" => "choose",
            "check" | "uncheck" => "check",
            "upload" => "file",
            "drag" | "drop" | "scroll" | "highlight" => "read",
            _ => "act",
        }
    }
}

impl Session {
    /// Waits until the target can be acted on; afterwards only it can receive the input.
    pub(crate) async fn begin(&mut self, intent: &TargetedAct<'_>, call: &Call) -> Result<Ready, Failure> {
        let tab = self.tab()?;
        let started = Instant::now();
        let patience = if call.wait { call.deadline } else { call.deadline.at_most(PATIENCE) };
        let doing = format!("waiting for `{}`", intent.target);
        // Why it was not ready when the page was last asked: said when its last answer comes too late.
        let mut last_seen = None;
        let mut pinned = Pinned::default();
        loop {
            let frame = pinned.frame_for(self, &tab, intent.target, intent.words_kind(), call).await?;
            let document = self.document(&tab, frame.clone());
            // The page script waits by itself, in slices, so that frames that come later are seen too.
            let slice = Duration::from_millis(if call.wait { 300 } else { 1000 });
            let slice = patience.remaining().saturating_sub(MARGIN).min(slice);
            let arguments = BeginArguments {
                selector: intent.target,
                kind: intent.kind,
                patience: slice.as_millis() as u64,
                wait: call.wait,
                guard: intent.guard,
                last: intent.last,
                watch: true,
                text: intent.text,
                options: intent.options,
                next: document.next,
            };
            let mut settling = intent
                .last
                .filter(|_| self.can(Capability::ConcurrentCalls))
                .map(|_| self.settling(&tab, &frame, call.deadline));
            let begun = begin_and_await(document.begin(&arguments, call.deadline), &mut settling);
            let begun = self.unless_dialog(&tab, call.deadline, begun).await;
            let answered = match begun {
                Ok(answered) => answered,
                // A new document is coming: the target may be in it.
                Err(Interrupted::Driver(DriverError::DocumentGone)) if !patience.is_past() => {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                    continue;
                }
                Err(interrupted) => {
                    let late = matches!(interrupted, Interrupted::Driver(DriverError::Timeout));
                    return Err(match last_seen {
                        Some(seen) if late => seen,
                        _ => interrupted.into_failure(&doing),
                    });
                }
            };
            self.note_refs(&tab, &frame, answered.next);
            let begun = match answered.outcome {
                Ok(begun) => begun,
                Err(TargetRefusal::NotFound { .. }) if call.wait && patience.remaining() > MARGIN => {
                    self.aim.stir();
                    continue;
                }
                Err(why) => return Err(refusal(intent.target, &why, &tab.url)),
            };
            match begun.readiness {
                Readiness::Ready => {
                    let keys = matches!(intent.words_kind(), "edit" | "choose");
                    let settling = settling.filter(|_| begun.awaits);
                    self.shield_others(&tab, &frame, keys, call.deadline).await;
                    return match self.place(&tab, &frame, &begun, call.deadline).await? {
                        Placed::At { at, scale } => {
                            self.aim.take(&begun, at, scale);
                            Ok(Ready { tab, frame, begun, at, settling })
                        }
                        Placed::Covered(begun) if patience.remaining() <= MARGIN => {
                            Err(not_actionable(intent.target, &begun, intent.planned, started.elapsed()))
                        }
                        Placed::Covered(_) => {
                            self.aim.stir();
                            continue;
                        }
                    };
                }
                Readiness::NotActionable if !begun.is_final && patience.remaining() > MARGIN => {
                    self.aim.stir();
                    last_seen =
                        Some(not_actionable(intent.target, &begun, intent.planned, started.elapsed()));
                }
                Readiness::NotActionable => {
                    if frame == tab.surface.main_frame() {
                        self.aim.take(&begun, Point { x: begun.x, y: begun.y }, Scale::of_page(&begun));
                    }
                    return Err(not_actionable(intent.target, &begun, intent.planned, started.elapsed()));
                }
            }
        }
    }

    fn settling(&self, tab: &TabHandle, frame: &FrameId, deadline: Deadline) -> Settling {
        let Document { frame, next, faults, .. } = self.document(tab, frame.clone());
        let surface = Arc::clone(&tab.surface);
        Box::pin(async move {
            let document = Document { surface: &*surface, frame, next, faults };
            document.settle_after_begin(TIMER_CAP_MS, deadline).await
        })
    }

    /// Where the target's point is on the surface. In a frame, what lies over the frame counts too, and the
    /// documents around it are shut off from the input.
    async fn place(
        &mut self,
        tab: &TabHandle,
        frame: &FrameId,
        begun: &Begun,
        deadline: Deadline,
    ) -> Result<Placed, Failure> {
        let inner = Point { x: begun.x, y: begun.y };
        if *frame == tab.surface.main_frame() {
            return Ok(Placed::At { at: inner, scale: Scale::of_page(begun) });
        }
        let fail = |err: DriverError| from_driver(err, "finding the frame's place");
        let frames = tab.surface.frames();
        let parent_of =
            |id: &FrameId| frames.iter().find(|known| known.id == *id).and_then(|known| known.parent.clone());
        let mut at = inner;
        let mut scale = Scale::of_page(begun);
        let mut child_origin = tab.surface.frame_offset(frame, deadline).await.map_err(fail)?;
        let mut above = parent_of(frame);
        while let Some(parent) = above {
            let origin = tab.surface.frame_offset(&parent, deadline).await.map_err(fail)?;
            let document = self.document(tab, parent.clone());
            let begins = Point { x: child_origin.x - origin.x, y: child_origin.y - origin.y };
            let seen = document.frame_at(at, begins, deadline).await.map_err(fail)?;
            self.note_refs(tab, &parent, seen.next);
            if seen.readiness == Readiness::NotActionable {
                let covered = Begun { reason: seen.reason, covered_by: seen.covered_by, ..begun.clone() };
                return Ok(Placed::Covered(Box::new(covered)));
            }
            at = Point { x: seen.x, y: seen.y };
            scale = Scale {
                across: scale.across * seen.across.unwrap_or(1.0),
                down: scale.down * seen.down.unwrap_or(1.0),
                view: seen.view,
            };
            child_origin = origin;
            above = parent_of(&parent);
        }
        Ok(Placed::At { at, scale })
    }

    /// Shuts all other documents of the page off from the input that is meant for one frame, and watches them:
    /// what a frame does often shows in the page around it.
    async fn shield_others(&self, tab: &TabHandle, frame: &FrameId, keys: bool, deadline: Deadline) {
        for other in other_frames(tab, frame) {
            let document = self.document(tab, other);
            // A frame that is just being replaced can receive nothing that is meant for another.
            let _shut = document.watch(deadline).await;
            let _shut = document.shield(keys, deadline).await;
        }
    }

    /// Lets the other documents go, and gathers what changed in them.
    async fn settle_others(&mut self, tab: &TabHandle, frame: &FrameId, deadline: Deadline) -> Vec<Change> {
        let mut changes = Vec::new();
        for other in other_frames(tab, frame) {
            let document = self.document(tab, other.clone());
            let seen = document.settle(TIMER_CAP_MS, true, deadline);
            if let Ok(seen) = self.unless_dialog(tab, deadline, seen).await {
                self.note_refs(tab, &other, seen.next);
                changes.extend(to_changes(seen.changes));
            }
        }
        changes
    }

    /// Gives input to the page. An open dialog ends the wait: its page answers no more until it is closed.
    pub(crate) async fn give(
        &self,
        tab: &TabHandle,
        deadline: Deadline,
        input: impl Future<Output = Result<(), DriverError>>,
    ) -> Result<(), Failure> {
        match self.unless_dialog(tab, deadline, input).await {
            Ok(()) | Err(Interrupted::Dialog(_)) => Ok(()),
            // The input was on its way when the page went: what it caused is told by the next page.
            Err(Interrupted::Driver(DriverError::DocumentGone | DriverError::Closed)) => Ok(()),
            Err(Interrupted::Driver(DriverError::Timeout)) => Err(Failure::new(
                ErrorCode::OutcomeUnknown,
                "the input was sent, but the page did not answer in time: whether it took it is not known",
            )
            .hint("assay map shows what there is now")),
            Err(Interrupted::Driver(err)) => Err(from_driver(err, "giving input")),
        }
    }

    /// Starts watching a page where there is no target, and gives back its tab.
    pub(crate) async fn watch(&mut self, call: &Call) -> Result<TabHandle, Failure> {
        let tab = self.tab()?;
        let document = self.document(&tab, tab.surface.main_frame());
        let watched = self.unless_dialog(&tab, call.deadline, document.watch(call.deadline)).await;
        watched.map_err(|interrupted| interrupted.into_failure("looking at the page"))?;
        Ok(tab)
    }

    /// Gives input and settles at once: the page script itself sees the input arrive.
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
        // The page waited in vain before the browser said that the input was given. Asked now, it knows.
        let first = match first {
            Ok(SettleReport { status: SettleStatus::NoInput, .. }) => None,
            other => Some(other),
        };
        self.settle_from(tab, &ready.frame, first, deadline).await
    }

    /// Waits until the page has done what it does because of the act, and gathers what changed.
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
        let mut report: Option<SettleReport> = None;
        let mut changes: Vec<Change> = Vec::new();
        let mut page = None;
        let mut after_request = false;
        let mut requests_seen = 0;
        let request_cap = deadline.at_most(REQUEST_CAP);
        let mut busy = Vec::new();
        loop {
            if self
                .with_tab(tab, |known| known.documents > tab.mark.documents || known.is_navigating())
                .unwrap_or(true)
            {
                // What was first seen belongs to the document that is going, but says who received the input.
                if let Some(Ok(seen)) = first.take() {
                    self.note_refs(tab, frame, seen.next);
                    report = Some(seen);
                }
                if self.wait_for_navigation(tab, deadline).await {
                    if let Some(arrival) = self.arrive(tab, Greeting::Whole, deadline).await? {
                        page = Some(arrival.page);
                        changes = arrival.changes;
                        busy = arrival.busy;
                    }
                    break;
                }
                // It was cancelled or became a download, which is announced a moment later.
                self.wait_for_download(tab, deadline).await;
            }
            let in_main = *frame == tab.surface.main_frame();
            // A page that was about to go and is still here is asked again: it has not told all.
            let told_all =
                |seen: &Result<SettleReport, Interrupted>| !matches!(seen, Ok(seen) if seen.leaving);
            if let Some(Ok(seen)) = first.as_ref().filter(|seen| !told_all(seen)) {
                report = Some(seen.clone());
            }
            let settled = match first.take().filter(told_all) {
                Some(settled) => settled,
                None => {
                    let document = self.document(tab, frame.clone());
                    let settled = document.settle(TIMER_CAP_MS, after_request, deadline);
                    self.unless_dialog(tab, deadline, settled).await
                }
            };
            match settled {
                Ok(mut seen) => {
                    self.note_refs(tab, frame, seen.next);
                    // A document that came since knows nothing of who received the input.
                    if let Some(before) = report.take().filter(|before| before.guarded && !seen.guarded) {
                        (seen.guarded, seen.received, seen.blocked) = (true, before.received, before.blocked);
                    }
                    if seen.busy {
                        busy = vec!["timers".to_string()];
                    }
                    changes = to_changes(seen.changes.clone());
                    let leads = seen.leads && !seen.moved;
                    if seen.moved && in_main {
                        self.observer.note_address(&tab.id, &seen.url);
                        page =
                            Some(PageLine { title: seen.title.clone(), url: seen.url.clone(), status: None });
                    }
                    report = Some(seen);
                    if leads {
                        // The browser follows the link in its own time: to a page, a file or a new tab.
                        let patience = if in_main { DEPARTURE_CAP } else { FRAME_DEPARTURE };
                        self.wait_for_departure(tab, deadline.at_most(patience)).await;
                    }
                }
                Err(Interrupted::Dialog(_)) => break,
                Err(Interrupted::Driver(DriverError::DocumentGone)) => {
                    let replaced = self
                        .with_tab(tab, |known| known.documents > tab.mark.documents || known.is_navigating());
                    if replaced == Some(false) {
                        if in_main {
                            // Between two documents: the events that say so are on their way.
                            tokio::time::sleep(Duration::from_millis(10)).await;
                            if deadline.is_past() {
                                break;
                            }
                            continue;
                        }
                        // Only the frame is gone.
                        break;
                    }
                    continue;
                }
                Err(Interrupted::Driver(DriverError::Closed)) => break,
                Err(Interrupted::Driver(DriverError::Timeout)) => {
                    return Err(Failure::new(
                        ErrorCode::OutcomeUnknown,
                        "the page did not answer in time after the act: what came of it is not known",
                    )
                    .hint("assay map shows what there is now"));
                }
                Err(Interrupted::Driver(DriverError::Crashed)) => {
                    return Err(from_driver(DriverError::Crashed, "after the act"));
                }
                Err(Interrupted::Driver(err)) => return Err(from_driver(err, "after the act")),
            }
            let navigating =
                self.with_tab(tab, |known| known.documents > tab.mark.documents || known.is_navigating());
            if navigating.unwrap_or(false) {
                continue;
            }
            let since = tab.mark.network;
            let (waiting, made) = self
                .with_tab(tab, |known| (known.awaited_requests(since), known.fetches_since(since)))
                .unwrap_or_default();
            // An answer that came meanwhile may not have reached the page's code when we looked.
            let unannounced = waiting.is_empty() && report.as_ref().is_some_and(|seen| seen.requests > 0);
            if waiting.is_empty() && made == requests_seen && !unannounced {
                break;
            }
            requests_seen = made;
            if request_cap.is_past() {
                busy = waiting;
                break;
            }
            after_request = true;
            if unannounced {
                // The page knows of a request that the browser has not told of yet.
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            self.wait_for_requests(tab, since, tab.mark.documents, request_cap).await;
        }
        if page.is_none() && self.with_tab(tab, |known| known.dialog.is_none()) == Some(true) {
            changes.extend(self.settle_others(tab, frame, deadline).await);
        }
        self.aim.settle(report.as_ref().filter(|_| page.is_none()));
        let effect = self.gather(tab, page, changes, busy, deadline).await;
        Ok(Settled { effect, report })
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

    /// Waits until the new document is loaded and quiet, and says what it shows first.
    pub(crate) async fn arrive(
        &mut self,
        tab: &TabHandle,
        greeting: Greeting,
        deadline: Deadline,
    ) -> Result<Option<Arrival>, Failure> {
        let main = tab.surface.main_frame();
        let load_cap = deadline.at_most(LOAD_CAP);
        loop {
            let generation = self.with_tab(tab, |known| known.documents).unwrap_or_default();
            let since = self.with_tab(tab, |known| known.document_mark).unwrap_or_default();
            let request_cap = deadline.at_most(REQUEST_CAP);
            // A page that can be asked while it loads waits for its own end of loading: that saves a way there.
            let mut wait_here = !self.can(Capability::ConcurrentCalls);
            // The page may have asked for more while it loaded; then its code gets time to take in the answer.
            let mut requests_seen = 0;
            let mut after_request = false;
            let replaced;
            loop {
                if wait_here {
                    if !self.wait_for_load(tab, load_cap).await {
                        return Ok(None);
                    }
                    requests_seen =
                        self.with_tab(tab, |known| known.fetches_since(since)).unwrap_or_default();
                    after_request = requests_seen > 0;
                    if after_request {
                        self.wait_for_requests(tab, since, generation, request_cap).await;
                    }
                }
                let document = self.document(tab, main.clone());
                let load = load_cap.remaining().as_millis() as u64;
                let arrived = document.arrived(TIMER_CAP_MS / 2, load, after_request, greeting, deadline);
                let report = match self.unless_dialog(tab, deadline, arrived).await {
                    Ok(report) => report,
                    Err(Interrupted::Dialog(_)) => return Ok(None),
                    Err(Interrupted::Driver(_))
                        if self.with_tab(tab, |known| known.crashed).unwrap_or(true) =>
                    {
                        return Ok(None);
                    }
                    Err(Interrupted::Driver(DriverError::DocumentGone))
                        if !wait_here && self.with_tab(tab, |known| known.documents) == Some(generation) =>
                    {
                        // Too early: the document has no script yet.
                        wait_here = true;
                        continue;
                    }
                    Err(Interrupted::Driver(DriverError::DocumentGone)) if !deadline.is_past() => {
                        replaced = true;
                        break;
                    }
                    Err(Interrupted::Driver(DriverError::Closed)) => return Ok(None),
                    Err(Interrupted::Driver(DriverError::Timeout)) => {
                        let url = self.with_tab(tab, |known| known.url.clone()).unwrap_or_default();
                        let busy = vec!["scripts that do not end".to_string()];
                        let page = PageLine { title: String::new(), url, status: None };
                        return Ok(Some(Arrival { page, changes: Vec::new(), busy }));
                    }
                    Err(interrupted) => return Err(interrupted.into_failure("opening the page")),
                };
                wait_here = false;
                self.note_refs(tab, &main, report.next);
                let (moving_on, waiting, made, status) = self
                    .with_tab(tab, |known| {
                        let moving = known.documents > generation || known.is_navigating();
                        (
                            moving,
                            known.awaited_requests(since),
                            known.fetches_since(since),
                            known.document_status,
                        )
                    })
                    .unwrap_or((false, Vec::new(), requests_seen, None));
                if moving_on && !deadline.is_past() {
                    replaced = true;
                    break;
                }
                if (!waiting.is_empty() || made > requests_seen) && !request_cap.is_past() {
                    requests_seen = made;
                    after_request = true;
                    self.wait_for_requests(tab, since, generation, request_cap).await;
                    continue;
                }
                let mut busy = waiting;
                if report.loading {
                    busy.insert(0, "the page is still loading".to_string());
                }
                let page = PageLine {
                    title: report.title,
                    url: report.url,
                    status: status.filter(|status| *status >= 400),
                };
                return Ok(Some(Arrival { page, changes: to_changes(report.changes), busy }));
            }
            if replaced {
                // A script sent the page on to another.
                self.wait_for_next(tab, generation, deadline).await;
            }
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

    /// Waits until what page code asked for since `since` is answered, or the page moves on.
    async fn wait_for_requests(&self, tab: &TabHandle, since: u64, generation: u64, deadline: Deadline) {
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
                (left || opened || state.downloads.len() > tab.mark.downloads).then_some(())
            })
            .await;
    }

    async fn wait_for_download(&self, tab: &TabHandle, deadline: Deadline) {
        const MOMENT: Duration = Duration::from_millis(300);
        self.observer
            .until(deadline.at_most(MOMENT), |state| {
                let moved_on =
                    state.tab(&tab.id).is_none_or(|known| known.is_navigating() || known.dialog.is_some());
                (moved_on || state.downloads.len() > tab.mark.downloads).then_some(())
            })
            .await;
    }

    async fn wait_for_next(&self, tab: &TabHandle, generation: u64, deadline: Deadline) {
        self.observer
            .until(deadline, |state| match state.tab(&tab.id) {
                Some(known) => (known.documents > generation || !known.is_navigating()).then_some(()),
                None => Some(()),
            })
            .await;
    }

    /// Everything beside the page itself: dialogs, tabs, downloads, failures.
    pub(crate) async fn gather(
        &mut self,
        tab: &TabHandle,
        page: Option<PageLine>,
        changes: Vec<Change>,
        still_busy: Vec<String>,
        deadline: Deadline,
    ) -> Effect {
        let mark = &tab.mark;
        let download_cap = deadline.at_most(DOWNLOAD_CAP);
        let downloads = self
            .observer
            .until(download_cap, |state| {
                let since = &state.downloads[mark.downloads.min(state.downloads.len())..];
                since.iter().all(|(_, download)| download.state != "under way").then(|| since.to_vec())
            })
            .await
            .unwrap_or_else(|| {
                let state = self.observer.state();
                state.downloads[mark.downloads.min(state.downloads.len())..].to_vec()
            });
        let opened: Vec<(String, TabHandle)> = {
            let state = self.observer.state();
            state
                .tabs
                .iter()
                .filter(|known| known.number > mark.tabs)
                .map(|known| {
                    let handle = TabHandle::of(&state, known);
                    (known.name(), handle)
                })
                .collect()
        };
        let mut tabs = Vec::new();
        for (name, handle) in opened {
            let line = self.line_of_new_tab(&handle, deadline.at_most(Duration::from_secs(2))).await;
            tabs.push(NewTab { tab: name, title: line.title, url: line.url });
        }
        let state = self.observer.state();
        let known = state.tab(&tab.id);
        let mut notes = Vec::new();
        if known.is_none() && !state.gone {
            notes.push("the tab closed itself".to_string());
        }
        Effect {
            did: None,
            from: page.is_some().then(|| tab.url.clone()),
            page,
            changes,
            dialog: known.and_then(|known| known.dialog.clone()),
            tabs,
            downloads: downloads.into_iter().map(|(_, download)| download).collect(),
            failed_requests: known.map(|known| known.failed_requests_since(mark.network)).unwrap_or_default(),
            blocked: Vec::new(),
            console_errors: known.map(|known| known.console_errors_since(mark.console)).unwrap_or_default(),
            still_busy,
            notes,
            requests: known.map(|known| known.requests_since(mark.network)).unwrap_or_default(),
        }
    }

    async fn line_of_new_tab(&mut self, tab: &TabHandle, deadline: Deadline) -> PageLine {
        self.observer
            .until(deadline, |state| match state.tab(&tab.id) {
                Some(known) => {
                    (known.documents > 0 && known.dom_ready || known.dialog.is_some()).then_some(())
                }
                None => Some(()),
            })
            .await;
        let document = self.document(tab, tab.surface.main_frame());
        match self.unless_dialog(tab, deadline, document.page(deadline)).await {
            Ok(report) => PageLine { title: report.title, url: report.url, status: None },
            // It closed again, or is busy: what is known of it must do.
            Err(_) => PageLine {
                title: String::new(),
                url: self.with_tab(tab, |known| known.url.clone()).unwrap_or_else(|| tab.url.clone()),
                status: None,
            },
        }
    }
}

/// Puts both questions to the page at once and waits for the first answer. The second one stays open until
/// the input has come; when it ends early there is nothing to await, and it is dropped.
async fn begin_and_await(
    begin: impl Future<Output = Result<Answered<Begun>, DriverError>>,
    settling: &mut Option<Settling>,
) -> Result<Answered<Begun>, DriverError> {
    tokio::pin!(begin);
    let Some(awaited) = settling else { return begin.await };
    tokio::select! {
        biased;
        begun = &mut begin => return begun,
        _no_input_came = awaited => {}
    }
    *settling = None;
    begin.await
}

/// Frames beside the one that is acted on. A page of very many frames is not asked through: the guard of the
/// target still tells whether the input arrived.
fn other_frames(tab: &TabHandle, frame: &FrameId) -> Vec<FrameId> {
    const MOST: usize = 12;
    let frames = tab.surface.frames();
    if frames.len() > MOST {
        return Vec::new();
    }
    frames.into_iter().map(|known| known.id).filter(|id| id != frame).collect()
}

enum Placed {
    At { at: Point, scale: Scale },
    Covered(Box<Begun>),
}

/// What a new document shows.
pub(crate) struct Arrival {
    pub page: PageLine,
    pub changes: Vec<Change>,
    pub busy: Vec<String>,
}

/// The effect, and what the page script said of the target.
pub(crate) struct Settled {
    pub effect: Effect,
    /// None when the document was replaced, or is held by a dialog.
    pub report: Option<SettleReport>,
}

impl Settled {
    /// Says which element it was.
    pub fn told(mut self, planned: &str, ready: &Ready) -> Settled {
        if let Some(element) = &ready.begun.element {
            let mut line = to_element_line(element);
            line.value = None;
            line.states.clear();
            self.effect.did = Some(Did { verb: planned.to_string(), element: line });
        }
        if ready.begun.healed > 0
            && let Some(element) = &ready.begun.element
        {
            self.effect.notes.push(format!(
                "the page replaced e{}; {} is the same element",
                ready.begun.healed,
                named(element)
            ));
        }
        self
    }

    /// Takes out the change of the target itself, which the caller asked for and knows.
    pub fn without_own_change(mut self, ready: &Ready) -> Settled {
        if let Some(element) = &ready.begun.element {
            let own = assay_protocol::ref_name(element.id);
            self.effect.changes.retain(|change| change.reference.as_deref() != Some(own.as_str()));
        }
        self
    }

    pub fn target(&self) -> Option<&ElementReport> {
        self.report.as_ref().and_then(|report| report.element.as_ref())
    }
}
