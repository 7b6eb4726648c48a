//! Claims: judged until they hold or the time is over, and against what was seen before.

use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_driver::Deadline;
use assay_language::{About, Claim, Hints, judge};
use assay_protocol::{Action, Answer, Judgement, Scene, Verdict};

use crate::walk::Walk;

/// A claim gets so long to become true, where the step allows it.
const PATIENCE: Duration = Duration::from_secs(5);
/// What holds must still hold so much later: a page that shows it early may take it back.
const STEADY: Duration = Duration::from_millis(120);

/// What a claim was judged by.
struct Seen {
    scene: Rc<Scene>,
    hints: Hints,
}

impl Walk<'_> {
    pub(crate) async fn await_claim(
        &mut self,
        claim: &Claim,
        sentence: &str,
        deadline: Deadline,
    ) -> Judgement {
        let patience = Instant::now() + PATIENCE.min(deadline.remaining());
        self.until_answered(deadline).await;
        let mut pause = Duration::from_millis(40);
        loop {
            let (judgement, seen) = match self.judge_now(claim, sentence, deadline).await {
                Ok(judged) => judged,
                Err(judgement) => return judgement,
            };
            // Only what cannot come true by waiting ends the wait.
            let hopeless = matches!(claim.about, About::Unknown { .. });
            if judgement.verdict == Verdict::Passed {
                tokio::time::sleep(STEADY).await;
                match self.judge_now(claim, sentence, deadline).await {
                    Ok((again, seen)) if again.verdict == Verdict::Passed => {
                        return self.with_standing(claim, again, &seen);
                    }
                    Ok(_) => {
                        self.note(format!("it held for a moment only: {}", claim.said));
                    }
                    Err(judgement) => return judgement,
                }
            }
            if hopeless || Instant::now() >= patience || deadline.is_past() {
                return self.with_standing(claim, judgement, &seen);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(250));
        }
    }

    /// Judges once more, all by one look, what held before: a test ends in the state that it claims.
    pub(crate) async fn all_hold(
        &mut self,
        claims: &[(Claim, String)],
        deadline: Deadline,
    ) -> Option<Judgement> {
        let scene = match self.look(deadline).await {
            Ok(scene) => scene,
            Err(failure) => return claims.first().map(|(claim, _)| broken(claim, &failure)),
        };
        for (claim, sentence) in claims {
            let hints = self.hints(sentence, deadline).await;
            let judgement = judge(claim, &scene, &hints);
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
    ) -> Result<(Judgement, Seen), Judgement> {
        let scene = match self.look(deadline).await {
            Ok(scene) => scene,
            Err(failure) => return Err(broken(claim, &failure)),
        };
        let hints = self.hints(sentence, deadline).await;
        Ok((judge(claim, &scene, &hints), Seen { scene, hints }))
    }

    fn with_standing(&mut self, claim: &Claim, mut judgement: Judgement, seen: &Seen) -> Judgement {
        if judgement.verdict == Verdict::Passed {
            let held = |before: &Scene| judge(claim, before, &seen.hints).verdict == Verdict::Passed;
            judgement.standing = self.history.stood(&seen.scene, held);
        }
        if judgement.standing && !judgement.may_stand && is_message(claim, &judgement) {
            judgement.verdict = Verdict::Inconclusive;
            judgement.reason = format!(
                "{}: the message was there before this step, so it may be of an earlier one",
                claim.said
            );
        }
        self.history.judging();
        judgement
    }

    /// While page code waits for an answer, what it shows may be taken back.
    async fn until_answered(&mut self, deadline: Deadline) {
        const MOST: Duration = Duration::from_secs(8);
        if !self.busy {
            return;
        }
        let end = Instant::now() + MOST.min(deadline.remaining());
        loop {
            let call = self.call_until(deadline);
            let pending =
                match self.stage.perform(&Action::Network { failed: false, clear: false }, &call).await {
                    Ok(Answer::Network { requests }) => {
                        requests.iter().any(|line| line.outcome == "pending" && line.kind == "fetch")
                    }
                    // Behind a dialog nothing can be asked; the claim itself will say so.
                    _ => false,
                };
            if !pending {
                break;
            }
            if Instant::now() >= end {
                self.note("a request of the page is still not answered");
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.busy = false;
    }
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
