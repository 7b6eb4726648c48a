//! `assay incident`: what went wrong with devices, what was seen of it and what was done.

use std::process::ExitCode;

use assay_coordinator::{Incident, IncidentEntry, IncidentStatus};
use assay_host::state_failure;
use assay_protocol::{Failure, Format};
use assay_report::rfc3339;
use serde_json::json;

use crate::command::Invocation;
use crate::environment::Environment;
use crate::{output, state};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IncidentOperation {
    List { only_open: bool },
    Show { number: u64 },
    Close { number: u64, reason: String },
}

pub fn run(operation: &IncidentOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(operation, json, environment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn carry_out(operation: &IncidentOperation, json: bool, environment: &Environment) -> Result<(), Failure> {
    match operation {
        IncidentOperation::List { only_open } => {
            let status = only_open.then_some(IncidentStatus::Open);
            let incidents = match state::look_here(environment)? {
                Some(coordinator) => coordinator.incidents(status, usize::MAX).map_err(state_failure)?,
                None => Vec::new(),
            };
            match json {
                true => output::print_json(&json!({ "ok": true, "data": { "incidents": incidents } })),
                false if incidents.is_empty() => output::print_line("no incidents"),
                false => incidents.iter().for_each(|incident| output::print_line(&line(incident))),
            }
        }
        IncidentOperation::Show { number } => {
            let (incident, timeline) =
                state::ask_here(environment)?.incident(*number).map_err(state_failure)?;
            if json {
                output::print_json(
                    &json!({ "ok": true, "data": { "incident": incident, "timeline": timeline } }),
                );
            } else {
                output::print_line(&line(&incident));
                timeline.iter().for_each(|entry| output::print_line(&entry_line(entry)));
            }
        }
        IncidentOperation::Close { number, reason } => {
            let coordinator = state::ask_here(environment)?;
            let incident = coordinator.close_incident(*number, reason).map_err(state_failure)?;
            match json {
                true => output::print_json(&json!({ "ok": true, "data": incident })),
                false => output::print_line(&line(&incident)),
            }
        }
    }
    Ok(())
}

fn moment(at: u64) -> String {
    let text = rfc3339(at);
    text.get(..19).unwrap_or(&text).replace('T', " ")
}

fn line(incident: &Incident) -> String {
    let about = if incident.device.is_empty() { &incident.host } else { &incident.device };
    let repeats =
        if incident.repeats == 1 { String::new() } else { format!(", {} alerts", incident.repeats) };
    let resolution = match incident.resolution.as_str() {
        "" => String::new(),
        resolution => format!(": {resolution}"),
    };
    format!(
        "{:>4}  {}  {:8}  {about}  {} ({}{repeats})  {}{resolution}",
        incident.number,
        moment(incident.opened_at),
        incident.severity.name(),
        incident.class,
        incident.event_type,
        incident.status.name()
    )
}

fn entry_line(entry: &IncidentEntry) -> String {
    let detail = [&entry.body["said"], &entry.body["file"], &entry.body["payload"]["message"]];
    let detail = detail.into_iter().find_map(|value| value.as_str()).and_then(|text| text.lines().next());
    let detail = detail.map(|text| format!(" → {text}")).unwrap_or_default();
    format!("      {}  {:8}  {}{detail}", moment(entry.at), entry.kind.name(), entry.text)
}
