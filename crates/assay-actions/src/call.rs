//! How one action is to be carried out, whatever it is done to.

use std::pin::Pin;

use assay_driver::Deadline;
use assay_protocol::Failure;

use crate::policy::Policy;

/// How one action is to be carried out.
#[derive(Debug, Clone)]
pub struct Call {
    pub deadline: Deadline,
    /// Whether the caller asked to wait for a target that is not there yet.
    pub wait: bool,
    pub policy: Policy,
}

/// A picture under way.
pub type Taking = Pin<Box<dyn Future<Output = Result<Vec<u8>, Failure>> + Send>>;
