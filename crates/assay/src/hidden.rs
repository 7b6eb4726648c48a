//! What is hidden from models and records here: the values of all secrets that the project names, also in tests with
//! mistakes, and of variables that are called like secrets.

use assay_protocol::{Failure, Secrets};
use assay_suite::{Loaded, LoadedScripts, load, load_scripts};

use crate::environment::Environment;
use crate::host;

/// The secrets of the project around the working folder.
pub fn secrets_here(environment: &Environment) -> Result<Secrets, Failure> {
    let context = host::context(environment)?;
    let drivers = context.drivers.names();
    let loaded = load(&[], &drivers, &*context.variables);
    let scripts = load_scripts(&host::here()?, &drivers, &*context.variables);
    Ok(secrets_of(&loaded, &scripts))
}

pub fn secrets_of(loaded: &Loaded, scripts: &LoadedScripts) -> Secrets {
    let mut secrets: Secrets = Environment::likely_secrets().into_iter().collect();
    secrets.merge(&loaded.secrets);
    for test in &loaded.tests {
        secrets.merge(&test.secrets);
    }
    secrets.merge(&scripts.secrets);
    secrets
}
