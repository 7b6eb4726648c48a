//! Runs: started, listed, looked at, stopped and resumed.

use std::collections::{BTreeMap, BTreeSet};

use assay_coordinator::{NewOrder, Order, OrderPage, OrderStatus, PastResult, RunRecord};
use assay_host::StartCommand;
use assay_protocol::{TaskId, TaskMessage, TaskStatus, Verdict};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::orders::shown_order;
use crate::orders::{AcceptedWork, RESULTS, RUNS, ResumeOrder, RunOrder, Wish, new_run_name};
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};
use crate::service::Service;

/// A run on record.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Run")]
pub(super) struct RunView {
    /// Its name, which is known before it begins.
    pub run: String,
    /// Its number.
    pub task: i64,
    pub suite: String,
    /// running, paused, stopped or finished.
    pub status: String,
    /// It did not come to its end.
    pub interrupted: bool,
    /// Milliseconds since 1970.
    pub started_at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The command line of the same.
    pub command: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RunDetails {
    #[serde(flatten)]
    run: RunView,
    /// The counts of the run by name; empty until it ends.
    metrics: BTreeMap<String, f64>,
    results: Vec<ResultView>,
    /// Where the service was asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<AcceptedWork>,
}

/// How a test ended in a run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Result")]
pub(super) struct ResultView {
    pub run: String,
    /// As the run named it.
    pub id: String,
    /// The same in all runs and browsers.
    pub test: String,
    pub name: String,
    pub file: String,
    pub browser: String,
    /// passed, failed, inconclusive or error.
    pub verdict: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// It passed on a retry.
    pub flaky: bool,
    pub attempt: u32,
    /// Milliseconds since 1970.
    pub at: u64,
    pub duration_ms: u64,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunsQuery {
    /// `next` of the page before; without it the first page.
    cursor: Option<String>,
    /// At most so many; 50 without it, 500 at most.
    limit: Option<usize>,
    /// Only runs that are running, paused, stopped or finished.
    status: Option<String>,
}

/// A run with its counts.
#[derive(Debug, Serialize, JsonSchema)]
struct CountedRun {
    #[serde(flatten)]
    run: RunView,
    /// By name; empty until it ends.
    metrics: BTreeMap<String, f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RunsPage {
    #[serde(flatten)]
    runs: Page<CountedRun>,
    /// Orders that have not become a run yet, the next one first.
    waiting: Vec<AcceptedWork>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StopOrder {
    /// It can be resumed; by default it is stopped, and can be resumed as well.
    #[serde(default)]
    pause: bool,
    /// Kept with the run.
    #[serde(default)]
    reason: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Stopped {
    run: String,
    /// How the run or its order is now: running runs end at the next chance.
    status: String,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/runs", "list_runs", "List runs, the newest first", list),
        Route::write_as(
            Method::Post,
            "/server/runs",
            "start_run",
            "Start a run; it is on record when this answers",
            StatusCode::ACCEPTED,
            start,
        ),
        Route::get("/server/runs/{run}", "get_run", "Look at a run by name or number", get),
        Route::write(Method::Post, "/server/runs/{run}/stop", "stop_run", "Stop or pause a run", stop),
        Route::write_as(
            Method::Post,
            "/server/runs/{run}/resume",
            "resume_run",
            "Continue a run that was interrupted",
            StatusCode::ACCEPTED,
            resume,
        ),
    ]
}

fn list(asked: &Asked, query: RunsQuery) -> Result<RunsPage, Problem> {
    let page = PageQuery { cursor: query.cursor, limit: query.limit };
    let status = query.status.as_deref().map(status_named).transpose()?;
    let before = page.before()?.map(|number| TaskId(i64::try_from(number).unwrap_or(i64::MAX)));
    let coordinator = &asked.service.coordinator;
    let found = coordinator.runs_before(before, status, page.limit() + 1)?;
    let found = page.newest(found, |run| run.task.0.unsigned_abs(), |run| run);
    let counted =
        |run: RunRecord| Ok(CountedRun { metrics: coordinator.metrics(run.task)?, run: shown(&run) });
    let items = found.items.into_iter().map(counted).collect::<Result<_, Problem>>()?;
    let runs = Page { items, next: found.next };
    let mut waiting = Vec::new();
    for status in [OrderStatus::Accepted, OrderStatus::Begun] {
        for order in coordinator.orders(OrderPage { status: Some(status), before: None, limit: 500 })? {
            if RUNS.contains(&order.kind.as_str()) && !coordinator.has_run(&order.name)? {
                waiting.push(shown_order(&order));
            }
        }
    }
    waiting.sort_by_key(|order| order.order);
    Ok(RunsPage { runs, waiting })
}

fn status_named(name: &str) -> Result<TaskStatus, Problem> {
    let known = [TaskStatus::Running, TaskStatus::Paused, TaskStatus::Stopped, TaskStatus::Finished];
    let found = known.into_iter().find(|status| status.name() == name);
    found.ok_or_else(|| {
        Problem::usage(format!("expected running, paused, stopped or finished as `status`, found `{name}`"))
    })
}

/// The run of this name or number, if it was begun.
pub(super) fn find_run(service: &Service, which: &str) -> Result<RunRecord, Problem> {
    Ok(match which.parse() {
        Ok(number) => service.coordinator.run(TaskId(number)),
        Err(_) => service.coordinator.run_named(which),
    }?)
}

pub(super) fn shown(run: &RunRecord) -> RunView {
    let command = serde_json::from_value::<StartCommand>(run.order.clone());
    RunView {
        run: run.run.clone(),
        task: run.task.0,
        suite: run.suite.clone(),
        status: run.status.name().to_string(),
        interrupted: run.interrupted,
        started_at: run.started_at,
        ended_at: run.ended_at,
        duration_ms: run.duration_ms,
        command: command.map(|command| command.command_line()).unwrap_or_default(),
    }
}

pub(super) fn shown_result(result: PastResult) -> ResultView {
    ResultView {
        run: result.run,
        id: result.test_id,
        test: result.test,
        name: result.name,
        file: result.file,
        browser: result.browser,
        verdict: result.verdict.name().to_string(),
        reason: result.reason,
        flaky: result.flaky,
        attempt: result.attempt,
        at: result.at,
        duration_ms: result.duration_ms,
    }
}

fn get(asked: &Asked, _: Nothing) -> Result<RunDetails, Problem> {
    let coordinator = &asked.service.coordinator;
    let which = asked.part("run");
    let run = match coordinator.order_named(which)? {
        Some(order) if !coordinator.has_run(which)? => return Err(not_begun(&order)),
        _ => find_run(&asked.service, which)?,
    };
    let order = coordinator.order_named(&run.run)?;
    Ok(RunDetails {
        metrics: coordinator.metrics(run.task)?,
        results: coordinator.results_of(run.task)?.into_iter().map(shown_result).collect(),
        order: order.as_ref().map(shown_order),
        run: shown(&run),
    })
}

/// There is an order, and no run: it waits, is being prepared, or never became one.
pub(super) fn not_begun(order: &Order) -> Problem {
    let what = match order.status {
        OrderStatus::Accepted => "waits for its turn",
        OrderStatus::Begun => "is being prepared",
        OrderStatus::Withdrawn => "was taken back before it began",
        OrderStatus::Failed | OrderStatus::Ended | OrderStatus::Interrupted => "was never begun",
    };
    let mut problem = Problem::conflict(format!("run `{}` {what}", order.name))
        .hint(format!("GET /server/orders/{} says more", order.number));
    if !order.trouble.is_empty() {
        problem.body.details = vec![order.trouble.clone()];
    }
    problem
}

fn start(asked: &Asked, mut order: RunOrder) -> Result<AcceptedWork, Problem> {
    if std::mem::take(&mut order.last_failed) {
        order.tests.extend(red_tests(asked)?);
    }
    let name = new_run_name();
    let words = order.words(&format!("{RESULTS}/{name}"))?;
    asked.service.seams.runs.check(&words)?;
    accept(asked, &Wish::Run { words }, &name)
}

/// The tests that did not pass in the last run that ended. Each run of the service has a folder of its own, so the command
/// line would look for them in vain.
fn red_tests(asked: &Asked) -> Result<Vec<String>, Problem> {
    let coordinator = &asked.service.coordinator;
    let last = coordinator.runs_before(None, Some(TaskStatus::Finished), 1)?.pop();
    let last = last.ok_or_else(|| Problem::conflict("no run has ended yet"))?;
    let results = coordinator.results_of(last.task)?;
    let red = results.into_iter().filter(|result| result.verdict != Verdict::Passed);
    let tests: BTreeSet<String> = red.map(|result| result.test).collect();
    match tests.is_empty() {
        true => Err(Problem::conflict(format!("every test of run `{}` passed", last.run))),
        false => Ok(tests.into_iter().collect()),
    }
}

/// Puts the work on record, with the key of the request.
pub(super) fn accept(asked: &Asked, wish: &Wish, name: &str) -> Result<AcceptedWork, Problem> {
    if asked.service.stop.is_cancelled() {
        return Err(Problem::stopping());
    }
    let body = serde_json::to_value(wish).map_err(|err| Problem::internal(err.to_string()))?;
    let new = NewOrder { kind: wish.kind(), name, body: &body, by: &asked.caller.name };
    let key = asked.key.as_ref().map(|key| key.as_key());
    let order = asked.service.coordinator.accept_order(&new, key.as_ref())?;
    asked.service.accepted(&order);
    Ok(shown_order(&order))
}

fn stop(asked: &Asked, order: StopOrder) -> Result<Stopped, Problem> {
    let coordinator = &asked.service.coordinator;
    let which = asked.part("run");
    if let Some(waiting) = coordinator.order_named(which)?
        && !coordinator.has_run(which)?
    {
        let now = coordinator.withdraw_order(waiting.number)?;
        return match now.status {
            OrderStatus::Withdrawn => {
                Ok(Stopped { run: which.to_string(), status: now.status.name().to_string() })
            }
            _ => Err(not_begun(&now)),
        };
    }
    let run = find_run(&asked.service, which)?;
    if run.status != TaskStatus::Running {
        return Err(Problem::conflict(format!("run `{}` is {} already", run.run, run.status.name())));
    }
    let reason = match order.reason.trim() {
        "" => format!("{} ended it", asked.caller.name),
        said => said.chars().take(500).collect(),
    };
    let message = match order.pause {
        true => TaskMessage::PauseTask { task: run.task, reason },
        false => TaskMessage::StopTask { task: run.task, reason },
    };
    coordinator.handle(message)?;
    let now = coordinator.run(run.task)?;
    asked.service.feeds.wake();
    Ok(Stopped { run: now.run, status: now.status.name().to_string() })
}

fn resume(asked: &Asked, order: ResumeOrder) -> Result<AcceptedWork, Problem> {
    let service = &asked.service;
    service.coordinator.pause_orphans()?;
    let run = find_run(service, asked.part("run"))?;
    if !matches!(run.status, TaskStatus::Paused | TaskStatus::Stopped) {
        let what = format!("run `{}` is {}, so it cannot be resumed", run.run, run.status.name());
        return Err(Problem::conflict(what));
    }
    let command: StartCommand = serde_json::from_value(run.order.clone())
        .map_err(|_| Problem::conflict(format!("the record does not say how `{}` was started", run.run)))?;
    service.record_limits().check_folder(&command.folder)?;
    service.seams.runs.check(&command.arguments)?;
    if order.again {
        asked.needs(crate::access::Role::Admin, "Repeating what submitted, paid or deleted something")?;
    }
    let name = format!("{}-resume-{}", run.run, new_run_name());
    accept(asked, &Wish::Resume { run: run.run, words: command.arguments, order }, &name)
}
