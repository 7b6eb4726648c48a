//! The ticker: takes the ticks of schedules as they come.

use std::sync::Arc;
use std::time::Duration;

use assay_coordinator::{Coordinator, NewTick, Schedule, StateError, Tick};
use serde_json::json;
use tokio::sync::Notify;

use super::timing::{Due, Timing};
use crate::clock::now_ms;
use crate::log::Log;
use crate::orders::{Cause, PlannedWork};
use crate::problem::Problem;
use crate::service::Service;

/// The clock of the machine may be set while the ticker sleeps.
const LONGEST_SLEEP: Duration = Duration::from_secs(10);

/// After a trouble with the state.
const PAUSE: Duration = Duration::from_secs(2);

/// Says that schedules were changed.
#[derive(Default)]
pub struct ScheduleNews(Notify);

impl ScheduleNews {
    pub fn wake(&self) {
        self.0.notify_one();
    }
}

/// Works until the service stops.
pub async fn keep_time(service: Arc<Service>) {
    while !service.stop.is_cancelled() {
        let held = Arc::clone(&service);
        let looked = tokio::task::spawn_blocking(move || look(&held)).await;
        let sleep = match looked {
            Ok(Ok(next)) => next.map_or(LONGEST_SLEEP, |next| {
                Duration::from_millis(next.saturating_sub(now_ms())).min(LONGEST_SLEEP)
            }),
            Ok(Err(error)) => not_kept(&service, &error),
            Err(error) => not_kept(&service, &error),
        };
        tokio::select! {
            () = service.stop.cancelled() => return,
            () = service.schedules.0.notified() => {}
            () = tokio::time::sleep(sleep) => {}
        }
    }
}

fn not_kept(service: &Service, why: &dyn std::fmt::Display) -> Duration {
    service.log.error("schedule.not_kept", &[("why", json!(why.to_string()))]);
    PAUSE
}

/// Takes what is due, and says when something is next.
fn look(service: &Service) -> Result<Option<u64>, StateError> {
    let taken = take_due(&service.coordinator, now_ms(), &service.log)?;
    if taken.has_orders {
        service.desk.wake();
    }
    Ok(taken.next_at)
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Taken {
    has_orders: bool,
    /// The next tick of any schedule.
    next_at: Option<u64>,
}

fn take_due(coordinator: &Coordinator, now: u64, log: &Log) -> Result<Taken, StateError> {
    let mut taken = Taken::default();
    for schedule in coordinator.schedules()?.iter().filter(|schedule| !schedule.is_paused) {
        let name = &schedule.name;
        let timing = match Timing::read(&schedule.cron, &schedule.zone) {
            Ok(timing) => timing,
            // Another version of assay wrote it.
            Err(error) => {
                log.error(
                    "schedule.not_kept",
                    &[("schedule", json!(name)), ("why", json!(error.to_string()))],
                );
                continue;
            }
        };
        if let Some(due) = timing.due(schedule.settled_at, now) {
            match take(coordinator, schedule, due, now) {
                Ok(Some(tick)) => {
                    taken.has_orders |= tick.begun.order.is_some();
                    let fields = [
                        ("schedule", json!(name)),
                        ("at", json!(timing.shown(due.at))),
                        ("order", json!(tick.begun.order)),
                        ("bus_event", json!(tick.begun.event)),
                        // This one stands for them.
                        ("missed", json!((due.missed > 0).then_some(due.missed))),
                    ];
                    match due.missed {
                        0 => log.info("schedule.tick", &fields),
                        _ => log.warn("schedule.tick", &fields),
                    }
                }
                Ok(None) => {}
                Err(problem) => {
                    let why = json!(problem.body.detail);
                    log.error("schedule.tick_not_taken", &[("schedule", json!(name)), ("why", why)]);
                }
            }
        }
        let next = timing.after(now.max(schedule.settled_at));
        taken.next_at = taken.next_at.into_iter().chain(next).min();
    }
    Ok(taken)
}

fn take(coordinator: &Coordinator, schedule: &Schedule, due: Due, now: u64) -> Result<Option<Tick>, Problem> {
    // A run whose process died is not under way any more.
    coordinator.pause_orphans()?;
    let planned: PlannedWork = serde_json::from_value(schedule.work.clone())
        .map_err(|err| Problem::internal(format!("its work cannot be read: {err}")))?;
    let (name, number) = (&schedule.name, schedule.number);
    let work = planned.ready(Cause {
        run: format!("run-{}-t{number}", due.at / 1000),
        by: format!("schedule {name}"),
        key: format!("schedule:{number}:{}", due.at),
        facts: ("schedule", json!({ "name": name, "at": due.at, "missed": due.missed })),
    })?;
    Ok(coordinator.take_tick(&NewTick {
        schedule: number,
        revision: schedule.revision,
        at: due.at,
        now,
        missed: due.missed,
        work: work.as_new(),
    })?)
}

#[cfg(test)]
#[path = "ticker_tests.rs"]
mod tests;
