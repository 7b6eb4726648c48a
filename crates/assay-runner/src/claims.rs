//! Claims: judged until they hold or the time is up, and compared with the page before the acts.

use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_driver::Deadline;
use assay_language::{About, Claim, Hints, Tone, judge, must_have_held};
use assay_protocol::{Action, Answer, Judgement, Scene, SceneNode, Verdict};

use crate::attempt::Attempt;

/// The time for a claim to become true, if the step allows it.
const PATIENCE: Duration = Duration::from_secs(5);
/// A claim must still hold this much later, because a page may take back something it shows early.
const STEADY: Duration = Duration::from_millis(120);

/// A claim that something is absent must still hold this long after the last act.
const ABSENT: Duration = Duration::from_millis(1200);
/// Timers of the page are waited for until this long after the last act.
const TIMERS: Duration = Duration::from_millis(6500);

/// The basis for judging a claim.
struct JudgedScene {
    scene: Rc<Scene>,
    hints: Hints,
}

/// A claim as the interpreter judges it.
pub(crate) struct Weighed {
    pub judgement: Judgement,
    /// The interpreter cannot tell: a judge may know.
    pub is_open: bool,
}

impl Weighed {
    fn closed(judgement: Judgement) -> Weighed {
        Weighed { judgement, is_open: false }
    }
}

impl Attempt<'_> {
    pub(crate) async fn await_claim(&mut self, claim: &Claim, sentence: &str, deadline: Deadline) -> Weighed {
        self.await_claim_for(claim, sentence, PATIENCE, deadline).await
    }

    /// Waits this long for it to become true.
    pub(crate) async fn await_claim_for(
        &mut self,
        claim: &Claim,
        sentence: &str,
        patience: Duration,
        deadline: Deadline,
    ) -> Weighed {
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
            let (mut judgement, mut seen) = match self.judge_now(claim, sentence, deadline).await {
                Ok(judged) => judged,
                Err(broken) => match last {
                    Some((judgement, seen)) if deadline.is_past() => {
                        return self.weigh(claim, judgement, &seen);
                    }
                    _ => return Weighed::closed(broken),
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
                        let (again, seen) = self.once_settled(claim, sentence, again, seen, deadline).await;
                        if again.verdict != Verdict::Passed {
                            return Weighed::closed(self.with_standing(claim, again, &seen));
                        }
                        let answered = answered && !self.state.busy;
                        let judged = self.with_standing(claim, again, &seen);
                        if let Some(observed) = &mut self.state.observed {
                            let took = asked.elapsed();
                            observed.observe_claim(self.step.number, claim, &judged, &seen.scene, took);
                        }
                        return Weighed::closed(if answered {
                            self.believed(claim, judged)
                        } else {
                            unanswered(claim, judged)
                        });
                    }
                    Ok(later) => {
                        self.note(format!("it held only for a moment: {}", claim.said));
                        (judgement, seen) = later;
                    }
                    Err(judgement) => return Weighed::closed(judgement),
                }
            }
            if hopeless || Instant::now() >= patience || deadline.is_past() {
                return self.weigh(claim, judgement, &seen);
            }
            last = Some((judgement, seen));
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(250));
        }
    }

    fn weigh(&mut self, claim: &Claim, judgement: Judgement, seen: &JudgedScene) -> Weighed {
        let is_open =
            judgement.verdict == Verdict::Inconclusive && may_be_judged(claim, &judgement, &seen.scene);
        Weighed { judgement: self.with_standing(claim, judgement, seen), is_open }
    }

    /// Judges a claim that holds once more when the page has come to rest: timers have run, requests are answered, and
    /// of something absent some time has passed.
    async fn once_settled(
        &mut self,
        claim: &Claim,
        sentence: &str,
        judgement: Judgement,
        seen: JudgedScene,
        deadline: Deadline,
    ) -> (Judgement, JudgedScene) {
        // Tries of a proof know what the page does.
        if self.state.trial.is_some() {
            return (judgement, seen);
        }
        let (first, mut scene) = (judgement.clone(), Rc::clone(&seen.scene));
        let (mut judgement, mut last) = (judgement, seen);
        let acted = self.state.acted_at.unwrap_or_else(Instant::now);
        loop {
            let due = Duration::from_millis(u64::from(scene.due_ms));
            let timers = Instant::now() + due + Duration::from_millis(60);
            let rest = if due.is_zero() { acted } else { timers.min(acted + TIMERS) };
            let end = if first.may_stand { rest.max(acted + ABSENT) } else { rest };
            let left = end.saturating_duration_since(Instant::now()).min(deadline.remaining());
            if left.is_zero() {
                return (judgement, last);
            }
            tokio::time::sleep(left).await;
            if first.may_stand {
                // A timer may have sent a request, which decides.
                self.state.busy = true;
                self.until_answered(deadline).await;
            }
            let Ok((again, now)) = self.judge_now(claim, sentence, deadline).await else {
                return (judgement, last);
            };
            if again.verdict != Verdict::Passed {
                // Messages vanish on their own. A text that another one replaced was taken back.
                if !first.may_stand && !says_more(&now.scene, &last.scene) {
                    self.state.vanished.push(claim.said.clone());
                    return (judgement, last);
                }
                let verdict = if first.may_stand { again.verdict } else { Verdict::Inconclusive };
                let reason = format!("true at first, then the page changed: {}", again.reason);
                return (Judgement { verdict, reason, ..again }, now);
            }
            scene = Rc::clone(&now.scene);
            (judgement, last) = (again, now);
        }
    }

    /// Whether the last act changed nothing that can be seen.
    pub(crate) fn acted_in_vain(&self) -> bool {
        let before = self.state.history.last();
        let now = self.state.last_look.as_ref();
        self.state.acted_in_vain && before.zip(now).is_none_or(|(before, now)| is_alike(&before, now))
    }

    /// A claim that something is absent proves nothing on a page that is itself an error, nor a claim that there is no
    /// error after a request that failed.
    fn believed(&self, claim: &Claim, judgement: Judgement) -> Judgement {
        // Of a page, and of what has no exact name, an error page proves nothing either.
        let is_vague = match &claim.about {
            About::Page { .. } => true,
            About::State { target, .. } => target.quoted.is_none(),
            _ => false,
        };
        let is_doubtful = is_vague && self.state.error_status.is_some() && !self.context.expects_an_error;
        if !judgement.may_stand && !is_doubtful {
            return judgement;
        }
        let denies_an_error = matches!(claim.about, About::Message { tone: Tone::Error, .. });
        let failed = self.state.failed_requests.first().filter(|_| denies_an_error);
        match (self.state.error_status, failed) {
            (Some(status), _) => doubted_for(status, judgement),
            (None, Some(url)) => doubted(judgement, &format!("a request of the page failed: {url}")),
            (None, None) => judgement,
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
            // A message that went by itself was there.
            if self.state.vanished.contains(&claim.said) {
                continue;
            }
            let by_judge = self.still_holds_for_judge(claim, &scene).await;
            let hints = self.hints(sentence, deadline).await;
            let judgement = match by_judge {
                Some(judgement) => judgement,
                None => self.by_tree(claim, judge(claim, &scene, &hints), &scene),
            };
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
        let judgement = self.by_tree(claim, judge(claim, &scene, &hints), &scene);
        Ok((judgement, JudgedScene { scene, hints }))
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
    pub(crate) async fn until_answered(&mut self, deadline: Deadline) -> bool {
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

/// A claim that is true of an error page.
pub(crate) fn doubted_for(status: u16, judgement: Judgement) -> Judgement {
    doubted(judgement, &format!("the server answered this page with {status}"))
}

fn doubted(judgement: Judgement, why: &str) -> Judgement {
    let reason = format!("{}: true, but {why}", judgement.claim);
    Judgement { verdict: Verdict::Inconclusive, reason, ..judgement }
}

/// A page that still waits for a response may take back its content.
pub(crate) fn unanswered(claim: &Claim, judgement: Judgement) -> Judgement {
    let reason = format!("{}: true, but the page is still waiting for the response to a request", claim.said);
    Judgement { verdict: Verdict::Inconclusive, reason, ..judgement }
}

/// Whether somebody who sees only the texts of this page can know more. Of something absent, of what happened before, and
/// of a page that was not read to its end, nobody can.
fn may_be_judged(claim: &Claim, judgement: &Judgement, scene: &Scene) -> bool {
    match claim.about {
        About::Unknown { .. } => true,
        About::Changed { .. } | About::NewTab | About::Download { .. } | About::BrowserDialog { .. } => false,
        _ => !judgement.may_stand && !scene.truncated && scene.dialog.is_none(),
    }
}

/// Whether two looks show the same, but for the focus.
fn is_alike(before: &Scene, now: &Scene) -> bool {
    let states = |node: &SceneNode| -> Vec<String> {
        node.states.iter().filter(|state| *state != "focused").cloned().collect()
    };
    before.document == now.document
        && before.url == now.url
        && before.title == now.title
        && before.nodes.len() == now.nodes.len()
        && before.nodes.iter().zip(&now.nodes).all(|(one, other)| {
            one.role == other.role
                && one.name == other.name
                && one.value == other.value
                && one.attributes == other.attributes
                && states(one) == states(other)
        })
}

/// Whether the page now shows a text that it did not show before.
fn says_more(now: &Scene, before: &Scene) -> bool {
    let texts = |scene: &Scene| -> Vec<String> {
        scene.nodes.iter().filter(|node| node.role == "text").map(|node| node.name.clone()).collect()
    };
    let before = texts(before);
    texts(now).iter().any(|text| !before.contains(text))
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
