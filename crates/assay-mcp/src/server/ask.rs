//! Questions to a client, in the way of its era.

use rmcp::RoleServer;
use rmcp::model::{CustomRequest, InputRequest, InputRequests, InputResponses, ServerRequest};
use rmcp::service::{PeerRequestOptions, RequestContext, ServiceError};
use serde_json::{Value, json};

use super::random;
use crate::seam::{Answer, Answers, AskError, Question, Questions};

/// Takes the answers that a client sent, and leaves the questions that have none yet. Answers that fit no question, or
/// that nobody asked for, count as not given.
pub fn take_answers(questions: &mut Questions, answers: &mut Answers, sent: &mut InputResponses) {
    questions.retain(|name, question| match sent.get(name).and_then(|sent| question.read(sent)) {
        Some(answer) => {
            sent.remove(name);
            answers.insert(name.clone(), answer);
            false
        }
        None => true,
    });
}

/// The questions as a part of an interim result.
pub fn input_requests(questions: &Questions) -> Result<InputRequests, AskError> {
    questions
        .iter()
        .map(|(name, question)| {
            let request = json!({"method": question.method(), "params": params(question)?});
            let request: InputRequest = serde_json::from_value(request)
                .map_err(|err| AskError::Refused(format!("the question `{name}` is not valid: {err}")))?;
            Ok((name.clone(), request))
        })
        .collect()
}

/// Asks by a request of our own. It is withdrawn when the call is cancelled meanwhile.
pub async fn ask_now(question: &Question, context: &RequestContext<RoleServer>) -> Result<Answer, AskError> {
    let request = CustomRequest::new(question.method(), Some(params(question)?));
    let options = PeerRequestOptions::no_options();
    let sent = context.peer.send_cancellable_request(ServerRequest::CustomRequest(request), options).await;
    let mut sent = sent.map_err(|err| AskError::Refused(err.to_string()))?;
    let answered = tokio::select! {
        answered = &mut sent.rx => answered,
        () = context.ct.cancelled() => {
            // An error only says that the client is gone as well.
            let _ = sent.cancel(Some("the call was cancelled".to_string())).await;
            return Err(AskError::Cancelled);
        }
    };
    let answer = match answered {
        Ok(Ok(answer)) => answer,
        Ok(Err(ServiceError::McpError(refused))) => {
            return Err(AskError::Refused(refused.message.to_string()));
        }
        Ok(Err(err)) => return Err(AskError::Refused(err.to_string())),
        Err(_) => return Err(AskError::Cancelled),
    };
    let answer = serde_json::to_value(answer).map_err(|_| AskError::Unfitting)?;
    question.read(&answer).ok_or(AskError::Unfitting)
}

fn params(question: &Question) -> Result<Value, AskError> {
    let id = random::id().map_err(|err| AskError::Refused(err.to_string()))?;
    Ok(question.params(&id))
}
