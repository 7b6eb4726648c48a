//! Claims that the interpreter cannot decide: a judge decides, for the page now and before the acts.

use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_driver::Deadline;
use assay_language::{About, Claim, missing_name, quotations, shows_words};
use assay_protocol::{ErrorCode, Failure, Judgement, ModelCall, Scene, Verdict};

use super::available::Steering;
use super::judge::{ModelVerdict, Observation, Ruling, fault_in};
use super::observations::{are_alike, observations_of};
use crate::attempt::Attempt;
use crate::claims::{Weighed, doubted_for, unanswered};

/// The time limit of a judge for one claim.
const TIME: Duration = Duration::from_secs(90);
/// A claim that does not hold yet may hold after the page changes; this is the wait for that, once.
const PATIENCE: Duration = Duration::from_secs(5);

/// A claim that a judge found true, with the evidence.
#[derive(Debug, Clone)]
pub(crate) struct PassedByModel {
    claim: String,
    observations: Vec<Observation>,
}

impl Attempt<'_> {
    /// The judgement on a claim that the interpreter cannot decide. All other judgements of the interpreter stand.
    pub(crate) async fn put_to_judge(&mut self, claim: &Claim, weighed: Weighed) -> Judgement {
        let Weighed { judgement: by_rules, is_open } = weighed;
        if !is_open || matches!(self.context.terms.steering, Steering::BuiltinOnly | Steering::ReplayOnly) {
            return by_rules;
        }
        if self.state.available.judge.is_none() {
            return match &self.state.available.absent {
                Some(absent) => {
                    let reason = format!("{}; a model could be asked, but {absent}", by_rules.reason);
                    Judgement { reason, ..by_rules }
                }
                None => by_rules,
            };
        }
        let begun = Instant::now();
        let judgement = self.by_judge(claim, by_rules).await;
        self.step.asked_for += begun.elapsed();
        judgement
    }

    async fn by_judge(&mut self, claim: &Claim, by_rules: Judgement) -> Judgement {
        let is_answered = self.until_answered(Deadline::after(TIME)).await;
        let mut judged = match self.judge_this_page(claim).await {
            Ok(judged) => judged,
            Err(failure) => return could_not_be_asked(by_rules, &failure),
        };
        if judged.verdict.ruling != Ruling::Holds && self.page_changes(&judged.observations).await {
            judged = match self.judge_this_page(claim).await {
                Ok(judged) => judged,
                Err(failure) => return could_not_be_asked(by_rules, &failure),
            };
        }
        // A quoted name is exact: no judge may take something similar for it.
        let missing = unshown_name(claim, &judged.scene);
        if let Some(name) = missing.filter(|_| judged.verdict.ruling == Ruling::Holds) {
            judged.verdict = never_shown(&name);
        }
        let mut standing = false;
        if judged.verdict.ruling == Ruling::Holds {
            standing = match self.stood_before(claim, &judged).await {
                Ok(standing) => standing,
                Err(failure) => return could_not_be_asked(by_rules, &failure),
            };
            let observations = judged.observations.clone();
            self.state.passed_by_model.push(PassedByModel { claim: claim.said.clone(), observations });
        }
        self.state.history.judging();
        let judgement = Judgement {
            verdict: judged.verdict.ruling.verdict(),
            standing,
            may_stand: false,
            reason: judged.reason(),
            found: judged.verdict.evidence.first().map(|evidence| evidence.quote.clone()),
            ..by_rules
        };
        if judgement.verdict != Verdict::Passed {
            return judgement;
        }
        match self.state.error_status.filter(|_| !self.context.expects_an_error) {
            Some(status) => doubted_for(status, judgement),
            None if !is_answered => unanswered(claim, judgement),
            None => judgement,
        }
    }

    /// Whether a claim that a judge found true also holds at the end of the test. None for claims without a judge.
    pub(crate) async fn still_holds_for_judge(
        &mut self,
        claim: &Claim,
        scene: &Rc<Scene>,
    ) -> Option<Judgement> {
        let passed = self.state.passed_by_model.iter().find(|passed| passed.claim == claim.said)?.clone();
        let observations = observations_of(&self.scene_for_guests(Rc::clone(scene)));
        let mut judgement = Judgement {
            claim: claim.said.clone(),
            verdict: Verdict::Passed,
            standing: false,
            may_stand: false,
            reason: String::new(),
            expected: None,
            found: None,
            elements: Vec::new(),
        };
        if are_alike(&observations, &passed.observations) {
            return Some(judgement);
        }
        match self.ask_judge(claim, &observations).await {
            Ok(mut verdict) => {
                let missing = unshown_name(claim, scene);
                if let Some(name) = missing.filter(|_| verdict.ruling == Ruling::Holds) {
                    verdict = never_shown(&name);
                }
                judgement.verdict = verdict.ruling.verdict();
                judgement.reason = format!("{}: {}", claim.said, verdict.reason);
                Some(judgement)
            }
            Err(failure) => Some(could_not_be_asked(judgement, &failure)),
        }
    }

    async fn judge_this_page(&mut self, claim: &Claim) -> Result<Judged, Failure> {
        let scene = self.look(Deadline::after(TIME)).await?;
        let observations = observations_of(&self.scene_for_guests(Rc::clone(&scene)));
        let verdict = self.ask_judge(claim, &observations).await?;
        Ok(Judged { claim: claim.said.clone(), scene, observations, verdict })
    }

    /// Whether it already held before the acts that should cause it. If the judge cannot tell, it may have held: then
    /// the claim proves nothing.
    async fn stood_before(&mut self, claim: &Claim, judged: &Judged) -> Result<bool, Failure> {
        for before in self.state.history.ends_of_stretch(&judged.scene) {
            let observations = observations_of(&self.scene_for_guests(before));
            if are_alike(&observations, &judged.observations) {
                return Ok(true);
            }
            if self.ask_judge(claim, &observations).await?.ruling != Ruling::DoesNotHold {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The judge's verdict, if it is credible.
    async fn ask_judge(
        &mut self,
        claim: &Claim,
        observations: &[Observation],
    ) -> Result<ModelVerdict, Failure> {
        let Some(mut judge) = self.state.available.judge.take() else {
            return Err(Failure::new(ErrorCode::Internal, "there is no judge"));
        };
        let sentence = self.mask_for_guests(&claim.said);
        let test = self.whole_test(None, &self.hidden());
        self.step.waits_for = Some("judge");
        let called = |call: ModelCall| self.tell_judge_turn(call);
        let verdict = judge.judge(&sentence, &test, observations, &called, Deadline::after(TIME)).await;
        self.step.waits_for = None;
        self.state.available.judge = Some(judge);
        let verdict = verdict?;
        Ok(match fault_in(&verdict, observations) {
            Some(fault) => {
                let reason = format!("the judge's evidence is not there: {fault}");
                ModelVerdict { ruling: Ruling::CannotTell, reason, evidence: Vec::new() }
            }
            None => verdict,
        })
    }

    /// Waits for the page to show something else than these.
    async fn page_changes(&mut self, from: &[Observation]) -> bool {
        let deadline = Deadline::after(PATIENCE);
        while !deadline.is_past() {
            tokio::time::sleep(Duration::from_millis(250)).await;
            match self.look(deadline).await {
                Ok(scene) => {
                    if !are_alike(&observations_of(&self.scene_for_guests(scene)), from) {
                        return true;
                    }
                }
                Err(_) => return false,
            }
        }
        false
    }
}

/// A name that the claim quotes and the page shows nowhere. One that denies something may quote what is not there.
fn unshown_name(claim: &Claim, scene: &Scene) -> Option<String> {
    const DENYING: &[&str] = &[
        "no",
        "not",
        "never",
        "without",
        "nothing",
        "nobody",
        "none",
        "gone",
        "removed",
        "deleted",
        "disappears",
        "disappeared",
        "hidden",
        "cannot",
        "longer",
        "instead",
        "except",
        "absent",
        "missing",
        "neither",
        "nor",
    ];
    if !matches!(claim.about, About::Unknown { .. }) {
        return missing_name(claim, scene);
    }
    let said = claim.said.to_lowercase();
    let denies = said.contains("n't")
        || said.split(|letter: char| !letter.is_alphanumeric()).any(|word| DENYING.contains(&word));
    if denies { None } else { quotations(&claim.said).into_iter().find(|name| !shows_words(scene, name)) }
}

fn never_shown(name: &str) -> ModelVerdict {
    let reason = format!("\"{name}\" is nowhere on the page as it is written");
    ModelVerdict { ruling: Ruling::CannotTell, reason, evidence: Vec::new() }
}

/// A page, judged.
struct Judged {
    claim: String,
    scene: Rc<Scene>,
    observations: Vec<Observation>,
    verdict: ModelVerdict,
}

impl Judged {
    /// The verdict with its evidence.
    fn reason(&self) -> String {
        let evidence: Vec<String> = self
            .verdict
            .evidence
            .iter()
            .filter_map(|evidence| {
                let seen = self.observations.iter().find(|seen| seen.id == evidence.observation)?;
                let quote = if evidence.quote.is_empty() { &seen.text } else { &evidence.quote };
                Some(format!("{} \"{quote}\"", seen.what))
            })
            .collect();
        let by = if evidence.is_empty() { String::new() } else { format!(" (by {})", evidence.join("; ")) };
        format!("{}: judged by a model: {}{by}", self.claim, self.verdict.reason)
    }
}

fn could_not_be_asked(by_rules: Judgement, failure: &Failure) -> Judgement {
    let verdict = crate::outcome::verdict_of(failure);
    Judgement { verdict, reason: format!("{}; {}", by_rules.reason, failure.message), ..by_rules }
}
