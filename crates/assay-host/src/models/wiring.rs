//! Turns the name of a model into a client for it.

use std::path::PathBuf;
use std::sync::Arc;

use assay_pilot::{Models, Wiring};
use assay_protocol::{ErrorCode, Failure};
use assay_provider::cassette::{CassetteError, Player, Recorder};
use assay_provider::key::KeySources;
use assay_provider::transport::Transport;
use assay_provider::{Budget, Limits, ModelClient, ModelName, Money, ProviderError};
use assay_suite::UserSettings;

use super::choice::{Cassette, ChosenModel, ModelOptions};
use crate::context::HostContext;

/// The models that a run or a goal can ask, and the cassette that is recorded meanwhile.
pub struct Wired {
    pub models: Models,
    pub tape: Option<Tape>,
}

/// A cassette under way.
pub struct Tape {
    recorder: Arc<Recorder>,
    file: PathBuf,
}

impl Tape {
    /// What must not be in it, in all its forms.
    pub fn keep_out(&self, texts: impl IntoIterator<Item = String>) {
        self.recorder.keep_out(texts);
    }

    /// What is in it, in words.
    pub fn finish(&self) -> Result<String, Failure> {
        let count = self.recorder.finish().map_err(cassette_failure)?;
        let answers = if count == 1 { "model answer" } else { "model answers" };
        Ok(format!("recorded {count} {answers} in {}", self.file.display()))
    }
}

/// Connects to the model that was chosen. That it has no key is no failure: it may not be needed.
pub async fn wire(
    context: &HostContext,
    chosen: Option<&ChosenModel>,
    options: &ModelOptions,
) -> Result<Wired, Failure> {
    let Some(chosen) = chosen else {
        return Ok(Wired { models: Models::new(Wiring::None, Budget::new(Limits::default())), tape: None });
    };
    let budget = Budget::new(options.limits.unwrap_or_else(|| limits_of(&chosen.user)));
    let name = match &chosen.name {
        Ok(name) => name,
        Err(why) => {
            return Ok(Wired { models: Models::new(Wiring::Absent(why.clone()), budget), tape: None });
        }
    };
    let (wiring, tape) = match connect_model(context, name, &chosen.user, options.cassette.as_ref()).await? {
        (Ok(client), tape) => (Wiring::Model(Arc::new(client)), tape),
        (Err(error), tape) => (Wiring::Absent(with_hint(&error)), tape),
    };
    let mut models = Models::new(wiring, budget).using(context.computer_tool);
    if chosen.user.pictures == Some(false) {
        models = models.without_pictures();
    }
    Ok(Wired { models, tape })
}

/// The model, or why it cannot be asked; and the cassette, where one is recorded.
pub async fn connect_model(
    context: &HostContext,
    name: &ModelName,
    user: &UserSettings,
    cassette: Option<&Cassette>,
) -> Result<(Result<ModelClient, ProviderError>, Option<Tape>), Failure> {
    let network = Arc::clone(&context.transport);
    let (transport, tape): (Arc<dyn Transport>, Option<Tape>) = match cassette {
        None => (network, None),
        // No provider is asked, so no key is needed.
        Some(Cassette::Replay(file)) => {
            let player = Player::open(file).map_err(cassette_failure)?;
            let client = ModelClient::new(name.parts(None, None, Arc::new(player)));
            return Ok((Ok(client), None));
        }
        Some(Cassette::Record(file)) => {
            let recorder = Arc::new(Recorder::create(file, network).map_err(cassette_failure)?);
            let transport: Arc<dyn Transport> = Arc::<Recorder>::clone(&recorder);
            (transport, Some(Tape { recorder, file: file.clone() }))
        }
    };
    let sources = KeySources {
        environment: &*context.variables,
        command: user.key_command.clone(),
        configuration_folder: context.configuration.clone(),
    };
    Ok((name.connect(&sources, transport).await, tape))
}

/// The user's budget for a run.
pub(crate) fn limits_of(user: &UserSettings) -> Limits {
    Limits {
        money: user.budget.money.map(Money::dollars),
        calls: user.budget.turns.map(u64::from),
        tokens: user.budget.tokens,
    }
}

fn with_hint(error: &ProviderError) -> String {
    match error.hint() {
        Some(hint) => format!("{error} ({hint})"),
        None => error.to_string(),
    }
}

fn cassette_failure(error: CassetteError) -> Failure {
    let failure = Failure::new(ErrorCode::Io, error.to_string());
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
