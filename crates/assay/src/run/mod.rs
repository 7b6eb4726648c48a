//! `assay run`: a suite in plain language, carried out and told.

mod browsers;
mod choice;
mod dry;
mod locks;
mod plans;
mod preconditions;
mod record;
mod reports;
mod resume;
mod server;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use assay_coordinator::{RunOpening, this_process};
use assay_daemon::{BrowserLender, Sharing};
use assay_protocol::{Action, ErrorCode, Failure, Format, LockedTest, RunEvent, RunFact};
use assay_report::{Console, FailureBundles, Journal, Reporter, Style, TurnLog, exit_code, read_summary};
use assay_runner::{EventLog, Pictures, Plan, RunPlan, RunSettings, RunStart};
use assay_suite::{Loaded, RecoverySettings, load};

pub use browsers::{LentBrowsers, LentSurface};
pub use choice::{TestChoice, parse_shard};
pub use locks::{LockMode, lock_of};
pub use record::orphan_words;
pub use reports::WantedReports;
pub use resume::{Granularity, folder_of};

use locks::Locks;
use record::{ClaimedRun, Reporters, RunRecorder};
use resume::{Resuming, StartCommand};

use crate::argv;
use crate::command::{Command, Invocation};
use crate::connect::oneshot_settings;
use crate::engines;
use crate::environment::Environment;
use crate::models;
use crate::output;
use crate::outside::McpServer;
use crate::state;
use crate::trust::is_trusted;

/// How a suite is to be run, as the command line says it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOptions {
    pub paths: Vec<String>,
    pub choice: TestChoice,
    pub list: bool,
    pub dry_run: bool,
    pub workers: Option<usize>,
    /// A browser process of its own for each test.
    pub own_browser: bool,
    pub fail_fast: bool,
    pub locks: LockMode,
    /// What passes is run again with one thing broken at a time.
    pub proves: bool,
    pub slow_ms: u64,
    pub retries: Option<u32>,
    /// Empty: what the test or the project says, else the default.
    pub browsers: Vec<String>,
    pub base_url: Option<String>,
    pub reports: WantedReports,
    /// Where reports, pictures and bundles go.
    pub results: String,
    pub pictures: bool,
    /// Run the project's commands although the folder is not on the list of trusted ones.
    pub trust: bool,
    /// Who may be asked where the interpreter is not sure.
    pub models: models::ModelOptions,
}

pub fn run(options: &RunOptions, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(options, invocation, environment, None) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => output::print_failure(&failure, json),
    }
}

/// `assay resume`.
pub fn resume(
    which: Option<&str>,
    granularity: Granularity,
    invocation: &Invocation,
    environment: &Environment,
) -> ExitCode {
    let json = invocation.format == Format::Json;
    match go_on(which, granularity, environment) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => output::print_failure(&failure, json),
    }
}

/// The run is started as it was the first time, with what is left of it.
fn go_on(which: Option<&str>, granularity: Granularity, environment: &Environment) -> Result<u8, Failure> {
    let resuming = Resuming::find(state::ask_here(environment)?, which, granularity)?;
    let order = resuming.order()?;
    order.check_trust(&resuming.coordinator)?;
    std::env::set_current_dir(&order.folder).map_err(|err| {
        Failure::new(ErrorCode::Io, format!("the run was started in {}: {err}", order.folder.display()))
    })?;
    let invocation = argv::parse(&order.arguments, environment)?;
    let Command::Run(options) = &invocation.command else {
        return Err(Failure::new(ErrorCode::Internal, "what is on record as a run is none"));
    };
    carry_out(options, &invocation, environment, Some(resuming))
}

fn carry_out(
    options: &RunOptions,
    invocation: &Invocation,
    environment: &Environment,
    resuming: Option<Resuming>,
) -> Result<u8, Failure> {
    let loaded = load_suite(options)?;
    let read = |words: &str| command_of(words, environment);
    let mut makers = Vec::new();
    let mut rejected: Vec<(String, String)> = loaded
        .problems
        .iter()
        .map(|problem| (problem.file.display().to_string(), problem.to_string()))
        .collect();
    let chosen = models::choose(&options.models, loaded.project.model.as_deref())?;
    let pilots = plans::ModelWish { pilot: options.models.pilot, has_model: chosen.is_some() };
    let mut all = Vec::new();
    let mut locks = Locks::new(options.locks);
    for test in &loaded.tests {
        let mut test = test.clone();
        if let Some(base) = &options.base_url {
            test.base_url = Some(base.clone());
        }
        let browsers =
            browsers_of(options, test.browsers.iter().map(|browser| browser.as_str().to_string()).collect());
        match plans::plans_of(&test, &browsers, &pilots, &mut makers, &read) {
            Ok(more) => all.extend(more.into_iter().map(|plan| locks.give(&test, plan))),
            Err(problem) if rejected.contains(&problem) => {}
            Err(problem) => rejected.push(problem),
        }
    }
    for plan in &mut all {
        if let Some(retries) = options.retries {
            plan.retries = retries;
        }
    }
    let results = PathBuf::from(&options.results);
    let mut plans = options.choice.of(all, &results)?;
    if let Some(resuming) = &resuming {
        plans = resuming.left(plans);
    }
    if options.list {
        return Ok(dry::list(&plans, &rejected, invocation.format));
    }
    if options.dry_run {
        return Ok(dry::meanings(&plans, &rejected, invocation.format));
    }
    let commands = loaded.project.commands();
    if !commands.is_empty() && !options.trust && !is_trusted(&loaded.project.root) {
        let mut failure = Failure::new(
            ErrorCode::BlockedByPolicy,
            format!(
                "the project wants to run commands, and {} is not trusted",
                loaded.project.root.display()
            ),
        );
        for command in commands {
            failure = failure.detail(format!("it would run: {command}"));
        }
        return Err(failure.hint(format!("assay trust {}", loaded.project.root.display())));
    }
    std::fs::create_dir_all(&results)
        .map_err(|err| Failure::new(ErrorCode::Io, format!("could not make {}: {err}", results.display())))?;
    let mut settings = oneshot_settings(invocation, environment)?;
    settings.place.downloads = results.join("downloads");
    for problem in locks.unreadable() {
        eprintln!("note: nothing is replayed: {problem}");
    }
    for note in plans::note_open_gates(&mut plans, &settings.browser)? {
        eprintln!("note: {note}");
    }
    let coordinator = match &resuming {
        Some(resuming) => resuming.coordinator.clone(),
        None => state::open_for(&loaded.project, environment)?,
    };
    for task in coordinator.pause_orphans().map_err(state::failure)? {
        eprintln!("note: {}", record::orphan_words(&task));
    }
    let doing = format!("assay {}", std::env::args().skip(1).collect::<Vec<_>>().join(" "));
    let run = resuming.as_ref().map_or_else(run_name, |resuming| resuming.record.run.clone());
    let held = match &resuming {
        Some(resuming) => ClaimedRun::go_on(coordinator, &invocation.session, resuming.record.task, &doing)?,
        None => {
            let order = StartCommand {
                arguments: std::env::args().skip(1).collect(),
                folder: std::env::current_dir().unwrap_or_default(),
            };
            let opening = RunOpening {
                run: run.clone(),
                suite: loaded.project.suite.clone(),
                results: results.clone(),
                order: serde_json::to_value(order).unwrap_or_default(),
                owner: this_process(&doing).map_err(state::failure)?,
            };
            ClaimedRun::begin(coordinator, &invocation.session, opening)?
        }
    };
    // Forks: before any thread exists.
    let lender = BrowserLender::open()?;
    let workers = options.workers.or(loaded.project.workers).unwrap_or_else(default_workers);
    let past = resuming.map(|resuming| resuming.events).unwrap_or_default();
    // One that was cut off before it was announced begins as if it were the first time.
    let is_announced = past.iter().any(|event| matches!(event.what, RunFact::RunStarted { .. }));
    let beginning = if is_announced { RunStart::Resumed } else { RunStart::Anew };
    let order = RunPlan { run, suite: loaded.project.suite.clone(), plans, rejected, beginning };
    let run_settings = RunSettings {
        workers,
        own_browser: options.own_browser,
        fail_fast: options.fail_fast,
        slow: Duration::from_millis(options.slow_ms),
        pictures: options.pictures.then(|| Pictures { folder: results.clone() }),
        is_locking: options.locks == LockMode::Write,
        is_proving: options.proves,
    };
    let starts = loaded.project.start.iter().map(|start| server::ServerCommand {
        command: start.command.command.clone(),
        environment: start.command.environment.clone(),
        url: start.url.clone(),
        folder: start.cwd.clone(),
        time: start.timeout.unwrap_or(Duration::from_secs(60)),
    });
    let preconditions =
        preconditions::PreconditionMakers { ways: makers, folder: loaded.project.root.clone() };
    let recovery = loaded.project.recovery.clone();
    // Who attaches to a browser sees all of it: it must hold the pages of one test only.
    let is_attachable = recovery.mcp.is_some() && chosen.is_some();
    let sharing = if options.own_browser || is_attachable { Sharing::Never } else { Sharing::Allowed };
    let surface =
        Rc::new(browsers::LentBrowsers { lender, settings, opened: Cell::new(0), sharing, is_attachable });
    let root = loaded.project.root.clone();
    let work = Work {
        order,
        settings: run_settings,
        starts: starts.collect(),
        preconditions,
        surface,
        held,
        format: invocation.format,
        root,
        past,
        locks,
        chosen,
        recovery,
    };
    perform(work, options, &results, environment)
}

struct Work {
    order: RunPlan,
    settings: RunSettings,
    starts: Vec<server::ServerCommand>,
    preconditions: preconditions::PreconditionMakers,
    surface: Rc<browsers::LentBrowsers>,
    held: ClaimedRun,
    format: Format,
    /// The folder of the project.
    root: PathBuf,
    /// What happened before the run was cut off.
    past: Vec<RunEvent>,
    locks: Locks,
    /// The model to ask, if any.
    chosen: Option<models::ChosenModel>,
    recovery: RecoverySettings,
}

fn perform(
    work: Work,
    options: &RunOptions,
    results: &Path,
    environment: &Environment,
) -> Result<u8, Failure> {
    let io = |what: &str, err: std::io::Error| Failure::new(ErrorCode::Io, format!("{what}: {err}"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| io("could not start", err))?;
    let failures = results.join("failures");
    let root = work.root;
    let format = work.format;
    let style =
        Style::for_output(terminal_columns(), std::env::var("NO_COLOR").ok().as_deref(), environment.is_ci);
    // Standard output is data: with --json it is the report, and the talk goes elsewhere.
    let output: Box<dyn std::io::Write> =
        if work.format == Format::Json { Box::new(std::io::stderr()) } else { Box::new(std::io::stdout()) };
    let mut console = Console::new(output, style, Some(failures.clone())).verbose(options.models.verbose);
    let mut bundles = FailureBundles::new(results.to_path_buf(), failures);
    work.past.iter().for_each(|event| {
        console.recall(event);
        bundles.recall(event);
    });
    let mut turns = TurnLog::new(results.to_path_buf());
    turns.recall(&work.past);
    let journal = journal_of(&results.join("events.jsonl"), &work.past)
        .map_err(|err| io("could not write the journal", err))?;
    let recorder = Rc::new(RunRecorder {
        held: work.held,
        reporters: RefCell::new(Reporters { console, bundles, turns, journal }),
        trouble: RefCell::default(),
        waiting: RefCell::default(),
        resolved: RefCell::new(resolved_before(&work.past)),
    });
    let record: Rc<dyn EventLog> = Rc::<RunRecorder>::clone(&recorder);
    let browsers = Rc::clone(&work.surface);
    let mut tape = None;
    let started: Result<(), Failure> = runtime.block_on(async {
        let wired = models::wire(work.chosen.as_ref(), &options.models).await?;
        if let Some(tape) = &wired.tape {
            let secrets = work.order.plans.iter().flat_map(|plan| &plan.secrets);
            tape.keep_out(secrets.flat_map(|secret| assay_runner::secret_forms(secret)));
        }
        tape = wired.tape;
        let surface = Rc::clone(&work.surface);
        let outside = work.recovery.mcp.as_ref().map(|server| {
            Rc::new(McpServer::new(server, root.clone(), surface)) as Rc<dyn assay_pilot::OutsideTools>
        });
        let tiers = work.recovery.tiers.unwrap_or(3);
        let pilots = wired.models.with_recovery(assay_pilot::RecoveryWish { tiers, outside });
        let mut servers = Vec::new();
        for start in &work.starts {
            let (server, note) = server::Server::start(start, &work.surface.lender).await?;
            if let Some(note) = note {
                eprintln!("note: {note}");
            }
            servers.push(server);
        }
        let (stop_sender, stop) = tokio::sync::watch::channel(false);
        let interrupted = async {
            // A second one ends us at once, as it does any program.
            if tokio::signal::ctrl_c().await.is_ok() {
                let _nobody_listens_at_the_end = stop_sender.send(true);
                let _second = tokio::signal::ctrl_c().await;
                std::process::exit(130);
            }
            std::future::pending::<()>().await;
        };
        let told_to_end = async {
            let status = recorder.held.until_told_to_end().await;
            eprintln!("note: the run was {}; `assay resume` goes on with it", status.name());
            let _nobody_listens_at_the_end = stop_sender.send(true);
            std::future::pending::<()>().await;
        };
        let running = assay_runner::run(
            work.order,
            work.settings,
            work.surface,
            Rc::new(work.preconditions),
            Rc::new(pilots),
            stop,
            record,
        );
        tokio::select! {
            () = running => {}
            () = interrupted => {}
            () = told_to_end => {}
        }
        drop(servers);
        Ok(())
    });
    started?;
    if let Some(tape) = tape {
        eprintln!("note: {}", tape.finish()?);
    }
    let RunRecorder { reporters, trouble, held, resolved, .. } =
        Rc::into_inner(recorder).ok_or_else(|| {
            Failure::new(ErrorCode::Internal, "the run is over, and somebody still tells of it")
        })?;
    let reporters = reporters.into_inner();
    for problem in reporters.bundles.problems() {
        eprintln!("warning: {problem}");
    }
    for problem in reporters.turns.problems() {
        eprintln!("warning: {problem}");
    }
    reporters.console.finish().map_err(|err| io("could not print", err))?;
    // The state is put away, and the browser ends, while the reports are written.
    let (summary, written) = std::thread::scope(|scope| {
        // Where there can be no other thread it is dropped here.
        let _put_away = std::thread::Builder::new().spawn_scoped(scope, move || drop(held));
        // Nobody holds all of a run while it goes on: it is told from its journal.
        let journal = results.join("events.jsonl");
        let file = std::fs::File::open(&journal).map_err(|err| io("could not read the journal", err))?;
        let summary = read_summary(std::io::BufReader::new(file))
            .map_err(|err| Failure::new(ErrorCode::Io, format!("{}: {err}", journal.display())))?;
        let written = reports::write(&summary, &options.reports, results, &root);
        Ok((summary, written))
    })?;
    runtime.block_on(async {
        tokio::select! {
            () = browsers.lender.emptied() => {}
            _ = tokio::signal::ctrl_c() => std::process::exit(130),
        }
    });
    if let Some(trouble) = trouble.into_inner() {
        return Err(trouble);
    }
    written?;
    for line in work.locks.write(resolved.into_inner())? {
        eprintln!("note: {line}");
    }
    match format {
        Format::Json => output::print_line(reports::as_json(&summary)?.trim_end()),
        Format::Text => reports::tell_github(&summary, results, &root)?,
    }
    Ok(exit_code(&summary))
}

/// What tests resolved before the run was cut off.
fn resolved_before(past: &[RunEvent]) -> BTreeMap<String, LockedTest> {
    past.iter()
        .filter_map(|event| match &event.what {
            RunFact::Resolved { test, locked } => Some((test.clone(), (**locked).clone())),
            _ => None,
        })
        .collect()
}

/// The journal of a run, begun or gone on with. It is written anew from what is on record: its last line may be torn.
fn journal_of(path: &Path, past: &[RunEvent]) -> std::io::Result<Journal<std::fs::File>> {
    let mut journal = Journal::begin(std::fs::File::create(path)?)?;
    past.iter().for_each(|event| journal.event(event));
    Ok(journal)
}

fn load_suite(options: &RunOptions) -> Result<Loaded, Failure> {
    let paths: Vec<PathBuf> = options.paths.iter().map(PathBuf::from).collect();
    for path in &paths {
        if !path.exists() {
            return Err(Failure::new(
                ErrorCode::Usage,
                format!("expected a test file or a folder at {}, found nothing", path.display()),
            )
            .hint("assay init makes an example project"));
        }
    }
    Ok(load(&paths, &crate::engines::names(), &|name| std::env::var(name).ok()))
}

fn browsers_of(options: &RunOptions, said: Vec<String>) -> Vec<String> {
    if !options.browsers.is_empty() {
        return options.browsers.clone();
    }
    if !said.is_empty() {
        return said;
    }
    vec![engines::ENGINES[0].name.to_string()]
}

/// An exact command of a test, in the words of the command line.
fn command_of(words: &str, environment: &Environment) -> Result<Action, Failure> {
    let arguments = crate::words::split(words).map_err(|err| Failure::new(ErrorCode::Usage, err))?;
    match argv::parse(&arguments, environment)?.command {
        Command::Act(action) => Ok(action),
        _ => Err(Failure::new(ErrorCode::Usage, format!("`{words}` is no command for a page"))),
    }
}

/// By cores and memory: a browser with a few pages takes about half a gigabyte.
fn default_workers() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let free = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok()
    });
    let by_memory = free.map_or(cores, |kib| kib / (512 * 1024));
    cores.min(by_memory).max(1)
}

fn run_name() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    format!("run-{since}-{}", std::process::id())
}

fn terminal_columns() -> Option<usize> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    let mut size = std::mem::MaybeUninit::<libc::winsize>::zeroed();
    // SAFETY: the structure is only read when the call filled it.
    let size = unsafe {
        if libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, size.as_mut_ptr()) != 0 {
            return Some(80);
        }
        size.assume_init()
    };
    Some(if size.ws_col == 0 { 80 } else { usize::from(size.ws_col) })
}

/// The plans as lines, for those that only look.
fn lines_of(plans: &[Plan]) -> Vec<String> {
    plans.iter().map(|plan| format!("{}  {}", plan.line.id, plan.line.file)).collect()
}
