//! Looking at the browser from time to time, because it tells nothing by itself.

use std::sync::{Arc, Weak};

use crate::exchange::Shared;

/// Looks until the browser is gone or let go of.
pub(crate) fn start(shared: &Arc<Shared>) {
    let shared: Weak<Shared> = Arc::downgrade(shared);
    tokio::spawn(async move {
        while let Some(pause) = shared.upgrade().and_then(|shared| shared.pause()) {
            tokio::time::sleep(pause).await;
            if let Some(shared) = shared.upgrade() {
                shared.look_if_idle().await;
            }
        }
    });
}
