//! `select` in lists that the page draws itself: the list is opened, and the option is clicked.

use std::time::Duration;

use assay_dom::{Offer, TargetRefusal};
use assay_driver::{Button, KeyStroke, Modifiers};
use assay_protocol::{Answer, ChangeKind, Effect, ErrorCode, Failure, Selector, ref_name};

use crate::call::Call;
use crate::web::act::{Ready, TargetedAct};
use crate::web::context::WebContext;
use crate::web::effect::Settled;
use crate::web::target::{named, refusal};
use crate::web::verbs::{effect_answer, keyboard, look, pointer};

/// How long a list may take to show its options, and suggestions to come from a server.
const OPENING: Duration = Duration::from_millis(1500);
const SUGGESTING: Duration = Duration::from_millis(2500);

pub(super) async fn select(
    web: &mut WebContext,
    ready: Ready,
    target: &Selector,
    options: &[String],
    call: &Call,
) -> Result<Answer, Failure> {
    let mut list = DrawnList { web, ready, call, is_opened: false };
    let mut effect = Effect::default();
    for option in options {
        let Some(found) = list.find(target, option).await? else {
            let what = list.name();
            effect.notes.push(format!("{what} already had \"{option}\" selected"));
            continue;
        };
        let settled = list.choose(found, option).await?;
        let leaves = settled.effect.page.is_some();
        effect = list.joined(effect, settled);
        if leaves {
            return Ok(effect_answer(effect));
        }
    }
    if let Some(settled) = list.close().await {
        effect = list.joined(effect, settled);
    }
    Ok(effect_answer(effect))
}

struct DrawnList<'a> {
    web: &'a mut WebContext,
    ready: Ready,
    call: &'a Call,
    is_opened: bool,
}

impl DrawnList<'_> {
    fn name(&self) -> String {
        self.ready.begun.element.as_ref().map(named).unwrap_or_default()
    }

    fn own_ref(&self) -> u32 {
        self.ready.begun.element.as_ref().map(|element| element.id).unwrap_or_default()
    }

    /// The later effect holds the changes of the earlier one.
    fn joined(&self, earlier: Effect, settled: Settled) -> Effect {
        let mut effect = settled.without_own_change(&self.ready).effect;
        // The effect of a choice does not include the options that the list offered.
        effect.changes.retain(|change| !matches!(change.role.as_str(), "option" | "listbox" | "log"));
        effect.notes.extend(earlier.notes);
        effect.did = None;
        effect
    }

    /// The ref of the option; none if the list has it already. Opens the list, writes into it, or goes through it.
    async fn find(&mut self, target: &Selector, option: &str) -> Result<Option<u32>, Failure> {
        let mut offer = self.offer(option, Duration::ZERO, false).await?;
        if offer.total == 0 {
            let handle = self.ready.begun.handle;
            self.click(if handle > 0 { handle } else { self.own_ref() }, "opened").await?;
            self.is_opened = true;
            offer = self.offer(option, OPENING, false).await?;
        }
        let is_text = |role: &str| matches!(role, "textbox" | "searchbox" | "combobox");
        let writes = offer.total == 0
            && self.ready.begun.element.as_ref().is_some_and(|element| is_text(&element.role))
            && self.write(option).await;
        if writes {
            offer = self.offer(option, SUGGESTING, false).await?;
        }
        if offer.option == 0 && !offer.several {
            let more = self.offer(option, Duration::ZERO, true).await?;
            offer = if more.option > 0 || offer.names.is_empty() { more } else { offer };
        }
        if offer.option > 0 {
            return Ok((!offer.taken).then_some(offer.option));
        }
        if writes {
            self.put_back().await;
        }
        self.close().await;
        let Offer { several, names, total, .. } = offer;
        let wanted = option.to_string();
        Err(refusal(target, &TargetRefusal::NoOption { wanted, several, options: names, total }, ""))
    }

    async fn offer(&mut self, option: &str, patience: Duration, scroll: bool) -> Result<Offer, Failure> {
        let (web, tab, frame) = (&mut *self.web, &self.ready.tab, &self.ready.frame);
        let element = self.ready.begun.element.as_ref().map(|element| element.id).unwrap_or_default();
        let document = web.document(tab, frame.clone());
        let work = document.offered(element, option, patience, scroll, self.call.deadline);
        let offer = look::ask(web, tab, self.call, "looking for the option", work).await?;
        web.note_refs(tab, frame, offer.next);
        Ok(offer)
    }

    async fn click(&mut self, reference: u32, planned: &'static str) -> Result<Settled, Failure> {
        let target = by_ref(reference)?;
        let act = TargetedAct::new(&target, "click", planned);
        let intent = TargetedAct { last: Some("click"), continues: true, ..act };
        let pressed =
            pointer::press_on(self.web, &intent, Button::Left, Modifiers::default(), 1, self.call).await;
        pressed.map(|(_, settled)| settled)
    }

    /// Clicks the option, and makes sure that the list has taken it.
    async fn choose(&mut self, found: u32, option: &str) -> Result<Settled, Failure> {
        let settled = self.click(found, "chosen").await?;
        let says = |name: &str| name.to_lowercase().contains(&option.to_lowercase());
        let is_told = settled.effect.page.is_some()
            || settled.effect.dialog.is_some()
            || settled.effect.changes.iter().any(|change| {
                change.kind != ChangeKind::Removed
                    && !matches!(change.role.as_str(), "option" | "listbox")
                    && (says(&change.name) || change.value.as_deref().is_some_and(says))
            });
        if is_told {
            return Ok(settled);
        }
        let document = self.web.document(&self.ready.tab, self.ready.frame.clone());
        let work = document.took(self.own_ref(), found, option, self.call.deadline);
        if look::ask(self.web, &self.ready.tab, self.call, "looking at the choice", work).await? {
            return Ok(settled);
        }
        let message = format!("\"{option}\" was clicked, but {} does not show it", self.name());
        Err(Failure::new(ErrorCode::NotAccepted, message).hint("assay map shows the page as it is now"))
    }

    /// Writes the option into the field, as a person does who looks for it. False if it takes no text.
    async fn write(&mut self, option: &str) -> bool {
        let Ok(target) = by_ref(self.own_ref()) else { return false };
        keyboard::fill(self.web, &target, option, self.call).await.is_ok()
    }

    async fn put_back(&mut self) {
        let held = self.ready.begun.element.as_ref().and_then(|element| element.value.clone());
        let Ok(target) = by_ref(self.own_ref()) else { return };
        let _best_effort = keyboard::fill(self.web, &target, &held.unwrap_or_default(), self.call).await;
    }

    /// Escape closes a list that was opened for this and says that it is still open: what lies behind it may be hidden until
    /// then.
    async fn close(&mut self) -> Option<Settled> {
        let target = by_ref(self.own_ref()).ok()?;
        let document = self.web.document(&self.ready.tab, self.ready.frame.clone());
        let answered = document.query(&target, 1, true, self.call.deadline).await.ok()?;
        let states = answered.outcome.ok()?.elements.first()?.states.clone();
        if !self.is_opened || !states.split(' ').any(|state| state == "expanded") {
            return None;
        }
        let act =
            TargetedAct { guard: false, continues: true, ..TargetedAct::new(&target, "press", "pressed") };
        let ready = self.web.begin(&act, self.call).await.ok()?;
        let escape = vec![KeyStroke { key: "Escape".to_string(), modifiers: Modifiers::default() }];
        let keys = ready.tab.surface.keys(escape, self.call.deadline);
        self.web.give(&ready.tab, self.call.deadline, keys).await.ok()?;
        self.web.settle(&ready.tab, &ready.frame, self.call.deadline).await.ok()
    }
}

fn by_ref(reference: u32) -> Result<Selector, Failure> {
    Selector::parse(&ref_name(reference))
        .map_err(|err| Failure::new(ErrorCode::Internal, format!("internal: {err}")))
}
