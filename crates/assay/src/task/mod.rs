//! `assay task`: a goal in a session, with everything done for it on record.

mod goal;
mod guide;

use std::process::ExitCode;
use std::time::Duration;

use assay_agent::goal::{CutOff, GoalLimits, settle_cut_off};
use assay_coordinator::{Coordinator, StateError, process};
use assay_host::{
    Granularity, ModelOptions, Repeats, orphan_words, repeated_commits, replay_task, state_failure,
};
use assay_protocol::{
    Action, Answer, Ask, DaemonStatus, ErrorCode, Failure, FollowOrder, Format, LockName, Outcome, Owner,
    SubtaskStatus, Task, TaskId, TaskKind, TaskMessage, TaskReply, TaskState, TaskStatus, TaskTab,
};

use crate::command::Invocation;
use crate::connect::{ask_session, runtime_folder};
use crate::environment::Environment;
use crate::{output, run, state};
use guide::Guide;

/// How a goal is worked on.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalWork {
    pub limits: GoalLimits,
    /// A user acts in the session; assay only records.
    pub is_by_hand: bool,
    pub models: ModelOptions,
    /// The part at which the task is paused is left out.
    pub skips: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TaskOperation {
    Start {
        goal: String,
        work: GoalWork,
    },
    Status {
        task: Option<TaskId>,
    },
    Pause {
        task: Option<TaskId>,
    },
    Resume {
        task: Option<TaskId>,
        /// Whether acts that committed something are repeated.
        repeats: Repeats,
        work: GoalWork,
    },
    Stop {
        task: Option<TaskId>,
    },
    Export {
        task: Option<TaskId>,
    },
    List,
    /// Any message of the protocol, as JSON.
    Send {
        message: String,
    },
    /// Events as they come, one JSON object a line.
    Follow,
}

pub fn run(operation: &TaskOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    if let TaskOperation::Resume { task, repeats, .. } = operation {
        match kind_of(*task, environment) {
            Ok((task, TaskKind::Run)) => {
                let which = task.to_string();
                return run::resume(Some(&which), Granularity::Tests, *repeats, invocation, environment);
            }
            Ok((_, TaskKind::Goal)) => {}
            Err(failure) => return output::print_failure(&failure, json),
        }
    }
    let desk = Desk { invocation: invocation.clone(), environment };
    match desk.carry_out(operation) {
        Ok(code) => code,
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn kind_of(task: Option<TaskId>, environment: &Environment) -> Result<(TaskId, TaskKind), Failure> {
    let coordinator = state::ask_here(environment)?;
    coordinator.pause_orphans().map_err(state_failure)?;
    let found = resumable(&coordinator, task)?;
    Ok((found.id, found.kind))
}

/// The task that is named, or the newest that is paused or stopped, or that runs without a worker.
fn resumable(coordinator: &Coordinator, task: Option<TaskId>) -> Result<Task, Failure> {
    let any = [TaskStatus::Paused, TaskStatus::Stopped, TaskStatus::Running];
    let found = chosen(coordinator, task, &any)?;
    if found.status != TaskStatus::Running || is_idle(coordinator, &found)? {
        return Ok(found);
    }
    match task {
        Some(_) => Ok(found),
        None => chosen(coordinator, None, &any[..2]),
    }
}

/// Whether a running task is a goal with open parts that no process works on: its worker was killed.
fn is_idle(coordinator: &Coordinator, task: &Task) -> Result<bool, Failure> {
    if task.kind != TaskKind::Goal {
        return Ok(false);
    }
    let worker = coordinator.holder(&LockName::Task(task.id.to_string())).map_err(state_failure)?;
    let state = coordinator.state(task.id).map_err(state_failure)?;
    let has_open = state.task_context.subtasks.iter().any(|subtask| subtask.status != SubtaskStatus::Done);
    Ok(worker.is_none() && has_open)
}

/// The task that is named, or the newest in one of these states.
fn chosen(coordinator: &Coordinator, task: Option<TaskId>, states: &[TaskStatus]) -> Result<Task, Failure> {
    if let Some(task) = task {
        return coordinator.task(task).map_err(state_failure);
    }
    let listed = coordinator.handle(TaskMessage::ListTasks { status: None, limit: None });
    let TaskReply::Tasks { tasks } = listed.map_err(state_failure)? else { return Err(odd_reply()) };
    tasks.into_iter().find(|task| states.contains(&task.status)).ok_or_else(|| {
        let wanted: Vec<&str> = states.iter().map(|status| status.name()).collect();
        Failure::new(ErrorCode::Usage, format!("there is no {} task", wanted.join(" or ")))
            .hint("assay task list shows all tasks")
    })
}

/// Where no task was started yet.
fn empty_state() -> serde_json::Value {
    serde_json::json!({ "taskContext": {}, "actionHistory": [] })
}

fn odd_reply() -> Failure {
    Failure::new(ErrorCode::Internal, "internal: unexpected answer from the coordinator")
}

struct Desk<'a> {
    invocation: Invocation,
    environment: &'a Environment,
}

impl Desk<'_> {
    fn carry_out(&self, operation: &TaskOperation) -> Result<ExitCode, Failure> {
        let done = match operation {
            TaskOperation::Start { goal, work } => return self.start(goal, work),
            TaskOperation::Resume { task, repeats, work } => return self.resume(*task, *repeats, work),
            TaskOperation::Status { task } => {
                let coordinator = self.coordinator()?;
                let any =
                    [TaskStatus::Running, TaskStatus::Paused, TaskStatus::Stopped, TaskStatus::Finished];
                let task = chosen(&coordinator, *task, &any)?;
                let state = coordinator.state(task.id).map_err(state_failure)?;
                self.tell(&task, || status_text(&task, &state))
            }
            TaskOperation::Pause { task } => {
                let coordinator = self.coordinator()?;
                let task = chosen(&coordinator, *task, &[TaskStatus::Running])?.id;
                self.leave(
                    &coordinator,
                    task,
                    TaskMessage::PauseTask { task, reason: "paused by the user".to_string() },
                )
            }
            TaskOperation::Stop { task } => {
                let coordinator = self.coordinator()?;
                let task = chosen(&coordinator, *task, &[TaskStatus::Running, TaskStatus::Paused])?.id;
                self.leave(
                    &coordinator,
                    task,
                    TaskMessage::StopTask { task, reason: "stopped by the user".to_string() },
                )
            }
            TaskOperation::Export { task } => self.export(*task),
            TaskOperation::List => self.list(),
            TaskOperation::Send { message } => {
                let message: TaskMessage = serde_json::from_str(message).map_err(|err| {
                    Failure::new(ErrorCode::Usage, format!("expected a message as JSON: {err}"))
                        .hint(r#"assay task send '{"type":"GET_STATE"}'"#)
                })?;
                if message == (TaskMessage::GetState { task: None }) && self.has_no_task()? {
                    let mut reply = empty_state();
                    reply["type"] = serde_json::json!("STATE");
                    output::print_json(&reply);
                    return Ok(ExitCode::SUCCESS);
                }
                let reply = state::open_here(self.environment)?.handle(message).map_err(state_failure)?;
                output::print_json(&serde_json::json!(reply));
                Ok(())
            }
            TaskOperation::Follow => self.follow(),
        };
        done.map(|()| ExitCode::SUCCESS)
    }

    fn has_no_task(&self) -> Result<bool, Failure> {
        let Some(coordinator) = state::look_here(self.environment)? else { return Ok(true) };
        let listed = coordinator.handle(TaskMessage::ListTasks { status: None, limit: Some(1) });
        Ok(matches!(listed, Ok(TaskReply::Tasks { tasks }) if tasks.is_empty()))
    }

    /// The state of a task, also where none was started yet.
    fn export(&self, task: Option<TaskId>) -> Result<(), Failure> {
        let any = [TaskStatus::Running, TaskStatus::Paused, TaskStatus::Stopped, TaskStatus::Finished];
        let newest = match (state::look_here(self.environment)?, task) {
            (None, None) => None,
            (None, Some(task)) => {
                return Err(Failure::new(ErrorCode::Usage, format!("there is no task {task}")));
            }
            (Some(_), task) => {
                let coordinator = self.coordinator()?;
                let listed = coordinator.handle(TaskMessage::ListTasks { status: None, limit: Some(1) });
                let is_empty = matches!(listed, Ok(TaskReply::Tasks { tasks }) if tasks.is_empty());
                match task {
                    None if is_empty => None,
                    task => {
                        let task = chosen(&coordinator, task, &any)?;
                        Some(coordinator.state(task.id).map_err(state_failure)?)
                    }
                }
            }
        };
        let text = match &newest {
            Some(state) => serde_json::to_string_pretty(state),
            None => serde_json::to_string_pretty(&empty_state()),
        };
        output::print_json_text(&text.map_err(|err| Failure::new(ErrorCode::Internal, err.to_string()))?);
        Ok(())
    }

    /// The state of the project, with every task whose process died shown as paused.
    fn coordinator(&self) -> Result<Coordinator, Failure> {
        let coordinator = state::ask_here(self.environment)?;
        match coordinator.pause_orphans() {
            Ok(_) => Ok(coordinator),
            // What is on record can be read all the same.
            Err(error @ StateError::DiskFull { .. }) => {
                output::tell(&format!("note: interrupted tasks are not shown as paused: {error}"));
                Ok(coordinator)
            }
            Err(error) => Err(state_failure(error)),
        }
    }

    fn start(&self, goal: &str, work: &GoalWork) -> Result<ExitCode, Failure> {
        let parts = if work.is_by_hand { Vec::new() } else { goal::parts(goal)? };
        // Before the session is touched: the name of the model may be wrong.
        let guide = if work.is_by_hand { None } else { Guide::connect(&work.models, self.environment)? };
        let coordinator = state::open_here(self.environment)?;
        for task in coordinator.pause_orphans().map_err(state_failure)? {
            output::tell(&format!("note: {}", orphan_words(&task)));
        }
        let owner = self.daemon_as_owner()?;
        let message = TaskMessage::StartTask {
            goal: goal.to_string(),
            subtasks: parts,
            locks: vec![LockName::Session(self.invocation.session.clone())],
            owner: Some(owner),
        };
        let TaskReply::Task { task } = coordinator.handle(message).map_err(state_failure)? else {
            return Err(odd_reply());
        };
        self.ask(Ask::Follow(Some(self.follow_order(&coordinator, task.id)?)))?;
        self.add_current_tab(&coordinator, task.id)?;
        if work.is_by_hand {
            let text = || format!("task {} is running in session {}", task.id, self.invocation.session);
            return self.tell(&task, text).map(|()| ExitCode::SUCCESS);
        }
        goal::work(&coordinator, task.id, work.limits, guide.as_ref(), &self.invocation, self.environment)
    }

    /// The tab in front has to do with the task from the beginning.
    fn add_current_tab(&self, coordinator: &Coordinator, task: TaskId) -> Result<(), Failure> {
        let Outcome::Answer { answer, .. } = self.ask(Ask::Act(Action::Tabs))? else { return Ok(()) };
        let Answer::Tabs { tabs } = *answer else { return Ok(()) };
        for tab in tabs.into_iter().filter(|tab| tab.current) {
            let tab = TaskTab { id: tab.tab, url: tab.url, title: tab.title };
            let message = TaskMessage::TaskAddRelevantTab { task, tab };
            coordinator.handle(message).map_err(state_failure)?;
        }
        Ok(())
    }

    /// Ends or pauses a task: nothing more is put on record for it.
    fn leave(&self, coordinator: &Coordinator, task: TaskId, message: TaskMessage) -> Result<(), Failure> {
        let found = coordinator.task(task).map_err(state_failure)?;
        let TaskReply::Task { task } = coordinator.handle(message).map_err(state_failure)? else {
            return Err(odd_reply());
        };
        let desk = self.in_session_of(&found);
        if found.kind == TaskKind::Goal && desk.daemon_lives()? {
            desk.ask(Ask::Follow(None))?;
        }
        self.tell(&task, || format!("task {} is {}", task.id, task.status.name()))
    }

    fn resume(&self, task: Option<TaskId>, repeats: Repeats, work: &GoalWork) -> Result<ExitCode, Failure> {
        let coordinator = self.coordinator()?;
        let task = resumable(&coordinator, task)?;
        let is_idle = is_idle(&coordinator, &task)?;
        if task.status == TaskStatus::Running && !is_idle {
            return Err(Failure::new(ErrorCode::Usage, format!("task {} is running", task.id)));
        }
        let guide = Guide::connect(&work.models, self.environment)?;
        let desk = self.in_session_of(&task);
        if task.status != TaskStatus::Running {
            desk.take_up(&coordinator, &task, repeats)?;
        }
        let cut_off = match (work.skips, repeats) {
            (true, _) => CutOff::Skipped,
            (false, Repeats::Allowed) => CutOff::Again,
            (false, Repeats::Refused) => CutOff::AsItIs,
        };
        settle_cut_off(&coordinator, task.id, cut_off).map_err(state_failure)?;
        let state = coordinator.state(task.id).map_err(state_failure)?;
        if state.task_context.subtasks.iter().all(|subtask| subtask.status == SubtaskStatus::Done) {
            return Ok(ExitCode::SUCCESS);
        }
        goal::work(&coordinator, task.id, work.limits, guide.as_ref(), &desk.invocation, self.environment)
    }

    /// The session records for the task again, in its browser or in a new one where everything is repeated.
    fn take_up(&self, coordinator: &Coordinator, task: &Task, repeats: Repeats) -> Result<(), Failure> {
        let owner = self.daemon_as_owner()?;
        let life = |owner: &Owner| (owner.pid, owner.process_start, owner.doing.clone());
        let is_same = life(&owner) == life(&task.owner);
        // The session is taken first: what is done again must not be done in the browser of another task.
        let limits = state::limits_here(self.environment)?;
        let state = coordinator.state(task.id).map_err(state_failure)?;
        if !is_same {
            run::check_task(task.id, &repeated_commits(&state), repeats)?;
        }
        let task = coordinator.take_over(task.id, &owner).map_err(state_failure)?;
        let again = |ask: Ask| self.ask(ask);
        let mut say = |line: String| output::tell(&line);
        if !is_same && let Err(failure) = replay_task(&again, &state, &limits, &mut say) {
            let reason = format!("it could not continue: {}", failure.message);
            // That it could not even be paused is shown by the next command, by its process.
            let _paused = coordinator.handle(TaskMessage::PauseTask { task: task.id, reason });
            return Err(failure);
        }
        self.ask(Ask::Follow(Some(self.follow_order(coordinator, task.id)?)))?;
        let how = if is_same { "in its running browser" } else { "in a new browser" };
        self.tell(&task, || format!("task {} continues {how}", task.id))
    }

    /// The session that the task was started in, whatever this command says.
    fn in_session_of(&self, task: &Task) -> Desk<'_> {
        let session = task.locks.iter().find_map(|lock| match lock {
            LockName::Session(name) => Some(name.clone()),
            LockName::Device(_) | LockName::AgentSession(_) | LockName::Task(_) => None,
        });
        let session = session.unwrap_or_else(|| self.invocation.session.clone());
        Desk { invocation: Invocation { session, ..self.invocation.clone() }, environment: self.environment }
    }

    fn list(&self) -> Result<(), Failure> {
        let coordinator = self.coordinator()?;
        let listed = coordinator.handle(TaskMessage::ListTasks { status: None, limit: Some(50) });
        let TaskReply::Tasks { tasks } = listed.map_err(state_failure)? else { return Err(odd_reply()) };
        if self.invocation.format == Format::Json {
            output::print_json(&serde_json::json!({ "ok": true, "data": tasks }));
            return Ok(());
        }
        for task in &tasks {
            output::print_line(&task_line(task));
        }
        Ok(())
    }

    fn follow(&self) -> Result<(), Failure> {
        let coordinator = self.coordinator()?;
        let mut after = 0;
        loop {
            let events =
                coordinator.wait_for_events(after, Duration::from_secs(3600)).map_err(state_failure)?;
            for event in &events {
                output::print_json(&serde_json::json!(event));
                after = event.number;
            }
        }
    }

    fn follow_order(&self, coordinator: &Coordinator, task: TaskId) -> Result<FollowOrder, Failure> {
        let folder =
            coordinator.file().parent().map(std::path::absolute).and_then(Result::ok).unwrap_or_default();
        Ok(FollowOrder { folder: folder.display().to_string(), task })
    }

    fn tell(&self, task: &Task, text: impl FnOnce() -> String) -> Result<(), Failure> {
        match self.invocation.format {
            Format::Json => output::print_json(&serde_json::json!({ "ok": true, "data": task })),
            Format::Text => output::print_line(&text()),
        }
        Ok(())
    }

    fn daemon_lives(&self) -> Result<bool, Failure> {
        let folder = runtime_folder(self.environment)?;
        Ok(folder.socket(&self.invocation.session)?.exists())
    }

    /// The session's daemon, which outlives this command: the task lives as long as it and its browser.
    fn daemon_as_owner(&self) -> Result<Owner, Failure> {
        // A look makes sure that there is a browser; in place of one that was lost, a new one is started.
        match self.ask(Ask::Act(Action::Tabs)) {
            Err(failure) if failure.code != ErrorCode::BrowserLost => return Err(failure),
            _ => {}
        }
        let status = self.status()?;
        session_owner(&status, &self.invocation.session)
    }

    fn status(&self) -> Result<DaemonStatus, Failure> {
        match self.ask(Ask::Control(assay_protocol::Control::Status))? {
            Outcome::Status(status) => Ok(status),
            _ => Err(Failure::new(ErrorCode::Internal, "internal: unexpected answer from the daemon")),
        }
    }

    fn ask(&self, ask: Ask) -> Result<Outcome, Failure> {
        ask_session(&self.invocation, self.environment, ask, self.invocation.timeout_ms, true)
    }
}

/// The daemon of a session with its browser: a task lives as long as both.
pub fn session_owner(status: &DaemonStatus, session: &str) -> Result<Owner, Failure> {
    let browser = status.browser_pid.map(|pid| format!(", browser {pid}")).unwrap_or_default();
    process(status.pid, &format!("session {session}{browser}")).map_err(state_failure)
}

fn task_line(task: &Task) -> String {
    let reason = if task.reason.is_empty() { String::new() } else { format!(" ({})", task.reason) };
    format!("{:>4}  {:8}  {}{reason}", task.id.0, task.status.name(), task.goal)
}

fn status_text(task: &Task, state: &TaskState) -> String {
    let context = &state.task_context;
    let mut text = task_line(task);
    for subtask in &context.subtasks {
        text += &format!("\n  {:8} {}", subtask.status.name(), subtask.text);
    }
    for tab in &context.relevant_tabs {
        text += &format!("\n  tab {} {}", tab.id, tab.url);
    }
    for (key, value) in &context.collected_data {
        text += &format!("\n  {key}: {value}");
    }
    for error in &context.errors {
        text += &format!("\n  error: {}", error.text);
    }
    let history = &state.action_history;
    const SHOWN: usize = 10;
    if history.len() > SHOWN {
        text += &format!("\n  … {} earlier acts", history.len() - SHOWN);
    }
    for past in history.iter().rev().take(SHOWN).rev() {
        let end = match (past.action.phase, past.action.ok) {
            (assay_protocol::ActionPhase::Begun, _) => "started, result unknown",
            (assay_protocol::ActionPhase::Ended, true) => "done",
            (assay_protocol::ActionPhase::Ended, false) => "failed",
        };
        text += &format!("\n  {end}: {}", past.action.command);
    }
    text
}
