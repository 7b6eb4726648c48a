//! The three skills by rules: which tools are called in which order, and what their answers mean.

use assay_coordinator::StateError;
use assay_tools::ToolAnswer;
use serde_json::{Value, json};

use super::response::{Found, RELEASE_CONTROL, TAKE_CONTROL, Work};

/// Longer than any skill takes: control ends with it, or with the process.
const MINUTES: u32 = 2;

/// Control of a device, which ends when this is dropped, whatever happens meanwhile.
struct Controlled<'a> {
    work: &'a Work<'a>,
}

impl Drop for Controlled<'_> {
    fn drop(&mut self) {
        // If even the record cannot be written, control ends with this process.
        let _ends_with_us = self.work.call(RELEASE_CONTROL, json!({ "device": self.work.device() }));
    }
}

/// Looks at the device while nobody else can change it.
pub(super) fn incident_response(work: &Work<'_>) -> Result<Found, StateError> {
    let device = work.device();
    if device.is_empty() {
        return Ok(nothing_to_look_at());
    }
    let purpose = format!("incident {}", work.incident);
    let wish = json!({ "device": device, "minutes": MINUTES, "priority": "high", "purpose": purpose });
    let taken = work.call(TAKE_CONTROL, wish)?;
    if taken.is_error {
        let info = work.call("get_device_info", json!({ "device": device }))?;
        return Ok(without_control(device, &taken, &info));
    }
    let (shot, info) = {
        let _controlled = Controlled { work };
        let shot = work.call("capture_screenshot", json!({}))?;
        work.keep_picture(&shot)?;
        (shot, work.call("get_device_info", json!({ "device": device }))?)
    };
    let health = health_of(&info);
    let mut said = vec![format!("looked at {device}")];
    said.push(match (shot.is_error, waits(&shot)) {
        (true, false) => format!("no picture could be taken ({})", first_line(&shot.text)),
        (true, true) => "no picture was taken".to_owned(),
        (false, _) => "it shows a page".to_owned(),
    });
    said.push(health.words());
    said.push("control was released".to_owned());
    let is_broken_now = (shot.is_error && !waits(&shot)) || !health.is_ok;
    let class = (!health.is_ok).then_some("offline");
    Ok(Found { summary: said.join("; "), class, is_broken_now, was_done: true })
}

fn nothing_to_look_at() -> Found {
    let summary = "the alert names no device, so there is nothing to look at".to_owned();
    Found { summary, class: None, is_broken_now: false, was_done: false }
}

/// Somebody else has the device, or it is not there.
fn without_control(device: &str, taken: &ToolAnswer, info: &ToolAnswer) -> Found {
    let owner = info.value.as_ref().and_then(|value| value["lock"]["owner"].as_str());
    let health = health_of(info);
    match owner {
        Some(owner) => Found {
            summary: format!("{owner} controls {device}; Guardian does not interfere. {}", health.words()),
            class: None,
            is_broken_now: !health.is_ok,
            // Once it is free, the next alert is looked at.
            was_done: false,
        },
        // Nobody knows whether it could be controlled.
        None if waits(taken) => Found {
            summary: format!("{device} was not controlled; {}", health.words()),
            class: (!health.is_ok).then_some("offline"),
            is_broken_now: !health.is_ok,
            was_done: true,
        },
        None => Found {
            summary: format!(
                "{device} could not be controlled: {}; {}",
                first_line(&taken.text),
                health.words()
            ),
            class: (!health.is_ok).then_some("offline"),
            is_broken_now: !health.is_ok,
            was_done: true,
        },
    }
}

/// Looks at all devices, changes nothing.
pub(super) fn health_check(work: &Work<'_>) -> Result<Found, StateError> {
    let hosts = work.call("list_hosts", json!({}))?;
    let named = work.device();
    let named = match named.is_empty() {
        true => None,
        false => Some(health_of(&work.call("get_device_info", json!({ "device": named }))?)),
    };
    let devices: Vec<&Value> = hosts
        .value
        .iter()
        .filter_map(|value| value["hosts"].as_array())
        .flatten()
        .filter_map(|host| host["devices"].as_array())
        .flatten()
        .collect();
    let is_fine = |device: &&&Value| device["health"] == "ok";
    let fine = devices.iter().filter(is_fine).count();
    let is_broken_now = (hosts.is_error && !waits(&hosts))
        || (!hosts.is_error && fine == 0)
        || named.as_ref().is_some_and(|health| !health.is_ok);
    let mut summary = match hosts.is_error {
        true => format!("the devices could not be listed: {}", first_line(&hosts.text)),
        false => format!("{fine} of {} devices are well", devices.len()),
    };
    if let Some(health) = named {
        summary = format!("{}: {}; {summary}", work.device(), health.words());
    }
    let class = is_broken_now.then_some("unhealthy");
    Ok(Found { summary, class, is_broken_now, was_done: true })
}

/// Asks about the device, and looks at an open page that nobody controls.
pub(super) fn alert_triage(work: &Work<'_>) -> Result<Found, StateError> {
    let device = work.device();
    if device.is_empty() {
        return Ok(nothing_to_look_at());
    }
    let info = work.call("get_device_info", json!({ "device": device }))?;
    let health = health_of(&info);
    let is_free = info.value.as_ref().is_some_and(|value| value["lock"].is_null());
    if let Some(session) = device.strip_prefix("session:").filter(|_| is_free && health.is_ok) {
        let shot = work.call_in(session, "capture_screenshot", json!({}))?;
        work.keep_picture(&shot)?;
    }
    let summary = format!("{device}: {}", health.words());
    Ok(Found {
        summary,
        class: (!health.is_ok).then_some("offline"),
        is_broken_now: !health.is_ok,
        was_done: true,
    })
}

/// How a device says it is.
struct Health {
    is_ok: bool,
    says: String,
}

impl Health {
    fn words(&self) -> String {
        match self.is_ok {
            true if self.says.is_empty() => "the device is well".to_owned(),
            true => self.says.clone(),
            false => format!("the device is not well: {}", self.says),
        }
    }
}

fn health_of(info: &ToolAnswer) -> Health {
    let says = info.value.as_ref().and_then(|value| value["health"].as_str()).unwrap_or_default();
    if waits(info) {
        return Health { is_ok: true, says: "its state was not asked for".to_owned() };
    }
    match (info.is_error, says) {
        (false, "ok") => Health { is_ok: true, says: String::new() },
        (false, says) => Health { is_ok: false, says: says.to_owned() },
        (true, _) => Health { is_ok: false, says: first_line(&info.text).to_owned() },
    }
}

/// Whether a person has to allow the call first.
fn waits(answer: &ToolAnswer) -> bool {
    answer.is_error && answer.need.is_some()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
