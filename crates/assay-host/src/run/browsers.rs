//! Browsers for a run: turns the browser name of a plan into a driver, and its browser into a surface for a test.

use std::net::TcpListener;
use std::time::Duration;

use assay_actions::{Call, Fault, Policy, Taking};
use assay_coordinator::{Coordinator, NewEvent};
use assay_daemon::{BrowserLease, BrowserLender, DaemonSettings, Sharing};
use assay_driver::Capability;
use assay_driver::Deadline;
use assay_protocol::{Action, Answer, BlockedRequests, ErrorCode, Failure, TargetMark, TaskId, event_types};
use assay_runner::{LocalFuture, Neighbours, SurfaceSource, TestSurface};
use serde_json::json;

use crate::host::Host;

pub struct LentBrowsers {
    /// Has the drivers, and numbers the sessions of all jobs of the process.
    pub host: Host,
    pub lender: BrowserLender,
    /// The settings that all of them share; the engine and the session's name are filled in.
    pub settings: DaemonSettings,
    pub sharing: Sharing,
    /// Others are to attach to the browsers, where those can be attached to.
    pub is_attachable: bool,
    /// Takes reports of browsers that do not start.
    pub coordinator: Coordinator,
    pub task: TaskId,
}

impl SurfaceSource for LentBrowsers {
    fn open<'a>(
        &'a self,
        browser: &'a str,
        neighbours: Neighbours,
        policy: &'a Policy,
    ) -> LocalFuture<'a, Result<Box<dyn TestSurface>, Failure>> {
        Box::pin(async move {
            let number = self.host.next_browser();
            let sharing = self.sharing_with(neighbours);
            let mut settings = self.settings.clone();
            settings.browser.engine = Some(browser.to_string());
            settings.place.session = format!("run-{}-{number}", std::process::id());
            let driver = self.host.context.drivers.driver(&settings.browser);
            let driver = driver.inspect_err(|failure| self.tell(browser, failure))?;
            let mut endpoint = None;
            let is_ours = settings.browser.connect.is_none();
            if self.is_attachable && is_ours && driver.capabilities().contains(&Capability::DebuggingPort) {
                let port = free_port()?;
                settings.browser.debugging_port = Some(port);
                endpoint = Some(format!("http://127.0.0.1:{port}"));
            }
            let lease = self.lender.lend(driver, settings, sharing, policy).await;
            let lease = lease.inspect_err(|failure| self.tell(browser, failure))?;
            Ok(Box::new(LentSurface { lease, endpoint }) as Box<dyn TestSurface>)
        })
    }

    fn is_shared(&self, browser: &str, neighbours: Neighbours, policy: &Policy) -> bool {
        let mut settings = self.settings.browser.clone();
        settings.engine = Some(browser.to_string());
        let sharing = self.sharing_with(neighbours);
        self.host
            .context
            .drivers
            .driver(&settings)
            .is_ok_and(|driver| BrowserLender::is_shared(&*driver, &settings, sharing, policy))
    }
}

impl LentBrowsers {
    /// Tells once in a run that a browser is not to be had.
    fn tell(&self, browser: &str, failure: &Failure) {
        let Some(event_type) = event_types::alert_of(failure.code) else { return };
        let event = NewEvent {
            event_type: event_type.to_string(),
            device: browser.to_string(),
            priority: None,
            key: Some(format!("{event_type}:{}:{browser}", self.task)),
            payload: json!({ "run": self.task, "code": failure.code.name(), "message": failure.message }),
        };
        // The results of the tests say it as well.
        let _untold = self.coordinator.publish(&event);
    }

    fn sharing_with(&self, neighbours: Neighbours) -> Sharing {
        match neighbours {
            Neighbours::Others => self.sharing,
            Neighbours::Nobody => Sharing::Never,
        }
    }
}

/// One browser of the lender, as a surface.
pub struct LentSurface {
    pub lease: BrowserLease,
    /// Where others can attach to its browser.
    pub endpoint: Option<String>,
}

/// A port that is free now.
fn free_port() -> Result<u16, Failure> {
    let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    free.map(|address| address.port())
        .map_err(|err| Failure::new(ErrorCode::Io, format!("found no free port for the browser: {err}")))
}

impl TestSurface for LentSurface {
    fn perform<'a>(
        &'a mut self,
        action: &'a Action,
        call: &'a Call,
    ) -> LocalFuture<'a, Result<Answer, Failure>> {
        Box::pin(self.lease.perform(action, call))
    }

    fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure> {
        self.lease.picture(deadline)
    }

    fn inject<'a>(
        &'a mut self,
        fault: &'a Fault,
        deadline: Deadline,
    ) -> LocalFuture<'a, Result<(), Failure>> {
        Box::pin(self.lease.inject(fault, deadline))
    }

    fn lift_faults(&mut self, deadline: Deadline) -> LocalFuture<'_, Result<(), Failure>> {
        Box::pin(self.lease.lift_faults(deadline))
    }

    fn faults_struck(&self) -> u32 {
        self.lease.faults_struck()
    }

    fn take_blocked(&mut self) -> Vec<BlockedRequests> {
        self.lease.take_blocked()
    }

    fn waited(&self) -> Duration {
        self.lease.waited()
    }

    fn mark(&self) -> Option<TargetMark> {
        self.lease.mark()
    }

    fn endpoint(&self) -> Option<String> {
        self.endpoint.clone()
    }

    fn is_gone(&self) -> bool {
        self.lease.is_gone()
    }

    fn foresee(&mut self) {
        self.lease.foresee();
    }

    fn renew(&mut self) -> LocalFuture<'_, Result<(), Failure>> {
        Box::pin(async {
            let deadline = Deadline::after(Duration::from_secs(10));
            self.lease.renew(&Call { deadline, wait: false, policy: Policy::default() }).await
        })
    }

    fn close(mut self: Box<Self>) -> LocalFuture<'static, ()> {
        Box::pin(async move { self.lease.end().await })
    }
}
