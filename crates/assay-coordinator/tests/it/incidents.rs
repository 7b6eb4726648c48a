//! Incidents: alerts of one device join, each once.

use assay_coordinator::{IncidentEntryKind, IncidentStatus, NewEvent, NewIncident, Severity, StateError};
use assay_protocol::BusEvent;
use serde_json::{Value, json};

use crate::context::Home;

const HOUR: u64 = 3_600_000;

fn alert(home: &Home, event_type: &str, device: &str) -> BusEvent {
    let new = NewEvent {
        event_type: event_type.to_string(),
        device: device.to_string(),
        priority: None,
        key: None,
        payload: json!({ "message": "it stopped" }),
    };
    let coordinator = home.open();
    coordinator.bus_event(coordinator.publish(&new).unwrap().number).unwrap()
}

fn join(home: &Home, event: &BusEvent) -> (u64, u64, bool) {
    let joined =
        home.open().join_incident(&NewIncident { event, class: "crash", joins_within: HOUR }).unwrap();
    (joined.incident.number, joined.incident.repeats, joined.was_known)
}

#[test]
fn alerts_of_one_device_and_type_join_one_incident_until_it_is_closed() {
    let home = Home::new();
    let first = alert(&home, "alert.app_crash", "chromium");
    assert_eq!(join(&home, &first), (1, 1, false));
    assert_eq!(join(&home, &first), (1, 1, true), "the same alert counts once");
    assert_eq!(join(&home, &alert(&home, "alert.app_crash", "chromium")), (1, 2, false));
    assert_eq!(join(&home, &alert(&home, "alert.app_crash", "firefox")), (2, 1, false));
    assert_eq!(join(&home, &alert(&home, "alert.anr", "chromium")), (3, 1, false));
    let closed = home.open().close_incident(1, "restarted it").unwrap();
    assert_eq!((closed.status, closed.resolution.as_str()), (IncidentStatus::Closed, "restarted it"));
    assert_eq!(home.open().close_incident(1, "again").unwrap().resolution, "restarted it");
    assert_eq!(join(&home, &alert(&home, "alert.app_crash", "chromium")), (4, 1, false));
    assert_eq!(home.open().incidents(Some(IncidentStatus::Open), 10).unwrap().len(), 3);
}

#[test]
fn an_alert_long_after_the_last_begins_a_new_incident() {
    let home = Home::new();
    join(&home, &alert(&home, "alert.anr", "chromium"));
    let later = BusEvent { at: u64::MAX / 4, ..alert(&home, "alert.anr", "chromium") };
    assert_eq!(join(&home, &later), (2, 1, false));
}

#[test]
fn the_timeline_has_everything_in_order() {
    let home = Home::new();
    let coordinator = home.open();
    join(&home, &alert(&home, "alert.anr", "chromium"));
    let body = json!({ "file": "a.png" });
    coordinator.enter_into_incident(1, IncidentEntryKind::Begun, "capture_screenshot", &Value::Null).unwrap();
    coordinator.enter_into_incident(1, IncidentEntryKind::Evidence, "a picture", &body).unwrap();
    coordinator.judge_incident(1, "hang", Severity::Major, true).unwrap();
    let (incident, entries) = coordinator.incident(1).unwrap();
    assert_eq!((incident.class.as_str(), incident.severity), ("hang", Severity::Major));
    assert!(incident.handled_at.is_some());
    let kinds: Vec<IncidentEntryKind> = entries.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [IncidentEntryKind::Alert, IncidentEntryKind::Begun, IncidentEntryKind::Evidence]);
    assert_eq!(entries[2].body, body);
    let unknown = coordinator.enter_into_incident(9, IncidentEntryKind::Note, "", &Value::Null);
    assert!(matches!(unknown, Err(StateError::NotFound { .. })));
}
