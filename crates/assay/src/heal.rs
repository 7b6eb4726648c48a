//! `assay heal`: shows the steps that a run healed, and accepts or refuses them in the lock files.

use std::process::ExitCode;

use assay_host::{HealRequest, heal, heal_json, heal_words};
use assay_protocol::{Failure, Format};

use crate::command::Invocation;
use crate::environment::Environment;
use crate::host::here;
use crate::{output, state};

pub fn run(order: &HealRequest, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(order, json, environment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn carry_out(order: &HealRequest, json: bool, environment: &Environment) -> Result<(), Failure> {
    let here = here()?;
    heal(&state::ask_here(environment)?, &state::limits_here(environment)?, &here, order, |page, written| {
        if json {
            let data = heal_json(page, written.ok());
            output::print_json(&serde_json::json!({ "ok": true, "data": data }));
            return;
        }
        output::print_line(heal_words(page, written, order.decision, &here).trim_end());
    })
}
