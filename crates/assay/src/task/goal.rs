//! A goal at work: the session as the hands of the worker, and what a user sees of it.

use std::process::ExitCode;

use assay_agent::goal::{Doubt, GoalEnd, GoalError, GoalLimits, Hands, Tried, Worker, subtasks_of};
use assay_coordinator::{Coordinator, this_process};
use assay_host::state_failure;
use assay_protocol::{
    Action, Answer, Ask, ErrorCode, Failure, Format, LockName, Outcome, Scene, Subtask, TaskId, TaskStatus,
};

use super::guide::Guide;
use crate::command::Invocation;
use crate::connect::ask_session;
use crate::environment::Environment;
use crate::{output, sentence};

/// The parts of a goal as a task keeps them.
pub fn parts(goal: &str) -> Result<Vec<Subtask>, Failure> {
    let parts = subtasks_of(goal);
    if parts.is_empty() {
        return Err(Failure::new(ErrorCode::Usage, "the goal says nothing to do"));
    }
    Ok(parts)
}

/// Works on a task until it is reached, fails, or only a user knows more.
pub fn work(
    coordinator: &Coordinator,
    task: TaskId,
    limits: GoalLimits,
    guide: Option<&Guide>,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    // One worker at a time; a worker that died holds nothing.
    let owner = this_process("assay task").map_err(state_failure)?;
    let name = LockName::Task(task.to_string());
    let _lease = coordinator.acquire(&name, &owner).map_err(state_failure)?;
    let context = coordinator.state(task).map_err(state_failure)?.task_context;
    let parts = context.subtasks.iter().map(|subtask| subtask.text.clone());
    let sentences = [context.goal.clone()].into_iter().chain(parts).collect();
    let help = guide.map(|guide| guide.help(sentences));
    let mut hands = SessionHands { help, invocation, environment };
    let worker = Worker { coordinator, task, hands: &mut hands, limits };
    let end = worker.run();
    if let Some(guide) = guide {
        guide.finish()?;
    }
    // A task that does not run keeps no record: what a user does by hand in between is theirs.
    if coordinator.task(task).map_err(state_failure)?.status != TaskStatus::Running {
        ask_session(invocation, environment, Ask::Follow(None), invocation.timeout_ms, true)?;
    }
    let end = end.map_err(|error| match error {
        GoalError::State(error) => state_failure(error),
        GoalError::Session(failure) => failure,
    })?;
    show(task, &end, coordinator, invocation)?;
    Ok(exit_of(&end))
}

fn show(
    task: TaskId,
    end: &GoalEnd,
    coordinator: &Coordinator,
    invocation: &Invocation,
) -> Result<(), Failure> {
    if invocation.format == Format::Json {
        let state = coordinator.state(task).map_err(state_failure)?;
        let (end, doubt) = in_json(end);
        output::print_json(&serde_json::json!({
            "ok": end == "reached", "data": { "task": task, "end": end, "doubt": doubt, "state": state },
        }));
        return Ok(());
    }
    let text = match end {
        GoalEnd::Reached => format!("task {task}: every part of the goal is done"),
        GoalEnd::Unchecked(parts) => {
            let parts: Vec<String> = parts.iter().map(usize::to_string).collect();
            format!(
                "task {task}: every part is done, but part {} rests on the word of the model; end the goal with a claim, such as \
                 `the text \"Thank you\" is shown`",
                parts.join(", ")
            )
        }
        GoalEnd::Failed(doubt) => format!("task {task}: part {} failed: {}", doubt.subtask, doubt.reason),
        GoalEnd::Asks(doubt) => question(task, doubt),
        GoalEnd::OutOfTime => {
            format!(
                "task {task} is paused: its time is over; `assay task resume {task} --seconds N` continues it"
            )
        }
        GoalEnd::Ended(status) => format!("task {task} is {}", status.name()),
    };
    output::print_line(&text);
    Ok(())
}

fn question(task: TaskId, doubt: &Doubt) -> String {
    let mut text =
        format!("task {task} is paused at part {}: {}\n  {}", doubt.subtask, doubt.text, doubt.reason);
    for candidate in &doubt.candidates {
        text += &format!("\n  - {candidate}");
    }
    text + &format!(
        "\nhelp by hand in the session, then `assay task resume {task}`, or with --skip to leave the part out"
    )
}

fn in_json(end: &GoalEnd) -> (&'static str, Option<serde_json::Value>) {
    let of = |doubt: &Doubt| {
        serde_json::json!({
            "part": doubt.subtask, "text": doubt.text, "reason": doubt.reason, "candidates": doubt.candidates,
        })
    };
    match end {
        GoalEnd::Reached => ("reached", None),
        GoalEnd::Unchecked(_) => ("unchecked", None),
        GoalEnd::Failed(doubt) => ("failed", Some(of(doubt))),
        GoalEnd::Asks(doubt) => ("asks", Some(of(doubt))),
        GoalEnd::OutOfTime => ("out_of_time", None),
        GoalEnd::Ended(status) => (status.name(), None),
    }
}

fn exit_of(end: &GoalEnd) -> ExitCode {
    ExitCode::from(match end {
        GoalEnd::Reached => 0,
        GoalEnd::Failed(_) => 1,
        GoalEnd::Unchecked(_) | GoalEnd::Asks(_) | GoalEnd::OutOfTime | GoalEnd::Ended(_) => 3,
    })
}

struct SessionHands<'a> {
    help: Option<sentence::Help<'a>>,
    invocation: &'a Invocation,
    environment: &'a Environment,
}

impl Hands for SessionHands<'_> {
    fn carry_out(&mut self, text: &str) -> Result<Tried, Failure> {
        let done = sentence::carry_out(text, self.help.as_ref(), self.invocation, self.environment)?;
        Ok(Tried {
            verdict: done.end.verdict,
            reason: done.end.reason.clone(),
            has_acted: done.has_acted(),
            has_judged: done.end.judgements.iter().any(|judgement| !judgement.claim.is_empty()),
            is_by_pilot: done.by_pilot().is_some(),
            candidates: done.candidates(),
            lines: done.lines(),
        })
    }

    fn look(&mut self) -> Result<Scene, Failure> {
        let ask = Ask::Act(Action::Scene);
        let odd =
            || Failure::new(ErrorCode::Internal, "internal: expected a scene, found a different answer");
        match ask_session(self.invocation, self.environment, ask, self.invocation.timeout_ms, true)? {
            Outcome::Answer { answer, .. } => match *answer {
                Answer::Scene(scene) => Ok(*scene),
                _ => Err(odd()),
            },
            _ => Err(odd()),
        }
    }

    fn tell(&mut self, line: &str) {
        output::tell(line);
    }
}
