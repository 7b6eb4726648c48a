//! What happened becomes messages of the webhooks that tell of it, together with how far each webhook has come.

use assay_protocol::{BusEvent, TaskId, event_types};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::{Value, json};

use super::hook_messages::write;
use super::outgoing_hooks::{self, MessageKind, OutgoingHook};
use crate::error::StateTrouble;
use crate::time::now_ms;
use crate::{Coordinator, StateError, bus, history, incidents};

const DAY: u64 = 24 * 60 * 60 * 1000;

/// A test that was flaky within this time does not become flaky again.
const FLAKY_FOR: u64 = 30 * DAY;

/// So many events or incidents in one transaction.
const PORTION: usize = 100;

impl Coordinator {
    /// Queues messages about what has happened. Says whether there are new ones.
    pub fn tell_hooks(&self) -> Result<bool, StateError> {
        let behind = self.store.look(|transaction| {
            let mut behind = Vec::new();
            for hook in outgoing_hooks::select(transaction, "WHERE enabled", params![])? {
                if is_behind(transaction, &hook)? {
                    behind.push(hook.name);
                }
            }
            Ok(behind)
        })?;
        let mut is_news = false;
        for name in behind {
            loop {
                let told = self.store.change(|transaction| {
                    // Somebody may have removed it meanwhile.
                    let which = "WHERE name = ?1 AND enabled";
                    let found = outgoing_hooks::select(transaction, which, params![name])?.pop();
                    found.map_or(Ok(Told::default()), |hook| tell(transaction, &hook))
                })?;
                is_news |= told.is_news;
                if !told.has_more {
                    break;
                }
            }
        }
        Ok(is_news)
    }
}

fn is_behind(connection: &Connection, hook: &OutgoingHook) -> Result<bool, StateTrouble> {
    Ok(bus::newest(connection)? > hook.seen_event
        || !incidents_after(connection, hook.seen_incident)?.is_empty())
}

#[derive(Default)]
struct Told {
    is_news: bool,
    has_more: bool,
}

fn tell(transaction: &Transaction<'_>, hook: &OutgoingHook) -> Result<Told, StateTrouble> {
    let events = bus::after(transaction, hook.seen_event, PORTION)?;
    let incidents = incidents_after(transaction, hook.seen_incident)?;
    let mut is_news = false;
    for event in &events {
        for (kind, subject, data) in messages_of(transaction, hook, event)? {
            is_news |= write(transaction, hook.number, kind, &subject, &data)? != 0;
        }
    }
    for number in &incidents {
        if hook.kinds.contains(&MessageKind::IncidentOpened) {
            let data = serde_json::to_value(incidents::find(transaction, *number)?)?;
            let subject = number.to_string();
            is_news |= write(transaction, hook.number, MessageKind::IncidentOpened, &subject, &data)? != 0;
        }
    }
    let seen_event = events.last().map_or(hook.seen_event, |event| event.number);
    let seen_incident = incidents.last().copied().unwrap_or(hook.seen_incident);
    transaction.execute(
        "UPDATE outgoing_hook SET seen_event = ?2, seen_incident = ?3 WHERE number = ?1",
        params![hook.number, seen_event, seen_incident],
    )?;
    Ok(Told { is_news, has_more: events.len() == PORTION || incidents.len() == PORTION })
}

fn incidents_after(connection: &Connection, after: u64) -> Result<Vec<u64>, StateTrouble> {
    let mut statement = connection
        .prepare_cached("SELECT number FROM incident WHERE number > ?1 ORDER BY number LIMIT ?2")?;
    let found = statement.query_map(params![after, PORTION as i64], |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

type Draft = (MessageKind, String, Value);

fn messages_of(
    connection: &Connection,
    hook: &OutgoingHook,
    event: &BusEvent,
) -> Result<Vec<Draft>, StateTrouble> {
    let wants = |kind: MessageKind| hook.kinds.contains(&kind);
    let subject = event.number.to_string();
    if event.event_type.starts_with("alert.") && wants(MessageKind::AlertRaised) {
        return Ok(vec![(MessageKind::AlertRaised, subject, serde_json::to_value(event)?)]);
    }
    if event.event_type != event_types::EXECUTION_DONE {
        return Ok(Vec::new());
    }
    let Some(task) = event.payload.get("run").and_then(Value::as_i64) else { return Ok(Vec::new()) };
    // A run that was cleared has nothing to tell.
    let Some((run, suite)) = run_and_suite(connection, task)? else { return Ok(Vec::new()) };
    let mut drafts = Vec::new();
    if wants(MessageKind::RunFinished) {
        let part = |name: &str| event.payload.get(name).cloned().unwrap_or(Value::Null);
        let data = json!({
            "run": run, "task": task, "suite": suite, "interrupted": part("interrupted"),
            "duration_ms": part("duration_ms"), "results": part("results"),
        });
        drafts.push((MessageKind::RunFinished, subject, data));
    }
    if wants(MessageKind::TestFlaky) {
        let since = now_ms().saturating_sub(FLAKY_FOR);
        for flaky in history::became_flaky(connection, TaskId(task), since)? {
            let data = json!({
                "run": run, "suite": suite, "test": flaky.test, "name": flaky.name, "file": flaky.file,
                "flips": flaky.flips,
            });
            // A resumed run ends twice.
            drafts.push((MessageKind::TestFlaky, format!("{task}:{}", flaky.test), data));
        }
    }
    Ok(drafts)
}

fn run_and_suite(connection: &Connection, task: i64) -> Result<Option<(String, String)>, StateTrouble> {
    Ok(connection
        .prepare_cached("SELECT run, suite FROM run WHERE task = ?1")?
        .query_row(params![task], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?)
}
