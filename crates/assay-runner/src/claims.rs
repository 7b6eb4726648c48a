//! Claims: judged until they hold or the time is up, and compared with the page before the acts.

use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_driver::Deadline;
use assay_language::{About, Claim, Hints, judge, must_have_held};
use assay_protocol::{Action, Answer, Judgement, Scene, Verdict};

use crate::attempt::Attempt;

/// The time for a claim to become true, if the step allows it.
const PATIENCE: Duration = Duration::from_secs(5);
/// A claim must still hold this much later, because a page may take back something it shows early.
const STEADY: Duration = Duration::from_millis(120);

/// The basis for judging a claim.
struct JudgedScene {
    scene: Rc<Scene>,
    hints: Hints,
}

impl Attempt<'_> {
    pub(crate) async fn await_claim(
        &mut self,
        claim: &Claim,
        sentence: &str,
        deadline: Deadline,
    ) -> Judgement {
        self.await_claim_for(claim, sentence, PATIENCE, deadline).await
    }

    /// Waits this long for it to become true.
    pub(crate) async fn await_claim_for(
        &mut self,
        claim: &Claim,
        sentence: &str,
        patience: Duration,
        deadline: Deadline,
    ) -> Judgement {
        let asked = Instant::now();
        let patience = self.state.trial.as_ref().map_or(patience, |trial| trial.patience.min(patience));
        let patience = Instant::now() + patience.min(deadline.remaining());
        if let Some(trial) = &mut self.state.trial {
            trial.break_at_claim(&self.step, &mut *self.surface).await;
        }
        let answered = self.until_answered(deadline).await;
        let mut pause = Duration::from_millis(40);
        // The last observation: reported if the page's next answer comes too late.
        let mut last: Option<(Judgement, JudgedScene)> = None;
        loop {
            let (judgement, seen) = match self.judge_now(claim, sentence, deadline).await {
                Ok(judged) => judged,
                Err(broken) => match last {
                    Some((judgement, seen)) if deadline.is_past() => {
                        return self.with_standing(claim, judgement, &seen);
                    }
                    _ => return broken,
                },
            };
            // The wait ends early only for claims that waiting cannot make true.
            let hopeless = matches!(claim.about, About::Unknown { .. });
            if judgement.verdict == Verdict::Passed {
                self.take_picture_if_outdated(deadline);
                let holds = |before: &Scene| judge(claim, before, &seen.hints).verdict == Verdict::Passed;
                // Looks for another claim already show that it has held for the required time.
                let confirmed = if self.state.looks.held_for(holds) >= STEADY {
                    Ok((
                        judgement.clone(),
                        JudgedScene { scene: Rc::clone(&seen.scene), hints: seen.hints.clone() },
                    ))
                } else {
                    tokio::time::sleep(STEADY).await;
                    self.judge_now(claim, sentence, deadline).await
                };
                match confirmed {
                    Ok((again, seen)) if again.verdict == Verdict::Passed => {
                        let judged = self.with_standing(claim, again, &seen);
                        if let Some(observed) = &mut self.state.observed {
                            let took = asked.elapsed();
                            observed.observe_claim(self.step.number, claim, &judged, &seen.scene, took);
                        }
                        return if answered { judged } else { unanswered(claim, judged) };
                    }
                    Ok(_) => {
                        self.note(format!("it held only for a moment: {}", claim.said));
                    }
                    Err(judgement) => return judgement,
                }
            }
            if hopeless || Instant::now() >= patience || deadline.is_past() {
                return self.with_standing(claim, judgement, &seen);
            }
            if judgement.verdict != Verdict::Passed {
                last = Some((judgement, seen));
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(250));
        }
    }

    /// Judges all earlier claims once more, with one look: a test must end in the state that it claims.
    ///
    /// The look that confirmed the last of them can serve for this, if nothing has happened since.
    pub(crate) async fn all_hold(
        &mut self,
        claims: &[(Claim, String)],
        deadline: Deadline,
    ) -> Option<Judgement> {
        let scene = match self.state.looks.just_now() {
            Some(scene) => scene,
            None => match self.look(deadline).await {
                Ok(scene) => scene,
                Err(failure) => return claims.first().map(|(claim, _)| broken(claim, &failure)),
            },
        };
        for (claim, sentence) in claims {
            let by_judge = self.still_holds_for_judge(claim, &scene).await;
            let hints = self.hints(sentence, deadline).await;
            let judgement = by_judge.unwrap_or_else(|| judge(claim, &scene, &hints));
            if judgement.verdict != Verdict::Passed {
                return Some(judgement);
            }
        }
        None
    }

    async fn judge_now(
        &mut self,
        claim: &Claim,
        sentence: &str,
        deadline: Deadline,
    ) -> Result<(Judgement, JudgedScene), Judgement> {
        let scene = match self.look(deadline).await {
            Ok(scene) => scene,
            Err(failure) => return Err(broken(claim, &failure)),
        };
        let hints = self.hints(sentence, deadline).await;
        Ok((judge(claim, &scene, &hints), JudgedScene { scene, hints }))
    }

    fn with_standing(&mut self, claim: &Claim, mut judgement: Judgement, seen: &JudgedScene) -> Judgement {
        if judgement.verdict == Verdict::Passed {
            let held = |before: &Scene| judge(claim, before, &seen.hints).verdict == Verdict::Passed;
            judgement.standing = match is_message(claim, &judgement) {
                true => self.state.history.stood_at_last(&seen.scene, held),
                false => self.state.history.stood(&seen.scene, held),
            };
            if must_have_held(claim) && self.state.history.was_otherwise(&seen.scene, held) {
                judgement.verdict = Verdict::Failed;
                judgement.reason = format!("{}: true now, but not a moment ago", claim.said);
            }
        }
        if judgement.standing && !judgement.may_stand && is_message(claim, &judgement) {
            judgement.verdict = Verdict::Inconclusive;
            judgement.reason = format!(
                "{}: the message was there before this step, so an earlier one may have caused it",
                claim.said
            );
        }
        self.state.history.judging();
        judgement
    }

    /// While page code waits for a response, the page may take back its content.
    /// False when it still waits.
    async fn until_answered(&mut self, deadline: Deadline) -> bool {
        const MOST: Duration = Duration::from_secs(8);
        if !self.state.busy {
            return true;
        }
        let end = Instant::now() + MOST.min(deadline.remaining());
        loop {
            let call = self.context.call_until(deadline);
            let asked = self.surface.perform(&Action::Network { failed: false, clear: false }, &call).await;
            let pending: Vec<String> = match asked {
                Ok(Answer::Network { requests }) => requests
                    .into_iter()
                    .filter(|line| line.outcome == "pending" && line.kind == "fetch")
                    .map(|line| line.method)
                    .collect(),
                // A page behind a dialog cannot be queried; the claim itself will report that.
                _ => Vec::new(),
            };
            if pending.is_empty() {
                break;
            }
            if Instant::now() >= end {
                // A GET may stay open for as long as the page lives; a request that changes something must be answered.
                if pending.iter().any(|method| method != "GET" && method != "HEAD") {
                    return false;
                }
                self.note("a request of the page is still unanswered");
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.state.busy = false;
        true
    }
}

/// A page that still waits for a response may take back its content.
fn unanswered(claim: &Claim, judgement: Judgement) -> Judgement {
    if judgement.may_stand {
        return judgement;
    }
    let reason = format!("{}: true, but the page is still waiting for the response to a request", claim.said);
    Judgement { verdict: Verdict::Inconclusive, reason, ..judgement }
}

/// Messages report what just happened; one that was there before reports something else.
fn is_message(claim: &Claim, judgement: &Judgement) -> bool {
    let tells = |role: &str| matches!(role, "alert" | "status" | "log");
    matches!(claim.about, About::Message { .. })
        || judgement.elements.first().is_some_and(|element| tells(&element.role))
}

fn broken(claim: &Claim, failure: &assay_protocol::Failure) -> Judgement {
    Judgement {
        claim: claim.said.clone(),
        verdict: crate::outcome::verdict_of(failure),
        standing: false,
        may_stand: false,
        reason: failure.message.clone(),
        expected: None,
        found: None,
        elements: Vec::new(),
    }
}
