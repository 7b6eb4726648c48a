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

/// A file that grows without end helps nobody. Beyond this, events that nobody waits for go first, the oldest before the
/// others; then the least urgent of the open ones, which are put on record as lost.
const MOST_EVENTS: u64 = 20_000;

/// So many lost events are listed, the newest.
const MOST_LOST: u64 = 1_000;

/// Old events are looked for once in so many.
const LOOK_EVERY: u64 = 64;

pub(super) fn trim_sometimes(transaction: &Transaction<'_>, number: u64) -> Result<(), StateTrouble> {
    if number.is_multiple_of(LOOK_EVERY) { trim(transaction, now_ms()).map(drop) } else { Ok(()) }
}

/// Removes what nobody needs any more, and says how many.
pub(crate) fn trim(transaction: &Transaction<'_>, now: u64) -> Result<usize, StateTrouble> {
    trim_to(transaction, now, MOST_EVENTS)
}

/// The subscribers with their patterns, as JSON.
fn wishes(transaction: &Transaction<'_>) -> Result<String, StateTrouble> {
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
    Ok(serde_json::to_string(&wanted)?)
}

/// The subscribers that want an event and have not handled it, by the wishes in `?1`. A row of a wish has a `type` too.
const WAITING: &str =
    "FROM json_each(?1) AS wish WHERE bus_event.type GLOB json_extract(wish.value, '$[1]') AND NOT EXISTS (
     SELECT 1 FROM bus_delivery WHERE subscriber = json_extract(wish.value, '$[0]')
     AND event = bus_event.number AND done_at IS NOT NULL)";

fn trim_to(transaction: &Transaction<'_>, now: u64, most: u64) -> Result<usize, StateTrouble> {
    let wishes = wishes(transaction)?;
    let mut removed = transaction.execute(
        &format!("DELETE FROM bus_event WHERE at < ?2 AND NOT EXISTS (SELECT 1 {WAITING})"),
        params![wishes, now.saturating_sub(KEPT_FOR_ALL)],
    )?;
    // Nobody is waited for any longer.
    removed += lose(transaction, &wishes, now, "at < ?3", now.saturating_sub(KEPT_FOR_SUBSCRIBERS))?;
    let surplus = |transaction: &Transaction<'_>| -> Result<u64, StateTrouble> {
        let count: u64 = transaction.query_row("SELECT count(*) FROM bus_event", [], |row| row.get(0))?;
        Ok(count.saturating_sub(most))
    };
    let too_many = surplus(transaction)?;
    if too_many > 0 {
        removed += transaction.execute(
            &format!(
                "DELETE FROM bus_event WHERE number IN (
                     SELECT number FROM bus_event WHERE NOT EXISTS (SELECT 1 {WAITING})
                     ORDER BY number LIMIT ?2)"
            ),
            params![wishes, too_many],
        )?;
        let still = surplus(transaction)?;
        if still > 0 {
            let least_urgent =
                "number IN (SELECT number FROM bus_event ORDER BY priority DESC, number LIMIT ?3)";
            removed += lose(transaction, &wishes, now, least_urgent, still)?;
        }
    }
    transaction.execute(
        "DELETE FROM bus_lost WHERE lost_at < ?1
         OR number NOT IN (SELECT number FROM bus_lost ORDER BY lost_at DESC, number DESC LIMIT ?2)",
        params![now.saturating_sub(KEPT_FOR_SUBSCRIBERS), MOST_LOST],
    )?;
    Ok(removed)
}

/// Removes open events, and puts on record that they are lost.
fn lose(
    transaction: &Transaction<'_>,
    wishes: &str,
    now: u64,
    which: &str,
    value: u64,
) -> Result<usize, StateTrouble> {
    transaction.execute(
        &format!(
            "INSERT OR REPLACE INTO bus_lost (number, type, device, priority, at, lost_at, waiting)
             SELECT number, type, device, priority, at, ?2,
                    (SELECT json_group_array(DISTINCT json_extract(wish.value, '$[0]')) {WAITING})
             FROM bus_event WHERE {which}"
        ),
        params![wishes, now, value],
    )?;
    // The same rows: ?1 and ?2 are bound to nothing here.
    let which = which.replace("?3", "?1");
    Ok(transaction.execute(&format!("DELETE FROM bus_event WHERE {which}"), params![value])?)
}

#[cfg(test)]
mod tests {
    use assay_protocol::EventPriority;
    use serde_json::json;

    use super::super::delivery::Subscription;
    use super::super::publish::NewEvent;
    use super::*;
    use crate::Coordinator;

    fn event(event_type: &str, priority: EventPriority) -> NewEvent {
        NewEvent {
            event_type: event_type.to_string(),
            device: "chromium".to_string(),
            priority: Some(priority),
            key: None,
            payload: json!({}),
        }
    }

    fn trimmed(coordinator: &Coordinator, most: u64) -> usize {
        coordinator.store.change(|transaction| trim_to(transaction, now_ms(), most)).unwrap()
    }

    fn kept(coordinator: &Coordinator) -> Vec<u64> {
        let listed = coordinator.bus_events(None, None, 100).unwrap();
        listed.iter().map(|listed| listed.event.number).rev().collect()
    }

    #[test]
    fn what_nobody_waits_for_goes_first_and_what_is_lost_is_on_record() {
        let folder = std::env::temp_dir().join(format!("assay-retention-{}", std::process::id()));
        let coordinator = Coordinator::open(&folder).unwrap();
        let triggers = vec![Trigger { event: "alert.*".to_string(), priority: None }];
        coordinator.subscribe(&Subscription { name: "guardian".to_string(), triggers }).unwrap();
        let critical = coordinator.publish(&event("alert.anr", EventPriority::Critical)).unwrap().number;
        let usual = coordinator.publish(&event("alert.slow", EventPriority::Normal)).unwrap().number;
        let unwanted = coordinator.publish(&event("my.own", EventPriority::Critical)).unwrap().number;
        let late = coordinator.publish(&event("alert.slow", EventPriority::Normal)).unwrap().number;
        let me = crate::this_process("a test").unwrap();
        let done = coordinator.publish(&event("alert.done", EventPriority::Critical)).unwrap().number;
        while let Some(delivery) = coordinator.take_event("guardian", &me, super::super::LEASE, None).unwrap()
        {
            match delivery.event.number == done {
                true => {
                    coordinator.acknowledge(&delivery).unwrap();
                    break;
                }
                false => continue,
            }
        }
        assert_eq!(trimmed(&coordinator, 4), 1);
        assert_eq!(kept(&coordinator), [critical, usual, late, done], "{unwanted} was wanted by nobody");
        assert_eq!(trimmed(&coordinator, 3), 1);
        assert_eq!(kept(&coordinator), [critical, usual, late], "the one that was handled");
        assert_eq!(coordinator.lost_events().unwrap(), []);
        assert_eq!(trimmed(&coordinator, 1), 2);
        assert_eq!(kept(&coordinator), [critical], "the most urgent stays");
        let lost = coordinator.lost_events().unwrap();
        assert_eq!(lost.iter().map(|lost| lost.number).collect::<Vec<_>>(), [late, usual]);
        assert_eq!(
            (lost[0].event_type.as_str(), &lost[0].waiting[..]),
            ("alert.slow", &["guardian".to_string()][..])
        );
        drop(coordinator);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
