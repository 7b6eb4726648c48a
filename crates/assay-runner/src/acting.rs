//! Acts: a pilot decides, the attempt carries them out, and retries if nothing has happened yet.

use std::time::{Duration, Instant};

use assay_driver::Deadline;
use assay_language::{
    Act, Claim, Decision, Hints, LastAct, PlannedAction, ScrollGoal, WaitGoal, ground, judge, lacks,
    shows_words,
};
use assay_protocol::{
    Action, Answer, ElementLine, ErrorCode, Failure, Judgement, Retry, Scene, SceneNode, ScrollTo, Selector,
    Verdict, WaitFor,
};

use crate::attempt::{Attempt, CommandChoice, RECOVERY};
use crate::locked::{ActDecision, ActRequest};
use crate::locking::Replay;
use crate::outcome::may_be_tried_again;
use crate::picture::PictureMoment;
use crate::pilots::Steering;
use crate::recovery::{InTheWay, in_the_way};
use crate::step::StepEnd;

/// A page that just changed may not be complete yet; after this time, an unclear act is unclear.
const UNCLEAR_PATIENCE: Duration = Duration::from_millis(1500);
/// After this time, a pilot is asked about something that is missing. Without pilots, the step waits for it to its end.
const ASK_AFTER: Duration = Duration::from_secs(10);
/// The same failure this often ends the retries.
const MOST_ALIKE: u32 = 3;

impl<'a> Attempt<'a> {
    /// `replay` is the lock's entry for it.
    pub(crate) async fn carry_out(
        &mut self,
        act: Act,
        sentence: &str,
        replay: &mut Option<Replay>,
        deadline: Deadline,
    ) -> StepEnd {
        match act {
            Act::Go { to } => match self.go_as_locked(replay, deadline).await {
                Some(end) => end,
                None => self.go(&to, sentence, deadline).await,
            },
            Act::Wait { until } => self.wait(until, sentence, deadline).await,
            Act::Scroll { to: ScrollGoal::Until(claim) } => {
                self.scroll_until(&claim, sentence, deadline).await
            }
            Act::TakeScreenshot => {
                self.picture_taken().await;
                self.take_picture(PictureMoment::Apart, deadline);
                self.picture_taken().await;
                StepEnd::passed()
            }
            act => self.decide_and_do(act, sentence, replay, deadline).await,
        }
    }

    async fn decide_and_do(
        &mut self,
        mut act: Act,
        sentence: &str,
        replay: &mut Option<Replay>,
        deadline: Deadline,
    ) -> StepEnd {
        let started = Instant::now();
        let mut tries = Tries::default();
        // What was missing in the page's last answer: reported if the next answer comes too late.
        let mut unsure: Option<StepEnd> = None;
        loop {
            let scene = match self.look(deadline).await {
                Ok(scene) => scene,
                Err(failure) => {
                    let late = failure.code == ErrorCode::NotResponding && deadline.is_past();
                    return unsure.filter(|_| late).unwrap_or_else(|| StepEnd::of_failure(&failure));
                }
            };
            let is_late = started.elapsed() >= UNCLEAR_PATIENCE || deadline.is_past();
            let asked = ActRequest { act: &act, sentence, is_late };
            let ActDecision { pilot, decision, by_lock } =
                match self.decide(&asked, replay, &scene, deadline).await {
                    Ok(decided) => decided,
                    Err(end) => return end,
                };
            let planned = match decision {
                Decision::Do(planned) => planned,
                Decision::NothingToDo { because } => {
                    self.note(because);
                    return StepEnd::passed();
                }
                Decision::Unclear { why, candidates, clearer } => {
                    let end = StepEnd::unclear(why, candidates, clearer);
                    if started.elapsed() < UNCLEAR_PATIENCE && !deadline.is_past() {
                        unsure = Some(end);
                        tokio::time::sleep(Duration::from_millis(150)).await;
                        continue;
                    }
                    return end;
                }
                Decision::Missing { why, nearest } => {
                    let acted = self.state.history.act_on(&scene);
                    let end = missing(&act, &scene, acted.as_ref(), why, nearest);
                    let may_wait = !(end.unsure && self.can_ask() && started.elapsed() >= ASK_AFTER);
                    if may_wait && deadline.remaining() > Duration::from_millis(300) {
                        unsure = Some(end);
                        tokio::time::sleep(Duration::from_millis(150)).await;
                        continue;
                    }
                    return end;
                }
            };
            unsure = None;
            self.state.history.acting(&scene);
            let chosen = CommandChoice::of(pilot, &planned);
            let mut done = self.command(&planned.action, chosen, deadline).await;
            if let Err(failure) = &done
                && is_gone(failure)
                && !deadline.is_past()
            {
                // The page may have redrawn the element meanwhile: repeat the act on the element with its signature.
                self.retried(Retry::MapRefreshed, &failure.message);
                if self.look(deadline).await.is_ok() {
                    self.retried(Retry::SignatureTried, &planned.because);
                    done = self.command(&planned.action, chosen, deadline).await;
                }
            }
            match done {
                Ok(_) => {
                    if let (Some(found), Some(replay)) = (by_lock, replay.as_mut()) {
                        replay.done(found);
                    }
                    match planned.then {
                        Some(rest) => {
                            act = rest;
                            tries = Tries::default();
                        }
                        None => return StepEnd::passed(),
                    }
                }
                Err(failure) => {
                    if let Some(end) = self.recover(&planned, &failure, &mut tries, deadline).await {
                        self.retried(Retry::GivenUp, &failure.message);
                        return end;
                    }
                    self.retried(Retry::Replanned, &failure.message);
                }
            }
        }
    }

    /// Whether pilots are there that were not asked about this act yet.
    pub(crate) fn can_ask(&self) -> bool {
        self.context.terms.steering == Steering::Ladder
            && !self.state.available.pilots.is_empty()
            && !self.step.was_asked
            && !self.step.act_in_progress.commits
    }

    /// The built-in interpreter's decision about the act on this page, and the name under which it is reported.
    pub(crate) fn interpret(&self, act: &Act, scene: &Scene, hints: &Hints) -> (&'static str, Decision) {
        if self.context.terms.steering == Steering::ReplayOnly {
            let why = "only locked steps may run, and the lock has nothing that fits".to_string();
            return ("replay", Decision::Unclear { why, candidates: Vec::new(), clearer: String::new() });
        }
        ("builtin", ground(act, scene, hints))
    }

    /// Prepares a retry, or says how the act ended. An act that may have happened is never repeated.
    async fn recover(
        &mut self,
        planned: &PlannedAction,
        failure: &Failure,
        tries: &mut Tries,
        deadline: Deadline,
    ) -> Option<StepEnd> {
        if failure.code == ErrorCode::OutcomeUnknown {
            let reason = if planned.commits {
                format!("{}; it commits something, so it is not repeated", failure.message)
            } else {
                failure.message.clone()
            };
            return Some(StepEnd::inconclusive(reason));
        }
        if !may_be_tried_again(failure) || deadline.remaining() < Duration::from_millis(300) {
            return Some(StepEnd::of_failure(failure));
        }
        tries.count(&failure.message);
        if tries.alike >= MOST_ALIKE {
            return Some(StepEnd::of_failure(failure));
        }
        let scene = match self.look(deadline).await {
            Ok(scene) => scene,
            Err(failure) => return Some(StepEnd::of_failure(&failure)),
        };
        let target = target_of(&planned.action, &scene);
        match in_the_way(&scene, target) {
            Some(way) if failure.code == ErrorCode::NotActionable && !self.was_put_aside(&way) => {
                self.put_aside(way, tries, deadline).await
            }
            _ => self.recovered(1, &format!("looked again after: {}", failure.message)),
        }
        None
    }

    /// If an obstacle comes back after it was closed, closing it again does not help.
    fn was_put_aside(&self, way: &InTheWay) -> bool {
        matches!(way, InTheWay::Banner { dismiss, .. } if self.state.put_aside.contains(dismiss))
    }

    async fn put_aside(&mut self, way: InTheWay, tries: &mut Tries, deadline: Deadline) {
        match way {
            InTheWay::Loading { what } => {
                self.recovered(2, &format!("waited: {what} says that the page is loading"));
                tokio::time::sleep(Duration::from_millis(500).min(deadline.remaining())).await;
                // Waiting does not count as a failed attempt.
                tries.alike = tries.alike.saturating_sub(1);
            }
            InTheWay::Banner { dismiss, reason } => {
                let Ok(target) = Selector::parse(&dismiss) else { return };
                self.recovered(2, &reason);
                self.state.put_aside.insert(dismiss);
                let click = Action::Click {
                    target,
                    button: assay_protocol::MouseButton::Left,
                    modifiers: Vec::new(),
                };
                // If it cannot be closed, the next attempt at the act reports the obstacle.
                let _closed =
                    self.command(&click, CommandChoice::harmless(RECOVERY, &reason), deadline).await;
            }
        }
    }

    async fn wait(&mut self, until: WaitGoal, sentence: &str, deadline: Deadline) -> StepEnd {
        match until {
            WaitGoal::Seconds(seconds) => {
                let most = Duration::from_secs(600);
                let time = Duration::try_from_secs_f64(seconds).unwrap_or(most).min(most);
                tokio::time::sleep(time).await;
                self.picture_taken().await;
                self.take_picture(PictureMoment::Apart, deadline);
                StepEnd::passed()
            }
            WaitGoal::Loaded => {
                let wait = Action::Wait { until: WaitFor::Load };
                let chosen = CommandChoice::harmless("builtin", "the step waits for the page");
                match self.command(&wait, chosen, deadline).await {
                    Ok(Answer::Loaded { still_busy }) if !still_busy.is_empty() => {
                        self.note(format!(
                            "the page has loaded, but is still busy: {}",
                            still_busy.join(", ")
                        ));
                        StepEnd::passed()
                    }
                    Ok(_) => StepEnd::passed(),
                    Err(failure) => StepEnd::of_failure(&failure),
                }
            }
            // A wait is also a claim: one that held before the wait proves nothing.
            WaitGoal::Claim(claim) => {
                let judgement = self.wait_for_claim(&claim, sentence, deadline).await;
                let reason = match judgement.verdict {
                    Verdict::Passed => String::new(),
                    _ => format!("waited in vain: {}", judgement.reason),
                };
                let verdict = judgement.verdict;
                StepEnd { judgements: vec![judgement], ..StepEnd::with(verdict, reason) }
            }
        }
    }

    /// Waits to the end of the step. A judge is asked after a while, and once more at the end.
    async fn wait_for_claim(&mut self, claim: &Claim, sentence: &str, deadline: Deadline) -> Judgement {
        if self.state.available.judge.is_some() && deadline.remaining() > ASK_AFTER * 2 {
            let weighed = self.await_claim_for(claim, sentence, ASK_AFTER, deadline).await;
            let judgement = self.put_to_judge(claim, weighed).await;
            if judgement.verdict == Verdict::Passed {
                return judgement;
            }
        }
        let weighed = self.await_claim_for(claim, sentence, deadline.remaining(), deadline).await;
        self.put_to_judge(claim, weighed).await
    }

    async fn scroll_until(&mut self, claim: &Claim, sentence: &str, deadline: Deadline) -> StepEnd {
        const MOST: u32 = 60;
        let hints = self.hints(sentence, deadline).await;
        let mut last = Verdict::Failed;
        for _ in 0..MOST {
            let scene = match self.look(deadline).await {
                Ok(scene) => scene,
                Err(failure) => return StepEnd::of_failure(&failure),
            };
            let judgement = judge(claim, &scene, &hints);
            let in_view = judgement.elements.first().is_none_or(|element| {
                scene.nodes.iter().any(|node| {
                    node.reference.as_deref() == Some(element.reference.as_str()) && !node.is("offscreen")
                })
            });
            if judgement.verdict == Verdict::Passed && in_view {
                return StepEnd::passed();
            }
            last = judgement.verdict;
            let down = Action::Scroll { to: ScrollTo::By { x: 0.0, y: 500.0, over: None } };
            if let Err(failure) = self
                .command(&down, CommandChoice::harmless("builtin", "the target is not in view"), deadline)
                .await
            {
                return StepEnd::of_failure(&failure);
            }
            if deadline.is_past() {
                break;
            }
        }
        let reason = format!("scrolled to the end without success: {}", claim.said);
        match last {
            Verdict::Inconclusive => StepEnd::inconclusive(reason),
            _ => StepEnd::failed(reason),
        }
    }
}

/// The attempts so far, so that the same failure does not repeat forever.
#[derive(Default)]
struct Tries {
    last: Option<String>,
    alike: u32,
}

impl Tries {
    fn count(&mut self, message: &str) {
        if self.last.as_deref() == Some(message) {
            self.alike += 1;
        } else {
            self.last = Some(message.to_string());
            self.alike = 1;
        }
    }
}

/// The target of a command, as the page shows it now.
fn target_of<'s>(action: &Action, scene: &'s Scene) -> Option<&'s SceneNode> {
    let mut action = action.clone();
    let named = action.selectors_mut().first().map(|selector| selector.source.clone())?;
    scene.nodes.iter().find(|node| node.role != "text" && node.reference.as_deref() == Some(named.as_str()))
}

/// The element is no longer where the map said, so nothing was done to it.
fn is_gone(failure: &Failure) -> bool {
    matches!(failure.code, ErrorCode::NotFound | ErrorCode::StaleRef)
}

/// Nothing on the page fits. If something similar does, the author's meaning is uncertain.
fn missing(
    act: &Act,
    scene: &Scene,
    acted: Option<&LastAct>,
    why: String,
    nearest: Vec<ElementLine>,
) -> StepEnd {
    let targets = act.targets();
    let quoted: Vec<&str> = targets.iter().filter_map(|target| target.quoted.as_deref()).collect();
    // The page lacks something that the test names exactly. What is only described may be there in other words.
    let is_shown = |name: &str| shows_words(scene, name);
    if nearest.is_empty() && quoted.iter().any(|name| !is_shown(name)) {
        return StepEnd::failed(why);
    }
    if let Some(evidence) = lacks(act, scene, acted) {
        return StepEnd::failed(evidence);
    }
    // The page may have it as another kind, elsewhere, or as an icon: a pilot may know what the author means.
    StepEnd { is_missing: true, ..StepEnd::unclear(why, nearest, String::new()) }
}
