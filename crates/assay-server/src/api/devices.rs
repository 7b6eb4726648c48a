//! The hosts of the service and their devices.

use assay_protocol::{DeviceInfo, HostInfo};
use schemars::JsonSchema;
use serde::Serialize;

use crate::problem::Problem;
use crate::route::{Asked, Nothing, Route};

#[derive(Debug, Serialize, JsonSchema)]
struct Hosts {
    items: Vec<HostInfo>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Devices {
    items: Vec<DeviceInfo>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/hosts", "list_hosts", "List the machines that offer devices", hosts),
        Route::get("/server/devices", "list_devices", "List devices and who controls them", devices),
        Route::get("/server/devices/{device}", "get_device", "Look at a device", device),
    ]
}

fn hosts(asked: &Asked, _: Nothing) -> Result<Hosts, Problem> {
    Ok(Hosts { items: vec![asked.service.seams.program.host()?] })
}

fn devices(asked: &Asked, _: Nothing) -> Result<Devices, Problem> {
    Ok(Devices { items: asked.service.seams.program.host()?.devices })
}

fn device(asked: &Asked, _: Nothing) -> Result<DeviceInfo, Problem> {
    let name = asked.part("device");
    let found = asked.service.seams.program.host()?.devices.into_iter().find(|known| known.device == name);
    found.ok_or_else(|| Problem::not_found(format!("there is no device `{name}`")))
}
