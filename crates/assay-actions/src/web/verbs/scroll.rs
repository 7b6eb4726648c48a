//! `scroll`: by the wheel, to an edge, or to an element.

use std::time::Duration;

use assay_dom::{Edge, ScrollReport};
use assay_driver::{FrameId, Modifiers, Point, PointerStep};
use assay_protocol::{Answer, Failure, ScrollTo};

use crate::call::Call;
use crate::web::act::TargetedAct;
use crate::web::context::{TabHandle, WebContext};
use crate::web::verbs::effect_answer;
use crate::web::verbs::look::ask;

pub(crate) async fn scroll(web: &mut WebContext, to: &ScrollTo, call: &Call) -> Result<Answer, Failure> {
    match to {
        ScrollTo::Element { target } => {
            let intent = TargetedAct { guard: false, ..TargetedAct::new(target, "scroll", "scrolled to") };
            let ready = web.begin(&intent, call).await?;
            let settled = web.settle(&ready.tab, &ready.frame, call.deadline).await?;
            Ok(effect_answer(settled.told("scrolled to", &ready).effect))
        }
        ScrollTo::Top => edge(web, Edge::Top, call).await,
        ScrollTo::Bottom => edge(web, Edge::Bottom, call).await,
        ScrollTo::By { x, y, over } => {
            let mut element = None;
            let (tab, frame, at, before) = match over {
                Some(target) => {
                    let intent = TargetedAct { guard: false, ..TargetedAct::new(target, "drag", "scrolled") };
                    let ready = web.begin(&intent, call).await?;
                    element = ready.begun.element.as_ref().map(|element| element.id);
                    let before = position(web, &ready.tab, &ready.frame, element, call).await?;
                    (ready.tab, ready.frame, ready.at, before)
                }
                None => {
                    let tab = web.watch(call).await?;
                    let main = tab.surface.main_frame();
                    let info = position(web, &tab, &main, None, call).await?;
                    let at = Point { x: info.width / 2.0, y: info.height / 2.0 };
                    (tab, main, at, info)
                }
            };
            let steps = vec![PointerStep::Move { to: at }, PointerStep::Wheel { at, by_x: *x, by_y: *y }];
            web.give(&tab, call.deadline, tab.surface.pointer(steps, Modifiers::default(), call.deadline))
                .await?;
            let scrolled = Scrolled { tab: &tab, frame: &frame, element };
            until_moved(web, &scrolled, &before, *y, call).await?;
            let mut settled = web.settle(&tab, &frame, call.deadline).await?;
            if over.is_none() {
                let info = position(web, &tab, &frame, None, call).await?;
                settled.effect.notes.push(in_words(&info));
            }
            Ok(effect_answer(settled.effect))
        }
    }
}

/// Some engines scroll in a process of their own, and the page learns of it later.
async fn until_moved(
    web: &mut WebContext,
    scrolled: &Scrolled<'_>,
    before: &ScrollReport,
    down: f64,
    call: &Call,
) -> Result<(), Failure> {
    // Whether a box has room left is not known; one that does not move was at its end.
    let has_room =
        scrolled.element.is_some() || down > 0.0 && before.bottom > 0.0 || down < 0.0 && before.y > 0.0;
    let longest = if scrolled.element.is_some() { 300 } else { 600 };
    let end = call.deadline.at_most(Duration::from_millis(longest));
    while has_room && !end.is_past() {
        let now = position(web, scrolled.tab, scrolled.frame, scrolled.element, call).await?;
        if (now.y, now.around) != (before.y, before.around) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// What the wheel is turned over: the page, or an element in one of its frames.
struct Scrolled<'a> {
    tab: &'a TabHandle,
    frame: &'a FrameId,
    element: Option<u32>,
}

async fn edge(web: &mut WebContext, edge: Edge, call: &Call) -> Result<Answer, Failure> {
    let tab = web.watch(call).await?;
    let main = tab.surface.main_frame();
    let document = web.document(&tab, main.clone());
    ask(web, &tab, call, "scrolling", document.scroll_to_edge(edge, call.deadline)).await?;
    let mut settled = web.settle(&tab, &main, call.deadline).await?;
    let info = position(web, &tab, &main, None, call).await?;
    settled.effect.notes.push(in_words(&info));
    Ok(effect_answer(settled.effect))
}

async fn position(
    web: &mut WebContext,
    tab: &TabHandle,
    frame: &FrameId,
    element: Option<u32>,
    call: &Call,
) -> Result<ScrollReport, Failure> {
    let document = web.document(tab, frame.clone());
    ask(web, tab, call, "scrolling", document.scroll_info(element, call.deadline)).await
}

fn in_words(info: &ScrollReport) -> String {
    let side = if info.x > 0.0 { format!(", {} to the right", info.x) } else { String::new() };
    match (info.y, info.bottom) {
        (y, _) if y <= 0.0 => format!("at the top, {} below{side}", info.bottom),
        (y, bottom) if bottom <= 0.0 => format!("at the bottom, {y} above{side}"),
        (y, bottom) => format!("{y} above, {bottom} below{side}"),
    }
}
