//! Browsers for a run: many at once, each guarded as a session's browser is, none left behind.

use std::fs::File;
use std::sync::{Arc, Mutex};

use assay_actions::{Call, Fault, Taking};
use assay_driver::{Deadline, Driver};
use assay_protocol::{Action, Answer, ErrorCode, Failure, TabLine, TargetMark};

use crate::engine::Engine;
use crate::guard::{Guard, fork_guard};
use crate::place::Place;
use crate::reaper::reap;
use crate::serve::Settings;

/// Where browsers are hired. One guard watches over all of them.
pub struct Agency {
    guard: Arc<Mutex<Guard>>,
}

impl Agency {
    /// Must be called while the process has one thread.
    pub fn open() -> Result<Agency, Failure> {
        let guard = fork_guard().map_err(|err| {
            Failure::new(ErrorCode::DaemonFailed, format!("could not start the guard: {err}"))
        })?;
        Ok(Agency { guard: Arc::new(Mutex::new(guard)) })
    }

    /// A group of processes that must not outlive us: a server that the run started.
    pub fn watch_group(&self, group: u32) {
        if let Ok(mut guard) = self.guard.lock() {
            // A guard that is gone cannot be told; the group is ended by its owner then.
            let _told = guard.watch_group(group);
        }
    }

    /// Starts a browser. The session's name in `settings` must be nobody else's.
    pub async fn hire(&self, driver: Arc<dyn Driver>, settings: Settings) -> Result<Hired, Failure> {
        let place = settings.place.clone();
        let failed =
            |what: &str, err: std::io::Error| Failure::new(ErrorCode::DaemonFailed, format!("{what}: {err}"));
        let lock = place.open_lock().map_err(|err| failed("could not open a lock", err))?;
        lock.try_lock().map_err(|err| failed("could not take a lock", err.into()))?;
        reap(&place);
        if let Ok(mut guard) = self.guard.lock() {
            for file in [place.lock_file(), place.record_file()] {
                guard.watch_file(&file).map_err(|err| failed("could not talk to the guard", err))?;
            }
        }
        let mut engine = Engine::new(driver, place.clone(), settings.browser, Arc::clone(&self.guard));
        let started = engine.start().await;
        let mut hired = Hired { engine, place, _lock: lock, used: false };
        match started {
            Ok(_) => Ok(hired),
            Err(failure) => {
                hired.end().await;
                Err(failure)
            }
        }
    }
}

/// One browser for as long as it is needed.
pub struct Hired {
    engine: Engine,
    place: Place,
    /// Held as long as the browser runs: others leave its files alone.
    _lock: File,
    /// The context that a browser begins with was used.
    used: bool,
}

impl Hired {
    pub async fn perform(&mut self, action: &Action, call: &Call) -> Result<Answer, Failure> {
        self.used = true;
        self.engine.perform(action, call).await
    }

    /// Where the target of the last action is on a picture of the page.
    pub fn mark(&self) -> Option<TargetMark> {
        self.engine.mark()
    }

    /// A picture of the page as it is now, taken on its own.
    pub fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure> {
        self.engine.picture(deadline)
    }

    /// Breaks something on purpose.
    pub async fn inject(&mut self, fault: &Fault, deadline: Deadline) -> Result<(), Failure> {
        self.engine.inject(fault, deadline).await
    }

    pub async fn lift_faults(&mut self, deadline: Deadline) -> Result<(), Failure> {
        self.engine.lift_faults(deadline).await
    }

    pub fn faults_struck(&self) -> u32 {
        self.engine.faults_struck()
    }

    /// One empty tab with cookies and storage of its own, and no other.
    pub async fn renew(&mut self, call: &Call) -> Result<(), Failure> {
        if !self.used {
            return Ok(());
        }
        let before = match self.engine.perform(&Action::Tabs, call).await? {
            Answer::Tabs { tabs } => tabs,
            _ => Vec::new(),
        };
        self.engine.perform(&Action::TabNew { url: None, isolated: true }, call).await?;
        for TabLine { tab, .. } in before {
            // A page that asks before it is left is closed without an answer all the same.
            let closed = self.engine.perform(&Action::TabClose { tab: Some(tab) }, call).await;
            if let Err(failure) = closed
                && failure.code != ErrorCode::NotFound
            {
                return Err(failure);
            }
        }
        Ok(())
    }

    pub async fn end(&mut self) {
        self.engine.stop().await;
        for file in [self.place.lock_file(), self.place.record_file()] {
            // The guard removes them too; whoever comes second finds nothing to do.
            let _removed = std::fs::remove_file(file);
        }
    }
}
