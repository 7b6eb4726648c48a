//! Which hosts the policy of a project allows.

use assay_actions::Policy;
use assay_protocol::Failure;
use assay_suite::PolicySettings;

pub(crate) fn policy_of(settings: &PolicySettings) -> Policy {
    Policy {
        allowed_domains: settings.allowed_domains.clone(),
        blocked_domains: settings.blocked_domains.clone(),
        ..Policy::default()
    }
}

/// Whether a host, a name or an address without port and brackets, may be reached.
pub fn check_policy_host(settings: &PolicySettings, host: &str) -> Result<(), Failure> {
    policy_of(settings).check_host(host)
}
