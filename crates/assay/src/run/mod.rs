//! `assay run` and `assay resume`: a suite in plain language, started, followed on the terminal and summed up.

mod dry;
mod github;
mod recorded;
mod repeating;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use assay_host::{
    Granularity, LockMode, ModelOptions, News, ProjectServers, Repeats, Resuming, RunEnd, RunSpec,
    StartCommand, TestChoice, WantedReports, prepare,
};
use assay_protocol::{ErrorCode, Failure, Format};
use assay_report::{Console, Reporter, Style, json_report};

use crate::argv;
use crate::command::{Command, Invocation};
use crate::connect::oneshot_settings;
use crate::environment::Environment;
use crate::following::follow;
use crate::script::{ScriptOperation, check_host};
use crate::{host, output, state};

pub use repeating::check_task;

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
    /// A test without an expectation is no pass.
    pub strict: bool,
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
    /// The host to run on; this machine if nobody says.
    pub host: Option<String>,
    /// Run the project's commands although the folder is not on the list of trusted ones.
    pub trust: bool,
    /// Who may be asked where the interpreter is not sure.
    pub models: ModelOptions,
}

pub fn run(options: &RunOptions, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    let done = host::here().and_then(|here| carry_out(options, invocation, environment, None, &here));
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => output::print_failure(&failure, json),
    }
}

/// `assay resume`.
pub fn resume(
    which: Option<&str>,
    granularity: Granularity,
    repeats: Repeats,
    invocation: &Invocation,
    environment: &Environment,
) -> ExitCode {
    let json = invocation.format == Format::Json;
    let found = state::ask_here(environment)
        .and_then(|coordinator| Resuming::find(coordinator, which, granularity, repeats));
    match found.and_then(|resuming| go_on(resuming, json, environment)) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => output::print_failure(&failure, json),
    }
}

/// The run is started as it was the first time, with what is left of it.
fn go_on(mut resuming: Resuming, json: bool, environment: &Environment) -> Result<u8, Failure> {
    let here = host::here()?;
    let limits = state::limits_here(environment)?;
    let start = resuming.start_command()?;
    limits.check_folder(&start.folder)?;
    if !json && !environment.is_ci {
        repeating::ask_on_terminal(&mut resuming)?;
    }
    std::env::set_current_dir(&start.folder).map_err(|err| {
        Failure::new(
            ErrorCode::Io,
            format!("could not enter {}, where the run was started: {err}", start.folder.display()),
        )
    })?;
    let invocation = argv::parse(&start.arguments, environment)?;
    let options = match &invocation.command {
        Command::Run(options) => options,
        Command::Script(ScriptOperation::Run(order)) => {
            let message = "a script that was cut off is not continued: nobody knows how far it came";
            return Err(
                Failure::new(ErrorCode::Usage, message).hint(format!("assay script run {}", order.name))
            );
        }
        _ => {
            return Err(Failure::new(ErrorCode::BlockedByPolicy, "the recorded command is not `assay run`"));
        }
    };
    recorded::check(options, &invocation, environment, &start.folder, &limits)?;
    carry_out(options, &invocation, environment, Some(resuming), &here)
}

/// `here` is the folder that the command was typed in; a run that is resumed moves to its own.
fn carry_out(
    options: &RunOptions,
    invocation: &Invocation,
    environment: &Environment,
    resuming: Option<Resuming>,
    here: &Path,
) -> Result<u8, Failure> {
    check_host(options.host.as_deref())?;
    let spec = spec_of(options, invocation, environment, resuming)?;
    if options.list || options.dry_run {
        let prepared = prepare(&host::context(environment)?, &spec)?;
        let (plans, rejected) = (&prepared.plans, &prepared.rejected);
        if options.list {
            return Ok(dry::list(plans, rejected, invocation.format));
        }
        let screens = prepared.screens();
        return Ok(dry::meanings(plans, rejected, screens.as_deref(), invocation.format));
    }
    let job = host::host(environment)?.start(spec)?;
    let style = run_style(environment);
    // Standard output is data: with --json it is the report, and the talk goes elsewhere.
    let out: Box<dyn std::io::Write> = if invocation.format == Format::Json {
        Box::new(std::io::stderr())
    } else {
        Box::new(std::io::stdout())
    };
    let failures = PathBuf::from(&options.results).join("failures");
    let console = Console::new(out, style, Some(failures)).verbose(options.models.verbose);
    let mut console = Some(console);
    let end = follow(job, |news| print_news(news, &mut console))?;
    finish_run(&end, invocation, environment, here)
}

/// How a run is shown on this terminal.
pub fn run_style(environment: &Environment) -> Style {
    Style::for_output(terminal_columns(), environment.no_color.as_deref(), environment.is_ci)
}

/// The report as data, or where it is; and the exit code.
pub fn finish_run(
    end: &RunEnd,
    invocation: &Invocation,
    environment: &Environment,
    here: &Path,
) -> Result<u8, Failure> {
    match invocation.format {
        Format::Json => {
            let report = json_report(&end.summary)
                .map_err(|err| Failure::new(ErrorCode::Internal, err.to_string()))?;
            output::print_json_text(report.trim_end());
        }
        Format::Text => {
            output::tell(&format!("report: {}", shown(&end.results.join("report.html"), here)));
            github::annotate(end, environment)?;
        }
    }
    Ok(end.exit_code)
}

fn spec_of(
    options: &RunOptions,
    invocation: &Invocation,
    environment: &Environment,
    resuming: Option<Resuming>,
) -> Result<RunSpec, Failure> {
    let folder = host::here()?;
    Ok(RunSpec {
        name: None,
        paths: options.paths.iter().map(PathBuf::from).collect(),
        choice: options.choice.clone(),
        workers: options.workers,
        own_browser: options.own_browser,
        fail_fast: options.fail_fast,
        strict: options.strict,
        locks: options.locks,
        draft_of: None,
        proves: options.proves,
        slow: Duration::from_millis(options.slow_ms),
        retries: options.retries,
        browsers: options.browsers.clone(),
        base_url: options.base_url.clone(),
        reports: options.reports.clone(),
        results: PathBuf::from(&options.results),
        pictures: options.pictures,
        trust: options.trust,
        models: host::models(&options.models, environment)?,
        session: invocation.session.clone(),
        browser: oneshot_settings(invocation, environment)?,
        start: StartCommand { arguments: std::env::args().skip(1).collect(), folder: folder.clone() },
        folder,
        resuming,
        witness: None,
        servers: ProjectServers::Started,
    })
}

/// The words of a run that a service was asked for, or that is on record: a run of tests inside the project.
pub fn check_words(
    words: &[String],
    environment: &Environment,
) -> Result<(Box<RunOptions>, Invocation), Failure> {
    let invocation = argv::parse(words, environment)?;
    let options = match &invocation.command {
        Command::Run(options) if !options.list && !options.dry_run => options.clone(),
        _ => return Err(Failure::new(ErrorCode::BlockedByPolicy, "the command is no run of tests")),
    };
    check_host(options.host.as_deref())?;
    recorded::check(&options, &invocation, environment, &host::here()?, &state::limits_here(environment)?)?;
    Ok((options, invocation))
}

/// A run of a service: in a session of its own, so that it runs beside others.
pub fn spec_for_service(
    words: &[String],
    name: &str,
    resuming: Option<Resuming>,
    environment: &Environment,
) -> Result<RunSpec, Failure> {
    let (options, invocation) = check_words(words, environment)?;
    let folder = match &resuming {
        Some(resuming) => resuming.start_command()?.folder,
        None => host::here()?,
    };
    let results = folder.join(&options.results);
    Ok(RunSpec {
        name: Some(name.to_string()),
        session: format!("serve-{name}"),
        start: StartCommand { arguments: words.to_vec(), folder: folder.clone() },
        folder,
        results,
        ..spec_of(&options, &invocation, environment, resuming)?
    })
}

/// A page of a service on which the test of a file is stepped through. Its results are nobody's: the folder is filled in.
pub fn spec_for_live_page(file: &Path, environment: &Environment) -> Result<RunSpec, Failure> {
    let words = ["run", "--"].map(str::to_string);
    let words = [words.as_slice(), &[file.display().to_string()]].concat();
    let invocation = argv::parse(&words, environment)?;
    let Command::Run(options) = &invocation.command else {
        return Err(Failure::new(ErrorCode::Internal, "internal: a run is not read as one"));
    };
    spec_of(options, &invocation, environment, None)
}

pub fn print_news(news: News, console: &mut Option<Console<Box<dyn std::io::Write>>>) -> Result<(), Failure> {
    match news {
        News::Event(event) => console.iter_mut().for_each(|console| console.event(&event)),
        News::Earlier(event) => console.iter_mut().for_each(|console| console.recall(&event)),
        News::Note(text) => output::tell(&format!("note: {text}")),
        News::Warning(text) => output::tell(&format!("warning: {text}")),
        News::Over => {
            let finished = console.take().map_or(Ok(()), Console::finish);
            finished.map_err(|err| Failure::new(ErrorCode::Io, format!("could not print: {err}")))?;
        }
    }
    Ok(())
}

/// Seen from the folder that the command was typed in, where it lies below.
fn shown(path: &Path, here: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    whole.strip_prefix(here).unwrap_or(&whole).display().to_string()
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
