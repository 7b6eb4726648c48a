//! A model as the guest of a goal: it is asked for what the interpreter cannot carry out or judge.

use assay_host::{ChosenModel, ModelOptions, Wired, choose_model, wire};
use assay_protocol::{Failure, Secrets};
use tokio::runtime::Runtime;

use crate::environment::Environment;
use crate::hidden::secrets_here;
use crate::sentence::{Help, runtime};
use crate::{host, output};

/// The model of one command, with its budget.
pub struct Guide {
    wired: Wired,
    runtime: Runtime,
    secrets: Secrets,
}

impl Guide {
    /// None if no model is configured. A project alone cannot bring one.
    pub fn connect(said: &ModelOptions, environment: &Environment) -> Result<Option<Guide>, Failure> {
        let context = host::context(environment)?;
        let options = host::models(said, environment)?;
        let Some(chosen) = choose_model(&context, &options, None)? else { return Ok(None) };
        let runtime = runtime()?;
        let wired = runtime.block_on(wire(&context, Some(&chosen), &options))?;
        let secrets = secrets_here(environment)?;
        if let Some(tape) = &wired.tape {
            tape.keep_out(secrets.forms().to_vec());
        }
        let ChosenModel { name, by, .. } = chosen;
        if let Ok(name) = name {
            let service = name.service.name;
            output::tell(&format!(
                "note: {service}/{} helps where the interpreter is not sure ({by})",
                name.model
            ));
        }
        Ok(Some(Guide { wired, runtime, secrets }))
    }

    /// Help with the parts of a goal. `sentences` are the goal and its parts: the only source of values.
    pub fn help(&self, sentences: Vec<String>) -> Help<'_> {
        Help { pilots: &self.wired.models, runtime: &self.runtime, sentences, secrets: &self.secrets }
    }

    /// Ends the recording, if there is one.
    pub fn finish(&self) -> Result<(), Failure> {
        if let Some(tape) = &self.wired.tape {
            output::tell(&format!("note: {}", tape.finish()?));
        }
        Ok(())
    }
}
