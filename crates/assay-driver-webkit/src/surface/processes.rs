//! The processes that show a tab, one after another, and the documents that come with them: what the reader of the
//! connection tells the tab.

use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use assay_driver::{Deadline, DriverError, DriverEvent, Frame, FrameId, Surface, WebPage};
use assay_protocol::Emulation;
use serde_json::{Value, json};

use super::{WebKitSurface, lock};
use crate::connection::{PendingReply, Recipient};
use crate::emulation::commands;
use crate::frames::MAIN;
use crate::hand_over::{HandOver, Heir};
use crate::navigation::NavigationAttempt;
use crate::protocol::*;

impl WebKitSurface {
    /// Opens the target: it answers with the process that shows it. New ones wait until they are told to
    /// run, so that our script is there before theirs.
    pub fn open(&self) {
        let connection = self.browser.connection();
        connection.open_target(self.target);
        let place = Recipient { target: self.target, page: None };
        drop(connection.send(place, "Target.setPauseOnStart", json!({ "pauseOnStart": true })));
    }

    pub fn process_came(self: Arc<Self>, info: TargetInfo) {
        if info.kind != "page" {
            return;
        }
        lock(&self.processes).push(info.target_id.clone());
        if info.is_provisional {
            self.hand_over().to(&info.target_id);
            self.with_attempt(NavigationAttempt::handed_over);
        }
        let connection = self.browser.connection();
        let place = Recipient { target: self.target, page: Some(&info.target_id) };
        let emulation = self.browser.with_settings(|settings| settings.emulation.clone());
        let bootstrap = &self.browser.bootstrap;
        let script = json!({ "source": bootstrap.source_with(emulation.clock, self.browser.new_windows()) });
        for (method, params) in [
            ("Page.enable", json!({})),
            ("Page.setBootstrapScript", script),
            ("Runtime.enable", json!({})),
            ("Network.enable", json!({})),
            ("Console.enable", json!({})),
        ] {
            drop(connection.send(place, method, params));
        }
        let emulated = commands(&Emulation::default(), &emulation);
        for (method, params) in emulated.into_iter().chain(self.fault_commands()) {
            drop(connection.send(place, method, params));
        }
        if info.is_paused {
            let target = Recipient { target: self.target, page: None };
            drop(connection.send(target, "Target.resume", json!({ "targetId": info.target_id })));
        }
        if !info.is_provisional {
            let lead_on = json!({ "expression": bootstrap.lead_on(), "returnByValue": true });
            drop(connection.send(place, "Runtime.evaluate", lead_on));
            self.process_changed(info.target_id);
        }
    }

    /// Another process shows the page from now on.
    pub fn process_changed(self: Arc<Self>, process: String) {
        let before = lock(&self.process).replace(process.clone());
        if let Some(before) = before {
            self.browser.connection().end_page(self.target, &before);
        }
        self.frame_table().clear();
        let heir = self.hand_over().take(&process);
        Arc::clone(&self).learn_frames(process);
        self.tell_of(heir);
    }

    /// What was told before anybody knew whether it would come to anything. The request that was handed over goes on under
    /// its first name.
    fn tell_of(self: &Arc<Self>, heir: Option<Heir>) {
        let Some(Heir { process, request: mut first, told, .. }) = heir else { return };
        for (method, params) in told {
            if method == "Network.requestWillBeSent"
                && let Some(first) = first.take()
                && let Ok(RequestWillBeSent { request_id, .. }) = parse(&params)
            {
                self.with_attempt(|attempt| attempt.requested(&request_id));
                self.hand_over().goes_on_as(request_id, first);
                continue;
            }
            let _understood = self.page_event(&process, &self.browser.bootstrap, &method, &params);
        }
    }

    /// A process has gone that never came to show anything.
    fn give_up(&self, heir: Heir) {
        if heir.is_replaced {
            return;
        }
        for (method, params) in &heir.told {
            self.with_attempt(|attempt| {
                let _understood = attempt.told(method, params);
            });
        }
        self.with_attempt(NavigationAttempt::given_up);
        let (surface, frame) = (self.id(), self.main_frame());
        if let Some(id) = heir.request {
            let (surface, error) = (surface.clone(), "the browser cancelled it".to_string());
            self.tell(DriverEvent::RequestFailed { surface, id, error, cancelled: true });
        }
        self.tell(DriverEvent::LoadingStopped { surface, frame, is_main: true });
    }

    /// The navigation that another process may have been handed.
    pub fn hand_over(&self) -> MutexGuard<'_, HandOver> {
        lock(&self.hand_over)
    }

    pub fn process_went(&self, process: &str) {
        lock(&self.processes).retain(|known| known != process);
        self.browser.connection().end_page(self.target, process);
        let heir = self.hand_over().take(process);
        if let Some(heir) = heir {
            self.give_up(heir);
        }
        let mut current = lock(&self.process);
        if current.as_deref() == Some(process) {
            *current = None;
        }
    }

    /// The tab is no more: nothing that is asked of it would ever be answered.
    pub fn went(&self) {
        self.closed.store(true, Ordering::Release);
        self.browser.connection().end_target(self.target);
        self.frames_changed();
        self.left.notify_waiters();
    }

    pub fn is_shown_by(&self, process: &str) -> bool {
        lock(&self.process).as_deref() == Some(process)
    }

    /// Frames that were there before we were are told by the tree, once; and so is a document that a new
    /// tab got before it could be listened to.
    fn learn_frames(self: Arc<Self>, process: String) {
        let place = Recipient { target: self.target, page: Some(&process) };
        let connection = self.browser.connection();
        let tree = self.ask_for_tree(place);
        let state = json!({ "expression": "document.readyState", "returnByValue": true });
        let state = connection.send(place, "Runtime.evaluate", state);
        tokio::spawn(async move {
            let Ok(raw) = tree.await else { return };
            let Ok(tree) = parse::<FrameTreeReply>(&raw) else { return };
            self.frames_changed();
            let url = tree.frame_tree.frame.url;
            let missed =
                self.documents.load(Ordering::Acquire) == 0 && !matches!(url.as_str(), "" | "about:blank");
            let (surface, frame) = (self.id(), self.main_frame());
            if missed {
                self.tell(DriverEvent::NavigationCommitted { surface, frame, is_main: true, url });
            }
            let Ok(state) = state.await else { return };
            let state = parse::<Evaluated>(&state).ok().and_then(|evaluated| evaluated.result.value);
            if missed && self.documents.load(Ordering::Acquire) == 0 {
                match state.as_ref().and_then(Value::as_str) {
                    Some("complete") => self.tell(DriverEvent::Loaded { surface: self.id() }),
                    Some("interactive") => self.tell(DriverEvent::DomReady { surface: self.id() }),
                    _ => {}
                }
            }
            self.ready.store(true, Ordering::Release);
            self.browser.something_changed();
        });
    }

    pub fn document_begun(&self) {
        self.hand_over().replace();
        self.begun.fetch_add(1, Ordering::AcqRel);
        self.frames_changed();
    }

    pub fn document_came(&self, frame: &FrameInfo) {
        lock(&self.pointer).forget_place();
        self.frame_table().committed(frame);
        if frame.parent_id.is_none() {
            self.hand_over().came();
            self.documents.fetch_add(1, Ordering::AcqRel);
            self.with_attempt(|attempt| attempt.committed(&frame.url));
        }
        self.frames_changed();
    }

    /// The tree is believed as it is when it comes: events that follow may make it old.
    fn ask_for_tree(&self, place: Recipient<'_>) -> PendingReply {
        let frames = Arc::clone(&self.frames);
        self.browser.connection().ask_at_once(place, "Page.getResourceTree", move |tree| {
            if let Ok(tree) = parse::<FrameTreeReply>(tree) {
                lock(&frames).take_tree(&tree.frame_tree);
            }
        })
    }

    pub(super) async fn ordered_frames(&self, deadline: Deadline) -> Result<Vec<Frame>, DriverError> {
        self.check_open()?;
        let process = lock(&self.process).clone().ok_or(DriverError::DocumentGone)?;
        let place = Recipient { target: self.target, page: Some(&process) };
        let tree = self.ask_for_tree(place).until(deadline).await?;
        parse::<FrameTreeReply>(&tree)?;
        self.frames_changed();
        let frames = self.frames();
        // Another process has taken the page over since.
        if frames.is_empty() { Err(DriverError::DocumentGone) } else { Ok(frames) }
    }

    /// Whoever waits for an answer of the document before it is told that there will be none.
    pub fn end_questions(&self, process: &str, frame: &FrameId, is_main: bool) {
        let frame = (!is_main).then_some(frame.0.as_str());
        self.browser.connection().end_questions(self.target, process, frame);
        self.left.notify_waiters();
    }

    pub fn frame_went(&self, process: &str, theirs: &str) {
        let ours = FrameId(self.frame_table().ours(theirs).to_string());
        self.frame_table().remove(theirs);
        self.end_questions(process, &ours, false);
    }

    /// The browser says that something about the address is new, but not what.
    pub fn may_have_moved(self: Arc<Self>) {
        self.with_attempt(NavigationAttempt::moved);
        tokio::spawn(async move { self.learn_address(Deadline::after(Duration::from_secs(5))).await });
    }

    /// Asks the page for its address, and tells it if it is new.
    pub(super) async fn learn_address(&self, deadline: Deadline) {
        let Ok(question) = self.ask_document(MAIN, None, "location.href") else { return };
        let documents = self.documents.load(Ordering::Acquire);
        let Ok(raw) = question.until(deadline).await else { return };
        let Ok(Some(Value::String(url))) = parse::<Evaluated>(&raw).map(|evaluated| evaluated.result.value)
        else {
            return;
        };
        let same_document = self.documents.load(Ordering::Acquire) == documents;
        if same_document && self.frame_table().url() != url {
            self.frame_table().moved(&url);
            self.frames_changed();
            let (surface, frame) = (self.id(), self.main_frame());
            self.tell(DriverEvent::NavigatedWithin { surface, frame, is_main: true, url });
        }
    }

    /// A file is on its way, which shows only when it is written: until then the page is as good as
    /// leaving, for whoever waits to see what comes of an act.
    pub fn saving(&self) {
        const SHOWS_WITHIN: Duration = Duration::from_millis(250);
        let (surface, frame, url) = (self.id(), self.main_frame(), String::new());
        self.tell(DriverEvent::NavigationRequested { surface, frame, is_main: true, url });
        let (browser, surface, frame) = (Arc::clone(&self.browser), self.id(), self.main_frame());
        tokio::spawn(async move {
            tokio::time::sleep(SHOWS_WITHIN).await;
            browser.tell(DriverEvent::LoadingStopped { surface, frame, is_main: true });
        });
    }
}
