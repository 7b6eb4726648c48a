//! `select`, `check`, `uncheck`: choices, made by real input and verified.

use assay_driver::{Button, Capability, KeyStroke, Modifiers, Point, PointerStep};
use assay_protocol::{Answer, ChangeKind, Effect, ErrorCode, Failure, Selector};

use crate::call::Call;
use crate::web::act::{Ready, TargetedAct};
use crate::web::context::WebContext;
use crate::web::target::named;
use crate::web::verbs::{drawn_list, effect_answer, look, pointer};

pub(crate) async fn set_checked(
    web: &mut WebContext,
    target: &Selector,
    wanted: bool,
    call: &Call,
) -> Result<Answer, Failure> {
    let (kind, planned) = if wanted { ("check", "checked") } else { ("uncheck", "unchecked") };
    let wanted_state = if wanted { "true" } else { "false" };
    let intent = TargetedAct { last: Some("click"), ..TargetedAct::new(target, kind, planned) };
    let looked =
        web.begin(&TargetedAct { guard: false, ..TargetedAct::new(target, kind, planned) }, call).await?;
    let what = looked.begun.element.as_ref().map(named).unwrap_or_default();
    let Some(state) = &looked.begun.checked else {
        return Err(Failure::new(
            ErrorCode::NotActionable,
            format!("{what} cannot be {planned}: it has no checked state"),
        )
        .hint(format!("assay click {target}")));
    };
    if state == wanted_state {
        return Ok(effect_answer(Effect {
            notes: vec![format!("{what} was already {planned}")],
            ..Effect::default()
        }));
    }
    if !wanted && looked.begun.element.as_ref().is_some_and(|element| element.role == "radio") {
        return Err(Failure::new(
            ErrorCode::NotActionable,
            format!("{what} cannot be unchecked: choose another option in its group"),
        )
        .hint("assay check TARGET"));
    }
    let (ready, settled) =
        pointer::press_on(web, &intent, Button::Left, Modifiers::default(), 1, call).await?;
    if settled.effect.page.is_none()
        && let Some(report) = &settled.report
        && report.checked.as_deref() != Some(wanted_state)
    {
        let now = match report.checked.as_deref() {
            Some("true") => "the page left it checked",
            Some("false") => "the page left it unchecked",
            Some(_) => "the page left it partially checked",
            None => "the page replaced it, so its state is unknown",
        };
        return Err(Failure::new(ErrorCode::NotAccepted, format!("{what} was clicked, but {now}")));
    }
    let mut settled = settled.without_own_change(&ready);
    settled.effect.did = None;
    Ok(effect_answer(settled.effect))
}

pub(crate) async fn select(
    web: &mut WebContext,
    target: &Selector,
    options: &[String],
    call: &Call,
) -> Result<Answer, Failure> {
    let intent = TargetedAct { options, ..TargetedAct::new(target, "select", "selected") };
    let ready = web.begin(&intent, call).await?;
    if ready.begun.drawn {
        return drawn_list::select(web, ready, target, options, call).await;
    }
    let what = ready.begun.element.as_ref().map(named).unwrap_or_default();
    let expected = ready.begun.expected.clone().unwrap_or_default();
    if ready.begun.chosen {
        // There is nothing to do; release the page.
        web.settle(&ready.tab, &ready.frame, call.deadline).await?;
        let notes = vec![format!("{what} already had \"{expected}\" selected")];
        return Ok(effect_answer(Effect { notes, ..Effect::default() }));
    }
    if ready.begun.list {
        click_options(web, &ready, call).await?;
    } else {
        choose_in_popup(web, &ready, call).await?;
    }
    let settled = web.settle(&ready.tab, &ready.frame, call.deadline).await?;
    if settled.effect.page.is_none()
        && let Some(report) = &settled.report
        && in_order(&report.indexes) != in_order(&ready.begun.indexes)
    {
        let held = report.element.as_ref().and_then(|element| element.value.clone());
        let own = ready.begun.element.as_ref().map(|element| assay_protocol::ref_name(element.id));
        let added = settled.effect.changes.iter().any(|change| {
            let is_control = matches!(
                change.role.as_str(),
                "combobox"
                    | "textbox"
                    | "searchbox"
                    | "spinbutton"
                    | "checkbox"
                    | "listbox"
                    | "button"
                    | "radio"
            );
            let is_named = change.name.to_lowercase().contains(&expected.to_lowercase());
            change.kind == ChangeKind::Added && change.reference != own && (is_control || is_named)
        });
        if added && is_at_its_start(&report.indexes, held.as_deref()) {
            let mut effect = settled.without_own_change(&ready).effect;
            effect.notes.push(format!("{what} took \"{expected}\" and went back to its first entry"));
            return Ok(effect_answer(effect));
        }
        let now = held.map_or("the page replaced it".to_string(), |held| format!("it shows \"{held}\""));
        return Err(Failure::new(
            ErrorCode::NotAccepted,
            format!("{what} did not take \"{expected}\": {now}"),
        ));
    }
    Ok(effect_answer(settled.without_own_change(&ready).effect))
}

/// Lists that only add something ("Add a filter") show their first, empty entry again.
fn is_at_its_start(indexes: &[u32], held: Option<&str>) -> bool {
    matches!(indexes, [] | [0]) && held.is_none_or(|held| held.trim().is_empty())
}

/// A list says what is chosen in its own order.
fn in_order(indexes: &[u32]) -> Vec<u32> {
    let mut indexes = indexes.to_vec();
    indexes.sort_unstable();
    indexes
}

/// Options of an open list are clicked, the further ones with Control held.
async fn click_options(web: &mut WebContext, ready: &Ready, call: &Call) -> Result<(), Failure> {
    let element = ready.begun.element.as_ref().map(|element| element.id).unwrap_or_default();
    let offset = if ready.frame == ready.tab.surface.main_frame() {
        Point { x: 0.0, y: 0.0 }
    } else {
        let work = ready.tab.surface.frame_offset(&ready.frame, call.deadline);
        look::ask(web, &ready.tab, call, "finding the frame's place", work).await?
    };
    for (count, index) in ready.begun.to.iter().enumerate() {
        let document = web.document(&ready.tab, ready.frame.clone());
        let work = document.option_point(element, *index, call.deadline);
        let point = look::ask(web, &ready.tab, call, "finding the option", work).await?;
        let at = Point { x: point.x + offset.x, y: point.y + offset.y };
        let steps = vec![
            PointerStep::Move { to: at },
            PointerStep::Press { at, button: Button::Left, clicks: 1 },
            PointerStep::Release { at, button: Button::Left, clicks: 1 },
        ];
        let modifiers = Modifiers { control: count > 0, ..Modifiers::default() };
        web.give(&ready.tab, call.deadline, ready.tab.surface.pointer(steps, modifiers, call.deadline))
            .await?;
    }
    Ok(())
}

/// Opens the list, moves the choice inside it, and confirms: the page sees one change, as with a person.
async fn choose_in_popup(web: &mut WebContext, ready: &Ready, call: &Call) -> Result<(), Failure> {
    let Some(to) = ready.begun.to.first() else { return Ok(()) };
    let stroke = |key: &str, alt: bool| KeyStroke {
        key: key.to_string(),
        modifiers: Modifiers { alt, ..Modifiers::default() },
    };
    // If the list does not open, keys change the choice at once; the page script hides all changes but the
    // last from the page.
    let opens = web.can(Capability::ListPopups);
    let mut strokes = Vec::new();
    if opens {
        strokes.push(stroke("ArrowDown", true));
    }
    let distance = to - ready.begun.from;
    let key = if distance > 0 { "ArrowDown" } else { "ArrowUp" };
    for _ in 0..distance.abs() {
        strokes.push(stroke(key, false));
    }
    if opens {
        strokes.push(stroke("Enter", false));
    }
    web.give(&ready.tab, call.deadline, ready.tab.surface.keys(strokes, call.deadline)).await
}
