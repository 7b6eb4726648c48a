//! A worker proves a test that it has just seen pass.

use std::cell::RefCell;
use std::time::Duration;

use assay_protocol::{Failure, FaultOutcome, FaultTried, Proof, RequestMade, RunFact, Verdict};
use tokio::sync::watch;

use super::breakable::{Break, What, breakable, changes_something, path_of};
use super::{Observed, Trial};
use crate::listener::Listener;
use crate::plan::Plan;
use crate::run::{Ended, Purpose, Worker};

/// What happens in a trial is nobody's business but the proof's: it is no run of the test.
struct Apart<'a> {
    record: &'a dyn Listener,
    steps: RefCell<Vec<(usize, String)>>,
}

impl Listener for Apart<'_> {
    fn tell(&self, fact: RunFact) {
        if let RunFact::StepStarted { step, text, .. } = fact {
            self.steps.borrow_mut().push((step, text));
        }
    }

    fn trouble(&self) -> Option<Failure> {
        self.record.trouble()
    }
}

/// The least that a claim is waited for when something is broken.
const LEAST_PATIENCE: Duration = Duration::from_millis(1200);

impl Worker {
    /// Breaks one thing after the other and tells what the test made of it.
    pub(crate) async fn prove(&mut self, plan: &Plan, observed: &Observed, stop: &mut watch::Receiver<bool>) {
        let (breaks, left_out) = breakable(observed);
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
                Tried::Said(tried) => proof.faults.push(tried),
                Tried::NotOfTheTest(line) => proof.left_out.push(line),
            }
        }
        // A test that passes only once goes red by itself: then nothing that was red shows anything.
        if proof.void.is_none() && proof.caught() > 0 {
            let (end, _) = self.apart(plan, Purpose::Observe, stop).await;
            if end.verdict != Verdict::Passed {
                proof.void = Some(format!("it does not pass a second time: {}", end.reason));
            }
        }
        self.listener.tell(RunFact::Proved { test: plan.line.id.clone(), proof: Box::new(proof) });
    }

    async fn try_one(
        &mut self,
        plan: &Plan,
        observed: &Observed,
        broken: &Break,
        patience: Duration,
        stop: &mut watch::Receiver<bool>,
    ) -> Tried {
        let purpose = Purpose::Try(Trial::new(broken.clone(), patience));
        let (end, steps) = self.apart(plan, purpose, stop).await;
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
            tried.reason = format!("it could not be brought about: {trouble}");
        } else if end.verdict == Verdict::Error {
            tried.reason = format!("something else broke: {}", end.reason);
        } else if end.struck == 0 {
            tried.reason = "it did not come about this time".to_string();
        } else if end.verdict != Verdict::Passed {
            tried.outcome = FaultOutcome::Caught;
        } else {
            if let What::Requests { request, nth, .. } = &broken.what
                && self.is_made_anyway(plan, broken.step, *nth, request, patience, stop).await
            {
                let line = format!(
                    "{} {}: it is made whether the step is taken or not",
                    request.method,
                    path_of(&request.url)
                );
                return Tried::NotOfTheTest(line);
            }
            tried.outcome = FaultOutcome::Missed;
            tried.claim = claim_for(observed, broken);
        }
        Tried::Said(tried)
    }

    /// Whether the page makes this request although what was pressed does nothing: then it is not the step that causes
    /// it, and the test does not have to notice.
    async fn is_made_anyway(
        &mut self,
        plan: &Plan,
        step: usize,
        nth: usize,
        request: &RequestMade,
        patience: Duration,
        stop: &mut watch::Receiver<bool>,
    ) -> bool {
        let deaf = Break { step, name: String::new(), what: What::Deaf { nth } };
        let (end, _) = self.apart(plan, Purpose::Try(Trial::new(deaf, patience)), stop).await;
        let is_it = |made: &RequestMade| {
            changes_something(made)
                && made.method == request.method
                && path_of(&made.url) == path_of(&request.url)
        };
        end.struck > 0
            && end
                .observed
                .acts
                .iter()
                .filter(|act| act.step == step)
                .any(|act| act.requests.iter().any(is_it))
    }

    /// One more run of the test, of which nothing is told.
    async fn apart(
        &mut self,
        plan: &Plan,
        purpose: Purpose,
        stop: &mut watch::Receiver<bool>,
    ) -> (Ended, Vec<(usize, String)>) {
        let record = std::rc::Rc::clone(&self.listener);
        let apart = Apart { record: &*record, steps: RefCell::default() };
        let ended = self.attempt(plan, purpose, &apart, stop).await;
        (ended, apart.steps.into_inner())
    }
}

enum Tried {
    Said(FaultTried),
    /// It is not for the test to notice, for this reason.
    NotOfTheTest(String),
}

/// The claim that should have caught it: of a text its own, else the first after the step that says anything new.
fn claim_for(observed: &Observed, broken: &Break) -> Option<String> {
    let after = |step: usize| match broken.what {
        What::Texts(_) => step == broken.step,
        _ => step >= broken.step,
    };
    let mut claims: Vec<_> = observed.claims.iter().filter(|claim| after(claim.step)).collect();
    claims.sort_by_key(|claim| claim.proves_little);
    claims.first().map(|claim| claim.said.clone())
}
