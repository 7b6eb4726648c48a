//! The settings for carrying out one action, on any kind of surface.

use std::pin::Pin;

use assay_driver::Deadline;
use assay_protocol::Failure;

use crate::policy::Policy;

/// The settings for carrying out one action.
#[derive(Debug, Clone)]
pub struct Call {
    pub deadline: Deadline,
    /// Whether to wait for a target that does not exist yet.
    pub wait: bool,
    pub policy: Policy,
}

/// A picture under way.
pub type Taking = Pin<Box<dyn Future<Output = Result<Vec<u8>, Failure>> + Send>>;
