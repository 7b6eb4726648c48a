//! News of the service for clients that follow it.

use rmcp::RoleServer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, SubscriptionContext};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio_util::sync::CancellationToken;

use super::session::Watched;
use crate::seam::Change;

/// The next change, or `None` if there will be none. Changes that were missed are left out.
async fn next(changes: &mut Receiver<Change>) -> Option<Change> {
    loop {
        match changes.recv().await {
            Ok(change) => return Some(change),
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return None,
        }
    }
}

/// Tells a client with a handshake, until it is gone.
pub async fn tell(
    mut changes: Receiver<Change>,
    peer: Peer<RoleServer>,
    watched: Watched,
    ended: CancellationToken,
) {
    while let Some(Some(change)) = ended.run_until_cancelled(next(&mut changes)).await {
        let told = match change {
            Change::Tools => peer.notify_tool_list_changed().await,
            Change::Prompts => peer.notify_prompt_list_changed().await,
            Change::Resources => peer.notify_resource_list_changed().await,
            Change::Resource(uri) if watched.has(&uri) => {
                peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await
            }
            Change::Resource(_) => Ok(()),
        };
        if told.is_err() {
            return;
        }
    }
}

/// Tells a subscription of the stateless era, until it is closed.
pub async fn serve(mut changes: Receiver<Change>, subscription: SubscriptionContext) {
    loop {
        let change = tokio::select! {
            change = next(&mut changes) => change,
            () = subscription.cancelled() => return,
        };
        let sink = subscription.sink();
        let accepted = subscription.accepted();
        let told = match change {
            None => return,
            Some(Change::Tools) if accepted.tools_list_changed == Some(true) => {
                sink.notify_tool_list_changed().await
            }
            Some(Change::Prompts) if accepted.prompts_list_changed == Some(true) => {
                sink.notify_prompt_list_changed().await
            }
            Some(Change::Resources) if accepted.resources_list_changed == Some(true) => {
                sink.notify_resource_list_changed().await
            }
            Some(Change::Resource(uri))
                if accepted.resource_subscriptions.as_ref().is_some_and(|uris| uris.contains(&uri)) =>
            {
                sink.notify_resource_updated(uri).await
            }
            Some(_) => Ok(()),
        };
        if told.is_err() {
            return;
        }
    }
}
