//! The state of the project we are in.

use assay_coordinator::Coordinator;
use assay_host::StateFolder;
use assay_protocol::Failure;

use crate::environment::Environment;
use crate::host::here;

/// The coordinator of the project we are in, which is made when it is not there.
pub fn open_here(environment: &Environment) -> Result<Coordinator, Failure> {
    StateFolder(environment.state.clone()).open_in(&here()?)
}

/// The coordinator of the project we are in. Where nothing was put on record yet, there is nothing to ask.
pub fn ask_here(environment: &Environment) -> Result<Coordinator, Failure> {
    StateFolder(environment.state.clone()).find_in(&here()?)
}
