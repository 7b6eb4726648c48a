//! The entries of a conversation for many followers. The record is the source; one watcher for each conversation says
//! that there is more, and followers read it themselves.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use assay_coordinator::{AgentEntry, AgentSessionId, Coordinator};
use tokio::sync::watch;

use crate::problem::Problem;

/// How often the record of a conversation is looked at: its turns are processes of their own.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Entries read at once.
const PORTION: usize = 200;

pub struct Conversations {
    coordinator: Coordinator,
    open: Mutex<HashMap<i64, Weak<Newest>>>,
}

/// The number of the newest entry of a conversation that somebody follows.
struct Newest(watch::Sender<u64>);

impl Conversations {
    pub fn new(coordinator: Coordinator) -> Conversations {
        Conversations { coordinator, open: Mutex::default() }
    }

    /// Follows a conversation after an entry. Must be called in the runtime.
    pub fn follow(&self, session: AgentSessionId, after: u64) -> ConversationFollower {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, newest| newest.strong_count() > 0);
        let newest = match open.get(&session.0).and_then(Weak::upgrade) {
            Some(newest) => newest,
            None => {
                let newest = Arc::new(Newest(watch::Sender::new(0)));
                open.insert(session.0, Arc::downgrade(&newest));
                tokio::spawn(watch_over(self.coordinator.clone(), session, Arc::downgrade(&newest)));
                newest
            }
        };
        ConversationFollower {
            coordinator: self.coordinator.clone(),
            session,
            seen: newest.0.subscribe(),
            _newest: newest,
            known: after,
            portion: Vec::new().into_iter(),
        }
    }
}

/// Says how far the record is, until nobody follows any more.
async fn watch_over(coordinator: Coordinator, session: AgentSessionId, newest: Weak<Newest>) {
    loop {
        let asked = coordinator.clone();
        let found = tokio::task::spawn_blocking(move || asked.newest_agent_entry(session)).await;
        let Some(newest) = newest.upgrade() else { return };
        // Followers meet a trouble themselves.
        if let Ok(Ok(found)) = found {
            newest.0.send_if_modified(|known| std::mem::replace(known, found) != found);
        }
        drop(newest);
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// One client that follows a conversation.
pub struct ConversationFollower {
    coordinator: Coordinator,
    session: AgentSessionId,
    seen: watch::Receiver<u64>,
    _newest: Arc<Newest>,
    known: u64,
    portion: std::vec::IntoIter<AgentEntry>,
}

impl ConversationFollower {
    /// The next entry. Waits for it as long as it takes: a conversation can always go on.
    pub async fn next(&mut self) -> Result<AgentEntry, Problem> {
        loop {
            if let Some(entry) = self.portion.next() {
                self.known = entry.number;
                return Ok(entry);
            }
            let (coordinator, session, known) = (self.coordinator.clone(), self.session, self.known);
            let read =
                tokio::task::spawn_blocking(move || coordinator.agent_entries_after(session, known, PORTION));
            let found = read.await.map_err(|err| Problem::internal(err.to_string()))??;
            if found.is_empty() {
                let known = self.known;
                // The watcher lives as long as this follower.
                let _more = self.seen.wait_for(|newest| *newest > known).await;
            }
            self.portion = found.into_iter();
        }
    }
}
