//! A browser that we started or attached to, with all that must go when it goes: its profile, and the guard's watch.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assay_actions::Policy;
use assay_driver::{Browser, Deadline, Driver, DriverError, EventSink, LaunchOptions, Viewport};
use assay_protocol::{BrowserSettings, ErrorCode, Failure};

use crate::gate::Gate;
use crate::guard::Guard;
use crate::reaper::end_browsers_of;
use crate::session_paths::{BrowserRecord, RECORD_VERSION, SessionPaths, remove_private_tree};

/// Starting a browser may take this long on a busy machine.
const LAUNCH_TIME: Duration = Duration::from_secs(30);
const CLOSING_TIME: Duration = Duration::from_secs(3);

pub(crate) struct OwnedBrowser {
    browser: Arc<dyn Browser>,
    /// Kept for as long as the browser: without it, nothing is reached.
    _gate: Option<Gate>,
    files: OwnedFiles,
}

/// What is on the disk and in the guard's list. Let go of, it is cleared.
struct OwnedFiles {
    guard: Arc<Mutex<Guard>>,
    /// None where the browser is somebody else's.
    profile: Option<PathBuf>,
    group: Option<u32>,
    /// Whether a process may still use the profile: it was not closed in order.
    is_inhabited: bool,
}

/// Where a browser is to be started, and how.
pub(crate) struct LaunchRequest<'a> {
    pub driver: &'a dyn Driver,
    pub place: &'a SessionPaths,
    pub settings: &'a BrowserSettings,
    pub guard: &'a Arc<Mutex<Guard>>,
    /// What may be reached from it. Held to from the first connection, where the browser is started by us.
    pub policy: &'a Policy,
    /// The first ref that was never given out, for the record.
    pub next_ref: u32,
    /// Whether an empty tab is wanted at once.
    pub first_tab: bool,
}

impl OwnedBrowser {
    /// Starts the browser. When this is given up half-way, what there is already is cleared.
    pub async fn open(
        building: LaunchRequest<'_>,
        sink: Arc<dyn EventSink>,
    ) -> Result<OwnedBrowser, Failure> {
        let LaunchRequest { driver, place, settings, guard, policy, next_ref, first_tab } = building;
        let deadline = Deadline::after(LAUNCH_TIME);
        let mut files =
            OwnedFiles { guard: Arc::clone(guard), profile: None, group: None, is_inhabited: true };
        if settings.connect.is_none() {
            files.make_profile(place, next_ref)?;
        }
        let gate = match &settings.connect {
            None if policy.limits_domains() => Some(open_gate(policy, driver, &sink).await?),
            _ => None,
        };
        let options = LaunchOptions {
            program: settings.path.as_ref().map(PathBuf::from),
            headless: settings.headless.unwrap_or(true),
            profile: files.profile.clone().unwrap_or_default(),
            downloads: place.downloads.clone(),
            viewport: Viewport { width: 1280, height: 720, scale: 1.0 },
            first_tab,
            gate: gate.as_ref().map(Gate::address),
            debugging_port: settings.debugging_port,
        };
        let opened = match &settings.connect {
            Some(address) => driver.connect(address.clone(), options, sink, deadline).await,
            None => driver.launch(options, sink, deadline).await,
        };
        let browser = opened.map_err(|err| launch_failure(err, settings))?;
        if let Some(pid) = browser.info().pid {
            files.group = Some(pid);
            files.tell_guard(|guard| guard.watch_group(pid));
        }
        Ok(OwnedBrowser { browser, _gate: gate, files })
    }

    pub fn browser(&self) -> Arc<dyn Browser> {
        Arc::clone(&self.browser)
    }

    /// The profile of the browser; empty where there is none.
    pub fn profile(&self) -> PathBuf {
        self.files.profile.clone().unwrap_or_default()
    }

    /// Asks the browser to end, and returns when it has heard.
    pub async fn dismiss(&self) {
        // One that does not hear is ended by `close`.
        let _heard = self.browser.dismiss(Deadline::after(CLOSING_TIME)).await;
    }

    /// Ends the browser and removes its profile.
    pub async fn close(mut self) {
        // One that does not close is ended with its files.
        if self.browser.close(Deadline::after(CLOSING_TIME)).await.is_ok() {
            self.files.is_inhabited = false;
        }
    }
}

impl OwnedFiles {
    fn make_profile(&mut self, place: &SessionPaths, next_ref: u32) -> Result<(), Failure> {
        let failed = |err: std::io::Error| {
            Failure::new(
                ErrorCode::Io,
                format!("could not create a profile in {}: {err}", place.profiles.display()),
            )
            .hint("the disk may be full; run `assay doctor` to check")
        };
        let profile = place.make_profile().map_err(failed)?;
        self.tell_guard(|guard| guard.watch_profile(&profile));
        self.profile = Some(profile.clone());
        place.write_record(&BrowserRecord { version: RECORD_VERSION, profile, next_ref }).map_err(failed)
    }

    fn tell_guard(&self, tell: impl FnOnce(&mut Guard) -> std::io::Result<()>) {
        // A guard that is gone cannot be told; the reaper of the next start does its work then.
        let _told = tell(&mut self.guard.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for OwnedFiles {
    fn drop(&mut self) {
        if let Some(profile) = &self.profile {
            if self.is_inhabited {
                end_browsers_of(profile);
            }
            remove_private_tree(profile);
        }
        self.tell_guard(|guard| guard.forget(self.profile.as_deref(), self.group));
    }
}

async fn open_gate(policy: &Policy, driver: &dyn Driver, sink: &Arc<dyn EventSink>) -> Result<Gate, Failure> {
    Gate::open(policy.clone(), driver.own_hosts(), Arc::clone(sink)).await.map_err(|err| {
        Failure::new(ErrorCode::Io, format!("could not restrict the browser to the allowed domains: {err}"))
    })
}

fn launch_failure(err: DriverError, settings: &BrowserSettings) -> Failure {
    match err {
        DriverError::BrowserMissing { driver, looked, install } => {
            let named = settings.path.is_some();
            let message = match (&settings.path, looked.first()) {
                (Some(path), _) => format!("expected a browser at {path}, found no program there"),
                (None, _) => format!("no {driver} browser was found on this system"),
            };
            let failure = Failure::new(ErrorCode::BrowserMissing, message);
            if named {
                failure.hint(
                    "to use the system's browser, leave out --browser-path and unset the variable that names it",
                )
            } else {
                let failure = failure.detail(format!("looked for {}", looked.join(", ")));
                match install {
                    Some(command) => failure.hint(format!("assay setup installs it, or run: {command}")),
                    None => failure.hint("install it with your system's package manager"),
                }
            }
        }
        DriverError::DisplayMissing { ref install, .. } => {
            let failure = Failure::new(ErrorCode::BrowserMissing, err.to_string());
            match install {
                Some(command) => failure.hint(format!("assay setup installs it, or run: {command}")),
                None => failure.hint("install Xvfb with your system's package manager"),
            }
        }
        DriverError::LaunchFailed { reason, output, .. } => {
            let mut failure =
                Failure::new(ErrorCode::BrowserFailed, format!("the browser did not start: {reason}"));
            for line in output.iter().rev().take(4).rev() {
                failure = failure.detail(line.clone());
            }
            failure.hint("run `assay doctor` to find the cause")
        }
        DriverError::ConnectFailed { address, reason } => {
            Failure::new(ErrorCode::BrowserFailed, format!("could not connect to {address}: {reason}"))
                .hint("start the browser with --remote-debugging-port=9222 and use --connect 9222")
        }
        other => Failure::new(ErrorCode::BrowserFailed, other.to_string())
            .hint("run `assay doctor` to find the cause"),
    }
}
