//! The events of a run for many followers. The record is the source; one reader for each run passes new events on.
//!
//! A follower first reads what is on record after the event it knows, then hears the rest. One that is too slow to hear
//! reads the record again, so nobody misses an event and nothing is kept for anybody.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use assay_coordinator::Coordinator;
use assay_protocol::{RunEvent, RunFact, TaskId, TaskStatus};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, watch};

use crate::problem::Problem;

/// How often the record of a run is looked at; also for runs of other processes.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Events read at once.
const PORTION: usize = 500;

/// Events that a slow follower may be behind.
const BEHIND: usize = 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedEvent {
    /// Grows from event to event.
    pub number: u64,
    /// As it is on record, as JSON.
    pub json: Arc<str>,
    /// The run is over with it.
    pub is_last: bool,
}

pub struct Feeds {
    coordinator: Coordinator,
    open: Mutex<HashMap<TaskId, Weak<Feed>>>,
    places: Arc<Semaphore>,
    news: watch::Sender<u64>,
}

struct Feed {
    sender: broadcast::Sender<FeedEvent>,
}

impl Feeds {
    pub fn new(coordinator: Coordinator, followers: usize) -> Feeds {
        Feeds {
            coordinator,
            open: Mutex::default(),
            places: Arc::new(Semaphore::new(followers)),
            news: watch::Sender::new(0),
        }
    }

    /// Something happened: readers look at once.
    pub fn wake(&self) {
        self.news.send_modify(|count| *count += 1);
    }

    pub fn followers(&self, most: usize) -> usize {
        most.saturating_sub(self.places.available_permits())
    }

    /// Follows a run after an event. Must be called in the runtime.
    pub fn follow(&self, task: TaskId, after: u64) -> Result<Follower, Problem> {
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place = place.map_err(|_| Problem::too_many(Duration::from_secs(5)))?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, feed| feed.strong_count() > 0);
        let feed = match open.get(&task).and_then(Weak::upgrade) {
            Some(feed) => feed,
            None => {
                let feed = Arc::new(Feed { sender: broadcast::Sender::new(BEHIND) });
                open.insert(task, Arc::downgrade(&feed));
                tokio::spawn(read(
                    self.coordinator.clone(),
                    task,
                    Arc::downgrade(&feed),
                    self.news.subscribe(),
                ));
                feed
            }
        };
        Ok(Follower {
            coordinator: self.coordinator.clone(),
            task,
            receiver: feed.sender.subscribe(),
            _feed: feed,
            known: after,
            portion: Vec::new().into_iter(),
            reads: true,
            is_over: false,
            _place: place,
        })
    }
}

/// Passes on what comes after the events that were there, until nobody follows any more.
async fn read(coordinator: Coordinator, task: TaskId, feed: Weak<Feed>, mut news: watch::Receiver<u64>) {
    // What was there before, followers read themselves.
    let mut known = newest(&coordinator, task).await.unwrap_or(0);
    loop {
        let Some(held) = feed.upgrade() else { return };
        // Followers meet a trouble themselves.
        let events = portion(&coordinator, task, known).await.unwrap_or_default();
        let is_more = !events.is_empty();
        for event in events {
            known = event.number;
            // Nobody may be left to hear it.
            let _unheard = held.sender.send(event);
        }
        drop(held);
        if is_more {
            continue;
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            changed = news.changed() => if changed.is_err() { return },
        }
    }
}

async fn newest(coordinator: &Coordinator, task: TaskId) -> Option<u64> {
    let coordinator = coordinator.clone();
    let newest = tokio::task::spawn_blocking(move || coordinator.newest_event_of(task)).await;
    newest.ok()?.ok()?
}

async fn portion(coordinator: &Coordinator, task: TaskId, after: u64) -> Result<Vec<FeedEvent>, Problem> {
    let coordinator = coordinator.clone();
    let read = tokio::task::spawn_blocking(move || {
        let events = coordinator.run_events_after(task, after, PORTION)?;
        Ok::<_, Problem>(events.into_iter().map(shown).collect())
    });
    read.await.unwrap_or_else(|err| Err(Problem::internal(err.to_string())))
}

fn shown((number, event): (u64, RunEvent)) -> FeedEvent {
    let json = serde_json::to_string(&event).unwrap_or_else(|_| "{}".to_string());
    let is_last = matches!(event.what, RunFact::RunFinished { .. });
    FeedEvent { number, json: json.into(), is_last }
}

/// One client that follows a run.
pub struct Follower {
    coordinator: Coordinator,
    task: TaskId,
    receiver: broadcast::Receiver<FeedEvent>,
    _feed: Arc<Feed>,
    known: u64,
    portion: std::vec::IntoIter<FeedEvent>,
    /// The record may hold more than was read.
    reads: bool,
    is_over: bool,
    _place: OwnedSemaphorePermit,
}

impl Follower {
    /// The next event; none when the run is over, or is left as it is.
    pub async fn next(&mut self) -> Option<FeedEvent> {
        loop {
            if let Some(event) = self.portion.next() {
                return Some(self.told(event));
            }
            if self.is_over {
                return None;
            }
            if self.reads {
                let found = portion(&self.coordinator, self.task, self.known).await.ok()?;
                self.reads = found.len() == PORTION;
                self.portion = found.into_iter();
                if self.portion.len() == 0 && self.has_ended().await {
                    return None;
                }
                continue;
            }
            let heard = tokio::time::timeout(LOOK_EVERY * 8, self.receiver.recv()).await;
            match heard {
                Ok(Ok(event)) if event.number > self.known => return Some(self.told(event)),
                Ok(Ok(_)) => {}
                // It missed some, or there may be no more: the record says.
                Ok(Err(_)) | Err(_) => self.reads = true,
            }
        }
    }

    fn told(&mut self, event: FeedEvent) -> FeedEvent {
        self.known = event.number;
        // A resumed run has an end in the middle.
        if event.is_last {
            self.reads = true;
        }
        event
    }

    /// Whether nobody works on the run any more, and everything was told.
    async fn has_ended(&mut self) -> bool {
        let (coordinator, task) = (self.coordinator.clone(), self.task);
        let run = tokio::task::spawn_blocking(move || coordinator.run(task)).await;
        let is_running = matches!(run, Ok(Ok(run)) if run.status == TaskStatus::Running);
        if is_running {
            return false;
        }
        // The last events may have come between the two looks.
        match portion(&self.coordinator, self.task, self.known).await {
            Ok(events) if !events.is_empty() => {
                self.portion = events.into_iter();
                self.reads = true;
                false
            }
            _ => {
                self.is_over = true;
                true
            }
        }
    }
}
