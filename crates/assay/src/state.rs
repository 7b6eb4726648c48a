//! The state of the project we are in.

use assay_coordinator::Coordinator;
use assay_host::{RecordLimits, StateFolder};
use assay_protocol::Failure;

use crate::environment::Environment;
use crate::host::{self, here};

/// The coordinator of the project we are in, which is made when it is not there.
pub fn open_here(environment: &Environment) -> Result<Coordinator, Failure> {
    folder(environment).open_in(&here()?)
}

/// The coordinator of the project we are in. Where nothing was put on record yet, there is nothing to ask.
pub fn ask_here(environment: &Environment) -> Result<Coordinator, Failure> {
    folder(environment).find_in(&here()?)
}

/// The same for lists: without a record, there is none.
pub fn look_here(environment: &Environment) -> Result<Option<Coordinator>, Failure> {
    folder(environment).look_in(&here()?)
}

/// What the records of the project we are in may name.
pub fn limits_here(environment: &Environment) -> Result<RecordLimits, Failure> {
    let here = here()?;
    let root = folder(environment).project_around(&here)?;
    Ok(RecordLimits::new(&root, &here, &host::trusted(environment)))
}

/// Where projects keep their state.
pub fn folder(environment: &Environment) -> StateFolder {
    StateFolder { named: environment.state.clone(), home: environment.home.clone() }
}
