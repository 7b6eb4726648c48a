//! Proves a test in the worker that has just passed it.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use assay_protocol::{
    Failure, FaultOutcome, FaultTried, Proof, ProofJudgement, RequestMade, RunFact, Verdict,
};
use tokio::sync::watch;

use super::breakable::{Break, Breakable, Breakage, breakable, is_alike, path_of};
use super::varied::varied;
use super::{Observed, Trial};
use crate::claimed::Claimed;
use crate::listener::Listener;
use crate::masking::MaskingListener;
use crate::plan::Plan;
use crate::run::{AttemptEnd, Purpose, Worker};

/// The events of a trial belong to the proof only: a trial is not a run of the test.
struct TrialListener<'a> {
    record: &'a dyn Listener,
    steps: RefCell<Vec<(usize, String)>>,
}

impl Listener for TrialListener<'_> {
    fn event(&self, fact: RunFact) {
        if let RunFact::StepStarted { step, text, .. } = fact {
            self.steps.borrow_mut().push((step, text));
        }
    }

    fn trouble(&self) -> Option<Failure> {
        self.record.trouble()
    }
}

/// The minimum wait for a claim in a trial.
const LEAST_PATIENCE: Duration = Duration::from_millis(1200);

impl Worker {
    /// Injects one fault after the other and reports how the test reacted.
    pub(crate) async fn prove(&mut self, plan: &Plan, observed: &Observed, stop: &mut watch::Receiver<bool>) {
        let listener = Rc::clone(&self.listener);
        let listener = MaskingListener::new(&*listener, &plan.secrets);
        let proof = match too_little(plan) {
            // No fault can show more.
            Some(hollow) => Proof { hollow: Some(hollow), ..Proof::default() },
            None => self.try_all(plan, observed, stop).await,
        };
        listener.event(RunFact::Proved { test: plan.line.id.clone(), proof: Box::new(proof) });
    }

    async fn try_all(&mut self, plan: &Plan, observed: &Observed, stop: &mut watch::Receiver<bool>) -> Proof {
        let Breakable { breaks, left_out, gap } = breakable(observed);
        let slowest = observed.claims.iter().map(|claim| claim.took).max().unwrap_or_default();
        let patience = (slowest * 3).max(LEAST_PATIENCE);
        let mut proof = Proof { left_out, ..Proof::default() };
        for broken in breaks {
            if *stop.borrow() || self.listener.trouble().is_some() {
                proof.void = Some("it was interrupted".to_string());
                break;
            }
            let tried = self.try_one(plan, observed, &broken, patience, stop).await;
            match tried {
                Tried::Counted(tried) => proof.faults.push(tried),
                Tried::NotOfTheTest(line) => proof.left_out.push(line),
            }
        }
        // A test that passes only once fails without any fault, so its failures prove nothing.
        if proof.void.is_none() && proof.caught() > 0 {
            let (end, _) = self.run_unrecorded(plan, Purpose::Observe, stop).await;
            if end.verdict != Verdict::Passed {
                proof.void = Some(format!("it does not pass a second time: {}", end.reason));
            }
        }
        if proof.judgement() == ProofJudgement::Proved {
            proof.void = gap;
        }
        proof
    }

    async fn try_one(
        &mut self,
        plan: &Plan,
        observed: &Observed,
        broken: &Break,
        patience: Duration,
        stop: &mut watch::Receiver<bool>,
    ) -> Tried {
        let purpose = Purpose::Try(Box::new(Trial::new(broken.clone(), patience)));
        let (end, steps) = self.run_unrecorded(plan, purpose, stop).await;
        let at = steps.iter().find(|(step, _)| *step == broken.step).map(|(_, text)| text.clone());
        let mut tried = FaultTried {
            step: broken.step,
            at: at.unwrap_or_default(),
            fault: broken.name.clone(),
            outcome: FaultOutcome::Void,
            reason: end.reason.clone(),
            claim: None,
        };
        if let Some(trouble) = end.trouble {
            tried.reason = format!("the fault could not be caused: {trouble}");
        } else if end.verdict == Verdict::Error {
            tried.reason = format!("something else broke: {}", end.reason);
        } else if end.struck == 0 {
            tried.reason = "the fault did not happen this time".to_string();
        } else if end.verdict != Verdict::Passed {
            tried.outcome = FaultOutcome::Caught;
        } else {
            if let Breakage::Requests { request, .. } = &broken.what {
                let (whole, _) = self.run_unrecorded(plan, Purpose::Observe, stop).await;
                if whole.verdict == Verdict::Passed && !is_made_in(&whole.observed, broken.step, request) {
                    let path = path_of(&request.url);
                    let line =
                        format!("{} {path}: the step does not always make this request", request.method);
                    return Tried::NotOfTheTest(line);
                }
                let seen = TrialRuns { observed, stayed_green: &end, whole: &whole };
                let again = self.with_fresh_data(plan, &seen, broken, patience, stop, &tried).await;
                if let Some(tried) = again {
                    return Tried::Counted(tried);
                }
            }
            if let Breakage::Requests { request, nth, .. } = &broken.what
                && self.is_made_anyway(plan, broken.step, *nth, request, patience, stop).await
            {
                let line = format!(
                    "{} {}: the page makes this request even without the step",
                    request.method,
                    path_of(&request.url)
                );
                return Tried::NotOfTheTest(line);
            }
            tried.outcome = FaultOutcome::Missed;
            tried.claim = claim_for(observed, broken);
        }
        Tried::Counted(tried)
    }

    /// A test may pass despite the fault because of data from earlier runs. New values rule that out; if there are
    /// none to vary, a run without a fault shows whether the step adds to what the test claims. None if the test
    /// missed the fault in any case.
    async fn with_fresh_data(
        &mut self,
        plan: &Plan,
        seen: &TrialRuns<'_>,
        broken: &Break,
        patience: Duration,
        stop: &mut watch::Receiver<bool>,
        tried: &FaultTried,
    ) -> Option<FaultTried> {
        if let Some(varied) = varied(plan, seen.observed) {
            let purpose = Purpose::Try(Box::new(Trial::new(broken.clone(), patience)));
            let (end, _) = self.run_unrecorded(&varied, purpose, stop).await;
            let is_red = matches!(end.verdict, Verdict::Failed | Verdict::Inconclusive);
            if is_red && end.struck > 0 && end.trouble.is_none() {
                let (whole, _) = self.run_unrecorded(&varied, Purpose::Observe, stop).await;
                if whole.verdict == Verdict::Passed {
                    return Some(FaultTried {
                        outcome: FaultOutcome::Caught,
                        reason: end.reason,
                        ..tried.clone()
                    });
                }
            } else if end.verdict == Verdict::Passed && end.struck > 0 {
                return None;
            }
        }
        let shown = |ended: &AttemptEnd, step: usize, sentence: &str| {
            let claims = ended.observed.claims.iter();
            claims
                .filter(|claim| claim.step == step && claim.claim == sentence)
                .map(|claim| claim.shown)
                .max()
        };
        let adds = seen.observed.claims.iter().filter(|claim| claim.step >= broken.step).any(|claim| {
            let broken = shown(seen.stayed_green, claim.step, &claim.claim);
            broken.is_some() && shown(seen.whole, claim.step, &claim.claim) > broken
        });
        adds.then(|| FaultTried {
            outcome: FaultOutcome::Void,
            reason: "data from earlier runs makes it pass; start each run with its own data".to_string(),
            ..tried.clone()
        })
    }

    /// Whether the page makes this request even if the pressed control does nothing: then the step does not cause it,
    /// and the test need not notice.
    async fn is_made_anyway(
        &mut self,
        plan: &Plan,
        step: usize,
        nth: usize,
        request: &RequestMade,
        patience: Duration,
        stop: &mut watch::Receiver<bool>,
    ) -> bool {
        let deaf = Break { step, name: String::new(), what: Breakage::Deaf { nth } };
        let (end, _) =
            self.run_unrecorded(plan, Purpose::Try(Box::new(Trial::new(deaf, patience))), stop).await;
        end.struck > 0 && is_made_in(&end.observed, step, request)
    }

    /// One more run of the test, without events.
    async fn run_unrecorded(
        &mut self,
        plan: &Plan,
        purpose: Purpose,
        stop: &mut watch::Receiver<bool>,
    ) -> (AttemptEnd, Vec<(usize, String)>) {
        let record = Rc::clone(&self.listener);
        let apart = TrialListener { record: &*record, steps: RefCell::default() };
        let ended = self.attempt(plan, purpose, &apart, stop).await;
        (ended, apart.steps.into_inner())
    }
}

/// Why a test is hollow whatever happens.
fn too_little(plan: &Plan) -> Option<String> {
    match plan.claimed() {
        Claimed::Nothing => Some("no expectation: nothing is claimed".to_string()),
        Claimed::OnlyAbsence => {
            Some("only absence is claimed; a page that shows nothing would pass as well".to_string())
        }
        Claimed::Something => None,
    }
}

/// Runs of the same test: the first, the one with a fault, and one more without.
struct TrialRuns<'a> {
    observed: &'a Observed,
    stayed_green: &'a AttemptEnd,
    whole: &'a AttemptEnd,
}

fn is_made_in(observed: &Observed, step: usize, request: &RequestMade) -> bool {
    let requests = observed.acts.iter().filter(|act| act.step == step).flat_map(|act| &act.requests);
    requests.into_iter().any(|made| is_alike(made, request))
}

enum Tried {
    Counted(FaultTried),
    /// The test need not notice it, for this reason.
    NotOfTheTest(String),
}

/// The claim that should have caught it: of a text its own, else the first after the step that says anything new.
fn claim_for(observed: &Observed, broken: &Break) -> Option<String> {
    let after = |step: usize| match broken.what {
        Breakage::Texts(_) => step == broken.step,
        _ => step >= broken.step,
    };
    let mut claims: Vec<_> = observed.claims.iter().filter(|claim| after(claim.step)).collect();
    claims.sort_by_key(|claim| claim.proves_little);
    claims.first().map(|claim| claim.claim.clone())
}
