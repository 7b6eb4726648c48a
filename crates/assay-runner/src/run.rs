//! Many tests, side by side: workers with a stage each, attempts, and an end that is always told.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use assay_protocol::{Failure, LockedTest, RunEvent, RunFact, Verdict};
use tokio::sync::watch;
use tokio::task::LocalSet;

use crate::listener::Listener;
use crate::locking::Cursor;
use crate::picture::Pictures;
use crate::pilot::{Builtin, Pilot};
use crate::plan::Plan;
use crate::stage::{Stage, Surroundings, Theatre};
use crate::test::{TestEnd, run_test};
use crate::walk::Walk;

#[derive(Debug, Clone)]
pub struct Settings {
    pub workers: usize,
    /// A browser of its own for each test, not only a context.
    pub own_browser: bool,
    pub fail_fast: bool,
    pub slow: Duration,
    pub pictures: Option<Pictures>,
    /// What passed is written into lock files afterwards.
    pub is_locking: bool,
}

/// A run as it was asked for.
#[derive(Debug, Clone)]
pub struct Order {
    pub run: String,
    pub suite: String,
    pub plans: Vec<Plan>,
    /// File and message of what could not be read.
    pub rejected: Vec<(String, String)>,
    pub beginning: Beginning,
}

/// Whether a run begins or goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beginning {
    Anew,
    /// It was cut off: the plans are those that are left.
    Resumed,
}

/// Where all that happens in a run is kept.
pub trait Record {
    /// Returns when it is on record.
    fn event(&self, event: RunEvent);

    /// Why nothing can be put on record any more. Then no test is begun, and nothing that changes a page.
    fn trouble(&self) -> Option<Failure>;
}

/// Gives each fact its time.
struct Timed(Rc<dyn Record>);

impl Listener for Timed {
    fn tell(&self, what: RunFact) {
        self.0.event(RunEvent { at: now(), what });
    }

    fn trouble(&self) -> Option<Failure> {
        self.0.trouble()
    }
}

/// Runs all plans, and ends early when `stop` becomes true: then what ran is told, and what is left is not begun.
pub async fn run(
    order: Order,
    settings: Settings,
    theatre: Rc<dyn Theatre>,
    surroundings: Rc<dyn Surroundings>,
    stop: watch::Receiver<bool>,
    record: Rc<dyn Record>,
) {
    let began = Instant::now();
    let listener: Rc<dyn Listener> = Rc::new(Timed(record));
    let workers = settings.workers.clamp(1, order.plans.len().max(1));
    match order.beginning {
        Beginning::Anew => listener.tell(RunFact::RunStarted {
            run: order.run,
            suite: order.suite,
            tests: order.plans.iter().map(|plan| plan.line.clone()).collect(),
            workers,
        }),
        Beginning::Resumed => listener.tell(RunFact::RunResumed {
            tests: order.plans.iter().map(|plan| plan.line.id.clone()).collect(),
        }),
    }
    for (file, message) in order.rejected.into_iter().filter(|_| order.beginning == Beginning::Anew) {
        listener.tell(RunFact::FileRejected { file, message });
    }
    let queue = Rc::new(RefCell::new(VecDeque::from(order.plans)));
    let cut_short = Rc::new(Cell::new(false));
    let local = LocalSet::new();
    for number in 0..workers {
        let mut worker = Worker {
            number,
            settings: settings.clone(),
            theatre: Rc::clone(&theatre),
            surroundings: Rc::clone(&surroundings),
            queue: Rc::clone(&queue),
            cut_short: Rc::clone(&cut_short),
            listener: Rc::clone(&listener),
            stage: None,
        };
        let stop = stop.clone();
        local.spawn_local(async move {
            worker.work(stop).await;
        });
    }
    local.await;
    listener.tell(RunFact::RunFinished {
        interrupted: *stop.borrow(),
        duration_ms: began.elapsed().as_millis() as u64,
    });
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

struct Worker {
    number: usize,
    settings: Settings,
    theatre: Rc<dyn Theatre>,
    surroundings: Rc<dyn Surroundings>,
    queue: Rc<RefCell<VecDeque<Plan>>>,
    /// A test failed, and the rest is not to be begun.
    cut_short: Rc<Cell<bool>>,
    listener: Rc<dyn Listener>,
    /// The browser at hand, and which one it is.
    stage: Option<(String, Box<dyn Stage>)>,
}

impl Worker {
    async fn work(&mut self, mut stop: watch::Receiver<bool>) {
        loop {
            if *stop.borrow() || self.cut_short.get() || self.listener.trouble().is_some() {
                break;
            }
            let Some(plan) = self.queue.borrow_mut().pop_front() else { break };
            self.attempts(&plan, &mut stop).await;
        }
        self.leave().await;
    }

    async fn leave(&mut self) {
        if let Some((_, stage)) = self.stage.take() {
            stage.close().await;
        }
    }

    async fn attempts(&mut self, plan: &Plan, stop: &mut watch::Receiver<bool>) {
        let first = plan.attempts_before + 1;
        for attempt in first..=first + plan.retries {
            let started = Instant::now();
            self.listener.tell(RunFact::TestStarted {
                test: plan.line.id.clone(),
                attempt,
                worker: self.number,
            });
            let end = self.attempt(plan, stop).await;
            // What is unclear is as unclear the next time; only what failed may have been bad luck.
            let will_retry = attempt < first + plan.retries
                && matches!(end.verdict, Verdict::Failed | Verdict::Error)
                && !*stop.borrow()
                && self.listener.trouble().is_none();
            if end.verdict != Verdict::Passed && !will_retry && self.settings.fail_fast {
                self.cut_short.set(true);
            }
            self.listener.tell(RunFact::TestFinished {
                test: plan.line.id.clone(),
                attempt,
                verdict: end.verdict,
                reason: end.reason,
                flaky: end.verdict == Verdict::Passed && attempt > first,
                will_retry,
                last_page: end.last_page,
                duration_ms: started.elapsed().as_millis() as u64,
            });
            if !will_retry {
                return;
            }
        }
    }

    /// The stage stays the worker's own all the while: when the run is interrupted here, it is still closed.
    async fn attempt(&mut self, plan: &Plan, stop: &mut watch::Receiver<bool>) -> TestEnd {
        let broken =
            |reason: String| TestEnd { verdict: Verdict::Error, reason, last_page: None, is_cut_off: true };
        let prepared = tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => return broken("interrupted".to_string()),
            prepared = self.prepare(&plan.line.browser) => prepared,
        };
        if let Err(failure) = prepared {
            return broken(failure.message);
        }
        let Some((_, stage)) = &mut self.stage else { return broken("there is no browser".to_string()) };
        let pilots: Vec<Box<dyn Pilot>> = vec![Box::new(Builtin)];
        let mut walk = Walk::new(&mut **stage, &pilots, &*self.listener, &plan.selectors);
        walk.test = plan.line.id.clone();
        walk.base_url = plan.base_url.clone();
        walk.secrets = &plan.secrets;
        walk.pictures = self.settings.pictures.clone();
        walk.slow = self.settings.slow;
        walk.folder = plan.folder.clone();
        walk.policy = plan.policy.clone();
        walk.lock = plan.lock.clone().map(Cursor::new);
        walk.is_locking = self.settings.is_locking;
        let end = run_test(&mut walk, plan, &*self.surroundings, stop).await;
        if self.settings.is_locking && end.verdict == Verdict::Passed && plan.resumed.is_none() {
            let locked = Box::new(LockedTest { entries: std::mem::take(&mut walk.resolved) });
            self.listener.tell(RunFact::Resolved { test: plan.line.id.clone(), locked });
        }
        if self.settings.own_browser || end.is_cut_off || end.verdict == Verdict::Error {
            self.leave().await;
        }
        end
    }

    /// Makes the browser at hand as new, or opens another.
    async fn prepare(&mut self, browser: &str) -> Result<(), Failure> {
        if let Some((kind, stage)) = &mut self.stage
            && kind == browser
            && stage.renew().await.is_ok()
        {
            return Ok(());
        }
        self.leave().await;
        let stage = self.theatre.open(browser).await?;
        self.stage = Some((browser.to_string(), stage));
        Ok(())
    }
}
