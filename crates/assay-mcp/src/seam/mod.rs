//! What a service and the protocol say to each other, in plain types.
//!
//! Nothing here knows JSON-RPC, an SDK or a transport.

mod about;
mod ask;
mod call;
mod caller;
mod changes;
mod completion;
mod content;
mod error;
mod prompt;
mod resource;
mod service;
mod tool;

pub use about::{About, CacheHint, CacheScope, Offers};
pub use ask::{Answer, AskError, Question};
pub(crate) use call::{Answers, Event, EventSource, Questions};
pub use call::{Call, LogLevel};
pub use caller::{Abilities, Ability, Caller, CallerId, Era};
pub use changes::{Change, Changes};
pub use completion::{Completion, CompletionOf, CompletionQuestion};
pub use content::{Body, Content, Contents};
pub use error::RequestError;
pub use prompt::{Prompt, PromptArgument, PromptMessage, PromptReply, Role};
pub use resource::{Resource, ResourceTemplate};
pub use service::{Reply, Service};
pub use tool::{Hints, Tool, ToolResult};
