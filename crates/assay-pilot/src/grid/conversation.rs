//! The conversation about one step: a picture with numbers, a number, what came of it.

use std::rc::Rc;

use assay_prompt::{fenced, harmless, shortened};
use assay_protocol::actions::Pointed;
use assay_protocol::{Action, Scene, Selector};
use assay_provider::answer::{FunctionCall, Item, ModelAnswer};
use assay_provider::conversation::{Message, Part, Picture, Question, ToolResult};
use assay_runner::{Controls, NotPerformed, PilotEnd, PilotOutcome, StepTask};

use super::moves::{GridMove, read};
use super::overlay::{Numbers, cell, closer, gridded, marked, part};
use super::{NAME, prompt};
use crate::asking::{Asking, NoAnswer};
use crate::vision::{Ending, Limit, SharedTool, StepViews};

/// So many answers in a row without an act, a closer look not counted.
const MOST_WASTED: u32 = 3;
const MOST_UNCHANGED: u32 = 3;

/// `instead` says why this is done in place of something else.
pub(crate) async fn fly(
    asking: &Asking,
    acts: u32,
    instead: Option<&str>,
    task: &StepTask,
    controls: &mut dyn Controls,
) -> PilotOutcome {
    let mut conversation = GridConversation {
        task,
        controls,
        sight: StepViews::new(Limit::of(asking.provider.format())),
        scene: Rc::new(Scene::default()),
        numbers: Numbers::Cells,
        wants_elements: true,
        most_acts: acts,
        acts: 0,
        wasted: 0,
        unchanged: 0,
    };
    let (end, turns) = conversation.until_it_ends(asking).await;
    let end = match (end, instead) {
        (PilotEnd::Refused { why, candidates }, Some(instead)) => {
            PilotEnd::Refused { why: format!("{why} (by the grid, because {instead})"), candidates }
        }
        (end, _) => end,
    };
    PilotOutcome { end, turns, safety: Vec::new(), degraded: false }
}

struct GridConversation<'f> {
    task: &'f StepTask,
    controls: &'f mut dyn Controls,
    sight: StepViews,
    scene: Rc<Scene>,
    numbers: Numbers,
    /// Numbers are put on elements, where there are any.
    wants_elements: bool,
    most_acts: u32,
    acts: u32,
    wasted: u32,
    unchanged: u32,
}

/// What a call came to.
enum GridCallOutcome {
    To { told: String, ok: bool },
    End(PilotEnd),
}

impl GridConversation<'_> {
    async fn until_it_ends(&mut self, asking: &Asking) -> (PilotEnd, u32) {
        if let Err(why) = self.see().await {
            return (refused(format!("the page could not be captured: {why}")), 0);
        }
        let seen = match self.numbered() {
            Ok(seen) => seen,
            Err(why) => return (refused(why), 0),
        };
        let mut question = prompt::question(self.task, &self.scene.url, seen);
        for turn in 1..=self.task.turns {
            let deadline = self.task.deadline;
            let answer = match asking.ask_for(NAME, &question, deadline, self.controls).await {
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
            if let Some(why) = self.is_lost() {
                return (refused(why), turn);
            }
        }
        (refused(format!("the model did not finish within {} turns", self.task.turns)), self.task.turns)
    }

    fn is_lost(&self) -> Option<String> {
        if self.wasted >= MOST_WASTED {
            return Some(format!("the model wasted {MOST_WASTED} turns in a row"));
        }
        if self.unchanged >= MOST_UNCHANGED {
            return Some(format!("{MOST_UNCHANGED} actions changed nothing visible"));
        }
        self.task.deadline.is_past().then(|| "the time limit for this step was reached".to_string())
    }

    async fn see(&mut self) -> Result<(), String> {
        self.scene = self.controls.look().await.map_err(|failure| harmless(&failure.message))?;
        self.sight.look(self.controls, self.task.deadline).await?;
        self.numbers = Numbers::Cells;
        Ok(())
    }

    /// The whole page with its numbers, and what they stand for.
    fn numbered(&mut self) -> Result<Vec<Part>, String> {
        let view = self.sight.now.as_ref().ok_or("there is no picture of the page")?;
        let marks = if self.wants_elements { marked(view, &self.scene) } else { None };
        let (picture, numbers, said) = match marks {
            Some((picture, refs)) => {
                (picture, Numbers::Elements(refs), "The page as it is now, with numbers on its elements:")
            }
            None => (gridded(view), Numbers::Cells, "The page as it is now, with a grid of numbered cells:"),
        };
        self.numbers = numbers;
        shown(said, &picture)
    }

    async fn take_answer(&mut self, answer: &ModelAnswer, question: &mut Question) -> Option<PilotEnd> {
        self.wasted += 1;
        question.messages.push(answer.turn());
        let calls = answer.calls();
        if calls.is_empty() {
            if answer.items.iter().any(|item| matches!(item, Item::Unknown(_))) {
                let why = "the model sent something that this version does not support";
                return Some(refused(why.to_string()));
            }
            question.messages.push(Message::user("Call one of the tools: `done` or `give_up` end the step."));
            return None;
        }
        let mut results = Vec::new();
        let mut remarks = Vec::new();
        let mut is_over = false;
        for call in calls {
            let wanted = answer.function_calls().find(|own| own.id == call.id).filter(|_| !is_over);
            let Some(wanted) = wanted else {
                results.push(ToolResult::failed(call, "not carried out: call one tool at a time"));
                continue;
            };
            // The next call would go by numbers of a picture that is no longer the newest.
            is_over = true;
            match self.make(wanted, &mut remarks).await {
                GridCallOutcome::End(end) => return Some(end),
                GridCallOutcome::To { told, ok: true } => {
                    results.push(ToolResult::done(call, vec![Part::Text(told)]))
                }
                GridCallOutcome::To { told, ok: false } => {
                    results.push(ToolResult::failed(call, harmless(&told)))
                }
            }
        }
        question.messages.push(Message::Results { results, remarks });
        None
    }

    async fn make(&mut self, call: &FunctionCall, remarks: &mut Vec<Part>) -> GridCallOutcome {
        match read(call, self.task) {
            Err(why) => no(why),
            Ok(GridMove::Pick { number, planned, why }) => {
                let Some(view) = self.sight.now.clone() else { return no("there is no picture") };
                let unknown = || no(format!("there is no number {number} on the newest picture"));
                match self.numbers.clone() {
                    Numbers::Elements(refs) => {
                        let reference = (number as usize).checked_sub(1).and_then(|at| refs.get(at));
                        let target = reference.and_then(|reference| Selector::parse(reference).ok());
                        match target.map(|target| planned.on(Pointed::Element(target))) {
                            Some(Ok(action)) => self.act(&action, &why, remarks).await,
                            Some(Err(why)) => no(why),
                            None => unknown(),
                        }
                    }
                    Numbers::Cells => {
                        let Some(area) = cell(&view, number) else { return unknown() };
                        let picture = closer(&view, area);
                        let seen = picture.map(|picture| {
                            shown(&format!("Cell {number}, closer, with numbers of its own:"), &picture)
                        });
                        let Some(Ok(seen)) = seen else { return no("this cell cannot be shown") };
                        self.numbers = Numbers::Parts(area);
                        // A closer look is a step on the way.
                        self.wasted -= 1;
                        remarks.extend(seen);
                        yes("Nothing was done yet: pick a number of the closer picture.")
                    }
                    Numbers::Parts(area) => {
                        match part(&view, area, number).map(|at| planned.on(Pointed::Point(at))) {
                            Some(Ok(action)) => self.act(&action, &why, remarks).await,
                            Some(Err(why)) => no(why),
                            None => unknown(),
                        }
                    }
                }
            }
            Ok(GridMove::Act { action, why }) => self.act(&action, &why, remarks).await,
            Ok(GridMove::Look { elements }) => {
                self.wants_elements = elements;
                self.show(remarks).await
            }
            Ok(GridMove::Shared(SharedTool::Act(action))) => {
                self.act(&action, "the model asked for it", remarks).await
            }
            Ok(GridMove::Shared(SharedTool::End(Ending::GiveUp { reason }))) => {
                GridCallOutcome::End(refused(shortened(&harmless(&reason), 400)))
            }
            Ok(GridMove::Shared(SharedTool::End(Ending::Done { evidence, message }))) => {
                if self.acts == 0 {
                    return no("you did nothing yet; do what the step says, or call `give_up`");
                }
                if self.sight.shows(&evidence, self.controls).await {
                    return GridCallOutcome::End(PilotEnd::Done {
                        message: shortened(&harmless(&message), 400),
                    });
                }
                no("neither the picture nor the words of the page show that anything was done")
            }
        }
    }

    async fn act(&mut self, action: &Action, why: &str, remarks: &mut Vec<Part>) -> GridCallOutcome {
        if self.acts >= self.most_acts {
            return GridCallOutcome::End(refused(format!(
                "the model did not finish within {} actions",
                self.most_acts
            )));
        }
        let because = shortened(&harmless(why), 160);
        let because =
            if because.is_empty() { "the model chose it by the picture".to_string() } else { because };
        let before = self.sight.now.clone();
        let told = match self.controls.perform(action, &because).await {
            Ok(performed) => performed.outcome,
            Err(NotPerformed::Stopped(refusal)) => return GridCallOutcome::End(refused(refusal.to_string())),
            Err(denied) => return no(denied.to_string()),
        };
        self.acts += 1;
        self.wasted = 0;
        if let Err(why) = self.see().await {
            return yes(why);
        }
        let has_changed = match (&before, &self.sight.now) {
            (Some(before), Some(now)) => now.differs_from(before),
            _ => true,
        };
        self.unchanged = if has_changed { 0 } else { self.unchanged + 1 };
        if let Ok(seen) = self.numbered() {
            remarks.extend(seen);
        }
        let lines: Vec<String> = told.lines().map(harmless).filter(|line| !line.is_empty()).collect();
        match (lines.is_empty(), has_changed) {
            (false, _) => yes(fenced("effect of the act", &lines.join("\n"))),
            (true, true) => yes("Carried out."),
            (true, false) => yes("Carried out; nothing that can be seen changed."),
        }
    }

    async fn show(&mut self, remarks: &mut Vec<Part>) -> GridCallOutcome {
        if let Err(why) = self.see().await {
            return no(why);
        }
        match self.numbered() {
            Ok(seen) => {
                remarks.extend(seen);
                yes("Here it is.")
            }
            Err(why) => no(why),
        }
    }
}

fn shown(said: &str, picture: &assay_pixels::Pixels) -> Result<Vec<Part>, String> {
    let png = picture.to_png().map_err(|error| error.to_string())?;
    let picture = Picture::png(png).map_err(|error| error.to_string())?;
    Ok(vec![Part::Text(said.to_string()), Part::Picture(picture)])
}

fn yes(told: impl Into<String>) -> GridCallOutcome {
    GridCallOutcome::To { told: told.into(), ok: true }
}

fn no(told: impl Into<String>) -> GridCallOutcome {
    GridCallOutcome::To { told: told.into(), ok: false }
}

fn refused(why: String) -> PilotEnd {
    PilotEnd::Refused { why, candidates: Vec::new() }
}
