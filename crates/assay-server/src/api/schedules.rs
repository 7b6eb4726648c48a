//! Schedules: work that begins at a time.

use std::collections::BTreeMap;

use assay_coordinator::{Schedule, ScheduleSettings, Tick};
use assay_protocol::ErrorCode;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::Role;
use crate::clock::now_ms;
use crate::names::check_name;
use crate::orders::PlannedWork;
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};
use crate::schedules::{Timing, TimingError};
use crate::service::Service;

/// A project has no more.
const MOST: usize = 500;

const UTC: &str = "UTC";

/// How a schedule is to be.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ScheduleOrder {
    /// Minute, hour, day, month and weekday, such as `30 7 * * 1-5`. A sixth field before them has seconds.
    cron: String,
    /// The time zone, such as `Europe/Berlin`; UTC without it.
    zone: Option<String>,
    /// What is begun.
    work: PlannedWork,
    /// It begins also while the run of an earlier tick is under way.
    #[serde(default)]
    overlap: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewSchedule {
    name: String,
    #[serde(flatten)]
    order: ScheduleOrder,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Schedule")]
struct ScheduleView {
    name: String,
    cron: String,
    zone: String,
    work: PlannedWork,
    overlap: bool,
    paused: bool,
    by: String,
    created_at: u64,
    /// The next ticks; none while it is paused.
    next: Vec<TickTime>,
    /// The last ticks, newest first.
    ticks: Vec<TickView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TickTime {
    /// Milliseconds since 1970.
    at: u64,
    /// The same as the clock of the zone shows it.
    local: String,
}

/// A tick that was taken.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tick")]
struct TickView {
    at: u64,
    taken_at: u64,
    /// So many earlier ticks were missed; this one stands for them.
    missed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<u64>,
    /// The run that its order begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    /// How the order is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    /// The counts of the run by name, once it has ended.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    metrics: BTreeMap<String, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<u64>,
    /// Why nothing was begun.
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CronQuery {
    cron: String,
    /// UTC without it.
    zone: Option<String>,
    /// So many ticks; 5 without it, 100 at most.
    count: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CronTimes {
    next: Vec<TickTime>,
}

pub fn routes() -> Vec<Route> {
    let one = "/server/schedules/{schedule}";
    vec![
        Route::get("/server/schedules", "list_schedules", "List schedules with what comes next", list),
        Route::write_as(
            Method::Post,
            "/server/schedules",
            "create_schedule",
            "Begin a run or publish an event at a time",
            StatusCode::CREATED,
            create,
        )
        .for_role(Role::Admin),
        Route::get(one, "get_schedule", "Tell the last ticks of a schedule", get),
        Route::write(Method::Put, one, "change_schedule", "Change a schedule", change).for_role(Role::Admin),
        Route::write(Method::Delete, one, "delete_schedule", "Delete a schedule", delete)
            .for_role(Role::Admin),
        Route::write(
            Method::Post,
            "/server/schedules/{schedule}/pause",
            "pause_schedule",
            "Pause a schedule",
            pause,
        )
        .for_role(Role::Admin),
        Route::write(
            Method::Post,
            "/server/schedules/{schedule}/resume",
            "resume_schedule",
            "Let a schedule go on",
            resume,
        )
        .for_role(Role::Admin),
        Route::get("/server/cron", "read_cron", "Say when a cron text ticks next; saves nothing", times),
    ]
}

fn list(asked: &Asked, page: PageQuery) -> Result<Page<ScheduleView>, Problem> {
    let page = page.of_whole(asked.service.coordinator.schedules()?)?;
    let items = page.items.into_iter().map(|schedule| view(&asked.service, schedule, 1));
    Ok(Page { items: items.collect::<Result<_, _>>()?, next: page.next })
}

fn get(asked: &Asked, _: Nothing) -> Result<ScheduleView, Problem> {
    let schedule = asked.service.coordinator.schedule(asked.part("schedule"))?;
    view(&asked.service, schedule, 50)
}

fn create(asked: &Asked, new: NewSchedule) -> Result<ScheduleView, Problem> {
    check_name(&new.name)?;
    let work = checked(asked, &new.order)?;
    let coordinator = &asked.service.coordinator;
    if coordinator.schedules()?.len() >= MOST {
        return Err(Problem::conflict(format!("the project has {MOST} schedules already")));
    }
    let by = &asked.caller.name;
    let added = coordinator.add_schedule(&new.name, &settings(&new.order, &work), by, now_ms())?;
    let added =
        added.ok_or_else(|| Problem::conflict(format!("there is a schedule `{}` already", new.name)))?;
    changed(asked, added)
}

fn change(asked: &Asked, order: ScheduleOrder) -> Result<ScheduleView, Problem> {
    let work = checked(asked, &order)?;
    let coordinator = &asked.service.coordinator;
    changed(asked, coordinator.change_schedule(asked.part("schedule"), &settings(&order, &work), now_ms())?)
}

fn pause(asked: &Asked, _: Nothing) -> Result<ScheduleView, Problem> {
    changed(asked, asked.service.coordinator.pause_schedule(asked.part("schedule"), true, now_ms())?)
}

fn resume(asked: &Asked, _: Nothing) -> Result<ScheduleView, Problem> {
    changed(asked, asked.service.coordinator.pause_schedule(asked.part("schedule"), false, now_ms())?)
}

fn delete(asked: &Asked, _: Nothing) -> Result<ScheduleView, Problem> {
    changed(asked, asked.service.coordinator.remove_schedule(asked.part("schedule"))?)
}

fn changed(asked: &Asked, schedule: Schedule) -> Result<ScheduleView, Problem> {
    asked.service.schedules.wake();
    view(&asked.service, schedule, 1)
}

fn times(_: &Asked, query: CronQuery) -> Result<CronTimes, Problem> {
    let timing = Timing::read(&query.cron, query.zone.as_deref().unwrap_or(UTC)).map_err(wrong)?;
    Ok(CronTimes { next: following(&timing, now_ms(), query.count.unwrap_or(5).min(100)) })
}

fn following(timing: &Timing, after: u64, count: usize) -> Vec<TickTime> {
    let ticks = timing.following(after, count).into_iter();
    ticks.map(|at| TickTime { at, local: timing.shown(at) }).collect()
}

/// The work as it is kept, once everything is fine.
fn checked(asked: &Asked, order: &ScheduleOrder) -> Result<Value, Problem> {
    let timing = Timing::read(&order.cron, zone_of(order)).map_err(wrong)?;
    if timing.after(now_ms()).is_none() {
        return Err(wrong(TimingError::Never { cron: order.cron.clone() }));
    }
    order.work.check(&asked.service.seams)?;
    serde_json::to_value(&order.work).map_err(|err| Problem::internal(err.to_string()))
}

fn wrong(error: TimingError) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::Usage.name(), error.to_string())
        .hint("minute, hour, day, month, weekday: `30 7 * * 1-5` is half past seven from Monday to Friday")
}

fn zone_of(order: &ScheduleOrder) -> &str {
    order.zone.as_deref().unwrap_or(UTC)
}

fn settings<'a>(order: &'a ScheduleOrder, work: &'a Value) -> ScheduleSettings<'a> {
    ScheduleSettings { cron: &order.cron, zone: zone_of(order), work, overlap: order.overlap }
}

fn view(service: &Service, schedule: Schedule, ticks: usize) -> Result<ScheduleView, Problem> {
    let timing = Timing::read(&schedule.cron, &schedule.zone).map_err(wrong)?;
    let work = serde_json::from_value(schedule.work)
        .map_err(|err| Problem::internal(format!("schedule `{}` cannot be read: {err}", schedule.name)))?;
    let after = now_ms().max(schedule.settled_at);
    let ticks = service.coordinator.ticks(schedule.number, ticks)?;
    Ok(ScheduleView {
        next: if schedule.is_paused { Vec::new() } else { following(&timing, after, 3) },
        ticks: ticks.into_iter().map(|tick| shown(service, tick)).collect::<Result<_, _>>()?,
        name: schedule.name,
        cron: schedule.cron,
        zone: schedule.zone,
        work,
        overlap: schedule.overlap,
        paused: schedule.is_paused,
        by: schedule.by,
        created_at: schedule.created_at,
    })
}

fn shown(service: &Service, tick: Tick) -> Result<TickView, Problem> {
    let coordinator = &service.coordinator;
    // An old order is forgotten sooner than its tick.
    let order = tick.begun.order.and_then(|number| coordinator.order(number).ok());
    let run = order.as_ref().map(|order| order.name.clone());
    let has_run = run.as_deref().map_or(Ok(false), |run| coordinator.has_run(run))?;
    let metrics = match &run {
        Some(run) if has_run => coordinator.metrics(coordinator.run_named(run)?.task)?,
        _ => BTreeMap::new(),
    };
    Ok(TickView {
        at: tick.at,
        taken_at: tick.taken_at,
        missed: tick.missed,
        order: tick.begun.order,
        status: order.map(|order| order.status.name().to_string()),
        run,
        metrics,
        event: tick.begun.event,
        note: tick.note,
    })
}
