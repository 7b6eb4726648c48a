//! Pilots at the controls: what they do is done like everything else, and what they may not do is not done.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use assay_actions::{Call, Taking};
use assay_driver::Deadline;
use assay_protocol::{
    Action, Answer, Change, ChangeKind, Effect, ErrorCode, Failure, ModelCall, MouseButton, PilotEnding,
    RunFact, Scene, SceneNode, Secrets, Selector, Verdict,
};
use assay_runner::{
    Attempt, AvailablePilots, Controls, Judge, LocalFuture, ModelVerdict, NotPerformed, Observation, Pilot,
    PilotEnd, PilotOutcome, QuotedEvidence, Ruling, StepBody, StepTask, TestContext, TestSentence,
    TestSurface,
};

/// A form with a field and a button; once the button is pressed, a text says so.
#[derive(Default)]
struct Form {
    field: String,
    is_sent: bool,
}

fn node(reference: &str, role: &str, name: &str) -> SceneNode {
    SceneNode {
        reference: (!reference.is_empty()).then(|| reference.to_string()),
        role: role.to_string(),
        name: name.to_string(),
        area: [0.0, 0.0, 80.0, 20.0],
        ..SceneNode::default()
    }
}

impl Form {
    fn scene(&self) -> Scene {
        let mut field = node("e1", "textbox", "Nickname");
        field.value = Some(self.field.clone());
        let mut nodes = vec![field, node("e2", "button", "Onward"), node("e3", "button", "Delete all")];
        if self.is_sent {
            nodes.push(node("", "text", "Your herring is on its way"));
        }
        Scene { url: "http://fish.test/".to_string(), document: 1, nodes, ..Scene::default() }
    }
}

impl TestSurface for Form {
    fn perform<'a>(
        &'a mut self,
        action: &'a Action,
        _: &'a Call,
    ) -> LocalFuture<'a, Result<Answer, Failure>> {
        let answer = match action {
            Action::Scene => Ok(Answer::Scene(Box::new(self.scene()))),
            Action::Fill { text, .. } => {
                self.field = text.clone();
                Ok(Answer::Effect(Box::default()))
            }
            Action::Click { .. } => {
                self.is_sent = true;
                let change = Change {
                    kind: ChangeKind::Added,
                    reference: None,
                    role: "text".to_string(),
                    name: "Your herring is on its way".to_string(),
                    value: None,
                    states: Vec::new(),
                    was: None,
                };
                Ok(Answer::Effect(Box::new(Effect { changes: vec![change], ..Effect::default() })))
            }
            other => Err(Failure::new(ErrorCode::Unsupported, format!("nobody should ask for {other:?}"))),
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

/// Does what it is told, and says that it is done.
struct Obedient {
    acts: Vec<Action>,
    denied: Rc<RefCell<Vec<String>>>,
    seen: Rc<RefCell<Vec<StepTask>>>,
}

impl Pilot for Obedient {
    fn name(&self) -> &'static str {
        "model"
    }

    fn take<'a>(
        &'a mut self,
        task: &'a StepTask,
        controls: &'a mut dyn Controls,
    ) -> LocalFuture<'a, PilotOutcome> {
        Box::pin(async move {
            self.seen.borrow_mut().push(task.clone());
            for act in &self.acts {
                controls.called(ModelCall { pilot: "model".to_string(), ..ModelCall::default() });
                if let Err(denied) = controls.perform(act, "it was told to").await {
                    self.denied.borrow_mut().push(match &denied {
                        NotPerformed::Failed(failure) => failure.code.name().to_string(),
                        NotPerformed::Refused(refusal) | NotPerformed::Stopped(refusal) => {
                            refusal.code().to_string()
                        }
                    });
                }
            }
            let end = PilotEnd::Done { message: "so it is".to_string() };
            PilotOutcome { end, turns: 1, safety: Vec::new(), degraded: false }
        })
    }
}

struct Told {
    verdict: Verdict,
    reason: String,
    denied: Vec<String>,
    tasks: Vec<StepTask>,
    facts: Vec<RunFact>,
    field: String,
    is_sent: bool,
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

fn step(sentence: &str, acts: Vec<Action>) -> Told {
    let mut surface = Form::default();
    let told = RefCell::new(Vec::new());
    let tell = |fact: RunFact| told.borrow_mut().push(fact);
    let selectors = BTreeMap::new();
    let secrets = Secrets::from_iter(["hush"]);
    let (denied, seen) = (Rc::default(), Rc::default());
    let end = {
        let pilots: Vec<Box<dyn Pilot>> =
            vec![Box::new(Obedient { acts, denied: Rc::clone(&denied), seen: Rc::clone(&seen) })];
        let mut attempt = Attempt::new(&mut surface, &tell, TestContext::new(&selectors, &secrets))
            .with_pilots(AvailablePilots { pilots, ..AvailablePilots::default() });
        runtime()
            .block_on(attempt.run_step(&StepBody::Sentence(sentence.to_string()), Duration::from_secs(5)))
    };
    Told {
        verdict: end.verdict,
        reason: end.reason,
        denied: denied.take(),
        tasks: seen.take(),
        facts: told.into_inner(),
        field: surface.field,
        is_sent: surface.is_sent,
    }
}

fn target(reference: &str) -> Selector {
    Selector::parse(reference).unwrap()
}

fn fill(text: &str) -> Action {
    Action::Fill { target: target("e1"), text: text.to_string() }
}

fn click(reference: &str) -> Action {
    Action::Click { target: target(reference), button: MouseButton::Left, modifiers: Vec::new() }
}

/// No interpreter reads this.
const UNREAD: &str = "Frobnicate \"Ada\" with \"hush\" onto the herring";

#[test]
fn a_sentence_that_nobody_reads_is_carried_out_by_a_guest() {
    let told = step(UNREAD, vec![fill("Ada"), click("e2")]);
    assert_eq!((told.verdict, told.reason.as_str()), (Verdict::Passed, ""));
    assert_eq!((told.field.as_str(), told.is_sent), ("Ada", true));
    let commands: Vec<&str> = told
        .facts
        .iter()
        .filter_map(|fact| match fact {
            RunFact::Command { record, .. } => Some(record.pilot.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(commands, ["model", "model"]);
    assert!(told.facts.iter().any(|fact| matches!(fact, RunFact::ModelCalled { .. })));
}

#[test]
fn a_secret_is_typed_by_its_reference_and_read_by_nobody() {
    let told = step(UNREAD, vec![fill("⟦value 2⟧"), click("e2")]);
    assert_eq!(told.verdict, Verdict::Passed);
    assert_eq!(told.field, "hush");
    assert!(!format!("{:?}", told.tasks).contains("hush"), "{:?}", told.tasks);
    let facts = serde_json::to_string(&told.facts).unwrap();
    assert!(!facts.contains("hush"), "{facts}");
}

#[test]
fn a_value_that_nobody_named_is_not_typed() {
    let told = step(UNREAD, vec![fill("Bob"), click("e2")]);
    assert_eq!(told.denied, ["unnamed-value"]);
    assert_eq!(told.field, "");
    assert_eq!(told.verdict, Verdict::Passed, "the guest may go on in another way");
}

#[test]
fn what_stops_a_step_stops_it_whatever_the_guest_says() {
    let told = step(UNREAD, vec![click("e3"), click("e2")]);
    assert_eq!(told.denied, ["deleting", "deleting"]);
    assert!(!told.is_sent);
    assert_eq!(told.verdict, Verdict::Inconclusive);
    assert!(told.reason.contains("deletes something"), "{}", told.reason);
    let stopped = told.facts.iter().any(|fact| {
        matches!(fact, RunFact::PilotLeft { report, .. }
            if report.ending == PilotEnding::Stopped && report.safety.len() == 1)
    });
    assert!(stopped, "{:?}", told.facts);
}

#[test]
fn a_guest_that_did_nothing_has_not_done_it() {
    let told = step(UNREAD, Vec::new());
    assert_eq!(told.verdict, Verdict::Inconclusive);
    assert!(told.reason.contains("without doing anything"), "{}", told.reason);
}

#[test]
fn nobody_is_asked_about_what_is_plain() {
    let told = step("Click the \"Onward\" button", vec![click("e3")]);
    assert_eq!(told.verdict, Verdict::Passed);
    assert!(told.tasks.is_empty());
}

#[test]
fn nobody_is_asked_about_what_is_plainly_missing() {
    let told = step("Click the \"Unobtainium\" slider", vec![click("e2")]);
    assert_eq!((told.verdict, told.tasks.len()), (Verdict::Failed, 0), "{}", told.reason);
}

#[test]
fn a_name_that_is_elsewhere_on_the_page_is_a_question() {
    let told = step("Enter \"Ada\" into the \"Onward\" field", vec![fill("Ada")]);
    assert_eq!((told.verdict, told.tasks.len()), (Verdict::Passed, 1), "{}", told.reason);
    assert_eq!(told.field, "Ada");
}

/// Says the same of every page.
struct Says(ModelVerdict);

impl Judge for Says {
    fn judge<'a>(
        &'a mut self,
        _: &'a str,
        _: &'a [TestSentence],
        observations: &'a [Observation],
        _: &'a dyn Fn(ModelCall),
        _: Deadline,
    ) -> LocalFuture<'a, Result<ModelVerdict, Failure>> {
        // An honest judge can only quote what is there.
        let is_there = observations.iter().any(|seen| seen.text.contains("herring"));
        let verdict = match self.0.ruling {
            Ruling::Holds if !is_there && self.0.reason == "honest" => ModelVerdict {
                ruling: Ruling::DoesNotHold,
                reason: "nothing of the kind".to_string(),
                evidence: vec![QuotedEvidence { observation: "o1".to_string(), quote: String::new() }],
            },
            _ => self.0.clone(),
        };
        Box::pin(async move { Ok(verdict) })
    }
}

fn claim(reason: &str, quote: &str, is_sent_before: bool) -> (Verdict, bool, String) {
    judged("Verify that the herring feels welcome and cherished", reason, quote, is_sent_before)
}

fn judged(claim: &str, reason: &str, quote: &str, is_sent_before: bool) -> (Verdict, bool, String) {
    let mut surface = Form { is_sent: is_sent_before, ..Form::default() };
    let tell = |_: RunFact| {};
    let (selectors, secrets) = (BTreeMap::new(), Secrets::default());
    let evidence = vec![QuotedEvidence { observation: "o6".to_string(), quote: quote.to_string() }];
    let verdict = ModelVerdict { ruling: Ruling::Holds, reason: reason.to_string(), evidence };
    let judge: Option<Box<dyn Judge>> = Some(Box::new(Says(verdict)));
    let mut attempt = Attempt::new(&mut surface, &tell, TestContext::new(&selectors, &secrets))
        .with_pilots(AvailablePilots { judge, ..AvailablePilots::default() });
    let time = Duration::from_secs(5);
    runtime().block_on(async {
        let act =
            attempt.run_step(&StepBody::Sentence("Click the \"Onward\" button".to_string()), time).await;
        assert_eq!(act.verdict, Verdict::Passed, "{}", act.reason);
        let end = attempt.run_step(&StepBody::Sentence(claim.to_string()), time).await;
        let standing = end.judgements.first().is_some_and(|judgement| judgement.standing);
        (end.verdict, standing, end.reason)
    })
}

#[test]
fn a_judge_is_believed_when_its_evidence_is_there() {
    assert_eq!(claim("honest", "herring is on its way", false), (Verdict::Passed, false, String::new()));
}

#[test]
fn a_judge_is_asked_when_the_interpreter_cannot_tell() {
    let (verdict, _, reason) = judged("The status is \"herring\"", "honest", "herring is on its way", false);
    assert_eq!((verdict, reason.as_str()), (Verdict::Passed, ""));
    let (verdict, _, reason) = judged("The status is \"salmon\"", "honest", "herring is on its way", false);
    assert_ne!(verdict, Verdict::Passed, "{reason}");
    assert!(reason.contains("\"salmon\" is nowhere on the page"), "{reason}");
}

#[test]
fn a_judge_that_quotes_what_is_not_there_is_not_believed() {
    let (verdict, _, reason) = claim("honest", "herring feels welcome", false);
    assert_eq!(verdict, Verdict::Inconclusive);
    assert!(reason.contains("does not stand in"), "{reason}");
}

#[test]
fn what_held_before_the_act_stands() {
    let (verdict, standing, _) = claim("honest", "herring is on its way", true);
    assert_eq!((verdict, standing), (Verdict::Passed, true));
}
