//! A run from its first lock to its last report.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use assay_coordinator::{RunOpening, this_process};
use assay_daemon::Sharing;
use assay_pilot::{OutsideTools, RecoveryWish};
use assay_protocol::{ErrorCode, Failure, LockName, LockedTest, RunEvent, RunFact};
use assay_report::{FailureBundles, Journal, Reporter, Summary, TurnLog, exit_code, read_summary};
use assay_runner::{EventLog, Pictures, Plan, Preconditions, RunPlan, RunSettings, RunStart, Seams};
use assay_suite::{Project, RecoverySettings};

use super::basis::BasisKey;
use super::browsers::LentBrowsers;
use super::locks::LockMode;
use super::plans;
use super::preconditions::PreconditionMakers;
use super::prepare::{Prepared, prepare};
use super::record::{ClaimedRun, Reporters, RunRecorder, orphan_words};
use super::reports::{self, WantedReports};
use super::results_folder::{HeldResults, JOURNAL};
use super::server::{Server, ServerCommand};
use super::spec::{ProjectServers, RunSpec};
use crate::context::HostContext;
use crate::devices::DeviceControl;
use crate::host::Host;
use crate::job::{Desk, News};
use crate::models::{self, Tape};
use crate::outside::McpServer;
use crate::state::state_failure;

/// How a run ended.
#[derive(Debug)]
pub struct RunEnd {
    pub summary: Summary,
    /// Where reports, pictures and bundles are.
    pub results: PathBuf,
    /// The folder of the project.
    pub root: PathBuf,
    /// The exit code for a command line.
    pub exit_code: u8,
}

/// Nobody else controls a browser that the run needs.
pub(crate) fn check_devices(
    context: &HostContext,
    prepared: &Prepared,
    spec: &RunSpec,
) -> Result<(), Failure> {
    let mut browsers: Vec<&str> = prepared.plans.iter().map(|plan| plan.line.browser.as_str()).collect();
    browsers.sort_unstable();
    browsers.dedup();
    DeviceControl::in_runtime_folder(&spec.browser.place.folder).check(&browsers, &context.owner)
}

pub(crate) fn carry_out(host: &Host, spec: RunSpec, desk: &Desk) -> Result<RunEnd, Failure> {
    let prepared = prepare(&host.context, &spec)?;
    // A run of nothing says nothing, and would be the newest one on record.
    if spec.resuming.is_none() && prepared.plans.is_empty() && prepared.rejected.is_empty() {
        return Err(Failure::new(ErrorCode::Usage, "no test was selected, so nothing was run")
            .hint("assay run --list lists all tests"));
    }
    carry_out_prepared(host, spec, prepared, desk)
}

/// The same for tests that are ready.
pub(crate) fn carry_out_prepared(
    host: &Host,
    mut spec: RunSpec,
    mut prepared: Prepared,
    desk: &Desk,
) -> Result<RunEnd, Failure> {
    let context = &host.context;
    if let Some(key) = BasisKey::in_folder(context.configuration.as_deref()) {
        for plan in &mut prepared.plans {
            plan.line.basis = key.basis_of(plan, &prepared.makers);
        }
    }
    let resuming = spec.resuming.take();
    if let Some(resuming) = &resuming {
        prepared.plans = resuming.left(std::mem::take(&mut prepared.plans), &mut |text| desk.note(text));
    }
    prepared.check_trust(context, &spec)?;
    prepared.check_results(context, &spec)?;
    check_devices(context, &prepared, &spec)?;
    spec.browser.place.downloads = spec.results.join("downloads");
    if let Some(note) = &prepared.unchecked_requirements {
        desk.note(note.clone());
    }
    for problem in prepared.locks.unreadable() {
        desk.note(format!("nothing is replayed: {problem}"));
    }
    for note in plans::note_open_gates(&mut prepared.plans, &spec.browser.browser, &*context.drivers)? {
        desk.note(note);
    }
    let coordinator = match &resuming {
        Some(resuming) => resuming.coordinator.clone(),
        None => context.state.open_for(&prepared.project, &spec.folder)?,
    };
    for task in coordinator.pause_orphans().map_err(state_failure)? {
        desk.note(orphan_words(&task));
    }
    let doing = spec.start.command_line();
    let run = match &resuming {
        Some(resuming) => resuming.record.run.clone(),
        None => spec.name.clone().unwrap_or_else(|| run_name(host.next_run())),
    };
    let owner = this_process(&doing).map_err(state_failure)?;
    let lock = LockName::Session(spec.session.clone());
    let lease = coordinator.acquire(&lock, &owner).map_err(state_failure)?;
    // Held until the last report is written. A session that is taken is told first: it is known who has it.
    let _results = HeldResults::take(&spec.results)?;
    let claimed = match &resuming {
        Some(resuming) => ClaimedRun::go_on(coordinator, lease, resuming.record.task, &owner)?,
        None => {
            let opening = RunOpening {
                run: run.clone(),
                suite: prepared.project.suite.clone(),
                results: spec.results.clone(),
                order: serde_json::to_value(&spec.start).unwrap_or_default(),
                owner,
            };
            ClaimedRun::begin(coordinator, lease, &opening)?
        }
    };
    let past = resuming.map(|resuming| resuming.events).unwrap_or_default();
    Work::new(host, spec, prepared, claimed, past, run).perform(host, desk)
}

/// Everything a run needs once its session is taken.
struct Work {
    spec: RunSpec,
    plan: RunPlan,
    settings: RunSettings,
    project: Project,
    preconditions: PreconditionMakers,
    browsers: Rc<LentBrowsers>,
    claimed: ClaimedRun,
    /// The events before the run was interrupted.
    past: Vec<RunEvent>,
    locks: super::locks::Locks,
    model: Option<models::ChosenModel>,
}

impl Work {
    fn new(
        host: &Host,
        spec: RunSpec,
        prepared: Prepared,
        claimed: ClaimedRun,
        past: Vec<RunEvent>,
        run: String,
    ) -> Work {
        let Prepared { mut plans, rejected, project, makers, locks, model, .. } = prepared;
        if spec.witness.is_some() {
            plans.iter_mut().for_each(allow_for_looks);
        }
        // One that was cut off before it was announced begins as if it were the first time.
        let is_announced = past.iter().any(|event| matches!(event.what, RunFact::RunStarted { .. }));
        let beginning = if is_announced { RunStart::Resumed } else { RunStart::Anew };
        let strict = spec.strict || project.strict;
        let plan = RunPlan { run, suite: project.suite.clone(), plans, rejected, beginning, strict };
        let settings = RunSettings {
            workers: spec.workers.or(project.workers).unwrap_or_else(default_workers),
            own_browser: spec.own_browser,
            fail_fast: spec.fail_fast,
            slow: spec.slow,
            pictures: spec.pictures.then(|| Pictures { folder: spec.results.clone() }),
            is_locking: spec.locks == LockMode::Write,
            is_proving: spec.proves,
            witness: spec.witness.clone(),
        };
        // A program that attaches to a browser sees all of it, so the browser may hold the pages of only one test.
        let is_attachable = project.recovery.mcp.is_some() && model.is_some();
        let sharing = if spec.own_browser || is_attachable { Sharing::Never } else { Sharing::Allowed };
        let browsers = Rc::new(LentBrowsers {
            lender: host.lender(),
            settings: spec.browser.clone(),
            host: host.clone(),
            sharing,
            is_attachable,
            coordinator: claimed.coordinator.clone(),
            task: claimed.task,
        });
        let preconditions =
            PreconditionMakers { ways: makers, folder: project.root.clone(), browsers: Rc::clone(&browsers) };
        Work { spec, plan, settings, project, preconditions, browsers, claimed, past, locks, model }
    }

    fn perform(self, host: &Host, desk: &Desk) -> Result<RunEnd, Failure> {
        let Work { spec, plan, settings, project, preconditions, browsers, claimed, past, locks, model } =
            self;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|err| io("could not start the async runtime", err))?;
        let screens =
            crate::navigation::screens_of(&project.root, &claimed.coordinator, &mut |text| desk.note(text));
        let recorder = Rc::new(recorder_of(&spec.results, claimed, &past, desk)?);
        let lent = Rc::clone(&browsers);
        let tape = runtime.block_on(async {
            let wired = models::wire(&host.context, model.as_ref(), &spec.models).await?;
            if let Some(tape) = &wired.tape {
                tape.keep_out(plan.plans.iter().flat_map(|plan| plan.secrets.forms().to_vec()));
            }
            let recovery = recovery_wish(&project.recovery, &project.root, &browsers);
            let pilots = wired.models.with_recovery(recovery);
            // Stopped that early, the run begins nothing and says so.
            let servers = tokio::select! {
                servers = start_servers(&project, spec.servers, &browsers, desk) => servers?,
                () = desk.stopped() => Vec::new(),
            };
            let (stop_sender, stop) = tokio::sync::watch::channel(false);
            let stopped = async {
                desk.stopped().await;
                let _nobody_listens_at_the_end = stop_sender.send(true);
                std::future::pending::<()>().await;
            };
            let told_to_end = async {
                let status = recorder.claimed.until_told_to_end().await;
                desk.note(format!("the run was {}; `assay resume` continues it", status.name()));
                let _nobody_listens_at_the_end = stop_sender.send(true);
                std::future::pending::<()>().await;
            };
            let log: Rc<dyn EventLog> = Rc::<RunRecorder>::clone(&recorder);
            let preconditions: Rc<dyn Preconditions> = Rc::new(preconditions);
            let seams = Seams { surface_source: browsers, preconditions, pilots: Rc::new(pilots), screens };
            let running = assay_runner::run(plan, settings, seams, stop, log);
            tokio::select! {
                () = running => {}
                () = stopped => {}
                () = told_to_end => {}
            }
            drop(servers);
            Ok::<Option<Tape>, Failure>(wired.tape)
        })?;
        if let Some(tape) = tape {
            desk.note(tape.finish()?);
        }
        let RunRecorder { reporters, trouble, claimed, resolved, .. } =
            Rc::into_inner(recorder).ok_or_else(|| {
                Failure::new(
                    ErrorCode::Internal,
                    "internal: the run is over, but something still reports events",
                )
            })?;
        let reporters = reporters.into_inner();
        let problems = reporters.bundles.problems().iter().map(ToString::to_string);
        for problem in problems.chain(reporters.turns.problems().iter().map(ToString::to_string)) {
            desk.warn(problem);
        }
        desk.post(News::Over);
        let (summary, written) = write_reports(&spec.results, &spec.reports, &project.root, claimed)?;
        // A run that was stopped lets its browsers close. Whoever stops one that is over waits for nothing any more: what
        // is left of its browsers ends with the runtime.
        if summary.ending.is_some_and(|ending| ending.interrupted) {
            runtime.block_on(lent.lender.emptied());
        } else {
            runtime.block_on(desk.unless_stopped(lent.lender.emptied()));
        }
        drop(runtime);
        if let Some(trouble) = trouble.into_inner() {
            return Err(trouble);
        }
        written?;
        for line in locks.write(resolved.into_inner())? {
            desk.note(line);
        }
        let exit_code = if desk.is_stopped() { ErrorCode::Stopped.exit_code() } else { exit_code(&summary) };
        Ok(RunEnd { summary, results: spec.results, root: project.root, exit_code })
    }
}

/// The state is put away, and the browser ends, while the reports are written.
pub(crate) fn write_reports(
    results: &Path,
    wanted: &WantedReports,
    root: &Path,
    claimed: ClaimedRun,
) -> Result<(Summary, Result<PathBuf, Failure>), Failure> {
    std::thread::scope(|scope| {
        // If no other thread can be started, it is dropped here.
        let _put_away = std::thread::Builder::new().spawn_scoped(scope, move || drop(claimed));
        // No code keeps the whole run in memory: the summary is read from its journal.
        let journal = results.join(JOURNAL);
        let file = std::fs::File::open(&journal).map_err(|err| io("could not read the journal", err))?;
        let summary = read_summary(std::io::BufReader::new(file))
            .map_err(|err| Failure::new(ErrorCode::Io, format!("{}: {err}", journal.display())))?;
        let written = reports::write(&summary, wanted, results, root);
        Ok((summary, written))
    })
}

pub(crate) fn recorder_of(
    results: &Path,
    claimed: ClaimedRun,
    past: &[RunEvent],
    desk: &Desk,
) -> Result<RunRecorder, Failure> {
    let mut bundles = FailureBundles::new(results.to_path_buf(), results.join("failures"));
    for event in past {
        desk.post(News::Earlier(Box::new(event.clone())));
        bundles.recall(event);
    }
    let mut turns = TurnLog::new(results.to_path_buf());
    turns.recall(past);
    let journal =
        journal_of(&results.join(JOURNAL), past).map_err(|err| io("could not write the journal", err))?;
    Ok(RunRecorder {
        claimed,
        desk: desk.clone(),
        reporters: RefCell::new(Reporters { bundles, turns, journal }),
        trouble: RefCell::default(),
        waiting: RefCell::default(),
        resolved: RefCell::new(resolved_before(past)),
    })
}

fn recovery_wish(settings: &RecoverySettings, root: &Path, browsers: &Rc<LentBrowsers>) -> RecoveryWish {
    let outside = settings.mcp.as_ref().map(|server| {
        Rc::new(McpServer::new(server, root.to_path_buf(), Rc::clone(browsers))) as Rc<dyn OutsideTools>
    });
    RecoveryWish { tiers: settings.tiers.unwrap_or(3), outside }
}

pub(crate) async fn start_servers(
    project: &Project,
    wanted: ProjectServers,
    browsers: &LentBrowsers,
    desk: &Desk,
) -> Result<Vec<Server>, Failure> {
    let mut servers = Vec::new();
    for start in project.start.iter().filter(|_| wanted == ProjectServers::Started) {
        let command = ServerCommand {
            command: start.command.command.clone(),
            environment: start.command.environment.clone(),
            url: start.url.clone(),
            folder: start.cwd.clone(),
            time: start.timeout.unwrap_or(Duration::from_secs(60)),
        };
        let (server, note) = Server::start(&command, &browsers.lender).await?;
        if let Some(note) = note {
            desk.note(note);
        }
        servers.push(server);
    }
    Ok(servers)
}

/// The resolved entries of tests before the run was interrupted.
fn resolved_before(past: &[RunEvent]) -> BTreeMap<String, LockedTest> {
    past.iter()
        .filter_map(|event| match &event.what {
            RunFact::Resolved { test, locked } => Some((test.clone(), (**locked).clone())),
            _ => None,
        })
        .collect()
}

/// The journal of a new or resumed run. It is rewritten from the record, because its last line may be incomplete.
fn journal_of(path: &Path, past: &[RunEvent]) -> std::io::Result<Journal<std::fs::File>> {
    let mut journal = Journal::begin(std::fs::File::create(path)?)?;
    past.iter().for_each(|event| journal.event(event));
    Ok(journal)
}

/// What a witness takes is not the time of the test.
fn allow_for_looks(plan: &mut Plan) {
    const ONE_STEP: Duration = Duration::from_secs(5);
    let steps = [&plan.setup, &plan.steps, &plan.expected].map(|steps| steps.len()).iter().sum::<usize>();
    plan.timeouts.test += ONE_STEP * (steps + plan.preconditions.len()) as u32;
}

/// By cores and memory: a browser with a few pages takes about half a gigabyte.
pub(crate) fn default_workers() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let free = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok()
    });
    let by_memory = free.map_or(cores, |kib| kib / (512 * 1024));
    cores.min(by_memory).max(1)
}

/// Unique in this process by its number, and on this machine by the process and the second.
pub(crate) fn run_name(number: u32) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let process = std::process::id();
    if number == 1 { format!("run-{since}-{process}") } else { format!("run-{since}-{process}-{number}") }
}

fn io(what: &str, err: std::io::Error) -> Failure {
    Failure::new(ErrorCode::Io, format!("{what}: {err}"))
}
