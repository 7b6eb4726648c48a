//! Events between processes: published by anybody who may, delivered to the agents of the project.

use assay_coordinator::{DeliveryState, ListedEvent, NewEvent};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::orders::priority_named;
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Method, Route};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EventsQuery {
    /// `next` of the page before; without it the first page.
    cursor: Option<String>,
    /// At most so many; 50 without it, 500 at most.
    limit: Option<usize>,
    /// Only events of this type.
    #[serde(rename = "type")]
    event_type: Option<String>,
    /// Only events about this device.
    device: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "BusEvent")]
struct EventView {
    number: u64,
    #[serde(rename = "type")]
    event_type: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    device: String,
    /// The machine on which it was published.
    host: String,
    priority: String,
    /// Milliseconds since 1970.
    at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    payload: Value,
    deliveries: Vec<DeliveryView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Delivery")]
struct DeliveryView {
    subscriber: String,
    attempt: u32,
    /// Absent while a process has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    done_at: Option<u64>,
    /// Why it was given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Publication {
    /// Such as `alert.app_crash` or `webhook.ci_failure`.
    #[serde(rename = "type")]
    event_type: String,
    /// The device that it is about.
    #[serde(default)]
    device: String,
    /// critical, high or normal; by default that of the type.
    priority: Option<String>,
    /// Two events with the same key are one.
    key: Option<String>,
    /// A JSON object.
    #[serde(default)]
    payload: Option<Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Published")]
struct PublishedView {
    number: u64,
    /// An event with the same key was there before, and has this number.
    is_duplicate: bool,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/events", "list_events", "List events between processes, the newest first", list),
        Route::write_as(
            Method::Post,
            "/server/events",
            "publish_event",
            "Publish an event; it is on record when this answers",
            StatusCode::CREATED,
            publish,
        ),
    ]
}

fn list(asked: &Asked, query: EventsQuery) -> Result<Page<EventView>, Problem> {
    let page = PageQuery { cursor: query.cursor, limit: query.limit };
    let (event_type, device) = (query.event_type.as_deref(), query.device.as_deref());
    let found =
        asked.service.coordinator.bus_events_before(event_type, device, page.before()?, page.limit() + 1)?;
    Ok(page.newest(found, |listed| listed.event.number, view))
}

fn view(listed: ListedEvent) -> EventView {
    let event = listed.event;
    EventView {
        number: event.number,
        event_type: event.event_type,
        device: event.device,
        host: event.host,
        priority: event.priority.name().to_string(),
        at: event.at,
        key: event.key,
        payload: event.payload,
        deliveries: listed.deliveries.into_iter().map(delivery).collect(),
    }
}

fn delivery(state: DeliveryState) -> DeliveryView {
    DeliveryView {
        subscriber: state.subscriber,
        attempt: state.attempt,
        done_at: state.done_at,
        trouble: state.trouble,
    }
}

fn publish(asked: &Asked, new: Publication) -> Result<PublishedView, Problem> {
    let event = NewEvent {
        event_type: new.event_type,
        device: new.device,
        priority: priority_named(new.priority.as_deref())?,
        key: new.key,
        payload: new.payload.unwrap_or_else(|| json!({})),
    };
    let published = asked.service.coordinator.publish(&event)?;
    Ok(PublishedView { number: published.number, is_duplicate: published.is_duplicate })
}
