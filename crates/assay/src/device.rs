//! `device`: the browsers of this machine, and who controls them.

use std::process::{Command as Process, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use assay_client::{RuntimeFolder, ask_running};
use assay_coordinator::ControlWish;
use assay_host::{BrowserOffer, DeviceControl, SessionOffer, session_device, session_of_device, span_words};
use assay_protocol::{
    Control, DeviceInfo, DeviceLock, ErrorCode, Failure, Format, HostInfo, LockPriority, Outcome, Owner,
};
use serde_json::json;

use crate::command::Invocation;
use crate::connect::runtime_folder;
use crate::engines::{ENGINES, Engine, names};
use crate::environment::{Environment, VERSION};
use crate::output;

#[derive(Debug, Clone, PartialEq)]
pub enum DeviceOperation {
    List,
    Info { device: String },
    Take(TakeOrder),
    Release { device: String, owner: Option<String>, by_force: bool },
}

#[derive(Debug, Clone, PartialEq)]
pub struct TakeOrder {
    pub device: String,
    /// By default the user.
    pub owner: Option<String>,
    pub period: Duration,
    pub wait: Option<Duration>,
    pub priority: LockPriority,
    pub purpose: String,
}

/// How long a session may take to say how it is.
const ASK_TIME: Duration = Duration::from_secs(3);

pub fn run(operation: &DeviceOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(operation, json, environment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn carry_out(operation: &DeviceOperation, json: bool, environment: &Environment) -> Result<(), Failure> {
    match operation {
        DeviceOperation::List => {
            let host = local_host(environment)?;
            match json {
                true => print_data(&json!({ "hosts": [host] })),
                false => print_host(&host),
            }
        }
        DeviceOperation::Info { device } => {
            let found = device_called(&local_host(environment)?, device)?;
            match json {
                true => print_data(&json!(found)),
                false => device_lines(&found, "").iter().for_each(|line| output::print_line(line)),
            }
        }
        DeviceOperation::Take(order) => {
            let lock = take(order, None, environment, &|| false)?;
            match json {
                true => print_data(&json!(lock)),
                false => output::print_line(&lock_words(&lock)),
            }
        }
        DeviceOperation::Release { device, owner, by_force } => {
            let owner = owner.as_deref().unwrap_or(&environment.owner);
            let lock = control(environment)?.release(device, owner, *by_force)?;
            match json {
                true => print_data(&json!(lock)),
                false => output::print_line(&format!("{device} is free; {} had it", lock.owner)),
            }
        }
    }
    Ok(())
}

fn print_data(data: &serde_json::Value) {
    output::print_json(&json!({ "ok": true, "data": data }));
}

pub fn control(environment: &Environment) -> Result<DeviceControl, Failure> {
    Ok(DeviceControl::in_runtime_folder(runtime_folder(environment)?.path()))
}

/// Takes control of a device that is there. With a process, control ends with it.
pub fn take(
    order: &TakeOrder,
    process: Option<Owner>,
    environment: &Environment,
    is_stopped: &dyn Fn() -> bool,
) -> Result<DeviceLock, Failure> {
    if order.period.is_zero() || order.period > Duration::from_secs(7 * 24 * 3600) {
        return Err(Failure::new(ErrorCode::Usage, "control lasts between 1 minute and a week"));
    }
    let folder = runtime_folder(environment)?;
    check_there(&order.device, environment)?;
    let wish = ControlWish {
        device: order.device.clone(),
        owner: order.owner.clone().unwrap_or_else(|| environment.owner.clone()),
        purpose: order.purpose.clone(),
        priority: order.priority,
        period: order.period,
        process,
    };
    DeviceControl::in_runtime_folder(folder.path()).take(&wish, order.wait, is_stopped)
}

/// Refuses a device that this machine does not have.
pub fn check_there(device: &str, environment: &Environment) -> Result<(), Failure> {
    let folder = runtime_folder(environment)?;
    let is_there = match session_of_device(device) {
        Some(session) => folder.sessions().iter().any(|known| known == session),
        None => names().contains(&device),
    };
    if is_there {
        return Ok(());
    }
    let sessions = folder.sessions().into_iter().map(|session| session_device(&session));
    let there = names().into_iter().map(str::to_string).chain(sessions).collect();
    Err(no_device(device, there))
}

fn no_device(device: &str, there: Vec<String>) -> Failure {
    Failure::new(ErrorCode::Usage, format!("there is no device `{device}`"))
        .hint(format!("devices: {}", there.join(", ")))
}

/// This machine with all its devices.
pub fn local_host(environment: &Environment) -> Result<HostInfo, Failure> {
    let folder = runtime_folder(environment)?;
    let (browsers, sessions) = thread::scope(|scope| {
        let browsers: Vec<_> =
            ENGINES.iter().map(|engine| scope.spawn(|| browser_offer(engine, environment))).collect();
        let sessions: Vec<_> = folder
            .sessions()
            .into_iter()
            .map(|name| {
                scope.spawn({
                    let folder = &folder;
                    move || session_offer(name, folder)
                })
            })
            .collect();
        let browsers: Vec<BrowserOffer> = browsers.into_iter().filter_map(|one| one.join().ok()).collect();
        let sessions: Vec<SessionOffer> =
            sessions.into_iter().filter_map(|one| one.join().ok().flatten()).collect();
        (browsers, sessions)
    });
    DeviceControl::in_runtime_folder(folder.path()).host(machine(), browsers, sessions)
}

/// One device by its name.
pub fn device_called(host: &HostInfo, device: &str) -> Result<DeviceInfo, Failure> {
    let found = host.devices.iter().find(|known| known.device == device).cloned();
    found.ok_or_else(|| no_device(device, host.devices.iter().map(|known| known.device.clone()).collect()))
}

fn machine() -> HostInfo {
    let first_line = |path: &str| std::fs::read_to_string(path).map(|text| text.trim().to_string());
    let memory_kb = first_line("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    });
    HostInfo {
        host: String::new(),
        machine: first_line("/proc/sys/kernel/hostname").unwrap_or_default(),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        cores: thread::available_parallelism().map_or(1, usize::from),
        memory_mb: memory_kb.unwrap_or_default() / 1024,
        version: VERSION.to_string(),
        devices: Vec::new(),
    }
}

fn browser_offer(engine: &Engine, environment: &Environment) -> BrowserOffer {
    let named = environment.program(engine).map(std::path::Path::new);
    let model = match (engine.driver)().find(named, true) {
        Ok(program) => Ok(version_of(&program)),
        Err(err) => Err(format!("{err}; install it with: assay setup --browser {}", engine.name)),
    };
    BrowserOffer { name: engine.name.to_string(), model }
}

/// As the program says it; its path if it says nothing.
fn version_of(program: &std::path::Path) -> String {
    let said = Process::new(program).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output();
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    said.ok().filter(|version| !version.is_empty()).unwrap_or_else(|| program.display().to_string())
}

/// Nothing for a socket without a daemon: that session has ended.
fn session_offer(name: String, folder: &RuntimeFolder) -> Option<SessionOffer> {
    let socket = folder.socket(&name).ok()?;
    let status = match ask_running(&socket, Control::Status, ASK_TIME) {
        Ok(None) => return None,
        Ok(Some(reply)) => match reply.outcome {
            Outcome::Status(status) => Some(status),
            _ => None,
        },
        Err(_) => None,
    };
    Some(SessionOffer { name, status })
}

fn print_host(host: &HostInfo) {
    output::print_line(&format!(
        "{} · {} · {} · {} cores, {} MB",
        host.host, host.machine, host.system, host.cores, host.memory_mb
    ));
    for device in &host.devices {
        device_lines(device, "  ").iter().for_each(|line| output::print_line(line));
    }
}

fn device_lines(device: &DeviceInfo, indent: &str) -> Vec<String> {
    let tabs = match device.tabs {
        Some(1) => ", 1 tab".to_string(),
        Some(tabs) => format!(", {tabs} tabs"),
        None => String::new(),
    };
    let busy = device.busy.as_ref().map(|verb| format!(", busy: {verb}")).unwrap_or_default();
    // Of a device that cannot be used, the reason counts.
    let what = if device.health == "ok" { &device.model } else { &device.health };
    let state = device.state.name();
    let mut lines = vec![format!("{indent}{:<18} {state:<12} {what}{tabs}{busy}", device.device)];
    lines.extend(device.lock.as_ref().map(|lock| format!("{indent}  {}", lock_words(lock))));
    for waiter in &device.queue {
        lines.push(format!("{indent}  {} waits, priority {}", waiter.owner, waiter.priority.name()));
    }
    lines
}

fn lock_words(lock: &DeviceLock) -> String {
    let purpose = if lock.purpose.is_empty() { String::new() } else { format!(" ({})", lock.purpose) };
    let span = span_words(lock.expires_in_s);
    format!("{} controls {}{purpose}; ends in {span}, unless an act renews it", lock.owner, lock.device)
}
