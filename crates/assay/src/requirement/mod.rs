//! `assay requirement`: the requirements of the project, and the tests that are linked to them.

mod changing;
mod showing;

use std::process::ExitCode;

use assay_protocol::{CoverageKind, Failure, Format, Priority, RequirementStatus};
use assay_suite::RequirementChange;

use crate::command::Invocation;
use crate::environment::Environment;
use crate::output;

#[derive(Debug, Clone, PartialEq)]
pub enum RequirementOperation {
    List(RequirementFilter),
    Show {
        code: String,
    },
    /// The requirements of one test.
    Of {
        test: String,
    },
    Create {
        change: RequirementChange,
        file: Option<String>,
    },
    Update {
        change: RequirementChange,
    },
    Link {
        code: String,
        test: String,
        coverage: CoverageKind,
    },
    Unlink {
        code: String,
        test: String,
    },
    Import {
        table: String,
        file: Option<String>,
        dry_run: bool,
    },
}

/// Only requirements that say this.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequirementFilter {
    pub priority: Option<Priority>,
    pub category: Option<String>,
    pub status: Option<RequirementStatus>,
}

pub fn run(operation: &RequirementOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(operation, json, environment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn carry_out(operation: &RequirementOperation, json: bool, environment: &Environment) -> Result<(), Failure> {
    match operation {
        RequirementOperation::List(filter) => showing::list(filter, json, environment),
        RequirementOperation::Show { code } => showing::show(code, json, environment),
        RequirementOperation::Of { test } => showing::of_test(test, json, environment),
        RequirementOperation::Create { change, file } => {
            changing::create(change, file.as_deref(), json, environment)
        }
        RequirementOperation::Update { change } => changing::update(change, json, environment),
        RequirementOperation::Link { code, test, coverage } => {
            changing::link(code, test, Some(*coverage), json, environment)
        }
        RequirementOperation::Unlink { code, test } => changing::link(code, test, None, json, environment),
        RequirementOperation::Import { table, file, dry_run } => {
            changing::import(table, file.as_deref(), *dry_run, json, environment)
        }
    }
}
