//! The shape of every act: find and guard the target, send real input, settle, report the effect.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use assay_dom::{Answered, BeginArguments, Begun, Document, Readiness, SettleReport, TargetRefusal};
use assay_driver::{Capability, Deadline, DriverError, FrameId, Point};
use assay_protocol::{ErrorCode, Failure, Selector};
use tokio::time::Instant;

use crate::call::Call;
use crate::policy::{Consent, Labels};
use crate::web::aim::Scale;
use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::{Interrupted, from_driver};
use crate::web::observer::Tab;
use crate::web::target::{Pinned, described, not_actionable, refusal};
use crate::web::timing::{ARRIVING, MARGIN, PATIENCE, REQUEST_CAP, TIMER_CAP_MS, YOUNG};

/// A target that is ready for input, with its guard up.
pub(crate) struct Ready {
    pub tab: TabHandle,
    pub frame: FrameId,
    pub begun: Begun,
    /// Where to point, in pixels of the surface.
    pub at: Point,
    /// The page script awaits the input and will report the outcome.
    pub settling: Option<Settling>,
}

pub(crate) type Settling = Pin<Box<dyn Future<Output = Result<SettleReport, DriverError>> + Send>>;

/// The act to carry out on the target.
pub(crate) struct TargetedAct<'a> {
    pub target: &'a Selector,
    /// The page script's name for the act.
    pub kind: &'static str,
    /// Past tense, for messages: `clicked`.
    pub planned: &'static str,
    pub text: Option<&'a str>,
    pub options: &'a [String],
    pub guard: bool,
    /// Consent is needed for it as for a press.
    pub weighs: bool,
    /// The event that ends the input, where the page script can see it: then settling begins
    /// without waiting for the browser to confirm the input first.
    pub last: Option<&'static str>,
    /// It belongs to the act before it, and their effect is one.
    pub continues: bool,
}

impl<'a> TargetedAct<'a> {
    pub fn new(target: &'a Selector, kind: &'static str, planned: &'static str) -> TargetedAct<'a> {
        TargetedAct {
            target,
            kind,
            planned,
            text: None,
            options: &[],
            guard: true,
            weighs: false,
            last: None,
            continues: false,
        }
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

/// The host of a page, for people.
fn place_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty()).unwrap_or("this page")
}

/// Whether an act of this kind presses its target.
fn presses(kind: &str) -> bool {
    matches!(kind, "click" | "dblclick" | "press" | "select" | "check" | "uncheck" | "drag" | "drop")
}

impl WebContext {
    /// Waits until the target can be acted on; afterwards only it can receive the input.
    pub(crate) async fn begin(&mut self, intent: &TargetedAct<'_>, call: &Call) -> Result<Ready, Failure> {
        let tab = self.tab()?;
        let started = Instant::now();
        let patience = if call.wait { call.deadline } else { call.deadline.at_most(PATIENCE) };
        let doing = format!("waiting for `{}`", intent.target);
        // Why the target was not ready in the page's last answer: reported if the next answer comes too late.
        let mut last_seen = None;
        let mut pinned = Pinned::default();
        loop {
            let frame = pinned.frame_for(self, &tab, intent.target, intent.words_kind(), call).await?;
            let document = self.document(&tab, frame.clone());
            // The page script waits in slices, so late frames are also seen.
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
                continues: intent.continues,
                text: intent.text,
                options: intent.options,
                labels: call.policy.consent != Consent::Given && (intent.weighs || presses(intent.kind)),
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
                Err(TargetRefusal::NotFound { .. })
                    if started.elapsed() < ARRIVING && self.is_arriving(&tab, call.deadline).await =>
                {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
                Err(why) => return Err(refusal(intent.target, &why, &tab.url)),
            };
            match begun.readiness {
                Readiness::Ready => {
                    let what = format!(
                        "{} on {}",
                        begun.element.as_ref().map(described).unwrap_or_default(),
                        place_of(&tab.url)
                    );
                    let labels = Labels { pressed: &begun.labels, led: &begun.led };
                    call.policy.check_labels(labels, &what)?;
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

    /// Whether the page came a short time ago, and it or a frame of it still brings its content.
    async fn is_arriving(&self, tab: &TabHandle, deadline: Deadline) -> bool {
        let young = |known: &Tab| known.document_since.elapsed() < YOUNG;
        if !self.with_tab(tab, young).unwrap_or(false) {
            return false;
        }
        let main = tab.surface.main_frame();
        for frame in std::iter::once(main.clone()).chain(other_frames(tab, &main)) {
            // A document that is being replaced is on its way.
            if self.document(tab, frame).is_underway(deadline).await.unwrap_or(true) {
                return true;
            }
        }
        false
    }

    fn settling(&self, tab: &TabHandle, frame: &FrameId, deadline: Deadline) -> Settling {
        let Document { frame, next, faults, .. } = self.document(tab, frame.clone());
        let surface = Arc::clone(&tab.surface);
        Box::pin(async move {
            let document = Document { surface: &*surface, frame, next, faults };
            document.settle_after_begin(TIMER_CAP_MS, REQUEST_CAP.as_millis() as u64, deadline).await
        })
    }

    /// The target's point on the surface. For a frame, elements over the frame count too, and the guards of the
    /// outer documents block the input.
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

    /// Blocks input for one frame in all other documents of the page, and watches them: the effect of a frame often
    /// shows in the page around it.
    async fn shield_others(&self, tab: &TabHandle, frame: &FrameId, keys: bool, deadline: Deadline) {
        for other in other_frames(tab, frame) {
            let document = self.document(tab, other);
            // A frame that is being replaced cannot receive input for another.
            let _shut = document.watch(deadline).await;
            let _shut = document.shield(keys, deadline).await;
        }
    }

    /// Sends input to the page. An open dialog ends the wait: its page does not answer until the dialog is closed.
    pub(crate) async fn give(
        &self,
        tab: &TabHandle,
        deadline: Deadline,
        input: impl Future<Output = Result<(), DriverError>>,
    ) -> Result<(), Failure> {
        match self.unless_dialog(tab, deadline, input).await {
            Ok(()) | Err(Interrupted::Dialog(_)) => Ok(()),
            // The input was on its way when the page went; the next page shows its effect.
            Err(Interrupted::Driver(DriverError::DocumentGone | DriverError::Closed)) => Ok(()),
            Err(Interrupted::Driver(DriverError::Timeout)) => Err(Failure::new(
                ErrorCode::OutcomeUnknown,
                "the input was sent, but the page did not respond in time, so the result is unknown",
            )
            .hint("assay map shows the page as it is now")),
            Err(Interrupted::Driver(err)) => Err(from_driver(err, "sending input")),
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
}

/// Sends both calls to the page at once and waits for the first answer. The second call stays open until the
/// input has come; if it ends early, there is nothing to await, and it is dropped.
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

/// The other frames of the page. If there are very many, they are not queried: the guard of the target still
/// says whether the input arrived.
pub(crate) fn other_frames(tab: &TabHandle, frame: &FrameId) -> Vec<FrameId> {
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
