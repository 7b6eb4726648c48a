//! Agents and their skills.
//!
//! An agent is a list of skills and of the events that wake it; a skill is a handful of tools with a workflow. Both are
//! files. Knows what a request means, what to do about an event, and what the evidence of a run shows. Acts through the
//! catalogue of tools only; does not know who reads the answer.

pub mod analysis;
mod conversation;
mod event;
pub mod goal;
pub mod incident;
mod library;
mod matching;
mod ruled;
mod turn;
mod workflow;

pub use conversation::{
    ApprovalKind, ApprovalQuestion, AskedModel, CallReport, Conversation, ConversationEnd, ConversationError,
    ConversationReport, ConversationTerms, Decision, Prefix, Surroundings, UnreadableEntry, broad_tokens,
    choosing, working,
};
pub use event::{AgentEvent, AgentListener, ApprovalAsked, EventKind, EventMetrics, EventProgress};
pub use library::{
    Library, LibraryTrouble, acts_outside, budget_of, built_in_agent_texts, built_in_skill_texts,
    needs_approval, refused_tools, share_of, starter, subscriber_of, tool_shapes,
};
pub use matching::{Bound, Given, Name, NameIndex, Order, Question, Understanding, understand};
pub use ruled::{RuledConversation, RuledEnd, RuledError, Unanswered, answered};
pub use turn::{TurnEnd, TurnSpec, turn};
pub use workflow::{CallMade, Consent, ToolRunner, WorkDone, carry_out, short};
