//! Faults: deliberate defects that a test must notice.
//!
//! They are not actions: no command line and no test file can request one. Faults accumulate until they end; only
//! one network fault is armed at a time.

use std::sync::Arc;

use assay_dom::{ElementFault, PageFaults};
use assay_driver::{Capability, Deadline, DriverError, FrameId, NetworkFault};
use assay_protocol::{Failure, Selector};

use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::Interrupted;
use crate::web::target::{frame_for, refusal};

/// One thing that goes wrong.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// A request of the current tab fails, in this document and in all that follow.
    Network(NetworkFault),
    /// Input to this element has no effect, as if its handler were broken. Ends with its document.
    Deaf { target: Selector },
    /// This element is disabled and stays so. Ends with its document.
    Disabled { target: Selector },
    /// These texts disappear from all documents of the session. Text that a user has typed into a field or an editor
    /// stays.
    Blank { texts: Vec<String> },
    /// The second text of each pair replaces the first, in all documents of the session.
    Swap { pairs: Vec<(String, String)> },
}

/// The faults of a session, and since when they are active.
#[derive(Default)]
pub(crate) struct InjectedFaults {
    pages: Arc<PageFaults>,
    /// Before the first fault and after the last, the session behaves as if there had been none.
    active: bool,
    /// How many requests had been struck before the first of these faults.
    struck_before: u32,
}

impl InjectedFaults {
    pub fn in_pages(&self) -> Option<Arc<PageFaults>> {
        self.active.then(|| Arc::clone(&self.pages))
    }

    fn set_texts(&mut self, texts: Vec<(String, String)>) {
        self.pages = Arc::new(self.pages.with_texts(texts));
    }
}

impl WebContext {
    /// Injects a fault. It resolves an element as a click does, but without waiting: a missing element is a failure.
    pub async fn inject(&mut self, fault: &Fault, deadline: Deadline) -> Result<(), Failure> {
        self.have_tab(deadline).await?;
        if !self.faults.active {
            let struck_before = self.observer.state().faults_struck;
            self.faults = InjectedFaults { active: true, struck_before, ..InjectedFaults::default() };
        }
        match fault {
            Fault::Network(fault) => self.arm_network(Some(fault.clone()), deadline).await,
            Fault::Deaf { target } => self.suffer(target, ElementFault::Deaf, deadline).await,
            Fault::Disabled { target } => self.suffer(target, ElementFault::Disabled, deadline).await,
            Fault::Blank { texts } => {
                let pairs = texts.iter().map(|text| (text.clone(), String::new()));
                self.reword(pairs, deadline).await
            }
            Fault::Swap { pairs } => self.reword(pairs.iter().cloned(), deadline).await,
        }
    }

    /// Ends all faults and restores the pages that are still open.
    pub async fn lift_faults(&mut self, deadline: Deadline) -> Result<(), Failure> {
        if !self.faults.active {
            return Ok(());
        }
        self.faults.set_texts(Vec::new());
        for tab in self.tabs() {
            if self.can(Capability::NetworkFaults) {
                let disarmed = tab.surface.set_network_fault(None, deadline);
                self.unless_gone(&tab, deadline, disarmed, "disarming the fault").await?;
            }
            for frame in tab.surface.frames() {
                let document = self.document(&tab, frame.id);
                self.unless_gone(&tab, deadline, document.lift_faults(deadline), "lifting faults").await?;
            }
        }
        self.faults.active = false;
        Ok(())
    }

    /// How often faults have taken effect since the first of the current or last group was injected: stopped requests,
    /// ignored input, disabled controls, changed texts. Effects in a page count after the next query to that page.
    pub fn faults_struck(&self) -> u32 {
        let requests = self.observer.state().faults_struck - self.faults.struck_before;
        requests + self.faults.pages.struck()
    }

    async fn arm_network(&mut self, fault: Option<NetworkFault>, deadline: Deadline) -> Result<(), Failure> {
        self.need(Capability::NetworkFaults)?;
        let tab = self.any_tab()?;
        let armed = tab.surface.set_network_fault(fault, deadline).await;
        armed.map_err(|err| Interrupted::Driver(err).into_failure("arming the fault"))
    }

    async fn suffer(
        &mut self,
        target: &Selector,
        fault: ElementFault,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        let tab = self.tab()?;
        let frame: FrameId = frame_for(self, &tab, target, "act", deadline, false).await?;
        let document = self.document(&tab, frame.clone());
        let report = self.unless_dialog(&tab, deadline, document.suffer(target, fault, deadline)).await;
        let report = report.map_err(|interrupted| interrupted.into_failure("injecting the fault"))?;
        self.note_refs(&tab, &frame, report.next);
        report.outcome.map(drop).map_err(|why| refusal(target, &why, &tab.url))
    }

    /// Adds texts to those that every query carries, and queries every document at once, so the page stops showing
    /// them immediately.
    async fn reword(
        &mut self,
        pairs: impl Iterator<Item = (String, String)>,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        let texts = self.faults.pages.texts().iter().cloned().chain(pairs).collect();
        self.faults.set_texts(texts);
        for tab in self.tabs() {
            for frame in tab.surface.frames() {
                let document = self.document(&tab, frame.id);
                self.unless_gone(&tab, deadline, document.page(deadline), "injecting the fault").await?;
            }
        }
        Ok(())
    }

    fn tabs(&self) -> Vec<TabHandle> {
        let state = self.observer.state();
        state.tabs.iter().map(|tab| TabHandle::of(&state, tab)).collect()
    }

    /// A missing answer is not a failure if the document or the tab has gone, because its faults go with it. Nor is
    /// it if a dialog blocks the page: every query carries the texts again.
    async fn unless_gone<T>(
        &self,
        tab: &TabHandle,
        deadline: Deadline,
        work: impl Future<Output = Result<T, DriverError>>,
        doing: &str,
    ) -> Result<(), Failure> {
        match self.unless_dialog(tab, deadline, work).await {
            Ok(_)
            | Err(Interrupted::Dialog(_))
            | Err(Interrupted::Driver(
                DriverError::DocumentGone | DriverError::Closed | DriverError::Crashed,
            )) => Ok(()),
            Err(interrupted) => Err(interrupted.into_failure(doing)),
        }
    }
}
