//! The conversation about one step: a picture, calls, their acts, the next picture.

use std::rc::Rc;

use assay_prompt::{fenced, harmless, shortened};
use assay_protocol::{Action, SafetyEvent, Scene};
use assay_provider::answer::{ComputerCall, FunctionCall, Item, ModelAnswer, SafetyCheck};
use assay_provider::conversation::{Message, Part, Picture, Question, ToolResult};
use assay_runner::{Controls, NotPerformed, PilotEnd, PilotOutcome, StepTask};

use super::dialect::{ComputerCallOutcome, Dialect};
use super::hand::{Hand, HandAction};
use super::{NAME, prompt};
use crate::asking::{Asking, NoAnswer};
use crate::vision::{Ending, Limit, SharedTool, StepViews, shared};

/// So many answers in a row without an act, and nobody is asked again.
const MOST_WASTED: u32 = 3;
/// So many turns with acts that changed nothing that can be seen.
const MOST_UNCHANGED: u32 = 3;
/// Said of the calls after one that failed.
const NOT_EXECUTED: &str = "Not executed: an earlier action in this turn failed.";

/// What a test says about acts.
pub(crate) struct ActTerms<'t> {
    /// Codes of safety checks that do not end the step.
    pub allowed: &'t [String],
    pub acts: u32,
}

pub(crate) enum ComputerOutcome {
    Left(PilotOutcome),
    /// The provider does not take the tool, and nothing was done yet.
    NoTool(String),
}

pub(crate) async fn fly(
    asking: &Asking,
    dialect: Dialect,
    terms: &ActTerms<'_>,
    task: &StepTask,
    controls: &mut dyn Controls,
) -> ComputerOutcome {
    let sight = StepViews::new(Limit::of(asking.provider.format()));
    let mut conversation = ComputerConversation {
        dialect,
        terms,
        task,
        controls,
        sight,
        scene: Rc::new(Scene::default()),
        hand: Hand::default(),
        safety: Vec::new(),
        acts: 0,
        wasted: 0,
        unchanged: 0,
    };
    match conversation.until_it_ends(asking).await {
        ConversationEnd::Step(end, turns) => {
            let safety = std::mem::take(&mut conversation.safety);
            ComputerOutcome::Left(PilotOutcome { end, turns, safety, degraded: false })
        }
        ConversationEnd::NoTool(why) => ComputerOutcome::NoTool(why),
    }
}

struct ComputerConversation<'f> {
    dialect: Dialect,
    terms: &'f ActTerms<'f>,
    task: &'f StepTask,
    controls: &'f mut dyn Controls,
    sight: StepViews,
    scene: Rc<Scene>,
    hand: Hand,
    safety: Vec<SafetyEvent>,
    acts: u32,
    /// Turns since the last act.
    wasted: u32,
    /// Turns with acts since the picture last changed.
    unchanged: u32,
}

enum ConversationEnd {
    Step(PilotEnd, u32),
    NoTool(String),
}

impl ComputerConversation<'_> {
    async fn until_it_ends(&mut self, asking: &Asking) -> ConversationEnd {
        if let Err(why) = self.see().await {
            return ConversationEnd::Step(refused(format!("the page could not be captured: {why}")), 0);
        }
        let picture = match self.picture() {
            Ok(picture) => picture,
            Err(why) => return ConversationEnd::Step(refused(why), 0),
        };
        let model = asking.provider.model();
        let mut question = prompt::question(self.dialect, model, self.task, &self.scene.url, picture);
        for turn in 1..=self.task.turns {
            let deadline = self.task.deadline;
            let answer = match asking.ask_for(NAME, &question, deadline, self.controls).await {
                Ok(answer) => answer,
                Err(NoAnswer::Spent(why)) => return ConversationEnd::Step(refused(why), turn - 1),
                Err(NoAnswer::Unusable(why)) => return ConversationEnd::Step(refused(why), turn),
                // Another form of the question may do, unless somebody began something already.
                Err(NoAnswer::Rejected(failure)) if self.acts == 0 => {
                    return ConversationEnd::NoTool(failure.message);
                }
                Err(NoAnswer::Broken(failure) | NoAnswer::Rejected(failure)) => {
                    return ConversationEnd::Step(PilotEnd::Broken { failure }, turn);
                }
            };
            if let Some(end) = self.take_answer(&answer, &mut question).await {
                return ConversationEnd::Step(end, turn);
            }
            if let Some(why) = self.is_lost() {
                return ConversationEnd::Step(refused(why), turn);
            }
        }
        let why = format!("the model did not finish within {} turns", self.task.turns);
        ConversationEnd::Step(refused(why), self.task.turns)
    }

    /// Why it makes no sense to ask again.
    fn is_lost(&self) -> Option<String> {
        if self.wasted >= MOST_WASTED {
            return Some(format!("the model wasted {MOST_WASTED} turns in a row"));
        }
        if self.unchanged >= MOST_UNCHANGED {
            return Some(format!("{MOST_UNCHANGED} turns of actions changed nothing visible"));
        }
        self.task.deadline.is_past().then(|| "the time limit for this step was reached".to_string())
    }

    async fn see(&mut self) -> Result<(), String> {
        self.scene = self.controls.look().await.map_err(|failure| harmless(&failure.message))?;
        self.sight.look(self.controls, self.task.deadline).await
    }

    fn picture(&self) -> Result<Picture, String> {
        let view = self.sight.now.as_ref().ok_or("there is no picture of the page")?;
        view.picture().map_err(|error| error.to_string())
    }

    /// Carries out what was answered and appends both to the conversation. None when the model is asked again.
    async fn take_answer(&mut self, answer: &ModelAnswer, question: &mut Question) -> Option<PilotEnd> {
        self.wasted += 1;
        question.messages.push(answer.turn());
        if answer.calls().is_empty() {
            if answer.items.iter().any(|item| matches!(item, Item::Unknown(_))) {
                let why = "the model sent something that this version does not support";
                return Some(refused(why.to_string()));
            }
            question.messages.push(Message::user(
                "Use the computer tool, or call `done` or `give_up`: they end the step.",
            ));
            return None;
        }
        let before = self.sight.now.clone();
        let acts_before = self.acts;
        let mut results = Vec::new();
        let mut is_over = false;
        for item in &answer.items {
            match item {
                Item::Computer(call) => match self.take_call(call, &mut is_over).await {
                    Ok(result) => results.push(result),
                    Err(end) => return Some(end),
                },
                Item::Call(call) => match self.take_function(call, &mut is_over).await {
                    Ok(result) => results.push(result),
                    Err(end) => return Some(end),
                },
                Item::Text(_) | Item::Thinking(_) | Item::Refusal(_) | Item::Unknown(_) => {}
            }
        }
        let mut remarks = Vec::new();
        if self.acts > acts_before {
            self.wasted = 0;
            let has_changed = match (&before, &self.sight.now) {
                (Some(before), Some(now)) => now.differs_from(before),
                _ => true,
            };
            self.unchanged = if has_changed { 0 } else { self.unchanged + 1 };
            if !has_changed {
                remarks.push(Part::Text("Nothing that can be seen changed by this.".to_string()));
            }
        }
        question.messages.push(Message::Results { results, remarks });
        None
    }

    /// All acts of one call, up to the first that fails.
    async fn take_call(&mut self, call: &ComputerCall, is_over: &mut bool) -> Result<ToolResult, PilotEnd> {
        let acknowledged = self.acknowledge(&call.pending_safety_checks)?;
        let mut came = ComputerCallOutcome { acknowledged, ..ComputerCallOutcome::default() };
        let because = call.intent.as_deref().map(|intent| shortened(&harmless(intent), 160));
        let because = because.unwrap_or_else(|| "the model chose it by the picture".to_string());
        let (acts_before, tabs_before) = (self.acts, self.scene.tabs.len());
        if *is_over {
            came.told = Some(NOT_EXECUTED.to_string());
            came.failed = true;
        } else {
            for wish in &call.actions {
                let Some(view) = self.sight.now.clone() else { break };
                let planned_actions = self.hand.planned_actions(wish, &view, &self.scene);
                let done = match planned_actions {
                    Ok(planned_actions) => self.carry_out(&planned_actions, &because, &mut came).await?,
                    Err(why) => Err(why),
                };
                if let Err(why) = done {
                    came.told = Some(harmless(&why));
                    came.failed = true;
                    *is_over = true;
                    break;
                }
            }
        }
        // A call that acted is shown what came of it; so is one that only wanted to see.
        if (self.acts > acts_before || call.actions.is_empty())
            && let Err(why) = self.see().await
        {
            came.told = Some(why);
        }
        if self.scene.tabs.len() > tabs_before
            && let Some(opened) = self.scene.tabs.last()
        {
            let tab = format!("the tab {} was opened; it is not shown, see `tab`", harmless(&opened.tab));
            came.told = Some([came.told.unwrap_or_default(), tab].join("\n").trim().to_string());
        }
        let picture = self.picture().map_err(refused)?;
        Ok(self.dialect.result(call, came, &picture, &self.scene))
    }

    /// The inner error is for the model, the outer ends the step.
    async fn carry_out(
        &mut self,
        planned_actions: &[HandAction],
        because: &str,
        came: &mut ComputerCallOutcome,
    ) -> Result<Result<(), String>, PilotEnd> {
        for planned in planned_actions {
            match planned {
                HandAction::Act(action) => {
                    if let Err(why) = self.perform(action, because).await? {
                        return Ok(Err(why));
                    }
                }
                HandAction::Pause(length) => {
                    tokio::time::sleep((*length).min(self.task.deadline.remaining())).await;
                    if let Err(why) = self.see().await {
                        return Ok(Err(why));
                    }
                }
                HandAction::Show => {
                    if let Err(why) = self.see().await {
                        return Ok(Err(why));
                    }
                    came.asked_for = Some(self.picture().map_err(refused)?);
                }
                HandAction::ShowPart { left, top, right, bottom } => {
                    if let Err(why) = self.see().await {
                        return Ok(Err(why));
                    }
                    let part =
                        self.sight.now.as_ref().and_then(|view| view.part(*left, *top, *right, *bottom));
                    let png = part.and_then(|part| part.to_png().ok());
                    match png.and_then(|png| Picture::png(png).ok()) {
                        Some(picture) => came.asked_for = Some(picture),
                        None => return Ok(Err("this part of the picture is empty".to_string())),
                    }
                }
                HandAction::Say(text) => came.told = Some(text.clone()),
            }
        }
        Ok(Ok(()))
    }

    async fn perform(&mut self, action: &Action, because: &str) -> Result<Result<(), String>, PilotEnd> {
        if self.acts >= self.terms.acts {
            return Err(refused(format!("the model did not finish within {} actions", self.terms.acts)));
        }
        if self.task.deadline.is_past() {
            return Err(refused("the time limit for this step was reached".to_string()));
        }
        match self.controls.perform(action, because).await {
            Ok(_) => {
                self.acts += 1;
                Ok(Ok(()))
            }
            Err(NotPerformed::Stopped(refusal)) => Err(refused(refusal.to_string())),
            Err(denied) => Ok(Err(denied.to_string())),
        }
    }

    /// The checks that the configuration allows by name. Any other ends the step.
    fn acknowledge(&mut self, pending: &[SafetyCheck]) -> Result<Vec<SafetyCheck>, PilotEnd> {
        let mut stopped = None;
        for check in pending {
            let code = check.code.clone().unwrap_or_else(|| "without-code".to_string());
            let allowed = check.code.is_some() && self.terms.allowed.contains(&code);
            let said = harmless(check.message.as_deref().unwrap_or("no reason given"));
            let message = format!("the provider doubts that this is safe: {}", shortened(&said, 300));
            if !allowed {
                stopped.get_or_insert(format!("{message} (`{code}`)"));
            }
            self.safety.push(SafetyEvent { code, message, allowed });
        }
        match stopped {
            Some(why) => Err(PilotEnd::Stopped { why }),
            None => Ok(pending.to_vec()),
        }
    }

    async fn take_function(
        &mut self,
        call: &FunctionCall,
        is_over: &mut bool,
    ) -> Result<ToolResult, PilotEnd> {
        let reference = call.call_ref();
        if *is_over {
            return Ok(ToolResult::failed(reference, NOT_EXECUTED));
        }
        let failed = |why: String| ToolResult::failed(call.call_ref(), harmless(&why));
        match shared(call) {
            Err(why) => {
                *is_over = true;
                Ok(failed(why))
            }
            Ok(SharedTool::End(Ending::GiveUp { reason })) => {
                Err(refused(shortened(&harmless(&reason), 400)))
            }
            Ok(SharedTool::End(Ending::Done { evidence, message })) => {
                if self.acts == 0 {
                    let why = "you did nothing yet; do what the step says, or call `give_up`";
                    return Ok(failed(why.to_string()));
                }
                if self.sight.shows(&evidence, self.controls).await {
                    return Err(PilotEnd::Done { message: shortened(&harmless(&message), 400) });
                }
                Ok(failed("neither the picture nor the words of the page show that anything was done".into()))
            }
            Ok(SharedTool::Act(action)) => {
                if let Err(why) = self.perform(&action, "the model asked for it").await? {
                    *is_over = true;
                    return Ok(failed(why));
                }
                let told = match self.see().await {
                    Ok(()) => fenced("address", &harmless(&self.scene.url)),
                    Err(why) => why,
                };
                let mut parts = vec![Part::Text(told)];
                parts.extend(self.picture().ok().map(Part::Picture));
                Ok(ToolResult::done(reference, parts))
            }
        }
    }
}

fn refused(why: impl Into<String>) -> PilotEnd {
    PilotEnd::Refused { why: why.into(), candidates: Vec::new() }
}
