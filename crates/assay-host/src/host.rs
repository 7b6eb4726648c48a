//! The host: one guard and any number of jobs.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use assay_daemon::{BrowserLender, Guard};
use assay_protocol::Failure;

use crate::context::HostContext;
use crate::job::{self, Job};
use crate::live::{self, LivePage, PageSource};
use crate::navigation::{self, ExploreReport, ExploreSpec, ValidateReport, ValidateSpec};
use crate::plan::{PlanReport, PlanSpec};
use crate::run::{RunEnd, RunSpec};
use crate::script::{self, ScriptSpec};
use crate::twin::{TwinEnd, TwinSpec};
use crate::{plan, run, twin};

/// Starts runs and plans, several at a time. A clone is the same host.
#[derive(Clone)]
pub struct Host {
    pub(crate) context: HostContext,
    /// Ends the browsers of all jobs should this process die.
    guard: Arc<Mutex<Guard>>,
    /// Runs and browsers have names of their own in this process.
    runs: Arc<AtomicU32>,
    browsers: Arc<AtomicU32>,
}

impl Host {
    /// The guard is forked before the process has threads (`fork_guard`), or started as a program (`Guard::start`).
    pub fn new(context: HostContext, guard: Guard) -> Host {
        Host { context, guard: Arc::new(Mutex::new(guard)), runs: Arc::default(), browsers: Arc::default() }
    }

    /// Starts a run. A mistake in the suite or the settings is the job's end, not an error here.
    pub fn start(&self, spec: RunSpec) -> Result<Job<RunEnd>, Failure> {
        let host = self.clone();
        job::start("assay-run", move |desk| run::carry_out(&host, spec, &desk))
    }

    /// Starts a script, whose result is put on record as that of a test.
    pub fn run_script(&self, spec: ScriptSpec) -> Result<Job<RunEnd>, Failure> {
        let host = self.clone();
        job::start("assay-script", move |desk| script::carry_out(&host, spec, &desk))
    }

    /// Opens a page on which the test of a file is stepped through by those who look at it. `test` names one of several;
    /// with `is_going`, its steps are taken at once. The test is read before this returns, so the file may go.
    pub fn open_page(
        &self,
        spec: RunSpec,
        test: Option<&str>,
        is_going: bool,
        source: PageSource,
    ) -> Result<LivePage, Failure> {
        live::open_page(self, spec, test, is_going, source)
    }

    /// Starts the planning of tests: from a page, a goal or a document.
    pub fn plan(&self, spec: PlanSpec) -> Result<Job<PlanReport>, Failure> {
        let host = self.clone();
        job::start("assay-plan", move |desk| plan::carry_out(&host, &spec, &desk))
    }

    /// Compares two builds of an application by the same tests.
    pub fn twin(&self, spec: TwinSpec) -> Result<Job<TwinEnd>, Failure> {
        let host = self.clone();
        job::start("assay-twin", move |desk| twin::carry_out(&host, &spec, &desk))
    }

    /// Starts exploring an application.
    pub fn explore(&self, spec: ExploreSpec) -> Result<Job<ExploreReport>, Failure> {
        let host = self.clone();
        job::start("assay-explore", move |desk| navigation::explore(&host, &spec, &desk))
    }

    /// Starts walking every edge of a tree.
    pub fn validate_tree(&self, spec: ValidateSpec) -> Result<Job<ValidateReport>, Failure> {
        let host = self.clone();
        job::start("assay-validate", move |desk| navigation::validate(&host, &spec, &desk))
    }

    /// The same host with other settings: the guard stays one.
    pub(crate) fn with(&self, context: HostContext) -> Host {
        Host { context, ..self.clone() }
    }

    pub(crate) fn lender(&self) -> BrowserLender {
        BrowserLender::guarded_by(Arc::clone(&self.guard))
    }

    /// The number of the next run, from 1.
    pub(crate) fn next_run(&self) -> u32 {
        self.runs.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The number of the next browser, from 1.
    pub(crate) fn next_browser(&self) -> u32 {
        self.browsers.fetch_add(1, Ordering::Relaxed) + 1
    }
}
