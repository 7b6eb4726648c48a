//! One user's view of a browser: the current tab, and the refs assigned so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_dom::Document;
use assay_driver::{
    Browser, Capability, Capture, Deadline, DriverError, FrameId, ImageFormat, SurfaceId, WebPage,
};
use assay_protocol::{ErrorCode, Failure, TargetMark};

use crate::call::Taking;
use crate::web::aim::Aim;
use crate::web::domains::HeldBack;
use crate::web::failures::{Interrupted, browser_lost, dialog_open, no_tab, not_opened};
use crate::web::fault::InjectedFaults;
use crate::web::observer::{BrowserState, Mark, Observer, Tab};
use crate::web::refs::Refs;

/// The pages of one browser during one user's session. Every act on a page goes through it.
pub struct WebContext {
    pub(crate) browser: Arc<dyn Browser>,
    pub(crate) observer: Arc<Observer>,
    current: Option<SurfaceId>,
    /// Serializes opening the first tab, so there is only one.
    first_tab: Arc<tokio::sync::Mutex<()>>,
    pub(crate) refs: Refs,
    /// A page did not answer in time: its scripts may be in an endless loop.
    stuck: AtomicBool,
    /// The faults injected into pages.
    pub(crate) faults: InjectedFaults,
    pub(crate) aim: Aim,
    pub(crate) held_back: HeldBack,
}

/// The tab that an action is about, held for as long as the action takes.
#[derive(Clone)]
pub(crate) struct TabHandle {
    pub id: SurfaceId,
    pub surface: Arc<dyn WebPage>,
    pub mark: Mark,
    pub url: String,
}

impl TabHandle {
    /// Takes a tab in its current state: later events count as consequences of the action.
    pub(crate) fn of(state: &BrowserState, tab: &Tab) -> TabHandle {
        TabHandle {
            id: tab.id.clone(),
            surface: Arc::clone(&tab.surface),
            mark: state.mark(&tab.id),
            url: tab.url.clone(),
        }
    }
}

impl WebContext {
    pub fn new(browser: Arc<dyn Browser>, observer: Arc<Observer>, first_ref: u32) -> WebContext {
        WebContext {
            browser,
            observer,
            current: None,
            first_tab: Arc::default(),
            refs: Refs::from(first_ref),
            stuck: AtomicBool::new(false),
            faults: InjectedFaults::default(),
            aim: Aim::default(),
            held_back: HeldBack::default(),
        }
    }

    /// Forgets the target of the previous action.
    pub fn begin_action(&mut self) {
        self.aim = Aim::default();
    }

    /// Where the target of the last action is on a picture of the page.
    pub fn mark(&self) -> Option<TargetMark> {
        self.aim.mark()
    }

    /// A screenshot of the current page, taken while other queries run. The next change of the page must wait for it,
    /// or the screenshot shows the changed page.
    pub fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure> {
        let tab = if self.awaits_tab() { None } else { Some(self.tab()?) };
        let (browser, observer) = (Arc::clone(&self.browser), Arc::clone(&self.observer));
        let first_tab = Arc::clone(&self.first_tab);
        Ok(Box::pin(async move {
            let tab = match tab {
                Some(tab) => tab,
                None => opened_tab(&*browser, &observer, &first_tab, deadline).await?,
            };
            let capture = Capture { format: ImageFormat::Png, full_page: false, clip: None };
            let hindrance = observer.until(deadline, |state| match state.tab(&tab.id) {
                None => Some(Interrupted::Driver(DriverError::Closed)),
                Some(known) if known.crashed => Some(Interrupted::Driver(DriverError::Crashed)),
                Some(known) => known.dialog.clone().map(Interrupted::Dialog),
            });
            let taken = tokio::select! {
                biased;
                taken = tab.surface.capture(capture, deadline) => taken.map_err(Interrupted::Driver),
                Some(hindrance) = hindrance => Err(hindrance),
            };
            taken.map_err(|interrupted| interrupted.into_failure("taking the screenshot"))
        }))
    }

    /// The first unused ref; kept across restarts, so no ref is used twice.
    pub fn next_ref(&self) -> u32 {
        self.refs.next()
    }

    /// Whether the first tab is not open yet: a browser that can open a tab at an address waits until one is known.
    pub(crate) fn awaits_tab(&self) -> bool {
        self.browser.opens_at() && self.observer.state().awaits_tab()
    }

    /// Opens the first tab, empty, if there was none yet.
    pub(crate) async fn have_tab(&mut self, deadline: Deadline) -> Result<(), Failure> {
        if self.awaits_tab() {
            opened_tab(&*self.browser, &self.observer, &self.first_tab, deadline).await?;
        }
        Ok(())
    }

    /// Opens the first tab at an address. Everything in it counts as a consequence of the action. None if that is not
    /// possible: a tab exists already, or the browser does not accept the address.
    pub(crate) async fn first_tab_at(
        &mut self,
        url: &str,
        deadline: Deadline,
    ) -> Result<Option<TabHandle>, Failure> {
        let first_tab = Arc::clone(&self.first_tab);
        let _held = first_tab.lock().await;
        if !self.awaits_tab() {
            return Ok(None);
        }
        let before = self.observer.state().mark(&SurfaceId(String::new()));
        let id = match self.browser.open_at(None, url.to_string(), deadline).await {
            Ok(id) => id,
            Err(DriverError::Refused { .. }) => return Ok(None),
            Err(err) => return Err(not_opened(err)),
        };
        self.switch_to(id.clone());
        let state = self.observer.state();
        let tab = state.tab(&id).ok_or_else(no_tab)?;
        let mark = Mark { tabs: tab.number, ..before };
        Ok(Some(TabHandle { mark, ..TabHandle::of(&state, tab) }))
    }

    /// The tab in front. Fails when a crash or an open dialog stands in the way.
    pub(crate) fn tab(&mut self) -> Result<TabHandle, Failure> {
        let handle = self.any_tab()?;
        let state = self.observer.state();
        let tab = state.tab(&handle.id).ok_or_else(no_tab)?;
        if tab.crashed {
            return Err(Failure::new(ErrorCode::PageCrashed, format!("the page {} crashed", tab.url))
                .hint("assay reload, or assay go ADDRESS"));
        }
        if let Some(dialog) = &tab.dialog {
            return Err(dialog_open(dialog));
        }
        Ok(handle)
    }

    /// The tab in front, whatever its state.
    pub(crate) fn any_tab(&mut self) -> Result<TabHandle, Failure> {
        let state = self.observer.state();
        if state.gone {
            return Err(browser_lost());
        }
        let tab = match &self.current {
            None => state.tabs.last().ok_or_else(no_tab)?,
            Some(id) => match state.tab(id) {
                Some(tab) => tab,
                None => {
                    // An action for one tab must not happen in another.
                    let next = state.after(id).ok_or_else(no_tab)?;
                    let failure = Failure::new(
                        ErrorCode::TabClosed,
                        format!(
                            "the current tab has closed; the current tab is now {} ({})",
                            next.name(),
                            next.url
                        ),
                    )
                    .hint("run the command again if it is meant for this tab; assay tabs lists all tabs");
                    let next = next.id.clone();
                    drop(state);
                    self.current = Some(next);
                    return Err(failure);
                }
            },
        };
        let handle = TabHandle::of(&state, tab);
        drop(state);
        self.current = Some(handle.id.clone());
        Ok(handle)
    }

    pub(crate) fn current(&self) -> Option<&SurfaceId> {
        self.current.as_ref()
    }

    pub(crate) fn switch_to(&mut self, id: SurfaceId) {
        self.current = Some(id);
    }

    pub(crate) fn document<'a>(&self, tab: &'a TabHandle, frame: FrameId) -> Document<'a> {
        Document { surface: &*tab.surface, frame, next: self.refs.next(), faults: self.faults.in_pages() }
    }

    pub(crate) fn can(&self, capability: Capability) -> bool {
        self.browser.capabilities().contains(&capability)
    }

    pub(crate) fn need(&self, capability: Capability) -> Result<(), Failure> {
        if self.can(capability) {
            return Ok(());
        }
        Err(Failure::new(ErrorCode::Unsupported, format!("{} cannot {capability}", self.browser.info().name)))
    }

    /// Whether the tab's dialog opens, or the tab is closed, before `work` is done: then its reply will not come.
    pub(crate) async fn unless_dialog<T>(
        &self,
        tab: &TabHandle,
        deadline: Deadline,
        work: impl Future<Output = Result<T, DriverError>>,
    ) -> Result<T, Interrupted> {
        // The dialog's own deadline is later, so the answer of `work` wins.
        let later = Deadline::after(deadline.remaining() + Duration::from_millis(200));
        let dialog = self.observer.until(later, |state| {
            let Some(tab) = state.tab(&tab.id) else {
                let why = if state.gone { DriverError::Lost } else { DriverError::Closed };
                return Some(Interrupted::Driver(why));
            };
            if tab.crashed {
                return Some(Interrupted::Driver(DriverError::Crashed));
            }
            tab.dialog.clone().map(Interrupted::Dialog)
        });
        tokio::select! {
            biased;
            done = work => {
                if matches!(done, Err(DriverError::Timeout)) {
                    self.stuck.store(true, Ordering::Relaxed);
                }
                done.map_err(Interrupted::Driver)
            }
            Some(interrupted) = dialog => Err(interrupted),
        }
    }

    /// Ends the script of a page that did not answer in time, so that the user can leave the page.
    pub(crate) async fn unstick(&mut self, tab: &TabHandle) {
        if self.stuck.load(Ordering::Relaxed) {
            let soon = Deadline::after(Duration::from_millis(500));
            // A page that was not stuck after all has nothing to end.
            let _as_good_as_possible = tab.surface.end_scripts(soon).await;
            self.stuck.store(false, Ordering::Relaxed);
        }
    }

    pub(crate) fn with_tab<T>(&self, tab: &TabHandle, look: impl FnOnce(&Tab) -> T) -> Option<T> {
        self.observer.state().tab(&tab.id).map(look)
    }
}

async fn opened_tab(
    browser: &dyn Browser,
    observer: &Observer,
    first_tab: &tokio::sync::Mutex<()>,
    deadline: Deadline,
) -> Result<TabHandle, Failure> {
    let _held = first_tab.lock().await;
    if observer.state().awaits_tab() {
        browser.open(None, deadline).await.map_err(not_opened)?;
    }
    let state = observer.state();
    state.tabs.last().map(|tab| TabHandle::of(&state, tab)).ok_or_else(no_tab)
}
