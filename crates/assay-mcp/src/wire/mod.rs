//! Messages as bytes, and our types as those of the SDK.

mod levels;
mod lines;
mod message;
mod results;
mod types;

pub use levels::{LevelParams, level_asked, level_of_request, send_log};
pub use lines::{Line, LineReader, LineWriter};
pub use message::{Refusal, read_client_message};
pub use results::{Dialect, prompt_reply, read_result, request_error, tool, tool_result};
pub use types::{cache_scope, caller, completion, completion_question, prompt, resource, resource_template};
