//! Tells each user of a shared browser what happens in its own tabs, and nothing of the others'.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use assay_driver::{ContextId, DriverEvent, EventSink, SurfaceId, WebPage};

/// Names one user of a shared browser, once and for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct UserId(u32);

/// Takes the events of the browser and passes each on to whom it concerns.
#[derive(Default)]
pub(crate) struct Switchboard {
    lines: Mutex<Lines>,
}

#[derive(Default)]
struct Lines {
    last_user: u32,
    users: HashMap<UserId, Arc<dyn EventSink>>,
    contexts: HashMap<ContextId, UserId>,
    tabs: HashMap<SurfaceId, (UserId, Arc<dyn WebPage>)>,
    downloads: HashMap<String, UserId>,
    /// Whose the context is that the browser began with. It is never another's: what was left in it stays in it.
    first: Option<UserId>,
    is_gone: bool,
}

impl Switchboard {
    /// Enrols a user. The very first one gets what the browser begins with.
    pub fn enrol(&self, sink: Arc<dyn EventSink>) -> UserId {
        let mut lines = self.lines();
        lines.last_user += 1;
        let user = UserId(lines.last_user);
        lines.users.insert(user, sink);
        lines.first.get_or_insert(user);
        user
    }

    /// Whether the context that the browser began with is this one's.
    pub fn is_first(&self, user: UserId) -> bool {
        self.lines().first == Some(user)
    }

    /// The browser began without a tab: what it may have of its own accord is nobody's.
    pub fn began_empty(&self) {
        const NOBODY: UserId = UserId(0);
        self.lines().first = Some(NOBODY);
    }

    /// Must be told before a tab is opened in it.
    pub fn assign(&self, context: ContextId, user: UserId) {
        self.lines().contexts.insert(context, user);
    }

    pub fn tabs_of(&self, user: UserId) -> Vec<Arc<dyn WebPage>> {
        let lines = self.lines();
        let own = lines.tabs.values().filter(|(owner, _)| *owner == user);
        own.map(|(_, surface)| Arc::clone(surface)).collect()
    }

    /// From now on nobody is told of what was this one's.
    pub fn strike_off(&self, user: UserId) {
        let mut lines = self.lines();
        lines.users.remove(&user);
        lines.contexts.retain(|_, owner| *owner != user);
        lines.tabs.retain(|_, (owner, _)| *owner != user);
        lines.downloads.retain(|_, owner| *owner != user);
    }

    pub fn is_gone(&self) -> bool {
        self.lines().is_gone
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventSink for Switchboard {
    fn event(&self, event: DriverEvent) {
        let mut lines = self.lines();
        if matches!(event, DriverEvent::BrowserGone) {
            lines.is_gone = true;
            lines.tabs.clear();
            let everybody: Vec<Arc<dyn EventSink>> = lines.users.values().cloned().collect();
            drop(lines);
            everybody.iter().for_each(|user| user.event(DriverEvent::BrowserGone));
            return;
        }
        // What cannot be assigned to anybody is nobody's: told to the wrong one, it could make a test pass.
        let sink = lines.owner(&event).and_then(|user| lines.users.get(&user).cloned());
        drop(lines);
        if let Some(sink) = sink {
            sink.event(event);
        }
    }
}

impl Lines {
    /// Whom an event concerns; notes who owns what it tells of.
    fn owner(&mut self, event: &DriverEvent) -> Option<UserId> {
        match event {
            DriverEvent::SurfaceOpened { surface, context, opener, .. } => {
                let by_context = context.as_ref().and_then(|context| self.contexts.get(context));
                let by_opener = opener.as_ref().and_then(|opener| self.tabs.get(opener));
                let owner = by_context.copied().or(by_opener.map(|(owner, _)| *owner)).or(self.first)?;
                if self.users.contains_key(&owner) {
                    self.tabs.insert(surface.id(), (owner, Arc::clone(surface)));
                }
                Some(owner)
            }
            DriverEvent::SurfaceClosed { surface } => self.tabs.remove(surface).map(|(owner, _)| owner),
            DriverEvent::DownloadStarted { id, surface, .. } => {
                let by_tab = surface.as_ref().and_then(|surface| self.tabs.get(surface));
                let owner = by_tab.map(|(owner, _)| *owner).or(self.only_user())?;
                self.downloads.insert(id.clone(), owner);
                Some(owner)
            }
            DriverEvent::DownloadFinished { id, .. } => self.downloads.remove(id),
            other => other.surface().and_then(|surface| self.tabs.get(surface)).map(|(owner, _)| *owner),
        }
    }

    /// The one who is there, where no other is.
    fn only_user(&self) -> Option<UserId> {
        let mut users = self.users.keys();
        users.next().copied().filter(|_| users.next().is_none())
    }
}
