//! A request in progress, as the service that works on it sees it.

use std::collections::BTreeMap;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::ask::{Answer, AskError, Question};
use super::caller::Caller;

/// Questions that are asked together, by the names of their answers.
pub(crate) type Questions = BTreeMap<String, Question>;
pub(crate) type Answers = BTreeMap<String, Answer>;

/// What happens during a call.
#[derive(Debug)]
pub(crate) enum Event {
    Progress {
        done: f64,
        total: Option<f64>,
        message: Option<String>,
    },
    Log {
        level: LogLevel,
        data: Value,
    },
    /// The rest takes long.
    Long,
    Ask {
        questions: Questions,
        answers: oneshot::Sender<Result<Answers, AskError>>,
    },
}

pub(crate) type EventSource = mpsc::Receiver<Event>;

/// More news than a client reads is dropped: it is old by then.
const KEPT_EVENTS: usize = 256;

/// How grave a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

/// A request in progress: who asks, whether they still wait, and how to tell or ask them something.
#[derive(Debug, Clone)]
pub struct Call {
    caller: Caller,
    events: mpsc::Sender<Event>,
    cancelled: CancellationToken,
}

impl Call {
    pub(crate) fn new(caller: Caller, cancelled: CancellationToken) -> (Call, EventSource) {
        let (events, source) = mpsc::channel(KEPT_EVENTS);
        (Call { caller, events, cancelled }, source)
    }

    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Tells how far the work is. Clients that did not ask hear nothing, and `done` only counts when it grows.
    pub fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let event = Event::Progress { done, total, message: message.map(str::to_string) };
        let _ = self.events.try_send(event);
    }

    /// Sends a message to the log of a client that asked for messages of this level.
    pub fn log(&self, level: LogLevel, data: impl Into<Value>) {
        let _ = self.events.try_send(Event::Log { level, data: data.into() });
    }

    /// Says that the rest of the work takes long. A client that follows tasks gets one at this point and looks after it;
    /// others wait.
    pub fn takes_long(&self) {
        let _ = self.events.try_send(Event::Long);
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.is_cancelled()
    }

    /// Waits until nobody waits for the answer any more.
    pub async fn cancelled(&self) {
        self.cancelled.cancelled().await;
    }

    /// Asks the client, and waits for the answer. Clients of the stateless era get an interim result and come back with
    /// the answer in another request; this call waits meanwhile, for some minutes.
    pub async fn ask(&self, question: Question) -> Result<Answer, AskError> {
        self.ask_as("answer", question).await
    }

    /// [`Call::ask`] with a name for the answer, by which clients may give it beforehand.
    pub async fn ask_as(&self, name: &str, question: Question) -> Result<Answer, AskError> {
        let mut answers = self.ask_all([(name.to_string(), question)].into()).await?;
        answers.remove(name).ok_or(AskError::Unfitting)
    }

    /// Asks several questions at once; each gets its answer by its name.
    pub async fn ask_all(
        &self,
        questions: BTreeMap<String, Question>,
    ) -> Result<BTreeMap<String, Answer>, AskError> {
        let missing =
            questions.values().map(Question::ability).find(|ability| !self.caller.abilities.has(*ability));
        if let Some(ability) = missing {
            return Err(AskError::Unsupported(ability));
        }
        let (answers, answered) = oneshot::channel();
        let asked = async {
            self.events.send(Event::Ask { questions, answers }).await.ok()?;
            answered.await.ok()
        };
        self.cancelled.run_until_cancelled(asked).await.flatten().unwrap_or(Err(AskError::Cancelled))
    }
}
