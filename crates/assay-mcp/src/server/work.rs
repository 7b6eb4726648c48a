//! One request of a client, as work that runs by itself.
//!
//! Knows the service and its events. Does not know which request waits for the work, nor in which era: the work outlives
//! a request that ended with a question.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::seam::{
    Call, Caller, Contents, Event, EventSource, PromptReply, RequestError, Service, ToolResult,
};

/// How long work may clean up after it was cancelled, before it is dropped where it waits.
const GRACE: Duration = Duration::from_secs(5);

/// What can take long, and may ask.
#[derive(Debug, Clone)]
pub enum Task {
    Tool { name: String, arguments: Map<String, Value> },
    Prompt { name: String, arguments: Map<String, Value> },
    Resource { uri: String },
}

#[derive(Debug)]
pub enum Outcome {
    Tool(ToolResult),
    Prompt(PromptReply),
    Contents(Vec<Contents>),
}

pub type Finished = Result<Outcome, RequestError>;

pub enum Step {
    Event(Event),
    Finished(Finished),
}

/// Runs until it is finished or dropped. A drop cancels it.
pub struct Work {
    events: EventSource,
    running: Option<JoinHandle<Finished>>,
    /// Known as soon as nothing runs any more, and told after the last event.
    finished: Option<Finished>,
    cancelled: CancellationToken,
}

impl Work {
    pub fn start(service: Arc<dyn Service>, task: Task, caller: Caller) -> Work {
        let cancelled = CancellationToken::new();
        let (call, events) = Call::new(caller, cancelled.clone());
        let running = tokio::spawn(async move {
            match task {
                Task::Tool { name, arguments } => {
                    service.call_tool(&name, arguments, &call).await.map(Outcome::Tool)
                }
                Task::Prompt { name, arguments } => {
                    service.get_prompt(&name, arguments, &call).await.map(Outcome::Prompt)
                }
                Task::Resource { uri } => service.read_resource(&uri, &call).await.map(Outcome::Contents),
            }
        });
        Work { events, running: Some(running), finished: None, cancelled }
    }

    /// What happens next; all events come before the end.
    pub async fn next(&mut self) -> Step {
        if let Some(running) = &mut self.running {
            tokio::select! {
                biased;
                Some(event) = self.events.recv() => return Step::Event(event),
                joined = running => self.finished = Some(read(joined)),
            }
            self.running = None;
        }
        if let Ok(event) = self.events.try_recv() {
            return Step::Event(event);
        }
        let again = || Err(RequestError::Internal("the work had ended before".to_string()));
        Step::Finished(self.finished.take().unwrap_or_else(again))
    }

    /// Ends the work, and waits until it has.
    pub async fn stop(mut self) {
        self.cancelled.cancel();
        if let Some(running) = self.running.take() {
            end(running).await;
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.cancelled.cancel();
        let Some(running) = self.running.take() else { return };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(end(running))),
            Err(_) => running.abort(),
        }
    }
}

async fn end(mut running: JoinHandle<Finished>) {
    if tokio::time::timeout(GRACE, &mut running).await.is_err() {
        running.abort();
    }
}

/// A panic of the service fails its own request only.
fn read(joined: Result<Finished, tokio::task::JoinError>) -> Finished {
    joined.unwrap_or_else(|_| Err(RequestError::Internal("the work ended unexpectedly".to_string())))
}
