//! An act with its entry in the lock: replayed if the page is unchanged, healed if the page changed but the effect did
//! not, refused if both changed.

use std::time::Instant;

use assay_driver::Deadline;
use assay_language::{Act, Decision, PlannedAction, Sureness, shows_words};
use assay_protocol::{Action, Answer, FoundAgain, Healing, RunFact, Scene, Verdict};

use crate::attempt::{Attempt, CommandChoice};
use crate::committing::may_commit;
use crate::locking::{ActInProgress, Agreement, LockAdvice, Replay, is_lockable};
use crate::pilots::{PilotRequest, Steering};
use crate::points::unless_it_looks_otherwise;
use crate::step::StepEnd;

/// The name of the pilot that replays the lock.
pub(crate) const REPLAY: &str = "replay";

/// An act to decide about.
pub(crate) struct ActRequest<'a> {
    pub act: &'a Act,
    pub sentence: &'a str,
    /// The page has had time to become complete.
    pub is_late: bool,
}

/// Which act it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ActPosition<'a> {
    pub sentence: &'a str,
    /// From 1.
    pub nth: usize,
    /// The sentence contains more than this act.
    pub several: bool,
}

/// The decision, and who made it.
pub(crate) struct ActDecision {
    pub pilot: &'static str,
    pub decision: Decision,
    /// The next act of the lock, with the elements in it that had changed.
    pub by_lock: Option<Vec<FoundAgain>>,
}

impl Attempt<'_> {
    /// Carries out one act of a sentence, from the lock if it has an entry.
    pub(crate) async fn act(&mut self, act: Act, of: ActPosition<'_>, deadline: Deadline) -> StepEnd {
        let ActPosition { sentence, nth, several } = of;
        self.step.act_in_progress = ActInProgress::default();
        self.step.was_asked = false;
        let lockable = is_lockable(&act);
        let mut replay = None;
        if let Some(lock) = self.state.lock.as_mut().filter(|_| lockable) {
            match lock.take(self.step.part, sentence, nth) {
                Ok(entry) => {
                    let refused = lock.refused_for(&entry);
                    replay = Some(Replay::new(entry, refused, sentence, &self.state.records));
                }
                Err(why) => self.lock_missed(&why),
            }
        }
        let only = several.then(|| act.meaning());
        let mut end = self.carry_out(act.clone(), sentence, &mut replay, deadline).await;
        if end.unsure && self.context.terms.steering == Steering::Ladder {
            let acted = self.state.acted_at;
            let candidates = end.judgements.iter().flat_map(|judgement| judgement.elements.clone()).collect();
            let unshown = self.unshown_names(&act);
            let wanted = PilotRequest { sentence, only, why: end.doubt(), candidates, unshown };
            let begun = Instant::now();
            end = self.ask_pilots(wanted, end).await;
            self.step.asked_for += begun.elapsed();
            let deadline = deadline.later(begun.elapsed());
            let is_untouched = self.state.acted_at == acted;
            if end.unsure && self.step.was_asked && is_untouched {
                // Nobody knew, and nothing was done: the element may still appear.
                let later = self.carry_out(act, sentence, &mut replay, deadline).await;
                end = if later.unsure { end } else { later };
            } else if let Some(replay) = replay.as_mut().filter(|_| self.step.was_asked) {
                replay.leave(replay.refusal.clone().unwrap_or("it does not fit the page".to_string()));
            }
        }
        if !lockable {
            return end;
        }
        self.settle(end, replay, sentence, nth)
    }

    /// The names that an act quotes and the page does not show.
    fn unshown_names(&self, act: &Act) -> Vec<String> {
        let Some(scene) = self.state.last_look.as_ref() else { return Vec::new() };
        let quoted = act.targets().into_iter().filter_map(|target| target.quoted.clone());
        quoted.filter(|name| !shows_words(scene, name)).collect()
    }

    /// Compares the commands of an act or a sentence with the lock, and adds them to the resolved entries.
    pub(crate) fn settle(
        &mut self,
        end: StepEnd,
        replay: Option<Replay>,
        sentence: &str,
        nth: usize,
    ) -> StepEnd {
        if let Some(replay) = &replay {
            let refusal = replay.refusal.as_deref().filter(|_| end.verdict != Verdict::Passed);
            if let Some(why) = replay.why_left().or(refusal) {
                self.lock_missed(why);
            }
        }
        if end.verdict != Verdict::Passed {
            return end;
        }
        let end = self.compare(end, &replay, sentence, nth);
        if let Some(replay) = &replay {
            self.state.records.learn(&replay.entry.effect, &self.step.act_in_progress.effect);
        }
        end
    }

    fn compare(&mut self, end: StepEnd, replay: &Option<Replay>, sentence: &str, nth: usize) -> StepEnd {
        match replay {
            Some(replay) if !self.context.is_locking => {
                self.hold_against(replay, sentence, nth).unwrap_or(end)
            }
            Some(replay) if !replay.is_otherwise() => {
                self.resolve(sentence, nth, Some(replay));
                end
            }
            _ => {
                self.resolve(sentence, nth, None);
                end
            }
        }
    }

    /// Decides what to do on this page: the locked act if its elements are unchanged; else the interpreter's decision
    /// if it means the same; else the act on the clear successors of the elements.
    pub(crate) async fn decide(
        &mut self,
        asked: &ActRequest<'_>,
        replay: &mut Option<Replay>,
        scene: &Scene,
        deadline: Deadline,
    ) -> Result<ActDecision, StepEnd> {
        let says = replay.as_ref().map_or(LockAdvice::Nothing, |replay| replay.advice(scene));
        let says = unless_it_looks_otherwise(&mut *self.surface, says, scene, deadline).await;
        if let (LockAdvice::Do(action), Some(replay)) = (&says, &replay) {
            return Ok(locked_decision(action.clone(), Vec::new(), replay, asked.act, scene));
        }
        let hints = self.hints(asked.sentence, deadline).await;
        let (pilot, decision) = self.interpret(asked.act, scene, &hints);
        let by_words = |decision| Ok(ActDecision { pilot, decision, by_lock: None });
        let (Some(replay), Some(why)) = (replay.as_mut(), says.why()) else { return by_words(decision) };
        replay.refusal = Some(why.clone());
        if self.context.is_locking {
            replay.leave(why);
            return by_words(decision);
        }
        match decision {
            Decision::Do(planned) if let Some(why) = replay.refused_act(&planned.action, scene) => {
                Err(StepEnd::inconclusive(why))
            }
            Decision::Do(planned) => match replay.agrees(&planned.action, scene) {
                Agreement::TheSame(found) => {
                    replay.is_named = true;
                    Ok(ActDecision { pilot, decision: Decision::Do(planned), by_lock: Some(found) })
                }
                Agreement::Disagrees(conflict) => Err(StepEnd::inconclusive(format!(
                    "{conflict}; if the page is right, record the step again: assay run --lock"
                ))),
                // Half of it has been done and must not be repeated.
                Agreement::OtherWay if self.step.act_in_progress.commits => {
                    Err(StepEnd::inconclusive(format!(
                        "the locked step was started and cannot be completed, and it commits something: {why}"
                    )))
                }
                Agreement::OtherWay => {
                    replay.leave(why);
                    by_words(Decision::Do(planned))
                }
            },
            Decision::NothingToDo { .. } => {
                replay.leave(why);
                by_words(decision)
            }
            Decision::Unclear { .. } | Decision::Missing { .. } => match says {
                LockAdvice::Changed(action, found) if asked.is_late => {
                    if let Some(why) = replay.refused_act(&action, scene) {
                        return Err(StepEnd::inconclusive(why));
                    }
                    Ok(locked_decision(action, found, replay, asked.act, scene))
                }
                _ => by_words(decision),
            },
        }
    }

    /// For a page whose address had to be found: the locked address, if it still leads there.
    pub(crate) async fn go_as_locked(
        &mut self,
        replay: &mut Option<Replay>,
        deadline: Deadline,
    ) -> Option<StepEnd> {
        let replay = replay.as_mut().filter(|replay| replay.why_left().is_none())?;
        let url = match replay.entry.acts.as_slice() {
            [act] if let Action::Go { url } = &act.action => self.context.address_of(url)?,
            _ => {
                // A path of several acts is replayed if the page still has it.
                if let Some(end) = self.as_locked(replay, deadline).await {
                    return Some(end);
                }
                return None;
            }
        };
        let chosen = CommandChoice::harmless(REPLAY, "the address is locked");
        match self.command(&Action::Go { url }, chosen, deadline).await {
            Ok(Answer::Effect(effect)) => {
                let status = effect.page.as_ref().and_then(|page| page.status);
                let refused = status.map(|status| format!("the server answered with status {status}"));
                match refused.or_else(|| replay.differs_from(&self.step.act_in_progress.effect)) {
                    None => {
                        replay.done(Vec::new());
                        Some(StepEnd::passed())
                    }
                    Some(why) => {
                        replay.leave(why);
                        self.step.act_in_progress = ActInProgress::default();
                        None
                    }
                }
            }
            Ok(_) => Some(StepEnd::passed()),
            Err(failure) => Some(StepEnd::of_failure(&failure)),
        }
    }

    /// Compares the effect with the record. Once an element had changed, and for the rest of the test, the effect
    /// must be of the recorded kind; otherwise it is unknown whether the act was the right one.
    fn hold_against(&mut self, replay: &Replay, sentence: &str, nth: usize) -> Option<StepEnd> {
        let today = &self.step.act_in_progress.effect;
        let differs = replay.differs_from(today);
        let is_same_record = replay.is_named
            && replay.why_left().is_none()
            && self.state.records.explains(&replay.found, &replay.entry.effect, today);
        if is_same_record {
            self.state.resolved.push(replay.entry.clone());
            return None;
        }
        if !replay.is_otherwise() {
            if let Some(why) = differs {
                if self.state.is_healed {
                    return Some(StepEnd::inconclusive(format!(
                        "an earlier element was healed, and the effect differs from the locked one: {why}"
                    )));
                }
                self.note(format!("the effect differs from the locked one: {why}"));
            }
            self.resolve(sentence, nth, Some(replay));
            return None;
        }
        let changed = match (replay.found.first(), replay.why_left()) {
            (Some(found), _) => {
                format!("{} \"{}\" has changed ({})", found.was.role, found.was.name, found.because)
            }
            (None, Some(why)) => format!("the lock no longer fits ({why})"),
            (None, None) => "the lock no longer fits".to_string(),
        };
        if let Some(why) = differs {
            return Some(StepEnd::inconclusive(format!(
                "{changed}, and the replacement does not have the same effect: {why}; if the page is right, record the \
                 step again: assay run --lock"
            )));
        }
        let now = self.step.act_in_progress.entry(
            self.step.part,
            sentence,
            nth,
            self.context.base_url.as_deref(),
            self.context.secrets,
        );
        let now = now.map(|now| self.state.records.as_locked(now));
        if now.as_ref().is_ok_and(|now| replay.is_refused(now)) {
            return Some(StepEnd::inconclusive(format!(
                "{changed}, and a user refused this replacement; if the page is right, record the step again: assay run --lock"
            )));
        }
        self.state.is_healed = true;
        // The old entry stands until a user accepts the change.
        self.state.resolved.push(replay.entry.clone());
        match now {
            Ok(now) => {
                let healing = Healing { was: replay.entry.clone(), now, found: replay.found.clone() };
                self.listener.event(RunFact::Healed {
                    test: self.context.test.clone(),
                    step: self.step.number,
                    healing: Box::new(healing),
                });
            }
            Err(why) => self.note(format!("{changed}; no proposal can be made: {why}")),
        }
        None
    }

    /// Adds the commands to the resolved entries of this attempt.
    fn resolve(&mut self, sentence: &str, nth: usize, was: Option<&Replay>) {
        if self.step.act_in_progress.acts.is_empty() {
            return;
        }
        match self.step.act_in_progress.entry(
            self.step.part,
            sentence,
            nth,
            self.context.base_url.as_deref(),
            self.context.secrets,
        ) {
            Ok(mut entry) => {
                match was {
                    Some(was) if was.has_other_numbers() => entry = was.entry.clone(),
                    Some(was) => entry.effect = was.entry.effect.opened_for(&entry.effect),
                    None => entry = self.state.records.as_locked(entry),
                }
                self.state.resolved.push(entry);
            }
            Err(why) if self.context.is_locking => self.note(format!("not locked: {why}")),
            Err(_) => {}
        }
    }

    pub(crate) fn lock_missed(&self, why: &str) {
        let reason = why.to_string();
        self.listener.event(RunFact::LockMissed {
            test: self.context.test.clone(),
            step: self.step.number,
            reason,
        });
    }
}

/// The locked act as a decision.
fn locked_decision(
    action: Action,
    found: Vec<FoundAgain>,
    replay: &Replay,
    act: &Act,
    scene: &Scene,
) -> ActDecision {
    let because = match found.first() {
        Some(found) => {
            format!("it replaces {} \"{}\": {}", found.was.role, found.was.name, found.because)
        }
        None => "as locked".to_string(),
    };
    let sureness = found.first().map(|found| Sureness {
        score: found.score,
        margin: found.lead(),
        runner_up: found.runner_up.clone(),
    });
    let commits = may_commit(&action, Some(scene));
    let then = replay.has_more().then(|| act.clone());
    let decision = Decision::Do(PlannedAction { action, because, sureness, then, commits });
    ActDecision { pilot: REPLAY, decision, by_lock: Some(found) }
}
