//! Hosts, devices and control of them as tools.

use std::time::Duration;

use assay_protocol::{DeviceInfo, DeviceLock, DeviceState, HostInfo, LockPriority, UserInterface};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::answer::ToolAnswer;
use crate::arguments::without_nulls;
use crate::browser::object;
use crate::call::{CallSpec, failed, unless_agreed};
use crate::program::{DeviceWish, Program};
use crate::suite::schema_of;
use crate::tool::{Cost, Does, Effects, Group, Misfit, Tool, WorkHere};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Suitable {
    /// As `list_userinterfaces` names it; without it, every device that is ready.
    userinterface_name: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneDevice {
    /// Such as chromium, or session:default for an open browser.
    device: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// Such as chromium, or session:default for an open browser.
    device: String,
    /// How long control lasts after your last act; 10 without it.
    minutes: Option<u32>,
    /// Wait in the queue for as long as this.
    wait_seconds: Option<u32>,
    /// low, normal or high: who is next.
    #[serde(default)]
    priority: LockPriority,
    /// What you do with it, for others.
    #[serde(default)]
    purpose: String,
}

#[derive(Serialize, JsonSchema)]
struct HostList {
    hosts: Vec<HostInfo>,
}

#[derive(Serialize, JsonSchema)]
struct InterfaceList {
    userinterfaces: Vec<UserInterface>,
}

/// A device that was given back.
#[derive(Serialize, JsonSchema)]
struct Released {
    device: String,
    /// Who controlled it until now.
    had_it: String,
    is_free: bool,
}

const CONTROLS: Effects =
    Effects { reads_only: false, destroys: false, is_idempotent: true, is_open_world: false };

pub(crate) fn tools() -> [Tool; 6] {
    [
        tool::<Nothing, HostList>(
            "list_hosts",
            "List hosts",
            "List the machines with their devices: state, health and who controls them",
            Effects::READS,
            list_hosts,
        ),
        tool::<Suitable, HostList>(
            "get_compatible_hosts",
            "Find hosts",
            "List hosts with free devices that can run the tests of an application",
            Effects::READS,
            compatible_hosts,
        ),
        tool::<OneDevice, DeviceInfo>(
            "get_device_info",
            "Show a device",
            "Show one device: model, platform, state, health, control",
            Effects::READS,
            device_info,
        ),
        tool::<Wish, DeviceLock>(
            "take_control",
            "Take control",
            "Take control of a device; your browser tools then drive it and nobody else may",
            CONTROLS,
            take_control,
        ),
        tool::<OneDevice, Released>(
            "release_control",
            "Release control",
            "Give a device back; your browser tools drive your own browser again",
            CONTROLS,
            release_control,
        ),
        tool::<Nothing, InterfaceList>(
            "list_userinterfaces",
            "List applications",
            "List the applications that the project tests, with addresses and browsers",
            Effects::READS,
            list_userinterfaces,
        ),
    ]
}

fn tool<I: JsonSchema, O: JsonSchema>(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    effects: Effects,
    does: WorkHere,
) -> Tool {
    Tool {
        name,
        title,
        description,
        input: object(schema_of::<I>()),
        output: Some(object(schema_of::<O>())),
        effects,
        group: Group::Devices,
        cost: Cost::Quick,
        says: None,
        shows_first: None,
        does: Does::Here(does),
    }
}

/// The value is the answer; as text it is the same.
fn answer(value: Value) -> ToolAnswer {
    let value = without_nulls(value);
    ToolAnswer::value(value.to_string(), value)
}

fn list_hosts(
    arguments: Map<String, Value>,
    program: &dyn Program,
    _: &CallSpec<'_>,
) -> Result<ToolAnswer, Misfit> {
    let Nothing {} = serde_json::from_value(Value::Object(arguments))?;
    Ok(match program.host() {
        Ok(host) => answer(json!(HostList { hosts: vec![host] })),
        Err(failure) => failed(&failure),
    })
}

fn compatible_hosts(
    arguments: Map<String, Value>,
    program: &dyn Program,
    _: &CallSpec<'_>,
) -> Result<ToolAnswer, Misfit> {
    let Suitable { userinterface_name } = serde_json::from_value(Value::Object(arguments))?;
    let wanted = match userinterface_name {
        None => None,
        Some(name) => {
            let known = match program.applications() {
                Ok(known) => known,
                Err(failure) => return Ok(failed(&failure)),
            };
            let names: Vec<&str> = known.iter().map(|known| known.userinterface.as_str()).collect();
            match known.iter().find(|known| known.userinterface == name) {
                Some(found) => Some(found.browsers.clone()),
                None => {
                    let known = if names.is_empty() { "none".to_string() } else { names.join(", ") };
                    return Ok(ToolAnswer::error(format!(
                        "the project has no application `{name}`; there are: {known}"
                    )));
                }
            }
        }
    };
    let mut host = match program.host() {
        Ok(host) => host,
        Err(failure) => return Ok(failed(&failure)),
    };
    host.devices.retain(|device| {
        let is_wanted = wanted.as_ref().is_none_or(|browsers| browsers.contains(&device.device));
        device.state == DeviceState::Ready && device.lock.is_none() && is_wanted
    });
    let hosts = if host.devices.is_empty() { Vec::new() } else { vec![host] };
    Ok(answer(json!(HostList { hosts })))
}

fn device_info(
    arguments: Map<String, Value>,
    program: &dyn Program,
    _: &CallSpec<'_>,
) -> Result<ToolAnswer, Misfit> {
    let OneDevice { device } = serde_json::from_value(Value::Object(arguments))?;
    let host = match program.host() {
        Ok(host) => host,
        Err(failure) => return Ok(failed(&failure)),
    };
    let names: Vec<&str> = host.devices.iter().map(|known| known.device.as_str()).collect();
    Ok(match host.devices.iter().find(|known| known.device == device) {
        Some(found) => answer(json!(found)),
        None => ToolAnswer::error(format!("there is no device `{device}`; there are: {}", names.join(", "))),
    })
}

fn take_control(
    arguments: Map<String, Value>,
    program: &dyn Program,
    spec: &CallSpec<'_>,
) -> Result<ToolAnswer, Misfit> {
    let wish: Wish = serde_json::from_value(Value::Object(arguments))?;
    // A user is not asked for what cannot be had.
    if wish.wait_seconds.is_none()
        && let Err(failure) = program.check_control(spec, &wish.device)
    {
        return Ok(failed(&failure));
    }
    if wish.device.starts_with("session:") {
        let question = format!("drive `{}`: an open browser, with its logins", wish.device);
        if let Some(asks) = unless_agreed(question, spec) {
            return Ok(asks);
        }
    }
    let wish = DeviceWish {
        device: wish.device,
        period: Duration::from_secs(60 * u64::from(wish.minutes.unwrap_or(10))),
        wait: wish.wait_seconds.map(|seconds| Duration::from_secs(seconds.into())),
        priority: wish.priority,
        purpose: wish.purpose,
    };
    Ok(match program.take_control(spec, wish) {
        Ok(lock) => answer(json!(lock)),
        Err(failure) => failed(&failure),
    })
}

fn release_control(
    arguments: Map<String, Value>,
    program: &dyn Program,
    spec: &CallSpec<'_>,
) -> Result<ToolAnswer, Misfit> {
    let OneDevice { device } = serde_json::from_value(Value::Object(arguments))?;
    Ok(match program.release_control(spec, &device) {
        Ok(lock) => answer(json!(Released { device: lock.device, had_it: lock.owner, is_free: true })),
        Err(failure) => failed(&failure),
    })
}

fn list_userinterfaces(
    arguments: Map<String, Value>,
    program: &dyn Program,
    _: &CallSpec<'_>,
) -> Result<ToolAnswer, Misfit> {
    let Nothing {} = serde_json::from_value(Value::Object(arguments))?;
    Ok(match program.applications() {
        Ok(userinterfaces) => answer(json!(InterfaceList { userinterfaces })),
        Err(failure) => failed(&failure),
    })
}
