//! Incidents: what went wrong with devices, what was seen of it and what was done.

use assay_coordinator::{Incident, IncidentStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct IncidentsQuery {
    /// `next` of the page before; without it the first page.
    cursor: Option<String>,
    /// At most so many; 50 without it, 500 at most.
    limit: Option<usize>,
    /// open or closed; both without it.
    status: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Incident")]
struct IncidentView {
    number: u64,
    #[serde(skip_serializing_if = "String::is_empty")]
    device: String,
    host: String,
    /// The type of its alerts.
    #[serde(rename = "type")]
    event_type: String,
    /// What it is, in a word or two.
    class: String,
    /// minor, major or critical.
    severity: String,
    /// open or closed.
    status: String,
    /// How many alerts it has.
    repeats: u64,
    opened_at: u64,
    last_at: u64,
    /// When something was last done about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    handled_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    closed_at: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    resolution: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct IncidentDetails {
    #[serde(flatten)]
    incident: IncidentView,
    /// The oldest first.
    timeline: Vec<EntryView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "IncidentEntry")]
struct EntryView {
    at: u64,
    /// alert, begun, done, failed, evidence, note or closed.
    kind: String,
    text: String,
    body: Value,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Closing {
    /// What came of it.
    resolution: String,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/incidents", "list_incidents", "List incidents, the newest first", list),
        Route::get("/server/incidents/{incident}", "get_incident", "Tell what happened in an incident", get),
        Route::write(
            Method::Post,
            "/server/incidents/{incident}/close",
            "close_incident",
            "Close an incident",
            close,
        ),
    ]
}

fn list(asked: &Asked, query: IncidentsQuery) -> Result<Page<IncidentView>, Problem> {
    let page = PageQuery { cursor: query.cursor, limit: query.limit };
    let status = match query.status.as_deref() {
        None => None,
        Some("open") => Some(IncidentStatus::Open),
        Some("closed") => Some(IncidentStatus::Closed),
        Some(other) => {
            return Err(Problem::usage(format!("expected open or closed as `status`, found `{other}`")));
        }
    };
    let found = asked.service.coordinator.incidents_before(status, page.before()?, page.limit() + 1)?;
    Ok(page.newest(found, |incident| incident.number, view))
}

fn view(incident: Incident) -> IncidentView {
    IncidentView {
        number: incident.number,
        device: incident.device,
        host: incident.host,
        event_type: incident.event_type,
        class: incident.class,
        severity: incident.severity.name().to_string(),
        status: incident.status.name().to_string(),
        repeats: incident.repeats,
        opened_at: incident.opened_at,
        last_at: incident.last_at,
        handled_at: incident.handled_at,
        closed_at: incident.closed_at,
        resolution: incident.resolution,
    }
}

fn get(asked: &Asked, _: Nothing) -> Result<IncidentDetails, Problem> {
    let (incident, timeline) = asked.service.coordinator.incident(asked.number("incident")?)?;
    let timeline = timeline.into_iter().map(|entry| EntryView {
        at: entry.at,
        kind: entry.kind.name().to_string(),
        text: entry.text,
        body: entry.body,
    });
    Ok(IncidentDetails { incident: view(incident), timeline: timeline.collect() })
}

fn close(asked: &Asked, closing: Closing) -> Result<IncidentView, Problem> {
    let number = asked.number("incident")?;
    Ok(view(asked.service.coordinator.close_incident(number, closing.resolution.trim())?))
}
