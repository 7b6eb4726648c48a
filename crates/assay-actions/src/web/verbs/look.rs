//! Questions: they change nothing.

use std::time::Duration;

use assay_dom::{Read, ReadReport, SettleStatus, TargetRefusal, to_changes, to_element_line, to_map_nodes};
use assay_driver::{Deadline, DriverError, Evaluation, FrameId};
use assay_protocol::{Answer, ElementMap, ElementState, ErrorCode, Failure, MapNode, Selector, Step};

use crate::call::Call;
use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::Interrupted;
use crate::web::frames::frames_to_read;
use crate::web::target::{Pinned, frame_for, refusal};
use crate::web::timing::MARGIN;
use crate::web::verbs::effect_answer;

pub(crate) fn url(web: &mut WebContext) -> Result<Answer, Failure> {
    let tab = web.any_tab()?;
    Ok(Answer::Text { text: tab.url })
}

pub(crate) async fn title(web: &mut WebContext, call: &Call) -> Result<Answer, Failure> {
    let tab = web.tab()?;
    let document = web.document(&tab, tab.surface.main_frame());
    let page = ask(web, &tab, call, "reading the title", document.page(call.deadline)).await?;
    Ok(Answer::Text { text: page.title })
}

/// Waits for an answer of the page, unless a dialog holds it.
pub(crate) async fn ask<T>(
    web: &WebContext,
    tab: &TabHandle,
    call: &Call,
    doing: &str,
    work: impl Future<Output = Result<T, DriverError>>,
) -> Result<T, Failure> {
    web.unless_dialog(tab, call.deadline, work).await.map_err(|interrupted| interrupted.into_failure(doing))
}

pub(super) async fn read(
    web: &mut WebContext,
    target: Option<&Selector>,
    what: Read,
    name: Option<&str>,
    call: &Call,
) -> Result<ReadReport, Failure> {
    let tab = web.tab()?;
    let mut pinned = Pinned::default();
    loop {
        let frame = match target {
            Some(target) => pinned.frame_for(web, &tab, target, words_kind(what), call).await?,
            None => tab.surface.main_frame(),
        };
        let document = web.document(&tab, frame.clone());
        let work = document.read(target, what, name, call.wait && !call.deadline.is_past(), call.deadline);
        let report = match web.unless_dialog(&tab, call.deadline, work).await {
            Ok(report) => report,
            Err(Interrupted::Driver(DriverError::DocumentGone)) if !call.deadline.is_past() => {
                pause().await;
                continue;
            }
            Err(interrupted) => return Err(interrupted.into_failure("reading the page")),
        };
        web.note_refs(&tab, &frame, report.next);
        match (report.outcome, target) {
            (Ok(report), _) => return Ok(report),
            (Err(TargetRefusal::NotFound { .. }), Some(_))
                if call.wait && call.deadline.remaining() > MARGIN =>
            {
                pause().await;
            }
            (Err(why), Some(target)) => return Err(refusal(target, &why, &tab.url)),
            (Err(why), None) => {
                return Err(Failure::new(ErrorCode::Internal, format!("the page script answered {why:?}")));
            }
        }
    }
}

/// Which elements plain words can mean in this question; the page script narrows them alike.
fn words_kind(what: Read) -> &'static str {
    match what {
        Read::Value | Read::Editable => "edit",
        Read::Checked => "check",
        Read::Text | Read::Html | Read::Attr | Read::Visible | Read::Enabled | Read::Box => "read",
    }
}

async fn pause() {
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
}

pub(crate) async fn text(
    web: &mut WebContext,
    target: Option<&Selector>,
    call: &Call,
) -> Result<Answer, Failure> {
    let report = read(web, target, Read::Text, None, call).await?;
    Ok(match report.texts {
        Some(texts) => Answer::Texts { texts },
        None => Answer::Text { text: report.text.unwrap_or_default() },
    })
}

pub(crate) async fn html(
    web: &mut WebContext,
    target: Option<&Selector>,
    call: &Call,
) -> Result<Answer, Failure> {
    let report = read(web, target, Read::Html, None, call).await?;
    Ok(Answer::Text { text: report.text.unwrap_or_default() })
}

pub(crate) async fn value(web: &mut WebContext, target: &Selector, call: &Call) -> Result<Answer, Failure> {
    let report = read(web, Some(target), Read::Value, None, call).await?;
    match report.text {
        Some(value) => Ok(Answer::Value { value: Some(value) }),
        None => Err(Failure::new(ErrorCode::NotActionable, format!("`{target}` holds no value"))
            .hint(format!("assay text {target}"))),
    }
}

pub(crate) async fn attr(
    web: &mut WebContext,
    target: &Selector,
    name: &str,
    call: &Call,
) -> Result<Answer, Failure> {
    let report = read(web, Some(target), Read::Attr, Some(name), call).await?;
    match report.text {
        Some(value) => Ok(Answer::Value { value: Some(value) }),
        None => Err(Failure::new(ErrorCode::NotFound, format!("`{target}` has no attribute `{name}`"))),
    }
}

pub(crate) async fn is(
    web: &mut WebContext,
    state: ElementState,
    target: &Selector,
    call: &Call,
) -> Result<Answer, Failure> {
    let (what, wanted) = match state {
        ElementState::Visible => (Read::Visible, true),
        ElementState::Hidden => (Read::Visible, false),
        ElementState::Enabled => (Read::Enabled, true),
        ElementState::Disabled => (Read::Enabled, false),
        ElementState::Checked => (Read::Checked, true),
        ElementState::Unchecked => (Read::Checked, false),
        ElementState::Editable => (Read::Editable, true),
    };
    let holds = match read(web, Some(target), what, None, call).await {
        Ok(report) if what == Read::Checked => {
            report.text.as_deref() == Some(if wanted { "true" } else { "false" })
        }
        Ok(report) => report.holds == Some(wanted),
        // A missing element is not visible; every other question needs an element.
        Err(failure) if failure.code == ErrorCode::NotFound && what == Read::Visible => !wanted,
        Err(failure) => return Err(failure),
    };
    Ok(Answer::Is { state: format!("{state:?}").to_lowercase(), holds })
}

pub(crate) async fn map(
    web: &mut WebContext,
    target: Option<&Selector>,
    all: bool,
    call: &Call,
) -> Result<Answer, Failure> {
    let tab = web.tab()?;
    if let Some(target) = target {
        let frame = frame_for(web, &tab, target, "read", call.deadline, call.wait).await?;
        let document = web.document(&tab, frame.clone());
        let report =
            ask(web, &tab, call, "reading the page", document.map(Some(target), all, call.deadline)).await?;
        web.note_refs(&tab, &frame, report.next);
        let report = report.outcome.map_err(|why| refusal(target, &why, &tab.url))?;
        return Ok(Answer::Map(ElementMap {
            title: report.title,
            url: report.url,
            nodes: to_map_nodes(report.nodes),
        }));
    }
    let mut whole: Option<ElementMap> = None;
    let main = tab.surface.main_frame();
    for frame in frames_to_read(web, &tab, call.deadline).await? {
        let Some(report) = map_of_frame(web, &tab, &frame.id, all, call).await? else { continue };
        let nodes = to_map_nodes(report.nodes);
        match &mut whole {
            None => whole = Some(ElementMap { title: report.title, url: report.url, nodes }),
            Some(map) if !nodes.is_empty() && frame.id != main => {
                let name = if frame.name.is_empty() { frame.url.clone() } else { frame.name.clone() };
                let heading = MapNode {
                    depth: 0,
                    reference: None,
                    role: "frame".to_string(),
                    name,
                    value: None,
                    states: Vec::new(),
                };
                map.nodes.push(heading);
                map.nodes.extend(nodes.into_iter().map(|node| MapNode { depth: node.depth + 1, ..node }));
            }
            Some(_) => {}
        }
    }
    whole
        .map(Answer::Map)
        .ok_or_else(|| Failure::new(ErrorCode::NotFound, "the page is being replaced").hint("assay map"))
}

async fn map_of_frame(
    web: &mut WebContext,
    tab: &TabHandle,
    frame: &FrameId,
    all: bool,
    call: &Call,
) -> Result<Option<assay_dom::MapReport>, Failure> {
    loop {
        let document = web.document(tab, frame.clone());
        match web.unless_dialog(tab, call.deadline, document.map(None, all, call.deadline)).await {
            Ok(report) => {
                web.note_refs(tab, frame, report.next);
                // Without a requested element there is nothing to refuse.
                return Ok(report.outcome.ok());
            }
            Err(Interrupted::Driver(DriverError::DocumentGone)) if *frame == tab.surface.main_frame() => {
                if call.deadline.is_past() {
                    return Ok(None);
                }
                pause().await;
            }
            Err(Interrupted::Driver(DriverError::DocumentGone)) => return Ok(None),
            Err(interrupted) => return Err(interrupted.into_failure("reading the page")),
        }
    }
}

pub(crate) async fn find(web: &mut WebContext, target: &Selector, call: &Call) -> Result<Answer, Failure> {
    let (elements, total) = query(web, target, 6, call).await?;
    if total > 1 {
        let candidates = elements
            .iter()
            .take(5)
            .map(|element| assay_protocol::Candidate {
                reference: element.reference.clone(),
                role: element.role.clone(),
                name: element.name.clone(),
                place: None,
            })
            .collect();
        return Err(Failure::new(ErrorCode::Ambiguous, format!("`{target}` matches {total} elements"))
            .candidates(candidates)
            .hint("assay find-all lists them"));
    }
    Ok(Answer::Elements { elements, total })
}

pub(crate) async fn find_all(
    web: &mut WebContext,
    target: &Selector,
    limit: usize,
    call: &Call,
) -> Result<Answer, Failure> {
    let (elements, total) = query(web, target, limit, call).await?;
    Ok(Answer::Elements { elements, total })
}

/// The frames to search: the one named by its number or by a ref in it, or all.
pub(crate) async fn frames_of(
    web: &mut WebContext,
    tab: &TabHandle,
    target: &Selector,
    call: &Call,
    wait: bool,
) -> Result<Vec<FrameId>, Failure> {
    if target.frame.is_some() || matches!(target.steps.first(), Some(Step::Ref { .. })) {
        return Ok(vec![frame_for(web, tab, target, "read", call.deadline, wait).await?]);
    }
    let frames = frames_to_read(web, tab, call.deadline).await?;
    Ok(frames.into_iter().map(|frame| frame.id).collect())
}

/// Whether the answer can leave out this frame, which did not answer. It cannot if the frame is the page itself or the
/// only requested frame, and is just being replaced: its content is not known yet.
fn is_dispensable(tab: &TabHandle, frames: &[FrameId], frame: &FrameId) -> bool {
    let is_gone = || !tab.surface.frames().iter().any(|known| known.id == *frame);
    *frame != tab.surface.main_frame() && (frames.len() > 1 || is_gone())
}

async fn query(
    web: &mut WebContext,
    target: &Selector,
    limit: usize,
    call: &Call,
) -> Result<(Vec<assay_protocol::ElementLine>, usize), Failure> {
    let tab = web.tab()?;
    'page: loop {
        let frames = frames_of(web, &tab, target, call, call.wait).await?;
        let mut elements = Vec::new();
        let mut total = 0;
        let mut miss = None;
        for frame in &frames {
            let document = web.document(&tab, frame.clone());
            let work = document.query(target, limit.saturating_sub(elements.len()), total > 0, call.deadline);
            let report = match web.unless_dialog(&tab, call.deadline, work).await {
                Ok(report) => report,
                Err(Interrupted::Driver(DriverError::DocumentGone))
                    if is_dispensable(&tab, &frames, frame) =>
                {
                    continue;
                }
                Err(Interrupted::Driver(DriverError::DocumentGone)) if !call.deadline.is_past() => {
                    pause().await;
                    continue 'page;
                }
                Err(interrupted) => return Err(interrupted.into_failure("looking for elements")),
            };
            web.note_refs(&tab, frame, report.next);
            match report.outcome {
                Ok(report) => {
                    total += report.total;
                    elements.extend(report.elements.iter().map(to_element_line));
                }
                Err(why) => {
                    miss.get_or_insert(why);
                }
            }
        }
        if total > 0 {
            return Ok((elements, total));
        }
        if call.wait && call.deadline.remaining() > MARGIN {
            pause().await;
            continue;
        }
        return Err(match miss {
            Some(why) => refusal(target, &why, &tab.url),
            None => Failure::new(ErrorCode::NotFound, format!("no element matches `{target}`")),
        });
    }
}

pub(crate) async fn count(web: &mut WebContext, target: &Selector, call: &Call) -> Result<Answer, Failure> {
    let tab = web.tab()?;
    'page: loop {
        let mut count = 0;
        let frames = frames_of(web, &tab, target, call, call.wait).await?;
        for frame in &frames {
            let document = web.document(&tab, frame.clone());
            let work = document.count(target, call.deadline);
            let report = match web.unless_dialog(&tab, call.deadline, work).await {
                Ok(report) => report,
                Err(Interrupted::Driver(DriverError::DocumentGone))
                    if is_dispensable(&tab, &frames, frame) =>
                {
                    continue;
                }
                Err(Interrupted::Driver(DriverError::DocumentGone)) if !call.deadline.is_past() => {
                    pause().await;
                    continue 'page;
                }
                Err(interrupted) => return Err(interrupted.into_failure("counting elements")),
            };
            match report.outcome {
                Ok(report) => count += report.total,
                Err(why @ TargetRefusal::BadSelector { .. }) => {
                    return Err(refusal(target, &why, &tab.url));
                }
                Err(_) => {}
            }
        }
        return Ok(Answer::Count { count });
    }
}

pub(crate) async fn diff(web: &mut WebContext, call: &Call) -> Result<Answer, Failure> {
    let tab = web.tab()?;
    let main = tab.surface.main_frame();
    let document = web.document(&tab, main.clone());
    let report = ask(web, &tab, call, "reading the page", document.diff(call.deadline)).await?;
    web.note_refs(&tab, &main, report.next);
    if report.status == SettleStatus::NoMap {
        return Err(Failure::new(ErrorCode::NotFound, "there is no map of this page to compare with")
            .hint("run assay map first; assay diff then shows the changes since"));
    }
    Ok(Answer::Changes { changes: to_changes(report.changes) })
}

pub(crate) async fn eval(web: &mut WebContext, expression: &str, call: &Call) -> Result<Answer, Failure> {
    let tab = web.tab()?;
    let work = tab.surface.evaluate(expression.to_string(), call.deadline);
    match web.unless_dialog(&tab, call.deadline, work).await {
        Ok(Evaluation::Value(value)) => Ok(Answer::Json { value }),
        Ok(Evaluation::Described(text)) => Ok(Answer::Text { text }),
        Ok(Evaluation::Threw(message)) => {
            Err(Failure::new(ErrorCode::EvalFailed, format!("the expression threw: {message}")))
        }
        Err(Interrupted::Dialog(_)) => {
            let effect = web.gather(&tab, None, Vec::new(), Vec::new(), Deadline::after(MARGIN)).await;
            Ok(effect_answer(effect))
        }
        Err(Interrupted::Driver(DriverError::Timeout)) => {
            end_own_script(web, &tab).await;
            Err(Failure::new(
                ErrorCode::OutcomeUnknown,
                "the expression did not finish in time, so its effect is unknown",
            )
            .hint("--timeout MS waits longer"))
        }
        Err(Interrupted::Driver(DriverError::DocumentGone)) => {
            Err(Failure::new(ErrorCode::OutcomeUnknown, "the page was replaced while the expression ran")
                .hint("assay url shows where it went"))
        }
        Err(interrupted) => Err(interrupted.into_failure("running the expression")),
    }
}

/// A loop that we began must not leave the page stuck. What only waits leaves it free, and is left alone.
async fn end_own_script(web: &mut WebContext, tab: &TabHandle) {
    let soon = Deadline::after(Duration::from_millis(300));
    if let Err(DriverError::Timeout) = tab.surface.evaluate("0".to_string(), soon).await {
        web.unstick(tab).await;
    }
}
