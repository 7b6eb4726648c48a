//! What answers the requests.

use std::pin::Pin;

use serde_json::{Map, Value};

use super::about::About;
use super::call::Call;
use super::caller::CallerId;
use super::changes::Changes;
use super::completion::{Completion, CompletionQuestion};
use super::content::Contents;
use super::error::RequestError;
use super::prompt::{Prompt, PromptReply};
use super::resource::{Resource, ResourceTemplate};
use super::tool::{Tool, ToolResult};

/// An answer to wait for.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What stands behind a server. One service answers all clients, at the same time.
///
/// Lists are the same for every client and keep their order. Work on a [`Call`] ends soon after [`Call::cancelled`];
/// what goes on regardless is dropped at an `await` a few seconds later, so it cleans up by `Drop`.
pub trait Service: Send + Sync + 'static {
    fn about(&self) -> About;

    /// Where changes are announced; `None` if the lists never change.
    fn changes(&self) -> Option<&Changes> {
        None
    }

    fn tools(&self) -> &[Tool];

    /// Only called for tools in the list. Arguments are not checked against the schema: wrong ones are a
    /// [`ToolResult::error`] that says what is wrong.
    fn call_tool<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        call: &'a Call,
    ) -> Reply<'a, Result<ToolResult, RequestError>>;

    fn resources(&self) -> Reply<'_, Result<Vec<Resource>, RequestError>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn resource_templates(&self) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    fn read_resource<'a>(
        &'a self,
        uri: &'a str,
        _call: &'a Call,
    ) -> Reply<'a, Result<Vec<Contents>, RequestError>> {
        Box::pin(async move { Err(RequestError::UnknownResource(uri.to_string())) })
    }

    fn prompts(&self) -> Vec<Prompt> {
        Vec::new()
    }

    /// Only called for prompts in the list, and with all their required arguments.
    fn get_prompt<'a>(
        &'a self,
        name: &'a str,
        _arguments: Map<String, Value>,
        _call: &'a Call,
    ) -> Reply<'a, Result<PromptReply, RequestError>> {
        Box::pin(async move { Err(RequestError::UnknownPrompt(name.to_string())) })
    }

    fn complete(&self, _question: CompletionQuestion) -> Reply<'_, Result<Completion, RequestError>> {
        Box::pin(async { Ok(Completion::default()) })
    }

    /// A client that lasts is gone: whatever is kept for it can go. Called once for each.
    fn caller_gone<'a>(&'a self, _caller: &'a CallerId) -> Reply<'a, ()> {
        Box::pin(async {})
    }
}
