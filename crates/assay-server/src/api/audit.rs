//! The audit log: who changed what through the service.

use schemars::JsonSchema;
use serde::Serialize;

use crate::access::Role;
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Route};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Audit")]
struct AuditView {
    number: u64,
    /// Milliseconds since 1970.
    at: u64,
    /// The token, or the user of this machine.
    who: String,
    peer: String,
    method: String,
    path: String,
    /// The status of the answer; absent if the service died before it answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/audit", "list_audit", "List who changed what, the newest first", list)
            .for_role(Role::Admin),
    ]
}

fn list(asked: &Asked, page: PageQuery) -> Result<Page<AuditView>, Problem> {
    let found = asked.service.coordinator.audit(page.before()?, page.limit() + 1)?;
    Ok(page.newest(
        found,
        |entry| entry.number,
        |entry| AuditView {
            number: entry.number,
            at: entry.at,
            who: entry.who,
            peer: entry.peer,
            method: entry.method,
            path: entry.path,
            status: entry.status,
        },
    ))
}
