//! The parts of a goal: split off when a task begins, and settled when it goes on.

use assay_coordinator::{Coordinator, StateError};
use assay_language::parts_of;
use assay_protocol::{ContextPatch, Subtask, SubtaskStatus, TaskId, TaskMessage};

/// The parts of a goal as a task keeps them. None where the goal says nothing to do.
pub fn subtasks_of(goal: &str) -> Vec<Subtask> {
    let part = |text| Subtask { text, status: SubtaskStatus::Pending, begun_after: None };
    parts_of(goal).into_iter().map(part).collect()
}

/// What becomes of the part at which a task was left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CutOff {
    /// A part that may have acted is shown to the user once more.
    #[default]
    AsItIs,
    /// It is done again, also where it has acted.
    Again,
    /// It counts as done.
    Skipped,
}

/// Settles the part at which a task was left, before the task goes on.
pub fn settle_cut_off(coordinator: &Coordinator, task: TaskId, cut_off: CutOff) -> Result<(), StateError> {
    let mut subtasks = coordinator.state(task)?.task_context.subtasks;
    let Some(open) = subtasks.iter_mut().find(|subtask| subtask.status != SubtaskStatus::Done) else {
        return Ok(());
    };
    let status = match cut_off {
        CutOff::Skipped => SubtaskStatus::Done,
        CutOff::Again => SubtaskStatus::Pending,
        // A claim that failed is judged again; a part that was begun is looked at by the worker.
        CutOff::AsItIs if open.status == SubtaskStatus::Failed => SubtaskStatus::Pending,
        CutOff::AsItIs => return Ok(()),
    };
    open.status = status;
    open.begun_after = None;
    let patch = ContextPatch { subtasks: Some(subtasks), ..ContextPatch::default() };
    coordinator.handle(TaskMessage::UpdateTaskContext { task, patch }).map(drop)
}
