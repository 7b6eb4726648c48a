//! Many tests in parallel: workers with a surface each, attempts, and an end that is always reported.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use assay_actions::Policy;
use assay_driver::Deadline;
use assay_protocol::{Failure, LastPage, LockedTest, RunEvent, RunFact, Verdict};
use tokio::sync::watch;
use tokio::task::LocalSet;

use crate::acting_slots::{ActingSlot, ActingSlots};
use crate::attempt::Attempt;
use crate::attempt_state::AttemptState;
use crate::claimed::Claimed;
use crate::listener::Listener;
use crate::locking::LockCursor;
use crate::masking::MaskingListener;
use crate::neighbours::{Neighbours, neighbours_of};
use crate::picture::Pictures;
use crate::pilots::Pilots;
use crate::plan::Plan;
use crate::proving::{Observed, Trial};
use crate::screens::Screens;
use crate::test::run_test;
use crate::test_context::TestContext;
use crate::test_surface::{Preconditions, SurfaceSource, TestSurface};
use crate::witness::StepWitness;

/// Why an attempt ended that a user stopped.
pub(crate) const INTERRUPTED: &str = "interrupted";

/// The time limit for ending faults; after that, the browser is closed.
const LIFTING: Duration = Duration::from_secs(5);

#[derive(Debug, Clone)]
pub struct RunSettings {
    /// How many tests act at the same time.
    pub workers: usize,
    /// A separate browser for each test, not only a context.
    pub own_browser: bool,
    pub fail_fast: bool,
    pub slow: Duration,
    pub pictures: Option<Pictures>,
    /// Passing tests are written into lock files afterwards.
    pub is_locking: bool,
    /// Passing tests run again with one fault at a time.
    pub is_proving: bool,
    /// Sees the page after each step.
    pub witness: Option<Arc<dyn StepWitness>>,
}

impl RunSettings {
    /// Whether a test that only waits for its claims lets another one begin. Not if tests run one after the other, if
    /// the result of one decides whether the next begins, or if a person watches.
    fn has_standby(&self) -> bool {
        self.workers > 1 && !self.own_browser && !self.fail_fast && !self.is_proving && self.slow.is_zero()
    }
}

/// The purpose of an attempt.
pub(crate) enum Purpose {
    Run,
    /// And to see what could be broken.
    Observe,
    /// With something broken.
    Try(Box<Trial>),
}

/// How an attempt ended.
pub(crate) struct AttemptEnd {
    pub verdict: Verdict,
    pub reason: String,
    pub last_page: Option<LastPage>,
    /// The run was stopped, so the attempt says nothing.
    pub interrupted: bool,
    /// How often the fault has taken effect.
    pub struck: u32,
    /// Why it could not be broken.
    pub trouble: Option<String>,
    pub observed: Observed,
}

impl AttemptEnd {
    fn broken(reason: String) -> AttemptEnd {
        AttemptEnd {
            verdict: Verdict::Error,
            reason,
            last_page: None,
            interrupted: false,
            struck: 0,
            trouble: None,
            observed: Observed::default(),
        }
    }

    /// It was not begun any more.
    fn interrupted() -> AttemptEnd {
        AttemptEnd { interrupted: true, ..AttemptEnd::broken(INTERRUPTED.to_string()) }
    }

    /// It is not to be begun.
    fn withheld(reason: &str) -> AttemptEnd {
        AttemptEnd { verdict: Verdict::Inconclusive, ..AttemptEnd::broken(reason.to_string()) }
    }
}

/// A requested run.
#[derive(Debug, Clone)]
pub struct RunPlan {
    pub run: String,
    pub suite: String,
    pub plans: Vec<Plan>,
    /// File and message of each unreadable file.
    pub rejected: Vec<(String, String)>,
    pub beginning: RunStart,
    /// A test without an expectation is no pass.
    pub strict: bool,
}

/// Whether a run begins or continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStart {
    Anew,
    /// It was interrupted: the plans are the remaining ones.
    Resumed,
}

/// The record of all events of a run.
pub trait EventLog {
    /// Returns when the event is recorded.
    fn event(&self, event: RunEvent);

    /// Why recording is no longer possible. Then no test begins, and no command that changes a page.
    fn trouble(&self) -> Option<Failure>;
}

/// Adds the time to each fact.
struct TimedLog(Rc<dyn EventLog>);

impl Listener for TimedLog {
    fn event(&self, what: RunFact) {
        self.0.event(RunEvent { at: now(), what });
    }

    fn trouble(&self) -> Option<Failure> {
        self.0.trouble()
    }
}

/// What a run needs from outside.
#[derive(Clone)]
pub struct Seams {
    pub surface_source: Rc<dyn SurfaceSource>,
    pub preconditions: Rc<dyn Preconditions>,
    pub pilots: Rc<dyn Pilots>,
    /// The navigation trees of the project, where it has any.
    pub screens: Option<Rc<dyn Screens>>,
}

/// Runs all plans, and ends early when `stop` becomes true: then it reports the tests that ran and starts no more.
pub async fn run(
    order: RunPlan,
    settings: RunSettings,
    seams: Seams,
    stop: watch::Receiver<bool>,
    record: Rc<dyn EventLog>,
) {
    let Seams { surface_source, preconditions, pilots, screens } = seams;
    let began = Instant::now();
    let listener: Rc<dyn Listener> = Rc::new(TimedLog(record));
    let workers = settings.workers.clamp(1, order.plans.len().max(1));
    let settings = RunSettings { workers, ..settings };
    match order.beginning {
        RunStart::Anew => listener.event(RunFact::RunStarted {
            run: order.run,
            suite: order.suite,
            tests: order.plans.iter().map(|plan| plan.line.clone()).collect(),
            workers,
            strict: order.strict,
        }),
        RunStart::Resumed => listener.event(RunFact::RunResumed {
            tests: order.plans.iter().map(|plan| plan.line.id.clone()).collect(),
            basis: order.plans.iter().map(|plan| (plan.line.id.clone(), plan.line.basis.clone())).collect(),
        }),
    }
    for (file, message) in order.rejected.into_iter().filter(|_| order.beginning == RunStart::Anew) {
        listener.event(RunFact::FileRejected { file, message });
    }
    let queue = Rc::new(RefCell::new(VecDeque::from(order.plans)));
    let cut_short = Rc::new(Cell::new(false));
    let slots = ActingSlots::new(workers);
    let (beginning, all_began) = watch::channel(());
    let first = (0..workers).map(|_| WorkerStart::First(Some(beginning.clone())));
    let standbys = if settings.has_standby() { workers } else { 0 };
    let turns: Vec<WorkerStart> =
        first.chain((0..standbys).map(|_| WorkerStart::Standby(all_began.clone()))).collect();
    drop(beginning);
    let local = LocalSet::new();
    for (number, turn) in turns.into_iter().enumerate() {
        let mut worker = Worker {
            number,
            turn,
            slots: Rc::clone(&slots),
            settings: settings.clone(),
            surface_source: Rc::clone(&surface_source),
            preconditions: Rc::clone(&preconditions),
            pilots: Rc::clone(&pilots),
            screens: screens.clone(),
            queue: Rc::clone(&queue),
            cut_short: Rc::clone(&cut_short),
            listener: Rc::clone(&listener),
            surface: None,
        };
        let stop = stop.clone();
        local.spawn_local(async move {
            worker.work(stop).await;
        });
    }
    local.await;
    listener.event(RunFact::RunFinished {
        interrupted: *stop.borrow(),
        duration_ms: began.elapsed().as_millis() as u64,
    });
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

fn test_finished(
    plan: &Plan,
    attempt: u32,
    first: u32,
    end: &AttemptEnd,
    will_retry: bool,
    started: Instant,
) -> RunFact {
    RunFact::TestFinished {
        test: plan.line.id.clone(),
        attempt,
        verdict: end.verdict,
        reason: end.reason.clone(),
        flaky: end.verdict == Verdict::Passed && attempt > first,
        will_retry,
        interrupted: end.interrupted,
        claims_nothing: plan.claimed() == Claimed::Nothing,
        last_page: end.last_page.clone(),
        duration_ms: started.elapsed().as_millis() as u64,
    }
}

/// When a worker begins its first test.
enum WorkerStart {
    /// At once. Until it has a slot, or never will, the standby workers wait for it.
    First(Option<watch::Sender<()>>),
    /// When all first workers have begun: it acts while another test waits, only in a shared browser.
    Standby(watch::Receiver<()>),
}

pub(crate) struct Worker {
    number: usize,
    turn: WorkerStart,
    slots: Rc<ActingSlots>,
    settings: RunSettings,
    surface_source: Rc<dyn SurfaceSource>,
    preconditions: Rc<dyn Preconditions>,
    pilots: Rc<dyn Pilots>,
    screens: Option<Rc<dyn Screens>>,
    queue: Rc<RefCell<VecDeque<Plan>>>,
    /// A test failed, and no other test may begin.
    cut_short: Rc<Cell<bool>>,
    pub(crate) listener: Rc<dyn Listener>,
    surface: Option<OpenSurface>,
}

/// The current browser.
struct OpenSurface {
    /// Which one it is.
    browser: String,
    /// Who else may use it.
    neighbours: Neighbours,
    /// The policy whose domains restrict it.
    policy: Policy,
    surface: Box<dyn TestSurface>,
}

impl Worker {
    async fn work(&mut self, mut stop: watch::Receiver<bool>) {
        if let WorkerStart::Standby(all_began) = &mut self.turn {
            while all_began.changed().await.is_ok() {}
        }
        loop {
            if self.is_over(&stop) {
                break;
            }
            let Some(plan) = self.next_plan() else { break };
            self.attempts(&plan, &mut stop).await;
        }
        self.close_surface().await;
    }

    /// Whether no other test may begin.
    fn is_over(&self, stop: &watch::Receiver<bool>) -> bool {
        *stop.borrow() || self.cut_short.get() || self.listener.trouble().is_some()
    }

    fn next_plan(&self) -> Option<Plan> {
        let mut queue = self.queue.borrow_mut();
        let is_shared = |next: &Plan| {
            self.surface_source.is_shared(&next.line.browser, neighbours_of(next), &next.policy)
        };
        if matches!(self.turn, WorkerStart::Standby(_)) && !queue.front().is_some_and(is_shared) {
            return None;
        }
        queue.pop_front()
    }

    async fn close_surface(&mut self) {
        if let Some(open) = self.surface.take() {
            open.surface.close().await;
        }
    }

    async fn attempts(&mut self, plan: &Plan, stop: &mut watch::Receiver<bool>) {
        let first = plan.attempts_before + 1;
        let record = Rc::clone(&self.listener);
        let listener = MaskingListener::new(&*record, &plan.secrets);
        if let Some(reason) = &plan.withheld {
            let started = Instant::now();
            let worker = self.number;
            listener.event(RunFact::TestStarted { test: plan.line.id.clone(), attempt: first, worker });
            let end = AttemptEnd::withheld(reason);
            return listener.event(test_finished(plan, first, first, &end, false, started));
        }
        for attempt in first..=first + plan.retries {
            let mut prepared = self.prepared(plan, stop).await;
            let slot = self.slots.take().await;
            if let WorkerStart::First(beginning) = &mut self.turn {
                beginning.take();
            }
            // It waited for its slot, and the run may have ended meanwhile.
            if attempt == first && self.is_over(stop) {
                return;
            }
            if *stop.borrow() || self.listener.trouble().is_some() {
                // An announced retry is reported, but not carried out.
                prepared = Err(INTERRUPTED.to_string());
            } else if self.is_surface_gone() || (self.settings.has_standby() && prepared.is_err()) {
                // Another test may have crashed the browser meanwhile, which is not the fault of this one.
                self.close_surface().await;
                prepared = self.prepared(plan, stop).await;
            }
            let started = Instant::now();
            listener.event(RunFact::TestStarted { test: plan.line.id.clone(), attempt, worker: slot.number });
            let purpose = if self.settings.is_proving { Purpose::Observe } else { Purpose::Run };
            let end = match prepared {
                Ok(()) => self.run_attempt(plan, purpose, &*record, stop, Some(slot)).await,
                Err(_) if *stop.borrow() => AttemptEnd::interrupted(),
                Err(reason) => AttemptEnd::broken(reason),
            };
            // The failure of a flaky test proves nothing.
            let is_proved = self.settings.is_proving && end.verdict == Verdict::Passed && attempt == first;
            // An inconclusive test stays inconclusive; only a failure may have been bad luck.
            let will_retry = attempt < first + plan.retries
                && matches!(end.verdict, Verdict::Failed | Verdict::Error)
                && !*stop.borrow()
                && self.listener.trouble().is_none();
            if end.verdict != Verdict::Passed && !will_retry && self.settings.fail_fast {
                self.cut_short.set(true);
            }
            listener.event(test_finished(plan, attempt, first, &end, will_retry, started));
            if is_proved {
                self.prove(plan, &end.observed, stop).await;
            }
            if !will_retry {
                return;
            }
        }
    }

    fn is_surface_gone(&self) -> bool {
        self.surface.as_ref().is_some_and(|open| open.surface.is_gone())
    }

    /// One more attempt at once. A proving worker keeps its slot.
    pub(crate) async fn attempt(
        &mut self,
        plan: &Plan,
        purpose: Purpose,
        listener: &dyn Listener,
        stop: &mut watch::Receiver<bool>,
    ) -> AttemptEnd {
        match self.prepared(plan, stop).await {
            Ok(()) => self.run_attempt(plan, purpose, listener, stop, None).await,
            Err(reason) => AttemptEnd::broken(reason),
        }
    }

    /// Has a surface ready, or says why not.
    async fn prepared(&mut self, plan: &Plan, stop: &mut watch::Receiver<bool>) -> Result<(), String> {
        tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => Err(INTERRUPTED.to_string()),
            prepared = self.prepare(plan) => prepared.map_err(|failure| failure.message),
        }
    }

    /// The worker owns the surface throughout, so an interrupted run still closes it.
    async fn run_attempt(
        &mut self,
        plan: &Plan,
        purpose: Purpose,
        listener: &dyn Listener,
        stop: &mut watch::Receiver<bool>,
        slot: Option<ActingSlot>,
    ) -> AttemptEnd {
        let has_successor = self.has_successor(plan);
        let Some(OpenSurface { surface, browser, neighbours, policy }) = &mut self.surface else {
            return AttemptEnd::broken("there is no browser".to_string());
        };
        let may_give_up = self.settings.has_standby()
            && plan.teardown.is_empty()
            && self.surface_source.is_shared(browser, *neighbours, policy);
        let (given_up, _kept) = if may_give_up { (slot, None) } else { (None, slot) };
        let is_try = matches!(purpose, Purpose::Try(_));
        let context = TestContext {
            slow: self.settings.slow,
            is_locking: self.settings.is_locking,
            has_successor,
            pictures: self.settings.pictures.clone().filter(|_| !is_try),
            witness: self.settings.witness.clone().filter(|_| !is_try),
            screens: self.screens.clone(),
            ..TestContext::of(plan)
        };
        let mut attempt = Attempt::new(&mut **surface, listener, context);
        attempt.state = AttemptState {
            lock: plan.lock.clone().map(LockCursor::new),
            slot: given_up,
            available: self.pilots.invite(&plan.pilots),
            observed: (!matches!(purpose, Purpose::Run)).then(Observed::default),
            trial: if let Purpose::Try(trial) = purpose { Some(*trial) } else { None },
            ..AttemptState::default()
        };
        let end = run_test(&mut attempt, plan, &*self.preconditions, stop).await;
        if self.settings.is_locking && end.verdict == Verdict::Passed && plan.resumed.is_none() {
            let locked = Box::new(LockedTest {
                entries: std::mem::take(&mut attempt.state.resolved),
                refused: Vec::new(),
            });
            attempt.listener.event(RunFact::Resolved { test: plan.line.id.clone(), locked });
        }
        let (trial, observed) =
            (attempt.state.trial.take(), attempt.state.observed.take().unwrap_or_default());
        let struck = surface.faults_struck();
        let is_whole = trial.is_none() || surface.lift_faults(Deadline::after(LIFTING)).await.is_ok();
        if self.settings.own_browser || end.is_cut_off || end.verdict == Verdict::Error || !is_whole {
            self.close_surface().await;
        }
        AttemptEnd {
            verdict: end.verdict,
            reason: end.reason,
            last_page: end.last_page,
            interrupted: end.is_interrupted,
            struck: if trial.is_some() { struck } else { 0 },
            trouble: trial.and_then(|trial| trial.trouble),
            observed,
        }
    }

    /// Whether this worker will probably use the surface again after `plan`: the queue has enough tests for it and the
    /// workers before it.
    fn has_successor(&self, plan: &Plan) -> bool {
        if self.settings.own_browser || self.settings.has_standby() {
            return false;
        }
        let queue = self.queue.borrow();
        let is_alike = |next: &Plan| {
            next.line.browser == plan.line.browser
                && neighbours_of(next) == neighbours_of(plan)
                && next.policy.has_same_domains(&plan.policy)
        };
        let is_followed = queue.len() > self.number && queue.front().is_some_and(is_alike);
        self.settings.is_proving || is_followed
    }

    /// Resets the current browser, or opens another.
    async fn prepare(&mut self, plan: &Plan) -> Result<(), Failure> {
        let (browser, neighbours, policy) = (&plan.line.browser, neighbours_of(plan), &plan.policy);
        if let Some(open) = &mut self.surface
            && open.browser == *browser
            && open.neighbours == neighbours
            && open.policy.has_same_domains(policy)
            && open.surface.renew().await.is_ok()
        {
            // Late requests of the previous test's pages do not belong to this one.
            drop(open.surface.take_blocked());
            return Ok(());
        }
        self.close_surface().await;
        let surface = self.surface_source.open(browser, neighbours, policy).await?;
        self.surface =
            Some(OpenSurface { browser: browser.clone(), neighbours, policy: policy.clone(), surface });
        Ok(())
    }
}
