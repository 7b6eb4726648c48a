//! What a live page and those who watch it share: its newest state and picture, and whether anybody waits for them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use tokio::sync::Notify;

use super::view::{LivePicture, LiveUpdate, LiveView, PageStatus};

/// Whoever asked a moment ago is about to ask again.
const STILL_WATCHING: Duration = Duration::from_secs(3);

/// At the same time; more would only cost threads.
const MOST_WATCHERS: usize = 16;

#[derive(Default)]
pub struct Desk {
    held: Mutex<Held>,
    changed: Condvar,
    /// Somebody begins to watch.
    pub looked: Notify,
}

struct Held {
    view: LiveView,
    state: u64,
    picture: Option<Arc<LivePicture>>,
    shown: u64,
    watchers: usize,
    last_watched: Option<Instant>,
    last_used: Instant,
    /// Going on is to stop before the next step.
    is_pause_asked: bool,
}

impl Default for Held {
    fn default() -> Held {
        Held {
            view: LiveView::default(),
            state: 1,
            picture: None,
            shown: 0,
            watchers: 0,
            last_watched: None,
            last_used: Instant::now(),
            is_pause_asked: false,
        }
    }
}

/// What a caller knows already: 0 for nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known {
    pub state: u64,
    pub picture: u64,
}

impl Desk {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the view, and wakes those who wait where it has become another.
    pub fn change(&self, change: impl FnOnce(&mut LiveView)) {
        let mut held = self.held();
        let before = held.view.clone();
        change(&mut held.view);
        if held.view != before {
            held.state += 1;
            self.changed.notify_all();
        }
    }

    pub fn view(&self) -> LiveView {
        self.held().view.clone()
    }

    pub fn status(&self) -> PageStatus {
        self.held().view.status
    }

    /// Puts a picture up. Gives back whether it is another one.
    pub fn show(&self, bytes: &[u8], media_type: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let print = hasher.finish();
        let mut held = self.held();
        if held.picture.is_some() && held.shown == print {
            return false;
        }
        let number = held.picture.as_ref().map_or(0, |picture| picture.number) + 1;
        let data = BASE64_STANDARD.encode(bytes);
        held.picture = Some(Arc::new(LivePicture { number, media_type: media_type.to_string(), data }));
        held.shown = print;
        self.changed.notify_all();
        true
    }

    pub fn is_watched(&self) -> bool {
        let held = self.held();
        held.watchers > 0 || held.last_watched.is_some_and(|at| at.elapsed() < STILL_WATCHING)
    }

    pub fn ask_pause(&self) {
        self.held().is_pause_asked = true;
    }

    /// Whether a pause was asked for; it is asked for once.
    pub fn takes_pause(&self) -> bool {
        std::mem::take(&mut self.held().is_pause_asked)
    }

    /// It was used or looked at.
    pub fn used(&self) {
        self.held().last_used = Instant::now();
    }

    /// For how long nobody has used it or looked at it.
    pub fn unused_for(&self) -> Duration {
        let held = self.held();
        if held.watchers > 0 { Duration::ZERO } else { held.last_used.elapsed() }
    }

    /// Waits until the page is neither being opened nor at work. Blocking.
    pub fn await_free(&self, most: Duration) {
        let is_at_work =
            |held: &mut Held| matches!(held.view.status, PageStatus::Starting | PageStatus::Running);
        let _free_or_not = self.changed.wait_timeout_while(self.held(), most, is_at_work);
    }

    /// What has changed, once something has; none where too many wait already. Blocking.
    pub fn await_change(
        &self,
        known: Known,
        most: Duration,
        is_gone: &dyn Fn() -> bool,
    ) -> Option<LiveUpdate> {
        const LOOK: Duration = Duration::from_millis(250);
        let until = Instant::now() + most;
        let mut held = self.held();
        if held.watchers >= MOST_WATCHERS {
            return None;
        }
        held.watchers += 1;
        held.last_used = Instant::now();
        self.looked.notify_one();
        let is_new = |held: &Held| {
            held.state != known.state
                || held.picture.as_ref().is_some_and(|picture| picture.number != known.picture)
        };
        while !is_new(&held) && Instant::now() < until && !is_gone() {
            let left = until.saturating_duration_since(Instant::now()).min(LOOK);
            held = self.changed.wait_timeout(held, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        held.watchers -= 1;
        held.last_watched = Some(Instant::now());
        held.last_used = Instant::now();
        let picture = held.picture.as_ref().filter(|picture| picture.number != known.picture);
        Some(LiveUpdate {
            state: held.state,
            page: (held.state != known.state).then(|| held.view.clone()),
            picture: picture.map(|picture| (**picture).clone()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watcher_hears_of_each_change_once() {
        let desk = Desk::default();
        let none = Duration::ZERO;
        let first = desk.await_change(Known::default(), none, &|| false).unwrap();
        assert!(first.page.is_some() && first.picture.is_none());
        let known = Known { state: first.state, picture: 0 };
        assert!(desk.await_change(known, none, &|| false).unwrap().page.is_none());
        assert!(desk.show(b"a", "image/png") && !desk.show(b"a", "image/png"));
        desk.change(|view| view.title = "Shop".to_string());
        let second = desk.await_change(known, Duration::from_secs(60), &|| false).unwrap();
        assert_eq!(second.picture.unwrap().number, 1);
        assert_eq!(second.page.unwrap().title, "Shop");
    }

    #[test]
    fn nobody_watches_until_somebody_asks() {
        let desk = Desk::default();
        assert!(!desk.is_watched());
        desk.await_change(Known::default(), Duration::ZERO, &|| false);
        assert!(desk.is_watched());
    }
}
