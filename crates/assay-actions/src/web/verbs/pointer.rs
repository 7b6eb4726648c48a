//! `click`, `dblclick`, `hover`, `drag`: real pointer input.

use std::time::Duration;

use assay_dom::{Begun, Readiness};
use assay_driver::{Button, DragPath, Modifiers, PointerStep, parse_chord};
use assay_protocol::{Answer, DropSide, ErrorCode, Failure, MouseButton, Selector};

use crate::call::Call;
use crate::render::render_effect;
use crate::web::act::{Ready, TargetedAct};
use crate::web::context::WebContext;
use crate::web::effect::Settled;
use crate::web::target::{named, not_actionable};
use crate::web::verbs::effect_answer;

pub(crate) async fn click(
    web: &mut WebContext,
    target: &Selector,
    button: MouseButton,
    modifiers: &[String],
    call: &Call,
) -> Result<Answer, Failure> {
    let button = real_button(button);
    let last = match button {
        Button::Left => "click",
        Button::Middle => "auxclick",
        Button::Right => "contextmenu",
    };
    let intent = TargetedAct { last: Some(last), ..TargetedAct::new(target, "click", "clicked") };
    press_on(web, &intent, button, held_keys(modifiers)?, 1, call)
        .await
        .map(|(_, settled)| effect_answer(settled.effect))
}

pub(crate) async fn double_click(
    web: &mut WebContext,
    target: &Selector,
    call: &Call,
) -> Result<Answer, Failure> {
    let intent =
        TargetedAct { last: Some("dblclick"), ..TargetedAct::new(target, "dblclick", "double-clicked") };
    press_on(web, &intent, Button::Left, Modifiers::default(), 2, call)
        .await
        .map(|(_, settled)| effect_answer(settled.effect))
}

/// How often a press that the guard held back is tried again.
const ATTEMPTS: usize = 3;

/// Presses on the target. If another element slips under the pointer at the last moment, the guard blocks the
/// press. Nothing has happened then, so it tries again.
pub(crate) async fn press_on(
    web: &mut WebContext,
    intent: &TargetedAct<'_>,
    button: Button,
    modifiers: Modifiers,
    clicks: u32,
    call: &Call,
) -> Result<(Ready, Settled), Failure> {
    let mut attempt = 1;
    loop {
        let mut ready = web.begin(intent, call).await?;
        let at = ready.at;
        let mut steps = vec![PointerStep::Move { to: at }];
        for count in 1..=clicks {
            steps.push(PointerStep::Press { at, button, clicks: count });
            steps.push(PointerStep::Release { at, button, clicks: count });
        }
        let surface = std::sync::Arc::clone(&ready.tab.surface);
        let input = surface.pointer(steps, modifiers, call.deadline);
        let settled = web.give_and_settle(&mut ready, call.deadline, input).await?;
        let settled = settled.told(intent.planned, &ready);
        let Some(report) = &settled.report else { return Ok((ready, settled)) };
        let received = |kind: &str| report.received.iter().any(|known| known == kind);
        let what = ready.begun.element.as_ref().map(named).unwrap_or_default();
        // A dialog blocks the page during the click, or a new page appeared: both prove that the click arrived.
        let went_on = settled.effect.dialog.is_some() || settled.effect.page.is_some();
        if intent.last.is_none_or(received) || (went_on && received("mousedown")) {
            return Ok((ready, settled));
        }
        // Some lists choose on the press and are gone before the click.
        if report.deed.is_some() {
            return Ok((ready, acted_on_press(settled)));
        }
        if intent.guard && !report.guarded {
            if went_on {
                return Ok((ready, settled));
            }
            // Do not try again: the first press may have arrived.
            let message =
                format!("the page with {what} was replaced in the meantime, so the result is unknown");
            return Err(Failure::new(ErrorCode::OutcomeUnknown, message)
                .hint("assay map shows the page as it is now"));
        }
        // WebKit sometimes loses a release. The page saw a press and changed nothing, so a whole click can follow.
        let is_unreleased = received("mousedown") && !received("mouseup") && !received("pointerup");
        let is_quiet = render_effect(&settled.effect).lines().count() <= 1;
        if is_unreleased && is_quiet && attempt < ATTEMPTS && !call.deadline.is_past() {
            attempt += 1;
            continue;
        }
        if received("pointerdown") || received("mousedown") {
            let event = intent.last.unwrap_or("click");
            let mut failure = Failure::new(
                ErrorCode::NotAccepted,
                format!(
                    "{what} was pressed, but no {event} followed: the page moved, disabled or removed it in the meantime"
                ),
            );
            for line in render_effect(&settled.effect).lines().skip(1) {
                failure = failure.detail(line);
            }
            return Err(failure.hint("assay map shows the page as it is now"));
        }
        // Nothing was pressed: the guard blocked the press on the wrong element, so it can be tried again.
        if attempt < ATTEMPTS && !call.deadline.is_past() {
            attempt += 1;
            continue;
        }
        let why = match &report.blocked {
            Some(blocker) => format!("{} got in the way, so nothing was pressed", named(blocker)),
            None => "the browser did not deliver the press to it".to_string(),
        };
        return Err(Failure::new(
            ErrorCode::NotActionable,
            format!("{what} was not {}: {why}", intent.planned),
        ));
    }
}

/// The listeners of the press did what the click was for.
fn acted_on_press(mut settled: Settled) -> Settled {
    settled.effect.notes.push("the page reacted to the press itself, before the click".to_string());
    settled
}

pub(super) fn real_button(button: MouseButton) -> Button {
    match button {
        MouseButton::Left => Button::Left,
        MouseButton::Middle => Button::Middle,
        MouseButton::Right => Button::Right,
    }
}

pub(super) fn held_keys(names: &[String]) -> Result<Modifiers, Failure> {
    let mut modifiers = Modifiers::default();
    for name in names {
        let chord = parse_chord(&format!("{name}+a")).map_err(|err| {
            Failure::new(
                ErrorCode::Usage,
                format!("expected Control, Shift, Alt or Meta, found `{}`", err.name),
            )
        })?;
        modifiers.alt |= chord.modifiers.alt;
        modifiers.control |= chord.modifiers.control;
        modifiers.meta |= chord.modifiers.meta;
        modifiers.shift |= chord.modifiers.shift;
    }
    Ok(modifiers)
}

pub(crate) async fn hover(web: &mut WebContext, target: &Selector, call: &Call) -> Result<Answer, Failure> {
    let intent = TargetedAct { guard: false, ..TargetedAct::new(target, "hover", "hovered") };
    let ready = web.begin(&intent, call).await?;
    let steps = vec![PointerStep::Move { to: ready.at }];
    let input = ready.tab.surface.pointer(steps, Modifiers::default(), call.deadline);
    web.give(&ready.tab, call.deadline, input).await?;
    let settled = web.settle(&ready.tab, &ready.frame, call.deadline).await?;
    Ok(effect_answer(settled.told("hovered", &ready).effect))
}

pub(crate) async fn drag(
    web: &mut WebContext,
    from: &Selector,
    to: &Selector,
    side: DropSide,
    call: &Call,
) -> Result<Answer, Failure> {
    let unguarded = |target, kind| TargetedAct { guard: false, ..TargetedAct::new(target, kind, "dragged") };
    let target = web.begin(&unguarded(to, "drop"), call).await?;
    let source = web.begin(&unguarded(from, "drag"), call).await?;
    // Finding the source may have scrolled the page, so query the target's position again.
    let element = target.begun.element.as_ref().map(|element| element.id).unwrap_or_default();
    let document = web.document(&target.tab, target.frame.clone());
    let moved =
        super::look::ask(web, &target.tab, call, "dragging", document.centre(element, side, call.deadline))
            .await?;
    web.note_refs(&target.tab, &target.frame, moved.next);
    if moved.readiness == Readiness::NotActionable {
        let begun =
            Begun { reason: moved.reason, covered_by: moved.covered_by, is_final: true, ..target.begun };
        return Err(not_actionable(to, &begun, "dropped on", Duration::ZERO));
    }
    let offset = (target.at.x - target.begun.x, target.at.y - target.begun.y);
    let to_point = assay_driver::Point { x: moved.x + offset.0, y: moved.y + offset.1 };
    let path = DragPath { from: source.at, to: to_point };
    let input = source.tab.surface.drag(path, call.deadline);
    web.give(&source.tab, call.deadline, input).await?;
    let settled = web.settle(&source.tab, &source.frame, call.deadline).await?;
    Ok(effect_answer(settled.told("dragged", &source).effect))
}
