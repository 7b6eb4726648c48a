//! `assay event`: what happened, for the agents of the project.

use std::path::Path;
use std::process::ExitCode;

use assay_coordinator::{DeliveryState, ListedEvent, LostEvent, NewEvent};
use assay_daemon::BrowserAlarm;
use assay_host::state_failure;
use assay_protocol::{ErrorCode, EventPriority, Failure, Format, event_types};
use assay_report::rfc3339;
use serde_json::{Value, json};

use crate::argv::standard_input;
use crate::command::Invocation;
use crate::environment::Environment;
use crate::{output, state};

#[derive(Debug, Clone, PartialEq)]
pub enum EventOperation {
    Publish(PublishOrder),
    List { event_type: Option<String>, device: Option<String>, limit: usize },
}

#[derive(Debug, Clone, PartialEq)]
pub struct PublishOrder {
    pub event_type: String,
    pub device: String,
    pub priority: Option<EventPriority>,
    pub key: Option<String>,
    /// A file, or `-` for standard input.
    pub payload: Option<String>,
}

/// More is no payload: it is refused before it is read whole.
const MOST_BYTES: u64 = 1024 * 1024;

fn read_payload(file: &str) -> Result<String, Failure> {
    if file == "-" {
        return standard_input();
    }
    let failed =
        |why: String| Failure::new(ErrorCode::Usage, format!("the payload `{file}` cannot be read: {why}"));
    let size = std::fs::metadata(file).map_err(|err| failed(err.to_string()))?.len();
    if size > MOST_BYTES {
        return Err(failed(format!("it has {size} bytes")));
    }
    std::fs::read_to_string(file).map_err(|err| failed(err.to_string()))
}

pub fn run(operation: &EventOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(operation, json, environment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn carry_out(operation: &EventOperation, json: bool, environment: &Environment) -> Result<(), Failure> {
    match operation {
        EventOperation::Publish(order) => publish(order, json, environment),
        EventOperation::List { event_type, device, limit } => {
            let (events, lost) = match state::look_here(environment)? {
                Some(coordinator) => (
                    coordinator
                        .bus_events(event_type.as_deref(), device.as_deref(), *limit)
                        .map_err(state_failure)?,
                    coordinator.lost_events().map_err(state_failure)?,
                ),
                None => (Vec::new(), Vec::new()),
            };
            let is_asked_for = |lost: &&LostEvent| {
                event_type.as_ref().is_none_or(|name| *name == lost.event_type)
                    && device.as_ref().is_none_or(|name| *name == lost.device)
            };
            let lost: Vec<&LostEvent> = lost.iter().filter(is_asked_for).take(*limit).collect();
            match json {
                true => {
                    output::print_json(&json!({ "ok": true, "data": { "events": events, "lost": lost } }))
                }
                false if events.is_empty() && lost.is_empty() => output::print_line("no events"),
                false => {
                    events.iter().for_each(|event| output::print_line(&event_line(event)));
                    lost.iter().for_each(|event| output::print_line(&lost_line(event)));
                }
            }
            Ok(())
        }
    }
}

fn publish(order: &PublishOrder, json: bool, environment: &Environment) -> Result<(), Failure> {
    let payload: Value = match &order.payload {
        None => json!({}),
        Some(file) => serde_json::from_str(&read_payload(file)?)
            .map_err(|err| Failure::new(ErrorCode::Usage, format!("the payload is not valid JSON: {err}")))?,
    };
    let event = NewEvent {
        event_type: order.event_type.clone(),
        device: order.device.clone(),
        priority: order.priority,
        key: order.key.clone(),
        payload,
    };
    let published = state::open_here(environment)?.publish(&event).map_err(state_failure)?;
    if !event_types::ALL.contains(&event.event_type.as_str()) {
        output::tell(&format!("note: assay does nothing about `{}` itself", event.event_type));
    }
    match (json, published.is_duplicate) {
        (true, _) => output::print_json(&json!({ "ok": true, "data": published })),
        (false, false) => output::print_line(&format!("event {}", published.number)),
        (false, true) => output::print_line(&format!("event {} has this key already", published.number)),
    }
    Ok(())
}

fn event_line(listed: &ListedEvent) -> String {
    let event = &listed.event;
    let at = rfc3339(event.at);
    let about = match event.device.as_str() {
        "" => String::new(),
        device => format!("  {device}"),
    };
    let deliveries: Vec<String> = listed.deliveries.iter().map(delivery_words).collect();
    let deliveries =
        if deliveries.is_empty() { String::new() } else { format!("  [{}]", deliveries.join(", ")) };
    format!(
        "{:>5}  {}  {:8}  {}{about}{deliveries}",
        event.number,
        at.get(..19).unwrap_or(&at).replace('T', " "),
        event.priority.name(),
        event.event_type
    )
}

fn lost_line(lost: &LostEvent) -> String {
    let at = rfc3339(lost.at);
    let about = if lost.device.is_empty() { String::new() } else { format!("  {}", lost.device) };
    format!(
        "{:>5}  {}  {:8}  {}{about}  [lost; not handled by: {}]",
        lost.number,
        at.get(..19).unwrap_or(&at).replace('T', " "),
        lost.priority.name(),
        lost.event_type,
        lost.waiting.join(", ")
    )
}

fn delivery_words(delivery: &DeliveryState) -> String {
    let state = match (&delivery.trouble, delivery.done_at) {
        (Some(trouble), _) => trouble.as_str(),
        (None, Some(_)) => "done",
        (None, None) => "at work",
    };
    let attempts =
        if delivery.attempt > 1 { format!(", attempt {}", delivery.attempt) } else { String::new() };
    format!("{}: {state}{attempts}", delivery.subscriber)
}

/// Tells the project of a browser that failed in a daemon. Outside of a project with a state, nobody listens.
pub fn publish_alarm(alarm: &BrowserAlarm) {
    let event = NewEvent {
        event_type: alarm.event_type.to_string(),
        device: alarm.device.clone().unwrap_or_else(|| assay_host::session_device(&alarm.session)),
        priority: None,
        key: Some(alarm.key.clone()),
        payload: json!({ "code": alarm.code.name(), "message": alarm.message, "session": alarm.session }),
    };
    let folder = Environment::read().map(|environment| state::folder(&environment));
    // Whoever asked is told of the failure in any case.
    if let Ok(Ok(Some(coordinator))) = folder.map(|folder| folder.look_in(Path::new(&alarm.project))) {
        let _untold = coordinator.publish(&event);
    }
}

/// The same for a browser without a daemon.
pub fn browser_failed(session: &str, failure: &Failure, environment: &Environment) {
    let Some(event_type) = event_types::alert_of(failure.code) else { return };
    if environment.requested_by().project.is_none() {
        return;
    }
    let event = NewEvent {
        event_type: event_type.to_string(),
        device: assay_host::session_device(session),
        priority: None,
        key: None,
        payload: json!({ "code": failure.code.name(), "message": failure.message }),
    };
    // The command has failed already, and says why.
    if let Ok(Some(coordinator)) = state::look_here(environment) {
        let _untold = coordinator.publish(&event);
    }
}
