//! Which skill an alert calls for, how severe it is, and when it is left alone. Pure.

use assay_coordinator::{Incident, Severity};
use assay_protocol::{BusEvent, event_types};

/// After something was done about an incident, its alerts are counted only, for so many milliseconds.
const COOLDOWN_MS: u64 = 10 * 60 * 1000;

/// An alert this long after the last one of its kind begins another incident.
pub const JOINS_WITHIN_MS: u64 = 60 * 60 * 1000;

/// So many alerts make an incident of an urgent kind critical, and a minor one major.
const REPEATS_TO_CRITICAL: u64 = 3;
const REPEATS_TO_MAJOR: u64 = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardianSkill {
    IncidentResponse,
    HealthCheck,
    AlertTriage,
}

impl GuardianSkill {
    pub fn name(self) -> &'static str {
        match self {
            GuardianSkill::IncidentResponse => "incident-response",
            GuardianSkill::HealthCheck => "health-check",
            GuardianSkill::AlertTriage => "alert-triage",
        }
    }
}

/// The skill for an event, and what it is about in a word or two.
pub fn skill_for(event: &BusEvent) -> (GuardianSkill, &'static str) {
    use GuardianSkill::{AlertTriage, HealthCheck, IncidentResponse};
    match event.event_type.as_str() {
        event_types::APP_CRASH => (IncidentResponse, "crash"),
        event_types::ANR => (IncidentResponse, "hang"),
        event_types::NO_SIGNAL => (IncidentResponse, "offline"),
        event_types::BLACKSCREEN => (IncidentResponse, "black screen"),
        event_types::HEALTH_CHECK => (HealthCheck, "health check"),
        event_types::CI_FAILURE => (AlertTriage, "failed build"),
        _ => (AlertTriage, "alert"),
    }
}

/// By kind and by repeats. A device that is broken while we look at it is critical at once.
pub fn severity_of(skill: GuardianSkill, repeats: u64, is_broken_now: bool) -> Severity {
    match skill {
        GuardianSkill::IncidentResponse if is_broken_now || repeats >= REPEATS_TO_CRITICAL => {
            Severity::Critical
        }
        GuardianSkill::IncidentResponse => Severity::Major,
        _ if is_broken_now || repeats >= REPEATS_TO_MAJOR => Severity::Major,
        _ => Severity::Minor,
    }
}

/// Whether something was done about the incident so recently that this alert is only counted. An incident that has
/// become more severe is looked at again.
pub fn is_cooling(incident: &Incident, skill: GuardianSkill, now: u64) -> bool {
    let is_worse = severity_of(skill, incident.repeats, false) > incident.severity;
    incident.handled_at.is_some_and(|handled| now.saturating_sub(handled) < COOLDOWN_MS) && !is_worse
}
