//! Records the acts of a session for a task, before and after they are carried out.

use std::path::Path;
use std::time::Instant;

use assay_coordinator::Coordinator;
use assay_daemon::Witness;
use assay_language::make_lasting;
use assay_protocol::{
    Action, ActionPhase, ActionRecord, Answer, Failure, FollowOrder, Scene, Secrets, TaskId, TaskMessage,
    TaskTab,
};
use assay_runner::may_commit;

use crate::state::state_failure;

pub(crate) struct TaskWitness {
    coordinator: Coordinator,
    task: TaskId,
    /// Kept out of the record.
    secrets: Secrets,
    begun: Option<(ActionRecord, Instant)>,
    /// The tab in front, as it was seen last.
    tab: Option<String>,
}

/// Calls a witness for a task: the daemon's side of `assay task start`.
pub fn call_witness(order: &FollowOrder) -> Result<Box<dyn Witness>, Failure> {
    let coordinator = Coordinator::open(Path::new(&order.folder)).map_err(state_failure)?;
    Ok(Box::new(witness_for(coordinator, order.task, Secrets::default())))
}

/// A witness for a task of this project. An act that shows a secret is on record without how to repeat it.
pub(crate) fn witness_for(coordinator: Coordinator, task: TaskId, secrets: Secrets) -> TaskWitness {
    TaskWitness { coordinator, task, secrets, begun: None, tab: None }
}

impl TaskWitness {
    fn record(&self, mut action: ActionRecord) -> Result<(), Failure> {
        action.outcome = self.secrets.mask(&action.outcome);
        let command = self.secrets.mask(&action.command);
        if command != action.command {
            action.signature = None;
            action.command = command;
        }
        let message = TaskMessage::RecordAction { task: self.task, action };
        self.coordinator.handle(message).map(drop).map_err(state_failure)
    }
}

impl Witness for TaskWitness {
    fn begin(&mut self, action: &Action, seen: Option<&Scene>) -> Result<(), Failure> {
        let lasting = make_lasting(action, seen.unwrap_or(&Scene::default()));
        let in_front = seen.and_then(|scene| scene.tabs.iter().find(|tab| tab.current));
        self.tab = in_front.map(|tab| tab.tab.clone());
        let record = ActionRecord {
            tab: self.tab.clone(),
            command: action.command_line(),
            phase: ActionPhase::Begun,
            commits: may_commit(action, seen),
            pilot: "exact".to_string(),
            signature: lasting.and_then(|lasting| serde_json::to_value(lasting).ok()),
            ..ActionRecord::default()
        };
        self.record(record.clone())?;
        self.begun = Some((record, Instant::now()));
        Ok(())
    }

    fn lost(&mut self) -> String {
        let message = TaskMessage::PauseTask {
            task: self.task,
            reason: "the browser of its session was lost".to_string(),
        };
        match self.coordinator.handle(message) {
            Ok(_) => {
                format!(
                    "task {} is paused because its browser was lost; `assay task resume` continues it",
                    self.task
                )
            }
            Err(error) => format!("task {} lost its browser and could not be paused: {error}", self.task),
        }
    }

    fn end(&mut self, _: &Action, result: &Result<Answer, Failure>) -> Option<String> {
        let (begun, started) = self.begun.take()?;
        let ended = ActionRecord {
            phase: ActionPhase::Ended,
            ok: result.is_ok(),
            outcome: result.as_ref().err().map(|failure| failure.message.clone()).unwrap_or_default(),
            code: result.as_ref().err().map(|failure| failure.code),
            duration_ms: Some(started.elapsed().as_millis() as u64),
            ..begun
        };
        let told = self.record(ended).err();
        if let Ok(Answer::Effect(effect)) = result {
            let opened = effect.tabs.iter().map(|tab| (&tab.tab, &tab.url, &tab.title));
            let in_front = self.tab.iter().zip(&effect.page).map(|(tab, page)| (tab, &page.url, &page.title));
            for (id, url, title) in opened.chain(in_front) {
                let tab = TaskTab { id: id.clone(), url: url.clone(), title: title.clone() };
                let message = TaskMessage::TaskAddRelevantTab { task: self.task, tab };
                // A tab that is not on record is no reason to call the act a failure.
                let _added = self.coordinator.handle(message);
            }
        }
        told.map(|failure| format!("its result could not be recorded: {}", failure.message))
    }
}
