//! Brings the work of one request to its end, or to a question.
//!
//! Knows work, questions and the request that waits. Does not know what the work is about.

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    ErrorData, InputRequiredResult, InputResponses, ProgressNotificationParam, ProgressToken,
    Task as WireTask,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::ask::{ask_now, input_requests, take_answers};
use super::session::Session;
use super::tasks::Tasks;
use super::waiting::{Suspended, Waiting, WaitingError};
use super::work::{Outcome, Step, Task, Work};
use crate::seam::{Answers, AskError, Caller, Era, Event, LogLevel, Questions, RequestError, Service};
use crate::wire;

/// How a request ends.
pub enum Driven {
    Finished(Outcome),
    Asked(InputRequiredResult),
    /// It goes on as a task.
    Kept(WireTask),
}

/// What a request brings along from the one before it.
#[derive(Default)]
pub struct Brought {
    pub answers: Option<InputResponses>,
    pub state: Option<String>,
}

pub struct Driver<'a> {
    pub service: &'a Arc<dyn Service>,
    pub waiting: &'a Waiting,
    /// Where work can go on by itself, if the service and the client do that.
    pub tasks: Option<&'a Tasks>,
    pub session: &'a Session,
    pub context: &'a RequestContext<RoleServer>,
    /// Whose request this is, for states that must not pass to others.
    pub principal: &'a str,
}

impl Driver<'_> {
    pub async fn run(&self, task: Task, brought: Brought) -> Result<Driven, ErrorData> {
        let caller = self.session.caller(self.context);
        let bound = bound_to(self.principal, &task);
        let mut sent = brought.answers.unwrap_or_default();
        let work = match brought.state {
            None => Work::start(self.service.clone(), task, caller.clone()),
            Some(state) => {
                let mut suspended = self.waiting.resume(&bound, &state).map_err(waiting_error)?;
                take_answers(&mut suspended.questions, &mut suspended.answers, &mut sent);
                // What else was sent answers nothing that is only asked later.
                sent.clear();
                if !suspended.questions.is_empty() {
                    return self.suspend(&bound, suspended);
                }
                // An error only says that the work does not wait any more; its result says why.
                let _ = suspended.tell.send(Ok(suspended.answers));
                suspended.work
            }
        };
        self.drive(work, &caller, &bound, sent).await
    }

    async fn drive(
        &self,
        mut work: Work,
        caller: &Caller,
        bound: &[u8],
        mut sent: InputResponses,
    ) -> Result<Driven, ErrorData> {
        let mut news = News::new(self.context, self.session, caller);
        loop {
            let step = tokio::select! {
                biased;
                () = self.context.ct.cancelled() => {
                    work.stop().await;
                    return Err(wire::request_error(RequestError::Cancelled));
                }
                step = work.next() => step,
            };
            match step {
                Step::Finished(Ok(outcome)) => return Ok(Driven::Finished(outcome)),
                Step::Finished(Err(error)) => return Err(wire::request_error(error)),
                Step::Event(Event::Long) => {
                    if let Some(tasks) = self.tasks.filter(|tasks| tasks.has_room()) {
                        return tasks.keep(work, self.principal).map(Driven::Kept);
                    }
                }
                Step::Event(Event::Progress { done, total, message }) => {
                    news.progress(done, total, message).await
                }
                Step::Event(Event::Log { level, data }) => news.log(level, data).await,
                Step::Event(Event::Ask { mut questions, answers: tell }) => {
                    let mut answers = Answers::new();
                    take_answers(&mut questions, &mut answers, &mut sent);
                    if questions.is_empty() {
                        let _ = tell.send(Ok(answers));
                    } else if caller.era == Era::Legacy {
                        self.ask_in_turn(questions, answers, tell).await;
                    } else {
                        return self.suspend(bound, Suspended { work, questions, answers, tell });
                    }
                }
            }
        }
    }

    async fn ask_in_turn(
        &self,
        questions: Questions,
        mut answers: Answers,
        tell: oneshot::Sender<Result<Answers, AskError>>,
    ) {
        for (name, question) in questions {
            let asked = self.session.ended.run_until_cancelled(ask_now(&question, self.context)).await;
            match asked.unwrap_or(Err(AskError::Cancelled)) {
                Ok(answer) => {
                    answers.insert(name, answer);
                }
                Err(error) => {
                    let _ = tell.send(Err(error));
                    return;
                }
            }
        }
        let _ = tell.send(Ok(answers));
    }

    fn suspend(&self, bound: &[u8], suspended: Suspended) -> Result<Driven, ErrorData> {
        let requests = input_requests(&suspended.questions)
            .map_err(|error| wire::request_error(RequestError::Internal(error.to_string())))?;
        let state = self.waiting.suspend(bound, suspended).map_err(waiting_error)?;
        Ok(Driven::Asked(InputRequiredResult::new(Some(requests), Some(state))))
    }
}

/// The request that a state belongs to. A client must send the same request with it.
fn bound_to(principal: &str, task: &Task) -> Vec<u8> {
    let request = match task {
        Task::Tool { name, arguments } => json!(["tools/call", name, arguments]),
        Task::Prompt { name, arguments } => json!(["prompts/get", name, arguments]),
        Task::Resource { uri } => json!(["resources/read", uri]),
    };
    json!([principal, request]).to_string().into_bytes()
}

fn waiting_error(error: WaitingError) -> ErrorData {
    wire::request_error(match error {
        WaitingError::Unknown => RequestError::InvalidParams(error.to_string()),
        WaitingError::Full | WaitingError::Random(_) => RequestError::Internal(error.to_string()),
    })
}

/// Progress and messages of a call, on their way to the client that wants them.
struct News<'a> {
    context: &'a RequestContext<RoleServer>,
    session: &'a Session,
    token: Option<ProgressToken>,
    done: Option<f64>,
    level: Option<LogLevel>,
}

impl<'a> News<'a> {
    fn new(context: &'a RequestContext<RoleServer>, session: &'a Session, caller: &Caller) -> News<'a> {
        let level = match caller.era {
            Era::Legacy => session.log_level(),
            Era::Modern => wire::level_of_request(&context.meta),
        };
        News { context, session, token: context.meta.get_progress_token(), done: None, level }
    }

    async fn progress(&mut self, done: f64, total: Option<f64>, message: Option<String>) {
        let Some(token) = &self.token else { return };
        if !done.is_finite() || self.done.is_some_and(|before| done <= before) {
            return;
        }
        self.done = Some(done);
        let mut progress = ProgressNotificationParam::new(token.clone(), done);
        progress.total = total;
        progress.message = message;
        self.send(self.context.peer.notify_progress(progress)).await;
    }

    async fn log(&self, level: LogLevel, data: Value) {
        if self.level.is_some_and(|wanted| level >= wanted) {
            self.send(wire::send_log(&self.context.peer, level, data)).await;
        }
    }

    /// News that cannot be sent is nobody's loss.
    async fn send<T>(&self, sent: impl Future<Output = T>) {
        tokio::select! {
            _ = sent => {}
            () = self.session.ended.cancelled() => {}
            () = self.context.ct.cancelled() => {}
        }
    }
}
