//! News of a service for all clients that follow it.

use tokio::sync::broadcast;

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Tools,
    Prompts,
    Resources,
    /// The contents of the resource with this address.
    Resource(String),
}

/// Where a service announces changes. Clones announce to the same clients.
#[derive(Debug, Clone)]
pub struct Changes(broadcast::Sender<Change>);

/// A client that is slower than this many changes misses some; each says only "look again".
const KEPT: usize = 256;

impl Default for Changes {
    fn default() -> Changes {
        Changes(broadcast::channel(KEPT).0)
    }
}

impl Changes {
    /// Tells all clients that follow this kind of change. Without clients, nothing happens.
    pub fn announce(&self, change: Change) {
        // An error only says that nobody follows.
        let _ = self.0.send(change);
    }

    pub(crate) fn follow(&self) -> broadcast::Receiver<Change> {
        self.0.subscribe()
    }
}
