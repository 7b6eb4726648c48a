//! One browser process for all workers of a run: each has contexts of its own in it, and does not notice the others.
//!
//! The first one to come has it started, the last one to leave ends it. A browser that died, or that does not let go
//! of a context any more, is not handed out again: whoever comes next gets a new one.

use std::fs::File;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use assay_actions::Policy;
use assay_driver::{
    Browser, BrowserInfo, Capability, ContextId, Deadline, Driver, DriverError, EventSink, Reply, SurfaceId,
};
use assay_protocol::{BrowserSettings, ErrorCode, Failure};
use tokio::task::JoinHandle;

use crate::guard::Guard;
use crate::owned_browser::{LaunchRequest, OwnedBrowser};
use crate::reaper::reap;
use crate::serve::DaemonSettings;
use crate::session_paths::{SessionPaths, lock_soon};
use crate::switchboard::{Switchboard, UserId};

/// A context is opened or closed in this time, or the browser is no longer trusted.
const CONTEXT_TIME: Duration = Duration::from_secs(10);

/// Whether workers can share a browser of this kind: only where none of them could notice it.
pub(crate) fn can_be_shared(driver: &dyn Driver, settings: &BrowserSettings) -> bool {
    let needed = [Capability::Tabs, Capability::IsolatedContexts, Capability::ConcurrentContexts];
    settings.connect.is_none() && needed.iter().all(|needed| driver.capabilities().contains(needed))
}

pub(crate) struct Pool {
    driver: Arc<dyn Driver>,
    settings: DaemonSettings,
    guard: Arc<Mutex<Guard>>,
    launches: AtomicU32,
    leaving: Arc<Leaving>,
    /// The browser that newcomers get.
    current: tokio::sync::Mutex<Weak<SharedBrowser>>,
}

impl Pool {
    pub fn new(driver: Arc<dyn Driver>, settings: DaemonSettings, guard: Arc<Mutex<Guard>>) -> Arc<Pool> {
        let current = tokio::sync::Mutex::new(Weak::new());
        let leaving = Arc::default();
        Arc::new(Pool { driver, settings, guard, launches: AtomicU32::new(0), leaving, current })
    }

    /// Returns when all browsers that were left by everybody have ended.
    pub async fn emptied(&self) {
        for ended in self.leaving.take() {
            // One that was given up is ended by who drops it.
            let _ended = ended.await;
        }
    }

    pub fn is_for(&self, settings: &BrowserSettings) -> bool {
        self.settings.browser == *settings
    }

    /// A part of the browser that is as good as a new browser: with one empty tab, or with none where tabs can be opened
    /// at an address.
    pub async fn share(&self, sink: Arc<dyn EventSink>) -> Result<Arc<Share>, Failure> {
        // Whoever comes while it is being started waits for it.
        let mut current = self.current.lock().await;
        if let Some(owned) = current.upgrade()
            && owned.enter()
        {
            drop(current);
            let user = owned.switchboard.enrol(sink);
            return Share::open(owned, user).await;
        }
        let switchboard = Arc::new(Switchboard::default());
        let user = switchboard.enrol(sink);
        let owned = Arc::new(self.launch(Arc::clone(&switchboard)).await?);
        *current = Arc::downgrade(&owned);
        drop(current);
        Share::open(owned, user).await
    }

    async fn launch(&self, switchboard: Arc<Switchboard>) -> Result<SharedBrowser, Failure> {
        // One that is still in use by others keeps its name.
        let number = self.launches.fetch_add(1, Ordering::Relaxed) + 1;
        let place = SessionPaths {
            session: format!("{}-{number}", self.settings.place.session),
            ..self.settings.place.clone()
        };
        let entry = SessionFiles::make(place, &self.guard)?;
        let building = LaunchRequest {
            driver: &*self.driver,
            place: &entry.place,
            settings: &self.settings.browser,
            guard: &self.guard,
            // Those who share a browser may not be held to different domains: nobody is.
            policy: &Policy::default(),
            next_ref: 1,
            first_tab: false,
        };
        let owned = OwnedBrowser::open(building, Arc::clone(&switchboard) as Arc<dyn EventSink>).await?;
        let browser = owned.browser();
        if browser.opens_at() {
            switchboard.began_empty();
        }
        let state = Mutex::new(Occupancy { owned: Some(owned), users: 1 });
        let is_trusted = AtomicBool::new(true);
        let leaving = Arc::clone(&self.leaving);
        Ok(SharedBrowser { browser, switchboard, state, is_trusted, leaving, _entry: entry })
    }
}

/// Browsers that were asked to end, and end while others do something else.
#[derive(Default)]
struct Leaving(Mutex<Vec<JoinHandle<()>>>);

impl Leaving {
    /// Takes its files along, which are held until it has ended.
    async fn see_off(&self, owned: OwnedBrowser, shared: Arc<SharedBrowser>) {
        owned.dismiss().await;
        let ending = async move {
            owned.close().await;
            drop(shared);
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(tokio::spawn(ending));
    }

    fn take(&self) -> Vec<JoinHandle<()>> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The files by which a browser of ours is known to those who clean up. Let go of, they are removed.
pub(crate) struct SessionFiles {
    pub place: SessionPaths,
    /// Held as long as the browser runs: others leave its files alone.
    _lock: File,
}

impl SessionFiles {
    pub fn make(place: SessionPaths, guard: &Mutex<Guard>) -> Result<SessionFiles, Failure> {
        let failed =
            |what: &str, err: std::io::Error| Failure::new(ErrorCode::DaemonFailed, format!("{what}: {err}"));
        let lock = place.open_lock().map_err(|err| failed("could not open the lock file", err))?;
        lock_soon(&lock).map_err(|err| failed("could not acquire the lock", err.into()))?;
        reap(&place);
        let mut guard = guard.lock().unwrap_or_else(PoisonError::into_inner);
        for file in [place.lock_file(), place.record_file()] {
            guard.watch_file(&file).map_err(|err| failed("could not talk to the guard", err))?;
        }
        Ok(SessionFiles { place, _lock: lock })
    }
}

impl Drop for SessionFiles {
    fn drop(&mut self) {
        for file in [self.place.lock_file(), self.place.record_file()] {
            // The guard removes them too; whoever comes second finds nothing to do.
            let _removed = std::fs::remove_file(file);
        }
    }
}

/// A browser and those who use it.
struct SharedBrowser {
    browser: Arc<dyn Browser>,
    switchboard: Arc<Switchboard>,
    state: Mutex<Occupancy>,
    /// False once it did not do what it was asked to: newcomers get another.
    is_trusted: AtomicBool,
    leaving: Arc<Leaving>,
    _entry: SessionFiles,
}

struct Occupancy {
    /// None once the last one has left.
    owned: Option<OwnedBrowser>,
    users: usize,
}

impl SharedBrowser {
    /// Whether it runs, and has done so far what it was asked to.
    fn is_good(&self) -> bool {
        self.is_trusted.load(Ordering::Relaxed) && !self.switchboard.is_gone()
    }

    /// One more uses it. False when it is of no more use.
    fn enter(&self) -> bool {
        let mut state = self.state();
        let is_open = state.owned.is_some() && self.is_good();
        if is_open {
            state.users += 1;
        }
        is_open
    }

    /// One less uses it. The browser comes back when it was the last, to be closed.
    fn exit(&self) -> Option<OwnedBrowser> {
        let mut state = self.state();
        state.users -= 1;
        if state.users == 0 { state.owned.take() } else { None }
    }

    fn state(&self) -> MutexGuard<'_, Occupancy> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one user has of a shared browser. To this user it is the whole browser.
pub(crate) struct Share {
    owned: Arc<SharedBrowser>,
    user: UserId,
    contexts: Mutex<Vec<ContextId>>,
    /// The context of all tabs that are not asked to be apart; none is the one that the browser began with.
    home: Option<ContextId>,
    has_left: AtomicBool,
}

impl Share {
    async fn open(owned: Arc<SharedBrowser>, user: UserId) -> Result<Arc<Share>, Failure> {
        let mut share =
            Share { owned, user, contexts: Mutex::default(), home: None, has_left: AtomicBool::new(false) };
        if share.owned.switchboard.is_first(user) {
            return Ok(Arc::new(share));
        }
        let deadline = Deadline::after(CONTEXT_TIME);
        let opened = async {
            let home = share.open_context(deadline).await?;
            if !share.opens_at() {
                share.owned.browser.open(Some(home.clone()), deadline).await?;
            }
            Ok::<ContextId, DriverError>(home)
        };
        match opened.await {
            Ok(home) => {
                share.home = Some(home);
                Ok(Arc::new(share))
            }
            Err(err) => {
                share.owned.is_trusted.store(false, Ordering::Relaxed);
                share.leave().await;
                let reason = format!("the browser did not open another context: {err}");
                Err(Failure::new(ErrorCode::BrowserFailed, reason)
                    .hint("run `assay doctor` to find the cause"))
            }
        }
    }

    /// Whether the browser would still be handed out to newcomers.
    pub fn is_good(&self) -> bool {
        self.owned.is_good()
    }

    /// Closes all tabs and contexts that are this user's. As the last one, has the browser end, for which `Pool::emptied`
    /// waits.
    pub async fn leave(&self) {
        if self.has_left.swap(true, Ordering::AcqRel) {
            return;
        }
        match self.owned.exit() {
            Some(owned) => self.owned.leaving.see_off(owned, Arc::clone(&self.owned)).await,
            None => {
                if self.clear().await.is_err() {
                    self.owned.is_trusted.store(false, Ordering::Relaxed);
                }
            }
        }
        self.owned.switchboard.strike_off(self.user);
    }

    async fn clear(&self) -> Result<(), DriverError> {
        let deadline = Deadline::after(CONTEXT_TIME);
        let contexts = std::mem::take(&mut *self.contexts());
        for context in contexts {
            self.owned.browser.close_context(context, deadline).await?;
        }
        // Those that are left are in the context that the browser began with, which cannot be closed.
        for tab in self.owned.switchboard.tabs_of(self.user) {
            match tab.close(deadline).await {
                Ok(()) | Err(DriverError::Closed) => {}
                Err(err) => return Err(err),
            }
        }
        Ok(())
    }

    /// A browser that does not open a tab is not handed out any more; one that only refuses an address is.
    fn judge<T>(&self, opened: Result<T, DriverError>) -> Result<T, DriverError> {
        if matches!(&opened, Err(err) if !matches!(err, DriverError::Refused { .. })) {
            self.owned.is_trusted.store(false, Ordering::Relaxed);
        }
        opened
    }

    fn contexts(&self) -> MutexGuard<'_, Vec<ContextId>> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.has_left.swap(true, Ordering::AcqRel) {
            return;
        }
        // Given up half-way, as when a run is interrupted: what it had goes with the browser.
        self.owned.is_trusted.store(false, Ordering::Relaxed);
        self.owned.switchboard.strike_off(self.user);
        drop(self.owned.exit());
    }
}

impl Browser for Share {
    fn info(&self) -> BrowserInfo {
        // The process is not this user's to watch or to end.
        BrowserInfo { pid: None, ..self.owned.browser.info() }
    }

    fn capabilities(&self) -> &'static [Capability] {
        self.owned.browser.capabilities()
    }

    fn open(&self, context: Option<ContextId>, deadline: Deadline) -> Reply<'_, SurfaceId> {
        Box::pin(async move {
            let opened = self.owned.browser.open(context.or_else(|| self.home.clone()), deadline).await;
            self.judge(opened)
        })
    }

    fn opens_at(&self) -> bool {
        self.owned.browser.opens_at()
    }

    fn open_at(&self, context: Option<ContextId>, url: String, deadline: Deadline) -> Reply<'_, SurfaceId> {
        Box::pin(async move {
            let home = context.or_else(|| self.home.clone());
            let opened = self.owned.browser.open_at(home, url, deadline).await;
            self.judge(opened)
        })
    }

    fn open_context(&self, deadline: Deadline) -> Reply<'_, ContextId> {
        Box::pin(async move {
            let context = self.owned.browser.open_context(deadline).await?;
            self.owned.switchboard.assign(context.clone(), self.user);
            self.contexts().push(context.clone());
            Ok(context)
        })
    }

    fn close_context(&self, context: ContextId, deadline: Deadline) -> Reply<'_, ()> {
        self.owned.browser.close_context(context, deadline)
    }

    fn close(&self, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            self.leave().await;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::OpenOptions;
    use std::path::{Path, PathBuf};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("assay-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn place(folder: &Path, session: &str) -> SessionPaths {
        let folder = folder.to_path_buf();
        SessionPaths {
            session: session.to_string(),
            folder: folder.clone(),
            profiles: folder.clone(),
            downloads: folder,
        }
    }

    /// The failures of so many starts, while two neighbours do this all the time.
    fn failed_starts(
        rounds: u32,
        place: impl Fn(u32) -> SessionPaths,
        meanwhile: impl Fn() + Sync,
    ) -> Vec<Failure> {
        let guard = Mutex::new(Guard::writing_to(OpenOptions::new().write(true).open("/dev/null").unwrap()));
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        meanwhile();
                    }
                });
            }
            let made = (0..rounds).map(|round| SessionFiles::make(place(round), &guard));
            let failed = made.filter_map(Result::err).collect();
            is_over.store(true, Ordering::Relaxed);
            failed
        })
    }

    #[test]
    fn who_looks_for_leftovers_makes_none() {
        let folder = folder("leftovers");
        let look = || reap(&place(&folder, "neighbour"));
        assert_eq!(failed_starts(2_000, |round| place(&folder, &format!("run-{round}")), look), []);
        let left: Vec<_> = std::fs::read_dir(&folder).unwrap().flatten().collect();
        assert!(left.is_empty(), "{left:?}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_neighbour_that_looks_at_a_lock_for_a_moment_is_in_nobodys_way() {
        let folder = folder("locks");
        let hold = || {
            let lock = place(&folder, "run").open_lock().unwrap();
            let is_held = lock.try_lock().is_ok();
            std::thread::sleep(Duration::from_millis(1));
            drop(lock);
            if is_held {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        assert_eq!(failed_starts(100, |_| place(&folder, "run"), hold), []);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
