//! `assay heal`: what a run found changed and healed, shown to be judged, and put into the lock files with `--apply`.

mod page;

use std::process::ExitCode;

use assay_host::{HealRequest, heal};
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
    heal(
        &state::ask_here(environment)?,
        &state::limits_here(environment)?,
        &here()?,
        order,
        |page, written| {
            if json {
                let data = page::as_json(page, written.ok());
                output::print_json(&serde_json::json!({ "ok": true, "data": data }));
                return;
            }
            let accepting = if order.apply { page::Accepting::Done } else { page::Accepting::Offered };
            output::print_line(page::in_words(page, written, accepting).trim_end());
        },
    )
}
