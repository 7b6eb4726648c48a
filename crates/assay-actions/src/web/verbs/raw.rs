//! `at` and `raw`: the element at a point of the viewport, and input at a point.

use std::time::Duration;

use assay_dom::AtReport;
use assay_driver::{Capture, DragPath, DriverError, FrameId, ImageFormat, Modifiers, Point, PointerStep};
use assay_pixels::{Pixels, alike, looks_at};
use assay_protocol::{Answer, ErrorCode, Failure, RawInput, RawPlace, ViewPoint, ViewSize};

use crate::call::Call;
use crate::web::act::TargetedAct;
use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::from_driver;
use crate::web::verbs::effect_answer;
use crate::web::verbs::keyboard::{press_strokes, strokes_of};
use crate::web::verbs::look::ask;
use crate::web::verbs::pointer::{held_keys, real_button};

/// Sizes that differ by less are the same: browsers round them.
const SAME_SIZE: f64 = 1.0;
/// The maximum depth of nested frames to search.
const DEEPEST: usize = 8;
const PICTURE_TIME: Duration = Duration::from_secs(10);

pub(crate) async fn at(web: &mut WebContext, point: ViewPoint, call: &Call) -> Result<Answer, Failure> {
    let tab = web.tab()?;
    let mut frame = tab.surface.main_frame();
    let mut point = Point { x: point.x, y: point.y };
    let mut origin = Point { x: 0.0, y: 0.0 };
    let mut deep = 0;
    loop {
        let document = web.document(&tab, frame.clone());
        let seen = ask(web, &tab, call, "looking at a point", document.at(point, call.deadline)).await?;
        web.note_refs(&tab, &frame, seen.next);
        if deep == 0 {
            inside(point, seen.view)?;
        }
        let (Some([left, top]), Some([x, y])) = (seen.frame, seen.inner) else {
            return Ok(told(seen));
        };
        origin = Point { x: origin.x + left, y: origin.y + top };
        deep += 1;
        match frame_that_begins_at(&tab, &frame, origin, call).await? {
            Some(inner) if deep < DEEPEST => frame = inner,
            // The content of a frame that cannot be distinguished from others is unknown.
            _ => return Ok(told(seen)),
        }
        point = Point { x, y };
    }
}

fn told(seen: AtReport) -> Answer {
    let elements = seen.elements.iter().map(assay_dom::to_element_line).collect();
    Answer::At { elements, tag: seen.tag, text: seen.text }
}

async fn frame_that_begins_at(
    tab: &TabHandle,
    parent: &FrameId,
    origin: Point,
    call: &Call,
) -> Result<Option<FrameId>, Failure> {
    let mut found = None;
    for frame in tab.surface.frames().into_iter().filter(|frame| frame.parent.as_ref() == Some(parent)) {
        match tab.surface.frame_offset(&frame.id, call.deadline).await {
            Ok(begins) if (begins.x - origin.x).abs() < 2.0 && (begins.y - origin.y).abs() < 2.0 => {
                if found.replace(frame.id).is_some() {
                    return Ok(None);
                }
            }
            Ok(_) | Err(DriverError::DocumentGone) => {}
            Err(error) => return Err(from_driver(error, "finding the frame's place")),
        }
    }
    Ok(found)
}

pub(crate) async fn raw(
    web: &mut WebContext,
    input: &RawInput,
    place: &RawPlace,
    call: &Call,
) -> Result<Answer, Failure> {
    let origin = match &place.within {
        Some(target) => {
            let intent = TargetedAct { guard: false, ..TargetedAct::new(target, "drag", "pointed at") };
            let ready = web.begin(&intent, call).await?;
            let Some([x, y, width, height]) = ready.begun.area else {
                return Err(Failure::new(ErrorCode::NotActionable, format!("`{target}` has no size")));
            };
            has_size(&format!("`{target}`"), place.size, [width, height])?;
            Point { x: x + ready.at.x - ready.begun.x, y: y + ready.at.y - ready.begun.y }
        }
        None => Point { x: 0.0, y: 0.0 },
    };
    let tab = web.watch(call).await?;
    let main = tab.surface.main_frame();
    let document = web.document(&tab, main.clone());
    let info = ask(web, &tab, call, "measuring the view", document.scroll_info(None, call.deadline)).await?;
    let view = [info.width, info.height];
    if place.within.is_none() {
        has_size("the view", place.size, view)?;
    }
    let input = input.moved_by(origin.x, origin.y);
    let points: Vec<Point> =
        input.points().into_iter().map(|point| Point { x: point.x, y: point.y }).collect();
    for point in &points {
        inside(*point, view)?;
    }
    if let Some(looks) = &place.looks {
        still_looks(web, &tab, looks, &input, view, call).await?;
    }
    if let Some(first) = points.first() {
        web.aim.point(*first, view);
    }
    let (steps, modifiers) = match &input {
        RawInput::Type { text } => return press_strokes(web, strokes_of(text), call).await,
        RawInput::Drag { .. } if points.len() == 2 => {
            let path = DragPath { from: points[0], to: points[1] };
            web.give(&tab, call.deadline, tab.surface.drag(path, call.deadline)).await?;
            let settled = web.settle(&tab, &main, call.deadline).await?;
            return Ok(effect_answer(settled.effect));
        }
        RawInput::Click { button, times, modifiers, .. } => {
            (clicks(points[0], real_button(*button), *times)?, held_keys(modifiers)?)
        }
        RawInput::Move { .. } => (vec![PointerStep::Move { to: points[0] }], Modifiers::default()),
        RawInput::Scroll { by_x, by_y, .. } => {
            let wheel = PointerStep::Wheel { at: points[0], by_x: *by_x, by_y: *by_y };
            (vec![PointerStep::Move { to: points[0] }, wheel], Modifiers::default())
        }
        RawInput::Drag { .. } => (along(&points)?, Modifiers::default()),
    };
    let given = tab.surface.pointer(steps, modifiers, call.deadline);
    web.give(&tab, call.deadline, given).await?;
    let settled = web.settle(&tab, &main, call.deadline).await?;
    Ok(effect_answer(settled.effect))
}

fn clicks(at: Point, button: assay_driver::Button, times: u8) -> Result<Vec<PointerStep>, Failure> {
    if !(1..=3).contains(&times) {
        let found = format!("expected 1, 2 or 3 clicks, found {times}");
        return Err(Failure::new(ErrorCode::Usage, found));
    }
    let mut steps = vec![PointerStep::Move { to: at }];
    for count in 1..=u32::from(times) {
        steps.push(PointerStep::Press { at, button, clicks: count });
        steps.push(PointerStep::Release { at, button, clicks: count });
    }
    Ok(steps)
}

fn along(points: &[Point]) -> Result<Vec<PointerStep>, Failure> {
    let ([first, rest @ ..], Some(last)) = (points, points.last()) else {
        return Err(Failure::new(ErrorCode::Usage, "expected a path to drag along, found none"));
    };
    if rest.is_empty() {
        return Err(Failure::new(ErrorCode::Usage, "expected two points to drag between, found one"));
    }
    let button = assay_driver::Button::Left;
    let mut steps =
        vec![PointerStep::Move { to: *first }, PointerStep::Press { at: *first, button, clicks: 1 }];
    steps.extend(rest.iter().map(|point| PointerStep::Move { to: *point }));
    steps.push(PointerStep::Release { at: *last, button, clicks: 1 });
    Ok(steps)
}

fn inside(point: Point, [width, height]: [f64; 2]) -> Result<(), Failure> {
    if (0.0..width).contains(&point.x) && (0.0..height).contains(&point.y) {
        return Ok(());
    }
    let (x, y) = (point.x, point.y);
    Err(Failure::new(
        ErrorCode::Usage,
        format!("expected a point within the view of {width} x {height}, found {x}, {y}"),
    ))
}

fn has_size(what: &str, wanted: Option<ViewSize>, [width, height]: [f64; 2]) -> Result<(), Failure> {
    let Some(wanted) = wanted else { return Ok(()) };
    if (wanted.width - width).abs() <= SAME_SIZE && (wanted.height - height).abs() <= SAME_SIZE {
        return Ok(());
    }
    Err(Failure::new(
        ErrorCode::NotActionable,
        format!(
            "{what} is now {width} x {height}, but its points were measured at {} x {}",
            wanted.width, wanted.height
        ),
    ))
}

/// A point without a named element must look as it did.
async fn still_looks(
    web: &WebContext,
    tab: &TabHandle,
    looks: &str,
    input: &RawInput,
    [width, _]: [f64; 2],
    call: &Call,
) -> Result<(), Failure> {
    let capture = Capture { format: ImageFormat::Png, full_page: false, clip: None };
    let taken = tab.surface.capture(capture, call.deadline.at_most(PICTURE_TIME));
    let png = ask(web, tab, call, "looking at the page", taken).await?;
    let now = looks_of(&png, input, width)?;
    match alike(looks, &now) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::new(ErrorCode::NotActionable, LOOKS_OTHERWISE)),
        Err(error) => Err(Failure::new(ErrorCode::Usage, error.to_string())),
    }
}

const LOOKS_OTHERWISE: &str =
    "this place looks different from when it was pressed before, so nothing was pressed";

/// How a picture of the view looks where this input presses something; `width` is that of the view.
pub fn looks_of(png: &[u8], input: &RawInput, width: f64) -> Result<String, Failure> {
    let picture =
        Pixels::from_png(png).map_err(|error| Failure::new(ErrorCode::Internal, error.to_string()))?;
    let points: Vec<(f64, f64)> = input.pressed().iter().map(|point| (point.x, point.y)).collect();
    Ok(looks_at(&picture, &points, f64::from(picture.width()) / width))
}

/// Why a place does not look as it did.
pub fn looks_otherwise(then: &str, now: &str) -> Option<String> {
    match alike(then, now) {
        Ok(true) => None,
        Ok(false) => Some(LOOKS_OTHERWISE.to_string()),
        Err(error) => Some(error.to_string()),
    }
}
