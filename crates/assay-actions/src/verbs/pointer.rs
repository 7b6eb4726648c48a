//! `click`, `dblclick`, `hover`, `drag`: real pointer input.

use crate::verbs::effect_answer;
use assay_driver::{Button, DragPath, Modifiers, PointerStep, parse_chord};
use assay_protocol::{Answer, ErrorCode, Failure, MouseButton, Selector};

use crate::act::{Intent, Ready, Settled};
use crate::session::{Call, Session};
use crate::target::named;

pub(crate) async fn click(
    session: &mut Session,
    target: &Selector,
    button: MouseButton,
    modifiers: &[String],
    call: &Call,
) -> Result<Answer, Failure> {
    let button = match button {
        MouseButton::Left => Button::Left,
        MouseButton::Middle => Button::Middle,
        MouseButton::Right => Button::Right,
    };
    let last = match button {
        Button::Left => "click",
        Button::Middle => "auxclick",
        Button::Right => "contextmenu",
    };
    let intent = Intent { last: Some(last), ..Intent::new(target, "click", "clicked") };
    press_on(session, &intent, button, held_keys(modifiers)?, 1, call)
        .await
        .map(|(_, settled)| effect_answer(settled.effect))
}

pub(crate) async fn double_click(
    session: &mut Session,
    target: &Selector,
    call: &Call,
) -> Result<Answer, Failure> {
    let intent = Intent { last: Some("dblclick"), ..Intent::new(target, "dblclick", "double-clicked") };
    press_on(session, &intent, Button::Left, Modifiers::default(), 2, call)
        .await
        .map(|(_, settled)| effect_answer(settled.effect))
}

/// How often a press that the guard held back is tried again.
const ATTEMPTS: usize = 3;

/// Presses on the target. When something slips under the pointer at the last moment the guard holds the
/// press back from it, nothing has happened, and it is tried again.
pub(crate) async fn press_on(
    session: &mut Session,
    intent: &Intent<'_>,
    button: Button,
    modifiers: Modifiers,
    clicks: u32,
    call: &Call,
) -> Result<(Ready, Settled), Failure> {
    let mut attempt = 1;
    loop {
        let ready = session.begin(intent, call).await?;
        let at = ready.at;
        let mut steps = vec![PointerStep::Move { to: at }];
        for count in 1..=clicks {
            steps.push(PointerStep::Press { at, button, clicks: count });
            steps.push(PointerStep::Release { at, button, clicks: count });
        }
        let surface = std::sync::Arc::clone(&ready.tab.surface);
        let input = surface.pointer(steps, modifiers, call.deadline);
        let settled = session.give_and_settle(&ready, call.deadline, input).await?;
        let Some(report) = &settled.report else {
            return Ok((settled.told_of(intent, &ready), ready).swap());
        };
        let pressed = report.received.iter().any(|kind| kind == "pointerdown" || kind == "mousedown");
        match (&report.blocked, pressed) {
            (None, true) => return Ok((settled.told_of(intent, &ready), ready).swap()),
            (Some(blocker), true) => {
                // The press arrived; the page then took the element away before the release.
                let note = format!(
                    "the page moved it during the click: the release over {} was held back",
                    named(blocker)
                );
                let mut settled = settled.told_of(intent, &ready);
                settled.effect.notes.push(note);
                return Ok((ready, settled));
            }
            (Some(_), false) if attempt < ATTEMPTS && !call.deadline.is_past() => attempt += 1,
            (Some(blocker), false) => {
                let what = ready.begun.element.as_ref().map(named).unwrap_or_default();
                return Err(Failure::new(
                    ErrorCode::NotActionable,
                    format!(
                        "{what} was not {}: {} came in between, and nothing was pressed",
                        intent.deed,
                        named(blocker)
                    ),
                ));
            }
            (None, false) => {
                if ready.frame != ready.tab.surface.main_frame()
                    || session.with_tab(&ready.tab, |tab| tab.dialog.is_some()) == Some(true)
                {
                    return Ok((settled.told_of(intent, &ready), ready).swap());
                }
                let what = ready.begun.element.as_ref().map(named).unwrap_or_default();
                return Err(Failure::new(
                    ErrorCode::NotActionable,
                    format!("{what} was not {}: the browser did not deliver the press", intent.deed),
                ));
            }
        }
    }
}

trait Swap {
    fn swap(self) -> (Ready, Settled);
}

impl Swap for (Settled, Ready) {
    fn swap(self) -> (Ready, Settled) {
        (self.1, self.0)
    }
}

impl Settled {
    fn told_of(self, intent: &Intent<'_>, ready: &Ready) -> Settled {
        self.told(intent.deed, ready)
    }
}

fn held_keys(names: &[String]) -> Result<Modifiers, Failure> {
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

pub(crate) async fn hover(session: &mut Session, target: &Selector, call: &Call) -> Result<Answer, Failure> {
    let intent = Intent { guard: false, ..Intent::new(target, "hover", "hovered") };
    let ready = session.begin(&intent, call).await?;
    let steps = vec![PointerStep::Move { to: ready.at }];
    let input = ready.tab.surface.pointer(steps, Modifiers::default(), call.deadline);
    session.give(&ready.tab, call.deadline, input).await?;
    let settled = session.settle(&ready.tab, &ready.frame, call.deadline).await?;
    Ok(effect_answer(settled.told("hovered", &ready).effect))
}

pub(crate) async fn drag(
    session: &mut Session,
    from: &Selector,
    to: &Selector,
    call: &Call,
) -> Result<Answer, Failure> {
    let unguarded = |target, kind| Intent { guard: false, ..Intent::new(target, kind, "dragged") };
    let target = session.begin(&unguarded(to, "drop"), call).await?;
    let source = session.begin(&unguarded(from, "drag"), call).await?;
    // Finding the source may have scrolled the page: the target's place is asked for again.
    let element = target.begun.element.as_ref().map(|element| element.id).unwrap_or_default();
    let document = session.document(&target.tab, target.frame.clone());
    let moved =
        super::look::ask(session, &target.tab, call, "dragging", document.centre(element, call.deadline))
            .await?;
    let offset = (target.at.x - target.begun.x, target.at.y - target.begun.y);
    let to_point = assay_driver::Point { x: moved.x + offset.0, y: moved.y + offset.1 };
    let path = DragPath { from: source.at, to: to_point };
    let input = source.tab.surface.drag(path, call.deadline);
    session.give(&source.tab, call.deadline, input).await?;
    let settled = session.settle(&source.tab, &source.frame, call.deadline).await?;
    Ok(effect_answer(settled.told("dragged", &source).effect))
}
