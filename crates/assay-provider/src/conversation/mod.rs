//! What is asked of a model, in words of our own that every format can write.
//!
//! Knows texts, pictures, tools and results. Does not know how any provider
//! spells them, nor what the tools are for.

mod message;
mod picture;
mod question;
mod result;
mod tool;

pub use message::{AssistantTurn, Message, Part};
pub use picture::{Picture, PictureError};
pub use question::{CacheLife, Caching, Effort, Question, ToolChoice};
pub use result::{CallKind, CallRef, Outcome, Tab, ToolResult};
pub use tool::{ComputerTool, Environment, FunctionTool, SingleComputerVersion, Tool};
