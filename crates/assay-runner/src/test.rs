//! One test from its preconditions to its teardown, on its own surface.

use std::time::{Duration, Instant};

use assay_driver::Deadline;
use assay_language::{Act, Claim, Hints, Intent, Target, mentioned, read};
use assay_protocol::actions::ActionProperty;
use assay_protocol::{Action, Judgement, LastPage, Part, RunFact, Verdict};

use tokio::sync::watch;

use crate::attempt::Attempt;
use crate::evidence::marks_of;
use crate::plan::{Plan, PlanStep, PreconditionMeans, StepBody};
use crate::run::INTERRUPTED;
use crate::step::{StepEnd, unread_claim};
use crate::test_surface::Preconditions;

/// How a test ended.
pub(crate) struct TestEnd {
    pub verdict: Verdict,
    pub reason: String,
    pub last_page: Option<LastPage>,
    /// A command may still be running in the browser, so the browser cannot be used again.
    pub is_cut_off: bool,
    /// A user stopped the run, so the test says nothing.
    pub is_interrupted: bool,
}

/// Teardown gets its own time: it runs whatever happened before.
const TEARDOWN_TIME: Duration = Duration::from_secs(60);
/// The time that is left to it when a user stops the run and waits for its end.
const HURRIED_TEARDOWN: Duration = Duration::from_secs(3);

/// Ends early when `stop` becomes true, but still runs the teardown.
pub(crate) async fn run_test(
    attempt: &mut Attempt<'_>,
    plan: &Plan,
    preconditions: &dyn Preconditions,
    stop: &mut watch::Receiver<bool>,
) -> TestEnd {
    let main = tokio::select! {
        biased;
        _ = stop.wait_for(|stop| *stop) => Err(CutOff::Interrupted),
        ended = tokio::time::timeout(plan.timeouts.test, run_body(attempt, plan, preconditions)) => {
            ended.map_err(|_| CutOff::TooLong)
        }
    };
    let is_stopped = matches!(main, Err(CutOff::Interrupted));
    let mut is_cut_off = main.is_err();
    let mut end = main.unwrap_or_else(|cut_off| cut_off.end(plan));
    // A slow pilot says nothing about the application.
    if let Some(pilot) = attempt.step.waits_for.filter(|_| is_cut_off && end.verdict == Verdict::Failed) {
        end.verdict = Verdict::Inconclusive;
        end.reason = format!("{}, and the {pilot} had not answered", end.reason);
    }
    // An act that may have happened is not repeated, whatever the verdict.
    if let Some(command) = &attempt.state.committing
        && end.verdict != Verdict::Passed
    {
        end.verdict = Verdict::Inconclusive;
        let doubt = format!("`{command}` may or may not have been carried out, and it commits something");
        end.reason = if end.reason.is_empty() { doubt } else { format!("{}; {doubt}", end.reason) };
    }
    // A page that nobody waits for any more is not looked at.
    let last_page =
        if end.verdict == Verdict::Passed || is_stopped { None } else { attempt.last_page().await };
    if !plan.teardown.is_empty() {
        let torn = tokio::select! {
            biased;
            (torn, _) = run_steps(attempt, plan, &plan.teardown) => Some(torn),
            () = end_of_teardown(stop) => None,
        };
        is_cut_off |= torn.is_none();
        let torn = torn.unwrap_or_else(|| {
            let reason =
                if *stop.borrow() { "the run was stopped before its end" } else { "it took too long" };
            attempt.note(format!("the teardown was cut off: {reason}"));
            StepEnd::inconclusive("the teardown took too long".to_string())
        });
        // A failure in the test itself says more than a failed teardown.
        if torn.verdict != Verdict::Passed && end.verdict == Verdict::Passed {
            end = StepEnd { reason: format!("in the teardown: {}", torn.reason), ..torn };
        }
    }
    attempt.picture_taken().await;
    attempt.report_blocked();
    let is_interrupted = is_stopped && end.verdict == Verdict::Error;
    TestEnd { verdict: end.verdict, reason: end.reason, last_page, is_cut_off, is_interrupted }
}

/// Returns when the time for a teardown is over: soon after a user stopped the run, be it before the teardown or during
/// it.
pub(crate) async fn end_of_teardown(stop: &watch::Receiver<bool>) {
    let mut stop = stop.clone();
    let stopped = async move {
        if stop.wait_for(|stop| *stop).await.is_err() {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(HURRIED_TEARDOWN).await;
    };
    tokio::select! {
        () = stopped => {}
        () = tokio::time::sleep(TEARDOWN_TIME) => {}
    }
}

/// Why the body of a test ended early.
enum CutOff {
    Interrupted,
    TooLong,
}

impl CutOff {
    fn end(&self, plan: &Plan) -> StepEnd {
        let (verdict, reason) = match self {
            CutOff::Interrupted => (Verdict::Error, INTERRUPTED.to_string()),
            CutOff::TooLong => {
                (Verdict::Failed, format!("the test took longer than {} s", plan.timeouts.test.as_secs()))
            }
        };
        StepEnd::with(verdict, reason)
    }
}

/// Everything before the first step: settings, preconditions, and the page on which the test begins.
pub(crate) async fn arrive(
    attempt: &mut Attempt<'_>,
    plan: &Plan,
    preconditions: &dyn Preconditions,
) -> StepEnd {
    for text in &plan.notes {
        attempt.listener.event(RunFact::Note {
            test: attempt.context.test.clone(),
            step: None,
            text: text.clone(),
        });
    }
    if let Some((width, height, scale)) = plan.viewport {
        let call = attempt.context.call_until(Deadline::after(plan.timeouts.step));
        if let Err(failure) = attempt.surface.perform(&Action::Viewport { width, height, scale }, &call).await
        {
            return StepEnd::of_failure(&failure);
        }
    }
    for action in &plan.world {
        let call = attempt.context.call_until(Deadline::after(plan.timeouts.step));
        if let Err(failure) = attempt.surface.perform(action, &call).await {
            return StepEnd::of_failure(&failure);
        }
    }
    attempt.witness_beginning().await;
    let end = make_preconditions(attempt, plan, preconditions).await;
    if end.verdict != Verdict::Passed {
        return end;
    }
    if !begins_by_going(plan) && !attempt.state.is_placed {
        let opened = attempt.open_base(Deadline::after(plan.timeouts.step)).await;
        if let Err(failure) = opened {
            return StepEnd::of_failure(&failure);
        }
    }
    StepEnd::passed()
}

async fn run_body(attempt: &mut Attempt<'_>, plan: &Plan, preconditions: &dyn Preconditions) -> StepEnd {
    let end = arrive(attempt, plan, preconditions).await;
    if end.verdict != Verdict::Passed {
        return end;
    }
    let mut judged_in_steps: Vec<Judgement> = Vec::new();
    let mut since_act: Vec<Judgement> = Vec::new();
    for steps in [&plan.setup, &plan.steps] {
        let (end, judged) = run_steps(attempt, plan, steps).await;
        judged_in_steps.extend(judged.all);
        since_act = judged.since_act;
        if end.verdict != Verdict::Passed {
            return end;
        }
    }
    // Claims are mostly waited for: time enough for the next test to act, or to be prepared.
    drop(attempt.state.slot.take());
    if attempt.context.has_successor {
        attempt.surface.foresee();
    }
    let mentioned_by_steps = attempt.state.mentioned.clone();
    let (end, expected) = run_steps(attempt, plan, &plan.expected).await;
    if end.verdict != Verdict::Passed {
        return end;
    }
    let end = hold_to_the_end(attempt, &plan.expected, plan.timeouts.step, mentioned_by_steps).await;
    if end.verdict != Verdict::Passed {
        return end;
    }
    let judged = JudgedTest { steps: judged_in_steps, since_act, expected: expected.all };
    weigh_test(attempt, judged, !plan.expected.is_empty(), plan.standing_allowed)
}

/// What was judged in a test, where it counts.
#[derive(Default)]
pub(crate) struct JudgedTest {
    pub steps: Vec<Judgement>,
    /// Those of the steps that come after the last act.
    pub since_act: Vec<Judgement>,
    pub expected: Vec<Judgement>,
}

/// What the claims of a test come to, once each of them has passed.
pub(crate) fn weigh_test(
    attempt: &Attempt<'_>,
    judged: JudgedTest,
    has_expectations: bool,
    standing_allowed: bool,
) -> StepEnd {
    // The expectations are the purpose of the test. A claim on the way does not count for them, but one after the last act
    // shows what that act has changed.
    let claims = |judgements: &[Judgement]| judgements.iter().any(|judgement| !judgement.claim.is_empty());
    if claims(&judged.expected) {
        let weighed: Vec<Judgement> = judged.expected.into_iter().chain(judged.since_act).collect();
        return weigh(&weighed, standing_allowed, attempt.acted_in_vain());
    }
    if !claims(&judged.steps) && !has_expectations {
        attempt.note("the test has no expectations: it shows only that its steps could be carried out");
    }
    weigh(&judged.steps, standing_allowed, attempt.acted_in_vain())
}

async fn make_preconditions(
    attempt: &mut Attempt<'_>,
    plan: &Plan,
    preconditions: &dyn Preconditions,
) -> StepEnd {
    for precondition in &plan.preconditions {
        attempt.begin_step(Part::Precondition);
        let began = StepStart::now(attempt);
        attempt.listener.event(RunFact::StepStarted {
            test: attempt.context.test.clone(),
            step: attempt.step.number,
            part: Part::Precondition,
            text: precondition.text.clone(),
        });
        let again = plan.resumed.as_ref().filter(|resumed| attempt.step.number <= resumed.finished_steps);
        let end = match &precondition.made {
            _ if let Some(trouble) = attempt.listener.trouble() => StepEnd::of_failure(&trouble),
            PreconditionMeans::ByHost(_) if again.is_some() => {
                attempt.note("made true before the run was cut off");
                StepEnd::passed()
            }
            PreconditionMeans::Steps(_) if let Some(resumed) = again => {
                attempt.repeat_step(resumed, Deadline::after(plan.timeouts.test)).await
            }
            PreconditionMeans::Assumed
                if let Some(end) =
                    attempt.be_on_screen(&precondition.text, Deadline::after(plan.timeouts.step)).await =>
            {
                end
            }
            PreconditionMeans::Assumed => {
                attempt.note(format!(
                    "assumed, because nothing says how to make it true: {}",
                    precondition.text
                ));
                StepEnd::passed()
            }
            PreconditionMeans::ByHost(way) => match preconditions.make_true(*way).await {
                Ok(how) => {
                    attempt.note(how);
                    StepEnd::passed()
                }
                Err(failure) => StepEnd::with(
                    Verdict::Error,
                    format!("the precondition could not be made true: {}", failure.message),
                ),
            },
            PreconditionMeans::Steps(steps) => {
                let mut end = StepEnd::passed();
                for step in steps {
                    end = attempt.run_step(&step.what, step.timeout.unwrap_or(plan.timeouts.step)).await;
                    if end.verdict != Verdict::Passed {
                        end.reason = format!("in the precondition, at \"{}\": {}", step.text, end.reason);
                        break;
                    }
                }
                end
            }
        };
        let times = began.over(attempt);
        attempt.witness_step().await;
        report_step(attempt, &end, &times);
        if end.verdict != Verdict::Passed {
            return end;
        }
    }
    StepEnd::passed()
}

/// When a step began, and the time spent waiting for the browser until then.
struct StepStart {
    at: Instant,
    waited: Duration,
}

impl StepStart {
    fn now(attempt: &Attempt<'_>) -> StepStart {
        StepStart { at: Instant::now(), waited: attempt.surface.waited() }
    }

    fn over(&self, attempt: &Attempt<'_>) -> StepTimes {
        let (took, waited) = (self.at.elapsed(), attempt.surface.waited().saturating_sub(self.waited));
        StepTimes { took, own: (!waited.is_zero()).then(|| took.saturating_sub(waited)) }
    }
}

/// How long a step took, and the part of it that was not spent waiting for the browser.
struct StepTimes {
    took: Duration,
    own: Option<Duration>,
}

/// All judgements, and those made after the last act.
#[derive(Default)]
pub(crate) struct JudgedSteps {
    all: Vec<Judgement>,
    since_act: Vec<Judgement>,
}

/// Takes steps in order until one does not pass.
pub(crate) async fn run_steps(
    attempt: &mut Attempt<'_>,
    plan: &Plan,
    steps: &[PlanStep],
) -> (StepEnd, JudgedSteps) {
    let mut judged = JudgedSteps::default();
    for step in steps {
        let end = take_step(attempt, plan, step).await;
        if attempt.step.acts_done > 0 {
            judged.since_act.clear();
        }
        judged.all.extend(end.judgements.iter().cloned());
        judged.since_act.extend(end.judgements.iter().skip(end.before_act).cloned());
        if end.verdict != Verdict::Passed {
            return (end, judged);
        }
    }
    (StepEnd::passed(), judged)
}

/// One step, from its announcement to its result.
pub(crate) async fn take_step(attempt: &mut Attempt<'_>, plan: &Plan, step: &PlanStep) -> StepEnd {
    attempt.begin_step(step.part);
    let began = StepStart::now(attempt);
    attempt.listener.event(RunFact::StepStarted {
        test: attempt.context.test.clone(),
        step: attempt.step.number,
        part: step.part,
        text: step.text.clone(),
    });
    let end = match attempt.pass_again(plan, step).await {
        Some(end) => end,
        None => run_plan_step(attempt, plan, step).await,
    };
    let times = began.over(attempt);
    attempt.witness_step().await;
    report_step(attempt, &end, &times);
    end
}

/// An expectation is only judged, never acted on, whatever its wording.
async fn run_plan_step(attempt: &mut Attempt<'_>, plan: &Plan, step: &PlanStep) -> StepEnd {
    if step.part == Part::Expected
        && let StepBody::Exact(action) = &step.what
        && !action.entry().has(ActionProperty::Claims)
    {
        return StepEnd::inconclusive(format!(
            "`{}` claims nothing that can be true or false",
            action.verb()
        ));
    }
    if step.part == Part::Expected
        && let StepBody::Sentence(sentence) = &step.what
        && let Ok(intents) = read(sentence, &attempt.names())
        && intents.iter().any(|intent| matches!(intent, Intent::Act(_)))
    {
        return StepEnd::inconclusive(format!("\"{sentence}\" says what to do, not what should be true"));
    }
    attempt.run_step(&step.what, step.timeout.unwrap_or(plan.timeouts.step)).await
}

fn report_step(attempt: &mut Attempt<'_>, end: &StepEnd, times: &StepTimes) {
    attempt.report_blocked();
    let looked = attempt.state.last_look.as_ref().filter(|_| attempt.context.pictures.is_some());
    let marks = looked.map(|scene| marks_of(&end.judgements, scene)).unwrap_or_default();
    attempt.listener.event(RunFact::StepFinished {
        test: attempt.context.test.clone(),
        step: attempt.step.number,
        verdict: end.verdict,
        reason: end.reason.clone(),
        judgements: end.judgements.clone(),
        marks,
        duration_ms: times.took.as_millis() as u64,
        own_us: times.own.map(|own| own.as_micros() as u64),
    });
}

/// All expectations must hold together at the end, not each at its own moment.
pub(crate) async fn hold_to_the_end(
    attempt: &mut Attempt<'_>,
    expected: &[PlanStep],
    time: Duration,
    mentioned_by_steps: Option<Target>,
) -> StepEnd {
    let mut claims: Vec<(Claim, String)> = Vec::new();
    // As each was read at its own moment.
    let mut names = Hints { mentioned: mentioned_by_steps, ..attempt.context.names() };
    for step in expected {
        let StepBody::Sentence(sentence) = &step.what else { continue };
        let read = read(sentence, &names);
        if let Ok(intents) = &read {
            names.mentioned = mentioned(intents, names.mentioned.as_ref());
        }
        match read {
            Ok(intents) => claims.extend(intents.into_iter().filter_map(|intent| match intent {
                Intent::Claim(claim) => Some((claim, sentence.clone())),
                Intent::Act(_) => None,
            })),
            // A judge had decided about it.
            Err(err) => claims.push((unread_claim(sentence, &err.why), sentence.clone())),
        }
    }
    if claims.is_empty() {
        return StepEnd::passed();
    }
    match attempt.all_hold(&claims, Deadline::after(time)).await {
        None => StepEnd::passed(),
        Some(judgement) => StepEnd {
            verdict: judgement.verdict,
            reason: format!("it held, but not until the end: {}", judgement.reason),
            judgements: vec![judgement],
            before_act: 0,
            unsure: false,
            is_missing: false,
            doubt: String::new(),
        },
    }
}

/// A test whose claims were all true before proves nothing.
fn weigh(judgements: &[Judgement], standing_allowed: bool, in_vain: bool) -> StepEnd {
    let claims: Vec<&Judgement> = judgements.iter().filter(|judgement| !judgement.claim.is_empty()).collect();
    let is_new = claims.iter().any(|judgement| !judgement.standing);
    // That something stays or is absent is proved only by an act that did something.
    let stays = !in_vain && claims.iter().all(|judgement| judgement.may_stand);
    if claims.is_empty() || standing_allowed || is_new || stays {
        return StepEnd::passed();
    }
    StepEnd::inconclusive(
        "every claim was already true before the actions that should cause it; claim something that they change, or \
         set `standing: allowed`"
            .to_string(),
    )
}

/// Whether the first thing the test does is to go somewhere.
fn begins_by_going(plan: &Plan) -> bool {
    let first = plan.setup.iter().chain(&plan.steps).chain(&plan.expected).next();
    match first.map(|step| &step.what) {
        Some(StepBody::Exact(Action::Go { .. } | Action::TabNew { .. })) => true,
        Some(StepBody::Exact(_)) | None => false,
        Some(StepBody::Sentence(sentence)) => {
            matches!(read(sentence, &Hints::default()).as_deref(), Ok([Intent::Act(Act::Go { .. }), ..]))
        }
    }
}
