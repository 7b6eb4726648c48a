//! The handle of a live page, for any number of threads. Its calls block.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assay_coordinator::Coordinator;
use assay_protocol::{ErrorCode, Failure, Scene, Secrets, TaskId};
use assay_runner::{PlanStep, TestSurface};
use tokio::sync::{mpsc, oneshot};

use super::desk::{Desk, Known};
use super::hand::{HandAct, HandDone};
use super::open::placed_steps;
use super::part::PartDone;
use super::steps::PlacedStep;
use super::view::{LiveElement, LiveLog, LiveUpdate, LiveView, PageStatus, StepOutcome};
use super::walker::CheckPlace;
use crate::context::HostContext;
use crate::job::Job;
use crate::run::RunSpec;

/// What a live page is asked for.
pub enum Order {
    Next,
    GoOn,
    Skip,
    /// Going on stops before the steps on these lines.
    StopAt(Vec<usize>),
    Edit {
        steps: Vec<PlacedStep>,
        secrets: Secrets,
    },
    Try {
        step: Box<PlanStep>,
        secrets: Secrets,
        answer: oneshot::Sender<StepOutcome>,
    },
    /// A part of the goal of a task.
    Part {
        step: Box<PlanStep>,
        secrets: Secrets,
        coordinator: Coordinator,
        task: TaskId,
        answer: oneshot::Sender<PartDone>,
    },
    Look {
        answer: oneshot::Sender<Result<Scene, Failure>>,
    },
    Hand {
        act: Box<HandAct>,
        is_recorded: bool,
        answer: oneshot::Sender<Result<HandDone, Failure>>,
    },
    Check {
        at: CheckPlace,
        answer: oneshot::Sender<Result<Vec<String>, Failure>>,
    },
    Claim {
        sentence: String,
        answer: oneshot::Sender<bool>,
    },
    EndRecording {
        answer: oneshot::Sender<()>,
    },
    Elements {
        answer: oneshot::Sender<Result<Vec<LiveElement>, Failure>>,
    },
    Log {
        answer: oneshot::Sender<Result<LiveLog, Failure>>,
    },
}

/// Where the page of a live page comes from.
pub enum PageSource {
    /// A browser of its own, for the test. `draft_of` is the file that the text of the test is, or would be: its lock is
    /// replayed as in a run.
    OwnBrowser { draft_of: Option<PathBuf> },
    /// A page that is there already, taken as it is.
    Surface(ForeignSurface),
}

impl PageSource {
    pub(super) fn draft_of(&self) -> Option<PathBuf> {
        match self {
            PageSource::OwnBrowser { draft_of } => draft_of.clone(),
            PageSource::Surface(_) => None,
        }
    }
}

/// A page of somebody else.
pub struct ForeignSurface {
    /// Reaches it, on the thread of the live page.
    pub open: Box<dyn FnOnce() -> Box<dyn TestSurface> + Send>,
    /// The file that its pictures pass through, without its ending.
    pub pictures: PathBuf,
}

/// A page that is looked at, used and stepped through. It ends when it is told to, and with its process; letting go of the
/// handle ends it too.
pub struct LivePage {
    desk: Arc<Desk>,
    orders: mpsc::UnboundedSender<Order>,
    job: Mutex<Option<Job<()>>>,
    /// How texts for this page are read.
    spec: Mutex<RunSpec>,
    context: HostContext,
}

impl LivePage {
    pub(super) fn new(
        desk: Arc<Desk>,
        orders: mpsc::UnboundedSender<Order>,
        job: Job<()>,
        spec: RunSpec,
        context: HostContext,
    ) -> LivePage {
        LivePage { desk, orders, job: Mutex::new(Some(job)), spec: Mutex::new(spec), context }
    }

    pub fn view(&self) -> LiveView {
        self.desk.view()
    }

    pub fn is_over(&self) -> bool {
        self.desk.status() == PageStatus::Ended
    }

    /// For how long nobody has looked at it or used it.
    pub fn unused_for(&self) -> Duration {
        self.desk.unused_for()
    }

    /// What has changed since the numbers that the caller knows, as soon as something has.
    pub fn await_change(
        &self,
        state: u64,
        picture: u64,
        most: Duration,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<LiveUpdate, Failure> {
        self.desk
            .await_change(Known { state, picture }, most, is_gone)
            .ok_or_else(|| Failure::new(ErrorCode::SessionBusy, "too many watch this page already"))
    }

    fn send(&self, order: Order) -> Result<(), Failure> {
        match self.desk.status() {
            PageStatus::Ended => Err(over()),
            PageStatus::Running => Err(busy("a step is being carried out")),
            PageStatus::Starting => Err(busy("the page is still being opened")),
            PageStatus::Paused => self.orders.send(order).map_err(|_| over()),
        }
    }

    fn ask<T>(&self, order: impl FnOnce(oneshot::Sender<T>) -> Order) -> Result<T, Failure> {
        let (answer, waiting) = oneshot::channel();
        self.send(order(answer))?;
        waiting.blocking_recv().map_err(|_| over())
    }

    /// Takes the next step; after the last one, what the claims come to.
    pub fn next(&self) -> Result<(), Failure> {
        self.send(Order::Next)
    }

    /// Takes all steps up to a stop, a step that does not pass, or the end.
    pub fn go_on(&self) -> Result<(), Failure> {
        self.send(Order::GoOn)
    }

    /// Leaves the next step out.
    pub fn skip(&self) -> Result<(), Failure> {
        self.send(Order::Skip)
    }

    /// Stops before the next step, where it goes on by itself.
    pub fn pause(&self) {
        self.desk.ask_pause();
    }

    pub fn stop_at(&self, lines: Vec<usize>) -> Result<(), Failure> {
        // Also while steps are taken: it holds from the next one on.
        if self.is_over() { Err(over()) } else { self.orders.send(Order::StopAt(lines)).map_err(|_| over()) }
    }

    /// The text of the test is another one now, in this file.
    pub fn edit(&self, file: &Path, test: Option<&str>) -> Result<(), Failure> {
        let (plan, steps) = self.read(file, test)?;
        self.send(Order::Edit { steps, secrets: plan })
    }

    /// Tries the first step of the test in this file, which is no step of the page's own test.
    pub fn try_sentence(&self, file: &Path) -> Result<StepOutcome, Failure> {
        let (secrets, steps) = self.read(file, None)?;
        let Some(first) = steps.into_iter().next() else {
            return Err(Failure::new(ErrorCode::Usage, "expected a sentence, found nothing"));
        };
        self.ask(|answer| Order::Try { step: Box::new(first.step), secrets, answer })
    }

    /// Carries out the first step of the test in this file as a part of the goal of a task.
    pub fn carry_out_part(
        &self,
        file: &Path,
        coordinator: Coordinator,
        task: TaskId,
    ) -> Result<PartDone, Failure> {
        let (secrets, steps) = self.read(file, None)?;
        let Some(first) = steps.into_iter().next() else {
            return Err(Failure::new(ErrorCode::Usage, "expected a sentence, found nothing"));
        };
        self.ask(|answer| Order::Part { step: Box::new(first.step), secrets, coordinator, task, answer })
    }

    /// Waits until nothing is being carried out on it.
    pub fn await_free(&self, most: Duration) {
        self.desk.await_free(most);
    }

    /// Everything that the page shows.
    pub fn scene(&self) -> Result<Scene, Failure> {
        self.ask(|answer| Order::Look { answer })?
    }

    fn read(&self, file: &Path, test: Option<&str>) -> Result<(Secrets, Vec<PlacedStep>), Failure> {
        let mut spec = self.spec.lock().unwrap_or_else(PoisonError::into_inner);
        spec.paths = vec![file.to_path_buf()];
        let (prepared, steps) = placed_steps(&self.context, &spec, test)?;
        Ok((prepared.plans.first().map(|plan| plan.secrets.clone()).unwrap_or_default(), steps))
    }

    pub fn by_hand(&self, act: HandAct, is_recorded: bool) -> Result<HandDone, Failure> {
        self.ask(|answer| Order::Hand { act: Box::new(act), is_recorded, answer })?
    }

    /// Claims that hold of the element.
    pub fn claims_of(&self, reference: &str) -> Result<Vec<String>, Failure> {
        let at = CheckPlace::Element(reference.to_string());
        self.ask(|answer| Order::Check { at, answer })?
    }

    /// Claims that hold of what is at a point of the view.
    pub fn claims_at(&self, x: f64, y: f64) -> Result<Vec<String>, Failure> {
        self.ask(|answer| Order::Check { at: CheckPlace::Point(x, y), answer })?
    }

    /// Records a claim, if it holds.
    pub fn record_claim(&self, sentence: &str) -> Result<(), Failure> {
        let sentence = sentence.to_string();
        match self.ask(|answer| Order::Claim { sentence: sentence.clone(), answer })? {
            true => Ok(()),
            false => Err(Failure::new(ErrorCode::NotFound, format!("this does not hold now: {sentence}"))),
        }
    }

    /// Says what was typed last.
    pub fn end_recording(&self) -> Result<(), Failure> {
        self.ask(|answer| Order::EndRecording { answer })
    }

    pub fn elements(&self) -> Result<Vec<LiveElement>, Failure> {
        self.ask(|answer| Order::Elements { answer })?
    }

    pub fn log(&self) -> Result<LiveLog, Failure> {
        self.ask(|answer| Order::Log { answer })?
    }

    /// Ends the page and its browser, and waits for that. The teardown of the test runs first.
    pub fn end(&self) {
        let job = self.job.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(job) = job {
            job.stop();
            job.wait_here();
        }
    }
}

impl Drop for LivePage {
    fn drop(&mut self) {
        if let Some(job) = self.job.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            job.stop();
        }
    }
}

fn over() -> Failure {
    Failure::new(ErrorCode::Stopped, "the page has ended")
}

fn busy(why: &str) -> Failure {
    Failure::new(ErrorCode::SessionBusy, why)
}
