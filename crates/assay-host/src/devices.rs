//! The devices of this machine, and who controls them.
//!
//! Sessions meet in the runtime folder of a user, so control of devices is kept there too: one state for all projects
//! and all processes of that user. Does not know how browsers are found or sessions asked: the program brings both.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use assay_coordinator::{ControlWish, Controlled, Coordinator, DeviceQueue};
use assay_daemon::MayDrive;
use assay_protocol::{
    DaemonStatus, DeviceInfo, DeviceLock, DeviceState, ErrorCode, Failure, HostInfo, RequestedBy,
};

use crate::state::state_failure;

/// The name of this machine among the hosts.
pub const LOCAL: &str = "local";
const SESSION: &str = "session:";
const WEB: &str = "web";
const STATE: &str = "devices";

/// The device of an open session.
pub fn session_device(session: &str) -> String {
    format!("{SESSION}{session}")
}

/// The session behind a device, if it is one.
pub fn session_of_device(device: &str) -> Option<&str> {
    device.strip_prefix(SESSION)
}

/// A browser that this machine may be able to open.
#[derive(Debug, Clone)]
pub struct BrowserOffer {
    pub name: String,
    /// The program and its version, or why there is none.
    pub model: Result<String, String>,
}

/// A session and what its daemon says; nothing if it does not answer.
#[derive(Debug, Clone)]
pub struct SessionOffer {
    pub name: String,
    pub status: Option<DaemonStatus>,
}

/// Control of the devices of one user on this machine.
#[derive(Debug, Clone)]
pub struct DeviceControl {
    folder: PathBuf,
}

impl DeviceControl {
    /// In the folder where the sessions of the user meet.
    pub fn in_runtime_folder(folder: &Path) -> DeviceControl {
        DeviceControl { folder: folder.join(STATE) }
    }

    /// Takes control, and waits for it for as long as `most`.
    pub fn take(
        &self,
        wish: &ControlWish,
        most: Option<Duration>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<DeviceLock, Failure> {
        let coordinator = Coordinator::open(&self.folder).map_err(state_failure)?;
        let came = match most {
            Some(most) => coordinator.await_control(wish, most, is_stopped),
            None => coordinator.take_control(wish),
        };
        match came.map_err(state_failure)? {
            Controlled::Taken(lock) => Ok(lock),
            Controlled::Refused { holder: Some(lock), ahead } => {
                let failure = busy(&lock);
                Err(match ahead {
                    0 | 1 => failure,
                    more => failure.detail(format!("{} more wait for it", more - 1)),
                })
            }
            Controlled::Refused { holder: None, ahead } => {
                let message = format!("`{}` is free, but {ahead} came earlier or matter more", wish.device);
                Err(Failure::new(ErrorCode::DeviceBusy, message)
                    .hint(format!("assay device take {} --wait 60", wish.device)))
            }
        }
    }

    /// Gives control back. Nobody else's lock ends without force.
    pub fn release(&self, device: &str, owner: &str, by_force: bool) -> Result<DeviceLock, Failure> {
        let Some(coordinator) = self.find()? else { return Err(nobody_controls(device)) };
        match coordinator.release_control(device, owner, by_force).map_err(state_failure)? {
            Some(lock) => Ok(lock),
            None => Err(match self.lock_of(device)? {
                Some(lock) => busy(&lock),
                None => nobody_controls(device),
            }),
        }
    }

    /// Who controls a device.
    pub fn lock_of(&self, device: &str) -> Result<Option<DeviceLock>, Failure> {
        Ok(self.controls()?.into_iter().find(|known| known.device == device).and_then(|known| known.lock))
    }

    /// Refuses to drive a device that somebody else controls.
    pub fn check(&self, devices: &[&str], owner: &str) -> Result<(), Failure> {
        let Some(coordinator) = self.find()? else { return Ok(()) };
        match coordinator.who_keeps_from(devices, owner).map_err(state_failure)? {
            Some(lock) => Err(busy(&lock)),
            None => Ok(()),
        }
    }

    /// The check of a daemon, before each act in its session. It keeps the state open.
    pub fn may_drive(&self, session: &str, browser: &str) -> MayDrive {
        let (control, devices) = (self.clone(), [session_device(session), browser.to_string()]);
        let kept: Mutex<Option<Coordinator>> = Mutex::new(None);
        Box::new(move |by| {
            let mut kept = kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if kept.is_none() {
                *kept = control.find()?;
            }
            let Some(coordinator) = &*kept else { return still_controls(by, None) };
            let taken = by.controls.as_ref().map(|device| {
                let controls = coordinator.controls()?;
                Ok(controls.into_iter().find(|known| known.device == *device).and_then(|known| known.lock))
            });
            let found = coordinator.who_keeps_from(&devices.each_ref().map(String::as_str), &by.owner);
            match found.and_then(|lock| Ok((lock, taken.transpose()?.flatten()))) {
                Ok((None, taken)) => still_controls(by, taken.as_ref()),
                Ok((Some(lock), _)) => Err(busy_for(&lock, by.guest.is_some())),
                Err(error) => {
                    // The file may have been removed with everything in it; the next act looks again.
                    *kept = None;
                    Err(state_failure(error))
                }
            }
        })
    }

    /// This machine with its browsers and sessions.
    pub fn host(
        &self,
        machine: HostInfo,
        browsers: Vec<BrowserOffer>,
        sessions: Vec<SessionOffer>,
    ) -> Result<HostInfo, Failure> {
        let controls = self.controls()?;
        let browsers = browsers.into_iter().map(browser_device);
        let devices = browsers.chain(sessions.into_iter().map(session_of));
        let devices = devices.map(|device| with_control(device, &controls)).collect();
        Ok(HostInfo { host: LOCAL.to_string(), devices, ..machine })
    }

    fn controls(&self) -> Result<Vec<DeviceQueue>, Failure> {
        match self.find()? {
            Some(coordinator) => coordinator.controls().map_err(state_failure),
            None => Ok(Vec::new()),
        }
    }

    /// Nothing is made for a question: without the file nobody controls anything.
    fn find(&self) -> Result<Option<Coordinator>, Failure> {
        match Coordinator::is_in(&self.folder) {
            true => Coordinator::open(&self.folder).map(Some).map_err(state_failure),
            false => Ok(None),
        }
    }
}

fn with_control(device: DeviceInfo, controls: &[DeviceQueue]) -> DeviceInfo {
    match controls.iter().find(|known| known.device == device.device) {
        Some(known) => DeviceInfo { lock: known.lock.clone(), queue: known.queue.clone(), ..device },
        None => device,
    }
}

fn device(name: String, model: String, state: DeviceState, health: String) -> DeviceInfo {
    DeviceInfo {
        device: name,
        host: LOCAL.to_string(),
        model,
        platform: WEB.to_string(),
        state,
        health,
        tabs: None,
        busy: None,
        lock: None,
        queue: Vec::new(),
    }
}

fn browser_device(offer: BrowserOffer) -> DeviceInfo {
    match offer.model {
        Ok(model) => device(offer.name, model, DeviceState::Ready, "ok".to_string()),
        Err(why) => device(offer.name.clone(), offer.name, DeviceState::Unavailable, why),
    }
}

fn session_of(offer: SessionOffer) -> DeviceInfo {
    let name = session_device(&offer.name);
    let Some(status) = offer.status else {
        let health = "its daemon does not answer".to_string();
        return device(name, "unknown".to_string(), DeviceState::Unavailable, health);
    };
    let (model, state) = match status.browser {
        Some(model) => (model, DeviceState::Open),
        None => ("no browser yet".to_string(), DeviceState::Starting),
    };
    DeviceInfo { tabs: Some(status.tabs), busy: status.busy, ..device(name, model, state, "ok".to_string()) }
}

/// Whoever took a device drives it only while they control it.
fn still_controls(by: &RequestedBy, lock: Option<&DeviceLock>) -> Result<(), Failure> {
    match &by.controls {
        Some(device) if lock.is_none_or(|lock| lock.owner != by.owner) => {
            let message = format!("your control of `{device}` has ended");
            Err(Failure::new(ErrorCode::DeviceBusy, message)
                .hint("take_control takes it again; release_control goes back to your own browser"))
        }
        _ => Ok(()),
    }
}

fn busy(lock: &DeviceLock) -> Failure {
    busy_for(lock, false)
}

/// A guest waits; to take a device away is for its user.
fn busy_for(lock: &DeviceLock, is_guest: bool) -> Failure {
    let purpose = if lock.purpose.is_empty() { String::new() } else { format!(" ({})", lock.purpose) };
    let device = &lock.device;
    let failure = Failure::new(ErrorCode::DeviceBusy, format!("{} controls `{device}`{purpose}", lock.owner));
    if is_guest {
        return failure.hint("wait for it: take_control with wait_seconds");
    }
    failure
        .detail(format!("control ends in {}, unless its owner goes on", span_words(lock.expires_in_s)))
        .hint(format!(
            "wait for it: assay device take {device} --wait 60; take it away: assay device release {device} --force"
        ))
}

/// `90 s`, `10 min`, `3 h`, `7 days`: as exact as a person asks.
pub fn span_words(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds.div_ceil(60)),
        7_200..172_800 => format!("{} h", seconds.div_ceil(3_600)),
        _ => format!("{} days", seconds.div_ceil(86_400)),
    }
}

fn nobody_controls(device: &str) -> Failure {
    Failure::new(ErrorCode::Usage, format!("nobody controls `{device}`")).hint("assay device list")
}
