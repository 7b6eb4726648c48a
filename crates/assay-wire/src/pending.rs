//! A command whose reply has not come yet.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use assay_driver::{Deadline, DriverError};
use serde_json::value::RawValue;
use tokio::sync::oneshot;

/// What a browser replies to a command.
pub type CommandReply = Result<Box<RawValue>, DriverError>;

/// A connection that remembers the commands whose replies are awaited.
pub trait AwaitsReplies {
    /// Nobody waits for the reply to this command any more.
    fn forget(&self, id: u64);
}

/// A command on its way. Dropping it forgets the reply.
pub struct PendingReply<C: AwaitsReplies = crate::Connection> {
    id: u64,
    receiver: oneshot::Receiver<CommandReply>,
    connection: Arc<C>,
}

impl<C: AwaitsReplies> PendingReply<C> {
    pub fn new(id: u64, receiver: oneshot::Receiver<CommandReply>, connection: Arc<C>) -> Self {
        PendingReply { id, receiver, connection }
    }

    pub async fn until(self, deadline: Deadline) -> CommandReply {
        tokio::time::timeout_at(deadline.instant(), self).await.unwrap_or(Err(DriverError::Timeout))
    }
}

impl<C: AwaitsReplies> Future for PendingReply<C> {
    type Output = CommandReply;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.receiver).poll(context).map(|reply| reply.unwrap_or(Err(DriverError::Lost)))
    }
}

impl<C: AwaitsReplies> Drop for PendingReply<C> {
    fn drop(&mut self) {
        self.connection.forget(self.id);
    }
}
