//! Following runs and conversations: every event once, in order, from wherever a client was.

mod conversation;
mod feed;
mod lines;
mod sse;

pub use conversation::{ConversationFollower, Conversations};
pub use feed::{FeedEvent, Feeds, Follower};
pub use lines::{ConsoleLine, Picture, lines_of, picture_of};
pub use sse::stream;
