//! From a selector to a frame and an element, or to a refusal that names candidates.

use std::time::Duration;

use assay_dom::{Answered, Begun, ElementReport, QueryReport, TargetRefusal, to_candidates};
use assay_driver::{Deadline, DriverError, Frame, FrameId};
use assay_protocol::{ErrorCode, Failure, Selector, Step};

use crate::call::Call;
use crate::policy::shortened;
use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::{Interrupted, unknown_ref};
use crate::web::frames::{frames_of_page, frames_to_read};
use crate::web::timing::MARGIN;

/// The frame that holds a target. If no frame has the given number, it waits for one if requested. A page with one
/// frame needs no query.
pub(crate) async fn frame_for(
    web: &mut WebContext,
    tab: &TabHandle,
    selector: &Selector,
    kind: &'static str,
    deadline: Deadline,
    wait: bool,
) -> Result<FrameId, Failure> {
    if let Some(Step::Ref { id }) = selector.steps.first() {
        return web.frame_of_ref(*id, tab);
    }
    if let Some(number) = selector.frame {
        return frame_by_number(web, tab, number, deadline, wait).await;
    }
    let main = tab.surface.main_frame();
    if tab.surface.frames().len() < 2 {
        return Ok(main);
    }
    let frames = frames_to_read(web, tab, deadline).await?;
    let mut holding = Vec::new();
    for frame in &frames {
        let document = web.document(tab, frame.id.clone());
        match web.unless_dialog(tab, deadline, document.count_for(selector, kind, deadline)).await {
            Ok(Answered { next, outcome: Ok(report) }) if report.total > 0 => {
                web.note_refs(tab, &frame.id, next);
                holding.push((frame.id.clone(), report));
            }
            Ok(_) => {}
            // A frame that is being replaced holds nothing now.
            Err(Interrupted::Driver(DriverError::DocumentGone | DriverError::Script { .. })) => {}
            Err(interrupted) => return Err(interrupted.into_failure(&format!("looking for `{selector}`"))),
        }
    }
    // Visible frames take precedence.
    let shown: Vec<&(FrameId, QueryReport)> = holding.iter().filter(|(_, report)| report.shown > 0).collect();
    let chosen: Vec<&(FrameId, QueryReport)> =
        if shown.is_empty() { holding.iter().collect() } else { shown };
    match chosen.as_slice() {
        [] => Ok(main),
        [(frame, _)] => Ok(frame.clone()),
        several => {
            let total: usize = several.iter().map(|(_, report)| report.total).sum();
            let mut candidates = Vec::new();
            let holders: Vec<FrameId> = several.iter().map(|(frame, _)| frame.clone()).collect();
            for frame in &holders {
                let document = web.document(tab, frame.clone());
                if let Ok(answered) = document.query(selector, 3, true, deadline).await {
                    web.note_refs(tab, frame, answered.next);
                    let Ok(report) = answered.outcome else { continue };
                    let place = place_of_frame(web, tab, &frames, frame, deadline).await;
                    for mut candidate in to_candidates(&report.elements) {
                        candidate.place.clone_from(&place);
                        candidates.push(candidate);
                    }
                }
            }
            Err(ambiguous(selector, total, candidates).hint("name one by its ref, or its frame: f2 >> …"))
        }
    }
}

/// What the page calls a frame, or its address.
async fn place_of_frame(
    web: &WebContext,
    tab: &TabHandle,
    frames: &[Frame],
    meant: &FrameId,
    deadline: Deadline,
) -> Option<String> {
    const MOST: usize = 50;
    let known = frames.iter().find(|known| known.id == *meant)?;
    let address = format!("frame {}", known.url);
    let (Some(parent), Ok(all)) = (&known.parent, Selector::parse("iframe")) else {
        return Some(address);
    };
    let siblings: Vec<&FrameId> =
        frames.iter().filter(|other| other.parent.as_ref() == Some(parent)).map(|other| &other.id).collect();
    let answered = web.document(tab, parent.clone()).query(&all, MOST, true, deadline).await.ok()?;
    let elements = answered.outcome.map(|report| report.elements).unwrap_or_default();
    let at = siblings.iter().position(|id| *id == meant)?;
    let name = elements.get(at).map(|element| element.name.clone()).unwrap_or_default();
    Some(match elements.len() == siblings.len() && !name.is_empty() {
        true => format!("frame \"{name}\""),
        false => address,
    })
}

/// The frame that a command means, for as long as it exists. If another frame gets its number meanwhile, the command
/// does not switch to it.
#[derive(Default)]
pub(crate) struct Pinned(Option<FrameId>);

impl Pinned {
    /// None until it is found.
    pub fn get(&self, tab: &TabHandle) -> Option<FrameId> {
        let pinned = self.0.as_ref()?;
        tab.surface.frames().into_iter().map(|frame| frame.id).find(|id| id == pinned)
    }

    /// The frame that holds the target, found once if it is named by a number.
    pub async fn frame_for(
        &mut self,
        web: &mut WebContext,
        tab: &TabHandle,
        selector: &Selector,
        kind: &'static str,
        call: &Call,
    ) -> Result<FrameId, Failure> {
        let frame = match self.get(tab) {
            Some(frame) => frame,
            None => frame_for(web, tab, selector, kind, call.deadline, call.wait).await?,
        };
        self.put(selector, &frame);
        Ok(frame)
    }

    /// Only numbers move from one frame to another.
    pub fn put(&mut self, selector: &Selector, frame: &FrameId) {
        self.0 = selector.frame.map(|_| frame.clone());
    }
}

async fn frame_by_number(
    web: &WebContext,
    tab: &TabHandle,
    number: u32,
    deadline: Deadline,
    wait: bool,
) -> Result<FrameId, Failure> {
    let mut frames = frames_of_page(web, tab, deadline).await?;
    // A frame that existed under another number and was renumbered is not the awaited one.
    let others: Vec<FrameId> =
        frames.iter().filter(|known| known.number != number).map(|known| known.frame.id.clone()).collect();
    loop {
        let meant = frames.iter().find(|known| known.number == number);
        if let Some(known) = meant.filter(|known| !others.contains(&known.frame.id)) {
            return Ok(known.frame.id.clone());
        }
        let total = frames.len();
        if !wait {
            let message = format!("there is no frame f{number}: the page has {total}");
            return Err(Failure::new(ErrorCode::Usage, message).hint("assay frames lists them"));
        }
        if deadline.remaining() <= MARGIN {
            let message = match meant {
                Some(_) => format!("frame f{number} did not appear: the current f{number} was there before"),
                None => format!("frame f{number} did not appear: the page has {total}"),
            };
            return Err(Failure::new(ErrorCode::Timeout, message).hint("assay frames lists them"));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        frames = frames_of_page(web, tab, deadline).await?;
    }
}

fn ambiguous(selector: &Selector, total: usize, candidates: Vec<assay_protocol::Candidate>) -> Failure {
    let failure = Failure::new(ErrorCode::Ambiguous, format!("`{selector}` matches {total} elements"));
    let failure = if total > candidates.len() && !candidates.is_empty() {
        failure.detail(format!("the first {}:", candidates.len()))
    } else {
        failure
    };
    failure.candidates(candidates).hint("name one by its ref, or narrow it: row \"…\" >> button \"…\"")
}

/// Why no element was chosen, in words.
pub(crate) fn refusal(selector: &Selector, why: &TargetRefusal, url: &str) -> Failure {
    match why {
        TargetRefusal::NotFound { candidates } => {
            let failure =
                Failure::new(ErrorCode::NotFound, format!("no element matches `{selector}` on {url}"));
            let failure = if candidates.is_empty() { failure } else { failure.detail("the nearest:") };
            failure
                .candidates(to_candidates(candidates))
                .hint("assay map shows the page; --timeout MS waits for it to appear")
        }
        TargetRefusal::Ambiguous { total, candidates } => {
            ambiguous(selector, *total, to_candidates(candidates))
        }
        TargetRefusal::StaleRef { was, candidates } => {
            let was =
                was.as_ref().map(|past| format!(" ({} \"{}\")", past.role, past.name)).unwrap_or_default();
            let failure =
                Failure::new(ErrorCode::StaleRef, format!("`{selector}`{was} is gone from the page"));
            if candidates.is_empty() {
                failure.hint("assay map shows the page as it is now")
            } else {
                failure
                    .detail("no element is clearly the same; these have the same role and name:")
                    .candidates(to_candidates(candidates))
                    .hint("name one by its ref")
            }
        }
        TargetRefusal::UnknownRef => match selector.as_ref_id() {
            Some(id) => unknown_ref(id),
            None => {
                Failure::new(ErrorCode::UnknownRef, format!("`{selector}` names a ref that no map has shown"))
            }
        },
        TargetRefusal::BadSelector { message } => Failure::new(
            ErrorCode::BadSelector,
            format!("expected a selector, found `{selector}`: {message}"),
        )
        .hint("e12, CSS, xpath=…, button \"Name\", label=…, text=…, testid=…, or plain words"),
        TargetRefusal::BadValue { message } => Failure::new(ErrorCode::Usage, message.clone()),
        TargetRefusal::WrongKind { message } => {
            Failure::new(ErrorCode::NotActionable, format!("`{selector}` {message}"))
        }
        TargetRefusal::NoOption { wanted, several, options, total } => {
            let (code, message) = if *several {
                (ErrorCode::Ambiguous, format!("`{wanted}` matches {total} options of `{selector}`"))
            } else {
                (ErrorCode::NotFound, format!("`{selector}` has no option `{wanted}`"))
            };
            let mut list = options.join(", ");
            if *total > options.len() {
                list = format!("{list}, … ({total} in all)");
            }
            Failure::new(code, message).detail(format!("the options: {list}"))
        }
    }
}

/// `button "Save" (e4)`, as error messages name an element.
/// An element for people, who know no refs.
pub(crate) fn described(element: &ElementReport) -> String {
    let name = element.label.as_deref().filter(|label| !label.is_empty()).unwrap_or(&element.name);
    if name.is_empty() { element.role.clone() } else { format!("{} \"{}\"", element.role, shortened(name)) }
}

pub(crate) fn named(element: &ElementReport) -> String {
    let name = element.label.as_deref().filter(|label| !label.is_empty()).unwrap_or(&element.name);
    if name.is_empty() {
        format!("{} e{}", element.role, element.id)
    } else {
        format!("{} \"{name}\" (e{})", element.role, element.id)
    }
}

/// Why an element was found but not acted on.
pub(crate) fn not_actionable(selector: &Selector, begun: &Begun, planned: &str, waited: Duration) -> Failure {
    let element = begun.element.as_ref().map_or_else(|| format!("`{selector}`"), named);
    let mut reason = begun.reason.clone().unwrap_or_else(|| "it is not ready".to_string());
    if let Some(cover) = &begun.covered_by {
        reason = format!("{reason} by {}", named(cover));
    } else if let Some(holder) = &begun.focus_at {
        reason = format!("{reason}: the page moves the focus to {}", named(holder));
    }
    let code = if begun.unsupported { ErrorCode::Unsupported } else { ErrorCode::NotActionable };
    let mut failure = Failure::new(code, format!("{element} cannot be {planned}: {reason}"));
    if !begun.is_final {
        failure = failure.detail(format!("waited {:.1}s", waited.as_secs_f64()));
    }
    match (&begun.advice, &begun.covered_by) {
        // A whole command, or the verb that fits.
        (Some(command), _) if command.contains(' ') => failure.hint(format!("assay {command}")),
        (Some(verb), _) => failure.hint(format!("assay {verb} --help")),
        (None, Some(cover)) => failure.hint(format!("deal with e{} first, or wait: --timeout MS", cover.id)),
        (None, None) => failure,
    }
}
