//! Work that nobody waits for in an open request: its client looks after it by its id (the extension for tasks).
//!
//! A task is kept for an hour, for the principal who began it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::{
    DetailedTask, ErrorData, InputResponses, JsonObject, Task as WireTask, TaskPayload, TaskStatus,
};
use rmcp::task_manager::current_timestamp;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::ask::{input_requests, take_answers};
use super::random;
use super::work::{Finished, Outcome, Step, Work};
use crate::seam::{Answers, AskError, Era, Event, Questions, RequestError};
use crate::wire::{self, Dialect};

const KEPT_FOR: Duration = Duration::from_secs(60 * 60);
/// How often a client should look.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// No more tasks are kept at once. Past that, clients wait as if they had never heard of tasks.
const MOST: usize = 256;

/// All tasks of a server. They end with it.
#[derive(Clone, Default)]
pub struct Tasks(Arc<All>);

#[derive(Default)]
struct All(Mutex<HashMap<String, Arc<Kept>>>);

impl Drop for All {
    fn drop(&mut self) {
        for kept in self.0.get_mut().unwrap_or_else(PoisonError::into_inner).values() {
            kept.cancelled.cancel();
        }
    }
}

struct Kept {
    principal: String,
    begun: String,
    cancelled: CancellationToken,
    state: Mutex<State>,
}

struct State {
    updated: String,
    message: Option<String>,
    phase: Phase,
}

enum Phase {
    Working,
    Asking { questions: Questions, answers: Answers, tell: oneshot::Sender<Result<Answers, AskError>> },
    Completed(JsonObject),
    Failed(JsonObject),
    Cancelled,
}

impl Tasks {
    pub fn has_room(&self) -> bool {
        lock(&self.0.0).len() < MOST
    }

    /// Lets work go on as a task.
    pub fn keep(&self, work: Work, principal: &str) -> Result<WireTask, ErrorData> {
        let id = random::id().map_err(|err| ErrorData::internal_error(err.to_string(), None))?;
        let now = current_timestamp();
        let kept = Arc::new(Kept {
            principal: principal.to_string(),
            begun: now.clone(),
            cancelled: CancellationToken::new(),
            state: Mutex::new(State { updated: now, message: None, phase: Phase::Working }),
        });
        lock(&self.0.0).insert(id.clone(), kept.clone());
        let task = kept.describe(&id);
        tokio::spawn(run(work, kept));
        let (all, expiring) = (Arc::downgrade(&self.0), id);
        tokio::spawn(async move {
            tokio::time::sleep(KEPT_FOR).await;
            if let Some(all) = all.upgrade()
                && let Some(expired) = lock(&all.0).remove(&expiring)
            {
                expired.cancelled.cancel();
            }
        });
        Ok(task)
    }

    pub fn look(&self, id: &str, principal: &str) -> Result<DetailedTask, ErrorData> {
        let kept = self.find(id, principal)?;
        let task = kept.describe(id);
        let payload = match &lock(&kept.state).phase {
            Phase::Working => TaskPayload::Working,
            Phase::Asking { questions, .. } => {
                let requests = input_requests(questions);
                let input_requests =
                    requests.map_err(|err| ErrorData::internal_error(err.to_string(), None))?;
                TaskPayload::InputRequired { input_requests }
            }
            Phase::Completed(result) => TaskPayload::Completed { result: result.clone() },
            Phase::Failed(error) => TaskPayload::Failed { error: error.clone() },
            Phase::Cancelled => TaskPayload::Cancelled,
        };
        Ok(DetailedTask::new(task, payload))
    }

    /// Takes answers to open questions. When all have one, the work goes on.
    pub fn answer(&self, id: &str, principal: &str, sent: &InputResponses) -> Result<(), ErrorData> {
        let kept = self.find(id, principal)?;
        let mut state = lock(&kept.state);
        let Phase::Asking { questions, answers, .. } = &mut state.phase else { return Ok(()) };
        take_answers(questions, answers, &mut sent.clone());
        if questions.is_empty()
            && let Phase::Asking { answers, tell, .. } = state.enter(Phase::Working)
        {
            // An error only says that the work does not wait any more.
            let _ = tell.send(Ok(answers));
        }
        Ok(())
    }

    pub fn cancel(&self, id: &str, principal: &str) -> Result<(), ErrorData> {
        let kept = self.find(id, principal)?;
        lock(&kept.state).end(Phase::Cancelled);
        kept.cancelled.cancel();
        Ok(())
    }

    /// The tasks of others are as unknown as those that never were.
    fn find(&self, id: &str, principal: &str) -> Result<Arc<Kept>, ErrorData> {
        let found = lock(&self.0.0).get(id).filter(|kept| kept.principal == principal).cloned();
        found.ok_or_else(|| {
            ErrorData::invalid_params(format!("no task has the id `{id}`, or not any more"), None)
        })
    }
}

impl Kept {
    fn describe(&self, id: &str) -> WireTask {
        let state = lock(&self.state);
        let mut task = WireTask::new(id, TaskStatus::Working, self.begun.clone(), state.updated.clone());
        task.ttl_ms = u64::try_from(KEPT_FOR.as_millis()).ok();
        task.poll_interval_ms = u64::try_from(LOOK_EVERY.as_millis()).ok();
        task.status_message.clone_from(&state.message);
        task
    }
}

impl State {
    fn enter(&mut self, phase: Phase) -> Phase {
        self.updated = current_timestamp();
        std::mem::replace(&mut self.phase, phase)
    }

    /// The first end counts.
    fn end(&mut self, phase: Phase) {
        if matches!(self.phase, Phase::Working | Phase::Asking { .. }) {
            self.enter(phase);
        }
    }
}

async fn run(mut work: Work, kept: Arc<Kept>) {
    loop {
        let step = tokio::select! {
            biased;
            () = kept.cancelled.cancelled() => return work.stop().await,
            step = work.next() => step,
        };
        let mut state = lock(&kept.state);
        match step {
            Step::Finished(finished) => return state.end(ended(finished)),
            Step::Event(Event::Progress { message, .. }) => {
                state.message = message.or(state.message.take());
                state.updated = current_timestamp();
            }
            Step::Event(Event::Ask { questions, answers: tell }) => {
                state.enter(Phase::Asking { questions, answers: Answers::new(), tell });
            }
            // Nobody listens to the log of a task, and it is one already.
            Step::Event(Event::Log { .. } | Event::Long) => {}
        }
    }
}

fn ended(finished: Finished) -> Phase {
    let error = match finished {
        Ok(Outcome::Tool(result)) => {
            match serde_json::to_value(wire::tool_result(result, Dialect(Era::Modern))) {
                Ok(Value::Object(result)) => return Phase::Completed(result),
                _ => RequestError::Internal("the result cannot be written down".to_string()),
            }
        }
        Ok(_) => RequestError::Internal("the work ended with the result of other work".to_string()),
        Err(error) => error,
    };
    match serde_json::to_value(wire::request_error(error)) {
        Ok(Value::Object(error)) => Phase::Failed(error),
        _ => Phase::Failed(JsonObject::new()),
    }
}

/// Values here are replaced whole, so they are sound even after a panic.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
