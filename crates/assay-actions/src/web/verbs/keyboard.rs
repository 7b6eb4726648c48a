//! `fill`, `type`, `clear`, `press`, `focus`: real keys and text.

use std::sync::Arc;
use std::time::Duration;

use assay_dom::ElementReport;
use assay_driver::{Capability, KeyStroke, Modifiers, parse_chord};
use assay_protocol::{Answer, Change, ChangeKind, ErrorCode, Failure, Selector, in_one_line, ref_name};

use crate::call::Call;
use crate::policy::Consent;
use crate::web::act::{Ready, TargetedAct};
use crate::web::context::WebContext;
use crate::web::effect::Settled;
use crate::web::target::named;
use crate::web::verbs::{date_parts, effect_answer};

pub(crate) async fn fill(
    web: &mut WebContext,
    target: &Selector,
    text: &str,
    call: &Call,
) -> Result<Answer, Failure> {
    let ready = begin_filling(web, target, text, call).await?;
    if !ready.begun.parts.is_empty() {
        return date_parts::fill(web, ready, text, call).await;
    }
    let (ready, settled) = fill_ready(web, ready, text, call).await?;
    Ok(effect_answer(note_heal(settled, &ready).effect))
}

pub(super) async fn begin_filling(
    web: &mut WebContext,
    target: &Selector,
    text: &str,
    call: &Call,
) -> Result<Ready, Failure> {
    // Text inserted at once causes one event; keys cause many.
    let at_once = web.can(Capability::TextAtOnce) && !text.is_empty();
    let last = at_once.then_some("keyup");
    let intent = TargetedAct { text: Some(text), last, ..TargetedAct::new(target, "fill", "filled") };
    web.begin(&intent, call).await
}

/// Fills a field that is ready, and verifies what it holds.
pub(super) async fn fill_ready(
    web: &mut WebContext,
    mut ready: Ready,
    text: &str,
    call: &Call,
) -> Result<(Ready, Settled), Failure> {
    let settled = enter_text(web, &mut ready, text, call).await?;
    took_keys(&ready, &settled, "filled")?;
    let expected = ready.begun.expected.clone().unwrap_or_else(|| text.to_string());
    still_there(&ready, &settled, "filled")?;
    let held = settled.target().and_then(|element| element.value.clone());
    let shown = match settled.report.as_ref().and_then(|report| report.taken) {
        Some(true) => None,
        Some(false) => return Err(not_taken(&ready, held.as_deref(), &expected)),
        None => differing_value(&ready, held.as_deref(), &expected)?,
    };
    let mut settled = settled.without_own_change(&ready);
    settled.effect.changes.splice(0..0, shown);
    Ok((ready, settled))
}

pub(crate) async fn clear(web: &mut WebContext, target: &Selector, call: &Call) -> Result<Answer, Failure> {
    let intent = TargetedAct { text: Some(""), ..TargetedAct::new(target, "clear", "cleared") };
    let mut ready = web.begin(&intent, call).await?;
    if !ready.begun.parts.is_empty() {
        return date_parts::fill(web, ready, "", call).await;
    }
    let settled = enter_text(web, &mut ready, "", call).await?;
    took_keys(&ready, &settled, "cleared")?;
    let is_taken = settled.report.as_ref().and_then(|report| report.taken) == Some(true);
    if let Some(element) = settled.target()
        && element.value.as_deref().is_some_and(|value| !value.is_empty())
        && !is_taken
    {
        let value = element.value.clone().unwrap_or_default();
        return Err(Failure::new(
            ErrorCode::NotAccepted,
            format!("{} still holds \"{value}\"", named(element)),
        ));
    }
    let settled = settled.without_own_change(&ready);
    Ok(effect_answer(note_heal(settled, &ready).effect))
}

async fn enter_text(
    web: &mut WebContext,
    ready: &mut Ready,
    text: &str,
    call: &Call,
) -> Result<Settled, Failure> {
    let surface = Arc::clone(&ready.tab.surface);
    if ready.begun.editor {
        let select_all = surface.keys(vec![with_control("a")], call.deadline);
        web.give(&ready.tab, call.deadline, select_all).await?;
        tokio::time::sleep(TAKES_OVER).await;
    }
    let plain = |key: &str| KeyStroke { key: key.to_string(), modifiers: Modifiers::default() };
    let strokes = match (&ready.begun.strokes, text.is_empty()) {
        (Some(strokes), _) => strokes.iter().map(|key| plain(key)).collect(),
        (None, true) => vec![plain("Delete")],
        (None, false) => {
            let keys = ready.begun.keys && web.can(Capability::TextAtOnce);
            // Pages that listen only for keys would not notice; a key that types nothing informs them.
            let text = surface.insert_text(text.to_string(), call.deadline);
            let input = async {
                text.await?;
                if !keys {
                    return Ok(());
                }
                // Sent only now: keys take a quicker way into the page than text.
                surface.keys(vec![plain("Shift")], call.deadline).await
            };
            if ready.begun.editor {
                web.give(&ready.tab, call.deadline, input).await?;
                tokio::time::sleep(TAKES_OVER).await;
                return web.settle(&ready.tab, &ready.frame, call.deadline).await;
            }
            return web.give_and_settle(ready, call.deadline, input).await;
        }
    };
    web.give(&ready.tab, call.deadline, surface.keys(strokes, call.deadline)).await?;
    web.settle(&ready.tab, &ready.frame, call.deadline).await
}

/// Editors look into their hidden field from time to time, and take over what they find.
const TAKES_OVER: Duration = Duration::from_millis(150);

fn with_control(key: &str) -> KeyStroke {
    KeyStroke { key: key.to_string(), modifiers: Modifiers { control: true, ..Modifiers::default() } }
}

/// The guard held keys back, because the page had moved the focus elsewhere. A field that holds what was asked for needs
/// no more of them.
fn took_keys(ready: &Ready, settled: &Settled, planned: &str) -> Result<(), Failure> {
    let Some(report) = &settled.report else { return Ok(()) };
    let Some(other) = report.blocked.as_ref().filter(|_| report.taken != Some(true)) else { return Ok(()) };
    let element = ready.begun.element.as_ref();
    let what = element.map(named).unwrap_or_default();
    let before = element.and_then(|element| element.value.as_deref());
    let held = settled.target().and_then(|element| element.value.as_deref());
    let message = match held.filter(|held| before != Some(*held) && !ready.begun.secret) {
        Some(held) => format!(
            "{what} was changed to \"{held}\", but then the page moved the focus to {}, so the other keys were blocked",
            named(other)
        ),
        None => format!(
            "{what} was not {planned}: the page moved the focus to {}, so the keys were blocked",
            named(other)
        ),
    };
    Err(Failure::new(ErrorCode::NotAccepted, message))
}

/// The value of a field that the page removed is unknown.
fn still_there(ready: &Ready, settled: &Settled, planned: &str) -> Result<(), Failure> {
    if settled.report.is_none() || settled.effect.page.is_some() || settled.target().is_some() {
        return Ok(());
    }
    let what = ready.begun.element.as_ref().map(named).unwrap_or_default();
    Err(Failure::new(
        ErrorCode::NotAccepted,
        format!("{what} was {planned}, but then the page replaced it, so its content is unknown"),
    )
    .hint("assay map shows the page as it is now"))
}

/// None if the field holds the requested text; its value if the page changed the text; a failure if the
/// field took nothing.
fn differing_value(ready: &Ready, held: Option<&str>, asked: &str) -> Result<Option<Change>, Failure> {
    let Some(held) = held else { return Ok(None) };
    let same = held == asked || held.replace("\r\n", "\n") == asked.replace("\r\n", "\n");
    let element = ready.begun.element.as_ref();
    // Editable text is read as displayed, with runs of blanks collapsed.
    let Some(element) = element.filter(|_| !same && in_one_line(held) != in_one_line(asked)) else {
        return Ok(None);
    };
    let held = if ready.begun.secret { "•".repeat(held.chars().count()) } else { held.to_string() };
    let asked = if ready.begun.secret { "the secret" } else { asked };
    if held.is_empty() || ready.begun.strokes.is_some() {
        return Err(not_taken(ready, Some(&held), asked));
    }
    Ok(Some(value_change(element, &held)))
}

fn not_taken(ready: &Ready, held: Option<&str>, asked: &str) -> Failure {
    let what = ready.begun.element.as_ref().map(named).unwrap_or_default();
    let held = held.unwrap_or_default();
    Failure::new(ErrorCode::NotAccepted, format!("{what} did not take `{asked}`: it holds \"{held}\""))
}

fn value_change(element: &ElementReport, held: &str) -> Change {
    Change {
        kind: ChangeKind::Changed,
        reference: Some(ref_name(element.id)),
        role: element.role.clone(),
        name: element.name.clone(),
        value: Some(held.to_string()),
        states: Vec::new(),
        was: element.value.clone(),
    }
}

fn note_heal(settled: Settled, ready: &Ready) -> Settled {
    let mut settled = settled.told("", ready);
    // The caller named the element; it is not repeated.
    settled.effect.did = None;
    settled
}

pub(crate) async fn type_text(
    web: &mut WebContext,
    target: Option<&Selector>,
    text: &str,
    call: &Call,
) -> Result<Answer, Failure> {
    let strokes = strokes_of(text);
    let Some(target) = target else {
        let tab = web.tab()?;
        let document = web.document(&tab, tab.surface.main_frame());
        if !super::look::ask(web, &tab, call, "looking for the focus", document.has_focus(call.deadline))
            .await?
        {
            return Err(Failure::new(
                ErrorCode::NotActionable,
                "no element has the focus, so there is nothing to type into",
            )
            .hint("assay type TARGET TEXT"));
        }
        // A space presses a button, as Enter does.
        check_focused(web, "focus", call).await?;
        return press_strokes(web, strokes, call).await;
    };
    let ready = web
        .begin(&TargetedAct { text: Some(text), ..TargetedAct::new(target, "type", "typed into") }, call)
        .await?;
    let mut strokes = strokes;
    if ready.begun.editor {
        strokes.insert(0, with_control("End"));
    }
    if ready.begun.end_first {
        strokes.insert(0, KeyStroke { key: "End".to_string(), modifiers: Modifiers::default() });
    }
    let before = ready.begun.element.as_ref().and_then(|element| element.value.clone()).unwrap_or_default();
    let input = ready.tab.surface.keys(strokes, call.deadline);
    web.give(&ready.tab, call.deadline, input).await?;
    let settled = web.settle(&ready.tab, &ready.frame, call.deadline).await?;
    took_keys(&ready, &settled, "typed into")?;
    let held = settled.target().and_then(|element| element.value.clone());
    still_there(&ready, &settled, "typed into")?;
    let what = ready.begun.element.as_ref().map(named).unwrap_or_default();
    let shown = match held.as_deref() {
        Some(value) if ready.begun.secret => {
            if value.chars().count() == ready.begun.length && !text.is_empty() {
                return Err(Failure::new(ErrorCode::NotAccepted, format!("{what} did not take the text")));
            }
            None
        }
        Some(value) if value != format!("{before}{text}") && !text.is_empty() => {
            if value == before {
                return Err(Failure::new(
                    ErrorCode::NotAccepted,
                    format!("{what} did not take `{text}`: it holds \"{value}\""),
                ));
            }
            ready.begun.element.as_ref().map(|element| value_change(element, value))
        }
        _ => None,
    };
    let mut settled = settled.without_own_change(&ready);
    settled.effect.changes.splice(0..0, shown);
    Ok(effect_answer(note_heal(settled, &ready).effect))
}

pub(crate) async fn press(
    web: &mut WebContext,
    keys: &[String],
    target: Option<&Selector>,
    call: &Call,
) -> Result<Answer, Failure> {
    let mut strokes = Vec::new();
    for key in keys {
        strokes.push(parse_chord(key).map_err(|err| {
            let failure = Failure::new(ErrorCode::Usage, format!("expected a key, found `{}`", err.name));
            match err.nearest.as_slice() {
                [] => failure.hint("assay press Enter, Control+a, ArrowDown, F5"),
                nearest => failure.hint(format!("did you mean {}?", nearest.join(", "))),
            }
        })?);
    }
    let call = &consent_for_keys(&strokes, call)?;
    let Some(target) = target else {
        check_focused(web, "press", call).await?;
        return press_strokes(web, strokes, call).await;
    };
    // Keys may move the focus on purpose (Tab), so only the first one is tied to the target.
    let intent = TargetedAct { guard: false, ..TargetedAct::new(target, "press", "pressed") };
    let ready = web.begin(&intent, call).await?;
    let input = ready.tab.surface.keys(strokes, call.deadline);
    web.give(&ready.tab, call.deadline, input).await?;
    let settled = web.settle(&ready.tab, &ready.frame, call.deadline).await?;
    Ok(effect_answer(note_heal(settled, &ready).effect))
}

/// Only a key that presses what has the focus needs consent, and only if nothing moved the focus before it.
fn consent_for_keys(strokes: &[KeyStroke], call: &Call) -> Result<Call, Failure> {
    let presses = |stroke: &KeyStroke| matches!(stroke.key.as_str(), "Enter" | " " | "Space" | "NumpadEnter");
    let mut call = call.clone();
    match strokes.iter().position(presses) {
        None => call.policy.consent = Consent::Given,
        Some(0) => {}
        Some(_) => call.policy.ask("the keys before may move the focus to something else")?,
    }
    Ok(call)
}

/// What has the focus decides what a key does. `kind` is the act on it.
async fn check_focused(web: &mut WebContext, kind: &'static str, call: &Call) -> Result<(), Failure> {
    if call.policy.consent == Consent::Given {
        return Ok(());
    }
    let Ok(focused) = Selector::parse(":focus") else { return Ok(()) };
    let intent = TargetedAct { guard: false, weighs: true, ..TargetedAct::new(&focused, kind, "pressed") };
    match web.begin(&intent, call).await {
        Ok(_) => Ok(()),
        Err(failure) if failure.code == ErrorCode::ConsentNeeded => Err(failure),
        // Nothing has it: the key goes to the page itself.
        Err(failure) if failure.code == ErrorCode::NotFound => Ok(()),
        Err(_) => call.policy.ask("nothing is known of what has the focus"),
    }
}

/// A text, key by key.
pub(super) fn strokes_of(text: &str) -> Vec<KeyStroke> {
    let stroke = |character: char| {
        let shift = character.is_ascii_uppercase();
        KeyStroke { key: character.to_string(), modifiers: Modifiers { shift, ..Modifiers::default() } }
    };
    text.chars().map(stroke).collect()
}

/// Keys for the focused element.
pub(super) async fn press_strokes(
    web: &mut WebContext,
    strokes: Vec<KeyStroke>,
    call: &Call,
) -> Result<Answer, Failure> {
    let tab = web.watch(call).await?;
    let input = tab.surface.keys(strokes, call.deadline);
    web.give(&tab, call.deadline, input).await?;
    let settled = web.settle(&tab, &tab.surface.main_frame(), call.deadline).await?;
    Ok(effect_answer(settled.effect))
}

pub(crate) async fn focus(web: &mut WebContext, target: &Selector, call: &Call) -> Result<Answer, Failure> {
    let intent = TargetedAct { guard: false, ..TargetedAct::new(target, "focus", "focused") };
    let ready = web.begin(&intent, call).await?;
    let settled = web.settle(&ready.tab, &ready.frame, call.deadline).await?;
    Ok(effect_answer(settled.told("focused", &ready).effect))
}
