//! `assay trust`: folders whose commands may be run.

use std::path::Path;
use std::process::ExitCode;

use crate::environment::Environment;
use crate::{host, output};

pub fn run(folder: Option<&str>, environment: &Environment, json: bool) -> ExitCode {
    match host::trusted(environment).add(Path::new(folder.unwrap_or("."))) {
        Ok(folder) => {
            output::print_line(&format!("trusted: {}", folder.display()));
            ExitCode::SUCCESS
        }
        Err(failure) => output::print_failure(&failure, json),
    }
}
