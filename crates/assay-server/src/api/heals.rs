//! What a run healed after pages changed, to be looked at, accepted and refused.

use assay_host::{HealDecision, HealRequest, heal, heal_json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::runs::find_run;
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};

#[derive(Debug, Serialize, JsonSchema)]
struct Heals {
    run: String,
    /// Each with its number, its test, its step, what was recorded, what it is now, and its state: `open` can be accepted or
    /// refused, `refused` can still be accepted.
    changes: Vec<Value>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MeantHeals {
    /// Only those of these tests; of all without it.
    #[serde(default)]
    tests: Vec<String>,
    /// Only those with these numbers in the list of the run; all that are open without it.
    #[serde(default)]
    changes: Vec<usize>,
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
        Route::write(
            Method::Post,
            "/server/runs/{run}/heals/refuse",
            "refuse_heals",
            "Write into the lock files that what a run healed is wrong",
            refuse,
        ),
    ]
}

fn list(asked: &Asked, _: Nothing) -> Result<Heals, Problem> {
    heals(asked, MeantHeals::default(), HealDecision::Open)
}

fn accept(asked: &Asked, meant: MeantHeals) -> Result<Heals, Problem> {
    check_named(asked, &meant)?;
    heals(asked, meant, HealDecision::Accept)
}

fn refuse(asked: &Asked, meant: MeantHeals) -> Result<Heals, Problem> {
    check_named(asked, &meant)?;
    heals(asked, meant, HealDecision::Refuse)
}

/// What is named by its number has to be there, and not decided by the lock file already.
fn check_named(asked: &Asked, meant: &MeantHeals) -> Result<(), Problem> {
    if !meant.tests.is_empty() && !meant.changes.is_empty() {
        return Err(Problem::usage("expected `tests` or `changes`, found both"));
    }
    if meant.changes.is_empty() {
        return Ok(());
    }
    let Heals { changes, run } = list(asked, Nothing {})?;
    for number in &meant.changes {
        let found = number.checked_sub(1).and_then(|at| changes.get(at));
        let Some(found) = found else {
            return Err(Problem::not_found(format!("run {run} has no change {number}")));
        };
        let state = found["state"].as_str().unwrap_or_default();
        if !["open", "refused"].contains(&state) {
            return Err(Problem::conflict(format!("change {number} can be decided no more: {state}")));
        }
    }
    Ok(())
}

fn heals(asked: &Asked, meant: MeantHeals, decision: HealDecision) -> Result<Heals, Problem> {
    let service = &asked.service;
    let run = find_run(service, asked.part("run"))?;
    let MeantHeals { tests, changes } = meant;
    let request = HealRequest { tests, run: Some(run.task.to_string()), changes, decision };
    let limits = service.record_limits();
    let changes = heal(&service.coordinator, &limits, &service.seams.folder, &request, |page, written| {
        heal_json(page, written.ok())
    })?;
    Ok(Heals { run: run.run, changes })
}
