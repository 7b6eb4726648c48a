//! The task of a live page: a goal that is carried out on it, part by part.

use std::collections::BTreeMap;

use assay_agent::goal::CutOff;
use assay_protocol::{ActionPhase, PastAction, Task, TaskState};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::live::{needs_control, own_page};
use crate::live_task::{begin, is_worked_on, leave, resume as set_going, task_of};
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewGoal {
    /// What is to be done and checked, in sentences.
    goal: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum CutOffPart {
    /// A part that may have acted already pauses the task again.
    #[default]
    AsItIs,
    /// Do it again, also where it has acted.
    Again,
    /// It counts as done.
    Skip,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GoingOn {
    /// What becomes of the part at which it was paused.
    #[serde(default)]
    part: CutOffPart,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PageTask {
    /// Absent where the page has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<LiveTask>,
}

/// A task, and all that is known of it.
#[derive(Debug, Serialize, JsonSchema)]
struct LiveTask {
    /// Its number, as `assay task` has it.
    task: i64,
    goal: String,
    /// running, paused, stopped or finished.
    status: String,
    /// Why it is paused or stopped.
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    /// Some process works on it.
    at_work: bool,
    subtasks: Vec<LiveSubtask>,
    /// Tabs that have to do with it.
    tabs: Vec<LiveTaskTab>,
    /// What was done for it, the oldest first.
    actions: Vec<LiveAction>,
    /// What went wrong on the way, the oldest first.
    errors: Vec<String>,
    /// What is known by now, part by part.
    data: BTreeMap<String, Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LiveSubtask {
    text: String,
    /// pending, running, done or failed.
    status: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LiveTaskTab {
    id: String,
    url: String,
    title: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LiveAction {
    /// Milliseconds since 1970.
    at: u64,
    command: String,
    /// done, failed, or unknown: it had begun, and nobody knows its end.
    end: String,
    /// It submits, pays or deletes something.
    commits: bool,
    /// Why it failed.
    #[serde(skip_serializing_if = "String::is_empty")]
    outcome: String,
}

pub fn routes() -> Vec<Route> {
    const TASK: &str = "/server/live/{page}/task";
    vec![
        Route::get(TASK, "get_live_task", "Look at the task of a live page", get),
        Route::write_as(
            Method::Post,
            TASK,
            "begin_live_task",
            "Give a live page a goal: it is carried out part by part",
            StatusCode::CREATED,
            start,
        )
        .without_key(),
        Route::write(
            Method::Post,
            "/server/live/{page}/task/pause",
            "pause_live_task",
            "Pause the task of a live page after what it does now",
            pause,
        )
        .without_key(),
        Route::write(
            Method::Post,
            "/server/live/{page}/task/resume",
            "resume_live_task",
            "Let the task of a live page go on",
            resume,
        )
        .without_key(),
        Route::write(
            Method::Post,
            "/server/live/{page}/task/stop",
            "stop_live_task",
            "End the task of a live page",
            stop,
        )
        .without_key(),
    ]
}

fn get(asked: &Asked, _: Nothing) -> Result<PageTask, Problem> {
    let service = &asked.service;
    let held = service.live.find(asked.part("page"))?;
    let Some(task) = task_of(service, &held)? else { return Ok(PageTask { task: None }) };
    let state = service.coordinator.state(task.id)?;
    let at_work = is_worked_on(service, task.id)?;
    Ok(PageTask { task: Some(view(task, state, at_work)) })
}

fn view(task: Task, state: TaskState, at_work: bool) -> LiveTask {
    let TaskState { task_context: context, action_history } = state;
    let subtask = |part: assay_protocol::Subtask| LiveSubtask {
        text: part.text,
        status: part.status.name().to_string(),
    };
    let tab = |tab: assay_protocol::TaskTab| LiveTaskTab { id: tab.id, url: tab.url, title: tab.title };
    LiveTask {
        task: task.id.0,
        goal: task.goal,
        status: task.status.name().to_string(),
        reason: task.reason,
        at_work,
        subtasks: context.subtasks.into_iter().map(subtask).collect(),
        tabs: context.relevant_tabs.into_iter().map(tab).collect(),
        actions: action_history.into_iter().map(action).collect(),
        errors: context.errors.into_iter().map(|error| error.text).collect(),
        data: context.collected_data.into_iter().collect(),
    }
}

fn action(past: PastAction) -> LiveAction {
    let end = match (past.action.phase, past.action.ok) {
        (ActionPhase::Begun, _) => "unknown",
        (ActionPhase::Ended, true) => "done",
        (ActionPhase::Ended, false) => "failed",
    };
    LiveAction {
        at: past.at,
        command: past.action.command,
        end: end.to_string(),
        commits: past.action.commits,
        outcome: past.action.outcome,
    }
}

fn start(asked: &Asked, new: NewGoal) -> Result<PageTask, Problem> {
    let held = own_page(asked)?;
    needs_control(&held)?;
    let goal = new.goal.trim();
    if goal.is_empty() || goal.contains('\0') {
        return Err(Problem::usage("expected what is to be done as `goal`, found none"));
    }
    begin(&asked.service, &held, goal)?;
    get(asked, Nothing {})
}

fn pause(asked: &Asked, _: Nothing) -> Result<PageTask, Problem> {
    leave(&asked.service, &*own_page(asked)?, false, &asked.caller.name)?;
    get(asked, Nothing {})
}

fn stop(asked: &Asked, _: Nothing) -> Result<PageTask, Problem> {
    leave(&asked.service, &*own_page(asked)?, true, &asked.caller.name)?;
    get(asked, Nothing {})
}

fn resume(asked: &Asked, going: GoingOn) -> Result<PageTask, Problem> {
    let held = own_page(asked)?;
    needs_control(&held)?;
    let cut_off = match going.part {
        CutOffPart::AsItIs => CutOff::AsItIs,
        CutOffPart::Again => CutOff::Again,
        CutOffPart::Skip => CutOff::Skipped,
    };
    set_going(&asked.service, &held, cut_off)?;
    get(asked, Nothing {})
}
