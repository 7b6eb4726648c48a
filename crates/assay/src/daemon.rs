//! Starting, asking and stopping daemons.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use assay_client::{RuntimeFolder, ask_running};
use assay_daemon::{Callers, DaemonSettings, GUARD_ARGUMENT, serve, stand_guard};
use assay_host::{DeviceControl, call_witness};
use assay_protocol::{Control, DaemonStatus, ErrorCode, Failure, Format, Outcome};

use crate::command::{DaemonOperation, Invocation};
use crate::connect::{runtime_folder, settings};
use crate::engines::{driver, engine};
use crate::environment::{Environment, this_program};
use crate::output::{print_failure, print_json, print_line, print_reply, status_line};

/// The word by which we call ourselves as a daemon. Not for users.
const DAEMON_WORD: &str = "__daemon";
const ASK_TIME: Duration = Duration::from_secs(10);

/// Runs the daemon, or the guard of another process, when this process was started to be one.
pub fn run_if_asked(arguments: &[String]) -> Option<ExitCode> {
    if arguments == [GUARD_ARGUMENT] {
        stand_guard();
        return Some(ExitCode::SUCCESS);
    }
    let [word, settings] = arguments else { return None };
    if word != DAEMON_WORD {
        return None;
    }
    // The client that started us reads one line: `ready`, or a failure.
    let tell = |line: &str| {
        let mut out = std::io::stdout().lock();
        let _reader_may_be_gone = writeln!(out, "{line}").and_then(|()| out.flush());
    };
    let served = match serde_json::from_str::<DaemonSettings>(settings) {
        Err(err) => {
            Err(Failure::new(ErrorCode::Internal, format!("the daemon's settings could not be read: {err}")))
        }
        Ok(settings) => driver(&settings.browser).and_then(|driver| {
            let browser = engine(settings.browser.engine.as_deref())?.name;
            let control = DeviceControl::in_runtime_folder(&settings.place.folder);
            let callers = Callers {
                call_witness: Box::new(call_witness),
                may_drive: control.may_drive(&settings.place.session, browser),
                hear_alarm: Box::new(crate::event::publish_alarm),
            };
            serve(driver, settings, callers, || {
                tell("ready");
                close_output();
            })
        }),
    };
    Some(match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tell(&serde_json::to_string(&failure).unwrap_or_else(|_| failure.message.clone()));
            ExitCode::from(failure.code.exit_code())
        }
    })
}

/// The client's pipe must not stay open for as long as the daemon lives.
fn close_output() {
    // SAFETY: standard output is replaced by /dev/null; nobody else uses the descriptor meanwhile.
    unsafe {
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
        if null >= 0 {
            libc::dup2(null, 1);
            libc::close(null);
        }
    }
}

/// Starts the session's daemon and waits until it takes requests.
pub fn start(
    invocation: &Invocation,
    environment: &Environment,
    folder: &RuntimeFolder,
) -> Result<(), Failure> {
    let failed = |what: &str, err: std::io::Error| {
        Failure::new(ErrorCode::DaemonFailed, format!("could not start the daemon: {what}: {err}"))
    };
    let settings = settings(invocation, environment, folder)?;
    std::fs::create_dir_all(&settings.place.downloads)
        .map_err(|err| failed("creating the downloads folder", err))?;
    let log =
        std::fs::File::create(settings.place.log_file()).map_err(|err| failed("opening its log", err))?;
    let told = serde_json::to_string(&settings).map_err(|err| failed("writing its settings", err.into()))?;
    let mut command = this_program().map_err(|err| failed("finding this program", err))?;
    command
        .args([DAEMON_WORD, &told])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .current_dir("/");
    // SAFETY: setsid is async-signal-safe. The daemon must not die with our terminal.
    unsafe {
        command.pre_exec(|| {
            libc::setsid();
            Ok(())
        });
    }
    let mut child = command.spawn().map_err(|err| failed("running it", err))?;
    let Some(out) = child.stdout.take() else {
        return Err(Failure::new(ErrorCode::Internal, "the daemon has no output to read"));
    };
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).map_err(|err| failed("reading its answer", err))?;
    match line.trim() {
        "ready" => Ok(()),
        "" => Err(Failure::new(ErrorCode::DaemonFailed, "the daemon ended during startup")
            .detail(format!("see its log: {}", settings.place.log_file().display()))),
        told => Err(serde_json::from_str(told).unwrap_or_else(|_| {
            Failure::new(ErrorCode::DaemonFailed, format!("the daemon did not start: {told}"))
        })),
    }
}

pub fn control(operation: DaemonOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    match try_control(operation, invocation, environment) {
        Ok(code) => code,
        Err(failure) => print_failure(&failure, invocation.format == Format::Json),
    }
}

fn try_control(
    operation: DaemonOperation,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    let folder = runtime_folder(environment)?;
    let socket = folder.socket(&invocation.session)?;
    let control = match operation {
        DaemonOperation::Start | DaemonOperation::Status => Control::Status,
        DaemonOperation::Stop => Control::Stop,
    };
    if operation == DaemonOperation::Start && ask_running(&socket, Control::Status, ASK_TIME)?.is_none() {
        start(invocation, environment, &folder)?;
    }
    match (ask_running(&socket, control, ASK_TIME)?, operation) {
        (Some(reply), DaemonOperation::Start | DaemonOperation::Status) => {
            Ok(print_reply(&reply, invocation.format))
        }
        (_, DaemonOperation::Stop) => {
            if invocation.format == Format::Json {
                print_json(
                    &serde_json::json!({ "ok": true, "data": { "session": invocation.session, "running": false } }),
                );
            }
            Ok(ExitCode::SUCCESS)
        }
        (None, _) => {
            match invocation.format {
                Format::Json => print_json(
                    &serde_json::json!({ "ok": true, "data": { "session": invocation.session, "running": false } }),
                ),
                Format::Text => print_line(&format!("{}: not running", invocation.session)),
            }
            Ok(ExitCode::from(1))
        }
    }
}

pub fn list(invocation: &Invocation, environment: &Environment) -> ExitCode {
    let folder = match runtime_folder(environment) {
        Ok(folder) => folder,
        Err(failure) => return print_failure(&failure, invocation.format == Format::Json),
    };
    let running = running_sessions(&folder);
    match invocation.format {
        Format::Json => print_json(&serde_json::json!({ "ok": true, "data": { "sessions": running } })),
        Format::Text if running.is_empty() => print_line("no session is running"),
        Format::Text => {
            for status in &running {
                print_line(&status_line(status));
            }
        }
    }
    ExitCode::SUCCESS
}

/// Sockets that nobody answers on are left to `doctor` and to the next start.
fn running_sessions(folder: &RuntimeFolder) -> Vec<DaemonStatus> {
    folder
        .sessions()
        .iter()
        .filter_map(|name| {
            let socket = folder.socket(name).ok()?;
            match ask_running(&socket, Control::Status, ASK_TIME).ok()??.outcome {
                Outcome::Status(status) => Some(status),
                _ => None,
            }
        })
        .collect()
}

pub fn stop_named(
    name: Option<&str>,
    all: bool,
    invocation: &Invocation,
    environment: &Environment,
) -> ExitCode {
    let json = invocation.format == Format::Json;
    let folder = match runtime_folder(environment) {
        Ok(folder) => folder,
        Err(failure) => return print_failure(&failure, json),
    };
    let names = if all { folder.sessions() } else { vec![name.unwrap_or(&invocation.session).to_string()] };
    for name in &names {
        let stopped = folder.socket(name).and_then(|socket| ask_running(&socket, Control::Stop, ASK_TIME));
        if let Err(failure) = stopped {
            return print_failure(&failure, json);
        }
    }
    if json {
        print_json(&serde_json::json!({ "ok": true, "data": { "stopped": names } }));
    }
    ExitCode::SUCCESS
}
