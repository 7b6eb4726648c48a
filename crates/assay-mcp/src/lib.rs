//! The Model Context Protocol: a server for any [`Service`], and a client.
//!
//! Knows the protocol, in the revisions with a handshake and in the stateless one, and its two transports. Does not
//! know browsers, tests, or what a tool does: a [`Service`] brings that. The official SDK does the framing; only
//! `server/`, `wire/` and `client/` name it, and none of its types leaves this crate.

mod client;
mod seam;
mod server;
mod wire;

pub use client::{CalledTool, Client, ClientError, ClientOptions, Opening, ServerProcess, ToolOffer, User};
pub use seam::{
    Abilities, Ability, About, Answer, AskError, Body, CacheHint, CacheScope, Call, Caller, CallerId, Change,
    Changes, Completion, CompletionOf, CompletionQuestion, Content, Contents, Era, Hints, LogLevel, Offers,
    Prompt, PromptArgument, PromptMessage, PromptReply, Question, Reply, RequestError, Resource,
    ResourceTemplate, Role, Service, Tool, ToolResult,
};
pub use server::random::id as random_id;
pub use server::{
    HttpEndpoint, HttpError, HttpOptions, HttpServer, StdioError, Token, serve_stdio, serve_streams,
};
