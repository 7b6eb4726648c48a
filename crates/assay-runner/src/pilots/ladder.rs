//! The rungs above the interpreter: asks the pilots in order until one of them carries out the step.

use std::time::Duration;

use assay_driver::Deadline;
use assay_language::only_looks;
use assay_protocol::{
    Action, ElementLine, Failure, LastingAct, MaskText, Part, PilotEnding, PilotReport, RunFact, Secrets,
    Verdict,
};

use super::available::Steering;
use super::guarded_controls::GuardedControls;
use super::pilot::{Pilot, PilotEnd, PilotOutcome, PilotRecovery, StepTask, TestSentence};
use super::values::RevealedValues;
use crate::attempt::{Attempt, CommandChoice};
use crate::locking::{ActInProgress, LockAdvice, Replay};
use crate::points::unless_it_looks_otherwise;
use crate::step::StepEnd;
use crate::test_context::is_address;

/// The default time of a pilot for a step: models answer in seconds, not milliseconds.
const STEP_TIME: Duration = Duration::from_secs(120);
/// The maximum number of questions for one step.
const STEP_TURNS: u32 = 12;
/// How long a page may take to show the locked elements.
const LOCKED_PATIENCE: Duration = Duration::from_millis(1500);

/// The task for pilots.
pub(crate) struct PilotRequest<'s> {
    pub sentence: &'s str,
    /// A part of the sentence, in the interpreter's words.
    pub only: Option<String>,
    pub why: String,
    pub candidates: Vec<ElementLine>,
    /// Names that the step quotes and the page does not show. A pilot has to bring them up: something similar is not meant.
    pub unshown: Vec<String>,
}

impl Attempt<'_> {
    /// Whether the acts of a sentence are carried out together, though the interpreter could take them apart.
    pub(crate) fn takes_whole(&self, sentence: &str) -> bool {
        match self.context.terms.steering {
            Steering::PilotOnly(_) => true,
            Steering::ReplayOnly => {
                self.state.lock.as_ref().is_some_and(|lock| lock.has_whole(self.step.part, sentence))
            }
            Steering::Ladder | Steering::BuiltinOnly => false,
        }
    }

    /// Carries out a sentence that cannot be split as a whole: from the lock, or by a pilot. If the sentence says more,
    /// `only` names the acts that are meant.
    pub(crate) async fn whole_sentence(
        &mut self,
        sentence: &str,
        only: Option<String>,
        unread: StepEnd,
        deadline: Deadline,
    ) -> StepEnd {
        self.step.act_in_progress = ActInProgress::default();
        let mut replay = None;
        if let Some(lock) = self.state.lock.as_mut() {
            match lock.take(self.step.part, sentence, 0) {
                Ok(entry) => {
                    let refused = lock.refused_for(&entry);
                    replay = Some(Replay::new(entry, refused, sentence, &self.state.records));
                }
                // Without pilots, a lock without an entry changes nothing.
                Err(why) if !self.state.available.pilots.is_empty() => self.lock_missed(&why),
                Err(_) => {}
            }
        }
        let mut end = None;
        if let Some(replay) = replay.as_mut() {
            end = self.as_locked(replay, deadline).await;
        }
        let end = match end {
            Some(end) => end,
            None => {
                let wanted = PilotRequest {
                    sentence,
                    only,
                    why: unread.doubt(),
                    candidates: Vec::new(),
                    unshown: Vec::new(),
                };
                self.ask_pilots(wanted, unread).await
            }
        };
        self.settle(end, replay, sentence, 0)
    }

    /// Replays all acts of an entry in order. None if the pilots have to take over; then they can continue from the
    /// current state.
    pub(crate) async fn as_locked(&mut self, replay: &mut Replay, deadline: Deadline) -> Option<StepEnd> {
        loop {
            let patience = Deadline::after(LOCKED_PATIENCE);
            let (action, found, scene) = loop {
                let scene = match self.look(deadline).await {
                    Ok(scene) => scene,
                    Err(failure) => return Some(StepEnd::of_failure(&failure)),
                };
                let is_late = patience.is_past() || deadline.is_past();
                let says =
                    unless_it_looks_otherwise(&mut *self.surface, replay.advice(&scene), &scene, deadline)
                        .await;
                let why = says.why();
                match says {
                    LockAdvice::Nothing => return Some(StepEnd::passed()),
                    LockAdvice::Do(action) => break (action, Vec::new(), scene),
                    LockAdvice::Changed(action, found) if is_late && !self.context.is_locking => {
                        break (action, found, scene);
                    }
                    LockAdvice::Changed(..) | LockAdvice::Refused(_) if is_late => {
                        let why = why.unwrap_or_default();
                        replay.refusal = Some(why.clone());
                        if self.step.act_in_progress.commits {
                            return Some(StepEnd::inconclusive(format!(
                                "the locked step was started and cannot be completed, and it commits something: {why}"
                            )));
                        }
                        replay.leave(why);
                        return None;
                    }
                    LockAdvice::Changed(..) | LockAdvice::Refused(_) => {
                        tokio::time::sleep(Duration::from_millis(150)).await;
                    }
                }
            };
            self.state.history.acting(&scene);
            let commits = crate::committing::may_commit(&action, Some(&scene));
            let because = found.first().map_or("as locked".to_string(), |found| {
                format!("it replaces {} \"{}\": {}", found.was.role, found.was.name, found.because)
            });
            let action = self.context.with_whole_address(action);
            let chosen =
                CommandChoice { commits, ..CommandChoice::harmless(crate::locked::REPLAY, &because) };
            match self.command(&action, chosen, deadline).await {
                Ok(_) => replay.done(found),
                Err(failure) => return Some(StepEnd::of_failure(&failure)),
            }
            if replay.is_done() {
                return Some(StepEnd::passed());
            }
        }
    }

    /// How the step ends after all pilots were asked. Without pilots, the interpreter's result stands.
    pub(crate) async fn ask_pilots(&mut self, wanted: PilotRequest<'_>, without: StepEnd) -> StepEnd {
        if self.state.available.pilots.is_empty() {
            return self.with_absent(without);
        }
        // A pilot must not continue a committing act that it did not see begin.
        if self.step.act_in_progress.commits {
            return without;
        }
        self.step.was_asked = true;
        let hidden = self.hidden().into_owned();
        let named = RevealedValues::of(wanted.sentence, &self.context.values, &hidden);
        let mut candidates = wanted.candidates;
        candidates.mask_text(&hidden);
        let mut task = StepTask {
            sentence: hidden.mask(wanted.sentence),
            test: self.whole_test(Some(wanted.sentence), &hidden),
            addresses: self.addresses(&hidden),
            only_looks: wanted.only.is_none() && only_looks(wanted.sentence),
            only: wanted.only.map(|only| hidden.mask(&only)),
            values: named.shown(),
            why: hidden.mask(&wanted.why),
            candidates,
            done_so_far: Vec::new(),
            failure: None,
            deadline: Deadline::after(STEP_TIME),
            turns: STEP_TURNS,
        };
        let mut pilots = std::mem::take(&mut self.state.available.pilots);
        let mut end = None;
        let mut broken: Option<Failure> = None;
        let mut reasons: Vec<String> = Vec::new();
        for pilot in &mut pilots {
            let is_recovery = pilot.recovery().is_some();
            task.deadline = Deadline::after(self.context.terms.step_time.unwrap_or(STEP_TIME));
            task.done_so_far = self.commands_so_far();
            let ended = self.ask_pilot(pilot.as_mut(), &task, &named, wanted.sentence, &wanted.unshown).await;
            match ended {
                Consulted::Ended(ended) => {
                    end = Some(ended);
                    break;
                }
                Consulted::NotSure(why) => reasons.push(format!("{}: {why}", pilot.name())),
                Consulted::Impossible(why) => {
                    reasons.push(format!("{}: {why}", pilot.name()));
                    break;
                }
                // The step was unclear before, and it still is.
                Consulted::Broken(failure) if is_recovery => {
                    reasons.push(format!("{}: {}", pilot.name(), failure.message));
                }
                Consulted::Broken(failure) => {
                    reasons.push(format!("{}: {}", pilot.name(), failure.message));
                    broken = Some(failure);
                    // All pilots come from one source: if one is not available, the next is not either.
                    break;
                }
            }
            task.failure = reasons.last().cloned();
            // A part of an act that must not be repeated was done, so no other pilot may continue.
            if self.step.act_in_progress.commits {
                break;
            }
        }
        self.state.available.pilots = pilots;
        let reasons = reasons.join("; ");
        match (end, broken) {
            (Some(end), _) => end,
            (None, Some(failure)) => {
                StepEnd { reason: format!("{}; {reasons}", without.reason), ..StepEnd::of_failure(&failure) }
            }
            (None, None) => StepEnd { reason: format!("{}; {reasons}", without.reason), ..without },
        }
    }

    /// Adds the reason why no pilot was asked, if there could have been one.
    pub(crate) fn with_absent(&self, end: StepEnd) -> StepEnd {
        match &self.state.available.absent {
            Some(absent) if end.verdict == Verdict::Inconclusive => {
                let reason = format!("{}; a model could be asked, but {absent}", end.reason);
                StepEnd { reason, ..end }
            }
            _ => end,
        }
    }

    async fn ask_pilot(
        &mut self,
        pilot: &mut dyn Pilot,
        task: &StepTask,
        named: &RevealedValues,
        sentence: &str,
        unshown_names: &[String],
    ) -> Consulted {
        let acts_before = self.step.act_in_progress.acts.len();
        let name = pilot.name();
        self.step.waits_for = Some(name);
        let mut controls = GuardedControls::new(self, name, named.clone(), sentence, task.deadline);
        controls.unshown = unshown_names.to_vec();
        let PilotOutcome { end, turns, mut safety, degraded } = pilot.take(task, &mut controls).await;
        controls.end_turn().await;
        let unshown = controls.unshown.first().cloned();
        let stopped = controls.stopped.take();
        safety.extend(std::mem::take(&mut controls.safety));
        self.step.waits_for = None;
        let recovery = pilot.recovery();
        // An act that cannot be locked still counts as an act.
        let counts =
            |act: &Option<LastingAct>| act.as_ref().is_none_or(|act| may_fulfil_step(&act.action, sentence));
        let did_something = self.step.act_in_progress.acts.iter().skip(acts_before).any(counts);
        let failure = if let PilotEnd::Broken { failure } = &end { Some(failure.code) } else { None };
        let (ending, message, asked) = match (stopped, end) {
            (Some(refusal), _) => {
                let why = format!("the {name} pilot was stopped: {refusal}");
                (PilotEnding::Stopped, refusal.to_string(), Consulted::Ended(StepEnd::inconclusive(why)))
            }
            (None, PilotEnd::Done { .. }) if let Some(name) = unshown => {
                let why = format!("the page never showed \"{name}\", which the step names");
                (PilotEnding::Refused, why.clone(), Consulted::NotSure(why))
            }
            (None, PilotEnd::Done { message }) if did_something || task.only_looks => {
                (PilotEnding::Done, message, Consulted::Ended(StepEnd::passed()))
            }
            (None, PilotEnd::Done { message }) => {
                let why = format!("the pilot reported success without doing anything: {message}");
                (PilotEnding::Refused, why.clone(), Consulted::NotSure(why))
            }
            (None, PilotEnd::Stopped { why }) => {
                let end = StepEnd::inconclusive(format!("the {name} pilot was stopped: {why}"));
                (PilotEnding::Stopped, why, Consulted::Ended(end))
            }
            (None, PilotEnd::Refused { why, .. }) => {
                (PilotEnding::Refused, why.clone(), Consulted::NotSure(why))
            }
            (None, PilotEnd::Impossible { why }) => {
                (PilotEnding::Refused, why.clone(), Consulted::Impossible(why))
            }
            (None, PilotEnd::Broken { failure }) => {
                (PilotEnding::Broken, failure.message.clone(), Consulted::Broken(failure))
            }
        };
        let pilot = name.to_string();
        self.tell_left(PilotReport { pilot, ending, message, turns, safety, degraded, failure });
        if ending == PilotEnding::Done
            && let Some(recovery) = recovery
        {
            self.tell_recovery(&recovery);
        }
        asked
    }

    /// A recovered step passes with a note. An obstacle is not part of the test, so it is not locked.
    fn tell_recovery(&mut self, recovery: &PilotRecovery) {
        let PilotRecovery { tier, means, trouble } = recovery;
        let reason = match trouble {
            Some(trouble) => format!("recovered by {means}: {trouble}"),
            None => format!("recovered by {means}"),
        };
        self.recovered(*tier, &reason);
        if trouble.is_some() {
            self.step.act_in_progress.acts.clear();
            self.note(format!("{reason}; the step is not locked, because something was in the way"));
        } else {
            self.note(reason);
        }
    }

    fn tell_left(&self, report: PilotReport) {
        let report = Box::new(report);
        self.listener.event(RunFact::PilotLeft {
            test: self.context.test.clone(),
            step: self.step.number,
            report,
        });
    }

    /// All sentences of the test, with the current one marked.
    pub(crate) fn whole_test(&self, sentence: Option<&str>, hidden: &Secrets) -> Vec<TestSentence> {
        let sentences = &self.context.sentences;
        let is_said = |(part, text): &(Part, String)| {
            *part == self.step.part && sentence.is_none_or(|sentence| text == sentence)
        };
        // After a failure, the steps that clean up have other numbers than in the file.
        let here = self.step.number.checked_sub(1);
        let by_number = here.filter(|at| sentences.get(*at).is_some_and(is_said));
        let current = by_number.or_else(|| sentences.iter().position(is_said).filter(|_| sentence.is_some()));
        let line = |(at, (part, text)): (usize, &(Part, String))| TestSentence {
            part: *part,
            text: hidden.mask(text),
            is_current: Some(at) == current,
        };
        sentences.iter().enumerate().map(line).collect()
    }

    fn addresses(&self, hidden: &Secrets) -> Vec<(String, String)> {
        let named = self.context.selectors.iter().filter(|(_, held)| is_address(held));
        named.map(|(name, held)| (name.clone(), hidden.mask(held))).collect()
    }

    /// The commands of the current act.
    fn commands_so_far(&self) -> Vec<String> {
        let known = |act: &Option<assay_protocol::LastingAct>| match act {
            Some(act) => self.mask_for_guests(&act.action.command_line()),
            None => "an element without a description".to_string(),
        };
        self.step.act_in_progress.acts.iter().map(known).collect()
    }
}

/// How one pilot ended.
enum Consulted {
    Ended(StepEnd),
    NotSure(String),
    /// Nobody else needs to be asked.
    Impossible(String),
    Broken(Failure),
}

/// Whether an act may be the purpose of a step. Looking around is not, unless the step says so.
fn may_fulfil_step(action: &Action, sentence: &str) -> bool {
    !action.looks_around() || sentence.to_lowercase().contains(action.verb())
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_protocol::{ScrollTo, Selector};

    #[test]
    fn to_look_around_is_no_deed_unless_the_step_is_about_it() {
        let scroll = Action::Scroll { to: ScrollTo::Bottom };
        assert!(!may_fulfil_step(&scroll, "Pick the cheaper boat"));
        assert!(may_fulfil_step(&scroll, "Scroll to where the boats are"));
        let target = Selector::parse("e1").unwrap();
        assert!(!may_fulfil_step(&Action::Hover { target: target.clone() }, "Pick the cheaper boat"));
        assert!(may_fulfil_step(&Action::Clear { target }, "Pick the cheaper boat"));
    }
}
