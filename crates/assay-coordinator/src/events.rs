//! Events for subscribers in any process.
//!
//! Events are rows with increasing numbers: a subscriber remembers the last one and asks for later
//! ones. After a day away, it misses only the rows that were removed meanwhile.

use std::time::{Duration, Instant};

use assay_protocol::{NumberedEvent, RunEvent, TaskEvent, TaskId};
use rusqlite::Connection;

use crate::error::StateTrouble;
use crate::journal::{self, JournalRow, Stream};
use crate::store::named;
use crate::{Coordinator, StateError};

/// How often a waiting subscriber looks. One look is a read of a few bytes of shared memory.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// How many events one answer of a wait has at most.
const AT_ONCE: usize = 1000;

impl Coordinator {
    /// The events of all tasks after this number, oldest first.
    pub fn events_after(&self, after: u64, limit: usize) -> Result<Vec<NumberedEvent>, StateError> {
        self.store.look(|transaction| after_number(transaction, after, limit))
    }

    /// The first events of one run after this number, each with its own: to follow a run that another process
    /// carries out.
    pub fn run_events_after(
        &self,
        task: TaskId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<(u64, RunEvent)>, StateError> {
        self.store.look(|transaction| {
            let entries: Vec<JournalRow<RunEvent>> =
                journal::some_of_task(transaction, task, Stream::Run, after, limit)?;
            Ok(entries.into_iter().map(|entry| (entry.number, entry.what)).collect())
        })
    }

    /// Waits until there is an event after this number, or the time is up; then the list is empty.
    pub fn wait_for_events(&self, after: u64, timeout: Duration) -> Result<Vec<NumberedEvent>, StateError> {
        let begun = Instant::now();
        // A connection does not notice its own changes by this number, and those of other threads of
        // this process are made on the common one. So the wait has one of its own.
        let observer = self.store.observer()?;
        let look = |connection: &Connection| {
            let events = after_number(connection, after, AT_ONCE)?;
            Ok((!events.is_empty()).then_some(events))
        };
        wait(&observer, begun, timeout, look)
            .map(Option::unwrap_or_default)
            .map_err(|trouble| named(&observer, self.store.file(), trouble))
    }
}

/// Looks whenever something was committed, until there is something or the time is up.
pub(crate) fn wait<T>(
    observer: &Connection,
    begun: Instant,
    timeout: Duration,
    look: impl Fn(&Connection) -> Result<Option<T>, StateTrouble>,
) -> Result<Option<T>, StateTrouble> {
    let mut seen = None;
    loop {
        let version: i64 = observer.pragma_query_value(None, "data_version", |row| row.get(0))?;
        if seen != Some(version) {
            if let Some(found) = look(observer)? {
                return Ok(Some(found));
            }
            seen = Some(version);
        }
        let left = timeout.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Ok(None);
        }
        std::thread::sleep(left.min(LOOK_AGAIN));
    }
}

fn after_number(
    connection: &Connection,
    after: u64,
    limit: usize,
) -> Result<Vec<NumberedEvent>, StateTrouble> {
    let entries: Vec<JournalRow<TaskEvent>> = journal::of_all_tasks(connection, after, limit)?;
    let numbered = |entry: JournalRow<TaskEvent>| NumberedEvent {
        number: entry.number,
        at: entry.at,
        task: entry.task,
        event: entry.what,
    };
    Ok(entries.into_iter().map(numbered).collect())
}
