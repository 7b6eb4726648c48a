//! Claims: judged until they hold or the time is over, and against what was seen before.

use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_driver::Deadline;
use assay_language::{About, Claim, Hints, judge, must_have_held};
use assay_protocol::{Action, Answer, Judgement, Scene, Verdict};

use crate::attempt::Attempt;

/// A claim gets so long to become true, where the step allows it.
const PATIENCE: Duration = Duration::from_secs(5);
/// What holds must still hold so much later: a page that shows it early may take it back.
const STEADY: Duration = Duration::from_millis(120);

/// What a claim was judged by.
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

    /// Waits so long for it to come true.
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
        // What was seen last: said when the page's next answer comes too late.
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
            // Only what cannot come true by waiting ends the wait.
            let hopeless = matches!(claim.about, About::Unknown { .. });
            if judgement.verdict == Verdict::Passed {
                self.take_picture_if_outdated(deadline);
                let holds = |before: &Scene| judge(claim, before, &seen.hints).verdict == Verdict::Passed;
                // Looked at for another claim, it was seen to hold as long ago as it would have to be waited for.
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

    /// Judges once more, all by one look, what held before: a test ends in the state that it claims.
    ///
    /// The look by which the last of them was found to hold is such a look, where nothing has come after it.
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

    /// While page code waits for an answer, what it shows may be taken back.
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
                // Behind a dialog nothing can be asked; the claim itself will say so.
                _ => Vec::new(),
            };
            if pending.is_empty() {
                break;
            }
            if Instant::now() >= end {
                // A question may be left open for as long as the page lives; an order must be answered.
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

/// What a page shows while it still waits for an answer, it may take back.
fn unanswered(claim: &Claim, judgement: Judgement) -> Judgement {
    if judgement.may_stand {
        return judgement;
    }
    let reason = format!("{}: true, but the page is still waiting for the response to a request", claim.said);
    Judgement { verdict: Verdict::Inconclusive, reason, ..judgement }
}

/// Messages tell of what just happened; one that was there before tells of something else.
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
