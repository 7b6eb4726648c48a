//! Events between processes: what happened to a device, a run or a service, for all subscribers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How soon an event is handled. The order of the variants is the order of handling.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventPriority {
    Critical,
    High,
    #[default]
    Normal,
    Low,
}

impl EventPriority {
    /// By their names, in the order of handling.
    pub const ALL: [(&'static str, EventPriority); 4] = [
        ("critical", EventPriority::Critical),
        ("high", EventPriority::High),
        ("normal", EventPriority::Normal),
        ("low", EventPriority::Low),
    ];

    pub fn name(self) -> &'static str {
        EventPriority::ALL[self as usize].0
    }

    pub fn named(name: &str) -> Option<EventPriority> {
        EventPriority::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, priority)| priority)
    }

    /// The priority of an event whose publisher names none.
    pub fn usual_of(event_type: &str) -> EventPriority {
        match event_type.split('.').next() {
            Some("alert") => EventPriority::Critical,
            Some("webhook") => EventPriority::High,
            _ => EventPriority::Normal,
        }
    }
}

/// Whether this is the type of an event: two words, such as `alert.app_crash`. Types are open: anybody may publish an
/// event of their own.
pub fn is_event_type(text: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|letter: char| letter.is_ascii_lowercase())
            && word.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_')
    };
    let is_type = text.split_once('.').is_some_and(|(group, name)| is_word(group) && is_word(name));
    is_type && text.len() <= LONGEST_EVENT_TYPE
}

/// Whether this names events that somebody waits for: a type, or all of one group, such as `alert.*`.
pub fn is_event_pattern(text: &str) -> bool {
    match text.strip_suffix(".*") {
        Some(group) => is_event_type(&format!("{group}.any")),
        None => is_event_type(text),
    }
}

/// In bytes.
const LONGEST_EVENT_TYPE: usize = 200;

/// The types that assay itself publishes or reacts to.
pub mod event_types {
    use crate::ErrorCode;

    pub const APP_CRASH: &str = "alert.app_crash";
    /// The application does not respond.
    pub const ANR: &str = "alert.anr";
    pub const NO_SIGNAL: &str = "alert.no_signal";
    pub const BLACKSCREEN: &str = "alert.blackscreen";
    pub const CI_FAILURE: &str = "webhook.ci_failure";
    pub const HEALTH_CHECK: &str = "schedule.health_check";
    pub const SCRIPT_COMPLETED: &str = "script.completed";
    pub const TESTCASE_COMPLETED: &str = "testcase.completed";
    /// A run has ended.
    pub const EXECUTION_DONE: &str = "deployment.execution_done";

    pub const ALL: [&str; 9] = [
        APP_CRASH,
        ANR,
        NO_SIGNAL,
        BLACKSCREEN,
        CI_FAILURE,
        HEALTH_CHECK,
        SCRIPT_COMPLETED,
        TESTCASE_COMPLETED,
        EXECUTION_DONE,
    ];

    /// The alert about a browser that failed in this way.
    pub fn alert_of(code: ErrorCode) -> Option<&'static str> {
        match code {
            ErrorCode::BrowserLost | ErrorCode::PageCrashed => Some(APP_CRASH),
            // An act was sent, and nothing came back.
            ErrorCode::NotResponding | ErrorCode::OutcomeUnknown => Some(ANR),
            ErrorCode::BrowserMissing | ErrorCode::BrowserFailed => Some(NO_SIGNAL),
            _ => None,
        }
    }
}

/// An event as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BusEvent {
    /// Later events have greater numbers.
    pub number: u64,
    #[serde(rename = "type")]
    pub event_type: String,
    /// The device that it is about; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub device: String,
    /// The machine on which it was published.
    pub host: String,
    pub priority: EventPriority,
    /// Milliseconds since 1970.
    pub at: u64,
    /// Two events with the same key are one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub payload: Value,
}
