//! After a start: what the service before this one had begun.

use assay_coordinator::StateError;
use assay_host::state_failure;
use assay_protocol::Failure;
use serde_json::json;

use super::document::Wish;
use crate::service::Service;

/// Orders that were begun and did nothing wait again; the others are interrupted, and their runs can be resumed.
pub fn settle(service: &Service) -> Result<(), Failure> {
    let coordinator = &service.coordinator;
    coordinator.pause_orphans().map_err(state_failure)?;
    let was_begun = |order: &assay_coordinator::Order| -> Result<bool, StateError> {
        match serde_json::from_value(order.body.clone()) {
            Ok(Wish::Run { .. }) => coordinator.has_run(&order.name),
            // How far it came, its run or its conversation says.
            // Of a plan, nobody knows which files it had written.
            Ok(Wish::Resume { .. } | Wish::Turn { .. } | Wish::Plan { .. }) | Err(_) => Ok(true),
        }
    };
    for order in coordinator.settle_orders(was_begun).map_err(state_failure)? {
        let fields = [("order", json!(order.number)), ("run", json!(order.name))];
        service.log.warn("order.interrupted", &fields);
    }
    Ok(())
}
