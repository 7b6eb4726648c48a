//! Work that is planned ahead: a schedule or a webhook begins it.

use assay_coordinator::{NewEvent, NewOrder, NewWork, StateError};
use assay_protocol::EventPriority;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::document::{RESULTS, RunOrder, Wish};
use crate::problem::Problem;
use crate::seams::Seams;

/// The payload of a planned event has at most so many bytes; the rest is for what caused it.
const MOST_PAYLOAD: usize = 32 * 1024;

/// What is begun: a run, or an event that is published.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlannedWork {
    Run(Box<RunOrder>),
    Event(PlannedEvent),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedEvent {
    /// Such as `schedule.health_check`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// The device that it is about.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub device: String,
    /// critical, high, normal or low; by default that of the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// A JSON object.
    #[serde(default)]
    pub payload: Map<String, Value>,
}

/// What begins the work.
#[derive(Debug, Clone)]
pub struct Cause {
    /// The name of the run, if it becomes one.
    pub run: String,
    /// Such as `schedule nightly`.
    pub by: String,
    /// The event of the same cause is the same event.
    pub key: String,
    /// What the event says of its cause: the name of the part, and the part.
    pub facts: (&'static str, Value),
}

/// Work as the record takes it.
#[derive(Debug, Clone)]
pub enum ReadyWork {
    Run { name: String, body: Value, by: String },
    Event(NewEvent),
}

impl PlannedWork {
    /// Whether it could be begun. Begins nothing.
    pub fn check(&self, seams: &Seams) -> Result<(), Problem> {
        match self {
            PlannedWork::Run(order) => Ok(seams.runs.check(&order.words(RESULTS)?)?),
            PlannedWork::Event(event) => {
                let new = event.as_new(None)?;
                new.check().map_err(StateError::Event)?;
                match new.payload.to_string().len() {
                    0..=MOST_PAYLOAD => Ok(()),
                    found => Err(Problem::usage(format!(
                        "the payload takes {found} bytes, and {MOST_PAYLOAD} are the most for a planned event"
                    ))),
                }
            }
        }
    }

    pub fn ready(&self, cause: Cause) -> Result<ReadyWork, Problem> {
        match self {
            PlannedWork::Run(order) => {
                let words = order.words(&format!("{RESULTS}/{}", cause.run))?;
                let body = serde_json::to_value(Wish::Run { words })
                    .map_err(|err| Problem::internal(err.to_string()))?;
                Ok(ReadyWork::Run { name: cause.run, body, by: cause.by })
            }
            PlannedWork::Event(event) => {
                let mut new = event.as_new(Some(cause.key))?;
                let (part, facts) = cause.facts;
                new.payload[part] = facts;
                Ok(ReadyWork::Event(new))
            }
        }
    }
}

impl PlannedEvent {
    fn as_new(&self, key: Option<String>) -> Result<NewEvent, Problem> {
        Ok(NewEvent {
            event_type: self.event_type.clone(),
            device: self.device.clone(),
            priority: priority_named(self.priority.as_deref())?,
            key,
            payload: Value::Object(self.payload.clone()),
        })
    }
}

/// The priority of this name; none is that of the type.
pub fn priority_named(name: Option<&str>) -> Result<Option<EventPriority>, Problem> {
    let known = |name: &str| {
        EventPriority::named(name).ok_or_else(|| {
            Problem::usage(format!("expected critical, high, normal or low as `priority`, found `{name}`"))
        })
    };
    name.map(known).transpose()
}

impl ReadyWork {
    pub fn as_new(&self) -> NewWork<'_> {
        match self {
            ReadyWork::Run { name, body, by } => NewWork::Order(NewOrder { kind: "run", name, body, by }),
            ReadyWork::Event(event) => NewWork::Event(event),
        }
    }
}
