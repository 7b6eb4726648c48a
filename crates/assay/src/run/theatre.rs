//! Browsers for a run: the one place where a plan's browser name becomes a driver.

use std::cell::Cell;
use std::time::Duration;

use assay_daemon::{Agency, Hired, Settings, Sharing};
use assay_protocol::{Action, Answer, BlockedRequests, Failure, TargetMark};
use assay_runner::{Call, Deadline, Doing, Fault, Neighbours, Policy, Stage, Taking, Theatre};

use crate::engines::driver;

pub struct Browsers {
    pub agency: Agency,
    /// What all of them share; the engine and the session's name are filled in.
    pub settings: Settings,
    pub opened: Cell<u32>,
    pub sharing: Sharing,
}

impl Theatre for Browsers {
    fn open<'a>(
        &'a self,
        browser: &'a str,
        neighbours: Neighbours,
        policy: &'a Policy,
    ) -> Doing<'a, Result<Box<dyn Stage>, Failure>> {
        Box::pin(async move {
            let number = self.opened.get() + 1;
            self.opened.set(number);
            let sharing = match neighbours {
                Neighbours::Others => self.sharing,
                Neighbours::Nobody => Sharing::Never,
            };
            let mut settings = self.settings.clone();
            settings.browser.engine = Some(browser.to_string());
            settings.place.session = format!("run-{}-{number}", std::process::id());
            let hired = self.agency.hire(driver(&settings.browser)?, settings, sharing, policy).await?;
            Ok(Box::new(HiredStage(hired)) as Box<dyn Stage>)
        })
    }
}

/// One browser of the agency, as a stage.
pub struct HiredStage(pub Hired);

impl Stage for HiredStage {
    fn perform<'a>(&'a mut self, action: &'a Action, call: &'a Call) -> Doing<'a, Result<Answer, Failure>> {
        Box::pin(self.0.perform(action, call))
    }

    fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure> {
        self.0.picture(deadline)
    }

    fn inject<'a>(&'a mut self, fault: &'a Fault, deadline: Deadline) -> Doing<'a, Result<(), Failure>> {
        Box::pin(self.0.inject(fault, deadline))
    }

    fn lift_faults(&mut self, deadline: Deadline) -> Doing<'_, Result<(), Failure>> {
        Box::pin(self.0.lift_faults(deadline))
    }

    fn faults_struck(&self) -> u32 {
        self.0.faults_struck()
    }

    fn take_blocked(&mut self) -> Vec<BlockedRequests> {
        self.0.take_blocked()
    }

    fn waited(&self) -> Duration {
        self.0.waited()
    }

    fn mark(&self) -> Option<TargetMark> {
        self.0.mark()
    }

    fn foresee(&mut self) {
        self.0.foresee();
    }

    fn renew(&mut self) -> Doing<'_, Result<(), Failure>> {
        Box::pin(async {
            let deadline = Deadline::after(Duration::from_secs(10));
            self.0.renew(&Call { deadline, wait: false, policy: Policy::default() }).await
        })
    }

    fn close(mut self: Box<Self>) -> Doing<'static, ()> {
        Box::pin(async move { self.0.end().await })
    }
}
