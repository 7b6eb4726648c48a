//! Guardian: what is done about an alert, by rules.
//!
//! An alert becomes an entry of an incident, and one of three skills is carried out: incident-response looks at the
//! device while it controls it, health-check looks at all devices, alert-triage only asks. Everything is entered into
//! the incident before it is begun. Control of a device ends with the skill, and with the process.

mod explain;
mod response;
mod rules;
mod skills;

#[cfg(test)]
mod tests;

pub use explain::{note_of, question_about};
pub use response::{Guardian, Handled};
pub use rules::{GuardianSkill, severity_of, skill_for};
