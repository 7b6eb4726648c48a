//! One browser and the session on it, made when needed and made again after a crash.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assay_actions::{Call, Fault, Observer, Policy, Session, Taking, render_answer};
use assay_driver::{Browser, BrowserInfo, Deadline, Driver, DriverError, LaunchOptions, Viewport};
use assay_protocol::{Action, Answer, BrowserSettings, ErrorCode, Failure, Format, Outcome, TargetMark};

use crate::guard::Guard;
use crate::place::{Place, RECORD_VERSION, Record, remove_private_tree};
use crate::reaper::end_browsers_of;

/// Starting a browser may take this long on a busy machine.
const LAUNCH_TIME: Duration = Duration::from_secs(30);

pub(crate) struct Engine {
    driver: Arc<dyn Driver>,
    place: Place,
    settings: BrowserSettings,
    guard: Arc<Mutex<Guard>>,
    running: Option<Running>,
    /// The profile of a browser that is being started.
    starting: Option<PathBuf>,
    next_ref: u32,
    /// Refs up to here are on record as given out.
    reserved_refs: u32,
    launches: u32,
}

struct Running {
    session: Session,
    browser: Arc<dyn Browser>,
    observer: Arc<Observer>,
    profile: Option<PathBuf>,
}

/// Refs are reserved in steps, so that not every answer writes a file.
const REF_STEP: u32 = 500;

impl Engine {
    pub fn new(
        driver: Arc<dyn Driver>,
        place: Place,
        settings: BrowserSettings,
        guard: Arc<Mutex<Guard>>,
    ) -> Engine {
        // A session that crashed must not give a ref a second time to another element.
        let record = place.read_record();
        let next_ref = record.as_ref().map_or(1, |record| record.next_ref.max(1));
        Engine {
            driver,
            place,
            settings,
            guard,
            running: None,
            starting: None,
            next_ref,
            reserved_refs: next_ref,
            // A session that was ended on purpose leaves no record.
            launches: u32::from(record.is_some()),
        }
    }

    pub fn info(&self) -> Option<BrowserInfo> {
        self.running.as_ref().map(|running| running.browser.info())
    }

    pub fn observer(&self) -> Option<Arc<Observer>> {
        self.running.as_ref().map(|running| Arc::clone(&running.observer))
    }

    pub fn settings(&self) -> &BrowserSettings {
        &self.settings
    }

    /// Makes sure that a browser runs. A note comes back when an earlier one was lost.
    pub async fn start(&mut self) -> Result<Option<String>, Failure> {
        if let Some(running) = &self.running {
            if !running.observer.is_gone() {
                return Ok(None);
            }
            self.stop().await;
        }
        let deadline = Deadline::after(LAUNCH_TIME);
        let observer = Observer::new();
        let profile = match &self.settings.connect {
            Some(_) => None,
            None => Some(self.make_profile()?),
        };
        let options = LaunchOptions {
            program: self.settings.path.as_ref().map(PathBuf::from),
            headless: self.settings.headless.unwrap_or(true),
            profile: profile.clone().unwrap_or_default(),
            downloads: self.place.downloads.clone(),
            viewport: Viewport { width: 1280, height: 720, scale: 1.0 },
        };
        let sink = Arc::clone(&observer);
        let opened = match &self.settings.connect {
            Some(address) => self.driver.connect(address.clone(), options, sink, deadline).await,
            None => self.driver.launch(options, sink, deadline).await,
        };
        let browser = match opened {
            Ok(browser) => browser,
            Err(err) => {
                if let Some(profile) = &profile {
                    remove_private_tree(profile);
                }
                return Err(launch_failure(err, &self.settings));
            }
        };
        if let Some(pid) = browser.info().pid {
            self.with_guard(|guard| guard.watch_group(pid));
        }
        let session = Session::new(Arc::clone(&browser), Arc::clone(&observer), self.next_ref);
        self.running = Some(Running { session, browser, observer, profile });
        self.starting = None;
        self.launches += 1;
        let again = self.launches > 1;
        Ok(again.then(|| "the browser of this session had ended; a new one was started, without the old tabs and logins".to_string()))
    }

    fn make_profile(&mut self) -> Result<PathBuf, Failure> {
        let failed = |err: std::io::Error| {
            Failure::new(
                ErrorCode::Io,
                format!("could not make a profile in {}: {err}", self.place.profiles.display()),
            )
            .hint("is the disk full? assay doctor looks")
        };
        let profile = self.place.make_profile().map_err(failed)?;
        self.with_guard(|guard| guard.watch_profile(&profile));
        self.starting = Some(profile.clone());
        let record =
            Record { version: RECORD_VERSION, profile: profile.clone(), next_ref: self.reserved_refs };
        self.place.write_record(&record).map_err(failed)?;
        Ok(profile)
    }

    fn with_guard(&self, tell: impl FnOnce(&mut Guard) -> std::io::Result<()>) {
        // A guard that is gone cannot be told; the reaper of the next start does its work then.
        let _told = tell(&mut self.guard.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub async fn perform(&mut self, action: &Action, call: &Call) -> Result<Answer, Failure> {
        let Some(running) = &mut self.running else {
            return Err(Failure::new(ErrorCode::Internal, "no browser was started"));
        };
        let result = running.session.perform(action, call).await;
        self.next_ref = running.session.next_ref();
        if self.next_ref > self.reserved_refs {
            let profile = running.profile.clone().unwrap_or_default();
            self.reserved_refs = self.next_ref + REF_STEP;
            let record = Record { version: RECORD_VERSION, profile, next_ref: self.reserved_refs };
            if let Err(err) = self.place.write_record(&record) {
                eprintln!("could not write {}: {err}", self.place.record_file().display());
            }
        }
        result
    }

    /// Where the target of the last action is on a picture of the page.
    pub fn mark(&self) -> Option<TargetMark> {
        self.running.as_ref().and_then(|running| running.session.mark())
    }

    /// A picture of the page as it is now, taken on its own.
    pub fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure> {
        match &mut self.running {
            Some(running) => running.session.picture(deadline),
            None => Err(Failure::new(ErrorCode::Internal, "no browser was started")),
        }
    }

    /// Breaks something on purpose.
    pub async fn inject(&mut self, fault: &Fault, deadline: Deadline) -> Result<(), Failure> {
        match &mut self.running {
            Some(running) => running.session.inject(fault, deadline).await,
            None => Err(Failure::new(ErrorCode::Internal, "no browser was started")),
        }
    }

    /// Ends all that was broken on purpose.
    pub async fn lift_faults(&mut self, deadline: Deadline) -> Result<(), Failure> {
        match &mut self.running {
            Some(running) => running.session.lift_faults(deadline).await,
            None => Ok(()),
        }
    }

    /// How often what was broken has made a difference.
    pub fn faults_struck(&self) -> u32 {
        self.running.as_ref().map_or(0, |running| running.session.faults_struck())
    }

    /// Ends the browser and removes its profile.
    pub async fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            let group = running.browser.info().pid;
            let deadline = Deadline::after(Duration::from_secs(3));
            if let Err(err) = running.browser.close(deadline).await {
                eprintln!("closing the browser: {err}");
            }
            drop(running.session);
            drop(running.browser);
            if let Some(profile) = &running.profile {
                remove_private_tree(profile);
            }
            self.with_guard(|guard| guard.forget(running.profile.as_deref(), group));
        }
        // Stopped while it started: its process went with the task that waited for it.
        if let Some(profile) = self.starting.take() {
            end_browsers_of(&profile);
            remove_private_tree(&profile);
            self.with_guard(|guard| guard.forget(Some(&profile), None));
        }
    }

    /// The session was ended on purpose: nobody holds its refs any more, and the next one counts from the start.
    pub fn forget_refs(&self) {
        // Gone already is as good as removed.
        let _removed = std::fs::remove_file(self.place.record_file());
    }
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
                    "leave out --browser-path and the variable that names it to use the system's browser",
                )
            } else {
                let failure = failure.detail(format!("looked for {}", looked.join(", ")));
                match install {
                    Some(command) => failure.hint(format!("assay setup installs it, or run: {command}")),
                    None => failure.hint("install it with the packages of your system"),
                }
            }
        }
        DriverError::DisplayMissing { ref install, .. } => {
            let failure = Failure::new(ErrorCode::BrowserMissing, err.to_string());
            match install {
                Some(command) => failure.hint(format!("assay setup installs it, or run: {command}")),
                None => failure.hint("install Xvfb with the packages of your system"),
            }
        }
        DriverError::LaunchFailed { reason, output, .. } => {
            let mut failure =
                Failure::new(ErrorCode::BrowserFailed, format!("the browser did not start: {reason}"));
            for line in output.iter().rev().take(4).rev() {
                failure = failure.detail(line.clone());
            }
            failure.hint("assay doctor looks for the cause")
        }
        DriverError::ConnectFailed { address, reason } => {
            Failure::new(ErrorCode::BrowserFailed, format!("could not connect to {address}: {reason}"))
                .hint("start the browser with --remote-debugging-port=9222 and use --connect 9222")
        }
        other => {
            Failure::new(ErrorCode::BrowserFailed, other.to_string()).hint("assay doctor looks for the cause")
        }
    }
}

/// What a request asked for, as the client wants to read it.
pub(crate) fn outcome(result: Result<Answer, Failure>, format: Format, budget: Option<usize>) -> Outcome {
    match (result, format) {
        (Ok(answer), Format::Text) => {
            let (text, exit) = render_answer(&answer, budget);
            Outcome::Text { text, exit }
        }
        (Ok(answer), Format::Json) => {
            let exit = u8::from(matches!(answer, Answer::Is { holds: false, .. }));
            Outcome::Answer { answer: Box::new(answer), exit }
        }
        (Err(failure), _) => Outcome::Failed(failure),
    }
}

pub(crate) fn call_of(request: &assay_protocol::Request, deadline: Deadline) -> Call {
    Call {
        deadline,
        wait: request.wait,
        policy: Policy { allowed_schemes: request.allow.clone(), ..Policy::default() },
    }
}
