//! Opening a live page: the test is read and prepared as for a run, and carried out on a thread of its own.

use std::rc::Rc;
use std::sync::Arc;

use assay_actions::{FileAccess, ProjectFiles};
use assay_coordinator::Coordinator;
use assay_daemon::Sharing;
use assay_protocol::{ErrorCode, Failure, TaskId};
use assay_runner::{
    Neighbours, Pilots, Plan, PlanStep, Preconditions, SteppedTest, SurfaceSource, step_through,
};
use assay_suite::{TestStep, load_in};
use tokio::sync::{mpsc, watch};
use tokio::task::LocalSet;

use super::desk::Desk;
use super::page::{LivePage, Order, PageSource};
use super::part::WitnessChair;
use super::steps::{PlacedStep, StepList};
use super::surface::{Lens, WatchedSurface};
use super::view::PageStatus;
use super::walker::Walker;
use crate::context::HostContext;
use crate::host::Host;
use crate::job::{self, Desk as JobDesk};
use crate::models;
use crate::run::{
    LentBrowsers, PreconditionMakers, Prepared, RunSpec, check_devices, prepare, start_servers,
};
use crate::scratch::Scratch;

/// The test of a run's only file, and its steps with their lines. Where there are several, `test` names one.
pub(super) fn placed_steps(
    context: &HostContext,
    spec: &RunSpec,
    test: Option<&str>,
) -> Result<(Prepared, Vec<PlacedStep>), Failure> {
    let mut prepared = prepare(context, spec)?;
    if let Some((_, message)) = prepared.rejected.first() {
        return Err(Failure::new(ErrorCode::Usage, message.trim().to_string()));
    }
    let is_it = |plan: &Plan| test.is_none_or(|name| plan.line.name == name || plan.line.id == name);
    let at = prepared.plans.iter().position(is_it);
    let plan = at.map(|at| prepared.plans.swap_remove(at)).ok_or_else(|| match test {
        Some(name) => Failure::new(ErrorCode::Usage, format!("the text has no test `{name}`")),
        None => Failure::new(ErrorCode::Usage, "the text has no test"),
    })?;
    prepared.check_trust(context, spec)?;
    let loaded = load_in(&spec.folder, &spec.paths, &context.drivers.names(), &*context.variables);
    let written = loaded.tests.iter().find(|written| plan.line.name == written.name);
    let lines = |steps: fn(&assay_suite::TestCase) -> &Vec<TestStep>| {
        written.map(|test| steps(test).iter().map(|step| step.position.line).collect()).unwrap_or_default()
    };
    let parts: [(&[PlanStep], Vec<usize>); 3] = [
        (&plan.setup, lines(|test| &test.setup)),
        (&plan.steps, lines(|test| &test.steps)),
        (&plan.expected, lines(|test| &test.expected)),
    ];
    let mut placed = Vec::new();
    for (steps, lines) in parts {
        let lines = lines.into_iter().chain(std::iter::repeat(0));
        placed.extend(steps.iter().cloned().zip(lines).map(|(step, line)| PlacedStep { step, line }));
    }
    prepared.plans = vec![plan];
    Ok((prepared, placed))
}

/// Opens a page for the test of the file in `spec`. With `is_going`, its steps are taken at once.
pub(crate) fn open_page(
    host: &Host,
    mut spec: RunSpec,
    test: Option<&str>,
    is_going: bool,
    source: PageSource,
) -> Result<LivePage, Failure> {
    let context = &host.context;
    let scratch = Scratch::make(&context.temporary, "live")?;
    spec.results = scratch.folder.clone();
    spec.draft_of = source.draft_of();
    spec.browser.place.downloads = scratch.folder.join("downloads");
    let (mut prepared, steps) = placed_steps(context, &spec, test)?;
    let is_foreign = matches!(source, PageSource::Surface(_));
    if !is_foreign {
        check_devices(context, &prepared, &spec)?;
    }
    let coordinator = context.state.open_for(&prepared.project, &spec.folder)?;
    let plan = prepared.plans.remove(0);
    let (orders, inbox) = mpsc::unbounded_channel();
    let desk = Arc::new(Desk::default());
    let settings = spec.browser.clone();
    let (servers, options) = (spec.servers, spec.models.clone());
    let room = Arc::clone(&desk);
    let own = host.clone();
    let job = job::start("assay-live", move |job_desk| {
        let work =
            Work { host: own, plan, prepared, steps, coordinator, settings, servers, options, scratch };
        // Whatever happens, nobody waits for a page that is over.
        let ended = Ending(Arc::clone(&room));
        let done = work.carry_out(source, is_going, inbox, &room, &job_desk);
        if let Err(failure) = &done {
            room.change(|view| view.note = failure.message.clone());
        }
        drop(ended);
        done
    })?;
    Ok(LivePage::new(desk, orders, job, spec, context.clone()))
}

struct Ending(Arc<Desk>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.change(|view| view.status = PageStatus::Ended);
    }
}

struct Work {
    host: Host,
    plan: Plan,
    prepared: Prepared,
    steps: Vec<PlacedStep>,
    coordinator: Coordinator,
    settings: assay_daemon::DaemonSettings,
    servers: crate::run::ProjectServers,
    options: models::ModelOptions,
    scratch: Scratch,
}

impl Work {
    fn carry_out(
        self,
        source: PageSource,
        is_going: bool,
        inbox: mpsc::UnboundedReceiver<Order>,
        desk: &Arc<Desk>,
        job: &JobDesk,
    ) -> Result<(), Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|err| {
            Failure::new(ErrorCode::Internal, format!("could not start the async runtime: {err}"))
        })?;
        let local = LocalSet::new();
        let done = runtime.block_on(local.run_until(self.step_through(source, is_going, inbox, desk, job)));
        runtime.shutdown_timeout(std::time::Duration::from_secs(5));
        done
    }

    async fn step_through(
        self,
        source: PageSource,
        is_going: bool,
        inbox: mpsc::UnboundedReceiver<Order>,
        desk: &Arc<Desk>,
        job: &JobDesk,
    ) -> Result<(), Failure> {
        let Work { host, mut plan, prepared, steps, coordinator, settings, servers, options, scratch } = self;
        let is_as_it_is = matches!(source, PageSource::Surface(_));
        if let FileAccess::Project(files) = &plan.policy.files {
            let results = scratch.folder.clone();
            plan.policy.files = FileAccess::Project(ProjectFiles { results, ..files.clone() });
        }
        let screens = crate::navigation::screens_of(&prepared.project.root, &coordinator, &mut |_| {});
        let browsers = Rc::new(LentBrowsers {
            lender: host.lender(),
            settings,
            host: host.clone(),
            sharing: Sharing::Never,
            is_attachable: false,
            coordinator,
            // It is no run, so it has no number.
            task: TaskId(0),
        });
        let (stop_sender, mut stop) = watch::channel(false);
        let mut running = Vec::new();
        let mut stem = scratch.folder.join("live");
        let surface = match source {
            PageSource::Surface(foreign) => {
                stem = foreign.pictures;
                (foreign.open)()
            }
            PageSource::OwnBrowser { .. } => {
                let opening = async {
                    let started = start_servers(&prepared.project, servers, &browsers, job).await?;
                    let opened = browsers.open(&plan.line.browser, Neighbours::Nobody, &plan.policy).await?;
                    Ok::<_, Failure>((started, opened))
                };
                match job.unless_stopped(opening).await {
                    None => return Ok(()),
                    Some(opened) => {
                        let (started, opened) = opened?;
                        running = started;
                        opened
                    }
                }
            }
        };
        let wired = models::wire(&host.context, prepared.model.as_ref(), &options).await?;
        if let Some(tape) = &wired.tape {
            tape.keep_out(plan.secrets.forms().to_vec());
        }
        let pilots = wired.models.invite(&plan.pilots);
        let lens = Lens { stem, is_jpeg: true };
        let chair = WitnessChair::default();
        let mut surface = WatchedSurface::new(surface, Arc::clone(desk), lens.clone(), chair.clone());
        let list = if is_as_it_is { StepList::default() } else { StepList::new(steps) };
        let makers = PreconditionMakers {
            ways: prepared.makers.clone(),
            folder: prepared.project.root.clone(),
            browsers: Rc::clone(&browsers),
        };
        let walker = Walker::new(&plan, Arc::clone(desk), inbox, list, lens, chair, is_going);
        let test = SteppedTest {
            plan: &plan,
            surface: &mut surface,
            listener: &walker,
            preconditions: &makers as &dyn Preconditions,
            pilots,
            screens,
            is_as_it_is,
        };
        let stopped = async {
            job.stopped().await;
            let _nobody_listens_at_the_end = stop_sender.send(true);
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = step_through(test, &walker, &mut stop) => {}
            () = stopped => {}
        }
        drop(walker);
        surface.into_inner().close().await;
        browsers.lender.emptied().await;
        drop(running);
        Ok(())
    }
}
