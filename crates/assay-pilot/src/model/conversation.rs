//! The conversation about one step, from the first question to `done` or `give_up`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use assay_prompt::{element_line, fenced, harmless, page_changes, page_map, shortened};
use assay_protocol::actions::ActionProperty;
use assay_protocol::{Action, ElementLine, Scene};
use assay_provider::answer::{Item, ModelAnswer};
use assay_provider::conversation::{Message, Part, Question, ToolResult};
use assay_runner::{Controls, NamedValue, NotPerformed, PilotEnd, PilotOutcome, StepTask, ValueFrom};

use super::done::is_seen;
use super::extras::Extras;
use super::moves::{ModelMove, read};
use super::prompt::PAGE_TOKENS;
use super::tools;
use crate::asking::{Asking, NoAnswer};

/// What an act changed on the page, besides its effect.
const CHANGE_TOKENS: usize = 900;
/// So many answers in a row without a call that could be carried out, and nobody is asked again.
const MOST_WASTED: u32 = 3;

pub(crate) async fn fly(
    asking: &Asking,
    extras: &mut dyn Extras,
    task: &StepTask,
    controls: &mut dyn Controls,
) -> PilotOutcome {
    let mut conversation =
        StepConversation { task, extras, controls, made: BTreeMap::new(), wasted: 0, acts: 0, shown: None };
    let (end, turns) = conversation.until_it_ends(asking).await;
    PilotOutcome { end, turns, safety: Vec::new(), degraded: false }
}

struct StepConversation<'f> {
    task: &'f StepTask,
    extras: &'f mut dyn Extras,
    controls: &'f mut dyn Controls,
    /// Calls that were made since the page last changed, with what came of them.
    made: BTreeMap<String, String>,
    /// Turns since the last act.
    wasted: u32,
    acts: u32,
    /// The page as the model knows it.
    shown: Option<Rc<Scene>>,
}

/// What a call came to.
pub(crate) enum CallOutcome {
    /// Told to the model, which goes on.
    To {
        told: String,
        ok: bool,
    },
    /// Shown to the model, which goes on.
    Shown(Vec<Part>),
    End(PilotEnd),
}

impl StepConversation<'_> {
    async fn until_it_ends(&mut self, asking: &Asking) -> (PilotEnd, u32) {
        let scene = match self.controls.look().await {
            Ok(scene) => scene,
            Err(failure) => {
                return (refused(format!("the page could not be read: {}", failure.message)), 0);
            }
        };
        self.shown = Some(Rc::clone(&scene));
        let mut question = match self.extras.question(self.task, &scene, self.controls).await {
            Ok(question) => question,
            Err(why) => return (refused(why), 0),
        };
        for turn in 1..=self.task.turns {
            let deadline = self.task.deadline;
            let answer = match asking.ask_for(self.extras.name(), &question, deadline, self.controls).await {
                Ok(answer) => answer,
                Err(NoAnswer::Spent(why)) => return (refused(why), turn - 1),
                Err(NoAnswer::Unusable(why)) => return (refused(why), turn),
                Err(NoAnswer::Broken(failure) | NoAnswer::Rejected(failure)) => {
                    return (PilotEnd::Broken { failure }, turn);
                }
            };
            if let Some(end) = self.take_answer(&answer, &mut question).await {
                return (end, turn);
            }
            if self.wasted >= MOST_WASTED {
                let why = format!("the model wasted {MOST_WASTED} turns in a row");
                return (refused(why), turn);
            }
            if self.task.deadline.is_past() {
                return (refused("the time limit for this step was reached".to_string()), turn);
            }
        }
        (refused(format!("the model did not finish within {} turns", self.task.turns)), self.task.turns)
    }

    /// Carries out what was answered and appends both to the conversation. None when the model is asked again.
    async fn take_answer(&mut self, answer: &ModelAnswer, question: &mut Question) -> Option<PilotEnd> {
        self.wasted += 1;
        question.messages.push(answer.turn());
        let calls = answer.calls();
        if calls.is_empty() && answer.items.iter().any(|item| matches!(item, Item::Unknown(_))) {
            // There is nothing to go on from, and nothing that could be said to it.
            return Some(refused("the model sent something that this version does not support".to_string()));
        }
        if calls.is_empty() {
            question.messages.push(Message::user("Call one of the tools: `done` or `give_up` end the step."));
            return None;
        }
        let mut results = Vec::new();
        let mut is_over = false;
        for call in calls {
            let wanted = answer.function_calls().find(|own| own.id == call.id).filter(|_| !is_over);
            let Some(wanted) = wanted else {
                let why = if is_over {
                    "not carried out, because the call before it was not"
                } else {
                    "this tool was not offered"
                };
                results.push(ToolResult::failed(call, why));
                continue;
            };
            let own = self.extras.answer(wanted, self.task, self.controls).await;
            if matches!(own, Some(CallOutcome::Shown(_) | CallOutcome::To { ok: true, .. })) {
                // Who reads on has not wasted a turn; how often that can be done is bounded by the turns of the step.
                self.wasted = self.wasted.saturating_sub(1);
            }
            let came = match read(wanted, self.task) {
                _ if let Some(came) = own => came,
                Ok(chosen) => {
                    self.make(&chosen, wanted.input.json().map(ToString::to_string), &wanted.name).await
                }
                Err(why) => CallOutcome::To { told: why, ok: false },
            };
            match came {
                CallOutcome::End(end) => return Some(end),
                CallOutcome::Shown(parts) => results.push(ToolResult::done(call, parts)),
                CallOutcome::To { told, ok: true } => {
                    results.push(ToolResult::done(call, vec![Part::Text(told)]))
                }
                CallOutcome::To { told, ok: false } => {
                    is_over = true;
                    self.controls.replied(&told);
                    results.push(ToolResult::failed(call, told));
                }
            }
        }
        question.messages.push(Message::Results { results, remarks: Vec::new() });
        None
    }

    async fn make(&mut self, chosen: &ModelMove, input: Option<String>, name: &str) -> CallOutcome {
        let key = format!("{name} {}", input.unwrap_or_default());
        if name != tools::DONE
            && let Some(before) = self.made.get(&key)
        {
            let told =
                format!("you made this very call before, and the page has not changed since: {before}");
            return CallOutcome::To { told, ok: false };
        }
        match chosen {
            ModelMove::GiveUp { reason, is_final: true, .. } => {
                CallOutcome::End(PilotEnd::Impossible { why: shortened(&harmless(reason), 400) })
            }
            ModelMove::GiveUp { reason, candidates, is_final: false } => {
                CallOutcome::End(PilotEnd::Refused {
                    why: shortened(&harmless(reason), 400),
                    candidates: self.lines_of(candidates).await,
                })
            }
            ModelMove::Done { evidence, message } => self.done(evidence, message).await,
            ModelMove::Look => {
                self.made.insert(key, "the page was shown".to_string());
                match self.controls.look().await {
                    Ok(scene) => {
                        self.shown = Some(Rc::clone(&scene));
                        CallOutcome::To { told: map(&scene), ok: true }
                    }
                    Err(failure) => CallOutcome::To { told: harmless(&failure.message), ok: false },
                }
            }
            ModelMove::Act { action, why } => {
                let because = shortened(&harmless(why), 160);
                let because = if because.is_empty() { "the model chose it".to_string() } else { because };
                match self.controls.perform(action, &because).await {
                    Ok(performed) => {
                        self.wasted = 0;
                        self.acts += 1;
                        // What is in a field counts as much as what is shown: the button that did nothing while the
                        // fields were empty may be pressed again.
                        let has_waited = matches!(action, Action::Wait { .. });
                        if performed.changed || has_waited || action.entry().has(ActionProperty::EntersValue)
                        {
                            self.made.clear();
                        }
                        self.made.insert(key, "it was carried out".to_string());
                        self.what_came(action, &performed.outcome, performed.changed || has_waited).await
                    }
                    Err(NotPerformed::Stopped(refusal)) => CallOutcome::End(refused(refusal.to_string())),
                    Err(denied) => {
                        let told = harmless(&denied.to_string());
                        self.made.insert(key, told.clone());
                        CallOutcome::To { told, ok: false }
                    }
                }
            }
        }
    }

    /// The effect, and what is new on the page.
    async fn what_came(&mut self, action: &Action, effect: &str, changed: bool) -> CallOutcome {
        let plain = effect.replace("; --budget N shows more", "");
        let lines: Vec<String> = plain.lines().map(harmless).filter(|line| !line.is_empty()).collect();
        let scene = match changed || lines.is_empty() {
            true => self.controls.look().await.ok(),
            false => None,
        };
        let field =
            scene.as_deref().filter(|_| action.entry().has(ActionProperty::EntersValue)).and_then(|scene| {
                let named = action.clone().selectors_mut().first()?.source.clone();
                scene
                    .nodes
                    .iter()
                    .find(|node| node.reference.as_deref() == Some(named.as_str()))
                    .map(element_line)
            });
        let mut told = match (lines.is_empty(), field) {
            (false, _) => fenced("effect of the act", &lines.join("\n")),
            (true, Some(field)) => format!("Carried out.\n{}", fenced("effect of the act", &field)),
            (true, None) => "Carried out; nothing that can be seen changed.".to_string(),
        };
        if changed && let Some(scene) = scene {
            let new = self.shown.as_ref().and_then(|shown| page_changes(&scene, shown, CHANGE_TOKENS));
            if let Some(new) = new {
                told.push('\n');
                told.push_str(&new);
            }
            self.shown = Some(scene);
        }
        CallOutcome::To { told, ok: true }
    }

    async fn done(&mut self, evidence: &str, message: &str) -> CallOutcome {
        let is_wait = self.task.only_looks && self.acts == 0;
        if self.acts == 0 && !is_wait {
            let told = "you did nothing yet; do what the step says, or call `give_up`".to_string();
            return CallOutcome::To { told, ok: false };
        }
        let scene = match self.controls.look().await {
            Ok(scene) => scene,
            Err(failure) => return CallOutcome::To { told: harmless(&failure.message), ok: false },
        };
        let evidence_line = harmless(evidence);
        let was_listed = evidence_line.chars().count() >= 3
            && self.controls.effects().iter().any(|effect| harmless(effect).contains(&evidence_line));
        if !is_seen(evidence, &scene) && !was_listed {
            let told =
                format!("`{}` is not on the page now; name what is", shortened(&harmless(evidence), 80));
            return CallOutcome::To { told, ok: false };
        }
        // A step that only looks is done when the page shows all that it quotes.
        let is_of_step = |value: &&NamedValue| value.from == ValueFrom::ThisStep && !value.is_secret;
        let unseen = self.task.values.iter().filter(is_of_step).find(|value| !is_seen(&value.shown, &scene));
        if let Some(value) = unseen.filter(|_| is_wait) {
            let told = format!("the page does not show \"{}\", which the step names", harmless(&value.shown));
            return CallOutcome::To { told, ok: false };
        }
        CallOutcome::End(PilotEnd::Done { message: shortened(&harmless(message), 400) })
    }

    /// The elements of these refs, as far as they are there.
    async fn lines_of(&mut self, refs: &[String]) -> Vec<ElementLine> {
        let Ok(scene) = self.controls.look().await else { return Vec::new() };
        let named: BTreeSet<&str> = refs.iter().map(String::as_str).collect();
        scene
            .nodes
            .iter()
            .filter_map(|node| {
                let reference = node.reference.clone().filter(|own| named.contains(own.as_str()))?;
                Some(ElementLine {
                    reference,
                    role: node.role.clone(),
                    name: node.name.clone(),
                    value: node.value.clone(),
                    states: node.states.clone(),
                })
            })
            .collect()
    }
}

pub(crate) fn map(scene: &Scene) -> String {
    page_map(scene, &BTreeSet::new(), PAGE_TOKENS)
}

fn refused(why: String) -> PilotEnd {
    PilotEnd::Refused { why, candidates: Vec::new() }
}
