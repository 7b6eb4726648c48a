//! Work that waits for answers between two requests of the stateless era.
//!
//! The client gets a token and comes back with it. The token is no secret but cannot be made or changed by others: it is
//! sealed with a key of this process, holds for one caller and one request only, for some minutes, and once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::{RequestStateCodec, SealOptions};
use tokio::sync::oneshot;

use super::random::{self, RandomError};
use super::work::Work;
use crate::seam::{Answers, AskError, Questions};

/// How long a user may take to answer.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// No more questions are open at once. Past that, the client gets an error instead of a question.
const MOST: usize = 256;

/// Work with its open questions.
pub struct Suspended {
    pub work: Work,
    pub questions: Questions,
    /// Given so far.
    pub answers: Answers,
    pub tell: oneshot::Sender<Result<Answers, AskError>>,
}

#[derive(Debug, thiserror::Error)]
pub enum WaitingError {
    #[error("`requestState` was not issued for this request, or is not valid any more")]
    Unknown,
    #[error("{MOST} questions are open already; answer one of them first")]
    Full,
    #[error(transparent)]
    Random(#[from] RandomError),
}

/// All suspended work of a server.
#[derive(Clone)]
pub struct Waiting {
    codec: RequestStateCodec,
    suspended: Arc<Mutex<HashMap<String, Suspended>>>,
}

impl Waiting {
    pub fn new() -> Result<Waiting, RandomError> {
        Ok(Waiting {
            codec: RequestStateCodec::new_unchecked(random::bytes::<32>()?),
            suspended: Arc::default(),
        })
    }

    /// Keeps the work until it is resumed with the returned token, for the same `bound`.
    pub fn suspend(&self, bound: &[u8], work: Suspended) -> Result<String, WaitingError> {
        let id = random::id()?;
        {
            let mut suspended = lock(&self.suspended);
            if suspended.len() >= MOST {
                return Err(WaitingError::Full);
            }
            suspended.insert(id.clone(), work);
        }
        let kept = Arc::downgrade(&self.suspended);
        let expiring = id.clone();
        tokio::spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            if let Some(kept) = kept.upgrade() {
                let expired = lock(&kept).remove(&expiring);
                drop(expired);
            }
        });
        Ok(self.codec.seal_with(id.as_bytes(), &SealOptions::new().associated_data(bound).ttl(PATIENCE)))
    }

    pub fn resume(&self, bound: &[u8], token: &str) -> Result<Suspended, WaitingError> {
        let id = self.codec.open_with(token, bound).map_err(|_| WaitingError::Unknown)?;
        let id = String::from_utf8(id).map_err(|_| WaitingError::Unknown)?;
        lock(&self.suspended).remove(&id).ok_or(WaitingError::Unknown)
    }
}

/// Entries are inserted and removed whole, so the map is sound even after a panic.
fn lock(suspended: &Mutex<HashMap<String, Suspended>>) -> MutexGuard<'_, HashMap<String, Suspended>> {
    suspended.lock().unwrap_or_else(PoisonError::into_inner)
}
