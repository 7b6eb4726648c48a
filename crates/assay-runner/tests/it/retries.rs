//! What is done about an act whose element is gone: in this order, each told, and nothing else.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use assay_actions::{Call, Taking};
use assay_driver::Deadline;
use assay_protocol::{
    Action, Answer, ErrorCode, Failure, Retry, RunFact, Scene, SceneNode, Secrets, Verdict,
};
use assay_runner::{Attempt, LocalFuture, StepBody, TestContext, TestSurface};

/// A page with one button. A click on it ends as the next of `clicks` says; looks always work.
struct OneButton {
    clicks: VecDeque<Option<ErrorCode>>,
}

impl TestSurface for OneButton {
    fn perform<'a>(
        &'a mut self,
        action: &'a Action,
        _: &'a Call,
    ) -> LocalFuture<'a, Result<Answer, Failure>> {
        let answer = match action {
            Action::Scene => {
                let button = SceneNode {
                    reference: Some("e1".to_string()),
                    role: "button".to_string(),
                    name: "Show more".to_string(),
                    area: [0.0, 0.0, 80.0, 20.0],
                    ..SceneNode::default()
                };
                Ok(Answer::Scene(Box::new(Scene { nodes: vec![button], ..Scene::default() })))
            }
            Action::Click { .. } => match self.clicks.pop_front().flatten() {
                Some(code) => Err(Failure::new(code, "e1 was on an earlier page")),
                None => Ok(Answer::Effect(Box::default())),
            },
            other => panic!("nobody should ask for {other:?}"),
        };
        Box::pin(async move { answer })
    }

    fn picture(&mut self, _: Deadline) -> Result<Taking, Failure> {
        Err(Failure::new(ErrorCode::Unsupported, "there is nothing to see"))
    }

    fn renew(&mut self) -> LocalFuture<'_, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }

    fn close(self: Box<Self>) -> LocalFuture<'static, ()> {
        Box::pin(async {})
    }
}

/// The verdict on one click, the retries that were told, and how often the button was clicked.
fn click(clicks: &[Option<ErrorCode>]) -> (Verdict, Vec<Retry>, usize) {
    let mut surface = OneButton { clicks: clicks.iter().copied().collect() };
    let told = RefCell::new(Vec::new());
    let tell = |fact: RunFact| told.borrow_mut().push(fact);
    let (selectors, secrets) = (BTreeMap::new(), Secrets::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let end = {
        let mut attempt = Attempt::new(&mut surface, &tell, TestContext::new(&selectors, &secrets));
        let step = StepBody::Sentence("Click the \"Show more\" button".to_string());
        runtime.block_on(attempt.run_step(&step, Duration::from_secs(5)))
    };
    let told = told.into_inner();
    let retries = told.iter().filter_map(|fact| match fact {
        RunFact::Retried { retry, .. } => Some(*retry),
        _ => None,
    });
    let begun = told.iter().filter(|fact| matches!(fact, RunFact::CommandStarted { .. })).count();
    (end.verdict, retries.collect(), begun)
}

#[test]
fn an_act_that_works_is_not_tried_again() {
    assert_eq!(click(&[None]), (Verdict::Passed, vec![], 1));
}

#[test]
fn a_lost_element_is_looked_for_by_its_signature() {
    let (verdict, retries, begun) = click(&[Some(ErrorCode::StaleRef), None]);
    assert_eq!(verdict, Verdict::Passed);
    assert_eq!(retries, [Retry::MapRefreshed, Retry::SignatureTried]);
    assert_eq!(begun, 2);
}

#[test]
fn a_second_failure_asks_for_another_way() {
    let (verdict, retries, _) = click(&[Some(ErrorCode::StaleRef), Some(ErrorCode::StaleRef), None]);
    assert_eq!(verdict, Verdict::Passed);
    assert_eq!(retries, [Retry::MapRefreshed, Retry::SignatureTried, Retry::Replanned]);
}

#[test]
fn what_may_have_happened_is_not_tried_again() {
    let (verdict, retries, begun) = click(&[Some(ErrorCode::OutcomeUnknown), None]);
    assert_eq!(verdict, Verdict::Inconclusive);
    assert_eq!(retries, [Retry::GivenUp]);
    assert_eq!(begun, 1);
}

#[test]
fn the_same_failure_again_and_again_ends_the_tries() {
    let (verdict, retries, begun) = click(&[Some(ErrorCode::StaleRef); 40]);
    assert_eq!(verdict, Verdict::Inconclusive);
    assert_eq!(retries.last(), Some(&Retry::GivenUp));
    assert!(begun <= 8, "{begun} tries");
}
