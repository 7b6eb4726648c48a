//! What a run healed after pages changed, to be looked at and accepted.

use assay_host::{HealRequest, heal, heal_json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::runs::find_run;
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};

#[derive(Debug, Serialize, JsonSchema)]
struct Heals {
    run: String,
    /// Each with its test, its step, what was recorded, what it is now, and its state: `open` can be accepted.
    changes: Vec<Value>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Acceptance {
    /// Only those of these tests; of all without it.
    #[serde(default)]
    tests: Vec<String>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/runs/{run}/heals", "list_heals", "List what a run healed", list),
        Route::write(
            Method::Post,
            "/server/runs/{run}/heals/accept",
            "accept_heals",
            "Write what a run healed into the lock files",
            accept,
        ),
    ]
}

fn list(asked: &Asked, _: Nothing) -> Result<Heals, Problem> {
    heals(asked, Vec::new(), false)
}

fn accept(asked: &Asked, acceptance: Acceptance) -> Result<Heals, Problem> {
    heals(asked, acceptance.tests, true)
}

fn heals(asked: &Asked, tests: Vec<String>, apply: bool) -> Result<Heals, Problem> {
    let service = &asked.service;
    let run = find_run(service, asked.part("run"))?;
    let request = HealRequest { tests, run: Some(run.task.to_string()), apply };
    let limits = service.record_limits();
    let changes = heal(&service.coordinator, &limits, &service.seams.folder, &request, |page, written| {
        heal_json(page, written.ok())
    })?;
    Ok(Heals { run: run.run, changes })
}
