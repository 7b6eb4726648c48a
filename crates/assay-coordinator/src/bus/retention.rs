//! How long events are kept: as long as a subscriber waits for them, and a while for people.

use rusqlite::{Transaction, params};

use super::delivery::Trigger;
use crate::error::{StateTrouble, read_json};
use crate::time::now_ms;

const DAY: u64 = 24 * 60 * 60 * 1000;

/// For people, and for those who subscribe later.
const KEPT_FOR_ALL: u64 = 7 * DAY;

/// Nobody is waited for longer than this. It also bounds how long a key keeps a second event out.
const KEPT_FOR_SUBSCRIBERS: u64 = 30 * DAY;

/// The oldest go first, even if a subscriber still waits for them: a file that grows without end helps nobody.
const MOST_EVENTS: u64 = 20_000;

/// Old events are looked for once in so many.
const LOOK_EVERY: u64 = 64;

pub(super) fn trim_sometimes(transaction: &Transaction<'_>, number: u64) -> Result<(), StateTrouble> {
    if number.is_multiple_of(LOOK_EVERY) { trim(transaction, now_ms()).map(drop) } else { Ok(()) }
}

/// Removes what nobody needs any more, and says how many.
pub(crate) fn trim(transaction: &Transaction<'_>, now: u64) -> Result<usize, StateTrouble> {
    let mut waiting: Vec<(String, Vec<Trigger>)> = Vec::new();
    let mut statement = transaction.prepare("SELECT name, triggers FROM bus_subscriber")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        waiting.push((row.get(0)?, read_json(&row.get::<_, String>(1)?)?));
    }
    let wanted: Vec<(&str, &str)> = waiting
        .iter()
        .flat_map(|(name, triggers)| triggers.iter().map(|trigger| (name.as_str(), trigger.event.as_str())))
        .collect();
    let removed = transaction.execute(
        "DELETE FROM bus_event WHERE at < ?1
         OR number <= (SELECT max(number) FROM bus_event) - ?3
         OR (at < ?2 AND NOT EXISTS (
             SELECT 1 FROM json_each(?4) AS wish WHERE type GLOB json_extract(wish.value, '$[1]') AND NOT EXISTS (
                 SELECT 1 FROM bus_delivery WHERE subscriber = json_extract(wish.value, '$[0]')
                 AND event = bus_event.number AND done_at IS NOT NULL)))",
        params![
            now.saturating_sub(KEPT_FOR_SUBSCRIBERS),
            now.saturating_sub(KEPT_FOR_ALL),
            MOST_EVENTS,
            serde_json::to_string(&wanted)?
        ],
    )?;
    Ok(removed)
}
