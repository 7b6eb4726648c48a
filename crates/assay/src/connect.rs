//! From an invocation to a reply: by the session's daemon, or in oneshot mode by ourselves.

use std::path::PathBuf;
use std::process::ExitCode;

use assay_client::{Client, RuntimeFolder};
use assay_daemon::{DaemonSettings, SessionPaths, run_once};
use assay_protocol::{Ask, ErrorCode, Failure, Format, Outcome, PROTOCOL_VERSION, Reply, Request};

use crate::command::{Command, Invocation};
use crate::engines::{driver, engine};
use crate::environment::{Environment, build};
use crate::output;
use crate::{daemon, device, event};

pub fn act(invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == assay_protocol::Format::Json;
    let result = match request_of(invocation, environment) {
        None => Err(Failure::new(ErrorCode::Internal, "this command is not for a browser")),
        Some(request) => match uses_oneshot(invocation, environment) {
            true => once(invocation, environment, request),
            false => by_daemon(invocation, environment, &request),
        },
    };
    // A daemon tells of its browser itself.
    if uses_oneshot(invocation, environment)
        && let Ok(Reply { outcome: Outcome::Failed(failure), .. }) | Err(failure) = &result
    {
        event::browser_failed(&invocation.session, failure, environment);
    }
    match result {
        Ok(reply) => output::print_reply(&reply, invocation.format),
        Err(failure) => output::print_failure(&failure, json),
    }
}

/// A named session asks for a browser that stays, even where oneshot is the default.
pub fn uses_oneshot(invocation: &Invocation, environment: &Environment) -> bool {
    environment.oneshot && !invocation.named_session
}

fn by_daemon(
    invocation: &Invocation,
    environment: &Environment,
    request: &Request,
) -> Result<Reply, Failure> {
    let folder = runtime_folder(environment)?;
    let socket = folder.socket(&invocation.session)?;
    let start = || daemon::start(invocation, environment, &folder);
    Client::new(socket).ask(request, &start)
}

/// Asks the session's daemon, which is started when it does not run, for typed data.
pub fn ask_session(
    invocation: &Invocation,
    environment: &Environment,
    ask: Ask,
    deadline_ms: u64,
    wait: bool,
) -> Result<Outcome, Failure> {
    let request = Request {
        version: PROTOCOL_VERSION,
        build: build(),
        ask,
        deadline_ms,
        wait,
        budget: None,
        format: Format::Json,
        browser: invocation.browser.clone(),
        allow: invocation.allow.clone(),
        by: environment.requested_by(),
    };
    match by_daemon(invocation, environment, &request)?.outcome {
        Outcome::Failed(failure) => Err(failure),
        outcome => Ok(outcome),
    }
}

/// Nobody else controls the browser that is opened.
pub fn check_browser(invocation: &Invocation, environment: &Environment) -> Result<(), Failure> {
    let browser = engine(invocation.browser.engine.as_deref())?.name;
    device::control(environment)?.check(&[browser], &environment.owner)
}

fn once(invocation: &Invocation, environment: &Environment, request: Request) -> Result<Reply, Failure> {
    check_browser(invocation, environment)?;
    let mut answered = None;
    run_once(driver(&invocation.browser)?, oneshot_settings(invocation, environment)?, [request], |reply| {
        answered = Some(reply);
        true
    })?;
    answered.ok_or_else(|| Failure::new(ErrorCode::Internal, "the command was not answered"))
}

pub fn request_of(invocation: &Invocation, environment: &Environment) -> Option<Request> {
    let Command::Act(action) = &invocation.command else { return None };
    Some(Request {
        version: PROTOCOL_VERSION,
        build: build(),
        ask: Ask::Act(action.clone()),
        deadline_ms: invocation.timeout_ms,
        wait: invocation.wait,
        budget: invocation.budget,
        format: invocation.format,
        browser: invocation.browser.clone(),
        allow: invocation.allow.clone(),
        by: environment.requested_by(),
    })
}

pub fn runtime_folder(environment: &Environment) -> Result<RuntimeFolder, Failure> {
    let (named, user_runtime) = (environment.runtime.clone(), environment.user_runtime.clone());
    RuntimeFolder::open(named, user_runtime, &environment.temporary)
}

/// A window needs somewhere to be shown; the browser's own words for it help nobody.
fn check_display(invocation: &Invocation, environment: &Environment) -> Result<(), Failure> {
    if invocation.browser.headless != Some(false)
        || invocation.browser.connect.is_some()
        || environment.display.is_some()
    {
        return Ok(());
    }
    Err(Failure::new(ErrorCode::BrowserFailed, "--headed needs a display, but DISPLAY is not set")
        .hint(format!("{}, or leave --headed out", display_command(invocation, environment))))
}

/// How the command at hand gets a display. One that `xvfb-run` starts ends with the command, too early for a session.
fn display_command(invocation: &Invocation, environment: &Environment) -> String {
    let verb = match &invocation.command {
        Command::Run(options) if options.proves => "prove",
        Command::Run(_) => "run",
        Command::Plan(_) => "plan",
        Command::Doctor => "doctor",
        Command::Act(action) if uses_oneshot(invocation, environment) => action.verb(),
        Command::Batch { .. } if uses_oneshot(invocation, environment) => "batch",
        _ => return "Xvfb :99 & export DISPLAY=:99".to_string(),
    };
    format!("xvfb-run -a assay {verb} --headed")
}

pub fn settings(
    invocation: &Invocation,
    environment: &Environment,
    folder: &RuntimeFolder,
) -> Result<DaemonSettings, Failure> {
    check_display(invocation, environment)?;
    let downloads = environment.downloads.clone().unwrap_or_else(|| {
        // Downloads outlive the session: they are the user's.
        folder.path().join("downloads").join(&invocation.session)
    });
    Ok(DaemonSettings {
        place: SessionPaths {
            session: invocation.session.clone(),
            folder: folder.path().to_path_buf(),
            profiles: profile_folder(folder),
            downloads,
        },
        browser: invocation.browser.clone(),
        build: build(),
        idle_seconds: environment.idle_seconds,
        keeper: environment.keeper,
    })
}

pub fn oneshot_settings(
    invocation: &Invocation,
    environment: &Environment,
) -> Result<DaemonSettings, Failure> {
    let folder = runtime_folder(environment)?;
    let mut settings = settings(invocation, environment, &folder)?;
    // A name of its own: several oneshot commands may run at once.
    settings.place.session = format!("oneshot-{}", std::process::id());
    if environment.downloads.is_none() {
        settings.place.downloads = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    }
    Ok(settings)
}

/// In memory where there is room, which is quicker and leaves the disk alone.
fn profile_folder(folder: &RuntimeFolder) -> PathBuf {
    const ROOM: u64 = 512 * 1024 * 1024;
    let memory = PathBuf::from("/dev/shm");
    if free_space(&memory).is_some_and(|free| free > ROOM) { memory } else { folder.path().to_path_buf() }
}

pub fn free_space(path: &std::path::Path) -> Option<u64> {
    use std::os::unix::ffi::OsStrExt;
    let path = std::ffi::CString::new(path.as_os_str().as_bytes()).ok()?;
    let mut stats = std::mem::MaybeUninit::<libc::statvfs>::uninit();
    // SAFETY: the path ends with a zero, and the structure is only read when the call filled it.
    let stats = unsafe {
        if libc::statvfs(path.as_ptr(), stats.as_mut_ptr()) != 0 {
            return None;
        }
        stats.assume_init()
    };
    Some(stats.f_bavail * stats.f_frsize)
}
