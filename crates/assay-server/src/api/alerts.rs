//! Alerts: events that say that something went wrong, each with the incident that it is part of.

use assay_coordinator::{Incident, ListedEvent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Route};

/// Alerts are compared with so many of the newest incidents.
const INCIDENTS: usize = 500;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AlertsQuery {
    /// `next` of the page before; without it the first page.
    cursor: Option<String>,
    /// At most so many; 50 without it, 500 at most.
    limit: Option<usize>,
    /// Only alerts about this device.
    device: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Alert")]
struct AlertView {
    /// That of its event.
    number: u64,
    /// Such as `alert.app_crash`.
    #[serde(rename = "type")]
    event_type: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    device: String,
    /// The machine on which it was published.
    host: String,
    priority: String,
    /// Milliseconds since 1970.
    at: u64,
    payload: Value,
    /// The incident that it is part of, once somebody looks after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    incident: Option<u64>,
}

pub fn routes() -> Vec<Route> {
    vec![Route::get("/server/alerts", "list_alerts", "List alerts, the newest first", list)]
}

fn list(asked: &Asked, query: AlertsQuery) -> Result<Page<AlertView>, Problem> {
    let page = PageQuery { cursor: query.cursor, limit: query.limit };
    let coordinator = &asked.service.coordinator;
    let found = coordinator.alerts_before(query.device.as_deref(), page.before()?, page.limit() + 1)?;
    let incidents = coordinator.incidents_before(None, None, INCIDENTS)?;
    Ok(page.newest(found, |listed| listed.event.number, |listed| view(listed, &incidents)))
}

fn view(listed: ListedEvent, incidents: &[Incident]) -> AlertView {
    let event = listed.event;
    let is_of = |incident: &&Incident| {
        incident.event_type == event.event_type
            && incident.device == event.device
            && incident.host == event.host
            && (incident.opened_at..=incident.last_at.max(incident.opened_at)).contains(&event.at)
    };
    AlertView {
        incident: incidents.iter().find(is_of).map(|incident| incident.number),
        number: event.number,
        event_type: event.event_type,
        device: event.device,
        host: event.host,
        priority: event.priority.name().to_string(),
        at: event.at,
        payload: event.payload,
    }
}
